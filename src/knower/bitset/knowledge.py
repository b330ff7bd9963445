"""What agents know, over the states `S` of a model: who cannot tell which of them apart."""

from __future__ import annotations

from collections.abc import Hashable
from functools import reduce
from operator import and_

from knower.bitset.bits import Bits, members
from knower.bitset.space import Members, NumberedStates


class Observations:
    """The states of `S`, by what agents see of them."""

    def __init__(self, space: NumberedStates, universe: Bits) -> None:
        self.space = space
        self.universe = universe
        self._classes: dict[Members, list[Bits]] = {}

    def classes(self, group: Members) -> list[Bits]:
        """The states that look alike to *all* members, set by set."""
        found = self._classes.get(group)
        if found is None:
            found = self._classes[group] = list(self._by_view(group).values())
        return found

    def _by_view(self, group: Members) -> dict[Hashable, Bits]:
        agents = [self.space.explicit.agents[self.space.explicit.seat[name]] for name in group]
        found: dict[Hashable, Bits] = {}
        for number in members(self.universe):
            state = self.space.states[number]
            view = tuple([agent.sees(state) for agent in agents])
            found[view] = found.get(view, 0) | 1 << number
        return found

    def alike(self, group: Members, states: Bits) -> Bits:
        """The states that all members confuse with one of these."""
        found = 0
        for each in self.classes(group):
            if each & states:
                found |= each
        return found

    def distributed(self, group: Members, fact: Bits) -> Bits:
        """`DK`, and `K` for a group of one: `fact` holds in every state that all confuse with this one."""
        return self.universe & ~self.alike(group, self.universe & ~fact)

    def everybody(self, group: Members, fact: Bits) -> Bits:
        """`GK`: each member knows."""
        return reduce(and_, [self.distributed((name,), fact) for name in group])

    def common(self, group: Members, fact: Bits) -> Bits:
        """`GCK`: `fact` holds wherever chains of confusion lead."""
        found, before = self.universe & ~fact, -1
        while found != before:
            before = found
            for name in group:
                found = self.alike((name,), found)
        return self.universe & ~found
