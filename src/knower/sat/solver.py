"""An incremental SAT solver within a budget, and the clauses given to it.

Literals are those of DIMACS: a variable's number, negative when it is negated. What is built here
only ever implies what it stands for (Plaisted and Greenbaum): an assignment that makes a literal of
`all_of` or `any_of` true makes what it was built from true; the converse need not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knower.errors import UsageError, unsupported
from knower.functions.solvers import Lit as Lit
from knower.functions.solvers import NoSolver, Solver, fit, is_fit
from knower.limits import Budget
from knower.options import SOLVERS

#: Of six tried on a counter of 1,000 steps the fastest: 8.8 s, the others 11 to 18, on a loaded machine.
USUAL = "glucose4"
#: Clauses between two looks at the limits.
_CLAUSES = 20_000

#: The literal of a constant.
TRUE: Lit = 1
FALSE: Lit = -1


def new_solver(name: str, budget: Budget) -> Solver:
    """A solver by the name users know it by; what is not fit is refused, with those that are."""
    chosen = USUAL if name == SOLVERS[0] else name
    try:
        made = Solver(chosen, budget.check)
    except NoSolver as reason:
        if name == SOLVERS[0]:
            raise unsupported(str(reason)) from None
        raise _unfit(chosen) from None
    if not is_fit(chosen):
        raise _unfit(chosen)
    return made


def _unfit(name: str) -> UsageError:
    message = f"the solver {name} does not do here what is needed of it"
    return UsageError("E610", message, f"one of: {', '.join(fit(SOLVERS[1:]))}")


class Clauses:
    """Clauses in a solver, with the numbers of what it was asked."""

    def __init__(self, budget: Budget, solver: str = SOLVERS[0]) -> None:
        self.budget = budget
        self.variables = 1
        self.clauses = 0
        self.calls = 0
        self._model: Sequence[Lit] | None = ()
        self._core: Sequence[Lit] = ()
        self._solver = new_solver(solver, budget)
        self._solver.add(((TRUE,),))

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
        self._solver.add(clauses)
        before, self.clauses = self.clauses, self.clauses + len(clauses)
        if before // _CLAUSES != self.clauses // _CLAUSES:
            self.budget.check()

    def forget(self) -> None:
        """Gives the memory of the solver back; the numbers are kept."""
        self._solver.close()
        self._model = ()

    # -- what implies -----------------------------------------------------------------------------------

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

    # -- questions --------------------------------------------------------------------------------------

    def solve(self, assumptions: Sequence[Lit], conflicts: int | None = None) -> bool | None:
        """Whether all clauses can be true under the assumptions; the assignment is then in `model`.

        None: not found out within so many conflicts. `LimitReached` where the budget ends.
        """
        self.budget.step(lambda: f"{self.clauses} clauses")
        self.calls += 1
        if FALSE in assumptions:
            self._core = (FALSE,)
            return False
        found = self._solver.solve(list(assumptions), conflicts)
        if found is False:
            self._core = self._solver.core()
        self._model = None
        return found

    @property
    def model(self) -> Sequence[Lit]:
        """The assignment found last, if the last answer was yes."""
        if self._model is None:
            self._model = self._solver.model()
        return self._model

    def core(self) -> frozenset[Lit]:
        """Assumptions that cannot be true together, if the last answer was no."""
        return frozenset(self._core)

    def holds(self, literal: Lit) -> bool:
        """The value of a literal in the assignment found last; what it does not mention is false."""
        place = abs(literal) - 1
        value = place < len(self.model) and self.model[place] > 0
        return value == (literal > 0)
