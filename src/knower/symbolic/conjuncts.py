"""Conjunctions of many conditions, in an order that keeps diagrams small.

Variables of the model enter from the bottom of the variable order up. With a variable enter all conditions
over it and variables that are already there; they are conjoined by themselves first, in the same way. For a
given value of its top variable a condition such as `x != y` says little about all others, so what enters is
small; and what is there is looked at once for each variable, not once for each condition.

Ten variables 0..9 that all differ have 8,263 nodes. So made, there are never more, in 0.05 s; condition by
condition, or from the top down, up to 97,948 in 0.2 to 0.9 s; as a balanced tree over 1,490,000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Generic, TypeAlias

from knower.functions.circuit import Circuits, Literal
from knower.functions.protocol import F, Space, Variable
from knower.symbolic.layout import Layout

#: A set of variables of the model, one bit each: the topmost of the order is the least significant.
Mask: TypeAlias = int
#: A conjunct, and what it is about.
Item: TypeAlias = tuple[Mask, F]

#: Masks are no wider: in a model with more variables, neighbours share a bit.
_WIDEST = 512
#: So many variables are told apart one below the other; what is left is conjoined in pairs. Nothing
#: we have seen needs half as many, and what is nested deeper would need a stack of its own.
_DEEPEST = 50
#: Where a conjunction has more nodes, codes that stand for no value are left out of it. Below that, doing so
#: costs more than it gains: most conditions fix values, and leave no such codes anyway.
_LARGE = 4_000


class _Large(Exception):
    """A conjunction has grown beyond `_LARGE`."""


def bands(layout: Layout, order: Sequence[Variable]) -> dict[Variable, Mask]:
    """The mask of each variable of a space: of the variable of the model, or the action, it is a bit of."""
    owner: dict[Variable, object] = {}
    for key, field in layout.fields.items():
        owner |= dict.fromkeys((*field.now, *field.after), key)
    for agent, bits in layout.action_bits.items():
        owner |= dict.fromkeys(bits, agent)
    places = {name: k for k, name in enumerate(dict.fromkeys(owner.get(v, v) for v in order))}
    width = max(1, -(-len(places) // _WIDEST))
    return {variable: 1 << places[owner.get(variable, variable)] // width for variable in order}


class Conjoiner(Generic[F]):
    """Conjunctions in a space. `peak`: the nodes of the largest one on the way to any of them, nearly."""

    def __init__(self, space: Space[F]) -> None:
        self.peak = 0
        self._space = space
        self._most: int | None = None
        self._held = 0

    def product(self, items: Iterable[Item[F]], most: int | None = None) -> F | None:
        """The conjunction; None if there are more than `most` nodes on the way to it."""
        self._most, self._held = most, self._space.nodes()
        try:
            return self._joined(list(items), 0)
        except _Large:
            return None

    def _joined(self, items: list[Item[F]], depth: int) -> F:
        """From the bottom up, what has the same variable on top by itself first.

        What all have in common tells nothing apart and is left out: each level splits what it is given.
        """
        if len(items) == 1:
            return items[0][1]
        common = _common(items)
        groups: dict[Mask, list[Item[F]]] = {}
        for mask, function in items:
            rest = mask & ~common
            groups.setdefault(rest & -rest, []).append((rest, function))
        if len(groups) == 1 or depth == _DEEPEST:
            return self._in_pairs([function for _, function in items])
        whole = self._space.true
        for top in sorted(groups, key=_from_below):
            whole = self._both(self._joined(groups[top], depth + 1), whole)
        return whole

    def _in_pairs(self, functions: list[F]) -> F:
        """As a balanced tree: of many conditions about the same, each is looked at a few times only."""
        while len(functions) > 1:
            pairs = [self._both(*functions[k : k + 2]) for k in range(0, len(functions) - 1, 2)]
            functions = pairs + functions[len(functions) & ~1 :]
        return functions[0] if functions else self._space.true

    def _both(self, one: F, other: F) -> F:
        found = one & other
        held = self._space.nodes()
        if abs(held - self._held) > _LARGE // 4:  # to count the nodes of each takes as long as to make them
            self._held = held
            self._noted(self._space.size(found))
        return found

    def _noted(self, nodes: int) -> None:
        self.peak = max(self.peak, nodes)
        if self._most is not None and nodes > self._most:
            raise _Large


def _common(items: Sequence[Item[F]]) -> Mask:
    common = items[0][0]
    for mask, _ in items:
        common &= mask
    return common


def _from_below(top: Mask) -> tuple[bool, int]:
    """The lowest variable first; before it what is about nothing but what all have in common."""
    return top != 0, -top


class Conjunctions(Generic[F]):
    """The conjunctions of circuits as functions; what a circuit is about is found out once.

    `inputs`: the mask of an input. `validity`: conditions that the bits of variables spell values, where some
    codes spell none. Nobody looks at a function there, so such codes may be left out.
    """

    def __init__(
        self,
        circuits: Circuits,
        joiner: Conjoiner[F],
        inputs: Callable[[int], Mask],
        validity: Iterable[Literal],
    ) -> None:
        self._circuits = circuits
        self._joiner = joiner
        self._inputs = inputs
        self._masks: dict[int, Mask] = {0: 0}
        self._validity = tuple(validity)

    def __call__(self, conjuncts: Sequence[Literal], function: Callable[[Literal], F]) -> F:
        found = self._joiner.product(self._items(conjuncts, function), _LARGE)
        if found is None:
            found = self._joiner.product(self._items(self._with_validity(conjuncts), function))
        assert found is not None, "there was no bound"
        return found

    def _items(self, conjuncts: Sequence[Literal], function: Callable[[Literal], F]) -> list[Item[F]]:
        masks = self._masks
        for place in [literal >> 1 for literal in conjuncts if literal >> 1 not in masks]:
            self._add_mask(place)
        return [(masks[literal >> 1], function(literal)) for literal in conjuncts]

    def _with_validity(self, conjuncts: Sequence[Literal]) -> list[Literal]:
        """The conjuncts, and that what they are about has values."""
        for literal in self._validity:
            self._add_mask(literal >> 1)
        about = reduce(or_, (self._masks[literal >> 1] for literal in conjuncts))
        valid = [literal for literal in self._validity if self._masks[literal >> 1] & about]
        return list(dict.fromkeys([*valid, *conjuncts]))

    def _add_mask(self, root: int) -> None:
        """Find out what a gate is about, and those below it."""
        masks, todo, below = self._masks, [root], self._circuits.below
        while todo:
            place = todo[-1]
            operands = below(place)
            missing = [operand for operand in operands if operand not in masks]
            if missing:
                todo += missing
                continue
            todo.pop()
            if operands:
                masks[place] = reduce(or_, (masks[operand] for operand in operands))
            else:
                masks[place] = self._inputs(self._circuits.gate(place)[1][0])
