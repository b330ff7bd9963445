"""SAT solvers of the library PySAT, behind one small class; which of them do what is needed is tried out.

Some solvers ignore assumptions, some have no cores, some no limit: what is used here passes `is_fit` first.
A question is asked in slices of conflicts, so that somebody can look at limits in between; a slice costs
some 10 µs, a thread for each question took 1.2 ms.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, TypeAlias

#: A literal as in DIMACS: the number of a variable, negative where it is negated.
Lit: TypeAlias = int

#: Conflicts of the first slice, of the longest, and the seconds a slice should take at most.
_FIRST, _LONGEST, _SECONDS = 2_000, 50_000, 0.3


def is_installed() -> bool:
    """Whether the library is here."""
    return find_spec("pysat") is not None


class NoSolver(Exception):
    """The library is not here, or what it offers under a name does not do what is needed."""


class Solver:
    """Clauses, and questions about them under assumptions. `pause` is called between two slices."""

    def __init__(self, name: str, pause: Callable[[], None] = lambda: None) -> None:
        self.name = name
        self._pause = pause
        self._slice = _FIRST
        self._solver = _made(name)

    def add(self, clauses: Iterable[Sequence[Lit]]) -> None:
        """Many at once: a call for each would take as long as what it does."""
        self._solver.append_formula(clauses)

    def prefer(self, literals: Sequence[Lit]) -> None:
        """These are tried first where nothing speaks against them; some solvers cannot be told."""
        self._solver.set_phases(list(literals))

    def solve(self, assumptions: Sequence[Lit], conflicts: int | None = None) -> bool | None:
        """Whether all clauses can be true under the assumptions; None: not found out in so many conflicts."""
        left = conflicts
        while True:
            size = self._slice if left is None else min(self._slice, left)
            found = self._asked(assumptions, size)
            if found is not None:
                return found
            if left is not None:
                left -= size
                if left <= 0:
                    return None
            self._pause()

    def _asked(self, assumptions: Sequence[Lit], conflicts: int) -> bool | None:
        began = time.monotonic()
        self._solver.conf_budget(conflicts)
        found: bool | None = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
        if found is None:
            took = time.monotonic() - began
            self._slice = max(100, self._slice // 2) if took > _SECONDS else min(_LONGEST, 2 * self._slice)
        return found

    def model(self) -> Sequence[Lit]:
        """The assignment found last: a literal for each variable, in their order."""
        found: Sequence[Lit] = self._solver.get_model()
        return found

    def core(self) -> Sequence[Lit]:
        """Assumptions that cannot be true together, where the last answer was no."""
        return self._solver.get_core() or ()

    def close(self) -> None:
        """Gives the memory back; nothing is asked any more."""
        self._solver.delete()


def _made(name: str) -> Any:
    try:
        from pysat import solvers  # type: ignore[import-untyped]
    except ImportError:
        raise NoSolver("PySAT is not installed") from None
    try:
        return solvers.Solver(name)
    except (solvers.NoSuchSolverError, NotImplementedError, ImportError) as reason:
        raise NoSolver(f"PySAT has no solver {name} here") from reason


def fit(names: Iterable[str]) -> tuple[str, ...]:
    """Those that do what is needed."""
    return tuple(filter(is_fit, names))


@cache
def is_fit(name: str) -> bool:
    """Whether a solver heeds assumptions, gives cores and stops at a limit: it is asked, once."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return _heeds_assumptions(name) and _stops(name)
    except (NoSolver, NotImplementedError):
        return False


def _heeds_assumptions(name: str) -> bool:
    """Small questions with known answers, one of them a unit clause against its assumption."""
    solver = Solver(name)
    try:
        solver.add([(1, 2), (-2, 3), (5,)])
        answers = [solver.solve(each) for each in ([-1], [-1, -3, 4], [-5], [])]
        solver.solve([4, -1, -3])
        return answers == [True, False, False, True] and set(solver.core()) == {-1, -3}
    finally:
        solver.close()


def _stops(name: str) -> bool:
    """Nine pigeons in eight holes take more than a few conflicts."""
    solver, holes = Solver(name), 8
    try:
        solver.add(_pigeons(holes))
        return solver.solve([], 20) is None and solver.solve([-1], 20) is None
    finally:
        solver.close()


def _pigeons(holes: int) -> Iterable[Sequence[Lit]]:
    for pigeon in range(holes + 1):
        yield tuple(pigeon * holes + hole + 1 for hole in range(holes))
    for hole in range(1, holes + 1):
        for one in range(holes + 1):
            for other in range(one):
                yield (-(one * holes + hole), -(other * holes + hole))
