"""The uniform models of a system: some agents play one action per observation.

With a solver, models are proposed and refuted: one that fails is excluded by what is done on all observations
of its states. Of a formula that fails in every model which has a certain part, what is done in that part is
enough. Without a solver, they are tried one observation at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Generic, TypeAlias

from knower.checking.observations import Strategy
from knower.checking.proposals import Proposals
from knower.checking.strategy_branching import first_choice
from knower.functions.protocol import F
from knower.functions.solvers import is_installed
from knower.symbolic.exploration import explored
from knower.symbolic.model import SymbolicModel
from knower.symbolic.system import TransitionSystem

#: Whether something fails in a part of a model, and so in every model that has this part.
Fails: TypeAlias = Callable[[SymbolicModel[F]], bool]


def uniform_models(
    model: SymbolicModel[F], names: Iterable[str], fails: Fails[F] | None = None
) -> Iterator[SymbolicModel[F]]:
    """The models in which these agents play one action per observation, one by one.

    `fails`: whether a model, or a part of it, cannot be what is looked for; such models may be left out.
    """
    players = [name for name in names if name in model.steps.players]
    if players and is_installed():
        return _Search(model, players, fails).models()
    return _tried(model, players)


def _tried(model: SymbolicModel[F], players: Sequence[str]) -> Iterator[SymbolicModel[F]]:
    steps, loops, budget = model.steps, model.system.loops, model.budget
    todo = [model.space.true]
    while todo:
        budget.step()
        strategy = todo.pop()
        narrow = explored(TransitionSystem(steps, loops=loops, restrictions=(strategy,)), budget)
        options = first_choice(narrow.system, players, narrow.reachable, strategy)
        if options is None:
            yield narrow
        else:
            todo += [strategy & option for option in options]


class _Search(Generic[F]):
    """Models by counterexamples."""

    def __init__(self, model: SymbolicModel[F], players: Sequence[str], fails: Fails[F] | None) -> None:
        self.model = model
        self.space = model.space
        self.players = players
        self.fails = fails
        self.proposals = Proposals(model.budget.check)
        self.strategy = Strategy(model, players, self.proposals)
        self.own = self.space.quantified(model.system.relations.coalition_bits(tuple(players)))

    def models(self) -> Iterator[SymbolicModel[F]]:
        while self.proposals.accepts():
            self.strategy.follow(self.proposals.chosen)
            layers = self._layers()
            found = self._narrowed(reduce(or_, layers))
            failing = self._failing(found, layers)
            if failing is None:
                yield found
            states = found.reachable if failing is None else failing
            self.proposals.refute(self.strategy.made_in(states))

    def _layers(self) -> list[F]:
        """The states that are reached when all do what is chosen, step by step; what is met is decided."""
        steps, seen = self.model.coalition(self.players), self.model.initial
        layers = [seen]
        while layers[-1] != self.space.false:
            self.model.step()
            self.strategy.decide(layers[-1])
            after = self.space.exists(steps.post(layers[-1] & self.strategy.function), self.own)
            layers.append(after & ~seen)
            seen = seen | after
        return layers[:-1]

    def _narrowed(self, reachable: F) -> SymbolicModel[F]:
        system = self.model.system
        narrow = TransitionSystem(system.steps, loops=system.loops, restrictions=(self.strategy.function,))
        return SymbolicModel(narrow, reachable, self.model.budget, is_part=False)

    def _failing(self, found: SymbolicModel[F], layers: Sequence[F]) -> F | None:
        """The states of the first steps in which the model fails already; None if it does not fail at all."""
        if self.fails is None or not self.fails(found):
            return None
        least, most = 1, len(layers)
        while least < most:
            half = (least + most) // 2
            part = found.on(reduce(or_, layers[:half]))
            least, most = (least, half) if self.fails(part) else (half + 1, most)
        return reduce(or_, layers[:most])
