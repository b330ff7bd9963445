"""The search for what paths show of a formula, longer and longer ones, under one setting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from itertools import islice

from knower.errors import LimitReached, Unsupported, unsupported
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.rewrite import negation_normal_form
from knower.query.query import Query
from knower.reasons import (
    HasDeadlock,
    Interrupted,
    NoCounterexample,
    NoWitness,
    OperandsApart,
    Reason,
    Searched,
    Stopped,
)
from knower.records import dataclass
from knower.sat.context import BmcContext
from knower.sat.findings import Finding
from knower.sat.fragment import is_existential, lasting, refusal
from knower.sat.lifting import Cube
from knower.sat.missteps import Missteps
from knower.sat.question import Fairness, Invariant, Question
from knower.sat.question import question as asked_of
from knower.verdict.evidence import Both, Case, Either
from knower.verdict.verdict import Answer, Verdict, unknown
from knower.verdict.warnings import NoFairInitialState

#: Evidence for an existential formula counts the initial states, if there are no more than so many.
_MOST_INITIAL = 1000
#: Up to so many steps it is asked after each whether longer paths matter; later, when they have doubled.
_ALWAYS = 12
#: How many of them evidence tells of.
_MOST_CASES = 32


@dataclass(frozen=True)
class _Pair:
    """A formula and its negation, both in negation normal form, of the same shape."""

    asked: Formula
    denied: Formula

    @property
    def operands(self) -> tuple[_Pair, _Pair]:
        left, right = zip(self.asked.children, self.denied.children, strict=True)
        return _Pair(*left), _Pair(*right)  # type: ignore[arg-type]


@dataclass
class _Shown:
    """Initial states at which an existential formula was shown, as cubes of bits; why at some of them."""

    cubes: list[Cube] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)


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

    def _is_milestone(self, steps: int) -> bool:
        """Whether it is time to ask if longer paths can matter: that takes longer than to go on."""
        return steps <= _ALWAYS or steps == self._lengths[-1] or steps & (steps - 1) == 0

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

    def has_fair_start(self) -> bool:
        """Whether some initial state is found to have a fair path."""
        for steps in self._growing():
            if self._fairness.is_impossible(steps) or self._fairness.is_possible:
                break
        return bool(self._fairness.is_possible)

    @cached_property
    def _has_one_start(self) -> bool:
        return len(list(islice(self.context.initial_states(), 2))) == 1

    # -- formulas ---------------------------------------------------------------------------------------

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
        question = asked_of(self.context, pair.denied)
        always = self._invariant(pair.asked)
        try:
            for steps in self._growing():
                if self._is_vacuous(steps):
                    return Finding(_VACUOUS)
                if question.shown(steps):
                    return Finding(_FALSE, (question.case(),))
                if not self._is_milestone(steps):
                    continue
                if question.is_exhausted(steps) or (always is not None and always.is_proved(steps)):
                    return Finding(_TRUE)
        finally:
            question.close()
            if always is not None:
                always.close()
        return _unknown(NoCounterexample(self._lengths[-1]))

    def _invariant(self, asked: Formula) -> Invariant | None:
        """What the formula follows from, if that can be said of every reachable state alone."""
        held = lasting(asked)
        return None if held is None else Invariant(self.context, held)

    def _shown(self, asked: Formula) -> Finding:
        """Witnesses of an existential formula: each shows it at a cube of initial states."""
        question, shown, never = asked_of(self.context, asked), _Shown(), self._never(asked)
        try:
            for steps in self._growing():
                if self._is_vacuous(steps):
                    return Finding(_VACUOUS)
                while question.shown(steps):
                    if len(shown.cases) < _MOST_CASES:
                        shown.cases.append(question.case())
                    shown.cubes.append(question.beginnings())
                    question.leave_out(shown.cubes[-1])
                if self._is_milestone(steps) and never is not None and never.is_proved(steps):
                    if not self.context.fairness or self.has_fair_start():
                        return Finding(_FALSE)
                if not question.is_left() or (self._is_milestone(steps) and question.is_exhausted(steps)):
                    return self._told(shown, fails=question.is_left() and self._is_fair_beside(shown, steps))
        finally:
            question.close()
        return _unknown(NoWitness(self._lengths[-1]))

    def _never(self, asked: Formula) -> Invariant | None:
        """That no reachable state is what an existential formula comes to, if that is of single states."""
        held = lasting(negation_normal_form(f.Not(asked)))
        return None if held is None or held == f.TRUE else Invariant(self.context, held)

    def _told(self, shown: _Shown, *, fails: bool) -> Finding:
        """What is known when the formula is shown at these initial states, and perhaps fails at another."""
        if fails:
            return Finding(_FALSE)
        cases = tuple(shown.cases)
        if self.context.fairness:  # each cube is one state then
            return Finding(_TRUE, cases, len(shown.cubes) - len(cases))
        initial = sum(1 for _ in islice(self.context.initial_states(), _MOST_INITIAL + 1))
        return Finding(_TRUE) if initial > _MOST_INITIAL else Finding(_TRUE, cases, initial - len(cases))

    def _is_fair_beside(self, shown: _Shown, steps: int) -> bool:
        """Whether another initial state has a fair path, where so many steps are enough to tell."""
        if not self.context.fairness:
            return True
        question = Question(self.context, f.EG(f.TRUE))
        for cube in shown.cubes:
            question.leave_out(cube)
        try:
            return question.shown(steps)
        finally:
            question.close()

    # -- conjunctions and disjunctions of different kinds -----------------------------------------------

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
