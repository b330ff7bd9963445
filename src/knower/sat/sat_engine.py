"""The engine `sat`: bounded checking, which finds what paths can show, and says so when it has not.

A universal formula is refuted by a counterexample, an existential one is shown at every initial state.
Neither is ever decided the other way but where longer paths cannot matter (`loopfree`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from knower.engine.protocol import Pressure
from knower.engine.protocol import Search as EvidenceSearch
from knower.engine.turns import in_turns
from knower.errors import LimitReached, NoInitialState, Unsupported, unsupported
from knower.evidence.names import vocabulary_of
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.formula import Formula, is_propositional
from knower.logic.linear import invariant
from knower.logic.rewrite import negation_normal_form
from knower.options import ENCODINGS, How, Search
from knower.query.query import Query
from knower.query.setting import Setting
from knower.reasons import (
    HasDeadlock,
    Interrupted,
    NoCounterexample,
    NoWitness,
    OperandsApart,
    Reason,
    Refused,
    Searched,
    Stopped,
    TooLarge,
)
from knower.records import dataclass
from knower.sat.context import BmcContext
from knower.sat.fragment import is_existential, refusal
from knower.sat.frames import Stamps
from knower.sat.missteps import Missteps
from knower.sat.question import Fairness, Invariant, Question
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Both, Case, Either, Evidence, State
from knower.verdict.faults import Fault, Faults
from knower.verdict.verdict import Answer, Statistics, Verdict, unknown
from knower.verdict.warnings import NoFairInitialState

#: How many steps paths may have, unless somebody says.
DEFAULT_BOUND = 30
#: An existential formula is shown at every initial state, if there are no more than so many.
_MOST_INITIAL = 1000
#: How many of them evidence tells of.
_MOST_CASES = 32


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
        self._stamps = Stamps(system)
        self._loops = loops
        self._findings: dict[Query, Finding] = {}
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

    def _context(self, fairness: tuple[Formula, ...]) -> BmcContext:
        return BmcContext(self._stamps, self.budget, fairness, self._loops, self.search.encoding, self._bound)

    def decide(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Answer]]:
        return in_turns(queries, self.budget, self._answer)

    def _answer(self, query: Query) -> Answer:
        refused = refuses(query)
        if refused is not None:
            return unknown(refused)
        with self.budget.gauged(self.statistics):
            found = self._findings[query] = self._search(query).found(query)
        return found.answer

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
        if query not in self._findings:
            self._answer(query)
        found = self._findings.get(query)
        if found is None or not found.cases:
            return None
        kind = "counterexample" if verdict is Verdict.FALSE else "witness"
        return Evidence(kind, vocabulary_of(self.system), found.cases, found.others)

    def faults(self, sought: Collection[Fault]) -> Faults:
        """Those no further away than paths are long."""
        self._missteps.look(self._bound, thoroughly=bool(sought))
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
        self._findings.clear()
        self._searches.clear()

    def close(self) -> None:
        self.forget(Pressure.ALL)


@dataclass(frozen=True)
class Finding:
    """What was found about a formula: an answer, with a case of its negation or cases of itself.

    `others`: the initial states where it was shown too, beside those of the cases.
    """

    answer: Answer
    cases: tuple[Case, ...] = ()
    others: int = 0

    @property
    def verdict(self) -> Verdict:
        return self.answer.verdict


@dataclass(frozen=True)
class _Pair:
    """A formula and its negation, both in negation normal form, of the same shape."""

    asked: Formula
    denied: Formula

    @property
    def operands(self) -> tuple[_Pair, _Pair]:
        left, right = zip(self.asked.children, self.denied.children, strict=True)
        return _Pair(*left), _Pair(*right)  # type: ignore[arg-type]


def _unknown(reason: Reason) -> Finding:
    return Finding(unknown(reason))


_TRUE, _FALSE = Answer(Verdict.TRUE), Answer(Verdict.FALSE)
#: No initial state has a fair path, so every formula is true.
_VACUOUS = Answer(Verdict.TRUE, None, (NoFairInitialState(),))


class PathSearch:
    """The search for paths under one setting."""

    def __init__(self, context: BmcContext, missteps: Missteps) -> None:
        self.context = context
        self.reached = 0
        self._tried = 0
        self._missteps = missteps
        self._lengths = range(context.bound + 1)

    def _growing(self) -> Iterator[int]:
        """The lengths of paths, one after the other, as far as it is necessary."""
        for steps in self._lengths:
            self._tried = steps
            self.reached = max(self.reached, steps)
            yield steps

    @cached_property
    def _has_deadlock(self) -> bool:
        """Whether a deadlock can be reached, if that can be told."""
        for steps in self._lengths:
            self._missteps.look(steps)
            if self._missteps.deadlock is not None:
                return True
            if self._missteps.is_deadlock_free():
                return False
        raise unsupported("the method sat cannot tell whether a deadlock is reachable")

    @cached_property
    def _fairness(self) -> Fairness:
        return Fairness(self.context)

    def _is_vacuous(self, steps: int) -> bool:
        """Whether no initial state has a fair path, so that every formula is true."""
        return bool(self.context.fairness) and self._fairness.is_impossible(steps)

    @cached_property
    def _has_one_start(self) -> bool:
        return len(list(islice(self.context.initial_states(), 2))) == 1

    # -- formulas ------------------------------------------------------------------------------------------

    def found(self, query: Query) -> Finding:
        """What paths tell of a question."""
        if query.setting.refuses_deadlocks and self._has_deadlock:
            return _unknown(HasDeadlock())
        self._tried, asked = 0, query.formula
        try:
            return self._decided(_Pair(negation_normal_form(asked), negation_normal_form(f.Not(asked))))
        except Unsupported:
            if any(map(self._is_vacuous, self._growing())):
                return Finding(_VACUOUS)
            raise
        except LimitReached as limit:
            if isinstance(limit.reason, Interrupted | Stopped):
                raise
            raise LimitReached(Searched(limit.reason, self._tried), final=limit.final) from None

    def _decided(self, pair: _Pair) -> Finding:
        if pair.asked == f.TRUE:
            return Finding(_TRUE)
        refutable, showable = is_existential(pair.denied), is_existential(pair.asked)
        if refutable:
            found = self._refuted(pair)
            if found.verdict is not Verdict.UNKNOWN or not showable:
                return found
        if showable:
            return self._shown(pair.asked)
        match pair.asked:
            case f.And():
                return self._both(pair)
            case f.Or():
                return self._either(pair)
            case _:
                raise refusal(pair.asked)

    def _refuted(self, pair: _Pair) -> Finding:
        """A counterexample to a universal formula."""
        question = Question(self.context, pair.denied)
        always = self._invariant(pair.asked)
        try:
            for steps in self._growing():
                if self._is_vacuous(steps):
                    return Finding(_VACUOUS)
                if question.shown(steps):
                    return Finding(_FALSE, (question.case(),))
                if question.is_exhausted(steps) or (always is not None and always.is_proved(steps)):
                    return Finding(_TRUE)
        finally:
            question.close()
            if always is not None:
                always.close()
        return _unknown(NoCounterexample(self._lengths[-1]))

    def _invariant(self, asked: Formula) -> Invariant | None:
        """What the formula asks of all reachable states, if it asks that of every state alone."""
        held = asked.sub if isinstance(asked, f.AG) else None
        if isinstance(asked, f.A):
            held = invariant(asked.sub)
        return None if held is None or not is_propositional(held) else Invariant(self.context, held)

    def _shown(self, asked: Formula) -> Finding:
        """Witnesses of an existential formula, one for each initial state."""
        question, shown = Question(self.context, asked), dict[State, Case | None]()
        try:
            for steps in self._growing():
                if self._is_vacuous(steps):
                    return Finding(_VACUOUS)
                while len(shown) <= _MOST_INITIAL and question.shown(steps):
                    shown[question.beginning] = question.case() if len(shown) < _MOST_CASES else None
                    question.leave_out(question.beginning)
                if len(shown) > _MOST_INITIAL:
                    return _unknown(
                        TooLarge(f"there are more than {_MOST_INITIAL} initial states to show it at")
                    )
                if not question.is_left() or question.is_exhausted(steps):
                    return self._told(shown, fails=question.is_left() and self._is_fair_beside(shown, steps))
        finally:
            question.close()
        return _unknown(NoWitness(self._lengths[-1]))

    def _told(self, shown: dict[State, Case | None], *, fails: bool) -> Finding:
        """What is known when the formula is shown at these initial states, and perhaps fails at another."""
        if fails:
            return Finding(_FALSE)
        cases = tuple(case for case in shown.values() if case is not None)
        return Finding(_TRUE, cases, len(shown) - len(cases))

    def _is_fair_beside(self, states: Iterable[State], steps: int) -> bool:
        """Whether another initial state has a fair path, where so many steps are enough to tell."""
        if not self.context.fairness:
            return True
        question = Question(self.context, f.EG(f.TRUE))
        for state in states:
            question.leave_out(state)
        try:
            return question.shown(steps)
        finally:
            question.close()

    # -- conjunctions and disjunctions of different kinds ---------------------------------------------------

    def _decided_operands(self, pair: _Pair) -> tuple[list[Finding], list[Unsupported]]:
        """What is found about the operands, and why not about the others."""
        findings, refused = list[Finding](), list[Unsupported]()
        for operand in pair.operands:
            try:
                findings.append(self._decided(operand))
            except Unsupported as reason:
                refused.append(reason)
        return findings, refused

    def _both(self, pair: _Pair) -> Finding:
        """One that is false is enough, whatever the other is."""
        findings, refused = self._decided_operands(pair)
        for found in findings:
            if found.verdict is Verdict.FALSE:
                return Finding(found.answer, _as_one_of(pair.denied, found.cases))
        if refused:
            raise refused[0]
        open_ones = [found for found in findings if found.verdict is Verdict.UNKNOWN]
        return open_ones[0] if open_ones else Finding(_TRUE, _as_both(pair.asked, findings))

    def _either(self, pair: _Pair) -> Finding:
        """One that is true everywhere is enough; both are false together only in a single state."""
        findings, refused = self._decided_operands(pair)
        for found in findings:
            if found.verdict is Verdict.TRUE:
                return Finding(found.answer, _as_one_of(pair.asked, found.cases), found.others)
        if refused:
            raise refused[0]
        if all(found.verdict is Verdict.FALSE for found in findings) and self._has_one_start:
            return Finding(_FALSE, _as_both(pair.denied, findings))
        reasons = [found.answer.reason for found in findings if found.answer.reason]
        return _unknown(reasons[0] if reasons else OperandsApart())


def _as_one_of(whole: Formula, cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Cases of an operand as cases of a disjunction."""
    return tuple(Case(case.run, Either(case.proof.state, whole, case.proof)) for case in cases)


def _as_both(whole: Formula, findings: list[Finding]) -> tuple[Case, ...]:
    """Cases of both operands as cases of a conjunction; none where an operand has none."""
    left, right = ({case.proof.state: case for case in found.cases} for found in findings)
    if left.keys() != right.keys() or any(found.others for found in findings):
        return ()
    return tuple(
        Case(case.run, Both(state, whole, case.proof, right[state].proof)) for state, case in left.items()
    )
