"""The reachable states: three loops (Lomuscio, Qu and Raimondi 2015, algorithm 10), and chaining."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from knower.functions.protocol import F
from knower.limits import Budget
from knower.symbolic.closure import DEEP, by_closure
from knower.symbolic.model import SymbolicModel
from knower.symbolic.relation import Relation
from knower.symbolic.system import TransitionSystem


def explored(system: TransitionSystem[F], budget: Budget, method: str = "auto") -> SymbolicModel[F]:
    """The system with all states that its steps lead to from the initial ones."""
    states = reachable(system.relation, system.initial, system.count, budget, method)
    return SymbolicModel(system, states, budget, is_part=False)


def reachable(
    relation: Relation[F], initial: F, count: Callable[[F], int], budget: Budget, method: str = "auto"
) -> F:
    """All states that steps of the relation lead to from the initial ones.

    `auto` chains the moves of a relation that has several, and else goes breadth first.
    `count` counts states, for those who want to know how far it is.
    """
    loop = _Loop(relation, budget, count)
    if method == "auto":
        method = "chained" if len(relation.moves) > 1 else "frontier"
    match method:
        case "whole":
            return loop.whole(initial)
        case "layer":
            return loop.layer(initial)
        case "frontier":
            return loop.frontier(initial)
        case _:
            return loop.chained(initial)


@dataclass(frozen=True)
class _Loop(Generic[F]):
    relation: Relation[F]
    budget: Budget
    count: Callable[[F], int]

    def _step(self, reached: F) -> None:
        space = self.relation.space
        self.budget.step(lambda: f"{self.count(reached)} states, {space.size(reached)} nodes")

    def _leap(self, reached: F) -> F | None:
        """All the way at once, if that is possible."""
        return by_closure(self.relation, self.relation.space.true, lambda steps: steps.reached_from(reached))

    def whole(self, reached: F) -> F:
        """The image of everything reached so far, again and again."""
        before = self.relation.space.false
        while before != reached:
            self._step(reached)
            before, reached = reached, reached | self.relation.post(reached)
        return reached

    def layer(self, reached: F) -> F:
        """The image of the last image."""
        before, layer = self.relation.space.false, reached
        while before != reached:
            self._step(reached)
            layer = self.relation.post(layer)
            before, reached = reached, reached | layer
        return reached

    def frontier(self, reached: F) -> F:
        """The image of what was new in the last step: breadth first."""
        space, fresh, steps = self.relation.space, reached, 0
        while fresh != space.false:
            self._step(reached)
            fresh = self.relation.post(fresh) & ~reached
            reached, steps = reached | fresh, steps + 1
            if steps == DEEP and (whole := self._leap(reached)) is not None:
                return whole
        return reached

    def chained(self, reached: F) -> F:
        """Each move starts from what the moves before it have reached."""
        space = self.relation.space
        before, rounds = space.false, 0
        while before != reached:
            before, rounds = reached, rounds + 1
            if rounds == DEEP and (whole := self._leap(reached)) is not None:
                return whole
            for move in self.relation.moves:
                self._step(reached)
                reached = reached | move.post(reached)
        return reached
