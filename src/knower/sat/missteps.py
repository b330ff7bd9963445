"""Deadlocks and overflows, looked for along paths from the start as far as questions have looked."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import chain, pairwise

from knower.errors import Unsupported
from knower.records import dataclass
from knower.sat.context import BmcContext
from knower.sat.frames import Frame, Frames
from knower.sat.paths import Path
from knower.sat.solver import Lit
from knower.verdict import trace
from knower.verdict.evidence import Joint, State
from knower.verdict.faults import Absence, Faults
from knower.verdict.warnings import Deadlock, Overflow

#: A misstep that takes more conflicts to find is not worth it: nobody has asked for it.
_CONFLICTS = 2_000


@dataclass
class _Fault:
    """What implies that something goes wrong at a frame; whether it can be, and is still sought."""

    at: Callable[[Frame], Lit]
    is_sought: bool
    is_excluded: bool = False


def _milestones(last: int) -> list[int]:
    """Numbers of steps at which it is asked whether longer paths matter."""
    return sorted({min(last, k) for k in (0, 1, 2, 4, 8, last)})


def _absence(fault: _Fault) -> Absence:
    return Absence.PROVED if fault.is_excluded else Absence.UNKNOWN


class Missteps:
    """What goes wrong in a system: at most one deadlock and one overflow, the nearest ones."""

    def __init__(self, context: BmcContext) -> None:
        self.context = context
        self.frames = Frames(context.stamps, context.clauses())
        self.deadlock: Deadlock | None = None
        self.overflow: Overflow | None = None
        self._path = Path(self.frames)
        self._patience: int | None = _CONFLICTS
        self._looked = -1

    @property
    def known(self) -> Faults:
        """What was found, and what was found to be impossible."""
        return Faults(self.deadlock or _absence(self._deadlocks), self.overflow or _absence(self._overflows))

    def look(self, steps: int, *, thoroughly: bool = False) -> None:
        """Looks at all states that so many steps lead to, as long as that is easy, or to the end."""
        self._patience = None if thoroughly else _CONFLICTS
        for place in range(self._looked + 1, steps + 1):
            if not (self._deadlocks.is_sought or self._overflows.is_sought):
                return
            if self._deadlocks.is_sought and self._is_reached(self._deadlocks, place):
                self.deadlock = Deadlock(self._named(place))
            if self._overflows.is_sought and self._is_reached(self._overflows, place):
                self.overflow = self._explained(place)
            self._looked = place

    def is_deadlock_free(self) -> bool:
        """Whether there is no deadlock, where none was found as far as was looked."""
        if self._deadlocks.is_excluded:
            return True
        return self._deadlocks.is_sought and self.context.loopfree.keeps_from_deadlocks(self._looked)

    def prove(self) -> None:
        """Exclude what was not found as far as was looked, if longer paths cannot lead there either."""
        loopfree = self.context.loopfree
        for fault, keeps in (
            (self._deadlocks, loopfree.keeps_from_deadlocks),
            (self._overflows, loopfree.keeps_from_overflows),
        ):
            if fault.is_sought and not fault.is_excluded:
                fault.is_excluded = any(keeps(steps) for steps in _milestones(self._looked))

    # -- in states that are reached ---------------------------------------------------------------------

    @cached_property
    def _deadlocks(self) -> _Fault:
        return self._fault(self.frames.stuck)

    @cached_property
    def _overflows(self) -> _Fault:
        return self._fault(self.frames.faulty)

    def _fault(self, at: Callable[[Frame], Lit]) -> _Fault:
        """Something to be sought, if it goes wrong in some valid state, reachable or not."""
        frame = self.frames.fresh()
        try:
            assumed = [self.frames.valid(frame), at(frame)]
        except Unsupported:
            return _Fault(at, is_sought=False)
        possible = self.frames.clauses.solve(assumed, _CONFLICTS)
        return _Fault(at, is_sought=possible is not False, is_excluded=possible is False)

    def _is_reached(self, fault: _Fault, steps: int) -> bool:
        """Whether so many steps lead there; it is sought on if they do not, and that is easily told."""
        start, end = self._path.at(0), self._path.at(steps)
        begins = [self.frames.initial(start), self._path.reaches(steps)]
        found = self.frames.clauses.solve([*begins, fault.at(end)], self._patience)
        fault.is_sought = found is False
        return bool(found)

    # -- in words ---------------------------------------------------------------------------------------

    def _explained(self, steps: int) -> Overflow:
        explicit, last = self.context.stamps.explicit, self.frames.state(self._path.at(steps))
        at_start = explicit.initial_faults(last) if steps == 0 else ()
        found = next(chain(at_start, explicit.faults(last)), None)
        if found is not None:
            return Overflow(str(found), self._named(steps))
        joint = self.frames.failing(self._path.at(steps))
        return Overflow(str(next(explicit.overflows(last, joint))), self._named(steps, joint))

    def _named(self, steps: int, *failing: Joint) -> trace.Path:
        explicit = self.context.stamps.explicit
        frames = [self._path.at(place) for place in range(steps + 1)]
        states: list[State] = [*map(self.frames.state, frames)]
        joints = [*(self.frames.joint(*pair) for pair in pairwise(frames)), *failing]
        return trace.Path(tuple(map(explicit.named_state, states)), tuple(map(explicit.named_action, joints)))
