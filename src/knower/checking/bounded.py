"""Bounded checking: a universal formula that fails among the states found so far fails for good.

States are collected step by step, as for a full check. Now and then the formulas are asked of the part
of the model that is known: what fails there, or for an existential formula holds there, is decided. When
there are no more states, the part is the whole, and every formula is.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, ClassVar

from knower.checking.check import BddModel
from knower.checking.evaluate import Worlds
from knower.checking.heuristics import Looks, heuristic
from knower.checking.view import SymbolicView
from knower.logic.language import Specification
from knower.logic.polarity import Polarity, polarity
from knower.logic.rewrite import closed
from knower.options import NUMBERED_HEURISTICS, AtlReading, DeadlockPolicy, Search
from knower.symbolic.exploration import Exploration
from knower.symbolic.model import SymbolicModel
from knower.symbolic.steps import Steps
from knower.system.expressions import State
from knower.verdict import reasons
from knower.verdict.verdict import Answer, Verdict


@dataclass
class BoundedModel(BddModel):
    """A system that is explored as far as its formulas need."""

    search: Search = field(default_factory=Search)
    _more_sweeps: ClassVar[int] = 4  # what is left of looks

    def __post_init__(self) -> None:
        self._heuristic = heuristic(self.search.heuristic)
        self._started = time.process_time()
        super().__post_init__()

    # -- exploring ------------------------------------------------------------------------------------------

    def _explore(self) -> None:
        super()._explore()
        self._part: Worlds[Any] | None = None
        self._looks = Looks(self._started)

    def _modelled(self, steps: Steps[Any]) -> SymbolicModel[Any]:
        """Only begins: the model has its initial states. If steps are counted, they are taken one by one."""
        strategy = "frontier" if self._counts_steps else "auto"
        self._growth: Exploration[Any] | None = Exploration(self._system(steps), self.budget, strategy)
        return self._growth.model

    def _look_for_missteps(self) -> None:
        if self._growth is None:
            super()._look_for_missteps()

    def _complete(self) -> None:
        """All states are known: from now on this is a full check."""
        assert self._growth is not None
        self.model = self._growth.model
        self._growth = None
        self._look_for_missteps()

    @property
    def states(self) -> int | None:
        return super().states if self._growth is None else None

    @property
    def statistics(self) -> dict[str, str | int | float]:
        found = super().statistics
        if self._growth is not None:
            visited = self.model.system.count(self._growth.reached)
            found |= {"depth": self._growth.depth, "states visited": visited}
        return found

    # -- checking -------------------------------------------------------------------------------------------

    def check(self, spec: Specification) -> Answer:
        return self._with_room(lambda: self._bounded(spec))

    def _bounded(self, spec: Specification) -> Answer:
        read = self._read(spec)
        early = self._decides_early(read)
        while self._growth is not None:
            if early and self._wants_to_look() and (answer := self._looked(read)) is not None:
                return answer
            if self._is_at_the_bound():
                return Answer(Verdict.UNKNOWN, self._why_undecided(read, self._growth.depth))
            self._grow()
        return self._checked(spec)

    def _decides_early(self, spec: Specification) -> bool:
        """Whether a part of the model can decide the formula."""
        if self.reading.on_deadlock is DeadlockPolicy.FAIL or self.reading.atl is AtlReading.UNIFORM_MODELS:
            return False
        constraints = [polarity(closed(each)) for each in self.system.fairness]
        fair = spec.language.finite or all(each.existential for each in constraints)
        return fair and any(polarity(closed(spec)))

    def _why_undecided(self, spec: Specification, depth: int) -> str:
        if not self._decides_early(spec):
            return reasons.needs_all_states(depth)
        universal = polarity(closed(spec)).universal
        return reasons.no_counterexample(depth) if universal else reasons.no_witness(depth)

    @property
    def _counts_steps(self) -> bool:
        """Whether somebody has said how many steps to go."""
        return self.search.bound is not None or self._heuristic.name in NUMBERED_HEURISTICS

    def _to_the_end(self) -> None:
        while self._growth is not None:
            self._grow()

    def _grow(self) -> None:
        assert self._growth is not None
        self._growth.advance()
        self._part = None
        if self._growth.complete:
            self._complete()

    def _is_at_the_bound(self) -> bool:
        assert self._growth is not None
        depth, bound = self._growth.depth, self.search.bound
        one_shot = self._heuristic.name == "one-shot" and depth >= self._heuristic.number
        return one_shot or (bound is not None and depth >= bound)

    def _wants_to_look(self) -> bool:
        growth = self._growth
        assert growth is not None
        nodes = self.model.space.size(growth.reached)
        return growth.depth == self.search.bound or self._heuristic.wants(self._looks, growth.depth, nodes)

    def _looked(self, spec: Specification) -> Answer | None:
        """What the states found so far tell, if they do."""
        growth, asked = self._growth, polarity(closed(spec))
        assert growth is not None
        nodes = self.model.space.size(growth.reached)
        answers: list[Answer] = []

        def work() -> bool:
            worlds = self._worlds_for(growth.model, finite=spec.language.finite)
            answers.extend(self._told(worlds, spec, asked))
            return bool(answers)

        return answers[0] if self._looks.look(growth.depth, nodes, work) else None

    def _told(self, worlds: Worlds[Any], spec: Specification, asked: Polarity) -> list[Answer]:
        holds = worlds.holds(spec)
        everybody = worlds.initial == self.model.initial  # nobody has been left out as unfair
        if (asked.universal and not holds) or (asked.existential and holds and everybody):
            self._part = worlds
            return [Answer(Verdict.TRUE if holds else Verdict.FALSE)]
        return []

    def seek(self, sought: Collection[str]) -> None:
        """Look for missteps among the states found; if they are asked for, among those that follow."""
        self._with_room(lambda: self._seek(sought))

    def _seek(self, sought: Collection[str]) -> None:
        while self._growth is not None:
            self._look_for_missteps_in(self._growth.model)
            found = {warning.code for warning in self.warnings}
            if found.issuperset(sought) or self._is_at_the_bound():
                return
            self._grow()

    def _holds_at(self, spec: Specification, state: State) -> bool:
        self._to_the_end()
        return super()._holds_at(spec, state)

    def view(self, spec: Specification) -> SymbolicView[Any] | None:
        """The part in which the last formula was decided, or all states."""
        if self._growth is not None and self._part is None:  # all has begun anew, in a larger room
            self._bounded(spec)
        if self._growth is not None and self._part is not None:
            return SymbolicView(self._part)
        return super().view(spec)
