"""The uniform models of a system: some agents play one action per observation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knower.checking.strategy_branching import first_choice
from knower.functions.protocol import F
from knower.symbolic.exploration import explored
from knower.symbolic.model import SymbolicModel
from knower.symbolic.system import TransitionSystem


def uniform_models(model: SymbolicModel[F], names: Iterable[str]) -> Iterator[SymbolicModel[F]]:
    """The models in which these agents play one action per observation, one by one."""
    steps, loops, budget = model.steps, model.system.loops, model.budget
    players = [name for name in names if name in steps.players]
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
