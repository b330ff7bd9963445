"""Names and types of conditions and expressions: syntax trees into typed expressions.

A bare name is the agent's variable if it has one of that name, else a value of an enumeration.
Mistakes are reported, each once, and the work goes on: a phrase that has one is looked at again, with the
places of its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple

from knower.errors import did_you_mean
from knower.logic.fold import fold_more
from knower.logic.node import children_of
from knower.records import dataclass
from knower.source import Span
from knower.syntax import tree
from knower.syntax.conditions import COMPARISON, INFIX
from knower.syntax.places import Located, located, span_of
from knower.system.domains import BoolDomain, Domain, EnumDomain, RangeDomain, related
from knower.system.expressions import (
    ActionOf,
    Arithmetic,
    BitNot,
    Bits,
    Compare,
    Condition,
    Conj,
    Disj,
    Expression,
    Literal,
    Minus,
    Negation,
    Truth,
    Var,
)  # fmt: skip
from knower.system.system import ENVIRONMENT, Variable

#: How a mistake is reported: code, message, place, cure.
Report = Callable[[str, str, Span, str | None], None]


@dataclass(frozen=True, slots=True)
class Signature:
    """What other agents and the global sections can know of an agent."""

    name: str
    variables: Mapping[str, Variable]
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """Who reads, and what may be read there.

    `reader` is the agent whose own variables are bare names (None in Evaluation and InitStates,
    where everything is `Agent.x`). `foreign` holds the readable variables of others.
    """

    where: str
    agents: Mapping[str, Signature]
    reader: str | None = None
    foreign: frozenset[tuple[str, str]] = frozenset()
    actions: bool = False

    @property
    def own(self) -> Mapping[str, Variable]:
        return self.agents[self.reader].variables if self.reader is not None else {}


class Kind(Enum):
    CONDITION = "a condition"
    NUMBER = "a number"
    BOOL = "a boolean"
    ENUM = "an enumeration"
    NAME = "a value"
    WRONG = "a mistake reported already"


class Typed(NamedTuple):
    """A resolved piece and its type; a bare enumeration value waits for what it is compared with."""

    node: Expression | Condition
    kind: Kind
    domain: Domain | None = None


_WRONG = Typed(Truth(False), Kind.WRONG)
_NUMBER = RangeDomain(0, 0)
_OTHER_SIDE = "the other side"


_KINDS: Mapping[type[Domain], Kind] = {
    BoolDomain: Kind.BOOL, RangeDomain: Kind.NUMBER, EnumDomain: Kind.ENUM,
}  # fmt: skip


def kind_of(domain: Domain) -> Kind:
    return _KINDS[type(domain)]


class _Mistake(Exception):
    """Something is wrong with an expression whose places nobody knows yet."""


class Resolver:
    """Resolves expressions in one scope.

    A node means the same wherever it stands: it is resolved once, and what is made of that later is made
    once too. Only a mistake has a place: then there is a `_located` expression to report it in.
    """

    def __init__(self, scope: Scope, report: Report) -> None:
        self.scope = scope
        self.report = report
        self._located: Located | None = None
        self._done: dict[int, Typed] = {}  # by the `id` of nodes, which the tree keeps

    def condition(self, phrase: tree.Phrase) -> Condition:
        """The typed condition, or falsity after a reported mistake."""
        found = self.typed(phrase)
        if found.kind is Kind.CONDITION and isinstance(found.node, Condition):
            return found.node
        if found.kind is Kind.BOOL and isinstance(found.node, Literal):
            return Truth(found.node.value is True)
        if found.kind is Kind.NAME:
            self._unknown_name(found, span_of(phrase))
        elif found.kind is not Kind.WRONG:
            cure = "write `x = true`" if found.kind is Kind.BOOL else "compare it with something"
            message = f"{found.kind.value} stands where a condition is expected"
            self.report("E301", message, span_of(phrase), cure)
        return Truth(False)

    def assigned(self, phrase: tree.Phrase, target: Variable) -> Expression | None:
        """The typed value for a variable, or None after a reported mistake."""
        found = self.typed(phrase)
        wanted = kind_of(target.domain)
        if found.kind is Kind.NAME and isinstance(found.node, Literal):
            if found.node.value in target.domain:
                return found.node
            self._not_a_value(found, target.domain, span_of(phrase), str(target.name))
        elif found.kind is wanted and isinstance(found.node, Expression):
            if wanted is not Kind.ENUM or (found.domain and related(found.domain, target.domain)):
                return found.node
            message = f"`{target.name}` : {target.domain} cannot take a value of {found.domain}"
            self.report("E304", message, span_of(phrase), "one enumeration must include the other")
        elif found.kind is not Kind.WRONG:
            message = f"`{target.name}` is {wanted.value}, but the value is {found.kind.value}"
            self.report("E303", message, span_of(phrase), f"`{target.name}` : {target.domain}")
        return None

    def typed(self, phrase: tree.Phrase) -> Typed:
        found = self._done.get(id(phrase.expr))
        if found is not None:
            return found
        try:
            return self._chain(phrase.expr)
        except _Mistake:
            return self._mistaken(phrase)

    def _chain(self, root: tree.Expr) -> Typed:
        """Most of a model is chains of `and`, many with the same beginning: down to what is known, and up."""
        done, spine, item = self._done, [], root
        while type(item) is tree.Infix and item.operator in ("and", "or") and id(item) not in done:
            spine.append(item)
            item = item.left
        found = done.get(id(item)) or fold_more(item, self._step, children_of, done)
        for item in reversed(spine):
            right = done.get(id(item.right)) or fold_more(item.right, self._step, children_of, done)
            found = done[id(item)] = self._connective(item.operator, found, right, item)
        return found

    def _mistaken(self, phrase: tree.Phrase) -> Typed:
        """The same with every mistake reported where it stands."""
        self._located = located(phrase)
        try:
            return fold_more(self._located.expr, self._step, children_of, {})
        finally:
            self._located = None

    def _span(self, item: tree.Expr) -> Span:
        """Where a mistake stands; if that is not known, the whole phrase is looked at again."""
        if self._located is None:
            raise _Mistake
        return self._located.span(item)

    # -- one case per construct -------------------------------------------------------------------

    def _step(self, item: tree.Expr, below: tuple[Typed, ...]) -> Typed:
        if self._located is not None and any(child is _WRONG for child in below):
            return _WRONG
        match item:
            case tree.Infix(operator):
                level = INFIX[operator]
                if level == COMPARISON:
                    return self._compared(operator, below[0], below[1], item)
                join = self._connective if level < COMPARISON else self._arithmetic
                return join(operator, below[0], below[1], item)
            case tree.Number(value):
                return Typed(Literal(value), Kind.NUMBER, _NUMBER)
            case tree.Name(name, None):
                return self._bare(name, item)
            case tree.Name(name, str(owner)):
                return self._qualified(owner, name, item)
            case tree.Prefix(operator):
                return self._prefix(operator, below[0], item)
            case _:
                raise TypeError(f"not an expression: {item!r}")

    def _bare(self, name: str, item: tree.Expr) -> Typed:
        scope = self.scope
        if name in scope.own:
            return self._variable(scope.own[name])
        if name == "Action" and scope.reader is not None:
            return self._action(scope.reader, item)
        if name in ("true", "false"):
            return Typed(Literal(name == "true"), Kind.BOOL, BoolDomain())
        return Typed(Literal(name), Kind.NAME, EnumDomain((name,)))

    def _qualified(self, owner: str, name: str, item: tree.Expr) -> Typed:
        scope = self.scope
        if owner not in scope.agents:
            cure = did_you_mean(owner, scope.agents)
            if owner == ENVIRONMENT:
                cure = "this model has no Agent Environment"
            self.report("E201", f"unknown agent `{owner}`", self._span(item), cure)
            return _WRONG
        if name == "Action":
            return self._action(owner, item)
        variables = scope.agents[owner].variables
        if name not in variables:
            message = f"unknown variable `{name}` in agent {owner}"
            self.report("E202", message, self._span(item), did_you_mean(name, variables))
            return _WRONG
        if scope.reader is not None and owner != scope.reader and (owner, name) not in scope.foreign:
            self._report_private(owner, name, self._span(item))
            return _WRONG
        return self._variable(variables[name])

    def _report_private(self, owner: str, name: str, span: Span) -> None:
        message = f"agent {self.scope.reader} cannot see `{owner}.{name}` in its {self.scope.where}"
        if owner == ENVIRONMENT:
            cure = f"declare `{name}` in Obsvars, or `Lobsvars = {{{name}}};` in agent {self.scope.reader}"
        else:
            cure = "other agents are seen only by their actions: use `" + owner + ".Action` in Evolution"
        self.report("E204", message, span, cure)

    def _variable(self, variable: Variable) -> Typed:
        return Typed(Var(variable.owner, variable.name), kind_of(variable.domain), variable.domain)

    def _action(self, agent: str, item: tree.Expr) -> Typed:
        if not self.scope.actions:
            message = f"actions cannot be read in {self.scope.where}"
            cure = "conditions here speak of states; remember the action in a variable"
            self.report("E205", message, self._span(item), cure)
            return _WRONG
        actions = self.scope.agents[agent].actions
        if not actions:
            self.report("E206", f"agent {agent} has no actions", self._span(item), None)
            return _WRONG
        return Typed(ActionOf(agent), Kind.ENUM, EnumDomain(actions))

    def _prefix(self, operator: str, operand: Typed, item: tree.Prefix) -> Typed:
        operand = _as_condition(operand) if operator == "!" else operand
        wanted = {"!": Kind.CONDITION, "-": Kind.NUMBER, "~": Kind.BOOL}[operator]
        if not self._has_kind(operand, wanted, item.operand, operator):
            return _WRONG
        inner = operand.node
        if isinstance(inner, Condition):
            return Typed(Negation(inner), wanted)
        if isinstance(inner, Literal) and operator == "-":
            return Typed(Literal(-inner.value), wanted, operand.domain)  # type: ignore[operator]
        made = Minus(inner) if operator == "-" else BitNot(inner)
        return Typed(made, wanted, operand.domain)

    def _connective(self, operator: str, left: Typed, right: Typed, item: tree.Infix) -> Typed:
        if left.kind is not Kind.CONDITION or right.kind is not Kind.CONDITION:
            left, right = _as_condition(left), _as_condition(right)
            fine = self._has_kind(left, Kind.CONDITION, item.left, operator)
            if not self._has_kind(right, Kind.CONDITION, item.right, operator) or not fine:
                return _WRONG
        join = Conj if operator == "and" else Disj
        return Typed(join(left.node, right.node), Kind.CONDITION)  # type: ignore[arg-type]

    def _arithmetic(self, operator: str, left: Typed, right: Typed, item: tree.Infix) -> Typed:
        wanted = Kind.BOOL if operator in "&^|" else Kind.NUMBER
        fine = self._has_kind(left, wanted, item.left, operator)
        if not self._has_kind(right, wanted, item.right, operator) or not fine:
            return _WRONG
        join = Bits if wanted is Kind.BOOL else Arithmetic
        return Typed(join(operator, left.node, right.node), wanted, left.domain)  # type: ignore[arg-type]

    def _compared(self, operator: str, left: Typed, right: Typed, item: tree.Infix) -> Typed:
        if not self._comparable(left, right, item):
            return _WRONG
        if operator not in ("=", "!=") and left.kind is not Kind.NUMBER:
            message = f"`{operator}` compares numbers only"
            self.report("E305", message, self._span(item), "booleans and enumerations know only `=` and `!=`")
            return _WRONG
        return Typed(Compare(operator, left.node, right.node), Kind.CONDITION)  # type: ignore[arg-type]

    def _comparable(self, left: Typed, right: Typed, item: tree.Infix) -> bool:
        names = [Kind.NAME, Kind.ENUM]
        if left.kind is Kind.NAME and right.kind is Kind.NAME:
            return self._both_names(left, right, item)
        for value, other, side in ((left, right, item.left), (right, left, item.right)):
            if value.kind is Kind.NAME and other.domain and isinstance(value.node, Literal):
                if other.kind is Kind.ENUM and value.node.value in other.domain:
                    return True
                self._not_a_value(value, other.domain, self._span(side), _shown(other))
                return False
        if left.kind is not right.kind or left.kind is Kind.CONDITION:
            message = f"cannot compare {left.kind.value} with {right.kind.value}"
            self.report("E302", message, self._span(item), None)
            return False
        if left.kind in names and not (left.domain and right.domain and related(left.domain, right.domain)):
            message = f"cannot compare values of {left.domain} with values of {right.domain}"
            self.report("E304", message, self._span(item), "one enumeration must include the other")
            return False
        return True

    def _both_names(self, left: Typed, right: Typed, item: tree.Infix) -> bool:
        """Two bare values: fine if both are known values, else one is a misspelt variable."""
        known = self._values()
        fine = True
        for value, side in ((left, item.left), (right, item.right)):
            if isinstance(value.node, Literal) and value.node.value not in known:
                self._unknown_name(value, self._span(side))
                fine = False
                break
        return fine

    def _values(self) -> set[object]:
        """Every enumeration value and action name of the model."""
        known: set[object] = set()
        for agent in self.scope.agents.values():
            known.update(agent.actions)
            for variable in agent.variables.values():
                if isinstance(variable.domain, EnumDomain):
                    known.update(variable.domain.values)
        return known

    # -- reports ------------------------------------------------------------------------------------

    def _has_kind(self, value: Typed, wanted: Kind, item: tree.Expr, operator: str) -> bool:
        if value.kind is wanted:
            return True
        span = self._span(item)
        if value.kind is Kind.NAME:
            self._unknown_name(value, span)
        elif value.kind is Kind.BOOL and wanted is Kind.CONDITION:
            self.report("E301", "a boolean stands where a condition is expected", span, "write `x = true`")
        else:
            self.report("E302", f"`{operator}` needs {wanted.value}, this is {value.kind.value}", span, None)
        return False

    def _unknown_name(self, value: Typed, span: Span) -> None:
        name = str(value.node.value) if isinstance(value.node, Literal) else "?"
        where = f"agent {self.scope.reader}" if self.scope.reader else self.scope.where
        foreign = sorted(f"{owner}.{var}" for owner, var in self.scope.foreign if var == name)
        if foreign:
            cure: str | None = f"write `{foreign[0]}`"
        elif self.scope.reader is None:
            owners = [a.name for a in self.scope.agents.values() if name in a.variables]
            cure = f"write `{owners[0]}.{name}`" if owners else "variables are written `Agent.x` here"
        else:
            cure = did_you_mean(name, self.scope.own)
        self.report("E202", f"unknown variable `{name}` in {where}", span, cure)

    def _not_a_value(self, value: Typed, domain: Domain, span: Span, of: str) -> None:
        name = str(value.node.value) if isinstance(value.node, Literal) else "?"
        if any(name in agent.variables for agent in self.scope.agents.values()) or of == _OTHER_SIDE:
            self._unknown_name(value, span)
            return
        if name not in self._values():
            near = did_you_mean(name, [*self.scope.own, *map(str, self._values_of(domain))])
            self.report(
                "E203", f"unknown name `{name}`: neither a variable here nor a value of `{of}`", span, near
            )
            return
        message = f"`{name}` is not a value of `{of}` : {domain if domain != _NUMBER else 'number'}"
        self.report("E306", message, span, did_you_mean(name, map(str, self._values_of(domain))))

    @staticmethod
    def _values_of(domain: Domain) -> tuple[object, ...]:
        return domain.values if isinstance(domain, EnumDomain) else ()


def _as_condition(value: Typed) -> Typed:
    """`true` and `false` may stand for conditions."""
    if isinstance(value.node, Literal) and value.kind is Kind.BOOL:
        return Typed(Truth(value.node.value is True), Kind.CONDITION)
    return value


def _shown(value: Typed) -> str:
    match value.node:
        case Var(_, name):
            return name
        case ActionOf(agent):
            return f"{agent}.Action"
        case _:
            return _OTHER_SIDE
