"""Paths of frames, as long as they are asked to be, and the ways they close to a lasso.

A path is a resource: what a formula needs of it (that it goes on so far, that it closes, fairly) is a
literal asked for when needed, so that a path that is a single state for one formula can be a fair
cycle for another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from knower.records import dataclass
from knower.sat.frames import Frame, Frames
from knower.sat.solver import TRUE, Clauses, Lit

#: A fairness constraint of one path: given how long witnesses may be, what implies it at a frame.
Constraint: TypeAlias = Callable[[int], Callable[[Frame], Lit]]


@dataclass(frozen=True)
class Loop:
    """A path that returns from position `last`: `back[l]` implies that it returns to `l`.

    The state after the last is then that of position `l` once more. `closed` implies that it returns
    somewhere, and meets every fairness constraint from the first such place on.
    """

    closed: Lit
    last: int
    back: tuple[Lit, ...]

    def start(self, clauses: Clauses) -> int:
        """Where it returns to, in the assignment found."""
        return next(place for place, literal in enumerate(self.back) if clauses.holds(literal))


class Path:
    """A sequence of frames."""

    def __init__(self, frames: Frames, fairness: Sequence[Constraint] = ()) -> None:
        self.frames = frames
        self.fairness = fairness
        self._states: list[Frame] = [frames.fresh()]
        self._reached: list[Lit] = [TRUE]
        self._loops: dict[int, Loop] = {}

    def at(self, position: int) -> Frame:
        while len(self._states) <= position:
            self._states.append(self.frames.fresh())
        return self._states[position]

    def reaches(self, position: int) -> Lit:
        """Steps lead from the first state to this position."""
        while len(self._reached) <= position:
            last = len(self._reached)
            step = self.frames.step(self.at(last - 1), self.at(last))
            self._reached.append(self.frames.clauses.all_of([self._reached[-1], step]))
        return self._reached[position]

    def loop(self, last: int) -> Loop:
        """The path as a (fair) lasso that returns from this position."""
        if last not in self._loops:
            self._loops[last] = self._made(last)
        return self._loops[last]

    def _made(self, last: int) -> Loop:
        """Two places it returns to are the same state: that both are on the loop of the first is enough."""
        clauses = self.frames.clauses
        back, inside = clauses.several(last + 1), clauses.several(last + 1)
        for place, literal in enumerate(back):
            clauses.add((-literal, self.frames.same(self.at(last + 1), self.at(place))))
            clauses.add((-inside[place], literal, *inside[:place][-1:]))
        fair = [self._meets(constraint(last), inside) for constraint in self.fairness]
        closed = clauses.all_of([self.reaches(last + 1), clauses.any_of(back), *fair])
        return Loop(closed, last, back)

    def _meets(self, holds: Callable[[Frame], Lit], inside: Sequence[Lit]) -> Lit:
        """A constraint holds somewhere on the loop."""
        clauses = self.frames.clauses
        return clauses.any_of(
            clauses.all_of([within, holds(self.at(place))]) for place, within in enumerate(inside)
        )


class Paths:
    """Numbered paths, made when first asked for. `fairness` makes the constraints of each."""

    def __init__(self, frames: Frames, fairness: Sequence[Callable[[], Constraint]] = ()) -> None:
        self.frames = frames
        self.fairness = fairness
        self._made: dict[int, Path] = {}

    def __getitem__(self, number: int) -> Path:
        if number not in self._made:
            self._made[number] = Path(self.frames, [make() for make in self.fairness])
        return self._made[number]

    def __len__(self) -> int:
        return len(self._made)
