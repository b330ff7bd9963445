"""What goes through the socket, both ways. These types are the JSON; `typescript` makes those of the page.

A request has a number, which every reply to it repeats; `cancel` ends the work for one.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from knower.report.why_data import EvidenceData, RunData, Value, VariableData

#: Of the messages; a page of another version says so and is loaded anew.
VERSION = 1

VerdictWord = Literal["true", "false", "unknown"]


class FromBrowser(TypedDict):
    """A request: `args` are those of its call. The first message has the token instead."""

    token: NotRequired[str]
    id: NotRequired[int]
    call: NotRequired[str]
    cancel: NotRequired[int]


class Problem(TypedDict):
    """Something wrong or suspicious in a text; places count as JavaScript does."""

    severity: Literal["error", "warning"]
    code: str
    message: str
    cure: str | None
    line: int | None
    column: int | None
    start: int | None
    end: int | None


class Failure(TypedDict):
    """Why there is no answer. `forgotten`: the model has to be opened again. `found`: of a conflict."""

    kind: Literal["input", "limit", "forgotten", "conflict", "refused", "fault", "stopped"]
    problems: list[Problem]
    found: NotRequired[str | None]


class ToBrowser(TypedDict):
    """A reply: news on the way, or one of `done` and `failed` at the end."""

    id: int
    failed: NotRequired[Failure]


# -- the house ------------------------------------------------------------------------------------------


class Nothing(TypedDict):
    """No arguments, or no answer but that it is done."""


class Hello(TypedDict):
    """What the server is and has. `drafts`: the files with changes that were not saved."""

    version: int
    knower: str
    root: str
    first: str | None
    files: list[str]
    drafts: list[str]
    engines: list[str]
    methods: list[str]
    readings: list[str]
    deadlocks: list[str]
    seconds: float


class Path(TypedDict):
    """A model file, by its path from the root."""

    path: str


class Files(TypedDict):
    """The model files there are."""

    files: list[str]


class DraftText(TypedDict):
    """What was typed and not saved, and the hash of the file it began from."""

    text: str
    base: str | None


class FileText(TypedDict):
    """A file as it is now, and the draft of it; without a hash there is only the draft."""

    path: str
    text: str
    hash: str | None
    draft: DraftText | None


class Save(TypedDict):
    """Write a file that is still what it was; without a hash it must not be there yet."""

    path: str
    text: str
    hash: str | None


class Saved(TypedDict):
    """What the file is now; None where there is none."""

    hash: str | None


class KeepDraft(TypedDict):
    """Keep what was typed; None forgets it."""

    path: str
    draft: DraftText | None


# -- models ---------------------------------------------------------------------------------------------


class OpenModel(TypedDict):
    """Read a text as a model. `constants`: values in the place of those of the text, as they are written."""

    name: str
    text: str
    constants: dict[str, str]


class Domain(TypedDict):
    """What values a variable can have: `values` is empty for long ranges."""

    kind: Literal["boolean", "enum", "range"]
    values: list[Value]
    text: str


class AgentFacts(TypedDict):
    """An agent, and the line it is declared at."""

    name: str
    actions: list[str]
    line: int
    variables: list[str]


class FormulaFacts(TypedDict):
    """A formula of the file, and where it stands."""

    text: str
    logic: str
    expected: VerdictWord
    line: int


class ConstantFacts(TypedDict):
    """A constant of a model, its value as it is written, and of what kind that is."""

    name: str
    value: str
    kind: Literal["number", "boolean", "set"]


class ModelFacts(TypedDict):
    """What a model consists of."""

    agents: list[AgentFacts]
    variables: list[VariableData]
    domains: list[Domain]
    propositions: list[str]
    groups: dict[str, list[str]]
    formulas: list[FormulaFacts]
    fairness: int
    combinations: str
    constants: list[ConstantFacts]


class Opened(TypedDict):
    """A model, by the name the server knows it by from now on; or the problems of its text."""

    model: str
    problems: list[Problem]
    facts: ModelFacts | None


# -- questions --------------------------------------------------------------------------------------------


class CheckOptions(TypedDict):
    """How to read and decide; what is left out is as usual."""

    engine: NotRequired[str]
    method: NotRequired[str]
    atl: NotRequired[str]
    on_deadlock: NotRequired[str]
    finite: NotRequired[bool]
    bound: NotRequired[int]
    seconds: NotRequired[float]
    vacuity: NotRequired[bool]
    evidence: NotRequired[Literal["auto", "none", "all"]]


class Ask(TypedDict):
    """Decide formulas; None: those of the file, and whether it has deadlocks and overflows."""

    model: str
    formulas: list[str] | None
    options: CheckOptions


class Answer(TypedDict):
    """What is known of one formula. `name`: of the file. `explained`: `why` can be asked."""

    number: int
    name: str | None
    text: str
    logic: str
    verdict: VerdictWord
    expected: VerdictWord
    reason: str | None
    seconds: float
    engine: str
    atl: str | None
    explained: str | None
    left_out: str | None
    pending: bool
    warnings: list[str]


class Notice(TypedDict):
    """What makes verdicts misleading, with a path that shows it if there is one."""

    code: str
    message: str
    run: RunData | None


class Running(TypedDict):
    """How far a check is."""

    phase: str
    seconds: float
    figures: dict[str, str | int | float]
    states: str | None
    answers: list[Answer]


class Checked(TypedDict):
    """A check that is over; `run` is its number for `why`."""

    run: int
    engine: str
    states: str | None
    seconds: float
    stopped: bool
    answers: list[Answer]
    notices: list[Notice]
    deadlock: Literal["found", "none", "unknown"]
    overflow: Literal["found", "none", "unknown"]
    statistics: dict[str, str | int | float]


# -- why --------------------------------------------------------------------------------------------------


class AskWhy(TypedDict):
    """The evidence for one answer of a run."""

    run: int
    number: int


class Why(TypedDict):
    """Evidence, and which variables the formula speaks of (their places)."""

    formula: str
    verdict: VerdictWord
    evidence: EvidenceData
    mentions: list[int]


class AskAnother(TypedDict):
    """Other evidence for the same "false": from another initial state, or by another successor at a step.

    `states`: the path up to the step, or nothing; `avoid`: initial states, or successors, that were seen.
    """

    run: int
    number: int
    states: list[list[Value]]
    avoid: list[list[Value]]


class Another(TypedDict):
    """Other evidence, and the run it is of."""

    run: int
    number: int
    why: Why


class Watch(TypedDict):
    """Formulas and terms at states, without any check."""

    model: str
    expressions: list[str]
    states: list[list[Value]]


class Column(TypedDict):
    """The values of one expression; None where it has none. `problem`: why there are none."""

    text: str
    values: list[Value | None]
    problem: str | None


class Columns(TypedDict):
    """A column for each expression."""

    columns: list[Column]


class AskStep(TypedDict):
    """A step of a model: which lines fired."""

    model: str
    before: list[Value]
    action: list[str | None]
    after: list[Value]


class SourceLine(TypedDict):
    """A line of a model: where it stands, and what it says."""

    agent: str
    section: Literal["Protocol", "Evolution"]
    line: int
    last: int
    text: str


class Fired(TypedDict):
    """The lines that made a step what it was."""

    lines: list[SourceLine]
