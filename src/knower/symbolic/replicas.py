"""Which parts of a model are replicas of each other: child 1, child 2, …, and all that is theirs.

Names tell it best: `Child3` and `child3` belong together. Without numbers, agents with the same
variables are replicas, and a variable of the Environment belongs to the replica that alone sees it,
or that alone does not (the muddy child's own forehead).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from knower.records import dataclass
from knower.symbolic.layout import Key
from knower.system.system import ENVIRONMENT, Agent, InterpretedSystem

_NUMBER = re.compile(r"(\d+)\D*$")
#: So many agents with the same variables are no coincidence.
_LEAST_ALIKE = 3


def number_in(name: str) -> int | None:
    """The number of the replica that something is named after: 3 for `Child3`."""
    found = _NUMBER.search(name)
    return int(found.group(1)) if found else None


@dataclass(frozen=True)
class Replicas:
    """The replicas of a system, by number; None for what all share."""

    system: InterpretedSystem

    def of_variable(self, key: Key) -> int | None:
        number = number_in(key[1])
        if number is None:
            number = self.of_agent.get(key[0])
        if number is None and key[0] == ENVIRONMENT:
            number = self._by_who_sees(key)
        return number

    @cached_property
    def of_agent(self) -> dict[str, int]:
        """By the number in its name, or by its place among agents alike."""
        shapes = Counter(_shape(agent) for agent in self.system.agents)
        found: dict[str, int] = {}
        for place, agent in enumerate(self.system.agents):
            number = number_in(agent.name)
            if number is None and shapes[_shape(agent)] >= _LEAST_ALIKE:
                number = place
            if number is not None:
                found[agent.name] = number
        return found

    @cached_property
    def _viewers(self) -> dict[Key, list[str]]:
        """For each variable the replicas that see it."""
        found: dict[Key, list[str]] = {variable.key: [] for variable in self.system.variables}
        for agent in self.system.agents:
            if agent.name in self.of_agent:
                for key in agent.observes:
                    found[key].append(agent.name)
        return found

    def _by_who_sees(self, key: Key) -> int | None:
        viewers = self._viewers[key]
        if not viewers or len(viewers) == len(self.of_agent):
            return None
        blind = [name for name in self.of_agent if name not in viewers]
        special = blind if len(blind) < len(viewers) else viewers
        return self.of_agent[special[0]] if len(special) <= 2 else None


def _shape(agent: Agent) -> tuple[str, ...]:
    return tuple(variable.name for variable in agent.variables)
