"""One run: which engine answers which question and shows why, until a limit or an interrupt."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from knower.engine.protocol import Engine, Explored
from knower.engine.registry import Pick, explored, instead, plan
from knower.errors import LimitReached, Undecided, Unsupported, WrongEvidence
from knower.evidence.shape import is_telling
from knower.functions.registry import available
from knower.limits import Budget
from knower.options import DeadlockPolicy, How, Reading
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
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Fault, Faults
from knower.verdict.verdict import Answer, CheckResult, FormulaResult, Statistics, Verdict, unknown
from knower.verdict.warnings import NoLibrary, Warning, distinct

#: Evidence that nobody asked for may take so many seconds of computing, and this share of all.
_LEAST_SECONDS, _SHARE_OF_TIME = 0.3, 0.15

#: Told the result so far, whenever more of it is known.
Observer: TypeAlias = Callable[[CheckResult], None]


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

    @cached_property
    def plan(self) -> list[tuple[Pick, tuple[Query, ...]]]:
        """Who answers which questions."""
        return plan(self.queries, self.how, self.system)

    @cached_property
    def label(self) -> str:
        """The engines that answer."""
        return "; ".join(dict.fromkeys(pick.label for pick, _ in self.plan))

    def undecided(self, number: int, reason: Reason) -> FormulaResult:
        return self.outcome(number, unknown(reason))

    def outcome(self, number: int, answer: Answer, seconds: float = 0.0, engine: str = "") -> FormulaResult:
        """The result for the question of a number (from 1)."""
        query = self.queries[number - 1]
        return FormulaResult(
            number,
            query.text,
            query.read,
            query.logic,
            answer.verdict,
            answer.reason,
            seconds,
            engine=engine,
            warnings=(*query.notices, *answer.warnings),
            atl=query.atl,
        )


class Run:
    """A task at work."""

    def __init__(self, task: Task, budget: Budget, observer: Observer | None = None) -> None:
        self.task = task
        self.budget = budget
        self.observer = observer
        self.results: dict[int, FormulaResult] = {}
        self.faults = Faults()
        self.states: int | None = None
        self.statistics: Statistics = {}
        self.interrupted = False
        self.over: Reason | None = None  # why no more work can be done
        self.seconds_for_evidence = 0.0
        self._numbers: dict[Query, list[int]] = {}
        for number, query in enumerate(task.queries, start=1):
            self._numbers.setdefault(query, []).append(number)

    def result(self) -> CheckResult:
        """All questions, decided or with the reason why not."""
        for pick, queries in self.task.plan:
            self._work(pick, queries)
        for number in range(1, len(self.task.queries) + 1):
            if number not in self.results:
                self.results[number] = self.task.undecided(number, self.over or NotYet())
        return self.so_far()

    def so_far(self) -> CheckResult:
        """What is known at present; questions that are open are left out."""
        results = tuple(self.results[number] for number in sorted(self.results))
        told = (warning for result in results for warning in result.warnings)
        warnings = (*self._advice(), *self.faults.found, *told)
        return CheckResult(
            self.task.name,
            self.task.label,
            self.states,
            results,
            distinct(warnings),
            self.budget.elapsed,
            self.interrupted,
            self.statistics,
            self.faults,
            self.task.sought,
        )

    def _tell(self) -> None:
        if self.observer is not None:
            self.observer(self.so_far())

    def _advice(self) -> tuple[Warning, ...]:
        return (NoLibrary(),) if self.task.how.engine == "auto" and not available() else ()

    # -- one engine -----------------------------------------------------------------------------------------

    def _work(self, pick: Pick, queries: tuple[Query, ...]) -> None:
        """Questions for one engine. When it comes to an end, what it has not answered stays open."""
        if self.over is not None:
            return
        began = time.perf_counter()
        with self._stopping() as stopped:
            engine = self._made(pick)
            try:
                self._use(engine, pick, queries, began)
            finally:
                self._measure(engine)
                engine.close()
        for reason in stopped:
            for query in queries:
                self._answered(query, unknown(reason), 0.0, pick, keep=True)

    def _made(self, pick: Pick) -> Engine:
        self.budget.phase, self.budget.count = "exploring states", 0
        self.budget.check()
        loops = self.task.reading.on_deadlock is DeadlockPolicy.LOOP
        return pick.make(self.task.system, self.budget, self.task.how, loops=loops)

    def _use(self, engine: Engine, pick: Pick, queries: tuple[Query, ...], began: float) -> None:
        """The first answer takes the time since the engine was begun: states had to be found for it."""
        counting = explored(engine, pick)
        if not pick.row.bounded:
            self._look_for_faults(engine, counting, ())
        for query, answer in self._decided(engine, pick, queries):
            self._answered(query, answer, time.perf_counter() - began, pick)
            self._show(engine, query, answer)
            if self.over is not None:
                return
            began = time.perf_counter()
        self._look_for_faults(engine, counting, self.task.sought)

    def _look_for_faults(self, engine: Engine, counting: Explored | None, sought: tuple[Fault, ...]) -> None:
        """What is wrong with the model itself; who has to visit all states anyway is asked first."""
        with self._guarded():
            self.budget.phase = "deadlocks and overflows"
            self.faults = self.faults.joined(engine.faults(sought))
        if counting is not None and counting.states is not None:
            self.states = counting.states
        self._measure(engine)
        self._tell()

    def _measure(self, engine: Engine) -> None:
        self.statistics = {**self.statistics, **engine.statistics()}

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
        self, query: Query, answer: Answer, seconds: float, pick: Pick, *, keep: bool = False
    ) -> None:
        """Note an answer; `keep`: unless there is one already."""
        if isinstance(answer.reason, Refused) and not answer.reason.instead:
            answer = replace(answer, reason=replace(answer.reason, instead=instead(query)))
        for number in self._numbers[query]:
            if not keep or number not in self.results:
                self.results[number] = self.task.outcome(number, answer, seconds, pick.label)

    # -- evidence -------------------------------------------------------------------------------------------

    def _show(self, engine: Engine, query: Query, answer: Answer) -> None:
        """Evidence for what was just decided, if some is wanted and can exist."""
        numbers = self._numbers[query]
        if not self._is_explained(query, answer.verdict):
            self._tell()
            return
        for number in numbers:
            self.results[number] = replace(self.results[number], left_out=NotYet())
        self._tell()
        shown = self._explained(engine, query, self.results[numbers[0]])
        for number in numbers:
            self.results[number] = replace(
                self.results[number],
                verdict=shown.verdict,
                reason=shown.reason,
                evidence=shown.evidence,
                left_out=shown.left_out,
            )
        self._tell()

    def _is_explained(self, query: Query, verdict: Verdict) -> bool:
        if self.task.evidence == "none" or self.over is not None or verdict is Verdict.UNKNOWN:
            return False
        return query.setting.many_models or is_telling(query.shown(verdict))

    def _explained(self, engine: Engine, query: Query, result: FormulaResult) -> FormulaResult:
        """The result with evidence that was replayed, or with the reason why there is none.

        Evidence that does not stand up makes the verdict unknown.
        """
        started = time.process_time()
        self.budget.phase = f"evidence for formula {result.number}"
        try:
            with self._guarded() as stopped:
                return replace(result, evidence=self._evidence(engine, query, result.verdict), left_out=None)
            return replace(result, left_out=stopped[0])
        except WrongEvidence as fault:
            return replace(result, verdict=Verdict.UNKNOWN, reason=WrongProof(str(fault)), left_out=None)
        finally:
            self.seconds_for_evidence += time.process_time() - started

    def _evidence(self, engine: Engine, query: Query, verdict: Verdict) -> Evidence | None:
        from knower.evidence.justification import Justification, evidence_budget

        allowed = _LEAST_SECONDS + _SHARE_OF_TIME * time.process_time() - self.seconds_for_evidence
        if self.task.evidence == "auto" and allowed < 0:
            raise LimitReached(TooLarge("evidence takes long here", optional=True))
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
            self.over = stopped[0] if not self.results else None

    @contextmanager
    def _guarded(self) -> Iterator[list[Reason]]:
        """What stops the work becomes a reason; what will stop all later work too is remembered."""
        stopped: list[Reason] = []
        try:
            yield stopped
        except KeyboardInterrupt:
            self.interrupted = True
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
