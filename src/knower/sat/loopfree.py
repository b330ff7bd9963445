"""When no longer paths can matter: loop-free paths, and induction along them.

A shortest path to anything is loop-free. Where there is no loop-free path of more than `k` steps, what
paths of `k` steps do not show cannot be shown by a longer one.
"""

from __future__ import annotations

from knower.logic.formula import Formula, Not
from knower.logic.rewrite import negation_normal_form
from knower.sat.frames import Frames, Stamps
from knower.sat.paths import Path
from knower.sat.solver import TRUE, Clauses, Lit

#: Questions that take more conflicts are not worth it: the search goes on without an answer.
_CONFLICTS = 20_000


class LoopFree:
    """Paths of different states, in a solver of their own."""

    def __init__(self, stamps: Stamps, clauses: Clauses, *, loops: bool) -> None:
        self.clauses = clauses
        self.frames = Frames(stamps, self.clauses, loops=loops)
        self._path = Path(self.frames)
        self._apart: list[Lit] = [TRUE]
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

    def _never(self, question: str, steps: int, assumptions: list[Lit]) -> bool:
        """Whether there is no loop-free path of one more step; no, if that takes too long to find out."""
        if question in self._given_up:
            return False
        path = [self._path.reaches(steps + 1), self._all_apart(steps + 1)]
        found = self.clauses.solve([*path, *assumptions], _CONFLICTS)
        if found is None:
            self._given_up.add(question)
        return found is False

    def _all_apart(self, steps: int) -> Lit:
        """The states up to so many steps are all different."""
        while len(self._apart) <= steps:
            place = len(self._apart)
            earlier = [self.frames.differ(self._path.at(k), self._path.at(place)) for k in range(place)]
            self._apart.append(self.clauses.all_of([self._apart[-1], *earlier]))
        return self._apart[steps]
