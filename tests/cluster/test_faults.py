"""What may happen to a scheduler and its workers: never a hang, never a wrong answer, nothing left behind.

Each test has a scheduler and workers of its own, started by dask's own commands.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from clusters import (
    APART,
    LEAVES,
    LONG,
    MARKS,
    SOUND,
    are_gone,
    clustered,
    counted,
    hosted_by,
    scheduler,
    signal_scheduler,
    system_of,
    workers_at,
)

from knower.cluster import joining
from knower.cluster.cluster_engine import Plan
from knower.cluster.host import Host
from knower.cluster.joining import joined
from knower.errors import LimitReached, UsageError
from knower.families import generate
from knower.limits import Budget
from knower.memory import Keeping
from knower.verdict.verdict import Verdict
from processes import PATIENCE

pytest.importorskip("distributed", reason="dask is not installed: pip install 'knower[cluster]'")
pytest.importorskip("psutil")
pytestmark = [*MARKS, pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")]

#: Rounds of one layer, from the first on; and one that takes long enough for something to happen in it.
ROUNDS = Plan(alone=0.0, dear=0.0, trial=0, portion=0.01, parts=2)
LENGTHY = Plan(alone=0.1, dear=0.0, trial=0, portion=60.0, parts=2)
#: A worker pauses at half its memory, and writes nothing to disk before.
_MEMORY = "DASK_DISTRIBUTED__WORKER__MEMORY"
PAUSING = {f"{_MEMORY}__PAUSE": "0.5", f"{_MEMORY}__TARGET": "False", f"{_MEMORY}__SPILL": "False"}
#: Enough layers for something to happen meanwhile.
TRAINS = generate("train-gate", n=4, type=3)


def at_round(when, accident):
    """A progress that makes something happen, once, at a certain round."""
    happened = []

    def progress(describe):
        if f"round {when} " in describe() and not happened:
            happened.append(True)
            accident()

    return progress, happened


def checked(address, text, formula, accident, when=2):
    """The answer and statistics of a check to which something happens in a round."""
    system = system_of(text)
    progress, happened = at_round(when, accident)
    model = clustered(system, address, ROUNDS, budget=Budget(seconds=90, progress=progress))
    answer = model.check(system.parse(formula))
    assert happened
    return answer, model.statistics


def tracebacks(folder: Path) -> str:
    log = (folder / "log").read_text()
    return log if "Traceback" in log else ""


@pytest.fixture
def quick(monkeypatch):
    """Those who do not answer are given up soon."""
    monkeypatch.setattr("knower.cluster.remote._SILENCE", 3.0)
    monkeypatch.setattr(joining, "_FIRST_WORD", 3.0)
    monkeypatch.setattr(joining, "_PATIENCE", 3.0)


def test_a_worker_that_dies_loses_nothing(tmp_path, quick):
    with scheduler(tmp_path) as address:
        answer, told = checked(address, TRAINS, APART, lambda: workers_at(address)[0].kill())
        assert answer.verdict is Verdict.TRUE and told["workers lost"] == 1
        assert not answer.warnings


def test_what_a_lost_worker_was_doing_is_done_again(tmp_path, quick):
    system = system_of(generate("train-gate", n=5, type=3, max=12))
    with scheduler(tmp_path) as address:
        progress, happened = at_round(1, lambda: workers_at(address)[0].kill())
        model = clustered(system, address, LENGTHY, budget=Budget(seconds=90, progress=progress))
        assert model.check(system.parse(APART)).verdict is Verdict.TRUE
        assert happened and model.statistics["errands redone"] >= 1
        assert model.states == counted(system)


@pytest.mark.parametrize("kind", [signal.SIGSTOP, signal.SIGKILL])
def test_a_process_on_a_worker_that_dies_or_freezes(tmp_path, quick, kind):
    """The process that computes: a dead one is replaced, a frozen one never says anything again."""
    with scheduler(tmp_path) as address:
        computing = []

        def accident():
            computing.extend(hosted_by(workers_at(address)[0]))
            computing[0].send_signal(kind)

        system = system_of(TRAINS)
        progress, _ = at_round(2, accident)
        model = clustered(system, address, ROUNDS, budget=Budget(seconds=20, progress=progress))
        if kind == signal.SIGKILL:
            assert model.check(system.parse(APART)).verdict is Verdict.TRUE
        else:
            with pytest.raises(LimitReached, match="time limit"):
                model.check(system.parse(APART))
        assert are_gone(computing)


def test_a_frozen_worker_is_left(tmp_path, quick):
    with scheduler(tmp_path) as address:
        frozen = workers_at(address)[0]
        answer, told = checked(address, TRAINS, APART, lambda: frozen.send_signal(signal.SIGSTOP))
        frozen.send_signal(signal.SIGCONT)
        assert answer.verdict is Verdict.TRUE and told["workers lost"] == 1


def test_a_worker_that_is_frozen_before_is_left_out(tmp_path, quick):
    with scheduler(tmp_path) as address:
        frozen = workers_at(address)[0]
        frozen.send_signal(signal.SIGSTOP)
        with joined(address) as cluster:
            assert len(cluster.gathered()) == 1
            assert list(cluster.left_out.values()) == ["it does not answer (paused, frozen or lost)"]
        frozen.send_signal(signal.SIGCONT)


def test_a_paused_worker_does_not_matter(tmp_path, quick):
    """Dask pauses a worker at 80 % of its memory: it takes no tasks, but answers who speaks to it."""
    with (
        scheduler(tmp_path, 2, PAUSING, "--memory-limit", "400MiB") as address,
        joined(address) as cluster,
    ):
        workers = cluster.gathered()
        filled = cluster.client.submit(os.urandom, 250 << 20, workers=workers[:1], pure=False)
        await_status(cluster.client, workers[0], "paused")
        system = system_of(TRAINS)
        model = clustered(system, address, ROUNDS, budget=Budget(seconds=60))
        assert model.check(system.parse(APART)).verdict is Verdict.TRUE
        assert model.statistics["workers"] == 1
        filled.release()


def test_a_worker_that_is_paused_meanwhile_goes_on(tmp_path, quick):
    with scheduler(tmp_path, 2, PAUSING, "--memory-limit", "400MiB") as address:
        with joined(address) as cluster:
            workers, held = cluster.gathered(), []

            def pause():
                held.append(cluster.client.submit(os.urandom, 250 << 20, workers=workers[:1], pure=False))
                await_status(cluster.client, workers[0], "paused")

            answer, told = checked(address, TRAINS, APART, pause)
        assert answer.verdict is Verdict.TRUE and told["workers lost"] == 0


def await_status(client, worker, status):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if client.scheduler_info(n_workers=-1)["workers"][worker]["status"] == status:
            return
        time.sleep(0.1)
    raise TimeoutError(f"the worker is not {status}")


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGSTOP])
def test_without_its_workers_the_master_goes_on_alone(tmp_path, quick, kind):
    with scheduler(tmp_path, workers=1) as address:
        workers = workers_at(address)
        answer, _ = checked(address, TRAINS, APART, lambda: workers[0].send_signal(kind))
        assert answer.verdict is Verdict.TRUE
        assert [warning.why for warning in answer.warnings] == ["all workers of the cluster are lost"]
        if kind == signal.SIGSTOP:
            workers[0].kill()


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGSTOP])
def test_without_its_scheduler_the_master_goes_on_alone(tmp_path, quick, kind):
    with scheduler(tmp_path, workers=1) as address:
        answer, _ = checked(address, TRAINS, APART, lambda: signal_scheduler(address, kind))
        assert answer.verdict is Verdict.TRUE
        assert [warning.code for warning in answer.warnings] == ["cluster-lost"]
        if kind == signal.SIGSTOP:
            signal_scheduler(address, signal.SIGCONT)


def test_what_does_not_fit_is_unknown_after_a_loss(tmp_path, quick):
    with scheduler(tmp_path, workers=1) as address:
        system = system_of(LONG)
        progress, happened = at_round(1, lambda: workers_at(address)[0].kill())
        model = clustered(system, address, LENGTHY, budget=Budget(seconds=12, progress=progress))
        with pytest.raises(LimitReached, match="time limit"):
            model.check(system.parse(LEAVES))
        assert happened


def test_no_workers_are_told(tmp_path, quick):
    with (
        scheduler(tmp_path, workers=0) as address,
        joined(address) as cluster,
        pytest.raises(UsageError, match="no workers") as told,
    ):
        cluster.gathered()
    assert told.value.diagnostics[0].code == "E611"


def test_a_worker_of_another_version_is_refused(tmp_path, quick, monkeypatch):
    monkeypatch.setattr("knower.__version__", "0.0.0")
    with scheduler(tmp_path, workers=1) as address:
        with joined(address) as cluster, pytest.raises(UsageError, match="it has knower") as told:
            cluster.gathered()
        assert told.value.diagnostics[0].code == "E612"
        assert not tracebacks(tmp_path)


def test_a_worker_without_knower_is_refused(tmp_path, quick):
    """Dask itself must be found there: only Knower is hidden."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text("import sys\nsys.modules['knower'] = None\n")
    path = {"PYTHONPATH": str(hidden)}
    with scheduler(tmp_path, 1, path) as address:
        with joined(address) as cluster, pytest.raises(UsageError, match="no knower") as told:
            cluster.gathered()
        assert told.value.diagnostics[0].code == "E612"
        assert not tracebacks(tmp_path)


def test_workers_free_their_models_and_log_no_tracebacks(tmp_path, quick):
    with scheduler(tmp_path) as address:
        system = system_of(SOUND)
        model = clustered(system, address, ROUNDS)
        assert model.check(system.parse(APART)).verdict is Verdict.TRUE
        assert model.states == counted(system)
        assert are_gone([each for worker in workers_at(address) for each in hosted_by(worker)])
        with joined(address) as cluster:
            assert not cluster.client.has_what() or not any(cluster.client.has_what().values())
        assert not tracebacks(tmp_path)


def test_a_process_whose_master_is_gone_is_ended():
    host = Host(Keeping(0), "knower.cluster.outpost_main", lease=0.5)
    psutil = pytest.importorskip("psutil")
    assert are_gone([psutil.Process(host._process.pid)])


def test_tls_with_certificates(tmp_path, quick):
    """Those of dask's own configuration; others are not heard."""
    dask = pytest.importorskip("distributed")
    told = written(tmp_path, dask.Security.temporary())
    model = tmp_path / "trains.ispl"
    model.write_text(SOUND)
    with scheduler(tmp_path, 1, told, kind="tls") as address:
        good = answered(model, address, told)
        assert good.returncode == 0 and not good.stderr
        assert json.loads(good.stdout)["formulas"][0]["verdict"] == "true"
        stranger = tmp_path / "stranger"
        stranger.mkdir()
        bad = answered(model, address, written(stranger, dask.Security.temporary()))
        assert bad.returncode == 2 and not bad.stderr
        assert json.loads(bad.stdout)["errors"][0]["code"] == "E611"


def answered(model, address, environment):
    command = [sys.executable, "-m", "knower", "check", str(model), "--method", "bmc", "--cluster", address]
    command += ["--formula", APART, "--format", "json"]
    given = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=given)


def written(folder, security):
    """Certificates as files, and the variables that tell dask of them."""
    for name, text in (("ca", security.tls_ca_file), ("key", security.tls_client_key)):
        (folder / f"{name}.pem").write_text(text)
    told = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(folder / "ca.pem")}
    for role in ("CLIENT", "SCHEDULER", "WORKER"):
        told[f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT"] = str(folder / "ca.pem")
        told[f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY"] = str(folder / "key.pem")
    return told
