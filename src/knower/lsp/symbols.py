"""What a text can declare: names, sections, agents."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from knower.records import dataclass
from knower.source import Span

#: The agent that others observe.
ENVIRONMENT = "Environment"


class Kind(Enum):
    """What a name is the name of."""

    AGENT = "agent"
    VARIABLE = "variable"
    ACTION = "action"
    VALUE = "value"
    PROPOSITION = "proposition"
    GROUP = "group"
    LABEL = "label"
    CONSTANT = "constant"
    PARAMETER = "parameter"
    DEFINITION = "definition"
    BOUND = "bound name"


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something declared. `owner`: its agent, of a value `Agent.variable`; `detail`: what is said of it."""

    kind: Kind
    name: str
    span: Span
    extent: Span
    owner: str = ""
    detail: str = ""


#: A kind of thing and its owner; None where it may be anybody's.
Role: TypeAlias = tuple[Kind, str | None]


@dataclass(frozen=True, slots=True)
class Section:
    """`Vars: … end Vars`, or one line as `Actions = {…};`. `agent` is empty outside of agents."""

    word: str
    extent: Span
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Agent:
    name: str
    span: Span
    extent: Span
