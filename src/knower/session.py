"""The use cases: load a model, check it, look at it. Command line and Python call these alike."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Hashable, Iterable
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

from knower.asking import Constants, Options, Question, inquiry, require_number, written
from knower.cores import usual_cores, usual_threads
from knower.engine.choices import possible
from knower.errors import Diagnostic
from knower.limits import Progress
from knower.logic.language import Specification
from knower.memory import Keeping, usual_keeping
from knower.messages import (
    Call,
    Check,
    Describe,
    Draw,
    DrawDiagram,
    Expand,
    Fetch,
    LayOut,
    Lint,
    Open,
    Outline,
    Text,
)
from knower.notebook_progress import NotebookLine
from knower.options import How, Limits, Reading, Search, Tuning, given
from knower.pool.pool import Pool
from knower.pool.processes import ForkedWorker, FreshWorker, Start, forks_safely
from knower.pool.ticket import Order, Ticket
from knower.pool.waiting import awaited, settled
from knower.portfolio import Contest
from knower.reasons import Interrupted
from knower.source import Source
from knower.sources import read_source
from knower.states import States
from knower.syntax.formulas import parse_formula as parse_formula_text
from knower.verdict.overview import ModelInfo
from knower.verdict.shown import shown
from knower.verdict.verdict import CheckResult

if TYPE_CHECKING:  # not needed by most runs
    from knower.cluster.fleet import Fleet
    from knower.model import Model
    from knower.simulation.walk import Simulation
    from knower.syntax import tree
    from knower.system.system import InterpretedSystem
    from knower.verdict.diagram import Diagram
    from knower.verdict.graph import StateGraph


class Session:
    """Worker processes that read models and answer questions about them, and keep what they find out.

    `cores`: workers, or their `threads` if they have several, are never more. `keeping`: how much each keeps
    of what it has explored. A session can be used from any thread; it ends with `close`, or with the process.
    `cluster`: the workers are those of a cluster, one process on each (docs/cluster.md); raises `UsageError`
    where there are none.
    """

    def __init__(
        self,
        cores: int | None = None,
        keeping: Keeping | None = None,
        start: Start = FreshWorker,
        threads: int | None = None,
        cluster: str | None = None,
    ) -> None:
        require_number("cores", cores, least=1)
        require_number("threads", threads, least=1)
        fleet = None if cluster is None else import_module("knower.cluster.fleet").Fleet(cluster)
        self.cores = (usual_cores() if fleet is None else fleet.size) if cores is None else cores
        self.threads = min(usual_threads() if threads is None else threads, self.cores)
        workers = self.cores // self.threads
        self._pool = Pool(start if fleet is None else fleet.start, workers, keeping or usual_keeping(workers))
        self._end = weakref.finalize(self, _closed, self._pool, fleet)

    @classmethod
    def of_command_line(cls, workers: int = 1, cores: int | None = None) -> Session:
        """Workers are forked, now, where that is safe: nothing else has been started yet.

        `cores` are for the threads of one worker, or for several workers.
        """
        cores = None if cores is None else min(cores, usual_cores())
        threads = None if cores is None else 1 if workers > 1 else cores
        session = cls(cores, start=ForkedWorker if forks_safely() else FreshWorker, threads=threads)
        session._pool.prepare(workers)
        session._pool.start = FreshWorker
        return session

    def load(
        self,
        path: str | Path,
        *,
        constants: Constants | None = None,
        strategy: str | Path | None = None,
        limits: Limits | None = None,
        since: float | None = None,
    ) -> System:
        """The model in a file; `-` reads standard input. Raises `InputError` with all errors found.

        `constants`: values for constants of the model, in the place of their defaults. `strategy`: a file
        that a check has saved; its members follow it, from the initial states it starts from.
        """
        followed = None if strategy is None else read_source(strategy)
        return self.opened(written(read_source(path), constants, followed), limits, since)

    def loads(
        self,
        text: str,
        name: str = "<text>",
        *,
        constants: Constants | None = None,
        limits: Limits | None = None,
    ) -> System:
        """The model in a text."""
        return self.opened(written(Source(name, text), constants), limits)

    def opened(self, text: Text, limits: Limits | None = None, since: float | None = None) -> System:
        """A model as it is sent."""
        return System(self, text.source, text, cast("Outline", self.call(Open(text), limits, since)))

    def formatted(self, source: Source, limits: Limits | None = None, since: float | None = None) -> str:
        """A text in canonical layout; raises `InputError` where it does not parse."""
        return cast("str", self.call(LayOut(Text(source.name, source.text)), limits, since))

    def call(
        self,
        what: Call,
        limits: Limits | None = None,
        since: float | None = None,
        progress: Progress | None = None,
    ) -> object:
        """The value a worker gives; raises `LimitReached` where a limit is met, and Ctrl-C as it comes."""
        order = Order(what, limits or Limits(), since, progress=progress is not None)
        ticket = Ticket(order, self._pool)
        try:
            self._pool.enqueue(ticket)
            awaited(ticket, progress)
        except BaseException:
            ticket.cancel()
            raise
        return ticket.value()

    def asked(self, order: Order, portfolio: str = "off") -> tuple[Ticket, Callable[[], None]]:
        """A ticket for an order, and what makes it be worked on: who is interrupted in between can cancel."""
        if portfolio == "off" or not isinstance(order.what, Check):
            ticket = Ticket(order, self._pool)
            return ticket, partial(self._pool.enqueue, ticket)
        contest = Contest(self._pool, order, order.what, everybody=portfolio == "all")
        return contest.ticket, contest.begin

    def workers(self) -> list[int]:
        """The processes there are."""
        return self._pool.workers()

    def at_work(self) -> list[tuple[str, Ticket]]:
        """Who does what: where, and for which ticket."""
        return self._pool.at_work()

    def close(self) -> None:
        """End all workers; what is under way is stopped."""
        self._end()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _closed(pool: Pool, fleet: Fleet | None) -> None:
    pool.close()
    if fleet is not None:
        fleet.close()


def _nothing_more() -> None:
    """What is begun is not begun again."""


class System:
    """A loaded model. What is explored for one question is kept for the next."""

    def __init__(self, session: Session, source: Source, text: Text, outline: Outline) -> None:
        self.session = session
        self.source = source
        self.outline = outline
        self.text = text

    @property
    def name(self) -> str:
        return self.source.name

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, System) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text.digest)

    def __reduce__(self) -> tuple[object, ...]:
        """A copy belongs to the usual session of its process."""
        return _loaded, (self.text,)

    # -- what it says -----------------------------------------------------------------------------------

    @cached_property
    def model(self) -> Model:
        """The tree of the text and what it means."""
        return cast("Model", self.session.call(Fetch(self.text)))

    @property
    def module(self) -> tree.Module:
        return self.model.module

    @property
    def interpreted(self) -> InterpretedSystem:
        """The typed system the engines work on."""
        return self.model.interpreted

    @property
    def formulae(self) -> tuple[str, ...]:
        """The formulas of the file, as canonical text."""
        return self.model.formulae

    def print(self, spec: Specification) -> str:
        """A specification as text that means the same in this model."""
        return self.model.print(spec)

    def parse(self, formula: str) -> Specification:
        """A formula over the names of this model."""
        return self.model.parse(formula)

    def to_ispl(self) -> str:
        """The model as canonical ISPL, without comments."""
        return self.model.to_ispl()

    def formatted(self) -> str:
        """The text in canonical layout, with its comments."""
        return self.session.formatted(self.source)

    def expanded(self, limits: Limits | None = None, since: float | None = None) -> str:
        """The model as plain ISPL, as MCMAS reads it; raises `InputError` where there is none."""
        return cast("str", self.session.call(Expand(self.text), limits, since))

    def lint(self, limits: Limits | None = None, since: float | None = None) -> list[Diagnostic]:
        """What is legal but looks like a mistake; raises `LimitReached` where a limit is met."""
        return cast("list[Diagnostic]", self.session.call(Lint(self.text), limits, since))

    @cached_property
    def info(self) -> ModelInfo:
        """Counts and names: what the model consists of."""
        return self.describe()

    def describe(self, limits: Limits | None = None, since: float | None = None) -> ModelInfo:
        """The same, within limits."""
        return cast("ModelInfo", self.session.call(Describe(self.text), limits, since))

    # -- questions --------------------------------------------------------------------------------------

    def check(
        self, *formulas: Question, progress: Progress | None = None, **options: Unpack[Options]
    ) -> CheckResult:
        """Decide the formulas given, or those of the file; `asking.Options` lists what else can be said.

        Limits give `unknown` with a reason. Ctrl-C ends the run with what is decided by then. `progress` is
        called now and then with a function that describes how far the work is; without it, a notebook shows a
        line while the work lasts.
        """
        with NotebookLine(progress) as show:
            ticket, begin = self._asked(formulas, options, Order, progress=show is not None)
            while not ticket.done:
                try:
                    begin()
                    awaited(ticket, show, "" if progress is show else "preparing")
                except KeyboardInterrupt:
                    begin = _nothing_more
                    ticket.cancel(Interrupted())
        return ticket.result()

    async def acheck(self, *formulas: Question, **options: Unpack[Options]) -> CheckResult:
        """`check` for event loops; when the task is cancelled, the work is, too."""
        ticket, begin = self._asked(formulas, options, Order)
        begin()
        await settled(ticket)
        return ticket.result()

    def submit(
        self,
        *formulas: Question,
        priority: int = 0,
        asker: Hashable = None,
        replaces: Hashable = None,
        **options: Unpack[Options],
    ) -> Ticket:
        """`check` without waiting: a ticket with `events()`, `cancel()` and `result()`.

        Questions of a higher `priority` come first; among those of the same, each `asker` has its turn; a
        newer question that `replaces` something stops the older one with the same mark.
        """
        urgency = partial(Order, priority=priority, asker=asker, replaces=replaces)
        require_number("priority", priority)
        hash((asker, replaces))  # raises `TypeError` for what cannot be told apart from others
        ticket, begin = self._asked(formulas, options, urgency, progress=True)
        begin()
        return ticket

    def _asked(
        self,
        formulas: Iterable[Question],
        options: Options,
        order: Callable[..., Order],
        *,
        progress: bool = False,
    ) -> tuple[Ticket, Callable[[], None]]:
        if "tuning" not in options:
            options = {"threads": self.session.threads, **options}
        asked = inquiry(self.text, self.outline, formulas, options)
        made = order(asked.check, asked.limits, asked.since, progress=progress)
        return self.session.asked(made, asked.portfolio)

    # -- looking at it ----------------------------------------------------------------------------------

    def simulate(self) -> Simulation:
        """Step by step through the model, from no state yet: `begin` at one."""
        from knower.simulation.walk import Simulation

        return Simulation(self.interpreted, self.states())

    def states(self, reading: Reading | None = None, limits: Limits | None = None) -> States:
        """What holds at single states, and what agents take for possible there."""
        return States(self, reading or Reading(), limits or Limits())

    def graph(
        self,
        *,
        max_states: int = 1000,
        show: tuple[str, ...] | None = None,
        limits: Limits | None = None,
        since: float | None = None,
    ) -> StateGraph:
        """The reachable states and the steps between them; raises `GraphTooLarge` if they are many."""
        return cast("StateGraph", self.session.call(Draw(self.text, max_states, show), limits, since))

    def diagram(
        self,
        *,
        vtree: str = "auto",
        order: str = "auto",
        minimise: str = "off",
        limits: Limits | None = None,
        since: float | None = None,
    ) -> Diagram:
        """The reachable states as a sentential decision diagram, with its vtree."""
        tuning = Tuning(order=order, vtree=vtree, minimise=minimise)
        possible(How("sdd", tuning, given=given(tuning, Search())))
        return cast("Diagram", self.session.call(DrawDiagram(self.text, tuning), limits, since))

    def _repr_html_(self) -> str:
        return str(shown("notebook:system_html", self.info))

    def __repr__(self) -> str:
        names = ", ".join(self.outline.agents)
        return f"<System {self.name}: {names}; {self.outline.formulas} formulas>"


# -- without a session of one's own ---------------------------------------------------------------------

_usual: Session | None = None
_one_at_a_time = threading.Lock()


def usual_session() -> Session:
    """The session of those who have made none: begun at first use, and ended with the process."""
    global _usual
    with _one_at_a_time:
        if _usual is None:
            _usual = Session()
        return _usual


def load(
    path: str | Path,
    *,
    constants: Constants | None = None,
    strategy: str | Path | None = None,
    limits: Limits | None = None,
) -> System:
    """The model in a file, as `Session.load` reads it."""
    return usual_session().load(path, constants=constants, strategy=strategy, limits=limits)


def loads(
    text: str, name: str = "<text>", *, constants: Constants | None = None, limits: Limits | None = None
) -> System:
    """The model in a text."""
    return usual_session().loads(text, name, constants=constants, limits=limits)


def _loaded(text: Text) -> System:
    return usual_session().opened(text)


def check(path: str | Path, *formulas: Question, **options: Unpack[Options]) -> CheckResult:
    """`load(path).check(…)`, with the options of `System.check`."""
    return load(path).check(*formulas, **options)


def parse_formula(text: str) -> Specification:
    """A formula on its own: its names are not looked up in any model."""
    return parse_formula_text(text).specification
