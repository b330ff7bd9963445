"""Several runs: as they come, kept in a file, and each for itself where something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from knower.batch import Batch, Job, Results
from knower.cli.main import cli
from knower.errors import UsageError
from knower.reasons import WorkersLost
from knower.session import Session
from knower.source import Source

COUNTER = """
Const n = 2;
Agent A
  Vars: x : 0..n; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if x < n; end Evolution
end Agent
Evaluation last if A.x = n; end Evaluation
InitStates A.x = 0; end InitStates
Formulae AF last; EF last; end Formulae
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, text in (("good", COUNTER), ("bad", COUNTER.replace("go};", "go"))):
        (tmp_path / f"{name}.ispl").write_text(text)
    return [str(tmp_path / "good.ispl"), str(tmp_path / "bad.ispl")]


def test_a_model_with_errors_does_not_cost_the_others_their_verdicts(files):
    told = CliRunner().invoke(cli, ["check", *files, "--format", "json"])
    good, bad = json.loads(told.output)["runs"]
    assert told.exit_code == 2
    assert [each["verdict"] for each in good["formulas"]] == ["true", "true"]
    assert good["status"] == 0 and bad["status"] == 2 and bad["errors"][0]["code"].startswith("E1")
    text = CliRunner().invoke(cli, ["check", *files]).output
    assert text.startswith("2 models:") and "2 runs, 1 with errors: all as expected" in text


def test_what_stands_in_the_file_of_results_is_not_done_again(files, tmp_path, monkeypatch):
    arguments = ["check", files[0], "-D", "n=2..4", "--format", "json", "--results", str(tmp_path / "r")]
    first = CliRunner().invoke(cli, arguments)
    assert first.exit_code == 0 and [run["states"] for run in json.loads(first.output)["runs"]] == [3, 4, 5]

    done = list[Job]()
    once = Batch._tried
    monkeypatch.setattr(Batch, "_tried", lambda batch, job: done.append(job) or once(batch, job))
    assert CliRunner().invoke(cli, arguments).output == first.output and not done
    lines = (tmp_path / "r").read_text().splitlines()
    (tmp_path / "r").write_text("\n".join([*lines[:2], lines[2][:20]]))  # killed while it was written
    again = json.loads(CliRunner().invoke(cli, arguments).output)["runs"]
    assert [run["states"] for run in again] == [3, 4, 5] and len(done) == 1
    assert len(Results(str(tmp_path / "r")).known) == 3


def test_other_questions_are_other_runs():
    job = Job(Source("m", COUNTER), (("n", "2"),))
    assert job.key("EF last") == Job(Source("m", COUNTER), (("n", "2"),)).key("EF last")
    others = [job.key("AF last"), Job(Source("m", COUNTER)).key("EF last")]
    assert len({job.key("EF last"), *others}) == 3


def test_a_file_of_something_else_is_not_written_to(tmp_path):
    other = tmp_path / "notes"
    other.write_text("one\ntwo\n")
    with pytest.raises(UsageError) as told:
        Results(str(other))
    assert told.value.diagnostics[0].code == "E608" and other.read_text() == "one\ntwo\n"


def test_a_run_whose_worker_is_lost_is_begun_again(monkeypatch):
    """Another machine may be there; after three times it is told."""
    with Session(cores=1) as session:
        batch = Batch(session, 1, (), {"evidence": "none"})
        (lost,) = batch.outcomes([Job(Source("m", COUNTER))])
        assert lost.result is not None and lost.where == "here"
        tries = []

        def loses(job):
            tries.append(job)
            return type(lost)(job, None, left=WorkersLost("the worker is lost"))

        monkeypatch.setattr(batch, "_tried", loses)
        (told,) = batch.outcomes([Job(Source("m", COUNTER))])
        assert told.left == WorkersLost("the worker is lost") and len(tries) == 3
