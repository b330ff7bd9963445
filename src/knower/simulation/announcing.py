"""Possible worlds and what is announced in them: worlds where it is false are gone for everybody.

The worlds are a complete set of states (with Fairness: the fair ones). What is announced and asked speaks of
no time and no strategies: after an announcement there are no steps any more, only worlds.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from knower.errors import UsageError
from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula
from knower.system.explicit import Explicit
from knower.system.expressions import State
from knower.system.system import InterpretedSystem

#: Worlds by their places in the list they came in.
Places = frozenset[int]


class Worlds:
    """Some worlds, and who cannot tell which of them apart. Never changes: an announcement gives others."""

    def __init__(self, explicit: Explicit, states: Sequence[State], left: Places | None = None) -> None:
        self.explicit = explicit
        self.states = states
        self.left = frozenset(range(len(states))) if left is None else left

    def announced(self, formula: Formula) -> Worlds:
        """The worlds where a formula holds."""
        return Worlds(self.explicit, self.states, self.where(formula))

    def where(self, formula: Formula) -> Places:
        """The worlds where a formula without temporal or strategic operators holds."""
        return fold(formula, self._meaning)

    def _meaning(self, item: Formula, below: tuple[Places, ...]) -> Places:
        match item:
            case f.Atom(name):
                return self._those(lambda state: self.explicit.holds(name, state))
            case f.Constant(value):
                return self.left if value else frozenset()
            case f.Red(agent) | f.Green(agent):
                wanted = isinstance(item, f.Red)
                return self._those(lambda state: self.explicit.is_red(agent, state) is wanted)
            case f.Not():
                return self.left - below[0]
            case f.And():
                return frozenset.intersection(*below)
            case f.Or():
                return frozenset.union(*below)
            case f.Implies():
                return (self.left - below[0]) | below[1]
            case f.O(agent):
                return self.left if self._green(agent) <= below[0] else frozenset()
            case f.P(agent):
                return self.left if self._green(agent) & below[0] else frozenset()
            case f.K() | f.GK() | f.GCK() | f.DK():
                return self._known(item, below[0])
            case f.M() | f.MGK() | f.MGCK() | f.MDK():
                return self.left - self._known(item, self.left - below[0])
            case _:
                raise UsageError(
                    "E643",
                    "an announcement says nothing of time or strategies",
                    "use propositions and K, GK, …",
                )

    def _those(self, holds: object) -> Places:
        assert callable(holds)
        return frozenset(place for place in self.left if holds(self.states[place]))

    def _green(self, agent: str) -> Places:
        return self._those(lambda state: not self.explicit.is_red(agent, state))

    # -- knowledge --

    def _known(self, item: f.Epistemic, fact: Places) -> Places:
        """Where it is known, by the operator or its dual."""
        match item:
            case f.K(agent) | f.M(agent):
                return self._distributed((agent,), fact)
            case f.DK(group) | f.MDK(group):
                return self._distributed(self._members(group), fact)
            case f.GK(group) | f.MGK(group):
                each = [self._distributed((agent,), fact) for agent in self._members(group)]
                return frozenset.intersection(*each)
            case f.GCK(group) | f.MGCK(group):
                return self._common(self._members(group), fact)

    def _members(self, group: f.Group | str) -> tuple[str, ...]:
        system: InterpretedSystem = self.explicit.system
        return system.members(group) if isinstance(group, str) else f.members_of(group)

    def classes(self, members: tuple[str, ...]) -> list[Places]:
        """The worlds by what the members see together."""
        alike: dict[Hashable, set[int]] = {}
        for place in self.left:
            seen = tuple(self.explicit.sees(agent, self.states[place]) for agent in members)
            alike.setdefault(seen, set()).add(place)
        return [frozenset(each) for each in alike.values()]

    def _distributed(self, members: tuple[str, ...], fact: Places) -> Places:
        known = [each for each in self.classes(members) if each <= fact]
        return frozenset().union(*known)

    def _common(self, members: tuple[str, ...], fact: Places) -> Places:
        """Taken away as long as somebody confuses what is left with what is not."""
        left = fact
        while True:
            fewer = frozenset.intersection(*(self._distributed((agent,), left) for agent in members))
            if fewer == left:
                return left
            left = fewer
