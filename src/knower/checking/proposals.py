"""Choices that a SAT solver proposes, and what refutes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any

#: One that finds the next proposal near the last.
_SOLVER = "minisat22"
#: So often a core is looked for in the last one.
_CORES = 8


def is_available() -> bool:
    """Whether there is a solver."""
    return find_spec("pysat") is not None


def contradicting(groups: Iterable[Sequence[int]], refuted: Sequence[Iterable[int]]) -> list[int]:
    """The places of refuted sets of choices that alone leave nothing to propose; all of them together do."""
    from pysat.solvers import Solver  # type: ignore[import-untyped]

    groups = list(groups)
    top = max((max(group) for group in groups), default=0) + 1
    with Solver(_SOLVER, bootstrap_with=[list(group) for group in groups]) as solver:
        for place, choices in enumerate(refuted):
            solver.add_clause([-(top + place), *(-choice for choice in choices)])
        left = list(range(len(refuted)))
        for _ in range(_CORES):
            found = solver.solve(assumptions=[top + place for place in left])
            assert not found, "they leave nothing to propose"
            core = [literal - top for literal in solver.get_core() or ()]
            if len(core) == len(left):
                break
            left = sorted(core)
        return left


class Proposals:
    """Literals are choices; a proposal makes one of each group and not all of any refuted set."""

    def __init__(self) -> None:
        from pysat.solvers import Solver

        self._solver: Any = Solver(_SOLVER)
        self._literals = 0
        self.chosen: frozenset[int] = frozenset()

    def literal(self) -> int:
        self._literals += 1
        return self._literals

    def require(self, literals: Sequence[int], best: int) -> None:
        """One of these is chosen, the best if nothing speaks against it."""
        self._solver.add_clause(list(literals))
        self._solver.set_phases([literal if literal == best else -literal for literal in literals])

    def refute(self, choices: Iterable[int]) -> None:
        """Not all of these are chosen."""
        self._solver.add_clause([-choice for choice in choices])

    def accepts(self) -> bool:
        """Whether some proposal is left; it is in `chosen` then."""
        if not self._solver.solve():
            return False
        self.chosen = frozenset(literal for literal in self._solver.get_model() or () if literal > 0)
        return True
