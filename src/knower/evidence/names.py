"""The names of a system, as evidence uses them."""

from __future__ import annotations

from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Vocabulary


def vocabulary_of(system: InterpretedSystem) -> Vocabulary:
    """The names of a system, in its order."""
    return Vocabulary(
        tuple(agent.name for agent in system.agents),
        tuple(variable.key for variable in system.variables),
        tuple(agent.observes for agent in system.agents),
    )
