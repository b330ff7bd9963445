"""Choices that a SAT solver proposes, and what refutes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from knower.functions.covers import SOLVER, covering
from knower.functions.solvers import Solver

#: So often a core is looked for in the last one.
_CORES = 8


def contradicting(
    groups: Iterable[Sequence[int]], refuted: Sequence[Iterable[int]], pause: Callable[[], None]
) -> list[int]:
    """The places of refuted sets of choices that alone leave nothing to propose; all of them together do."""
    left = list(range(len(refuted)))
    with covering(groups, refuted, pause) as cover:
        for _ in range(_CORES):
            core = cover.core(left)
            assert core is not None, "they leave nothing to propose"
            if len(core) == len(left):
                break
            left = core
    return left


class Proposals:
    """Literals are choices; a proposal makes one of each group and not all of any refuted set."""

    def __init__(self, pause: Callable[[], None]) -> None:
        """`pause` is called now and then while a proposal is looked for."""
        self._solver = Solver(SOLVER, pause)
        self._literals = 0
        self.chosen: frozenset[int] = frozenset()

    def literal(self) -> int:
        self._literals += 1
        return self._literals

    def require(self, literals: Sequence[int], best: int) -> None:
        """One of these is chosen, the best if nothing speaks against it."""
        self._solver.add([literals])
        self._solver.prefer([literal if literal == best else -literal for literal in literals])

    def refute(self, choices: Iterable[int]) -> None:
        """Not all of these are chosen."""
        self._solver.add([[-choice for choice in choices]])

    def accepts(self) -> bool:
        """Whether some proposal is left; it is in `chosen` then."""
        if not self._solver.solve([]):
            return False
        self.chosen = frozenset(literal for literal in self._solver.model() if literal > 0)
        return True
