"""Which of some refuted sets of choices leave nothing to choose: cores of a SAT solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from knower.functions.solvers import Solver

#: One that finds the next proposal near the last.
SOLVER = "minisat22"


class Cover:
    """One choice of each group is made, and not all of any refuted set; choices are numbers from 1."""

    def __init__(
        self, groups: Iterable[Sequence[int]], refuted: Iterable[Iterable[int]], pause: Callable[[], None]
    ) -> None:
        """`pause` is called now and then while something is looked for."""
        groups = list(groups)
        self._top = max((max(group, default=0) for group in groups), default=0) + 1
        self._solver = Solver(SOLVER, pause)
        self._solver.add(groups)
        self._solver.add(
            [-self._of(place), *(-choice for choice in choices)] for place, choices in enumerate(refuted)
        )

    def core(self, places: Iterable[int]) -> list[int] | None:
        """The places among these of sets that leave nothing to choose; None where something is left."""
        if self._solver.solve(list(map(self._of, places))):
            return None
        return sorted(literal - self._top for literal in self._solver.core())

    def _of(self, place: int) -> int:
        """The literal by which a refuted set is assumed."""
        return self._top + place

    def close(self) -> None:
        self._solver.close()


@contextmanager
def covering(
    groups: Iterable[Sequence[int]], refuted: Iterable[Iterable[int]], pause: Callable[[], None]
) -> Iterator[Cover]:
    """A cover, as long as it is asked."""
    cover = Cover(groups, refuted, pause)
    try:
        yield cover
    finally:
        cover.close()
