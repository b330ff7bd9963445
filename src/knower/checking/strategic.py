"""What a coalition can enforce: the readings of SEMANTICS section 2 that look at one model."""

from __future__ import annotations

from typing import Generic

from knower.checking.arena import Arena, Goal, Members
from knower.checking.knowledge import Knowledge
from knower.checking.temporal import Paths
from knower.checking.uniform import Uniform
from knower.functions.protocol import F
from knower.options import AtlReading


class Strategies(Generic[F]):
    """The strategic operators under one reading."""

    def __init__(self, paths: Paths[F], knowledge: Knowledge[F], atl: AtlReading) -> None:
        self.paths = paths
        self.knowledge = knowledge
        self.atl = atl
        self._arenas: dict[Members, Arena[F]] = {}
        self._fair_outcomes: dict[Members, F] = {}

    def arena(self, members: Members) -> Arena[F]:
        if members not in self._arenas:
            self._arenas[members] = Arena(self.paths, members)
        return self._arenas[members]

    def enforce(self, members: Members, goal: Goal[F]) -> F:
        """Where the coalition can bring about the goal."""
        match self.atl:
            case AtlReading.OBJECTIVE | AtlReading.UNIFORM_MODELS:
                return self.arena(members).attracted(goal)
            case AtlReading.OBJECTIVE_FAIR:
                return self._fairly(members, goal)
            case AtlReading.UNIFORM:
                return Uniform(self.paths, self.knowledge, members, goal).won()

    def enter(self, members: Members, states: F) -> F:
        """Where it can choose that the next state lies in a set."""
        match self.atl:
            case AtlReading.OBJECTIVE | AtlReading.UNIFORM_MODELS:
                return self.arena(members).force(states)
            case AtlReading.OBJECTIVE_FAIR:
                arena = self.arena(members)
                return arena.universe & ~arena.resist(self.fair_outcomes(members) & ~states)
            case AtlReading.UNIFORM:
                goal = Goal(self.paths.model.space.false, states)
                return Uniform(self.paths, self.knowledge, members, goal, next_only=True).won()

    # -- objective-fair -----------------------------------------------------------------------------------

    def is_vacuous(self, members: Members) -> bool:
        """Whether the coalition can prevent every fair outcome from some state."""
        if self.atl is not AtlReading.OBJECTIVE_FAIR:
            return False
        return self.fair_outcomes(members) != self.paths.universe

    def fair_outcomes(self, members: Members) -> F:
        """Where Γ cannot prevent every fair outcome."""
        if members not in self._fair_outcomes:
            nothing = self.paths.model.space.false
            self._fair_outcomes[members] = self._spoil(members, self.paths.universe, nothing)
        return self._fair_outcomes[members]

    def _fairly(self, members: Members, goal: Goal[F]) -> F:
        """Γ has a strategy all of whose fair outcomes satisfy the goal: the others cannot spoil it.

        They spoil it by leaving `hold` outside `end` where a fair outcome can be had, or (unless
        the goal is weak) by staying in `hold` fairly for ever.
        """
        arena = self.arena(members)
        broken = self.fair_outcomes(members) & ~goal.hold & ~goal.end
        stay = goal.hold & ~goal.end
        if not goal.weak:
            return arena.universe & ~self._spoil(members, stay, broken)
        spoilt, before = broken, None
        while spoilt != before:
            before = spoilt
            spoilt = broken | (stay & arena.resist(spoilt))
        return arena.universe & ~spoilt

    def _spoil(self, members: Members, stay: F, win: F) -> F:
        """Where the others can bring about an infinite fair outcome inside `stay`, or reach `win`.

        The greatest Z such that from Z they can, for each constraint c, force `win` or
        (inside `stay`) a state of c from which they can force Z again.
        """
        arena = self.arena(members)
        now, before = stay | win, None
        while now != before:
            before = now
            for constraint in self.paths.fairness or (arena.universe,):
                again = win | (stay & constraint & arena.resist(before))
                reach, last = again, None
                while reach != last:
                    last = reach
                    reach = again | (stay & arena.resist(reach))
                now = now & reach
        return now
