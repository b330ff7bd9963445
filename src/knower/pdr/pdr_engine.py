"""The engine `pdr`: proofs by inductive invariants (IC3), counterexamples by the states found to be reached.

What it does not settle by itself (paths that never end, fairness, formulas that need several paths) is
looked for by bounded checking, so its counterexamples are never a matter of faith; what is proved, a second
solver has checked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from knower.engine.protocol import Pressure
from knower.engine.protocol import Search as EvidenceSearch
from knower.engine.turns import in_turns
from knower.errors import Unsupported
from knower.functions.solvers import is_fit
from knower.limits import Budget
from knower.logic.rewrite import negation_normal_form
from knower.options import SOLVERS, How, Search
from knower.pdr.faults import FaultSearch
from knower.pdr.search import Found, Proofs
from knower.query.query import Query
from knower.reasons import HasDeadlock, Refused
from knower.records import dataclass
from knower.sat.findings import Finding, Findings
from knower.sat.fragment import refusal
from knower.sat.sat_engine import SatEngine
from knower.sat.sat_engine import refuses as refused_by_sat
from knower.sat.solver import USUAL, Clauses
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Case, Evidence
from knower.verdict.faults import Absence, Fault, Faults
from knower.verdict.verdict import Answer, Statistics, Verdict, unknown

#: Who checks what another has proved: the first of these that is of another make.
_SECOND = ("cadical153", "minisat22", "glucose4")


def pdr_engine(system: InterpretedSystem, budget: Budget, how: How, loops: bool) -> PdrEngine:
    """Proofs by invariants."""
    return PdrEngine(system, budget, how.search, loops=loops)


def refuses(query: Query) -> Refused | None:
    """What changes the meaning of formulas in a way this engine does not follow."""
    if query.speaks_of_actions:
        return Refused("the method pdr does not tell who does what on a path")
    found = refused_by_sat(query)
    return None if found is None else Refused(found.why.replace("the method sat", "the method pdr"))


class PdrEngine:
    """A system whose invariants are looked for (an `engine.protocol.Engine`)."""

    def __init__(
        self, system: InterpretedSystem, budget: Budget, search: Search, *, loops: bool = False
    ) -> None:
        self.system = system
        self.budget = budget
        self.search = search
        self._loops = loops
        self._findings = Findings(system, self._answer)
        self._used: list[Clauses] = []
        self._bounded = SatEngine(system, budget, search, loops=loops)
        self._stamps = self._bounded.stamps
        self._proofs = Proofs(self._stamps, self._clauses, self._second, loops=loops)

    def _clauses(self) -> Clauses:
        made = Clauses(self.budget, self.search.solver)
        self._used.append(made)
        return made

    def _second(self) -> Clauses:
        """A solver of another make."""
        first = USUAL if self.search.solver == SOLVERS[0] else self.search.solver
        other = next(name for name in _SECOND if name[:5] != first[:5] and is_fit(name))
        made = Clauses(self.budget, other)
        self._used.append(made)
        return made

    def decide(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Answer]]:
        return in_turns(queries, self.budget, self._answer)

    def _answer(self, query: Query) -> Answer:
        refused = refuses(query)
        if refused is not None:
            return unknown(refused)
        with self.budget.gauged(self.statistics):
            return self._findings.keep(query, self._found(query))

    def _found(self, query: Query) -> Finding:
        if query.setting.refuses_deadlocks and self._faults.deadlock is not Absence.PROVED:
            return Finding(unknown(HasDeadlock()))
        try:
            fairness = tuple(negation_normal_form(each.formula) for each in query.fairness)
            found = self._proofs.decided(query.formula, fairness, _Asked(self._bounded, query))
            if found is not None:
                return _finding(found)
        except Unsupported as reason:
            return self._looked_for(query, reason)
        return self._looked_for(query, None)

    def _looked_for(self, query: Query, reason: Unsupported | None) -> Finding:
        """What bounded checking finds; where that is nothing, why there was no proof."""
        try:
            answer = self._bounded.answer(query)
        except Unsupported:
            raise reason or refusal(query.formula, "pdr") from None
        if answer.verdict is Verdict.UNKNOWN and reason is not None:
            return Finding(unknown(reason.reason))
        return self._bounded.finding(query)

    @cached_property
    def _faults(self) -> FaultSearch:
        return FaultSearch(self._proofs)

    def evidence(
        self, query: Query, verdict: Verdict, over: EvidenceSearch, avoid: Collection[Evidence] = ()
    ) -> Evidence | None:
        return self._findings.evidence(query, verdict)

    def faults(self, sought: Collection[Fault]) -> Faults:
        """Those bounded checking comes across; those that are sought are found, or proved to be absent."""
        met = self._bounded.faults(())
        if Fault.DEADLOCK in sought and not met.is_known(Fault.DEADLOCK):
            met = met.joined(Faults(deadlock=self._faults.deadlock))
        if Fault.OVERFLOW in sought and not met.is_known(Fault.OVERFLOW):
            met = met.joined(Faults(overflow=self._faults.overflow))
        return met

    def statistics(self) -> Statistics:
        bounded = self._bounded.statistics()
        return {
            "solver": USUAL if self.search.solver == SOLVERS[0] else self.search.solver,
            "frames": self._proofs.frames,
            "invariant clauses": self._proofs.kept,
            "variables": int(bounded["variables"]) + sum(each.variables for each in self._used),
            "clauses": int(bounded["clauses"]) + sum(each.clauses for each in self._used),
            "solver calls": int(bounded["solver calls"]) + sum(each.calls for each in self._used),
        }

    def forget(self, pressure: Pressure) -> None:
        self._findings.forget()
        self._bounded.forget(pressure)

    def close(self) -> None:
        self.forget(Pressure.ALL)


@dataclass(frozen=True)
class _Asked:
    """Bounded checking of one question (a `pdr.search.Bounded`)."""

    engine: SatEngine
    query: Query

    def has_fair_start(self) -> bool:
        return self.engine.has_fair_start(self.query)

    def refutation(self, steps: int) -> tuple[Case, ...] | None:
        try:
            found = self.engine.within(self.query, steps)
        except Unsupported:
            return None
        return found.cases if found.verdict is Verdict.FALSE else None


def _finding(found: Found) -> Finding:
    verdict = Verdict.TRUE if found.holds else Verdict.FALSE
    return Finding(Answer(verdict, certificates=found.invariants), found.cases, found.others)
