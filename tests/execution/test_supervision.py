"""Limits, interrupts and crashes while the engine is busy inside one long operation."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time

import pytest

from knower import load, loads
from knower.engine import turns
from knower.errors import InputError, UsageError
from knower.execution import Run, Task
from knower.limits import Budget, resident_megabytes
from knower.options import Reading
from knower.query.query import Query, queries
from knower.reasons import EngineDied, Interrupted, MemoryLimit, Reason, TimeLimit
from knower.report.words import reason_text
from knower.supervision import is_possible, supervised
from knower.verdict.verdict import Verdict

pytestmark = pytest.mark.skipif(not is_possible(), reason="processes cannot be split here")

TEXT = """
Agent A
  Vars: x : 0..3; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if x < 3; end Evolution
end Agent
Evaluation top if A.x = 3; end Evaluation
InitStates A.x = 0; end InitStates
Formulae EF top; AG top; AF top; end Formulae
"""
#: Longer than a test may take, and than anything waits for a child.
FOR_EVER = 60


def task() -> Task:
    system = loads(TEXT).interpreted
    return Task("model", system, queries(system.formulae, Reading(), system))


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
    apart, here = supervised(task(), Budget()), Run(task(), Budget()).result()
    assert summary(apart) == summary(here) == [("true", None), ("false", None), ("true", None)]
    assert (apart.states, apart.engine, apart.warnings) == (here.states, here.engine, here.warnings)


def test_a_time_limit_is_kept_and_what_was_decided_is_told(monkeypatch):
    busy_in_formula(2, monkeypatch, deaf)
    started = time.monotonic()
    result = supervised(task(), Budget(seconds=1))
    assert time.monotonic() - started < 3
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
    result = supervised(task(), Budget(megabytes=limit))
    assert summary(result)[2] == ("unknown", MemoryLimit(limit))
    assert reason_text(MemoryLimit(limit)) == f"memory limit of {limit} MB reached"
    assert [each.verdict for each in result][:2] == [Verdict.TRUE, Verdict.FALSE]


def test_a_crash_is_no_answer(monkeypatch):
    busy_in_formula(2, monkeypatch, lambda: os.kill(os.getpid(), signal.SIGKILL))
    died = ("unknown", EngineDied(signal.SIGKILL))
    assert reason_text(died[1]) == f"the engine died (signal {int(signal.SIGKILL)})"
    assert summary(supervised(task(), Budget())) == [("true", None), died, died]


@pytest.mark.parametrize("work", [deaf, lambda: time.sleep(FOR_EVER)], ids=["deaf", "listening"])
def test_an_interrupt_ends_the_run(monkeypatch, work):
    busy_in_formula(3, monkeypatch, work)
    timer = threading.Timer(0.8, os.kill, (os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        started = time.monotonic()
        result = supervised(task(), Budget())
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - started < 0.8 + 2
    assert result.interrupted and result.exit_status == 130
    assert summary(result) == [("true", None), ("false", None), ("unknown", Interrupted())]


def test_errors_come_back():
    nothing = TEXT.replace("A.x = 0; end InitStates", "A.x = 0 and A.x = 1; end InitStates")
    with pytest.raises(InputError) as caught:
        loads(nothing).check(time_limit=20)
    assert caught.value.diagnostics[0].code == "E410"


def test_no_child_is_left(tmp_path):
    path = tmp_path / "model.ispl"
    path.write_text(TEXT)
    load(path).check(time_limit=20)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_errors_can_be_told_by_another_process():
    error = UsageError("E611", "no scheduler answers", "start one")
    told = pickle.loads(pickle.dumps(error))
    assert type(told) is UsageError
    assert told.diagnostics == error.diagnostics
