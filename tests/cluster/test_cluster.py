"""Checking by a cluster: the verdicts of one process, whatever happens to workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time

import pytest
from clusters import (
    APART,
    AT_ONCE,
    FLAWED,
    LEAVES,
    LONG,
    MARKS,
    SOUND,
    TWO_SIDES,
    alone,
    are_gone,
    busy_workers,
    clustered,
    counted,
    free_port,
    scheduler,
    system_of,
    workers_left,
    workers_of,
)

from knower.cluster import staff
from knower.cluster.cluster_engine import USUAL, Plan
from knower.cluster.team import Ledger, local_workers, team
from knower.errors import LimitReached, UsageError
from knower.families import generate
from knower.limits import Budget
from knower.verdict.verdict import Verdict
from processes import PATIENCE, child
from sessions import forked_by_default

pytest.importorskip("distributed", reason="dask is not installed: pip install 'knower[cluster]'")
pytestmark = MARKS


# -- verdicts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "verdict"), [(FLAWED, Verdict.FALSE), (SOUND, Verdict.TRUE)])
def test_the_verdict_is_that_of_one_process(text, verdict):
    system = system_of(text)
    spec, model = system.parse(APART), clustered(system, "local:2")
    answer = model.check(spec)
    assert (answer, answer.verdict) == (alone(system).check(spec), verdict)
    assert model.statistics["rounds"] > 0 and model.statistics["workers"] == 2
    assert not workers_left()


def test_knowledge_is_asked_of_the_union():
    """Neither side's states alone tell that the watcher may be wrong."""
    system = system_of(TWO_SIDES)
    model = clustered(system, "local:2", Plan(alone=0.0, dear=0.0, trial=0, portion=5.0))
    assert model.check(system.parse("AG (late -> K(Watcher, leftish))")).verdict is Verdict.FALSE
    assert model.statistics["rounds"] == 1


def test_a_scheduler_is_joined_and_keeps_its_workers(tmp_path):
    with scheduler(tmp_path) as address:
        for text, verdict in ((FLAWED, Verdict.FALSE), (SOUND, Verdict.TRUE)):
            system = system_of(text)
            model = clustered(system, address)
            assert model.check(system.parse(APART)).verdict is verdict
            assert model.statistics["rounds"] > 0
        with team(address, Ledger()) as found:
            assert found.size == 2


# -- workers come and go ---------------------------------------------------------------------------------


def killing(when):
    """A progress that kills a worker, once, at a certain round."""
    killed = []

    def progress(describe):
        if f"round {when} " in describe() and not killed:
            killed.append(workers_of(None)[0])
            killed[0].kill()

    return progress, killed


def test_a_killed_worker_loses_nothing():
    system = system_of(generate("train-gate", n=4, type=3))
    progress, killed = killing(2)
    model = clustered(system, "local:2", budget=Budget(seconds=60, progress=progress))
    assert model.check(system.parse(APART)).verdict is Verdict.TRUE
    assert killed
    assert model.states == counted(system)
    assert not workers_left()


def test_nothing_is_left_after_an_exception():
    def progress(describe):
        if "round 1 " in describe():
            raise ZeroDivisionError

    system = system_of(SOUND)
    model = clustered(system, "local:2", budget=Budget(seconds=60, progress=progress))
    with pytest.raises(ZeroDivisionError):
        model.check(system.parse(LEAVES))
    assert not workers_left()


def test_small_models_need_no_workers():
    system = system_of(FLAWED)
    model = clustered(system, "tcp://127.0.0.1:9", USUAL, budget=Budget())
    assert model.check(system.parse(system.formulae[0])).verdict is Verdict.FALSE
    assert model.statistics["rounds"] == 0


def test_workers_that_cannot_even_begin_are_given_up(monkeypatch):
    def stillborn(*_):
        return subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.PIPE)

    monkeypatch.setattr(staff, "_begun", stillborn)
    with pytest.raises(LimitReached, match="again and again"), team("local:1", Ledger()):
        pass


def test_a_worker_ends_when_its_master_lets_go():
    worker = staff._begun("tcp://127.0.0.1:9", os.devnull)
    worker.stdin.close()
    assert worker.wait(20) == 0


def test_a_forked_process_has_a_cluster_of_its_own(monkeypatch):
    """Dask was at work in this process; its threads are not continued in the child that checks."""
    with team("local:1", Ledger()) as found:
        assert found.client.submit(abs, -1).result(timeout=PATIENCE) == 1
    monkeypatch.setattr("knower.cluster.cluster_engine.USUAL", AT_ONCE)
    with forked_by_default():
        found = system_of(SOUND).check(APART, method="bmc", cluster="local:1", time_limit=30)
    assert found.formulas[0].verdict is Verdict.TRUE


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c_ends_a_check_and_its_workers(tmp_path):
    """At a terminal all processes of the group get the signal."""
    model = tmp_path / "trains.ispl"
    model.write_text(LONG)
    command = [sys.executable, "-m", "knower", "check", str(model), "--method", "bmc", "--cluster", "local:2"]
    command += ["--formula", "EF train1_in_tunnel", "--formula", LEAVES]
    pipe = subprocess.PIPE
    with child(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as run:
        workers = busy_workers(child_of(run.pid))
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, err) == (130, "")
    assert "TRUE    EF train1_in_tunnel" in out and "interrupted" in out
    assert are_gone(workers)


def child_of(process):
    """The process that does the work for another."""
    psutil = pytest.importorskip("psutil")
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if children := psutil.Process(process).children():
            return children[0].pid
        time.sleep(0.05)
    raise TimeoutError("no child")


# -- addresses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["local", "local:0", "local:two", "tcp:/x", "tcp://host", "somewhere:1"])
def test_an_address_that_makes_no_sense_is_told_at_once(address):
    with pytest.raises(UsageError) as told:
        local_workers(address)
    (found,) = told.value.diagnostics
    assert found.code == "E605" and "tcp://HOST:PORT" in found.cure


def test_a_scheduler_that_does_not_answer_is_told(monkeypatch):
    monkeypatch.setattr("knower.cluster.team._GREETING", 0.3)
    system = system_of(SOUND)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(UsageError) as told:
        clustered(system, address).check(system.parse(LEAVES))
    (found,) = told.value.diagnostics
    assert (found.code, found.message) == ("E611", f"no scheduler answers at {address}")


def test_who_listens_and_says_nothing_is_no_scheduler(monkeypatch):
    monkeypatch.setattr("knower.cluster.team._GREETING", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(UsageError, match="no scheduler answers"), team(address, Ledger()):
            pass


def test_dask_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError) as told, team("local:2", Ledger()):
        pass
    (found,) = told.value.diagnostics
    assert found.code == "E611" and "knower[cluster]" in found.cure
