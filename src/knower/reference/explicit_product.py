"""Paths on which a path formula holds, for evidence: states with what is owed in them, one by one."""

from __future__ import annotations

from collections.abc import Mapping

from knower.logic.formula import Formula
from knower.logic.linear import skeleton
from knower.reference.explicit_states import ExplicitStates
from knower.reference.paths import owing_on_paths, owing_on_traces
from knower.reference.subset import Subset
from knower.system.expressions import JointAction, State


class ExplicitProductView:
    """The states of a view, each with what a path through it owes (an `evidence.view.ProductView`).

    A state has the model's values first; behind them, its number among the states of the product.
    """

    def __init__(self, view: ExplicitStates, path: Formula, starts: Subset) -> None:
        evaluator, numbers, split = view.evaluator, starts.members(), skeleton(path)
        labels = {name: evaluator.states(part) for name, part in split.states.items()}
        if view.finite:
            found = owing_on_traces(split.body, labels, evaluator.walks, numbers, evaluator.budget)
        else:
            found = owing_on_paths(
                split.body, labels, evaluator.walks, evaluator.fairness, numbers, evaluator.budget
            )
        self._view = view
        self._states = found.states
        self._owing = found
        self._graph = found.graph
        self.nothing = self._set(frozenset())
        self.universe = self._set(found.graph.nodes)
        self.initial = self._set(found.roots)
        endless = view.endless.members()
        paid = found.ends if view.finite else {k for k in found.ends if found.states[k] in endless}
        self.goal = self._set(frozenset(paid))
        self.fairness: tuple[Subset, ...] = tuple(map(self._set, found.fairness))
        self.endless = self._set(found.winning)

    def _set(self, numbers: frozenset[int]) -> Subset:
        return Subset(self._graph.nodes, numbers)

    def step(self) -> None:
        self._view.step()

    def one(self, states: Subset) -> State:
        number = min(states.members())
        return *self._view.space.states[self._states[number]], number

    def only(self, state: State) -> Subset:
        number = state[-1]
        assert isinstance(number, int)
        return self._set(frozenset([number]))

    def pre(self, states: Subset) -> Subset:
        return self._set(self._graph.pre(states.members()))

    def post(self, states: Subset) -> Subset:
        return self._set(frozenset(after for k in states.members() for after in self._graph.next[k]))

    def joint(self, before: State, after: State, fixed: Mapping[str, str | None]) -> JointAction:
        ends = before[-1], after[-1]
        asked = {item: item in self._owing.doing[ends] for item in self._owing.asked}  # type: ignore[index]
        return self._view.joint(before[:-1], after[:-1], fixed, asked)
