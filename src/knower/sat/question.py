"""One existential formula, asked of a system with paths that grow step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from knower.limits import Budget
from knower.logic.formula import EF, Formula, Not, is_propositional
from knower.logic.rewrite import negation_normal_form
from knower.sat.claims import Start
from knower.sat.decode import Decoder
from knower.sat.fragment import is_bounded, stretch
from knower.sat.frames import Frames, Stamps
from knower.sat.loopfree import LoopFree
from knower.sat.paths import Paths
from knower.sat.solver import Clauses
from knower.sat.translate import Translation
from knower.verdict.evidence import Case, State


@dataclass
class Setting:
    """What all questions about a system share; `loops`: deadlocks have a step to themselves."""

    stamps: Stamps
    budget: Budget
    fairness: tuple[Formula, ...]
    loops: bool
    encoding: str
    used: list[Clauses] = field(default_factory=list)

    def clauses(self) -> Clauses:
        """A new solver; what is asked of it is counted."""
        made = Clauses(self.budget)
        self.used.append(made)
        return made

    @cached_property
    def loopfree(self) -> LoopFree:
        return LoopFree(self.stamps, self.clauses(), loops=self.loops)

    def initial_states(self) -> Iterator[State]:
        """The initial states, one by one."""
        frames = Frames(self.stamps, self.clauses())
        frame = frames.fresh()
        begins = frames.initial(frame)
        while frames.clauses.solve([begins]):
            state = frames.state(frame)
            yield state
            frames.clauses.add([-literal for literal in frames.code(frame, state)])

    def is_deadlock_free(self) -> bool:
        """Whether every valid state, reachable or not, has a successor."""
        frames = Frames(self.stamps, self.clauses())
        frame = frames.fresh()
        return not frames.clauses.solve([frames.valid(frame), frames.stuck(frame)])


class Question:
    """Whether an existential formula can be shown at an initial state."""

    def __init__(self, setting: Setting, formula: Formula, *, fair: bool = True) -> None:
        self.setting = setting
        self.formula = formula
        self.fairness = setting.fairness if fair else ()
        self.frames = Frames(setting.stamps, setting.clauses(), loops=setting.loops)
        self.paths = Paths(self.frames, self.fairness)
        self.steps = 0
        self._start: Start | None = None

    def shown(self, steps: int, at: State | None = None) -> bool:
        """Whether paths of at most so many steps show it: at some initial state, or at this one."""
        if self._start is None or steps != self.steps:
            self.steps = steps
            self._start = Translation(self.paths, steps, self.setting.encoding).start(self.formula)
        there = [] if at is None else self.frames.code(self.paths[0].at(0), at)
        return bool(self.frames.clauses.solve([*self._start.assumed, *there]))

    def case(self) -> Case:
        """Why, when it has just been shown."""
        assert self._start is not None, "it has been asked"
        decoder = Decoder(self.frames, fair=bool(self.fairness))
        return decoder.case(self._start.claim, self.paths[0], self._start.loop)

    def is_exhausted(self, steps: int) -> bool:
        """Whether longer paths cannot show more than those of so many steps.

        With `m` fairness constraints a fair lasso is a path to a loop that is made of `m` more; what
        comes before it is another one.
        """
        pieces = stretch(self.formula)
        if pieces is None:
            return False
        if self.fairness:
            return self._is_longest(steps // (len(self.fairness) + 2) - 1)
        if is_bounded(self.formula):
            return is_propositional(self.formula) or self.setting.loopfree.longest_from_start(steps)
        return self._is_longest((steps + 1) // pieces - 1 if pieces > 1 else steps)

    def _is_longest(self, steps: int) -> bool:
        return steps >= 0 and self.setting.loopfree.longest(steps)

    def close(self) -> None:
        self.frames.clauses.forget()


class Invariant:
    """Whether a propositional formula holds in all reachable states, by induction."""

    def __init__(self, setting: Setting, formula: Formula) -> None:
        self.setting = setting
        self.formula = formula
        self._broken = Question(setting, EF(negation_normal_form(Not(formula))), fair=False)
        self._hopeless = False

    def is_proved(self, steps: int) -> bool:
        """Whether it holds for so many steps from the start and, if it does, for one more."""
        self._hopeless = self._hopeless or self._broken.shown(steps)
        if self._hopeless:
            return False
        loopfree = self.setting.loopfree
        return loopfree.induces(self.formula, steps) or loopfree.longest_from_start(steps)

    def close(self) -> None:
        self._broken.close()
