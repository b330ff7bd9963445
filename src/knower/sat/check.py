"""The engine `sat`: bounded checking, which finds what paths can show, and says so when it has not.

A universal formula is refuted by a counterexample, an existential one is shown at every initial state.
Neither is ever decided the other way but where longer paths cannot matter (`loopfree`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from knower.errors import NoInitialState, Unsupported
from knower.evidence.names import vocabulary_of
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.formula import Formula, is_propositional
from knower.logic.language import Specification
from knower.logic.linear import invariant
from knower.logic.rewrite import closed, negation_normal_form
from knower.options import AtlReading, DeadlockPolicy, Reading, Search
from knower.sat.fragment import is_existential, refusal, unsupported
from knower.sat.frames import Stamps
from knower.sat.question import Invariant, Question, Setting
from knower.sat.translate import ENCODINGS
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Both, Case, Either, Evidence, State
from knower.verdict.verdict import Answer, Verdict, Warning

#: How many steps paths may have, unless somebody says.
DEFAULT_BOUND = 30
#: An existential formula is shown at every initial state, if there are no more than so many.
_MOST_INITIAL = 32


@dataclass(frozen=True)
class Finding:
    """What was found about a formula: an answer, with a case of its negation or cases of itself."""

    answer: Answer
    cases: tuple[Case, ...] = ()

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


def _unknown(reason: str) -> Finding:
    return Finding(Answer(Verdict.UNKNOWN, reason))


class SatModel:
    """A system, ready to be searched for paths."""

    def __init__(
        self,
        system: InterpretedSystem,
        budget: Budget,
        reading: Reading | None = None,
        search: Search | None = None,
    ) -> None:
        self.system = system
        self.budget = budget
        self.reading = reading or Reading()
        self.search = search or Search("sat")
        if self.search.encoding not in ENCODINGS:
            raise ValueError(f"no encoding is called {self.search.encoding}: {', '.join(ENCODINGS)}")
        self._reached = 0
        self._cases: dict[Specification, tuple[Case, ...]] = {}
        self._setting = Setting(
            Stamps(system),
            budget,
            tuple(negation_normal_form(closed(spec)) for spec in system.fairness),
            self.reading.on_deadlock is DeadlockPolicy.LOOP,
            self.search.encoding,
        )
        if next(self._setting.initial_states(), None) is None:
            raise NoInitialState("no state satisfies InitStates")

    @property
    def _lengths(self) -> range:
        """The lengths of paths to try."""
        bound = self.search.bound
        return range((DEFAULT_BOUND if bound is None else bound) + 1)

    @property
    def states(self) -> None:
        """States are not counted."""

    @property
    def warnings(self) -> tuple[Warning, ...]:
        return ()

    @property
    def statistics(self) -> dict[str, str | int | float]:
        used = self._setting.used
        return {
            "encoding": self.search.encoding,
            "bound": self._reached,
            "variables": sum(clauses.variables for clauses in used),
            "clauses": sum(clauses.clauses for clauses in used),
            "solver calls": sum(clauses.calls for clauses in used),
        }

    def check(self, spec: Specification) -> Answer:
        """Whether the specification holds in every (fair) initial state, as far as paths can tell."""
        self._refuse(spec)
        asked = closed(spec)
        found = self._decided(_Pair(negation_normal_form(asked), negation_normal_form(f.Not(asked))))
        self._cases[spec] = found.cases
        return found.answer

    def evidence(self, spec: Specification, verdict: Verdict) -> Evidence | None:
        """What shows the verdict `check` has given; None where no path does."""
        cases = self._cases.get(spec, ())
        if not cases:
            return None
        kind = "counterexample" if verdict is Verdict.FALSE else "witness"
        return Evidence(kind, vocabulary_of(self.system), cases)

    def _refuse(self, spec: Specification) -> None:
        """What changes the meaning of formulas in a way this engine does not follow."""
        language = spec.language.finite_reading if self.reading.finite else spec.language
        if language.finite:
            raise unsupported(f"finite traces ({language.value})")
        if self.reading.atl is AtlReading.UNIFORM_MODELS:
            raise unsupported("uniform models")
        if not all(map(is_propositional, self._setting.fairness)):
            raise unsupported("fairness constraints that are not propositional")
        if self.reading.on_deadlock is DeadlockPolicy.FAIL and not self._setting.is_deadlock_free():
            raise unsupported("whether a deadlock is reachable (--on-deadlock fail)")

    @cached_property
    def _initial_states(self) -> tuple[State, ...]:
        """The initial states, or one more than are looked at."""
        return tuple(islice(self._setting.initial_states(), _MOST_INITIAL + 1))

    # -- formulas ------------------------------------------------------------------------------------------

    def _decided(self, pair: _Pair) -> Finding:
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
        question = Question(self._setting, pair.denied)
        always = self._invariant(pair.asked)
        try:
            for steps in self._lengths:
                self._reached = max(self._reached, steps)
                if question.shown(steps):
                    return Finding(Answer(Verdict.FALSE), (question.case(),))
                if question.is_exhausted(steps) or (always is not None and always.is_proved(steps)):
                    return Finding(Answer(Verdict.TRUE))
        finally:
            question.close()
            if always is not None:
                always.close()
        return _unknown(f"no counterexample with up to {self._lengths[-1]} steps")

    def _invariant(self, asked: Formula) -> Invariant | None:
        """What the formula asks of all reachable states, if it asks that of every state alone."""
        held = asked.sub if isinstance(asked, f.AG) else None
        if isinstance(asked, f.A):
            held = invariant(asked.sub)
        return None if held is None or not is_propositional(held) else Invariant(self._setting, held)

    def _shown(self, asked: Formula) -> Finding:
        """Witnesses of an existential formula, one for each initial state."""
        left = list(self._initial_states)
        if len(left) > _MOST_INITIAL:
            return _unknown(f"there are more than {_MOST_INITIAL} initial states to find witnesses for")
        question, cases = Question(self._setting, asked), list[Case]()
        try:
            for steps in self._lengths:
                self._reached = max(self._reached, steps)
                for state in [*left]:
                    if question.shown(steps, state):
                        cases.append(question.case())
                        left.remove(state)
                if left and question.is_exhausted(steps):
                    left = [state for state in left if self._is_fair(state, steps)]
                    if left:
                        return Finding(Answer(Verdict.FALSE))
                if not left:
                    return Finding(Answer(Verdict.TRUE), tuple(cases))
        finally:
            question.close()
        return _unknown(f"no witness with up to {self._lengths[-1]} steps")

    def _is_fair(self, state: State, steps: int) -> bool:
        """Whether a state has a fair path, where paths of so many steps are long enough to tell."""
        if not self._setting.fairness:
            return True
        question = Question(self._setting, f.EG(f.TRUE))
        try:
            return question.shown(steps, state)
        finally:
            question.close()

    # -- conjunctions and disjunctions of different kinds ----------------------------------------------------

    def _both(self, pair: _Pair) -> Finding:
        """One that is false is enough, whatever the other is."""
        findings, refused = list[Finding](), list[Unsupported]()
        for operand in pair.operands:
            try:
                findings.append(self._decided(operand))
            except Unsupported as reason:
                refused.append(reason)
                continue
            if findings[-1].verdict is Verdict.FALSE:
                return Finding(findings[-1].answer, _as_one_of(pair.denied, findings[-1].cases))
        if refused:
            raise refused[0]
        open_ones = [found for found in findings if found.verdict is Verdict.UNKNOWN]
        return open_ones[0] if open_ones else Finding(Answer(Verdict.TRUE), _as_both(pair.asked, findings))

    def _either(self, pair: _Pair) -> Finding:
        """One that is true everywhere is enough; both are false together only in a single state."""
        findings = [self._decided(operand) for operand in pair.operands]
        for found in findings:
            if found.verdict is Verdict.TRUE:
                return Finding(found.answer, _as_one_of(pair.asked, found.cases))
        if all(found.verdict is Verdict.FALSE for found in findings) and len(self._initial_states) == 1:
            return Finding(Answer(Verdict.FALSE), _as_both(pair.denied, findings))
        reasons = [found.answer.reason for found in findings if found.answer.reason]
        return _unknown(reasons[0] if reasons else "each operand is false, but perhaps in different states")


def _as_one_of(whole: Formula, cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Cases of an operand as cases of a disjunction."""
    return tuple(Case(case.run, Either(case.proof.state, whole, case.proof)) for case in cases)


def _as_both(whole: Formula, findings: list[Finding]) -> tuple[Case, ...]:
    """Cases of both operands as cases of a conjunction; none where an operand has none."""
    left, right = ({case.proof.state: case for case in found.cases} for found in findings)
    if left.keys() != right.keys():
        return ()
    return tuple(
        Case(case.run, Both(state, whole, case.proof, right[state].proof)) for state, case in left.items()
    )
