"""The states of a model for those who look at single ones, by decision diagrams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from knower.checking.evaluate import Evaluator
from knower.functions.protocol import F
from knower.logic.formula import Formula
from knower.symbolic.decode import Decoder
from knower.system.expressions import JointAction, State


class SymbolicStates(Generic[F]):
    """The states of some evaluator, and the steps between them (an `evidence.view.Graph`)."""

    def __init__(self, evaluator: Evaluator[F]) -> None:
        self.evaluator = evaluator
        self.model = evaluator.model
        self.space = evaluator.model.space
        self.decoder = Decoder(evaluator.model)
        self.explicit = self.decoder.explicit
        self.nothing: F = self.space.false
        self.universe: F = evaluator.universe
        self.reachable: F = evaluator.model.reachable
        self.initial: F = evaluator.initial
        self.fairness: tuple[F, ...] = tuple(c & evaluator.universe for c in evaluator.paths.fairness)
        self.looped: F = evaluator.model.relation.looped & evaluator.universe
        self.finite = evaluator.finite
        self.is_part = evaluator.model.is_part
        self._taken: dict[tuple[str, str | None], F] = {}

    def where(self, formula: Formula) -> F:
        return self.evaluator.states(formula)

    def step(self) -> None:
        self.model.step()

    def one(self, states: F) -> State:
        return self.decoder.state(states)

    def only(self, state: State) -> F:
        return self.decoder.code(state)

    def count(self, states: F) -> int:
        return self.model.system.count(states)

    # -- steps --------------------------------------------------------------------------------------------

    def pre(self, states: F) -> F:
        return self.model.relation.pre(states) & self.universe

    def post(self, states: F) -> F:
        return self.model.relation.post(states) & self.universe

    def joint(
        self, before: State, after: State, fixed: Mapping[str, str | None], choices: F | None = None
    ) -> JointAction:
        """`choices`: the states and actions that count, if not all do."""
        if self.only(before) & self.looped != self.nothing:
            return ()
        fixing = self.choice(fixed)
        return self.decoder.joint(before, after, fixing if choices is None else fixing & choices)

    @property
    def endless(self) -> F:
        return self.evaluator.paths.endless & self.universe

    def choice(self, fixed: Mapping[str, str | None]) -> F:
        """Where these agents take these actions; of those without a choice nothing is said."""
        chosen = self.space.true
        for pair in fixed.items():
            if pair not in self._taken:
                self._taken[pair] = self._where_taken(*pair)
            chosen = chosen & self._taken[pair]
        return chosen

    def _where_taken(self, name: str, action: str | None) -> F:
        if name not in self.model.steps.players:
            return self.space.true
        number = self.explicit.system.agent_named[name].actions.index(str(action))
        return self.model.steps.action(name, number)
