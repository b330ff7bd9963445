"""Independent runs on the workers of a cluster: the verdicts of one process, whatever happens to workers."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest
from clusters import FLAWED, MARKS, SOUND, scheduler, workers_at, workers_left, workers_of

import knower
from knower.batch import Batch, Job
from knower.families import generate
from knower.session import Session
from knower.source import Source
from processes import PATIENCE, child

pytest.importorskip("distributed", reason="dask is not installed: pip install 'knower[cluster]'")
pytest.importorskip("cryptography")
pytestmark = MARKS


def test_a_portfolio_and_several_models_on_local_workers():
    verdicts = {text: knower.loads(text).check(evidence="none").formulas for text in (FLAWED, SOUND)}
    with Session(cluster="local:2") as session:
        assert session.cores == 2
        for text, expected in verdicts.items():
            found = session.loads(text).check(portfolio="first", evidence="none")
            assert [each.verdict for each in found.formulas] == [each.verdict for each in expected]
        outcomes = list(Batch(session, 2, (), {"evidence": "none"}).outcomes(jobs(4)))
        assert {outcome.where for outcome in outcomes} != {"here"}
        expected = {job.name: knower.loads(job.source.text).check(evidence="none").states for job in jobs(4)}
        assert {outcome.job.name: outcome.result.states for outcome in outcomes} == expected
    assert not workers_left()


def jobs(count):
    """Counters of some sizes."""
    return [Job(Source(f"m{n}", generate("counter", n=n))) for n in range(2, 2 + 2 * count, 2)]


def test_lost_workers_cost_time_but_no_answer(tmp_path, monkeypatch):
    monkeypatch.setattr("knower.cluster.remote._SILENCE", 5.0)
    with scheduler(tmp_path) as address, Session(cluster=address) as session:
        batch = Batch(session, 2, (), {"evidence": "none"})
        assert len(list(batch.outcomes(jobs(2)))) == 2
        for worker in workers_at(address):
            worker.kill()
        outcomes = list(batch.outcomes(jobs(4)))
        assert all(outcome.result is not None for outcome in outcomes)
        assert {outcome.where for outcome in outcomes} == {"here"}


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c_tells_what_is_done(tmp_path):
    """Runs that are over are shown and kept; nothing is left behind."""
    quick, slow = tmp_path / "quick.ispl", tmp_path / "slow.ispl"
    quick.write_text(FLAWED)
    slow.write_text(generate("train-gate", n=8, type=3, max=40))
    command = [sys.executable, "-m", "knower", "check", str(quick), str(slow), "--cluster", "local:2"]
    command += ["--format", "json", "--results", str(tmp_path / "done")]
    with child(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        await_lines(tmp_path / "done", 1)
        workers = workers_of(run.pid)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, err) == (130, "")
    assert [each["model"] for each in json.loads(out)["runs"]] == [str(quick)]
    assert workers and not [each for each in workers if each.is_running() and each.status() != "zombie"]


def await_lines(path, count):
    import time

    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if path.exists() and path.read_text().count("\n") >= count:
            return
        time.sleep(0.1)
    raise TimeoutError("no results")
