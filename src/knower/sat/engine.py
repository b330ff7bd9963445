"""The engine `sat`: bounded checking, which finds what paths can show, and says so when it has not.

A universal formula is refuted by a counterexample, an existential one is shown at every initial state.
Neither is ever decided the other way but where longer paths cannot matter (`loopfree`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from knower.errors import LimitReached, NoInitialState, Unsupported
from knower.evidence.names import vocabulary_of
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.formula import Formula, is_propositional
from knower.logic.language import UNTOUCHED, Specification
from knower.logic.linear import invariant
from knower.logic.rewrite import closed, negation_normal_form
from knower.options import ENCODINGS, AtlReading, DeadlockPolicy, Reading, Search
from knower.sat.fragment import is_existential, refusal, unsupported
from knower.sat.frames import Stamps
from knower.sat.missteps import Missteps
from knower.sat.question import Fairness, Invariant, Question
from knower.sat.setting import Setting
from knower.system.system import InterpretedSystem
from knower.verdict import notices, reasons
from knower.verdict.evidence import Both, Case, Either, Evidence, State
from knower.verdict.verdict import Answer, Verdict, Warning

#: How many steps paths may have, unless somebody says.
DEFAULT_BOUND = 30
#: An existential formula is shown at every initial state, if there are no more than so many.
_MOST_INITIAL = 1000
#: How many of them evidence tells of.
_MOST_CASES = 32


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
        self._tried = self._reached = 0
        self._notes: dict[str, Warning] = {}
        self._findings: dict[Specification, Finding] = {}
        self._setting = Setting(
            Stamps(system),
            budget,
            tuple(negation_normal_form(closed(spec)) for spec in system.fairness),
            self.reading.on_deadlock is DeadlockPolicy.LOOP,
            self.search.encoding,
            self._lengths[-1],
        )
        if next(self._setting.initial_states(), None) is None:
            raise NoInitialState("no state satisfies InitStates")

    @property
    def _lengths(self) -> range:
        """The lengths of paths to try."""
        bound = self.search.bound
        return range((DEFAULT_BOUND if bound is None else bound) + 1)

    def _growing(self) -> Iterator[int]:
        """These lengths one after the other, as far as it is necessary."""
        for steps in self._lengths:
            self._tried = steps
            self._reached = max(self._reached, steps)
            yield steps

    @property
    def states(self) -> None:
        """States are not counted."""

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """Deadlocks and overflows, as far as they were looked for, and what else was met."""
        return (*self._missteps.warnings, *self._notes.values())

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
        found = self._findings[spec] = self._found(closed(spec))
        return found.answer

    def seek(self, sought: Collection[str]) -> None:
        """Look for deadlocks and overflows no further away than paths are long."""
        self._missteps.look(self._lengths[-1], thoroughly=bool(sought))

    def evidence(self, spec: Specification, verdict: Verdict) -> Evidence | None:
        """What shows the verdict `check` has given; None where no path does."""
        found = self._findings.get(spec)
        if found is None or not found.cases:
            return None
        kind = "counterexample" if verdict is Verdict.FALSE else "witness"
        return Evidence(kind, vocabulary_of(self.system), found.cases, found.others)

    def _refuse(self, spec: Specification) -> None:
        """What changes the meaning of formulas in a way this engine does not follow."""
        language = spec.language.finite_reading if self.reading.finite else spec.language
        if self.reading.finite and spec.language in UNTOUCHED:
            self._note(notices.finite_ignored(spec.language.value))
        if language.finite:
            raise unsupported(f"finite traces ({language.value})")
        if self.reading.atl is AtlReading.UNIFORM_MODELS:
            raise unsupported("uniform models")
        if any(each.language.finite for each in self.system.fairness):
            raise unsupported("fairness constraints about finite traces")
        for each in self._setting.fairness:
            if not is_existential(each) and not is_existential(negation_normal_form(f.Not(each))):
                raise Unsupported(f"in a fairness constraint, {refusal(each)}")

    @cached_property
    def _missteps(self) -> Missteps:
        return Missteps(self._setting)

    @cached_property
    def _has_deadlock(self) -> bool:
        """Whether a deadlock can be reached, if that can be told."""
        for steps in self._lengths:
            self._missteps.look(steps)
            if self._missteps.deadlock is not None:
                return True
            if self._missteps.is_deadlock_free():
                return False
        raise unsupported("whether a deadlock is reachable (--on-deadlock fail)")

    @cached_property
    def _fairness(self) -> Fairness:
        return Fairness(self._setting)

    def _is_vacuous(self, steps: int) -> bool:
        """Whether no initial state has a fair path, so that every formula is true."""
        if not self._setting.fairness or not self._fairness.is_impossible(steps):
            return False
        self._note(notices.no_fair_initial_state(uniform=False))
        return True

    def _note(self, warning: Warning) -> None:
        self._notes[warning.message] = warning

    @cached_property
    def _has_one_start(self) -> bool:
        return len(list(islice(self._setting.initial_states(), 2))) == 1

    # -- formulas ------------------------------------------------------------------------------------------

    def _found(self, asked: Formula) -> Finding:
        if self.reading.on_deadlock is DeadlockPolicy.FAIL and self._has_deadlock:
            return _unknown("the model has a deadlock (--on-deadlock fail)")
        self._tried = 0
        try:
            return self._decided(_Pair(negation_normal_form(asked), negation_normal_form(f.Not(asked))))
        except Unsupported:
            if any(map(self._is_vacuous, self._growing())):
                return Finding(Answer(Verdict.TRUE))
            raise
        except LimitReached as limit:
            return _unknown(f"{limit}, with paths of {reasons.steps(self._tried)}")

    def _decided(self, pair: _Pair) -> Finding:
        if pair.asked == f.TRUE:
            return Finding(Answer(Verdict.TRUE))
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
            for steps in self._growing():
                if self._is_vacuous(steps):
                    return Finding(Answer(Verdict.TRUE))
                if question.shown(steps):
                    return Finding(Answer(Verdict.FALSE), (question.case(),))
                if question.is_exhausted(steps) or (always is not None and always.is_proved(steps)):
                    return Finding(Answer(Verdict.TRUE))
        finally:
            question.close()
            if always is not None:
                always.close()
        return _unknown(reasons.no_counterexample(self._lengths[-1]))

    def _invariant(self, asked: Formula) -> Invariant | None:
        """What the formula asks of all reachable states, if it asks that of every state alone."""
        held = asked.sub if isinstance(asked, f.AG) else None
        if isinstance(asked, f.A):
            held = invariant(asked.sub)
        return None if held is None or not is_propositional(held) else Invariant(self._setting, held)

    def _shown(self, asked: Formula) -> Finding:
        """Witnesses of an existential formula, one for each initial state."""
        question, shown = Question(self._setting, asked), dict[State, Case | None]()
        try:
            for steps in self._growing():
                if self._is_vacuous(steps):
                    return Finding(Answer(Verdict.TRUE))
                while len(shown) <= _MOST_INITIAL and question.shown(steps):
                    shown[question.beginning] = question.case() if len(shown) < _MOST_CASES else None
                    question.leave_out(question.beginning)
                if len(shown) > _MOST_INITIAL:
                    return _unknown(f"there are more than {_MOST_INITIAL} initial states to show it at")
                if not question.is_left() or question.is_exhausted(steps):
                    return self._told(shown, fails=question.is_left() and self._is_fair_beside(shown, steps))
        finally:
            question.close()
        return _unknown(reasons.no_witness(self._lengths[-1]))

    def _told(self, shown: dict[State, Case | None], *, fails: bool) -> Finding:
        """What is known when the formula is shown at these initial states, and perhaps fails at another."""
        if fails:
            return Finding(Answer(Verdict.FALSE))
        cases = tuple(case for case in shown.values() if case is not None)
        return Finding(Answer(Verdict.TRUE), cases, len(shown) - len(cases))

    def _is_fair_beside(self, states: Iterable[State], steps: int) -> bool:
        """Whether another initial state has a fair path, where so many steps are enough to tell."""
        if not self._setting.fairness:
            return True
        question = Question(self._setting, f.EG(f.TRUE))
        for state in states:
            question.leave_out(state)
        try:
            return question.shown(steps)
        finally:
            question.close()

    # -- conjunctions and disjunctions of different kinds ----------------------------------------------------

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
        return open_ones[0] if open_ones else Finding(Answer(Verdict.TRUE), _as_both(pair.asked, findings))

    def _either(self, pair: _Pair) -> Finding:
        """One that is true everywhere is enough; both are false together only in a single state."""
        findings, refused = self._decided_operands(pair)
        for found in findings:
            if found.verdict is Verdict.TRUE:
                return Finding(found.answer, _as_one_of(pair.asked, found.cases), found.others)
        if refused:
            raise refused[0]
        if all(found.verdict is Verdict.FALSE for found in findings) and self._has_one_start:
            return Finding(Answer(Verdict.FALSE), _as_both(pair.denied, findings))
        reasons = [found.answer.reason for found in findings if found.answer.reason]
        return _unknown(reasons[0] if reasons else "each operand is false, but perhaps in different states")


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
