"""Names and types of conditions and expressions: syntax trees into typed expressions.

A bare name is the agent's variable if it has one of that name, else a value of an enumeration; after
`Action =` it is an action, if that agent has one of that name. Mistakes are reported, each once, and the work
goes on: a phrase that has one is looked at again, with the places of its parts.
"""

from __future__ import annotations

from typing import Any

from knower.logic.fold import fold_more
from knower.logic.node import children_of
from knower.source import Span
from knower.syntax import tree
from knower.syntax.places import located, span_of
from knower.system.domains import BoolDomain, EnumDomain, related
from knower.system.expressions import (
    Abs,
    ActionOf,
    Arithmetic,
    BitNot,
    Bits,
    Compare,
    Condition,
    Conj,
    Disj,
    Expression,
    IfElse,
    Iff,
    Literal,
    Minus,
    Negation,
    Truth,
    Undefined,
    Var,
)  # fmt: skip
from knower.system.mistakes import Mistakes, Report
from knower.system.scope import NUMBERS, WRONG, Kind, Scope, Typed, as_boolean, as_condition, kind_of
from knower.system.system import Variable


class _Mistake(Exception):
    """Something is wrong with an expression whose places nobody knows yet."""


class Resolver:
    """Resolves expressions in one scope.

    A node means the same wherever it stands: it is resolved once, and what is made of that later is made
    once too. Only a mistake has a place: then there is a `_located` expression to report it in.
    """

    def __init__(self, scope: Scope, report: Report) -> None:
        self.scope = scope
        self.mistakes = Mistakes(scope, report)
        self._located: tree.Located | None = None
        self._done: dict[int, Typed] = {}  # by the `id` of nodes, which the tree keeps

    def condition(self, phrase: tree.Phrase) -> Condition:
        """The typed condition, or falsity after a reported mistake."""
        found = as_condition(self.typed(phrase))
        if isinstance(found.node, Condition):
            return found.node
        self.mistakes.not_a_condition(found, span_of(phrase))
        return Truth(False)

    def assigned(self, phrase: tree.Phrase, target: Variable) -> Expression | None:
        """The typed value for a variable, or None after a reported mistake."""
        found, wanted = self.typed(phrase), kind_of(target.domain)
        if wanted is Kind.BOOL:
            found = as_boolean(found)
        if not isinstance(found.node, Expression):
            self.mistakes.wrong_value(found, target, wanted, span_of(phrase))
            return None
        if found.kind is Kind.NAME:
            for name in found.names:
                if name not in target.domain:
                    self.mistakes.not_a_value(name, target, span_of(phrase))
                    return None
            return found.node
        fits = wanted is not Kind.ENUM or (found.domain is not None and related(found.domain, target.domain))
        if found.kind is Kind.NOTHING or (found.kind is wanted and fits):
            return found.node
        self.mistakes.wrong_value(found, target, wanted, span_of(phrase))
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
        if self._located is not None and any(child is WRONG for child in below):
            return WRONG
        match item:
            case tree.Infix(operator):
                if operator in tree.COMPARISONS:
                    return self._compared(operator, below[0], below[1], item)
                join = self._connective if operator in tree.CONNECTIVES else self._arithmetic
                return join(operator, below[0], below[1], item)
            case tree.Number(value):
                return Typed(Literal(value), Kind.NUMBER, NUMBERS)
            case tree.Name(name, None):
                return self._bare(name, item)
            case tree.Name(name, str(owner)):
                return self._qualified(owner, name, item)
            case tree.Prefix(operator):
                return self._prefix(operator, below[0], item)
            case tree.If():
                return self._conditional(below, item)
            case tree.Undefined():
                return Typed(Undefined(), Kind.NOTHING)
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
            self.mistakes.unknown_agent(owner, self._span(item))
            return WRONG
        if name == "Action":
            return self._action(owner, item)
        variables = scope.agents[owner].variables
        if name not in variables:
            self.mistakes.unknown_variable(owner, name, self._span(item))
            return WRONG
        if scope.reader is not None and owner != scope.reader and (owner, name) not in scope.foreign:
            self.mistakes.private(owner, name, self._span(item))
            return WRONG
        return self._variable(variables[name])

    def _variable(self, variable: Variable) -> Typed:
        return Typed(Var(variable.owner, variable.name), kind_of(variable.domain), variable.domain)

    def _action(self, agent: str, item: tree.Expr) -> Typed:
        if not self.scope.actions:
            self.mistakes.action_read(self._span(item))
            return WRONG
        actions = self.scope.agents[agent].actions
        if not actions:
            self.mistakes.report("E206", f"agent {agent} has no actions", self._span(item), None)
            return WRONG
        return Typed(ActionOf(agent), Kind.ENUM, EnumDomain(actions))

    # -- operators ----------------------------------------------------------------------------------

    def _prefix(self, operator: str, operand: Typed, item: tree.Prefix) -> Typed:
        if operator == "!":
            operand = as_condition(operand)
        elif operator == "~":
            operand = as_boolean(operand)
        wanted = {"!": Kind.CONDITION, "~": Kind.BOOL}.get(operator, Kind.NUMBER)
        if not self._has_kind(operand, wanted, item.operand, operator):
            return WRONG
        match operator, operand.node:
            case "!", Condition() as inner:
                return Typed(Negation(inner), wanted)
            case "-", Literal(int(value)):
                return Typed(Literal(-value), wanted, operand.domain)
            case _, Expression() as value:
                made = {"-": Minus, "~": BitNot, "abs": Abs}[operator]
                return Typed(made(value), wanted, operand.domain)
            case _:
                raise TypeError(f"not a prefix: {operator}")

    def _connective(self, operator: str, left: Typed, right: Typed, item: tree.Infix) -> Typed:
        if left.kind is not Kind.CONDITION or right.kind is not Kind.CONDITION:
            left, right = as_condition(left), as_condition(right)
            fine = self._has_kind(left, Kind.CONDITION, item.left, operator)
            if not self._has_kind(right, Kind.CONDITION, item.right, operator) or not fine:
                return WRONG
        return Typed(_joined(operator, left.node, right.node), Kind.CONDITION)

    def _arithmetic(self, operator: str, left: Typed, right: Typed, item: tree.Infix) -> Typed:
        wanted = Kind.BOOL if operator in tree.BITS else Kind.NUMBER
        if wanted is Kind.BOOL:
            left, right = as_boolean(left), as_boolean(right)
        fine = self._has_kind(left, wanted, item.left, operator)
        if not self._has_kind(right, wanted, item.right, operator) or not fine:
            return WRONG
        join = Bits if wanted is Kind.BOOL else Arithmetic
        return Typed(join(operator, left.node, right.node), wanted, left.domain)  # type: ignore[arg-type]

    def _has_kind(self, value: Typed, wanted: Kind, item: tree.Expr, operator: str) -> bool:
        if value.kind is wanted or value.kind is Kind.NOTHING:
            return True
        self.mistakes.wrong_operand(value, wanted, operator, self._span(item))
        return False

    # -- one of two values --------------------------------------------------------------------------

    def _conditional(self, parts: tuple[Typed, ...], item: tree.If) -> Typed:
        condition, then, otherwise = as_condition(parts[0]), parts[1], parts[2]
        if not self._has_kind(condition, Kind.CONDITION, item.condition, "if"):
            return WRONG
        if then.kind is not otherwise.kind or then.kind is Kind.CONDITION:
            then, otherwise = as_boolean(then), as_boolean(otherwise)
        kind = self._common_kind(then, otherwise, item)
        if kind is Kind.WRONG:
            return WRONG
        made = IfElse(condition.node, then.node, otherwise.node)  # type: ignore[arg-type]
        if kind in (Kind.NAME, Kind.ENUM):
            return Typed(made, kind, EnumDomain(tuple(dict.fromkeys((*then.names, *otherwise.names)))))
        return Typed(made, kind, then.domain or otherwise.domain)

    def _common_kind(self, then: Typed, otherwise: Typed, item: tree.If) -> Kind:
        """What a choice is of these two; names are values of the enumeration beside them."""
        kinds = {then.kind, otherwise.kind} - {Kind.NOTHING}
        if len(kinds) <= 1:
            return kinds.pop() if kinds else Kind.NOTHING
        if kinds == {Kind.NAME, Kind.ENUM}:
            for value, side in ((then, item.then), (otherwise, item.otherwise)):
                if value.kind is Kind.NAME and not self._are_values(value, side):
                    return Kind.WRONG
            return Kind.ENUM
        self.mistakes.apart("`if` cannot choose", then, otherwise, self._span(item))
        return Kind.WRONG

    # -- comparisons --------------------------------------------------------------------------------

    def _compared(self, operator: str, left: Typed, right: Typed, item: tree.Infix) -> Typed:
        right = self._after_action(left, right, item)
        left, right = as_boolean(left), as_boolean(right)
        if Kind.NOTHING not in (left.kind, right.kind):
            if not self._comparable(left, right, item):
                return WRONG
            if operator not in ("=", "!=") and left.kind is not Kind.NUMBER:
                self.mistakes.unordered(operator, self._span(item))
                return WRONG
        return Typed(Compare(operator, left.node, right.node), Kind.CONDITION)  # type: ignore[arg-type]

    def _after_action(self, left: Typed, right: Typed, item: tree.Infix) -> Typed:
        """What stands after `Action =`: an action, if the agent has one of that name."""
        match left.node, item.right:
            case ActionOf(), tree.Name(name, None) if name in left.names and right.kind is not Kind.NAME:
                return Typed(Literal(name), Kind.NAME, EnumDomain((name,)))
            case _:
                return right

    def _comparable(self, left: Typed, right: Typed, item: tree.Infix) -> bool:
        if left.kind is Kind.NAME and right.kind is Kind.NAME:
            return self._are_values(left, item.left) and self._are_values(right, item.right)
        for value, other, side in ((left, right, item.left), (right, left, item.right)):
            if value.kind is Kind.NAME:
                return self._is_value_of(value, other, side)
        if left.kind is not right.kind:
            self.mistakes.apart("cannot compare", left, right, self._span(item))
            return False
        if left.kind is Kind.ENUM and not (
            left.domain and right.domain and related(left.domain, right.domain)
        ):
            self.mistakes.unrelated(left, right, self._span(item))
            return False
        return True

    def _is_value_of(self, value: Typed, other: Typed, side: tree.Expr) -> bool:
        """Whether names are values of what they are compared with."""
        for name in value.names:
            if other.kind is not Kind.ENUM or name not in other.names:
                self.mistakes.not_a_value(name, other, self._span(side))
                return False
        return True

    def _are_values(self, value: Typed, side: tree.Expr) -> bool:
        """Whether names are values of anything; else one is a misspelt variable."""
        known = self.scope.known_values()
        for name in value.names:
            if name not in known:
                self.mistakes.unknown_name(name, self._span(side))
                return False
        return True


def _joined(operator: str, left: Any, right: Any) -> Condition:
    match operator:
        case "and":
            return Conj(left, right)
        case "or":
            return Disj(left, right)
        case "->":
            return Disj(Negation(left), right)
        case "<->":
            return Iff(left, right)
        case "xor":
            return Negation(Iff(left, right))
        case _:
            raise TypeError(f"not a connective: {operator}")
