"""The states of a model for those who look at single ones, by their numbers."""

from __future__ import annotations

from collections.abc import Mapping

from knower.logic.formula import Formula
from knower.reference.evaluate import Worlds
from knower.reference.space import StateSpace
from knower.reference.subset import Subset
from knower.system.expressions import JointAction, State


class ExplicitStates:
    """The states of some worlds, and the steps between them (an `evidence.view.Graph`)."""

    def __init__(self, worlds: Worlds) -> None:
        self.worlds = worlds
        self.space: StateSpace = worlds.space
        self.explicit = worlds.space.explicit
        self.nothing = self._set(frozenset())
        self.universe = self._set(worlds.universe)
        self.reachable = self._set(frozenset(range(len(worlds.space))))
        self.initial = self._set(frozenset(worlds.space.initial) & worlds.universe)
        self.fairness: tuple[Subset, ...] = tuple(self._set(c & worlds.universe) for c in worlds.fairness)
        self.looped = self._set(frozenset(worlds.space.looped) & worlds.universe)
        self.finite = worlds.finite
        self.is_part = False
        self.endless = self._set(worlds.graph.always(worlds.universe))
        self._known: dict[Formula, Subset] = {}

    def _set(self, numbers: frozenset[int]) -> Subset:
        return Subset(self.worlds.universe, numbers)

    def where(self, formula: Formula) -> Subset:
        if formula not in self._known:
            self._known[formula] = self._set(self.worlds.states(formula))
        return self._known[formula]

    def step(self) -> None:
        self.worlds.budget.tick()

    def one(self, states: Subset) -> State:
        return self.space.states[min(states.members())]

    def only(self, state: State) -> Subset:
        return self._set(frozenset([self.space.number[state]]))

    def count(self, states: Subset) -> int:
        return len(states.members())

    # -- steps --------------------------------------------------------------------------------------------

    def pre(self, states: Subset) -> Subset:
        return self._set(self.worlds.graph.pre(states.members()))

    def post(self, states: Subset) -> Subset:
        found = {after for number in states.members() for after in self.space.successors[number]}
        return self._set(frozenset(found) & self.worlds.universe)

    def joint(self, before: State, after: State, fixed: Mapping[str, str | None]) -> JointAction:
        if self.space.number[before] in self.space.looped:
            return ()
        seats = {self.explicit.seat[name]: action for name, action in fixed.items()}
        for joint in self.space.choices(before):
            chosen = all(joint[seat] == action for seat, action in seats.items())
            if chosen and after in self.explicit.successors(before, joint):
                return joint
        raise AssertionError("the step was found before")
