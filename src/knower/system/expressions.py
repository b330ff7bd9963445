"""Typed expressions and conditions, and their value in a state.

Names are resolved: a variable knows its owner, an action the agent that takes it. Arithmetic is
exact: `5/2` is a fraction, and a comparison that divides by zero is false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import and_, eq, ge, gt, le, lt, ne, or_, xor
from typing import Any, NamedTuple, TypeAlias

from knower.logic.fold import fold_more, subformulas
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
class Arithmetic(Expression):
    """`+ - * /` on numbers."""

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


AnyExpression: TypeAlias = Literal | Var | ActionOf | Minus | Arithmetic | BitNot | Bits
AnyCondition: TypeAlias = Truth | Compare | Negation | Conj | Disj

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip
BIT_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {"&": and_, "^": xor, "|": or_}


def divide(left: Any, right: Any) -> Any:
    """The exact quotient; raises `ZeroDivisionError`."""
    return Fraction(left, 1) / right


ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": divide,
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


def variables(*roots: Node) -> frozenset[tuple[str, str]]:
    """The variables mentioned, as (owner, name)."""
    return frozenset((n.owner, n.name) for n in subformulas(*roots) if isinstance(n, Var))


def actors(*roots: Node) -> frozenset[str]:
    """The agents whose actions are mentioned."""
    return frozenset(n.agent for n in subformulas(*roots) if isinstance(n, ActionOf))


def divisors(*roots: Node) -> Iterator[Expression]:
    """What is divided by, where it is not plainly a number other than zero."""
    for item in subformulas(*roots):
        if isinstance(item, Arithmetic) and item.operator == "/":
            if not isinstance(item.right, Literal) or item.right.value == 0:
                yield item.right


def divides(*roots: Node) -> bool:
    """Whether a division by zero is conceivable."""
    return next(divisors(*roots), None) is not None


# -- evaluation -----------------------------------------------------------------------------------

Evaluator: TypeAlias = Callable[[State, JointAction], Any]


class Places(NamedTuple):
    """Where variables stand in a state and agents in a joint action."""

    variable: Mapping[tuple[str, str], int]
    agent: Mapping[str, int]


def compiled(root: Node, places: Places, done: dict[int, Evaluator] | None = None) -> Evaluator:
    """A function from (state, joint action) to the value of an expression or condition.

    It raises `ZeroDivisionError` for an expression that divides by zero; a comparison
    catches it and is false. `done`: what was compiled before, by the `id` of nodes that are still there.
    """

    def step(item: Node, below: tuple[Evaluator, ...]) -> Evaluator:
        if isinstance(item, Conj | Disj):
            return _all_of(below) if isinstance(item, Conj) else _any_of(below)
        return _closure(item, below, places)

    return fold_more(root, step, chained, {} if done is None else done)


def chained(item: Node) -> Sequence[Node]:
    """The operands of a node, where a chain of one connective is a single node with many."""
    kind = type(item)
    if kind is not Conj and kind is not Disj:
        return children_of(item)
    parts: list[Node] = []
    todo: list[Any] = [item]
    while todo:
        part = todo.pop()
        if type(part) is kind:
            todo.append(part.right)
            todo.append(part.left)
        else:
            parts.append(part)
    return parts


def _all_of(parts: tuple[Evaluator, ...]) -> Evaluator:
    def call(state: State, joint: JointAction) -> bool:
        for part in parts:  # noqa: SIM110 - a plain loop nests without the C stack
            if not part(state, joint):
                return False
        return True

    return call


def _any_of(parts: tuple[Evaluator, ...]) -> Evaluator:
    def call(state: State, joint: JointAction) -> bool:
        for part in parts:  # noqa: SIM110
            if part(state, joint):
                return True
        return False

    return call


def _closure(item: Node, below: tuple[Evaluator, ...], places: Places) -> Evaluator:
    match item:
        case Literal(value) | Truth(value):
            return lambda state, joint: value
        case Var(owner, name):
            place = places.variable[owner, name]
            return lambda state, joint: state[place]
        case ActionOf(agent):
            seat = places.agent[agent]
            return lambda state, joint: joint[seat]
        case Minus():
            (a,) = below
            return lambda state, joint: -a(state, joint)
        case BitNot() | Negation():
            (a,) = below
            return lambda state, joint: not a(state, joint)
        case Arithmetic(operator):
            return _binary(ARITHMETIC[operator], *below)
        case Bits(operator):
            return _binary(BIT_OPERATORS[operator], *below)
        case Compare("=", Var(owner, name), Literal(value)):
            place = places.variable[owner, name]
            return lambda state, joint: state[place] == value
        case Compare("=", ActionOf(agent), Literal(value)):
            seat = places.agent[agent]
            return lambda state, joint: joint[seat] == value
        case Compare(operator):
            return _comparison(item, COMPARISONS[operator], *below)
        case _:
            raise TypeError(f"not an expression: {item!r}")


def _binary(operate: Callable[[Any, Any], Any], a: Evaluator, b: Evaluator) -> Evaluator:
    return lambda state, joint: operate(a(state, joint), b(state, joint))


def division_tests(root: Node, places: Places) -> list[Evaluator]:
    """For each comparison that divides: whether it divides by zero."""
    comparisons = [item for item in subformulas(root) if isinstance(item, Compare) and divides(item)]
    sides = [side for item in comparisons for side in (item.left, item.right)]
    return [_fails(compiled(side, places)) for side in sides]


def _fails(evaluate: Evaluator) -> Evaluator:
    def call(state: State, joint: JointAction) -> bool:
        try:
            evaluate(state, joint)
        except ZeroDivisionError:
            return True
        return False

    return call


def _comparison(item: Compare, operate: Callable[[Any, Any], bool], a: Evaluator, b: Evaluator) -> Evaluator:
    if not divides(item):
        return _binary(operate, a, b)

    def call(state: State, joint: JointAction) -> bool:
        try:
            return operate(a(state, joint), b(state, joint))
        except ZeroDivisionError:
            return False

    return call
