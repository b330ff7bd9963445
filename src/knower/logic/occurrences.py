"""Occurrences of formulas inside a formula, and whether they count for it or against it.

A formula is monotone in an occurrence that is positive: the more it holds, the more the whole does. In a
negative one it is antitone: under an odd number of negations, antecedents and programs of boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula, is_formula
from knower.logic.node import Node, children_of
from knower.records import dataclass

#: The way down from the root: which operand, at each operator.
Place: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A part of a formula, at a place and those of its copies: a formula, or on the way to one a program."""

    places: tuple[Place, ...]
    part: Node
    positive: bool = True

    @property
    def weakest(self) -> f.Constant:
        """What, in its place, makes the whole hold least."""
        return f.FALSE if self.positive else f.TRUE


class Parts:
    """The parts of a formula. `copies`: quantified formulas, each with what its body is for each value.

    The copies of a part in all these count as one.
    """

    def __init__(self, root: Formula, copies: Iterable[tuple[Formula, Sequence[Formula]]] = ()) -> None:
        self.root = root
        self._copies = {id(whole): each for whole, each in copies}

    def largest(self) -> list[Occurrence]:
        """The formulas right below the root."""
        return self.operands(Occurrence(((),), self.root))

    def operands(self, item: Occurrence) -> list[Occurrence]:
        """The formulas right below one; those of a program count as its own.

        The operands of an equivalence, and of `xor`, are none: they count both ways.
        """
        found: list[Occurrence] = []
        todo = list(reversed(self._below(item)))
        while todo:
            part = todo.pop()
            if is_formula(part.part):
                found.append(part)
            else:
                todo += reversed(self._below(part))
        return found

    def _below(self, item: Occurrence) -> list[Occurrence]:
        copies = self._copies.get(id(item.part))
        if copies is not None:
            ways = _ways_down(len(copies))
            return [self._occurrence(item, ways, copies[0], item.positive)]
        if _counts_both_ways(item.part):
            return []
        turned = 0 if isinstance(item.part, f.Not | f.Implies | f.Box) else None
        return [
            self._occurrence(item, [(k,)], child, item.positive != (k == turned))
            for k, child in enumerate(children_of(item.part))
        ]

    def _occurrence(self, above: Occurrence, ways: list[Place], part: Node, positive: bool) -> Occurrence:
        """A part below another one, without copies that are not like it: something was worked out there."""
        places = [(*place, *way) for place in above.places for way in ways]
        alike = [place for place in places if type(self._at(place)) is type(part)]
        return Occurrence(tuple(alike), part, positive)

    def _at(self, place: Place) -> Node | None:
        node: Node = self.root
        for k in place:
            below = children_of(node)
            if k >= len(below):
                return None
            node = below[k]
        return node

    def weakened(self, item: Occurrence) -> Formula:
        """The formula with what makes it hold least in the place of a part."""
        found = self.root
        for place in item.places:
            found = replaced(found, place, item.weakest)
        return found


def _ways_down(count: int) -> list[Place]:
    """To the operands of a chain that is made from the left."""
    return [(0,) * (count - 1), *((0,) * (count - 1 - k) + (1,) for k in range(1, count))]


def _counts_both_ways(item: Node) -> bool:
    """Whether it is `a <-> b` or `a xor b`, written out."""
    match item:
        case f.And(f.Implies(a, b), f.Implies(c, d)):
            return a == d and b == c
        case f.Or(f.And(a, f.Not(b)), f.And(f.Not(c), d)):
            return a == c and b == d
        case _:
            return False


def replaced(root: Formula, place: Place, part: Formula) -> Formula:
    """The formula with another part at a place."""
    way: list[Node] = [root]
    for k in place:
        way.append(children_of(way[-1])[k])
    found: Any = part
    for k, above in zip(reversed(place), reversed(way[:-1]), strict=True):
        operands = list(children_of(above))
        operands[k] = found
        found = above.with_children(tuple(operands))
    assert is_formula(found)
    return found


def rank(root: Formula, part: Node, place: Place) -> tuple[int, int]:
    """Which of the equal parts of a formula it is, from 1 and from left to right, and how many there are."""
    counts: dict[int, int] = {}

    def step(node: Node, below: tuple[int, ...]) -> int:
        counts[id(node)] = 1 if node == part else sum(below)
        return counts[id(node)]

    total = fold(root, step)
    number, node = 1, root
    for k in place:
        below = children_of(node)
        number += sum(counts[id(child)] for child in below[:k])
        node = below[k]  # type: ignore[assignment]
    return number, total
