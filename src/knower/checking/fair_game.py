"""Games whose outcomes count only if they are fair: won by full knowledge and any memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Generic

from knower.checking.arena import Arena
from knower.functions.protocol import F
from knower.logic.goal import Goal
from knower.records import dataclass


@dataclass(frozen=True)
class FairGame(Generic[F]):
    """A coalition's choices, of which all *fair* outcomes have to satisfy its goal."""

    arena: Arena[F]
    fairness: Sequence[F]

    @cached_property
    def outcomes(self) -> F:
        """Where the coalition cannot prevent every fair outcome."""
        return self._opponents_win(self.arena.universe, self.arena.space.false)

    def _entered(self, states: F) -> F:
        """Where it can choose that the next state, if anything fair follows, lies in a set."""
        return self.arena.universe & ~self.arena.opponents_pre(self.outcomes & ~states)

    def won(self, goal: Goal[F]) -> F:
        """Where it has a strategy all of whose fair outcomes satisfy the goal: the others cannot spoil it.

        They spoil it by leaving `hold` outside `end` where a fair outcome can be had, or (unless
        the goal is weak) by staying in `hold` fairly for ever.
        """
        if goal.soon:
            return self._entered(goal.end)
        broken = self.outcomes & ~goal.hold & ~goal.end
        stay = goal.hold & ~goal.end
        if not goal.weak:
            return self.arena.universe & ~self._opponents_win(stay, broken)
        return self.arena.universe & ~self.arena.opponents_reach(stay, broken)

    def _opponents_win(self, stay: F, win: F) -> F:
        """Where the others can bring about an infinite fair outcome inside `stay`, or reach `win`.

        The greatest Z such that from Z they can, for each constraint c, force `win` or
        (inside `stay`) a state of c from which they can force Z again. On the way they never leave Z: who
        can come to one constraint and go on from there can come to the others too.
        """
        arena = self.arena
        now, before = stay | win, None
        while now != before:
            before = now
            for constraint in self.fairness or (arena.universe,):
                inside = stay & now
                again = win & now | (inside & constraint & arena.opponents_pre(now))
                now = arena.opponents_reach(inside, again)
        return now
