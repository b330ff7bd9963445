"""Which states lead to which, by any number of steps at once: for deep fixpoints of small diagrams.

A counter of a million values has a relation of some dozen nodes, and a fixpoint over it takes a million
steps. Here the relation is squared until it is its own square, some twenty times. That may also grow
out of all proportion; so it is tried in a space of its own, with little room, and given up in time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import chain
from operator import and_, or_
from typing import Any, Generic

from knower.functions.copying import Copier
from knower.functions.protocol import F, NoRoom, Order, Space, TimeLimited, Variable
from knower.functions.registry import available, new_space
from knower.symbolic.partition import PartitionSpec
from knower.symbolic.relation import Relation

#: A fixpoint is deep after so many steps.
DEEP = 1_000
#: The nodes a relation may have to be squared; the room and the seconds there are for it.
_SMALL, _ROOM, _COLLECTIONS, _SECONDS = 3_000, 1 << 18, 4, 2.0


def by_squaring(relation: Relation[F], hold: F, ask: Callable[[Closure[F]], F]) -> F | None:
    """What the closure of the steps that begin in `hold` answers; None if it is too large to tell."""
    space = relation.space
    diagrams = [hold, *(cluster for partition in relation.partitions for cluster in partition.clusters)]
    if not available() or sum(map(space.size, diagrams)) > _SMALL:
        return None
    numbers = _Triples(space.order(), frozenset().union(*(spec.moved for spec in _specs(relation))))
    try:
        inner = _new_space(numbers.order)
        with inner.working():
            return ask(Closure(_TripleSpace(space, inner, numbers), relation, hold))
    except NoRoom:
        return None


class Closure(Generic[F]):
    """The reflexive and transitive closure of the steps from the states of a set."""

    def __init__(self, triple: _TripleSpace[F], relation: Relation[F], hold: F) -> None:
        self._triple = triple
        loops = triple.same & triple.enter(relation.looped)
        self._steps = triple.enter(hold) & reduce(or_, map(triple.step, _specs(relation)), loops)
        leads, before = self._steps | triple.same, None
        while leads != before:
            before, leads = leads, triple.composed(leads, leads)
        self._leads = leads

    def leading_to(self, goal: F) -> F:
        """The states from which steps (or none) lead to the goal."""
        triple = self._triple
        there = triple.space.rename(triple.enter(goal), triple.turn)
        return triple.leave(triple.space.and_exists(self._leads, there, triple.after))

    def reached_from(self, start: F) -> F:
        """The states to which steps (or none) lead from the start."""
        triple = self._triple
        there = triple.space.and_exists(self._leads, triple.enter(start), triple.now)
        return triple.leave(triple.space.rename(there, triple.turn))

    def cycles(self, constraints: Sequence[F]) -> F:
        """The states on cycles that meet every constraint."""
        triple, space = self._triple, self._triple.space
        comes_back = triple.composed(self._steps, self._leads)
        found = space.and_exists(comes_back, triple.same, triple.after)
        mutual = self._leads & space.rename(self._leads, triple.turn)
        for constraint in constraints:
            met = space.rename(triple.enter(constraint), triple.turn)
            found = found & space.and_exists(mutual, met, triple.after)
        return triple.leave(found)


def _specs(relation: Relation[F]) -> list[PartitionSpec[F]]:
    return [partition.spec for partition in relation.partitions]


def _new_space(order: Order) -> Space[Any]:
    """With little room, or little time."""
    space = new_space(available()[0], order, _ROOM, _COLLECTIONS)
    if isinstance(space, TimeLimited):
        space.limit(_SECONDS)
    return space


class _Triples:
    """Numbers for three variables for each that moves: now, after, and in the middle.

    `number`: of the variables there were before; `pairs` leads from now to after, `middle` to the middle.
    """

    def __init__(self, outer: Sequence[Variable], moved: frozenset[Variable]) -> None:
        self.moved = moved
        groups = [self._group(variable) for variable in outer]
        number = {name: k for k, name in enumerate(chain.from_iterable(groups))}
        self.order: Order = [[number[name] for name in group] for group in groups]
        self.number = {variable: k for (variable, middle), k in number.items() if not middle}
        self.pairs = {self.number[v]: self.number[v + 1] for v in moved}
        self.middle = {self.number[v]: number[v + 1, True] for v in moved}

    def _group(self, variable: Variable) -> list[tuple[Variable, bool]]:
        is_after = variable - 1 in self.moved
        return [(variable, False), (variable, True)] if is_after else [(variable, False)]


class _TripleSpace(Generic[F]):
    """A space with these variables, and the way there and back."""

    def __init__(self, outer: Space[F], space: Space[Any], triples: _Triples) -> None:
        self.space = space
        self.moved = triples.moved
        self._number = number = triples.number
        self.enter: Copier[F, Any] = Copier(outer, space, number)
        self.leave: Copier[Any, F] = Copier(space, outer, {k: v for v, k in number.items()})
        pairs, middle = triples.pairs, triples.middle
        self.turn = space.renaming(pairs)
        self.now, self.after = space.quantified(pairs), space.quantified(pairs.values())
        self._middle = space.quantified(middle.values())
        self._from_middle = space.renaming(middle)
        self._to_middle = space.renaming({pairs[now]: between for now, between in middle.items()})
        self.same = self._unchanged(self.moved)

    def _unchanged(self, variables: frozenset[Variable]) -> Any:
        space, number = self.space, self._number
        bits = [(space.var(number[v]), space.var(number[v + 1])) for v in sorted(variables, reverse=True)]
        return reduce(and_, (~space.xor(now, after) for now, after in bits), space.true)

    def step(self, spec: PartitionSpec[F]) -> Any:
        """The steps of a move: what it does not move stays."""
        parts = reduce(and_, map(self.enter, spec.clusters), self.space.true)
        actions = self.space.quantified(self._number[v] for v in spec.actions)
        return self.space.exists(parts, actions) & self._unchanged(self.moved - spec.moved)

    def composed(self, first: Any, second: Any) -> Any:
        """One step of each."""
        space = self.space
        there = space.rename(first, self._to_middle)
        onwards = space.rename(second, self._from_middle)
        return space.and_exists(there, onwards, self._middle)
