"""What all questions about a system share: its circuits, what paths cannot pass, where formulas hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cached_property

from knower.errors import Unsupported
from knower.limits import Budget
from knower.logic.formula import Formula, Not
from knower.logic.rewrite import negation_normal_form
from knower.options import SOLVERS
from knower.records import dataclass
from knower.sat.fragment import is_existential
from knower.sat.frames import Frames, Stamps
from knower.sat.lifting import Lifting
from knower.sat.loopfree import LoopFree
from knower.sat.paths import Paths
from knower.sat.solver import Clauses, Lit
from knower.sat.spans import Span, span
from knower.sat.translate import Translation
from knower.sat.unfolding import Unfolding
from knower.verdict.evidence import State

#: How hard it may be to tell that every state has a successor.
_CONFLICTS = 2_000


@dataclass
class BmcContext:
    """What all questions about a system share; `loops`: deadlocks have a step to themselves."""

    stamps: Stamps
    budget: Budget
    fairness: tuple[Formula, ...]
    loops: bool
    encoding: str
    #: How many steps paths may have.
    bound: int = 30
    solver: str = SOLVERS[0]
    used: list[Clauses] = field(default_factory=list)
    _oracles: dict[Formula, Oracle] = field(default_factory=dict)

    def clauses(self) -> Clauses:
        """A new solver; what is asked of it is counted."""
        made = Clauses(self.budget, self.solver)
        self.used.append(made)
        return made

    @cached_property
    def unfolding(self) -> Unfolding:
        """One path from the start, along which all questions about single states look."""
        machine = self.stamps.machine(loops=self.loops)
        return Unfolding(machine, self.clauses(), total=self.loops or self._is_total)

    @cached_property
    def _is_total(self) -> bool:
        """Whether it is easily told that every valid state has a successor."""
        frames = Frames(self.stamps, self.clauses())
        frame = frames.fresh()
        try:
            stuck = frames.stuck(frame)
        except Unsupported:
            return False
        return frames.clauses.solve([frames.valid(frame), stuck], _CONFLICTS) is False

    @cached_property
    def lifting(self) -> Lifting:
        return Lifting(self.stamps.machine(loops=self.loops), self.clauses)

    @cached_property
    def loopfree(self) -> LoopFree:
        return LoopFree(self.stamps, self.clauses(), loops=self.loops)

    def is_enough(self, steps: int, *spans: Span | None) -> bool:
        """Whether so many steps are enough for all paths of these spans, wherever they begin."""
        longest = min(-1 if each is None else each.longest_within(steps) for each in spans)
        return longest >= 0 and self.loopfree.longest(longest)

    def is_enough_for_fair_paths(self, steps: int, span_of_path: Span) -> bool:
        """The same of a fair path; what shows that constraints hold along it must fit too."""
        shown = [span(each) for each in self.fairness if is_existential(each)]
        return not self.is_guessing and self.is_enough(steps, span_of_path, *shown)

    @property
    def is_guessing(self) -> bool:
        """Whether it is not known everywhere where fairness constraints hold."""
        return any(oracle.is_guessing for oracle in self._oracles.values())

    def oracle(self, formula: Formula) -> Oracle:
        """What tells where a universal formula holds."""
        if formula not in self._oracles:
            self._oracles[formula] = Oracle(self, formula)
        return self._oracles[formula]

    def initial_states(self) -> Iterator[State]:
        """The initial states, one by one."""
        frames = Frames(self.stamps, self.clauses())
        frame = frames.fresh()
        begins = frames.initial(frame)
        while frames.clauses.solve([begins]):
            state = frames.state(frame)
            yield state
            frames.clauses.add([-literal for literal in frames.code(frame, state)])


class Oracle:
    """Where a universal formula holds, without fairness: its negation is looked for at one state at a time.

    `refuted`: the states where it does not hold, or where that is not known; it is then `is_guessing`.
    """

    def __init__(self, context: BmcContext, formula: Formula) -> None:
        self.context = context
        self.denied = negation_normal_form(Not(formula))
        self.is_guessing = False
        self._known: dict[State, bool] = {}
        self._frames = Frames(context.stamps, context.clauses(), loops=context.loops)
        self._paths = Paths(self._frames)
        self._here = self._paths[0].at(0)
        self._literals: list[Lit] = []

    @property
    def refuted(self) -> Iterator[State]:
        return (state for state, known in self._known.items() if known)

    def refutes(self, state: State) -> bool:
        """Whether the formula is not to be taken to hold at a state."""
        if state not in self._known:
            self._known[state] = self._refutes(state)
        return self._known[state]

    def _refutes(self, state: State) -> bool:
        at = self._frames.code(self._here, state)
        for steps in range(self.context.bound + 1):
            if self._frames.clauses.solve([self._denial(steps), *at]):
                return True
            if self.context.is_enough(steps, span(self.denied)):
                return False
        self.is_guessing = True
        return True

    def _denial(self, steps: int) -> Lit:
        """What implies that the formula does not hold here, by paths of so many steps."""
        while len(self._literals) <= steps:
            translation = Translation(self._paths, len(self._literals), self.context.encoding)
            self._literals.append(translation.anywhere(self.denied)(self._here))
        return self._literals[steps]
