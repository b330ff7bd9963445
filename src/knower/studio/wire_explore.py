"""More of what goes through the socket: of the simulator, of pictures, and for those who learn."""

from __future__ import annotations

from typing import TypedDict

from knower.report.why_data import RunData, Value
from knower.studio.wire import SourceLine

# -- explore ------------------------------------------------------------------------------------------------


class Begin(TypedDict):
    """The first initial states, or those that satisfy a condition."""

    model: str
    where: str


class States(TypedDict):
    """Some states, and how many there are; None where nobody has counted."""

    states: list[list[Value]]
    count: str | None


class Look(TypedDict):
    """A state to look at."""

    model: str
    state: list[Value]


class AgentChoices(TypedDict):
    """What an agent can do, and what it has but cannot do here."""

    agent: str
    enabled: list[str]
    disabled: list[str]


class MoveData(TypedDict):
    """A joint action that is enabled, where it leads, and what goes wrong with it."""

    action: list[str | None]
    states: list[list[Value]]
    count: str
    trouble: str | None


class Situation(TypedDict):
    """A state, and what can be done there. `ways`: how many joint actions there are; some are in `moves`."""

    initial: bool
    propositions: list[str]
    choices: list[AgentChoices]
    ways: str
    moves: list[MoveData]


class Moves(TypedDict):
    """The joint actions in which some agents do this."""

    model: str
    state: list[Value]
    only: dict[str, str]


class Walk(TypedDict):
    """A random walk from a state, or from some initial one."""

    model: str
    state: list[Value] | None
    steps: int
    seed: int


class Walked(TypedDict):
    """A path."""

    run: RunData


class AskWhyNot(TypedDict):
    """Why an agent cannot do something here; or, with a joint action, which of its lines do not fire."""

    model: str
    state: list[Value]
    agent: str
    wanted: str | None
    action: list[str | None] | None


class Conjunct(TypedDict):
    """A part of a condition, and whether it holds."""

    text: str
    holds: bool


class LineReason(TypedDict):
    """A line, whether its condition holds, and which parts of it do."""

    line: SourceLine
    holds: bool
    conjuncts: list[Conjunct]


class WhyNot(TypedDict):
    """The lines that could have done it."""

    lines: list[LineReason]


class AskPossible(TypedDict):
    """What some agents together take for possible at a state."""

    model: str
    state: list[Value]
    agents: list[str]


class AskKnown(TypedDict):
    """What holds at a state, and who knows it."""

    model: str
    state: list[Value]
    formulas: list[str]


class Known(TypedDict):
    """One formula at a state: whether it holds, and how each agent stands to it."""

    text: str
    holds: bool | None
    stances: dict[str, str]
    problem: str | None


class Knowns(TypedDict):
    """One for each formula."""

    known: list[Known]


# -- pictures -----------------------------------------------------------------------------------------------


class AskGraph(TypedDict):
    """States and steps: from the beginning, or around a state; at most so many."""

    model: str
    most: int
    around: list[Value] | None


class EdgeData(TypedDict):
    """Steps from one state to another: some of their joint actions, and how many there are."""

    source: int
    target: int
    actions: list[list[str | None]]
    count: int


class GraphData(TypedDict):
    """States and the steps between them. `complete`: all that are reachable; else the nearest ones."""

    states: list[list[Value]]
    initial: list[bool]
    fair: list[bool]
    edges: list[EdgeData]
    complete: bool


class Announce(TypedDict):
    """What is said in all reachable worlds, one after the other; and what is asked then."""

    model: str
    states: list[list[Value]]
    said: list[str]
    asked: str


class Announced(TypedDict):
    """The worlds that are left (their places), how many after each announcement, and where it holds."""

    left: list[int]
    counts: list[int]
    holds: list[int]


class AskCoverage(TypedDict):
    """What of a model never happens."""

    model: str


class IdleAction(TypedDict):
    """An action that an agent never does."""

    agent: str
    action: str


class CoverageData(TypedDict):
    """Lines and actions that come to nothing in the states looked at; `complete`: in all there are."""

    states: int
    complete: bool
    lines: list[SourceLine]
    actions: list[IdleAction]


# -- learn --------------------------------------------------------------------------------------------------


class ParameterData(TypedDict):
    """What can be chosen in a family: a number, or one of some words."""

    name: str
    help: str
    default: int | str
    words: list[str]
    allowed: str


class FamilyData(TypedDict):
    """Models that differ in a few parameters."""

    name: str
    description: str
    source: str
    parameters: list[ParameterData]


class Families(TypedDict):
    """All of them."""

    families: list[FamilyData]


class Generate(TypedDict):
    """A member of a family."""

    name: str
    values: dict[str, int | str]


class Generated(TypedDict):
    """Its text."""

    name: str
    text: str
