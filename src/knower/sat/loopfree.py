"""When no longer paths can matter: loop-free paths, and induction along them.

A shortest path to anything is loop-free. Where there is no loop-free path of more than `k` steps, what
paths of `k` steps do not show cannot be shown by a longer one. That states differ is demanded only of those
that were found equal: most paths do not return by themselves (a counter of 1,000: no clause instead of
2 million).
"""

from __future__ import annotations

from knower.logic.formula import Formula, Not
from knower.logic.rewrite import negation_normal_form
from knower.sat.frames import Frames, Stamps
from knower.sat.paths import Path
from knower.sat.solver import Clauses, Lit

#: Questions that take more conflicts are not worth it: the search goes on without an answer.
_CONFLICTS = 20_000
#: How often a path that returns to a state may be found before the search for another is given up.
_ATTEMPTS = 1_000


class LoopFree:
    """Paths of different states, in a solver of their own."""

    def __init__(self, stamps: Stamps, clauses: Clauses, *, loops: bool) -> None:
        self.clauses = clauses
        self.frames = Frames(stamps, self.clauses, loops=loops)
        self._path = Path(self.frames)
        self._given_up: set[str] = set()
        self.clauses.add((self.frames.valid(self._path.at(0)),))

    def longest_from_start(self, steps: int) -> bool:
        """Whether no loop-free path from an initial state has more steps."""
        return self._never("start", steps, [self.frames.initial(self._path.at(0))])

    def longest(self, steps: int) -> bool:
        """Whether no loop-free path at all has more steps."""
        return self._never("anywhere", steps, [])

    def induces(self, invariant: Formula, steps: int) -> bool:
        """Whether a loop-free path along which the formula holds for so many steps cannot leave it."""
        broken = negation_normal_form(Not(invariant))
        held = [self.frames.satisfies(invariant, self._path.at(k)) for k in range(steps + 1)]
        return self._never(
            "induction", steps, [*held, self.frames.satisfies(broken, self._path.at(steps + 1))]
        )

    def keeps_from_deadlocks(self, steps: int) -> bool:
        """Whether no loop-free path of more steps ends in a deadlock."""
        return self._never("deadlock", steps, [self.frames.stuck(self._path.at(steps + 1))])

    def keeps_from_overflows(self, steps: int) -> bool:
        """Whether no loop-free path of more steps ends where something overflows."""
        return self._never("overflow", steps, [self.frames.faulty(self._path.at(steps + 1))])

    def _never(self, question: str, steps: int, assumptions: list[Lit]) -> bool:
        """Whether there is no loop-free path of one more step; no, if that takes too long to find out."""
        if question in self._given_up:
            return False
        found = self._loop_free(steps + 1, assumptions)
        if found is None:
            self._given_up.add(question)
        return found is False

    def _loop_free(self, steps: int, assumptions: list[Lit]) -> bool | None:
        """Whether there is such a path: where one has the same state twice, the two are told apart."""
        asked = [self._path.reaches(steps), *assumptions]
        for _ in range(_ATTEMPTS):
            found = self.clauses.solve(asked, _CONFLICTS)
            twins = self._twins(steps) if found else []
            if not twins:
                return found
            self.clauses.add_all([self._told_apart(*pair) for pair in twins])
        return None

    def _twins(self, steps: int) -> list[tuple[int, int]]:
        """Places of the path that was found which are the same state."""
        first: dict[object, int] = {}
        states = [self.frames.bits(self._path.at(place)) for place in range(steps + 1)]
        pairs = [(first.setdefault(state, place), place) for place, state in enumerate(states)]
        return [pair for pair in pairs if pair[0] != pair[1]]

    def _told_apart(self, one: int, later: int) -> tuple[Lit, Lit]:
        """That two places differ if the path comes so far; of a shorter one it says nothing."""
        path = self._path
        return -path.reaches(later), self.frames.differ(path.at(one), path.at(later))
