"""Limits, interrupts and crashes while a worker is busy inside one long operation."""

from __future__ import annotations

import os
import pickle
import signal
import time

import pytest

from knower import loads
from knower.engine import turns
from knower.errors import InputError, UsageError
from knower.execution import Run, Task
from knower.limits import Budget, resident_megabytes
from knower.messages import Lint, Text
from knower.model import Model
from knower.options import Limits, Reading
from knower.pool.guard import look_after
from knower.pool.processes import ForkedWorker
from knower.pool.seat import Seat
from knower.pool.ticket import Order, Ticket
from knower.query.query import Query, queries
from knower.reasons import EngineDied, Interrupted, MemoryLimit, Reason, TimeLimit
from knower.report.words import reason_text
from knower.session import Session
from knower.source import Source
from knower.verdict.verdict import CheckResult, Verdict
from processes import PATIENCE, is_alive
from sessions import COUNTER

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be split here")

#: Longer than a test may take, and than anything waits for a child.
FOR_EVER = 10_000.0


def task() -> Task:
    system = Model.read(Source("model", COUNTER)).interpreted
    return Task("model", system, queries(system.formulae, Reading(), system))


def supervised(**limits: float) -> CheckResult:
    """By a worker that is forked from this process, with all that was changed in it."""
    with Session(cores=1, start=ForkedWorker) as session:
        return session.loads(COUNTER, "model").check(limits=Limits(**limits))


def busy_in_formula(number: int, monkeypatch: pytest.MonkeyPatch, work: object) -> None:
    """Makes the engine do something else when it comes to a formula."""
    attempted, busy = turns.attempted, task().queries[number - 1]

    def instead(query: Query, *more: object) -> object:
        if query == busy:
            work()  # type: ignore[operator]
        return attempted(query, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(turns, "attempted", instead)


def deaf() -> None:
    """Like a library at work: no exception gets in."""
    end = time.monotonic() + FOR_EVER
    while time.monotonic() < end:
        try:
            time.sleep(1)
        except KeyboardInterrupt:
            continue


def summary(result: object) -> list[tuple[str, Reason | None]]:
    return [(each.verdict.value, each.reason) for each in result]  # type: ignore[attr-defined]


def test_the_result_is_that_of_a_plain_run():
    apart, here = supervised(), Run(task(), Budget()).result()
    assert summary(apart) == summary(here) == [("true", None), ("false", None), ("true", None)]
    assert (apart.states, apart.engine, apart.warnings) == (here.states, here.engine, here.warnings)


def test_a_time_limit_is_kept_and_what_was_decided_is_told(monkeypatch):
    busy_in_formula(2, monkeypatch, deaf)
    result = supervised(seconds=1)
    late = ("unknown", TimeLimit(1))
    assert summary(result) == [("true", None), late, late]
    assert reason_text(TimeLimit(1)) == "time limit of 1 s reached"
    assert result.states == 4


def test_a_memory_limit_is_kept(monkeypatch):
    limit = int(resident_megabytes()) + 150  # a child begins with what its parent holds

    def greedy() -> None:
        hoard = bytearray(300 * 2**20)
        deaf()
        del hoard

    busy_in_formula(3, monkeypatch, greedy)
    result = supervised(megabytes=limit)
    assert summary(result)[2] == ("unknown", MemoryLimit(limit))
    assert reason_text(MemoryLimit(limit)) == f"memory limit of {limit} MB reached"
    assert [each.verdict for each in result][:2] == [Verdict.TRUE, Verdict.FALSE]


def test_a_crash_is_no_answer(monkeypatch):
    busy_in_formula(2, monkeypatch, lambda: os.kill(os.getpid(), signal.SIGKILL))
    died = ("unknown", EngineDied(signal.SIGKILL))
    assert reason_text(died[1]) == f"the engine died (signal {int(signal.SIGKILL)})"
    assert summary(supervised()) == [("true", None), died, died]


@pytest.mark.parametrize("work", [deaf, lambda: time.sleep(FOR_EVER)], ids=["deaf", "listening"])
def test_an_interrupt_ends_the_run(monkeypatch, work):
    def interrupted() -> None:
        os.kill(os.getppid(), signal.SIGINT)  # now that it is at work
        work()

    busy_in_formula(3, monkeypatch, interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = supervised()
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.interrupted and result.exit_status == 130
    assert summary(result) == [("true", None), ("false", None), ("unknown", Interrupted())]


def test_errors_come_back():
    nothing = COUNTER.replace("A.x = 0; end InitStates", "A.x = 0 and A.x = 1; end InitStates")
    with pytest.raises(InputError) as caught:
        loads(nothing).check(time_limit=PATIENCE)
    assert caught.value.diagnostics[0].code == "E410"


def test_no_child_is_left():
    with Session(cores=1) as session:
        session.loads(COUNTER).check(time_limit=PATIENCE)
        (worker,) = session.workers()
        assert is_alive(worker)
    assert not is_alive(worker)


def test_errors_can_be_told_by_another_process():
    error = UsageError("E611", "no scheduler answers", "start one")
    told = pickle.loads(pickle.dumps(error))
    assert type(told) is UsageError
    assert told.diagnostics == error.diagnostics


class Held:
    """A worker that holds so much memory, in the place of a process."""

    def __init__(self, megabytes: float) -> None:
        self.held = megabytes
        self.killed = False

    def megabytes(self) -> float:
        return self.held

    def kill(self) -> None:
        self.killed = True


def test_the_methods_of_a_portfolio_share_a_memory_limit(monkeypatch):
    """The largest has to go if all together hold too much for longer than they may take to let go of it."""
    now = [0.0]
    monkeypatch.setattr("knower.pool.guard.time.monotonic", lambda: now[0])
    seats = [Seat(Held(megabytes)) for megabytes in (60, 80, 40)]

    def killed(limit: float, seconds: float) -> list[bool]:
        now[0] += seconds
        shared = Order(Lint(Text("m", COUNTER)), Limits(megabytes=limit), sharing="portfolio")
        for seat in seats:
            seat.ticket = Ticket(shared, None)
        look_after(seats)
        return [seat.worker.killed for seat in seats]

    assert killed(200, 0) == killed(200, 9) == [False] * 3
    assert killed(100, 1) == killed(100, 0.2) == [False] * 3, "they have time to let go of it"
    assert killed(200, 0.1) == killed(100, 9) == [False] * 3, "it begins again when they had let go"
    assert killed(100, 1) == [False, True, False]
    assert seats[1].reason == MemoryLimit(100)
