"""What the lints of one agent say, as a value that can be kept and sent."""

from __future__ import annotations

from typing import TypeAlias

from knower.errors import Diagnostic
from knower.records import dataclass

#: The owner and the name of a variable.
Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class AgentFindings:
    """The lints of an agent, and what those of the whole model need to know of it.

    They depend on the agent, on what others declare, and on the protocols of those whose actions it hears.
    """

    findings: tuple[Diagnostic, ...]
    #: The variables that the agent reads, and its own that have a history.
    reads: frozenset[Key]
    with_history: frozenset[Key]
