"""Checking by a cluster: the verdicts of one process, whatever happens to workers."""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from clusters import TWO_SIDES, alone, clustered, is_alive, system_of, workers_left, workers_of

from knower.checking.check import BddModel
from knower.cluster.check import ClusterModel, Plan
from knower.cluster.growth import SharedGrowth
from knower.cluster.team import Ledger, local_workers, team
from knower.errors import LimitReached, UsageError
from knower.evidence.account import accounted, wished
from knower.families import generate
from knower.functions.registry import available, sdd_is_here
from knower.limits import Budget
from knower.options import DeadlockPolicy, Reading, Tuning
from knower.verdict.verdict import Verdict

pytest.importorskip("distributed", reason="dask is not installed: pip install 'knower[cluster]'")
pytestmark = [
    pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed"),
    # What is torn off in dask's threads when a process is killed is told when it is collected.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

FLAWED = generate("train-gate", n=3, type=1)
SOUND = generate("train-gate", n=3, type=3)


@pytest.fixture(autouse=True)
def collected():
    """What dask leaves behind is collected here, not in the tests of others."""
    yield
    gc.collect()


def counted(system):
    """How many states one process finds."""
    return BddModel(system.interpreted, Budget(seconds=60)).states


@contextmanager
def scheduler(folder, workers=2):
    """A scheduler and its workers, started by their own commands."""
    port, log = free_port(), (folder / "log").open("w")
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "dask"]
    commands = [[*dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]]
    worker = [*dask, "worker", address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder)]
    commands += [worker] * workers
    started = [subprocess.Popen(command, stdout=log, stderr=log, cwd=folder) for command in commands]
    try:
        yield address
    finally:
        for process in reversed(started):
            process.terminate()
        for process in reversed(started):
            end(process)
        log.close()


def end(process):
    """A worker without scheduler may take its time."""
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """The address of a scheduler with two workers."""
    with scheduler(tmp_path_factory.mktemp("dask")) as address:
        wait_for_workers(address, 2)
        yield address


def wait_for_workers(address, count):
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            with team(address, Ledger()) as found:
                found.client.wait_for_workers(count, timeout=10)
                return
        except UsageError:
            time.sleep(0.1)
    raise TimeoutError("no scheduler")


# -- verdicts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "values"),
    [
        ("train-gate", {"n": 3, "type": 1}),
        ("train-gate", {"n": 3, "type": 3}),
        ("prisoners", {"n": 4}),
        ("prisoners", {"n": 4, "fairness": "off"}),
        ("dining-cryptographers", {"n": 4}),
        ("dining-cryptographers", {"n": 3, "steps": 4}),
        ("go-back-n", {"n": 2, "delay": 2}),
    ],
)
def test_verdicts_are_those_of_one_process(running, family, values):
    system = system_of(generate(family, **values))
    here, there = alone(system), clustered(system, running)
    for text in system.formulae[:12]:
        spec = system.parse(text)
        assert there.check(spec) == here.check(spec), text
    assert there.statistics["rounds"] > 0
    assert there.states in (None, counted(system))


def test_knowledge_is_asked_of_the_union(running):
    """Neither side's states alone tell that the watcher may be wrong."""
    system = system_of(TWO_SIDES)
    model = clustered(system, running, Plan(alone=0.0, dear=0.0, portion=5.0))
    assert model.check(system.parse("AG (late -> K(Watcher, leftish))")).verdict is Verdict.FALSE
    assert model.statistics["rounds"] == 1
    assert model.check(system.parse("AG (late -> leftish)")).verdict is Verdict.TRUE


def test_what_fails_only_in_a_part_is_not_believed(running):
    """`AF` is false at every depth that is not the last, for want of a future; it is true."""
    system = system_of(TWO_SIDES.replace("late if Environment.side=left and", "late if"))
    model = clustered(system, running)
    assert model.check(system.parse("AF late")).verdict is Verdict.TRUE


@pytest.mark.parametrize("text", ["AG (!train1_in_tunnel or !train2_in_tunnel)", "AG AF !train1_in_tunnel"])
def test_evidence_from_the_union_stands_up(running, text):
    system = system_of(FLAWED)
    model, spec = clustered(system, running), system.parse(text)
    assert model.check(spec).verdict is Verdict.FALSE

    def account(view):
        return accounted(view, Reading(), spec, Verdict.FALSE, wished("all", 10))

    found = model.explain(spec, account)
    assert found is not None and not found.replay.mistakes


def test_a_bound_is_kept(running):
    system = system_of(SOUND)
    model = clustered(system, running, bound=3)
    answer = model.check(system.parse("AG (!train1_in_tunnel or !train2_in_tunnel)"))
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, "no counterexample within 3 steps")
    assert model.states is None


def test_deadlocks_can_end_everything_and_can_loop(running):
    system = system_of(TWO_SIDES)  # the end of time is no deadlock: nothing has to move
    for policy in DeadlockPolicy:
        model = clustered(system, running, reading=Reading(on_deadlock=policy))
        assert model.check(system.parse("EF late")).verdict is Verdict.TRUE


@pytest.mark.parametrize("library", [*available(), *(["sdd"] if sdd_is_here() else [])])
def test_every_library_can_be_shared(running, library):
    system = system_of(FLAWED)
    model = clustered(system, running, tuning=Tuning(library=library))
    for text in ("AG AF !train1_in_tunnel", "AG (!train1_in_tunnel or !train2_in_tunnel)", "AG true"):
        spec = system.parse(text)
        assert model.check(spec) == alone(system).check(spec)
    assert (model.statistics["rounds"] > 0, model.states) == (True, counted(system))


def test_after_a_counterexample_work_goes_on(running):
    """What was stopped then is not stopped for ever."""
    system = system_of(generate("train-gate", n=4, type=1, max=12, depth=9))
    model = clustered(system, running, Plan(alone=0.0, dear=0.0, portion=5.0, parts=4))
    assert model.check(system.parse("AG !train4_in_tunnel")).verdict is Verdict.FALSE
    assert model.check(system.parse("AG true")).verdict is Verdict.TRUE
    assert model.states == counted(system)


def test_a_room_that_is_too_small_for_the_union_is_left_with_all_that_was_found(running, monkeypatch):
    united, resumed = SharedGrowth.unite, SharedGrowth.resume
    calls = []

    def full(growth, *what):
        calls.append("unite")
        if len(calls) == 6:
            raise MemoryError
        united(growth, *what)

    def remembered(growth, rounds):
        resumed(growth, rounds)
        calls.append(growth.depth)

    monkeypatch.setattr(SharedGrowth, "unite", full)
    monkeypatch.setattr(SharedGrowth, "resume", remembered)
    system = system_of(SOUND)
    model = clustered(system, running)
    assert model.check(system.parse("AG (!train1_in_tunnel or !train2_in_tunnel)")).verdict is Verdict.TRUE
    assert [depth for depth in calls if depth != "unite"] == [2]
    assert (model.states, model.statistics["attempts"]) == (counted(system), 2)


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
    assert model.check(system.parse("AG (!train1_in_tunnel or !train2_in_tunnel)")).verdict is Verdict.TRUE
    assert killed
    assert model.states == counted(system)
    assert not workers_left()


def test_small_models_need_no_workers():
    system = system_of(FLAWED)
    model = ClusterModel(system.interpreted, Budget(), cluster="tcp://127.0.0.1:9")
    assert model.check(system.parse(system.formulae[0])).verdict is Verdict.FALSE
    assert model.statistics["rounds"] == 0


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ZeroDivisionError])
def test_nothing_is_left_after_an_exception(fault):
    def progress(describe):
        if "round 1 " in describe():
            raise fault

    system = system_of(SOUND)
    model = clustered(system, "local:2", budget=Budget(seconds=60, progress=progress))
    with pytest.raises(fault):
        model.check(system.parse("AG AF !train1_in_tunnel"))
    assert not workers_left()


def test_the_time_limit_ends_a_round():
    system = system_of(generate("train-gate", n=6, type=1, max=30, depth=25))
    model = clustered(system, "local:2", Plan(alone=0.3, dear=0.0, portion=60.0), budget=Budget(seconds=3))
    began = time.monotonic()
    with pytest.raises(LimitReached, match="time limit"):
        model.check(system.parse("AG AF !train1_in_tunnel"))
    assert time.monotonic() - began < 10
    assert not workers_left()


SCRIPT = """
    from clusters import *
    from knower.families import generate
    if __name__ == "__main__":
        system = system_of(generate("train-gate", n=6, type=1, max=30, depth=25))
        model = clustered(system, "local:2", Plan(alone=0.1, dear=0.0, portion=60.0))
        model.check(system.parse("AG AF !train1_in_tunnel"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_master(tmp_path, kind):
    """Ctrl-C reaches the workers too; a master that is killed cannot tell them anything."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    path = os.pathsep.join(filter(None, [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]))
    master = subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": path},
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with master:
        workers = busy_workers(master.pid)
        os.killpg(master.pid, kind) if kind is signal.SIGINT else master.kill()
        master.wait(20)
        until = time.monotonic() + 10
        while any(is_alive(worker) for worker in workers) and time.monotonic() < until:
            time.sleep(0.1)
        assert not any(is_alive(worker) for worker in workers)


def busy_workers(master):
    """Two workers, as soon as they are at work."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        workers = workers_of(master)
        if len(workers) == 2 and all(is_alive(each) and each.cpu_times().user > 1 for each in workers):
            return workers
        time.sleep(0.1)
    raise TimeoutError("no workers")


# -- addresses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["local", "local:0", "local:two", "tcp:/x", "tcp://host", "somewhere:1"])
def test_an_address_that_makes_no_sense_is_told_at_once(address):
    with pytest.raises(UsageError) as told:
        local_workers(address)
    (found,) = told.value.diagnostics
    assert found.code == "E605" and "tcp://HOST:PORT" in found.cure


def test_a_scheduler_that_does_not_answer_is_told(monkeypatch):
    monkeypatch.setattr("knower.cluster.team._PATIENCE", 0.5)
    system = system_of(SOUND)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(UsageError) as told:
        clustered(system, address).check(system.parse("AG AF !train1_in_tunnel"))
    (found,) = told.value.diagnostics
    assert (found.code, found.message) == ("E611", f"no scheduler answers at {address}")


def test_dask_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError) as told, team("local:2", Ledger()):
        pass
    (found,) = told.value.diagnostics
    assert found.code == "E611" and "knower[cluster]" in found.cure


def test_another_version_does_not_take_part(running, monkeypatch):
    monkeypatch.setattr("knower.__version__", "0.0.0")
    system = system_of(SOUND)
    with pytest.raises(UsageError) as told:
        clustered(system, running).check(system.parse("AG AF !train1_in_tunnel"))
    assert told.value.diagnostics[0].code == "E612"


def test_a_lost_scheduler_is_told(tmp_path, monkeypatch):
    """Its workers are lost with it; what was decided before would have been told."""
    monkeypatch.setattr("knower.cluster.team._PATIENCE", 1.0)
    system = system_of(generate("train-gate", n=6, type=1, max=30, depth=25))
    with scheduler(tmp_path, workers=1) as address:
        wait_for_workers(address, 1)
        plan = Plan(alone=0.1, dear=0.0, portion=60.0, parts=2)
        ended = []

        def progress(describe):
            if "round 1 " in describe() and not ended:
                ended.append(kill_scheduler(address))

        model = clustered(system, address, plan, budget=Budget(seconds=30, progress=progress))
        with pytest.raises(LimitReached, match="cluster"):
            model.check(system.parse("AG AF !train1_in_tunnel"))


def kill_scheduler(address):
    """Kill the process that listens at an address."""
    psutil = pytest.importorskip("psutil")
    port = address.rpartition(":")[2]
    for child in psutil.Process().children(recursive=True):
        words = child.cmdline()
        if "scheduler" in words and port in words:
            child.kill()
            return True
    raise AssertionError("no scheduler")
