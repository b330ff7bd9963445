"""Typed expressions and conditions.

Names are resolved: a variable knows its owner, an action the agent that takes it. Arithmetic is
exact: `5/2` is a fraction. An expression may have no value (it divides by zero, say); a condition always is
true or false: the innermost comparison around what has no value is false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import add, and_, eq, ge, gt, le, lt, mul, ne, or_, sub, xor
from typing import Any, NamedTuple, TypeAlias

from knower.logic.fold import subformulas
from knower.logic.node import Node, children_of, node
from knower.system.domains import Value

#: The values of all variables, in the order of `InterpretedSystem.variables`.
State: TypeAlias = tuple[Value, ...]
#: One action per agent, in the order of `InterpretedSystem.agents`; None for an agent without actions.
JointAction: TypeAlias = tuple[str | None, ...]


@node
class Expression(Node):
    """Something with a value."""


@node
class Literal(Expression):
    value: Value


@node
class Var(Expression):
    """The value of an agent's variable."""

    owner: str
    name: str


@node
class ActionOf(Expression):
    """The action an agent takes in this step."""

    agent: str


@node
class Minus(Expression):
    operand: Expression


@node
class Abs(Expression):
    operand: Expression


@node
class Arithmetic(Expression):
    """`+ - * / % min max` on numbers."""

    operator: str
    left: Expression
    right: Expression


@node
class BitNot(Expression):
    operand: Expression


@node
class Bits(Expression):
    """`& ^ |` on booleans."""

    operator: str
    left: Expression
    right: Expression


@node
class IfElse(Expression):
    """One of two values; the other one is not evaluated."""

    condition: Condition
    then: Expression
    otherwise: Expression


@node
class TruthOf(Expression):
    """A condition as a boolean."""

    condition: Condition


@node
class Undefined(Expression):
    """No value: what an array has outside its range."""


@node
class Condition(Node):
    """Something that holds or does not."""


@node
class Truth(Condition):
    value: bool


@node
class Compare(Condition):
    """`= != < <= > >=`."""

    operator: str
    left: Expression
    right: Expression


@node
class Negation(Condition):
    operand: Condition


@node
class Conj(Condition):
    left: Condition
    right: Condition


@node
class Disj(Condition):
    left: Condition
    right: Condition


@node
class Iff(Condition):
    """`left <-> right`; its negation is `xor`."""

    left: Condition
    right: Condition


AnyExpression: TypeAlias = (
    Literal | Var | ActionOf | Minus | Abs | Arithmetic | BitNot | Bits | IfElse | TruthOf | Undefined
)
AnyCondition: TypeAlias = Truth | Compare | Negation | Conj | Disj | Iff

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip
BIT_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {"&": and_, "^": xor, "|": or_}


TRUE, FALSE = Truth(True), Truth(False)


class NoValue(ArithmeticError):
    """An expression has no value, and why."""


def divide(left: Any, right: Any) -> Any:
    """The exact quotient."""
    if right == 0:
        raise NoValue("division by zero")
    return Fraction(left, 1) / right


def modulo(left: Any, right: Any) -> Any:
    """`left - right * floor(left / right)`, of whole numbers."""
    if right == 0:
        raise NoValue("division by zero")
    if left.denominator != 1 or right.denominator != 1:
        raise NoValue("`%` of a fraction")
    return left % right


ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": add, "-": sub, "*": mul, "/": divide, "%": modulo, "min": min, "max": max,
}  # fmt: skip


def conjunction(conditions: Sequence[Condition]) -> Condition:
    """All of them; true of none."""
    whole: Condition | None = None
    for condition in conditions:
        whole = condition if whole is None else Conj(whole, condition)
    return Truth(True) if whole is None else whole


def disjunction(conditions: Sequence[Condition]) -> Condition:
    """At least one of them; false of none."""
    whole: Condition | None = None
    for condition in conditions:
        whole = condition if whole is None else Disj(whole, condition)
    return Truth(False) if whole is None else whole


def all_of(parts: Iterable[Condition]) -> Condition:
    """All of them, without what is plain."""
    kept = [part for part in parts if part != TRUE]
    return FALSE if FALSE in kept else conjunction(kept)


def any_of(parts: Iterable[Condition]) -> Condition:
    """At least one of them, without what is plain."""
    kept = [part for part in parts if part != FALSE]
    return TRUE if TRUE in kept else disjunction(kept)


def none_of(part: Condition) -> Condition:
    """That it does not hold."""
    if isinstance(part, Truth):
        return Truth(not part.value)
    return part.operand if isinstance(part, Negation) else Negation(part)


def variables(*roots: Node) -> frozenset[tuple[str, str]]:
    """The variables mentioned, as (owner, name)."""
    return frozenset((n.owner, n.name) for n in subformulas(*roots) if isinstance(n, Var))


def actors(*roots: Node) -> frozenset[str]:
    """The agents whose actions are mentioned."""
    return frozenset(n.agent for n in subformulas(*roots) if isinstance(n, ActionOf))


def divisors(*roots: Node) -> Iterator[Expression]:
    """What is divided by, where it is not plainly a number other than zero."""
    for item in subformulas(*roots):
        if isinstance(item, Arithmetic) and _may_divide_by_zero(item):
            yield item.right


def _may_divide_by_zero(item: Arithmetic) -> bool:
    if item.operator not in ("/", "%"):
        return False
    return not isinstance(item.right, Literal) or item.right.value == 0


def is_partial(*roots: Node) -> bool:
    """Whether it is conceivable that something has no value."""
    for item in subformulas(*roots):
        if isinstance(item, Undefined):
            return True
        if isinstance(item, Arithmetic) and (_may_divide_by_zero(item) or takes_fractions(item)):
            return True
    return False


def takes_fractions(item: Node) -> bool:
    """Whether it is a `%` of what may be no whole number."""
    return isinstance(item, Arithmetic) and item.operator == "%" and has_fractions(item)


def has_fractions(*roots: Node) -> bool:
    """Whether it is conceivable that something is no whole number."""
    return any(isinstance(item, Arithmetic) and item.operator == "/" for item in subformulas(*roots))


#: A chain of one of these is the same however it is grouped.
_ASSOCIATIVE = ("+", "min", "max")


def chained(item: Node) -> Sequence[Node]:
    """The operands of a node, where a chain of one operator is a single node with many.

    That of `if` has conditions and values by turns, and the last value.
    """
    kind = type(item)
    if kind is Conj or kind is Disj:
        return _flat(item, lambda part: type(part) is kind)
    if isinstance(item, Arithmetic) and item.operator in _ASSOCIATIVE:
        operator = item.operator
        return _flat(item, lambda part: type(part) is Arithmetic and part.operator == operator)
    return _alternatives(item) if isinstance(item, IfElse) else children_of(item)


def _flat(item: Node, is_inner: Callable[[Node], bool]) -> list[Node]:
    """The operands of a chain, from left to right."""
    parts: list[Node] = []
    todo: list[Any] = [item]
    while todo:
        part = todo.pop()
        if is_inner(part):
            todo.append(part.right)
            todo.append(part.left)
        else:
            parts.append(part)
    return parts


def _alternatives(item: Expression) -> Sequence[Node]:
    parts: list[Node] = []
    while isinstance(item, IfElse):
        parts += (item.condition, item.then)
        item = item.otherwise
    return [*parts, item]


class Places(NamedTuple):
    """Where variables stand in a state and agents in a joint action."""

    variable: Mapping[tuple[str, str], int]
    agent: Mapping[str, int]
