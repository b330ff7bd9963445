"""Assignments that satisfy a condition, by splitting on one unknown at a time.

Used for the initial states and by the lints. Conjuncts `x = value` are taken over at once, so the
usual InitStates needs no search at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import neg, not_
from typing import Any, TypeAlias

from knower.errors import LimitReached
from knower.limits import Budget
from knower.logic.fold import rewrite, subformulas
from knower.logic.node import Node, children_of
from knower.reasons import TooLarge
from knower.system.domains import Value
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
    Condition,
    Conj,
    Disj,
    IfElse,
    Iff,
    Literal,
    Minus,
    Negation,
    NoValue,
    Truth,
    TruthOf,
    Undefined,
    Var,
    conjunction,
)  # fmt: skip

#: A variable or an agent's action: what an assignment gives a value to.
Unknown: TypeAlias = Var | ActionOf
Assignment: TypeAlias = Mapping[Unknown, Value]


#: How many steps of search a run may spend for each state it may have.
_STEPS_PER_STATE = 10
#: A domain with more values than this is not enumerated where a disjunction can be split instead.
_MANY = 1000


_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def solutions(
    condition: Condition,
    values: Callable[[Unknown], Sequence[Value]],
    budget: Budget | None = None,
    most_steps: int | None = None,
) -> Iterator[Assignment]:
    """Assignments that make the condition true whatever the unknowns they leave out are.

    Every satisfying assignment extends exactly one of them. `most_steps`: then the search gives up.
    """
    budget = budget or Budget()
    if most_steps is None and budget.states is not None:
        most_steps = _STEPS_PER_STATE * budget.states
    steps = 0
    stack: list[Iterator[tuple[Condition, dict[Unknown, Value]]]]
    stack = [iter([(substitute(condition, {}), {})])]
    while stack:
        budget.tick()
        steps += 1
        if most_steps is not None and steps > most_steps:
            raise LimitReached(TooLarge("InitStates takes too long to solve"))
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            continue
        rest, chosen = step
        forced = _forced(rest)
        while forced and isinstance(rest, Condition) and not isinstance(rest, Truth):
            if not all(_possible(value, values(unknown)) for unknown, value in forced.items()):
                rest = Truth(False)
                break
            chosen = {**chosen, **forced}
            rest = substitute(rest, forced)
            forced = _forced(rest)
        if isinstance(rest, Truth):
            if rest.value:
                yield chosen
            continue
        stack.append(_branches(rest, chosen, values))


def combinations(pools: Sequence[Sequence[Value]]) -> Iterator[tuple[Value, ...]]:
    """`itertools.product`, but one at a time: a pool may be a range of any length."""
    if not pools:
        yield ()
        return
    iterators = [iter(pools[0])]
    chosen: list[Value] = []
    while iterators:
        value = next(iterators[-1], None)
        if value is None:
            iterators.pop()
            del chosen[-1:]
        elif len(iterators) < len(pools):
            chosen.append(value)
            iterators.append(iter(pools[len(iterators)]))
        else:
            yield (*chosen, value)


def _possible(value: Value, domain: Sequence[Value]) -> bool:
    """Whether a value is in a domain; a range would look for a fraction one by one."""
    return not isinstance(value, Fraction) and value in domain


def _branches(
    rest: Condition, chosen: dict[Unknown, Value], values: Callable[[Unknown], Sequence[Value]]
) -> Iterator[tuple[Condition, dict[Unknown, Value]]]:
    """Cases that exclude each other and leave nothing out: by the values of one unknown, or, where
    those are very many, by the sides of a disjunction."""
    unknown = next(item for item in subformulas(rest) if isinstance(item, Var | ActionOf))
    pool = _bounded(values(unknown), unknown, rest)
    if _is_long(pool) and (split := _disjunct(rest)) is not None:
        one, others = split
        yield substitute(Conj(one.left, others), {}), chosen
        yield substitute(Conj(Conj(Negation(one.left), one.right), others), {}), chosen
        return
    for value in pool:
        yield substitute(rest, {unknown: value}), {**chosen, unknown: value}


def _is_long(pool: Sequence[Value]) -> bool:
    # `len` refuses ranges that do not fit a machine word.
    return (pool.stop - pool.start if isinstance(pool, range) else len(pool)) > _MANY


def _bounded(pool: Sequence[Value], unknown: Unknown, condition: Condition) -> Sequence[Value]:
    """The part of a range that conjuncts `x < number` and the like leave."""
    if not isinstance(pool, range):
        return pool
    low, high = pool.start, pool.stop - 1
    for item in _conjuncts(condition):
        match item:
            case Compare("<" | "<=" as operator, left, Literal(int(bound))) if left == unknown:
                high = min(high, bound - (operator == "<"))
            case Compare(">" | ">=" as operator, left, Literal(int(bound))) if left == unknown:
                low = max(low, bound + (operator == ">"))
            case _:
                pass
    return range(low, high + 1)


def _disjunct(condition: Condition) -> tuple[Disj, Condition] | None:
    """A conjunct that is a disjunction, and the rest of the condition."""
    parts = _conjuncts(condition)
    one = next((part for part in parts if isinstance(part, Disj)), None)
    return None if one is None else (one, conjunction([part for part in parts if part is not one]))


def _conjuncts(condition: Condition) -> list[Condition]:
    found: list[Condition] = []
    todo = [condition]
    while todo:
        item = todo.pop()
        if isinstance(item, Conj):
            todo += [item.right, item.left]
        else:
            found.append(item)
    return found


def _forced(condition: Condition) -> dict[Unknown, Value]:
    """The values that conjuncts `x = value` leave no choice about."""
    found: dict[Unknown, Value] = {}
    for item in _conjuncts(condition):
        match item:
            case Compare("=", Var() | ActionOf() as unknown, Literal(value)):
                found.setdefault(unknown, value)
            case Compare("=", Literal(value), Var() | ActionOf() as unknown):
                found.setdefault(unknown, value)
            case _:
                pass
    return found


def substitute(condition: Condition, chosen: Assignment) -> Condition:
    """The condition with values put in and constants folded."""

    def rule(item: Node) -> Node:
        if isinstance(item, Var | ActionOf):
            return Literal(chosen[item]) if item in chosen else item
        return _folded(item)

    return rewrite(condition, rule)


def _folded(item: Node) -> Node:
    """A node whose operands are folded already."""
    match item:
        case Compare(operator, left, right):
            return _folded_comparison(item, operator, left, right)
        case Negation() | Conj() | Disj() | Iff():
            return _folded_connective(item)
        case IfElse(Truth(value), then, otherwise):
            return then if value else otherwise
        case TruthOf(Truth(value)):
            return Literal(value)
        case Minus() | Abs() | Arithmetic() | BitNot() | Bits():
            return _folded_operation(item)
        case _:
            return item


def _folded_connective(item: Negation | Conj | Disj | Iff) -> Node:
    match item:
        case Negation(Truth(value)):
            return Truth(not value)
        case Negation(Compare(operator, Var() as left, Literal() as right)):
            return Compare(_OPPOSITE[operator], left, right)
        case Conj(Truth(value), other) | Conj(other, Truth(value)):
            return other if value else Truth(False)
        case Disj(Truth(value), other) | Disj(other, Truth(value)):
            return Truth(True) if value else other
        case Iff(Truth(value), other) | Iff(other, Truth(value)):
            return other if value else _folded(Negation(other))
        case _:
            return item


def _folded_operation(item: Minus | Abs | Arithmetic | BitNot | Bits) -> Node:
    operands = children_of(item)
    if any(isinstance(operand, Undefined) for operand in operands):
        return Undefined()
    values = [operand.value for operand in operands if isinstance(operand, Literal)]
    if len(values) < len(operands):
        return item
    try:
        return Literal(_whole(_operation(item)(*values)))
    except NoValue:
        return Undefined()


def _operation(item: Minus | Abs | Arithmetic | BitNot | Bits) -> Callable[..., Any]:
    match item:
        case Minus():
            return neg
        case Abs():
            return abs
        case BitNot():
            return not_
        case Arithmetic(operator):
            return ARITHMETIC[operator]
        case Bits(operator):
            return BIT_OPERATORS[operator]


def _whole(value: Any) -> Any:
    """A whole number as an integer."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def _folded_comparison(item: Node, operator: str, left: Node, right: Node) -> Node:
    if isinstance(left, Undefined) or isinstance(right, Undefined):
        return Truth(False)
    if isinstance(left, Literal) and isinstance(right, Literal):
        return Truth(COMPARISONS[operator](left.value, right.value))
    return item
