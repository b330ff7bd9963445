"""What explanations ask of an engine, answered by sets of numbered states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product

from knower.bitset.automaton import Product
from knower.bitset.bits import Bits, least
from knower.bitset.evaluate import Evaluator
from knower.bitset.space import Members
from knower.logic.formula import Formula, Strategic
from knower.logic.goal import Goal
from knower.system.expressions import JointAction, State


class BitsetView:
    """The states of some evaluator (an `evidence.view.View`)."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.space = evaluator.space
        self.explicit = evaluator.space.explicit
        self.nothing: Bits = 0
        self.universe: Bits = evaluator.universe
        self.reachable: Bits = evaluator.space.all
        self.initial: Bits = evaluator.initial
        self.fairness: tuple[Bits, ...] = evaluator.fairness
        self.looped: Bits = evaluator.space.looped & evaluator.universe
        self.finite = evaluator.finite
        self.is_part = False

    @property
    def endless(self) -> Bits:
        return self.evaluator.endless

    def where(self, formula: Formula) -> Bits:
        return self.evaluator.states(formula)

    def step(self) -> None:
        self.evaluator.budget.tick()

    def one(self, states: Bits) -> State:
        return self.space.states[least(states & self.reachable)]

    def only(self, state: State) -> Bits:
        return 1 << self.space.number[state]

    def count(self, states: Bits) -> int:
        return (states & self.reachable).bit_count()

    # -- steps ----------------------------------------------------------------------------------------------

    def pre(self, states: Bits) -> Bits:
        return self.evaluator.graph.pre(states & self.universe)

    def post(self, states: Bits) -> Bits:
        return self.evaluator.graph.post(states & self.universe)

    def joint(self, before: State, after: State, fixed: Mapping[str, str | None]) -> JointAction:
        number, goal = self.space.number[before], self.only(after)
        if self.looped >> number & 1:
            return ()
        seats = {self.explicit.seat[name]: action for name, action in fixed.items()}
        for options, leads_to in self.space.moves[number]:
            if leads_to & goal and all(action in options[seat] for seat, action in seats.items()):
                return tuple([seats.get(seat, actions[0]) for seat, actions in enumerate(options)])
        raise AssertionError("the step was found before")

    def tracks(self, path: Formula, starts: Bits) -> BitsetProductView:
        return BitsetProductView(self, path, starts)

    # -- what agents see and do -----------------------------------------------------------------------------

    def indistinguishable_to_all(self, states: Bits, members: Members) -> Bits:
        return self.evaluator.observations.alike(members, states)

    def choices(self, state: State, members: Members) -> Iterable[JointAction]:
        options = self.space.options(state)
        return product(*(options[self.explicit.seat[name]] for name in members)) if all(options) else ()

    def outcomes(self, state: State, members: Members, choice: JointAction) -> Bits:
        return self.evaluator.game(members).choices[self.space.number[state]].get(choice, 0)

    def choice_into(
        self, state: State, members: Members, inside: Bits, *, may_stop: bool
    ) -> JointAction | None:
        for choice in self.choices(state, members):
            outcomes = self.outcomes(state, members, choice)
            if not outcomes & ~inside and (may_stop or outcomes):
                return choice
        return None

    def layers(self, members: Members, goal: Goal[Bits]) -> list[Bits]:
        return self.evaluator.game(members).layers(goal)

    def force(self, members: Members, states: Bits) -> Bits:
        return self.evaluator.game(members).force(states & self.universe)

    def opponents_pre(self, members: Members, states: Bits) -> Bits:
        return self.evaluator.game(members).opponents_pre(states & self.universe)

    def lost_paths(self, state: State, formula: Strategic) -> None:
        raise AssertionError("uniform strategies are refused")

    def tactic(self, state: State, formula: Strategic) -> Callable[[str, State], str | None]:
        raise AssertionError("uniform strategies are refused")


class BitsetProductView:
    """The states of a view, each with what a path through it owes (an `evidence.view.ProductView`).

    A state has the model's values first; behind them, the number of a node of the automaton.
    """

    def __init__(self, view: BitsetView, path: Formula, starts: Bits) -> None:
        self._view = view
        self._product: Product = view.evaluator.product(path)
        self.nothing: Bits = 0
        self.universe: Bits = self._product.universe
        self.initial: Bits = starts & view.universe  # the first node is what is owed at the start
        self.fairness: tuple[Bits, ...] = self._product.fairness
        endless = self._product.everywhere(view.endless)
        self.goal: Bits = self._product.settled & (self.universe if view.finite else endless)

    @property
    def endless(self) -> Bits:
        return self._product.winning

    def step(self) -> None:
        self._view.step()

    def one(self, states: Bits) -> State:
        node, number = divmod(least(states & self.universe), self._product.size)
        return *self._view.space.states[number], node

    def only(self, state: State) -> Bits:
        node = state[-1]
        assert isinstance(node, int)
        return self._view.only(state[:-1]) << node * self._product.size

    def pre(self, states: Bits) -> Bits:
        return self._product.pre(states & self.universe)

    def post(self, states: Bits) -> Bits:
        return self._product.post(states & self.universe)

    def joint(self, before: State, after: State, fixed: Mapping[str, str | None]) -> JointAction:
        return self._view.joint(before[:-1], after[:-1], fixed)
