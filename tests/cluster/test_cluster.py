"""Checking by a cluster: the verdicts of one process, whatever happens to workers."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from types import SimpleNamespace

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

from knower.cluster import local_workers as staff
from knower.cluster.cluster_engine import USUAL, Plan
from knower.cluster.joining import joined, local_workers
from knower.cluster.team import Ledger, team
from knower.errors import UsageError
from knower.families import generate
from knower.limits import Budget
from knower.verdict.verdict import Verdict
from knower.verdict.warnings import LeftAlone
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
    assert killed and model.statistics["workers lost"] == 1
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
    model = clustered(system, "local:2", USUAL, budget=Budget())
    assert model.check(system.parse(system.formulae[0])).verdict is Verdict.FALSE
    assert (model.statistics["rounds"], model.statistics["workers"]) == (0, 0)


def test_without_workers_that_can_begin_the_master_goes_on_alone(monkeypatch):
    def stillborn(*_):
        return subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.PIPE)

    monkeypatch.setattr(staff, "_begun", stillborn)
    system = system_of(SOUND)
    answer = clustered(system, "local:1").check(system.parse(APART))
    assert answer.verdict is Verdict.TRUE
    assert answer.warnings == (LeftAlone("the workers of the cluster die again and again"),)


def test_a_worker_ends_when_its_master_lets_go():
    key = SimpleNamespace(tls_ca_file="", tls_worker_key="", tls_worker_cert="")
    worker = staff._begun("tls://127.0.0.1:9", key, os.devnull)
    worker.stdin.close()
    assert worker.wait(20) == 0


def test_a_forked_process_has_a_cluster_of_its_own(monkeypatch):
    """Dask was at work in this process; its threads are not continued in the child that checks."""
    with team("local:1", Ledger()) as found:
        assert found.cluster.client.submit(abs, -1).result(timeout=PATIENCE) == 1
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
        workers = busy_workers(run.pid)
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, err) == (130, "")
    assert "TRUE    EF train1_in_tunnel" in out and "interrupted" in out
    assert are_gone(workers)


# -- addresses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["local", "local:0", "local:two", "tcp:/x", "tcp://host", "somewhere:1"])
def test_an_address_that_makes_no_sense_is_told_at_once(address):
    with pytest.raises(UsageError) as told:
        local_workers(address)
    (found,) = told.value.diagnostics
    assert found.code == "E605" and "tcp://HOST:PORT" in found.cure


@pytest.mark.parametrize("kind", ["tcp", "tls"])
def test_a_scheduler_that_does_not_answer_is_told_before_work(tmp_path, kind):
    """Of a model that needs no workers, too; without certificates that is what is missing."""
    address = f"{kind}://127.0.0.1:{free_port()}"
    model = tmp_path / "trains.ispl"
    model.write_text(FLAWED)
    command = [sys.executable, "-m", "knower", "check", str(model), "--method", "bmc", "--cluster", address]
    found = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, timeout=PATIENCE)
    (error,) = json.loads(found.stdout)["errors"]
    why = "no scheduler answers at" if kind == "tcp" else "there are no certificates for"
    assert (found.returncode, found.stderr) == (2, "")
    assert (error["code"], error["message"]) == ("E611", f"{why} {address}")


def test_who_listens_and_says_nothing_is_no_scheduler(monkeypatch):
    monkeypatch.setattr("knower.cluster.joining.GREETING", 0.3)
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


def test_local_workers_need_a_library_for_their_keys(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(UsageError, match="cryptography is not installed"), team("local:2", Ledger()):
        pass


def test_who_knows_only_the_port_is_not_heard():
    """Whoever can speak to a worker, or its scheduler, can have it run anything."""
    dask = pytest.importorskip("distributed")
    with joined("local:1") as found:
        (worker,) = found.gathered()
        for address in (found.address, worker):
            for kind, security in (("tcp", None), ("tls", dask.Security.temporary())):
                with pytest.raises((OSError, ValueError)):
                    dask.Client(
                        address.replace("tls", kind), timeout=1, security=security, set_as_default=False
                    )
        assert found.client.submit(abs, -1).result(timeout=PATIENCE) == 1
