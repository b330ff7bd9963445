"""The engine `sat`: bounded checking, which finds what paths can show, and says so when it has not.

A universal formula is refuted by a counterexample, an existential one is shown at every initial state.
Neither is ever decided the other way but where longer paths cannot matter (`loopfree`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from knower.engine.protocol import Pressure
from knower.engine.protocol import Search as EvidenceSearch
from knower.engine.turns import in_turns
from knower.errors import NoInitialState, Unsupported
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.rewrite import negation_normal_form
from knower.options import ENCODINGS, How, Search
from knower.query.query import Query
from knower.query.setting import Setting
from knower.reasons import Refused
from knower.sat.context import BmcContext
from knower.sat.findings import Finding, Findings
from knower.sat.fragment import is_existential, refusal
from knower.sat.frames import Stamps
from knower.sat.missteps import Missteps
from knower.sat.path_search import PathSearch
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Fault, Faults
from knower.verdict.verdict import Answer, Statistics, Verdict, unknown

#: How many steps paths may have, unless somebody says.
DEFAULT_BOUND = 30


def sat_engine(system: InterpretedSystem, budget: Budget, how: How, loops: bool) -> SatEngine:
    """Bounded checking by a SAT solver."""
    return SatEngine(system, budget, how.search, loops=loops)


def refuses(query: Query) -> Refused | None:
    """What changes the meaning of formulas in a way this engine does not follow."""
    if query.setting.many_models:
        return Refused("the method sat does not decide uniform models")
    if any(each.finite for each in query.fairness):
        return Refused("the method sat does not decide fairness constraints about finite traces")
    for each in (negation_normal_form(constraint.formula) for constraint in query.fairness):
        if not is_existential(each) and not is_existential(negation_normal_form(f.Not(each))):
            return Refused(f"in a fairness constraint, {_why(refusal(each))}")
    return None


def _why(refused: Unsupported) -> str:
    assert isinstance(refused.reason, Refused), "that is how it is made"
    return refused.reason.why


class SatEngine:
    """A system, ready to be searched for paths (an `engine.protocol.Engine`)."""

    def __init__(
        self, system: InterpretedSystem, budget: Budget, search: Search, *, loops: bool = False
    ) -> None:
        if search.encoding not in ENCODINGS:
            raise ValueError(f"no encoding is called {search.encoding}: {', '.join(ENCODINGS)}")
        self.system = system
        self.budget = budget
        self.search = search
        self.stamps = Stamps(system)
        self._loops = loops
        self._findings = Findings(system, self._answer)
        self._searches: dict[Setting, PathSearch] = {}
        self._plain = self._context(())
        if next(self._plain.initial_states(), None) is None:
            raise NoInitialState("no state satisfies InitStates")

    @cached_property
    def _missteps(self) -> Missteps:
        return Missteps(self._plain)

    @property
    def _bound(self) -> int:
        return DEFAULT_BOUND if self.search.bound is None else self.search.bound

    def _context(self, fairness: tuple[Formula, ...], bound: int | None = None) -> BmcContext:
        search, most = self.search, self._bound if bound is None else min(bound, self._bound)
        return BmcContext(
            self.stamps, self.budget, fairness, self._loops, search.encoding, most, search.solver
        )

    def decide(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Answer]]:
        return in_turns(queries, self.budget, self._answer)

    def _answer(self, query: Query) -> Answer:
        refused = refuses(query)
        if refused is not None:
            return unknown(refused)
        with self.budget.gauged(self.statistics):
            return self._findings.keep(query, self._search(query).found(query))

    def answer(self, query: Query) -> Answer:
        """The answer to one question, asked by another engine."""
        return self._answer(query)

    def within(self, query: Query, steps: int) -> Finding:
        """What paths of so many steps tell of a formula."""
        fairness = tuple(negation_normal_form(each.formula) for each in query.fairness)
        return PathSearch(self._context(fairness, steps), self._missteps).found(query)

    def has_fair_start(self, query: Query) -> bool:
        """Whether some initial state has a fair path, as far as paths are looked for."""
        return self._search(query).has_fair_start()

    def finding(self, query: Query) -> Finding:
        """What was found for the answer to a question."""
        return self._findings.of(query)

    def _search(self, query: Query) -> PathSearch:
        setting = query.setting
        if setting not in self._searches:
            fairness = tuple(negation_normal_form(each.formula) for each in setting.fairness)
            context = self._context(fairness) if fairness else self._plain
            self._searches[setting] = PathSearch(context, self._missteps)
        return self._searches[setting]

    def evidence(
        self, query: Query, verdict: Verdict, over: EvidenceSearch, avoid: Collection[Evidence] = ()
    ) -> Evidence | None:
        return self._findings.evidence(query, verdict)

    def faults(self, sought: Collection[Fault]) -> Faults:
        """Those no further away than paths are long."""
        self._missteps.look(self._bound, thoroughly=bool(sought))
        if sought:
            self._missteps.prove()
        return self._missteps.known

    def statistics(self) -> Statistics:
        contexts = {id(each.context): each.context for each in self._searches.values()}
        contexts[id(self._plain)] = self._plain
        used = [clauses for context in contexts.values() for clauses in context.used]
        return {
            "encoding": self.search.encoding,
            "bound": max((each.reached for each in self._searches.values()), default=0),
            "variables": sum(clauses.variables for clauses in used),
            "clauses": sum(clauses.clauses for clauses in used),
            "solver calls": sum(clauses.calls for clauses in used),
        }

    def forget(self, pressure: Pressure) -> None:
        self._findings.forget()
        self._searches.clear()

    def close(self) -> None:
        self.forget(Pressure.ALL)
