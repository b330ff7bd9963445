"""The use cases: load a model, check it, look at it. Command line and Python call these alike."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

from knower.asking import Options, Question, inquiry, require_number
from knower.engine.choices import possible
from knower.errors import Diagnostic, UsageError
from knower.limits import Progress
from knower.logic.language import Specification
from knower.memory import Keeping, usual_keeping
from knower.messages import (
    Begin,
    Call,
    Check,
    Consider,
    Describe,
    Draw,
    DrawDiagram,
    Fetch,
    HoldAt,
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
from knower.records import dataclass
from knower.source import Source
from knower.sources import read_source
from knower.syntax.formulas import parse_formula as parse_formula_text
from knower.system.expressions import State
from knower.verdict.moves import Possible
from knower.verdict.overview import ModelInfo
from knower.verdict.shown import shown
from knower.verdict.verdict import CheckResult

if TYPE_CHECKING:  # not needed by most runs
    from knower.model import Model
    from knower.simulation.walk import Simulation
    from knower.syntax import tree
    from knower.system.system import InterpretedSystem
    from knower.verdict.diagram import Diagram
    from knower.verdict.graph import StateGraph


def usual_cores() -> int:
    """As many as this process may use; the environment variable `KNOWER_CORES` can say fewer."""
    try:
        here = len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        here = os.cpu_count() or 1
    return min(_number_in("KNOWER_CORES", here), here)


def usual_threads(cores: int) -> int:
    """How many of the cores each worker uses where diagrams are large: `KNOWER_THREADS`, else one."""
    return min(_number_in("KNOWER_THREADS", 1), cores)


def _number_in(variable: str, otherwise: int) -> int:
    """A number of cores in a variable of the environment."""
    wanted = os.environ.get(variable, str(otherwise))
    if not wanted.isdecimal() or not int(wanted):
        raise UsageError("E605", f"{variable} is `{wanted}`", "give a number of cores, from 1")
    return int(wanted)


class Session:
    """Worker processes that read models and answer questions about them, and keep what they find out.

    `cores`: workers, or their threads if they have several, are never more. `keeping`: how much each keeps of
    what it has explored. A session can be used from any thread; it ends with `close`, or with the process.
    """

    def __init__(
        self, cores: int | None = None, keeping: Keeping | None = None, start: Start = FreshWorker
    ) -> None:
        if cores is not None:
            require_number("cores", cores, least=1)
        self.cores = usual_cores() if cores is None else cores
        workers = self.cores // usual_threads(self.cores)
        self._pool = Pool(start, workers, keeping or usual_keeping(workers))
        self._end = weakref.finalize(self, self._pool.close)

    @classmethod
    def of_command_line(cls, workers: int = 1) -> Session:
        """Workers are forked, now, where that is safe: nothing else has been started yet."""
        session = cls(start=ForkedWorker if forks_safely() else FreshWorker)
        session._pool.prepare(workers)
        session._pool.start = FreshWorker
        return session

    def load(self, path: str | Path, *, limits: Limits | None = None, since: float | None = None) -> System:
        """The model in a file; `-` reads standard input. Raises `InputError` with all errors found."""
        return self._opened(read_source(path), limits, since)

    def loads(self, text: str, name: str = "<text>", *, limits: Limits | None = None) -> System:
        """The model in a text."""
        return self._opened(Source(name, text), limits, None)

    def _opened(self, source: Source, limits: Limits | None, since: float | None) -> System:
        if not isinstance(source.text, str):
            raise TypeError(f"a model is a text, not {type(source.text).__name__}")
        text = Text(source.name, source.text)
        return System(self, source, text, cast("Outline", self.call(Open(text), limits, since)))

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

    def close(self) -> None:
        """End all workers; what is under way is stopped."""
        self._end()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _nothing_more() -> None:
    """What is begun is not begun again."""


class System:
    """A loaded model. What is explored for one question is kept for the next."""

    def __init__(self, session: Session, source: Source, text: Text, outline: Outline) -> None:
        self.session = session
        self.source = source
        self.outline = outline
        self._text = text

    @property
    def name(self) -> str:
        return self.source.name

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, System) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text.digest)

    def __reduce__(self) -> tuple[object, ...]:
        """A copy, or the same in another process, belongs to the usual session there."""
        return loads, (self._text.text, self._text.name)

    # -- what it says -----------------------------------------------------------------------------------

    @cached_property
    def model(self) -> Model:
        """The tree of the text and what it means."""
        return cast("Model", self.session.call(Fetch(self._text)))

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

    def lint(self, limits: Limits | None = None, since: float | None = None) -> list[Diagnostic]:
        """What is legal but looks like a mistake; raises `LimitReached` where a limit is met."""
        return cast("list[Diagnostic]", self.session.call(Lint(self._text), limits, since))

    @cached_property
    def info(self) -> ModelInfo:
        """Counts and names: what the model consists of."""
        return self.describe()

    def describe(self, limits: Limits | None = None, since: float | None = None) -> ModelInfo:
        """The same, within limits."""
        return cast("ModelInfo", self.session.call(Describe(self._text), limits, since))

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
        asked = inquiry(self._text, self.outline, formulas, options)
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
        return cast("StateGraph", self.session.call(Draw(self._text, max_states, show), limits, since))

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
        return cast("Diagram", self.session.call(DrawDiagram(self._text, tuning), limits, since))

    def _repr_html_(self) -> str:
        return str(shown("notebook:system_html", self.info))

    def __repr__(self) -> str:
        names = ", ".join(self.outline.agents)
        return f"<System {self.name}: {names}; {self.outline.formulas} formulas>"


@dataclass(frozen=True)
class States:
    """Single states of a model, as a worker that has explored it knows them (a `questions.Oracle`)."""

    system: System
    reading: Reading
    limits: Limits

    def parsed(self, formula: str) -> Specification:
        return self.system.parse(formula)

    def hold(
        self, specs: Sequence[Specification], state: State, progress: Progress | None = None
    ) -> tuple[bool, ...]:
        """For each specification, whether it holds at a reachable state; raises `Undecided`."""
        asked = HoldAt(self.system._text, tuple(specs), state, self.reading)
        return cast("tuple[bool, ...]", self.system.session.call(asked, self.limits, None, progress))

    def possible(self, members: tuple[str, ...], state: State, count: int) -> Possible:
        """The reachable states that none of the members can tell from a state: so many of them."""
        asked = Consider(self.system._text, members, state, count, self.reading)
        return cast("Possible", self.system.session.call(asked, self.limits))

    def initial(self, where: str, skipped: int, count: int | None) -> tuple[State, ...]:
        """So many initial states (None: all others) that satisfy a condition, after some that are skipped."""
        asked = Begin(self.system._text, where, skipped, count)
        return cast("tuple[State, ...]", self.system.session.call(asked, self.limits))


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


def load(path: str | Path, *, limits: Limits | None = None) -> System:
    """The model in a file; `-` reads standard input. Raises `InputError` with all errors found."""
    return usual_session().load(path, limits=limits)


def loads(text: str, name: str = "<text>", *, limits: Limits | None = None) -> System:
    """The model in a text."""
    return usual_session().loads(text, name, limits=limits)


def check(path: str | Path, *formulas: Question, **options: Unpack[Options]) -> CheckResult:
    """`load(path).check(…)`, with the options of `System.check`."""
    return load(path).check(*formulas, **options)


def parse_formula(text: str) -> Specification:
    """A formula on its own: its names are not looked up in any model."""
    return parse_formula_text(text).specification
