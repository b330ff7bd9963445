"""The states of a model for those who look at single ones, by their numbers."""

from __future__ import annotations

from collections.abc import Mapping

from knower.logic.formula import Does, Formula
from knower.reference.evaluate import Evaluator
from knower.reference.space import StateSpace
from knower.reference.subset import Subset
from knower.system.expressions import JointAction, State

_NOTHING: Mapping[Does, bool] = {}


class ExplicitStates:
    """The states of some evaluator, and the steps between them (an `evidence.view.Graph`)."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.space: StateSpace = evaluator.space
        self.explicit = evaluator.space.explicit
        self.nothing = self._set(frozenset())
        self.universe = self._set(evaluator.universe)
        self.reachable = self._set(frozenset(range(len(evaluator.space))))
        self.initial = self._set(frozenset(evaluator.space.initial) & evaluator.universe)
        self.fairness: tuple[Subset, ...] = tuple(
            self._set(c & evaluator.universe) for c in evaluator.fairness
        )
        self.looped = self._set(frozenset(evaluator.space.looped) & evaluator.universe)
        self.finite = evaluator.finite
        self.is_part = False
        self.endless = self._set(evaluator.graph.always(evaluator.universe))
        self._known: dict[Formula, Subset] = {}

    def _set(self, numbers: frozenset[int]) -> Subset:
        return Subset(self.evaluator.universe, numbers)

    def where(self, formula: Formula) -> Subset:
        if formula not in self._known:
            self._known[formula] = self._set(self.evaluator.states(formula))
        return self._known[formula]

    def step(self) -> None:
        self.evaluator.budget.tick()

    def one(self, states: Subset) -> State:
        return self.space.states[min(states.members())]

    def only(self, state: State) -> Subset:
        return self._set(frozenset([self.space.number[state]]))

    def count(self, states: Subset) -> int:
        return len(states.members())

    # -- steps --------------------------------------------------------------------------------------------

    def pre(self, states: Subset) -> Subset:
        return self._set(self.evaluator.graph.pre(states.members()))

    def post(self, states: Subset) -> Subset:
        found = {after for number in states.members() for after in self.space.successors[number]}
        return self._set(frozenset(found) & self.evaluator.universe)

    def joint(
        self,
        before: State,
        after: State,
        fixed: Mapping[str, str | None],
        asked: Mapping[Does, bool] = _NOTHING,
    ) -> JointAction:
        """`asked`: what is to be true, and what false, of who does what."""
        looped = self.space.number[before] in self.space.looped
        options = list(self.space.options(before))
        if looped:  # everybody may do anything
            options = [agent.actions or (None,) for agent in self.explicit.system.agents]
        for item, truth in asked.items():
            seat = self.explicit.seat[item.agent]
            options[seat] = tuple(each for each in options[seat] if (each == item.action) is truth)
        if looped:
            return tuple(each[0] for each in options) if asked else ()
        for name, action in fixed.items():
            seat = self.explicit.seat[name]
            options[seat] = tuple(each for each in options[seat] if each == action)
        for move in self.space.steps.moves(before, options):
            if after in move.successors():
                return move.joint
        raise AssertionError("the step was found before")
