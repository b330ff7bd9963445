"""Paths on which a path formula holds, for evidence: the product with its automaton, state by state."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Generic

from knower.checking.symbolic_states import SymbolicStates
from knower.checking.temporal import Paths
from knower.functions.protocol import F
from knower.logic.formula import Formula
from knower.logic.linear import normal, skeleton
from knower.logic.simplify import simplified
from knower.system.expressions import JointAction, State


class SymbolicProductView(Generic[F]):
    """The states of a view, each with what a path through it owes (an `evidence.view.ProductView`).

    A state has the model's values first; behind them, one truth value for each bit of the automaton.
    """

    def __init__(self, view: SymbolicStates[F], path: Formula, starts: F) -> None:
        self._view = view
        self.nothing: F = view.nothing
        self.universe: F = view.universe
        evaluator = view.evaluator
        split = skeleton(path)
        labels = {name: evaluator.known(part) for name, part in split.states.items()}
        formula = simplified(normal(split.body), finite=evaluator.finite)
        self._product = evaluator.linear.product(formula, labels)
        self._automaton = automaton = self._product.automaton
        self._bits = [bit.place for bit in automaton.pending.values()]
        if evaluator.finite:
            self._relation = self._product.owing.relation
        else:  # a path may be infinite: what must not be put off is in the breakpoint set
            self._relation = self._product.with_breakpoints(evaluator.paths.relation)
            self._bits += [bit.place for bit in automaton.in_breakpoint.values()]
        self.initial: F = starts & automaton.start & automaton.breakpoint_empty
        self.goal: F = self._paid()
        self.fairness: tuple[F, ...] = (automaton.accepting, automaton.breakpoint_empty, *view.fairness)

    def _paid(self) -> F:
        if self._view.finite:
            return self.universe & self._automaton.ending()
        return self._view.endless & self._automaton.nothing_pending

    @cached_property
    def endless(self) -> F:
        model = self._view.model
        product = Paths(model, self.universe, (), self._relation)
        return product.until(self.universe, self._product.on_cycles) & self.universe

    def step(self) -> None:
        self._view.step()

    def one(self, states: F) -> State:
        layout = self._view.model.layout
        chosen = self._view.space.pick(states, [*layout.now, *self._bits])
        assert chosen is not None, "an empty set has no state to pick"
        return *self._view.decoder.decoded(chosen), *(chosen[bit] for bit in self._bits)

    def only(self, state: State) -> F:
        size = len(state) - len(self._bits)
        owed = self._view.model.steps.cube(self._bits, map(bool, state[size:]))
        return self._view.only(state[:size]) & owed

    def pre(self, states: F) -> F:
        return self._relation.pre(states) & self.universe

    def post(self, states: F) -> F:
        return self._relation.post(states) & self.universe

    def joint(self, before: State, after: State, fixed: Mapping[str, str | None]) -> JointAction:
        size = len(before) - len(self._bits)
        owing = self._bits, before[size:], after[size:]
        here = self._view.only(before[:size])
        if here & self._view.looped == self.nothing:
            return self._view.joint(before[:size], after[:size], fixed, self._product.choices(*owing))
        doing = self._product.in_loop(here, *owing)
        if doing is None:
            return ()
        agents = self._view.explicit.system.agents
        return tuple(doing.get(agent.name, next(iter(agent.actions), None)) for agent in agents)
