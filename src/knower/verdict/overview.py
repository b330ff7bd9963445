"""What a model consists of, in names and numbers."""

from __future__ import annotations

from knower.records import dataclass


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """One agent. `observes` lists what it sees of the Environment."""

    name: str
    variables: tuple[str, ...]
    actions: tuple[str, ...]
    observes: tuple[str, ...]
    protocol_lines: int
    evolution_lines: int


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What a model consists of. `potential_states` counts all combinations of values."""

    name: str
    semantics: str
    agents: tuple[AgentInfo, ...]
    propositions: tuple[str, ...]
    groups: dict[str, tuple[str, ...]]
    fairness: int
    formulas: tuple[tuple[str, str], ...]
    potential_states: int
    #: The same for models with the same agents and initial states.
    digest: str = ""
