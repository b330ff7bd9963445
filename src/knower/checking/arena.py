"""A coalition's choices in a model: what it can force, what the others can."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_
from typing import Generic, TypeAlias

from knower.checking.temporal import Paths
from knower.functions.protocol import F
from knower.logic.goal import Goal
from knower.symbolic.partition import Partition

Members: TypeAlias = tuple[str, ...]


class Arena(Generic[F]):
    """The coalition's choices inside `S`. A `limit` (of state and actions) narrows them."""

    def __init__(self, paths: Paths[F], members: Members, limit: F | None = None) -> None:
        self.model = paths.model
        self.space = paths.model.space
        self.universe = paths.universe
        self.members = members
        self.limit = self.space.true if limit is None else limit
        bits = self.model.system.relations.coalition_bits(members)
        self.own = self.space.quantified(bits)
        self.looped = self.model.relation.looped
        self._layers: dict[Goal[F], list[F]] = {}

    @property
    def steps(self) -> Partition[F]:
        """The steps, with the actions of the members."""
        return self.model.system.coalition(self.members)

    def sure(self, states: F) -> F:
        """The choices (with the state) that lead into a set and nowhere else in `S`."""
        return self.limit & self._surely([self.steps], states)

    def force(self, states: F) -> F:
        """`pre(Γ, X)`: some choice of Γ leads into X and cannot lead into `S` outside X."""
        found = self.looped & states & self.universe
        if self.limit != self.space.true:
            return found | self.space.exists(self.sure(states), self.own)
        for choice in self.model.system.choices(self.members):
            found = found | self.space.exists(self._surely(choice, states), self.own)
        return found

    def _surely(self, choice: Sequence[Partition[F]], states: F) -> F:
        """Where some steps of a choice lead into a set, and none of them out of it."""
        self.model.step()
        inside, outside = states & self.universe, self.universe & ~states
        found = reduce(or_, (partition.pre(inside) for partition in choice)) & self.universe
        return reduce(and_, (~partition.pre(outside) for partition in choice), found)

    def opponents_pre(self, states: F) -> F:
        """States where whatever Γ chooses, the others can lead into X."""
        self.model.step()
        available = self._available() & self.limit
        escape = available & ~self.steps.pre(states & self.universe)
        some, safe = self.space.exists(available, self.own), self.space.exists(escape, self.own)
        return self.universe & (some & ~safe | self.looped & states)

    def _available(self) -> F:
        """What Γ may choose where everybody can choose something; with or without successor."""
        steps, layout = self.model.steps, self.model.layout
        others = self.space.quantified(
            bit for name in steps.players if name not in self.members for bit in layout.action_bits[name]
        )
        return self.space.exists(reduce(and_, self.model.system.relations.guards, self.space.true), others)

    def won(self, goal: Goal[F]) -> F:
        """The least (weak: greatest) Z with Z = end or (hold and pre(Γ, Z)); soon: pre(Γ, end)."""
        return self.force(goal.end) if goal.soon else self.layers(goal)[-1]

    def layers(self, goal: Goal[F]) -> list[F]:
        """What is won, round by round: growing, or shrinking if weak. Not for a goal of one step."""
        if goal not in self._layers:
            found = [goal.hold | goal.end if goal.weak else goal.end]
            while (more := goal.end | (goal.hold & self.force(found[-1]))) != found[-1]:
                found.append(more)
            self._layers[goal] = found
        return self._layers[goal]
