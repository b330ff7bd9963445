"""The uniform models of a system: some agents play one action per observation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from knower.limits import Budget
from knower.options import DeadlockPolicy
from knower.reference.space import StateSpace, explore
from knower.system.explicit import Explicit, Observation
from knower.system.expressions import JointAction, State


def uniform_spaces(
    explicit: Explicit, budget: Budget, on_deadlock: DeadlockPolicy, names: tuple[str, ...]
) -> Iterator[StateSpace]:
    """The models in which these agents play one action per observation, one by one."""
    players = tuple(name for name in names if explicit.system.agent_named[name].actions)
    todo: list[dict[tuple[str, Observation], str]] = [{}]
    while todo:
        budget.tick()
        strategy = todo.pop()
        table = _Table(explicit, players, strategy)
        try:
            yield explore(explicit, budget, on_deadlock, table.joint_actions)
        except _Undecided as missing:
            todo += [{**strategy, missing.key: action} for action in missing.options]


class _Undecided(Exception):
    """A uniform strategy meets an observation for which it has no action yet."""

    def __init__(self, key: tuple[str, Observation], options: tuple[str, ...]) -> None:
        self.key = key
        self.options = options


@dataclass(frozen=True)
class _Table:
    """A strategy table as a restriction of the joint actions."""

    explicit: Explicit
    players: tuple[str, ...]
    strategy: dict[tuple[str, Observation], str]

    def joint_actions(self, state: State) -> Iterator[JointAction]:
        choices: list[tuple[str | None, ...]] = []
        for agent in self.explicit.system.agents:
            enabled = self.explicit.enabled(agent.name, state)
            if not agent.actions:
                choices.append((None,))
            elif agent.name in self.players and len(enabled) > 1:
                choices.append((self._chosen(agent.name, state, enabled),))
            else:
                choices.append(enabled)
        yield from product(*choices)

    def _chosen(self, name: str, state: State, enabled: tuple[str, ...]) -> str:
        key = name, self.explicit.sees(name, state)
        if key not in self.strategy:
            raise _Undecided(key, enabled)
        return self.strategy[key]
