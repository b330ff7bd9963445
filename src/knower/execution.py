"""One run: which engine answers which question and shows why, until a limit or an interrupt."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import field, replace
from functools import cached_property
from typing import Protocol

from knower.engine.protocol import Engine, Explored
from knower.engine.registry import Pick, explored, instead, plan
from knower.engine.scrutiny import empty_antecedents, vacuity
from knower.errors import LimitReached, Undecided, Unsupported, WrongEvidence
from knower.evidence.shape import is_telling
from knower.functions.registry import available
from knower.limits import Budget
from knower.options import DeadlockPolicy, How, Reading
from knower.query.antecedents import Presupposition
from knower.query.query import Query
from knower.reasons import (
    Interrupted,
    NoSingleCause,
    NotYet,
    OutOfMemory,
    Reason,
    Refused,
    TooDeep,
    TooLarge,
    WrongProof,
)
from knower.records import dataclass
from knower.system.system import InterpretedSystem
from knower.verdict.events import (
    Decided,
    Event,
    Explained,
    Finished,
    ModelSeen,
    Noticed,
    Planned,
    Tally,
    Tell,
    Weighed,
)
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Absence, Fault
from knower.verdict.vacuity import Vacuity
from knower.verdict.verdict import Answer, CheckResult, FormulaResult, Statistics, Verdict, unknown
from knower.verdict.warnings import Deadlock, NeverHolds, NoFairInitialState, NoLibrary, Warning

#: Evidence that nobody asked for may take so many seconds of computing, and this share of all.
_LEAST_SECONDS, _SHARE_OF_TIME = 0.3, 0.15


class Engines(Protocol):
    """Where engines come from, and where they go when a task is done with them."""

    def engine(self, pick: Pick, task: Task, budget: Budget) -> AbstractContextManager[Engine]:
        """The engine for a system; when it is left, nobody asks it any more for now."""


class Lints(Protocol):
    """What there is to say of the text of a model."""

    def misleading(self) -> tuple[Warning, ...]:
        """At once."""

    def blocking(self, deadlock: Deadlock | None) -> tuple[Warning, ...]:
        """Where there is a deadlock, or (None) may be one."""


class NewEngines:
    """Made for one task, and closed after it."""

    @contextmanager
    def engine(self, pick: Pick, task: Task, budget: Budget) -> Iterator[Engine]:
        made = pick.make(task.system, budget, task.how, loops=task.loops)
        try:
            yield made
        finally:
            made.close()


@dataclass(frozen=True)
class Task:
    """What is to be checked, and how. The judge of evidence goes by the `reading` as it was given."""

    name: str
    system: InterpretedSystem
    queries: tuple[Query, ...]
    reading: Reading = field(default_factory=Reading)
    how: How = field(default_factory=How)
    evidence: str = "auto"
    follow: tuple[Query, ...] = ()
    sought: tuple[Fault, ...] = ()
    lints: Lints | None = None
    vacuity: bool = False

    @cached_property
    def plan(self) -> list[tuple[Pick, tuple[Query, ...]]]:
        """Who answers which questions."""
        return plan(self.queries, self.how, self.system)

    @property
    def numbers(self) -> dict[Query, tuple[int, ...]]:
        """The places of each question, from 1."""
        found: dict[Query, list[int]] = {}
        for number, query in enumerate(self.queries, start=1):
            found.setdefault(query, []).append(number)
        return {query: tuple(places) for query, places in found.items()}

    @property
    def loops(self) -> bool:
        """Whether deadlocks have a step to themselves."""
        return self.reading.on_deadlock is DeadlockPolicy.LOOP

    @cached_property
    def label(self) -> str:
        """The engines that answer."""
        return "; ".join(dict.fromkeys(pick.label for pick, _ in self.plan))

    @property
    def planned(self) -> Planned:
        """What is told first: all questions, undecided."""
        advice = (NoLibrary(),) if self.how.engine == "auto" and not available() else ()
        asked = tuple(self.undecided(number) for number in range(1, len(self.queries) + 1))
        return Planned(self.name, self.label, asked, self.sought, advice)

    def undecided(self, number: int) -> FormulaResult:
        """The question of a number (from 1), before anybody answers it."""
        query = self.queries[number - 1]
        return FormulaResult(
            number,
            query.text,
            query.read,
            query.logic,
            Verdict.UNKNOWN,
            NotYet(),
            warnings=query.notices,
            atl=query.atl,
            expected=query.expected,
            name=query.name,
            stated=query.asked.entry.expected is not None,
            because=query.asked.entry.because,
            line=query.asked.line,
        )


class Run:
    """A task at work. What it finds out is told as it comes, and added up in `tally`."""

    def __init__(
        self, task: Task, budget: Budget, tell: Tell | None = None, engines: Engines | None = None
    ) -> None:
        self.task = task
        self.budget = budget
        self.tally = Tally()
        self.engines = NewEngines() if engines is None else engines
        self.over: Reason | None = None  # why no more work can be done
        self.seconds_for_evidence = 0.0
        self._began = time.thread_time()
        self._listener = tell
        self._numbers = task.numbers

    def result(self) -> CheckResult:
        """All questions, decided or with the reason why not."""
        self._tell(self.task.planned)
        if self.task.lints is not None:
            self._notice(self.task.lints.misleading)
        for pick, queries in self.task.plan:
            self._work(pick, queries)
        self._notice(self._blocked)
        interrupted = isinstance(self.over, Interrupted)
        self._tell(Finished(self.budget.elapsed, interrupted, self.over))
        return self.tally.result()

    def _tell(self, event: Event) -> None:
        self.tally.take(event)
        if self._listener is not None:
            self._listener(event)

    def _blocked(self) -> Iterable[Warning]:
        deadlock = self.tally.seen.faults.deadlock
        if self.task.lints is None or deadlock is Absence.PROVED:
            return ()
        return self.task.lints.blocking(deadlock if isinstance(deadlock, Deadlock) else None)

    def _notice(self, find: Callable[[], Iterable[Warning]]) -> None:
        with self._guarded():
            found = tuple(find())
            if found:
                self._tell(Noticed(found))

    # -- one engine -----------------------------------------------------------------------------------------

    def _work(self, pick: Pick, queries: tuple[Query, ...]) -> None:
        """Questions for one engine. When it comes to an end, what it has not answered stays open."""
        if self.over is not None:
            return
        began = time.perf_counter()
        with self._stopping() as stopped:
            self.budget.phase, self.budget.count = "exploring states", 0
            self.budget.check()
            with self._measured(), self.engines.engine(pick, self.task, self.budget) as engine:
                try:
                    self._use(engine, pick, queries, began)
                finally:
                    self._measure(engine.statistics())
        for reason in stopped:
            for query in queries:
                self._answered(query, unknown(reason), 0.0, pick, keep=True)

    def _use(self, engine: Engine, pick: Pick, queries: tuple[Query, ...], began: float) -> None:
        """The first answer takes the time since the engine was begun: states had to be found for it."""
        counting = explored(engine, pick)
        if not pick.row.bounded:
            self._look_for_faults(engine, counting, ())
        for query, answer in self._decided(engine, pick, queries):
            explained = self._is_explained(query, answer.verdict)
            self._answered(query, answer, time.perf_counter() - began, pick, explained=explained)
            if explained:
                self._explain(engine, query)
            if self.over is not None:
                return
            began = time.perf_counter()
        self._look_for_faults(engine, counting, self.task.sought)
        self._scrutinise(engine, counting, [query for query in queries if self._is_true(query)])

    def _scrutinise(self, engine: Engine, counting: Explored | None, true: list[Query]) -> None:
        """Look for what true formulas do not say; for antecedents only where the states are known."""
        if self.task.lints is not None and counting is not None and counting.states is not None:
            self._notice(lambda: self._empty_antecedents(engine, true))
        for query in true if self.task.vacuity else ():
            with self._guarded() as stopped:
                self._tell(Weighed(self._numbers[query], vacuity(engine, query, self.task.system)))
            for left_out in stopped:
                self._tell(Weighed(self._numbers[query], Vacuity(left_out=left_out)))

    def _empty_antecedents(self, engine: Engine, true: list[Query]) -> Iterator[Warning]:
        """Those of all formulas, each once."""
        numbers: dict[Presupposition, set[int]] = {}
        for query, each in empty_antecedents(engine, true):
            numbers.setdefault(each, set()).update(self._numbers[query])
        taken = frozenset(self.task.system.propositions)
        for each, told in numbers.items():
            fair = bool(each.never.fairness)
            yield NeverHolds(tuple(sorted(told)), each.text(taken), at_start=each.at_start, fair=fair)

    def _is_true(self, query: Query) -> bool:
        """Whether it is, and not because there is no fair path."""
        told = self.tally.formulas[self._numbers[query][0]]
        is_idle = any(isinstance(each, NoFairInitialState) for each in told.warnings)
        return told.verdict is Verdict.TRUE and not is_idle

    def _look_for_faults(self, engine: Engine, counting: Explored | None, sought: tuple[Fault, ...]) -> None:
        """What is wrong with the model itself; who has to visit all states anyway is asked first."""
        faults, states = self.tally.seen.faults, self.tally.seen.states
        with self._guarded():
            self.budget.phase = "deadlocks and overflows"
            faults = faults.joined(engine.faults(sought))
        if counting is not None and counting.states is not None:
            states = counting.states
        self._see(ModelSeen(states, faults, {**self.tally.seen.statistics, **engine.statistics()}))

    @contextmanager
    def _measured(self) -> Iterator[None]:
        """What a limit stops is measured as it was then: there may be no engine yet that could tell."""
        try:
            yield
        except LimitReached as limit:
            self._measure(limit.figures)
            raise

    def _measure(self, figures: Statistics) -> None:
        """Told even if nothing is new: they are those of now."""
        seen = self.tally.seen
        self._tell(replace(seen, statistics={**seen.statistics, **figures}))

    def _see(self, seen: ModelSeen) -> None:
        if seen != self.tally.seen:
            self._tell(seen)

    def _decided(
        self, engine: Engine, pick: Pick, queries: tuple[Query, ...]
    ) -> Iterator[tuple[Query, Answer]]:
        """The answers as they come; what is refused is not even asked."""
        able = []
        for query in queries:
            refused = pick.refuses(query)
            if refused is None:
                able.append(query)
            else:
                yield query, unknown(refused)
        yield from engine.decide(able)

    def _answered(
        self,
        query: Query,
        answer: Answer,
        seconds: float,
        pick: Pick,
        *,
        keep: bool = False,
        explained: bool = False,
    ) -> None:
        """Tell an answer; `keep`: unless there is one already; `explained`: evidence will follow."""
        reason = answer.reason
        if isinstance(reason, Refused) and not reason.instead:
            reason = replace(reason, instead=instead(query))
        left_out = NotYet() if explained else None
        numbers = self._numbers[query]
        if not keep or numbers[0] not in self.tally.formulas:
            self._tell(
                Decided(numbers, answer.verdict, reason, seconds, pick.label, answer.warnings, left_out)
            )

    # -- evidence -------------------------------------------------------------------------------------------

    def _explain(self, engine: Engine, query: Query) -> None:
        """Evidence for what was just decided."""
        numbers = self._numbers[query]
        self._tell(self._explained(engine, query, numbers, self.tally.formulas[numbers[0]].verdict))

    def _is_explained(self, query: Query, verdict: Verdict) -> bool:
        if self.task.evidence == "none" or self.over is not None or verdict is Verdict.UNKNOWN:
            return False
        return query.setting.many_models or is_telling(query.shown(verdict))

    def _explained(
        self, engine: Engine, query: Query, numbers: tuple[int, ...], verdict: Verdict
    ) -> Explained:
        """Evidence that was replayed, or the reason why there is none.

        Evidence that does not stand up makes the verdict unknown.
        """
        started = time.thread_time()  # that of the process asks after each of its threads
        self.budget.phase = f"evidence for formula {numbers[0]}"
        try:
            with self._guarded() as stopped:
                return Explained(numbers, self._evidence(engine, query, verdict, started - self._began))
            return Explained(numbers, left_out=stopped[0])
        except WrongEvidence as fault:
            return Explained(numbers, mistake=WrongProof(str(fault)))
        finally:
            self.seconds_for_evidence += time.thread_time() - started

    def _evidence(self, engine: Engine, query: Query, verdict: Verdict, worked: float) -> Evidence | None:
        """`worked`: for how long all has been computed so far."""
        from knower.evidence.justification import Justification, evidence_budget
        from knower.evidence.ways import TAKES_LONG

        allowed = _LEAST_SECONDS + _SHARE_OF_TIME * worked - self.seconds_for_evidence
        if self.task.evidence == "auto" and allowed < 0:
            raise LimitReached(TooLarge(TAKES_LONG, optional=True))
        wanted = evidence_budget(self.task.evidence, allowed)
        search = Justification(query, verdict, wanted, self.task.follow)
        found = engine.evidence(query, verdict, search.over)
        if found is not None:
            return search.checked(found, self.task.system, self.task.reading)
        if query.setting.many_models and verdict is Verdict.FALSE:
            raise Unsupported(NoSingleCause("uniform model"))
        return None

    # -- what stops work ------------------------------------------------------------------------------------

    @contextmanager
    def _stopping(self) -> Iterator[list[Reason]]:
        """What leaves an engine ends it; what ends all work is remembered."""
        with self._guarded() as stopped:
            yield stopped
        if stopped and self.over is None:
            self.over = stopped[0] if not self.tally.formulas else None

    @contextmanager
    def _guarded(self) -> Iterator[list[Reason]]:
        """What stops the work becomes a reason; what will stop all later work too is remembered."""
        stopped: list[Reason] = []
        try:
            yield stopped
        except KeyboardInterrupt:
            self.over = Interrupted()
            stopped.append(self.over)
        except LimitReached as limit:
            stopped.append(limit.reason)
            self.over = limit.reason if limit.final else self.over
        except Undecided as reason:
            stopped.append(reason.reason)
        except MemoryError:
            stopped.append(OutOfMemory())
        except RecursionError:
            stopped.append(TooDeep())
