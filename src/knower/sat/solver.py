"""An incremental SAT solver within a budget, and the clauses given to it.

Literals are those of DIMACS: a variable's number, negative when it is negated. What is built here
only ever implies what it stands for (Plaisted and Greenbaum): an assignment that makes a literal of
`all_of` or `any_of` true makes what it was built from true; the converse need not hold.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from knower.errors import unsupported
from knower.limits import Budget

Lit: TypeAlias = int

#: One that can be interrupted at once: CaDiCaL cannot, and Glucose 4 takes seconds.
_SOLVER = "glucose3"
#: How often the limits are looked at while the solver works, in seconds.
_EVERY = 0.2
#: Clauses between two looks at the limits.
_CLAUSES = 20_000

#: The literal of a constant.
TRUE: Lit = 1
FALSE: Lit = -1


def new_solver() -> Any:
    """A solver of the library PySAT."""
    try:
        from pysat.solvers import Solver  # type: ignore[import-untyped]
    except ImportError:
        raise unsupported("PySAT is not installed") from None
    return Solver(_SOLVER)


class Clauses:
    """Clauses in a solver, with the numbers of what it was asked."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.variables = 1
        self.clauses = 0
        self.calls = 0
        self.model: Sequence[Lit] = ()
        self._solver = new_solver()
        self.add((TRUE,))

    def fresh(self) -> Lit:
        self.variables += 1
        return self.variables

    def several(self, count: int) -> tuple[Lit, ...]:
        first = self.variables + 1
        self.variables += count
        return tuple(range(first, first + count))

    def add(self, clause: Sequence[Lit]) -> None:
        self.add_all((clause,))

    def add_all(self, clauses: Sequence[Sequence[Lit]]) -> None:
        """Many at once: a call for each would take as long as what it does."""
        self._solver.append_formula(clauses)
        before, self.clauses = self.clauses, self.clauses + len(clauses)
        if before // _CLAUSES != self.clauses // _CLAUSES:
            self.budget.check()

    def forget(self) -> None:
        """Gives the memory of the solver back; the numbers are kept."""
        self._solver.delete()
        self.model = ()

    # -- what implies ------------------------------------------------------------------------------------

    def all_of(self, literals: Iterable[Lit]) -> Lit:
        """A literal that implies each of these."""
        needed = dict.fromkeys(literal for literal in literals if literal != TRUE)
        if FALSE in needed:
            return FALSE
        if len(needed) <= 1:
            return next(iter(needed), TRUE)
        whole = self.fresh()
        self.add_all([(-whole, literal) for literal in needed])
        return whole

    def any_of(self, literals: Iterable[Lit]) -> Lit:
        """A literal that implies one of these."""
        offered = dict.fromkeys(literal for literal in literals if literal != FALSE)
        if TRUE in offered:
            return TRUE
        if len(offered) <= 1:
            return next(iter(offered), FALSE)
        whole = self.fresh()
        self.add((-whole, *offered))
        return whole

    # -- questions ---------------------------------------------------------------------------------------

    def solve(self, assumptions: Sequence[Lit], conflicts: int | None = None) -> bool | None:
        """Whether all clauses can be true under the assumptions; the assignment is then in `model`.

        None: not found out within so many conflicts. `LimitReached` where the budget ends.
        """
        self.budget.step(lambda: f"{self.clauses} clauses")
        self.calls += 1
        if FALSE in assumptions:
            return False
        self._solver.conf_budget(-1 if conflicts is None else conflicts)
        found = self._answered(list(assumptions))
        if found:
            self.model = self._solver.get_model()
        return found

    def holds(self, literal: Lit) -> bool:
        """The value of a literal in the assignment found last; what it does not mention is false."""
        place = abs(literal) - 1
        value = place < len(self.model) and self.model[place] > 0
        return value == (literal > 0)

    def _answered(self, assumptions: list[Lit]) -> bool | None:
        """The solver works in a thread of its own: limits and Ctrl-C are heeded meanwhile."""
        answers: list[bool | None] = []
        failures: list[BaseException] = []
        done = threading.Event()  # to join a thread is not safe when Ctrl-C comes meanwhile

        def work() -> None:
            try:
                answers.append(self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True))
            except BaseException as failure:
                failures.append(failure)
            finally:
                done.set()

        threading.Thread(target=work, daemon=True).start()
        try:
            while not done.wait(_EVERY):
                self.budget.check()
        except BaseException:
            self._solver.interrupt()
            _await(done)
            self._solver.clear_interrupt()
            raise
        for failure in failures:
            raise failure
        return answers[0]


def _await(done: threading.Event) -> None:
    """Until it is done, whoever is impatient: the solver must not be given back while it works."""
    while not done.is_set():
        with suppress(KeyboardInterrupt):
            done.wait()
