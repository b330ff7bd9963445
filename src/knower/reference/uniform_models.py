"""The uniform models of a system: some agents play one action per observation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from knower.limits import Budget
from knower.options import DeadlockPolicy
from knower.records import dataclass
from knower.reference.space import StateSpace, Steps, explore
from knower.system.explicit import Explicit, Observation, Options
from knower.system.expressions import State

#: What agents do on seeing something.
Strategy: TypeAlias = dict[tuple[str, Observation], str | None]


def uniform_spaces(
    explicit: Explicit,
    budget: Budget,
    on_deadlock: DeadlockPolicy,
    names: tuple[str, ...],
    steps: Steps | None = None,
) -> Iterator[StateSpace]:
    """The models in which these agents play one action per observation, one by one."""
    players = tuple(name for name in names if explicit.system.agent_named[name].actions)
    todo: list[Strategy] = [{}]
    while todo:
        budget.tick()
        strategy = todo.pop()
        table = _Table(explicit, steps or explicit, players, strategy)
        try:
            yield explore(explicit, budget, on_deadlock, steps=steps, options=table.options)
        except _Undecided as missing:
            todo += [{**strategy, missing.key: action} for action in missing.options]


class _Undecided(Exception):
    """A uniform strategy meets an observation for which it has no action yet."""

    def __init__(self, key: tuple[str, Observation], options: tuple[str | None, ...]) -> None:
        self.key = key
        self.options = options


@dataclass(frozen=True)
class _Table:
    """A strategy table as a restriction of what agents choose from."""

    explicit: Explicit
    steps: Steps
    players: tuple[str, ...]
    strategy: Strategy

    def options(self, state: State) -> Options:
        options = list(self.steps.options(state))
        for name in self.players:
            seat = self.explicit.seat[name]
            if len(options[seat]) > 1:
                options[seat] = (self._chosen(name, state, options[seat]),)
        return options

    def _chosen(self, name: str, state: State, enabled: tuple[str | None, ...]) -> str | None:
        key = name, self.explicit.sees(name, state)
        if key not in self.strategy:
            raise _Undecided(key, enabled)
        return self.strategy[key]
