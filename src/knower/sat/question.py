"""One existential formula, asked of a system with paths that grow step by step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from knower.logic.formula import EF, EG, TRUE, Formula, Not
from knower.logic.kinds import is_propositional
from knower.logic.rewrite import negation_normal_form
from knower.records import dataclass
from knower.sat.claims import Start
from knower.sat.context import BmcContext
from knower.sat.decode import Decoder
from knower.sat.fragment import is_existential
from knower.sat.frames import Frame, Frames
from knower.sat.lifting import Cube
from knower.sat.machine import Spelling
from knower.sat.paths import Constraint, Paths
from knower.sat.reached import Reached, reach_of
from knower.sat.solver import Lit
from knower.sat.spans import Span, is_from_start, span
from knower.sat.translate import Translation, constraint
from knower.verdict.evidence import Case, State


@dataclass(frozen=True)
class _Guess:
    """The literal says that a constraint with universal operators holds at a frame; no clause sees to it."""

    formula: Formula
    frame: Frame
    literal: Lit


class Question:
    """Whether an existential formula can be shown at an initial state."""

    def __init__(self, context: BmcContext, formula: Formula, *, fair: bool = True) -> None:
        self.context = context
        self.formula = formula
        self.fairness = context.fairness if fair else ()
        self.frames = Frames(context.stamps, context.clauses(), loops=context.loops)
        self.paths = Paths(self.frames, [partial(self._constraint, each) for each in self.fairness])
        self.steps = 0
        self._guesses: list[_Guess] = []
        self._start: Start | None = None

    def shown(self, steps: int) -> bool:
        """Whether paths of at most so many steps show it, at some initial state that is not left out."""
        if self._start is None or steps != self.steps:
            self.steps = steps
            self._start = Translation(self.paths, steps, self.context.encoding).start(self.formula)
        while self.frames.clauses.solve(self._start.assumed):
            wrong = dict.fromkeys(self._wrong_guesses())
            if not wrong:
                return True
            for formula, state in wrong:
                self._rule_out(formula, state)
        return False

    @property
    def beginning(self) -> State:
        """The initial state where it has just been shown."""
        return self.frames.state(self.paths[0].at(0))

    def beginnings(self) -> Cube:
        """The initial state where it has just been shown, as bits."""
        return Spelling(self.context.stamps.encoding).code(self.beginning)

    def leave_out(self, cube: Cube) -> None:
        """From now on it is to be shown at other initial states."""
        self.frames.clauses.add([-literal for literal in self.frames.literals(self.paths[0].at(0), cube)])

    def is_left(self) -> bool:
        """Whether there are initial states that are not left out."""
        return bool(self.frames.clauses.solve([self.frames.initial(self.paths[0].at(0))]))

    def case(self) -> Case:
        """Why, when it has just been shown."""
        assert self._start is not None, "it has been asked"
        decoder = Decoder(self.frames, fair=bool(self.fairness))
        return decoder.case(self._start.claim, self.paths[0], self._start.loop)

    def is_exhausted(self, steps: int) -> bool:
        """Whether longer paths cannot show more than those of so many steps.

        A fair path goes on to a loop that is made of one more stretch for each constraint.
        """
        if not self.fairness and is_from_start(self.formula):
            return is_propositional(self.formula) or self.context.loopfree.longest_from_start(steps)
        whole = span(self.formula)
        if whole is None or not self.fairness:
            return self.context.is_enough(steps, whole)
        fair = Span(max(2, whole.stretches), whole.steps).later(len(self.fairness))
        return self.context.is_enough_for_fair_paths(steps, fair)

    def close(self) -> None:
        self.frames.clauses.forget()

    # -- fairness constraints with universal operators --------------------------------------------------

    def _constraint(self, formula: Formula) -> Constraint:
        """A fairness constraint of one path: shown by paths, or guessed."""
        if is_existential(formula):
            return constraint(formula, self.frames, self.context.encoding)
        return lambda bound: partial(self._guessed, formula)

    def _guessed(self, formula: Formula, frame: Frame) -> Lit:
        guess = _Guess(formula, frame, self.frames.clauses.fresh())
        self.frames.clauses.add((-guess.literal, self.frames.valid(frame)))
        self._guesses.append(guess)
        for state in self.context.oracle(formula).refuted:
            self._deny(guess, state)
        return guess.literal

    def _wrong_guesses(self) -> Iterator[tuple[Formula, State]]:
        """What is guessed in the assignment found, and does not hold."""
        for guess in self._guesses:
            if self.frames.clauses.holds(guess.literal):
                state = self.frames.state(guess.frame)
                if self.context.oracle(guess.formula).refutes(state):
                    yield guess.formula, state

    def _rule_out(self, formula: Formula, state: State) -> None:
        for guess in self._guesses:
            if guess.formula == formula:
                self._deny(guess, state)

    def _deny(self, guess: _Guess, state: State) -> None:
        code = self.frames.code(guess.frame, state)
        self.frames.clauses.add([-guess.literal, *(-literal for literal in code)])


def question(context: BmcContext, formula: Formula, *, fair: bool = True) -> Question | Reached:
    """The formula, asked in the cheapest way."""
    reach = None if fair and context.fairness else reach_of(formula)
    return Question(context, formula, fair=fair) if reach is None else Reached(context, formula, reach)


class Invariant:
    """Whether a propositional formula holds in all reachable states, by induction."""

    def __init__(self, context: BmcContext, formula: Formula) -> None:
        self.context = context
        self.formula = formula
        self._broken = question(context, EF(negation_normal_form(Not(formula))), fair=False)
        self._hopeless = False

    def is_proved(self, steps: int) -> bool:
        """Whether it holds for so many steps from the start and, if it does, for one more."""
        self._hopeless = self._hopeless or self._broken.shown(steps)
        if self._hopeless:
            return False
        loopfree = self.context.loopfree
        return loopfree.induces(self.formula, steps) or loopfree.longest_from_start(steps)

    def close(self) -> None:
        self._broken.close()


class Fairness:
    """Whether some initial state has a fair path, as far as it was looked for."""

    def __init__(self, context: BmcContext) -> None:
        self.context = context
        self.is_possible: bool | None = None
        self._lasso = Question(context, EG(TRUE))
        never = [negation_normal_form(Not(each)) for each in context.fairness if is_propositional(each)]
        self._never = [Invariant(context, each) for each in never]
        self._looked = -1

    def is_impossible(self, steps: int) -> bool:
        """Whether paths of so many steps are enough to tell that there is none."""
        while self.is_possible is None and self._looked < steps:
            self._looked += 1
            self.is_possible = self._found(self._looked)
            if self.is_possible is not None:
                self._close()
        return self.is_possible is False

    def _close(self) -> None:
        self._lasso.close()
        for never in self._never:
            never.close()

    def _found(self, steps: int) -> bool | None:
        if self._lasso.shown(steps):
            return True
        met_never = any(never.is_proved(steps) for never in self._never)
        return False if met_never or self._is_exhausted(steps) else None

    def _is_exhausted(self, steps: int) -> bool:
        """A fair lasso is a path to a loop that is made of one more for each constraint."""
        return self.context.is_enough_for_fair_paths(steps, Span(1 + len(self.context.fairness)))
