"""What all tabs share: the session, the folder, and the models that were opened last."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import field, replace
from functools import cached_property
from typing import Any, TypeVar

from knower.errors import Diagnostic, InputError
from knower.messages import Call, Check, Fetch, Outline, Text
from knower.model import Model
from knower.options import Limits
from knower.pool.ticket import Order
from knower.pool.waiting import settled
from knower.records import dataclass
from knower.session import Session
from knower.simulation.questions import Questions
from knower.simulation.walk import Simulation
from knower.studio.folder import Folder
from knower.studio.wire import Failure, Problem
from knower.system.explicit import Explicit
from knower.verdict.verdict import CheckResult

#: So many models are known to the server by their names; pages open others again.
_MODELS = 30
#: So many runs of a tab are kept, for their evidence.
_RUNS = 12
T = TypeVar("T")


class Refused(Exception):
    """A request that is not answered, and why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure["kind"])
        self.failure = failure


def refused(kind: str, message: str, cure: str | None = None) -> Refused:
    """A refusal in words."""
    problem: Problem = {
        "severity": "error", "code": "", "message": message, "cure": cure,
        "line": None, "column": None, "start": None, "end": None,
    }  # fmt: skip
    return Refused({"kind": kind, "problems": [problem]})  # type: ignore[typeddict-item]


@dataclass(frozen=True)
class Loaded:
    """A model that was opened, with what is needed to look at single states of it."""

    text: Text
    model: Model

    @property
    def outline(self) -> Outline:
        known = self.model.interpreted
        return Outline(
            tuple(known.agent_named), dict(known.groups), tuple(known.propositions), len(known.formulae)
        )

    @cached_property
    def explicit(self) -> Explicit:
        return Explicit(self.model.interpreted)

    @cached_property
    def propositions(self) -> frozenset[str]:
        return frozenset(self.model.interpreted.propositions)

    def state(self, values: list[Any]) -> tuple[bool | int | str, ...]:
        """A state that came in; refused unless it has a value of its domain for each variable."""
        state = tuple(values)
        if not self.model.interpreted.has_values(state):
            raise refused("input", "this is no state of the model")
        return state

    def joint(self, action: list[str | None]) -> tuple[str | None, ...]:
        """A joint action that came in."""
        agents = self.model.interpreted.agents
        fits = len(action) == len(agents) and all(
            act in agent.actions if agent.actions else act is None
            for act, agent in zip(action, agents, strict=True)
        )
        if not fits:
            raise refused("input", "this is no joint action of the model")
        return tuple(action)


@dataclass(frozen=True)
class KeptRun:
    """A run that is over, and the model it was about."""

    loaded: Loaded
    check: Check
    result: CheckResult


@dataclass
class Workbench:
    """One for the server. `most`: what a request may use at most."""

    session: Session
    folder: Folder
    first: str | None = None
    most: Limits = field(default_factory=Limits)
    models: OrderedDict[str, Loaded] = field(default_factory=OrderedDict)

    def loaded(self, digest: str) -> Loaded:
        """A model by the name it was given; refused where it is forgotten."""
        if digest not in self.models:
            raise refused("forgotten", "the server does not know this model any more")
        self.models.move_to_end(digest)
        return self.models[digest]

    async def open(self, text: Text, asker: Hashable) -> Loaded:
        """Read a model; raises `InputError` with all that is wrong in it."""
        if text.digest not in self.models:
            model = await self.call(Fetch(text), asker)
            assert isinstance(model, Model)
            self.models[text.digest] = Loaded(text, model)
        while len(self.models) > _MODELS:
            self.models.popitem(last=False)
        return self.loaded(text.digest)

    def limits(self, seconds: float | None = None) -> Limits:
        """What a request may use, never more than the server allows."""
        allowed = [each for each in (seconds, self.most.seconds) if each is not None]
        return replace(self.most, seconds=min(allowed, default=None))

    async def call(self, what: Call, asker: Hashable, seconds: float | None = None) -> object:
        """A worker's answer. When the task that waits is cancelled, the work is, too."""
        ticket, begin = self.session.asked(Order(what, self.limits(seconds), asker=asker))
        begin()
        await settled(ticket)
        return ticket.value()


@dataclass
class Visit:
    """One tab: what it may ask for, and what is kept for it as long as it is open."""

    workbench: Workbench
    runs: OrderedDict[int, KeptRun] = field(default_factory=OrderedDict)
    _last: list[int] = field(default_factory=lambda: [0])

    def keep(self, run: KeptRun) -> int:
        """Keep a run, under a number."""
        self._last[0] += 1
        self.runs[self._last[0]] = run
        while len(self.runs) > _RUNS:
            self.runs.popitem(last=False)
        return self._last[0]

    def run(self, number: int) -> KeptRun:
        if number not in self.runs:
            raise refused("forgotten", "the server does not know this run any more", "check again")
        return self.runs[number]

    async def call(self, what: Call, seconds: float | None = None) -> object:
        return await self.workbench.call(what, id(self), seconds)

    async def aside(self, work: Callable[[], T]) -> T:
        """Something short that is not for a worker, without keeping other tabs waiting."""
        return await asyncio.to_thread(work)


#: Hears of the news of a request.
Tell = Callable[[Any], None]
Handler = Callable[[Visit, Any, Tell], Awaitable[Any]]


def simulation(loaded: Loaded, workbench: Workbench) -> Simulation:
    """A walk that asks the server's session where a state does not tell by itself."""
    from knower.session import System

    system = System(workbench.session, loaded.text.source, loaded.text, loaded.outline)
    system.__dict__["model"] = loaded.model
    return system.simulate()


def questions(loaded: Loaded, workbench: Workbench) -> Questions:
    """Formulas at single states."""
    return simulation(loaded, workbench)._questions


# -- problems -------------------------------------------------------------------------------------------


def problems_of(error: InputError, severity: str = "error") -> list[Problem]:
    """What is wrong with a text."""
    return [problem(found, severity) for found in error.diagnostics]


def problem(found: Diagnostic, severity: str = "error") -> Problem:
    """A finding, with its place as JavaScript counts it."""
    source = found.source
    placed = source is not None
    start = end = None
    if source is not None:
        start, end = (utf16(source.text, each) for each in (found.span.start, found.span.end))
    return {
        "severity": severity,  # type: ignore[typeddict-item]
        "code": found.code,
        "message": found.message,
        "cure": found.cure,
        "line": found.line if placed else None,
        "column": found.column if placed else None,
        "start": start,
        "end": end,
    }


def utf16(text: str, offset: int) -> int:
    """A place in a text as JavaScript counts: some characters are two there."""
    return offset + sum(char > "\uffff" for char in text[:offset]) if not text.isascii() else offset
