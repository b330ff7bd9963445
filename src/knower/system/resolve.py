"""Names and types of conditions and expressions: syntax trees into typed expressions.

A bare name is the agent's variable if it has one of that name, else a value of an enumeration.
Mistakes are reported, each once, and the work goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple

from knower.errors import did_you_mean
from knower.logic.fold import fold
from knower.logic.node import Node, children_of
from knower.records import dataclass
from knower.source import Span
from knower.syntax import tree
from knower.syntax.conditions import COMPARISON, INFIX
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


def kind_of(domain: Domain) -> Kind:
    match domain:
        case BoolDomain():
            return Kind.BOOL
        case RangeDomain():
            return Kind.NUMBER
        case EnumDomain():
            return Kind.ENUM


class Resolver:
    """Resolves trees in one scope.

    A name, or a comparison of two names, means the same wherever it stands: it is one node, and what is
    made of it later is made once.
    """

    def __init__(self, scope: Scope, report: Report) -> None:
        self.scope = scope
        self.report = report
        self._names: dict[tuple[str | None, str | int], Typed] = {}
        self._comparisons: dict[tuple[str | int | None, ...], Typed] = {}

    def condition(self, expr: tree.Expr) -> Condition:
        """The typed condition, or falsity after a reported mistake."""
        found = self.typed(expr)
        if found.kind is Kind.CONDITION and isinstance(found.node, Condition):
            return found.node
        if found.kind is Kind.BOOL and isinstance(found.node, Literal):
            return Truth(found.node.value is True)
        if found.kind is Kind.NAME:
            self._unknown_name(found, expr.span)
        elif found.kind is not Kind.WRONG:
            cure = "write `x = true`" if found.kind is Kind.BOOL else "compare it with something"
            self.report("E301", f"{found.kind.value} stands where a condition is expected", expr.span, cure)
        return Truth(False)

    def assigned(self, expr: tree.Expr, target: Variable) -> Expression | None:
        """The typed value for a variable, or None after a reported mistake."""
        found = self.typed(expr)
        wanted = kind_of(target.domain)
        if found.kind is Kind.NAME and isinstance(found.node, Literal):
            if found.node.value in target.domain:
                return found.node
            self._not_a_value(found, target.domain, expr.span, str(target.name))
        elif found.kind is wanted and isinstance(found.node, Expression):
            if wanted is not Kind.ENUM or (found.domain and related(found.domain, target.domain)):
                return found.node
            message = f"`{target.name}` : {target.domain} cannot take a value of {found.domain}"
            self.report("E304", message, expr.span, "one enumeration must include the other")
        elif found.kind is not Kind.WRONG:
            message = f"`{target.name}` is {wanted.value}, but the value is {found.kind.value}"
            self.report("E303", message, expr.span, f"`{target.name}` : {target.domain}")
        return None

    def typed(self, expr: tree.Expr) -> Typed:
        return fold(expr, self._step, _operands)

    # -- one case per construct -------------------------------------------------------------------

    def _step(self, item: tree.Expr, below: tuple[Typed, ...]) -> Typed:
        for child in below:
            if child is _WRONG:
                return _WRONG
        match item:
            case tree.Number() | tree.Name():
                return self._named(item)
            case tree.Infix(operator):
                if not below:
                    return self._comparison(operator, item)
                level = INFIX[operator]
                if level == COMPARISON:
                    return self._compared(operator, below[0], below[1], item)
                join = self._connective if level < COMPARISON else self._arithmetic
                return join(operator, below[0], below[1], item)
            case tree.Prefix(operator):
                return self._prefix(operator, below[0], item)
            case _:
                raise TypeError(f"not an expression: {item!r}")

    def _named(self, item: tree.Number | tree.Name) -> Typed:
        """A name or a number; a mistake is reported at each place."""
        key = _key(item)
        found = self._names.get(key)
        if found is None:
            found = self._resolved(item)
            if found is not _WRONG:
                self._names[key] = found
        return found

    def _resolved(self, item: tree.Number | tree.Name) -> Typed:
        if isinstance(item, tree.Number):
            return Typed(Literal(item.value), Kind.NUMBER, _NUMBER)
        if item.owner is None:
            return self._bare(item.name, item.span)
        return self._qualified(item.owner, item.name, item.span)

    def _bare(self, name: str, span: Span) -> Typed:
        scope = self.scope
        if name in scope.own:
            return self._variable(scope.own[name])
        if name == "Action" and scope.reader is not None:
            return self._action(scope.reader, span)
        if name in ("true", "false"):
            return Typed(Literal(name == "true"), Kind.BOOL, BoolDomain())
        return Typed(Literal(name), Kind.NAME, EnumDomain((name,)))

    def _qualified(self, owner: str, name: str, span: Span) -> Typed:
        scope = self.scope
        if owner not in scope.agents:
            cure = did_you_mean(owner, scope.agents)
            if owner == ENVIRONMENT:
                cure = "this model has no Agent Environment"
            self.report("E201", f"unknown agent `{owner}`", span, cure)
            return _WRONG
        if name == "Action":
            return self._action(owner, span)
        variables = scope.agents[owner].variables
        if name not in variables:
            message = f"unknown variable `{name}` in agent {owner}"
            self.report("E202", message, span, did_you_mean(name, variables))
            return _WRONG
        if scope.reader is not None and owner != scope.reader and (owner, name) not in scope.foreign:
            self._report_private(owner, name, span)
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

    def _action(self, agent: str, span: Span) -> Typed:
        if not self.scope.actions:
            cure = "conditions here speak of states; remember the action in a variable"
            self.report("E205", f"actions cannot be read in {self.scope.where}", span, cure)
            return _WRONG
        actions = self.scope.agents[agent].actions
        if not actions:
            self.report("E206", f"agent {agent} has no actions", span, None)
            return _WRONG
        return Typed(ActionOf(agent), Kind.ENUM, EnumDomain(actions))

    def _prefix(self, operator: str, operand: Typed, item: tree.Prefix) -> Typed:
        operand = _as_condition(operand) if operator == "!" else operand
        wanted = {"!": Kind.CONDITION, "-": Kind.NUMBER, "~": Kind.BOOL}[operator]
        if not self._has_kind(operand, wanted, item.operand.span, operator):
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
            fine = self._has_kind(left, Kind.CONDITION, item.left.span, operator)
            if not self._has_kind(right, Kind.CONDITION, item.right.span, operator) or not fine:
                return _WRONG
        join = Conj if operator == "and" else Disj
        return Typed(join(left.node, right.node), Kind.CONDITION)  # type: ignore[arg-type]

    def _arithmetic(self, operator: str, left: Typed, right: Typed, item: tree.Infix) -> Typed:
        wanted = Kind.BOOL if operator in "&^|" else Kind.NUMBER
        fine = self._has_kind(left, wanted, item.left.span, operator)
        if not self._has_kind(right, wanted, item.right.span, operator) or not fine:
            return _WRONG
        join = Bits if wanted is Kind.BOOL else Arithmetic
        return Typed(join(operator, left.node, right.node), wanted, left.domain)  # type: ignore[arg-type]

    def _comparison(self, operator: str, item: tree.Infix) -> Typed:
        """Of a name with a name or a number; a mistake is reported at each place."""
        first, second = item.left, item.right
        assert isinstance(first, tree.Name) and isinstance(second, tree.Name | tree.Number)
        key = (operator, *_key(first), *_key(second))
        found = self._comparisons.get(key)
        if found is None:
            left, right = self._named(first), self._named(second)
            if left is _WRONG or right is _WRONG:
                return _WRONG
            found = self._compared(operator, left, right, item)
            if found is not _WRONG:
                self._comparisons[key] = found
        return found

    def _compared(self, operator: str, left: Typed, right: Typed, item: tree.Infix) -> Typed:
        if not self._comparable(left, right, item):
            return _WRONG
        if operator not in ("=", "!=") and left.kind is not Kind.NUMBER:
            message = f"`{operator}` compares numbers only"
            self.report("E305", message, item.span, "booleans and enumerations know only `=` and `!=`")
            return _WRONG
        return Typed(Compare(operator, left.node, right.node), Kind.CONDITION)  # type: ignore[arg-type]

    def _comparable(self, left: Typed, right: Typed, item: tree.Infix) -> bool:
        names = [Kind.NAME, Kind.ENUM]
        if left.kind is Kind.NAME and right.kind is Kind.NAME:
            return self._both_names(left, right, item)
        for value, other, span in ((left, right, item.left.span), (right, left, item.right.span)):
            if value.kind is Kind.NAME and other.domain and isinstance(value.node, Literal):
                if other.kind is Kind.ENUM and value.node.value in other.domain:
                    return True
                self._not_a_value(value, other.domain, span, _shown(other))
                return False
        if left.kind is not right.kind or left.kind is Kind.CONDITION:
            message = f"cannot compare {left.kind.value} with {right.kind.value}"
            self.report("E302", message, item.span, None)
            return False
        if left.kind in names and not (left.domain and right.domain and related(left.domain, right.domain)):
            message = f"cannot compare values of {left.domain} with values of {right.domain}"
            self.report("E304", message, item.span, "one enumeration must include the other")
            return False
        return True

    def _both_names(self, left: Typed, right: Typed, item: tree.Infix) -> bool:
        """Two bare values: fine if both are known values, else one is a misspelt variable."""
        known = self._values()
        fine = True
        for value, span in ((left, item.left.span), (right, item.right.span)):
            if isinstance(value.node, Literal) and value.node.value not in known:
                self._unknown_name(value, span)
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

    def _has_kind(self, value: Typed, wanted: Kind, span: Span, operator: str) -> bool:
        if value.kind is wanted:
            return True
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


def _key(item: tree.Name | tree.Number) -> tuple[str | None, str | int]:
    """What a name or a number is known by in its scope."""
    return (item.owner, item.name) if isinstance(item, tree.Name) else (None, item.value)


def _operands(item: Node) -> tuple[Node, ...]:
    """The children of a node; a comparison of names is looked at as a whole."""
    if isinstance(item, tree.Infix) and INFIX[item.operator] == COMPARISON:
        if type(item.left) is tree.Name and type(item.right) in (tree.Name, tree.Number):
            return ()
    return children_of(item)
