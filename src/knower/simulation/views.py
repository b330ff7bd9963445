"""Parts of a state: what some agents see, or what is theirs."""

from __future__ import annotations

from collections.abc import Iterable

from knower.errors import UsageError, did_you_mean
from knower.records import dataclass
from knower.system.domains import Value
from knower.system.expressions import State
from knower.system.system import InterpretedSystem
from knower.verdict.trace import GlobalState


@dataclass(frozen=True)
class View:
    """A part of the variables; a state seen through it holds only those."""

    system: InterpretedSystem
    seen: frozenset[tuple[str, str]]
    agents: tuple[str, ...] = ()  # they appear even if nothing of theirs is seen

    @classmethod
    def of(cls, system: InterpretedSystem, names: Iterable[str]) -> View:
        """What these agents, or members of groups, see together."""
        agents = [system.agent_named[name] for name in members(system, names)]
        return cls(system, frozenset(key for agent in agents for key in agent.observes))

    @classmethod
    def owned(cls, system: InterpretedSystem, agents: tuple[str, ...]) -> View:
        """The variables of these agents."""
        return cls(system, frozenset(v.key for v in system.variables if v.owner in agents), agents)

    def __call__(self, state: State) -> GlobalState:
        """The values that are seen, under the names of their owners."""
        named: dict[str, dict[str, Value]] = {agent: {} for agent in self.agents}
        for variable, value in zip(self.system.variables, state, strict=True):
            if variable.key in self.seen:
                named.setdefault(variable.owner, {})[variable.name] = value
        return named


def members(system: InterpretedSystem, names: Iterable[str]) -> tuple[str, ...]:
    """The agents that names of agents and groups stand for, in the order of the model."""
    known = [*system.agent_named, *system.groups]
    found: set[str] = set()
    for name in names:
        if name not in known:
            raise UsageError("E624", f"unknown agent or group `{name}`", did_you_mean(name, known))
        found |= set(system.members(name))
    return tuple(name for name in system.agent_named if name in found)
