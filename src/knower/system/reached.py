"""Where the conditions in formulas are looked at, when each formula is read from left to right.

In `AG (x <= 3 -> a[x] = 0)` the second condition is asked only where the first one holds: elsewhere its
index may be what it likes. An operator looks at other states: what stands before it guards nothing in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple, TypeAlias

from knower.logic import formula as f
from knower.logic.fold import fold_more
from knower.logic.formula import Formula
from knower.logic.node import Node, children_of
from knower.system.expressions import FALSE, TRUE, Condition, Truth, all_of, any_of, none_of

#: What a proposition or a colour is in states.
Meaning: TypeAlias = Callable[[f.Atom | f.Green | f.Red], Condition]


class _Bounds(NamedTuple):
    """A formula holds at most where the first does, and at least where the second does."""

    most: Condition
    least: Condition


def reached(formulas: Iterable[Formula], names: Collection[str], meaning: Meaning) -> dict[str, Condition]:
    """Where atoms of these names are looked at, without those that are everywhere."""
    roots = list(formulas)
    bounds: dict[int, _Bounds] = {}
    order: list[Node] = []  # operands come before what is made of them

    def step(item: Any, below: tuple[_Bounds, ...]) -> _Bounds:
        order.append(item)
        return _bounds(item, below, meaning)

    for root in roots:
        fold_more(root, step, children_of, bounds)
    guards: dict[int, Condition] = dict.fromkeys(map(id, roots), TRUE)
    for item in reversed(order):
        for child, guard in zip(children_of(item), _inside(item, guards[id(item)], bounds), strict=True):
            guards[id(child)] = any_of([guards.get(id(child), FALSE), guard])
    found: dict[str, list[Condition]] = {}
    for item in order:
        if isinstance(item, f.Atom) and item.name in names:
            found.setdefault(item.name, []).append(guards[id(item)])
    merged = {name: any_of(dict.fromkeys(each)) for name, each in found.items()}
    return {name: guard for name, guard in merged.items() if guard != TRUE}


def _inside(item: Any, guard: Condition, bounds: dict[int, _Bounds]) -> list[Condition]:
    """Where each operand is looked at, if the whole is under a guard."""
    match item:
        case f.Not():
            return [guard]
        case f.And(left) | f.Implies(left):
            return [guard, all_of([guard, bounds[id(left)].most])]
        case f.Or(left):
            return [guard, all_of([guard, none_of(bounds[id(left)].least)])]
        case _:
            return [TRUE] * len(children_of(item))


def _bounds(item: Any, below: tuple[_Bounds, ...], meaning: Meaning) -> _Bounds:
    """What is no connective may hold or not."""
    match item:
        case f.Constant(value):
            return _Bounds(Truth(value), Truth(value))
        case f.Atom() | f.Green() | f.Red():
            return _Bounds(meaning(item), meaning(item))
        case f.Not():
            return _opposite(below[0])
        case f.And():
            return _Bounds(all_of(each.most for each in below), all_of(each.least for each in below))
        case f.Or():
            return _either(*below)
        case f.Implies():
            return _either(_opposite(below[0]), below[1])
        case _:
            return _Bounds(TRUE, FALSE)


def _opposite(bounds: _Bounds) -> _Bounds:
    return _Bounds(none_of(bounds.least), none_of(bounds.most))


def _either(left: _Bounds, right: _Bounds) -> _Bounds:
    return _Bounds(any_of([left.most, right.most]), any_of([left.least, right.least]))
