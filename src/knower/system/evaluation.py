"""The value of expressions and conditions in a state, by functions that are made of them once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from typing import Any, TypeAlias

from knower.logic.fold import fold_more
from knower.logic.node import Node
from knower.system.expressions import (
    ARITHMETIC,
    BIT_OPERATORS,
    COMPARISONS,
    Abs,
    ActionOf,
    Arithmetic,
    BitNot,
    Bits,
    Compare,
    Conj,
    Disj,
    IfElse,
    Iff,
    JointAction,
    Literal,
    Minus,
    Negation,
    NoValue,
    Places,
    State,
    Truth,
    TruthOf,
    Undefined,
    Var,
    chained,
    is_partial,
)  # fmt: skip

Evaluator: TypeAlias = Callable[[State, JointAction], Any]
#: What has no value in a state, in words, if something has none.
Fault: TypeAlias = Callable[[State, JointAction], str | None]
#: Is told what has no value.
_Note: TypeAlias = Callable[[str], object]


def compiled(root: Node, places: Places, done: dict[int, Evaluator] | None = None) -> Evaluator:
    """A function from (state, joint action) to the value of an expression or condition.

    It raises `NoValue` for an expression that has none; a comparison catches it and is false.
    `done`: what was compiled before, by the `id` of nodes that are still there.
    """
    return _compiled(root, places, {} if done is None else done, None)


def fault_in(root: Node, places: Places) -> Fault:
    """Which comparison first has nothing to compare, when all is evaluated from left to right.

    `x != 0 and 4/x = 4` has no fault: where x is 0, it is false already.
    """
    notes: list[str] = []
    evaluate = _compiled(root, places, {}, notes.append)

    def call(state: State, joint: JointAction) -> str | None:
        notes.clear()
        with suppress(NoValue):  # of a whole value: that is an overflow of its line
            evaluate(state, joint)
        return notes[0] if notes else None

    return call


def _compiled(root: Node, places: Places, done: dict[int, Evaluator], note: _Note | None) -> Evaluator:
    def step(item: Node, below: tuple[Evaluator, ...]) -> Evaluator:
        match item:
            case Conj():
                return _all_of(below)
            case Disj():
                return _any_of(below)
            case IfElse():
                return _one_of(below)
            case Compare() if note is not None or not _is_plain(item):
                return _comparison(item, below, note)
            case _:
                return _closure(item, below, places)

    return fold_more(root, step, chained, done)


def _is_plain(item: Compare) -> bool:
    return isinstance(item.left, Var | ActionOf) and isinstance(item.right, Literal)


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


def _one_of(parts: tuple[Evaluator, ...]) -> Evaluator:
    """Of conditions and values by turns, the first value whose condition holds; else the last."""
    cases, otherwise = list(zip(parts[:-1:2], parts[1::2], strict=True)), parts[-1]

    def call(state: State, joint: JointAction) -> Any:
        for condition, value in cases:
            if condition(state, joint):
                return value(state, joint)
        return otherwise(state, joint)

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
        case Undefined():
            return _no_value
        case TruthOf():
            return below[0]
        case Minus() | Abs() | BitNot() | Negation():
            return _unary(item, below[0])
        case Arithmetic(operator):
            return _binary(ARITHMETIC[operator], *below) if len(below) == 2 else _chain(operator, below)
        case Bits(operator):
            return _binary(BIT_OPERATORS[operator], *below)
        case Iff():
            return _binary(COMPARISONS["="], *below)
        case Compare("=", Var(owner, name), Literal(value)):
            place = places.variable[owner, name]
            return lambda state, joint: state[place] == value
        case Compare("=", ActionOf(agent), Literal(value)):
            seat = places.agent[agent]
            return lambda state, joint: joint[seat] == value
        case Compare(operator):
            return _binary(COMPARISONS[operator], *below)
        case _:
            raise TypeError(f"not an expression: {item!r}")


def _no_value(state: State, joint: JointAction) -> Any:
    raise NoValue("an index outside its range")


def _unary(item: Minus | Abs | BitNot | Negation, a: Evaluator) -> Evaluator:
    match item:
        case Minus():
            return lambda state, joint: -a(state, joint)
        case Abs():
            return lambda state, joint: abs(a(state, joint))
        case BitNot() | Negation():
            return lambda state, joint: not a(state, joint)


def _binary(operate: Callable[[Any, Any], Any], a: Evaluator, b: Evaluator) -> Evaluator:
    return lambda state, joint: operate(a(state, joint), b(state, joint))


def _chain(operator: str, parts: tuple[Evaluator, ...]) -> Evaluator:
    operate = ARITHMETIC[operator]
    return lambda state, joint: reduce(operate, [part(state, joint) for part in parts])


def _comparison(item: Compare, sides: tuple[Evaluator, ...], note: _Note | None) -> Evaluator:
    operate, (a, b) = COMPARISONS[item.operator], sides
    if not is_partial(item):
        return _binary(operate, a, b)

    def call(state: State, joint: JointAction) -> bool:
        try:
            return operate(a(state, joint), b(state, joint))
        except NoValue as none:
            if note is not None:
                note(str(none))
            return False

    return call
