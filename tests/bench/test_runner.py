"""Rows are run in processes, within limits; what is known is not measured again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_tables import LIMITS, case, result, slow_case, table

from engines import has_solver
from knower.bench import run as runner
from knower.bench.compare import compared, mark, ours, shown
from knower.bench.measure import Limits, Measured, measured
from knower.bench.prepare import Job, NotYet, prepared
from knower.bench.results import Result, Store
from knower.bench.run import Entry, Plan, Skipped, kept, run
from knower.bench.table import Row, Table
from knower.errors import UsageError

PLAN = Plan("1.0", LIMITS)


def job(row: Row) -> Job:
    made = prepared(row)
    assert isinstance(made, Job)
    return made


class Recorder:
    """Measures nothing, but notes what it was asked to."""

    def __init__(self, *stopped: str) -> None:
        self.jobs: list[Job] = []
        self.stopped = iter(stopped)

    def __call__(self, job: Job, limits: Limits) -> Measured:
        self.jobs.append(job)
        return Measured(
            ("true",), cpu=1.0 / len(self.jobs), wall=1, memory=30, stopped=next(self.stopped, "")
        )


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    made = Recorder()
    monkeypatch.setattr(runner, "measured", made)
    return made


def ran(of: Table, plan: Plan, folder: Path) -> list[Entry]:
    return list(run(of, plan, Store(folder, of.name), lambda row: None))


# -- true runs ----------------------------------------------------------------------------------------


def test_a_row_is_measured() -> None:
    found = measured(job(table().rows[1]), LIMITS)
    assert found.verdicts == ("true",)
    assert found.states == 4
    assert not found.stopped
    assert 0.05 < found.cpu < 30
    assert 5 < found.memory < 500
    assert found.model is not None and found.check is not None and found.check < found.model


def test_a_counterexample_has_a_length() -> None:
    asked = [{"formula": "AG max", "expected": False}]
    found = measured(job(table(case(formulas=asked, options={"evidence": "auto"})).rows[1]), LIMITS)
    assert found.verdicts == ("false",)
    assert found.length == 2


@pytest.mark.skipif(not has_solver, reason="python-sat is not installed")
def test_clauses_are_counted() -> None:
    asked = [{"formula": "AG !max", "expected": False}]
    found = measured(job(table(case(engine="sat", formulas=asked)).rows[0]), LIMITS)
    assert found.verdicts == ("false",)
    assert found.clauses is not None and found.clauses > 10


def test_a_bounded_search_tells_the_states_it_has_visited() -> None:
    asked = [{"formula": "AG max", "expected": False}]
    found = measured(job(table(case(engine="bmc", formulas=asked)).rows[1]), LIMITS)
    assert (found.verdicts, found.states) == (("false",), 2)


def test_a_run_is_stopped_at_its_limit() -> None:
    slow = job(table(slow_case()).rows[0])
    found = measured(slow, Limits(1, 2000))
    assert found.at_limit
    assert "time limit" in found.stopped
    found = measured(slow, Limits(60, 20))
    assert found.at_limit
    assert "memory limit" in found.stopped


def test_a_formula_that_cannot_be_read_is_told() -> None:
    found = measured(
        job(table(case(formulas=[{"formula": "AG nonsense", "expected": True}])).rows[0]), LIMITS
    )
    assert "nonsense" in found.stopped
    assert not found.at_limit


# -- what is run --------------------------------------------------------------------------------------


def test_results_are_kept_and_not_measured_again(tmp_path: Path, recorder: Recorder) -> None:
    of = table()
    first = ran(of, PLAN, tmp_path)
    assert len(recorder.jobs) == 2
    assert ran(of, PLAN, tmp_path) == first
    assert len(recorder.jobs) == 2
    ran(of, Plan("1.0", LIMITS, again=True), tmp_path)
    assert len(recorder.jobs) == 4
    ran(of, Plan("1.1", LIMITS), tmp_path)
    assert len(recorder.jobs) == 6, "another version is another matter"


def test_another_formula_is_measured(tmp_path: Path, recorder: Recorder) -> None:
    ran(table(), PLAN, tmp_path)
    ran(table(case(formulas=[{"formula": "EF max", "expected": True}])), PLAN, tmp_path)
    assert len(recorder.jobs) == 4


def test_sizes(tmp_path: Path, recorder: Recorder) -> None:
    of = table(case(rows=[[2], [4], [6]]))
    assert [one.row.size for one in ran(of, Plan("1.0", LIMITS, sizes=(2, 6)), tmp_path)] == [2, 6]
    assert [one.row.size for one in ran(of, Plan("1.0", LIMITS, max_size=4), tmp_path)] == [2, 4]
    assert len(recorder.jobs) == 3


def test_the_fastest_of_several_runs_counts(tmp_path: Path, recorder: Recorder) -> None:
    entries = ran(table(case(rows=[[2]])), Plan("1.0", LIMITS, repeat=4), tmp_path)
    assert [one.measured.cpu for one in entries if one.measured] == [0.25]


def test_what_met_the_limit_is_tried_again_with_a_higher_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = table(case(rows=[[2], [4], [6]]))
    monkeypatch.setattr(runner, "measured", Recorder("", "time limit of 60 s reached"))
    entries = ran(of, PLAN, tmp_path)
    assert [mark(one) for one in entries] == ["right", "stopped", "absent"]
    assert entries[2].state == Skipped("4 has met the limit")
    again = Recorder()
    monkeypatch.setattr(runner, "measured", again)
    ran(of, PLAN, tmp_path)
    assert not again.jobs
    ran(of, Plan("1.0", Limits(120, 2000)), tmp_path)
    assert len(again.jobs) == 2


def test_what_is_missing_is_not_yet(tmp_path: Path, recorder: Recorder) -> None:
    of = table(case(engine="abacus"), case(series="u", family="unicorns"))
    entries = ran(of, PLAN, tmp_path)
    assert not recorder.jobs
    assert all(isinstance(one.state, NotYet) for one in entries)
    verdicts = {line.cells[-1] for line in compared(of, entries).lines}
    assert verdicts == {"not yet: engine abacus", "not yet: family unicorns"}


def test_an_interrupt_leaves_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of = table()
    one = Recorder()

    def interrupted(asked: Job, limits: Limits) -> Measured:
        if one.jobs:
            raise KeyboardInterrupt
        return one(asked, limits)

    monkeypatch.setattr(runner, "measured", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ran(of, PLAN, tmp_path)
    assert [mark(entry) for entry in kept(of, Store(tmp_path, "tiny"))] == ["right", "absent"]
    rest = Recorder()
    monkeypatch.setattr(runner, "measured", rest)
    assert [mark(entry) for entry in ran(of, PLAN, tmp_path)] == ["right", "right"]
    assert len(rest.jobs) == 1


def test_results_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "tiny.json").write_text("[")
    with pytest.raises(UsageError, match="no results can be read"):
        Store(tmp_path, "tiny")


# -- what is shown ------------------------------------------------------------------------------------


def states_of(of: Table, *verdicts: str) -> Iterator[Entry]:
    for row, verdict in zip(of.rows, verdicts, strict=True):
        stopped = "time limit of 60 s reached" if verdict == "unknown" else ""
        yield Entry(row, result(row, verdicts=(verdict,), stopped=stopped))


def test_marks_and_cells() -> None:
    of = table(case(rows=[[2, 0.5], [4, "timeout"], [6]]))
    lines = compared(of, list(states_of(of, "true", "false", "unknown"))).lines
    assert [line.mark for line in lines] == ["right", "wrong", "stopped"]
    assert lines[0].cells == ("2", "0.5", "0.25", "right")
    assert lines[1].cells == ("4", "timeout", "0.25", "WRONG: false (expected: true)")
    assert lines[2].cells == ("6", "–", "> 0.25", "time limit of 60 s reached")


def test_an_unknown_verdict_is_not_wrong() -> None:
    of = table(case(rows=[[2]]))
    (entry,) = states_of(of, "unknown")
    assert isinstance(entry.state, Result)
    assert not entry.wrong


def test_ratios_are_relative_to_the_baseline() -> None:
    of = table(
        case(series="full", rows=[[2]]),
        case(series="bounded", rows=[[2, 3.5]]),
        columns=[{"name": "saved", "measure": "cpu ratio"}],
        baseline="full",
        measure="cpu ratio",
    )
    full, bounded = (Entry(row, result(row, cpu)) for row, cpu in zip(of.rows, (3.0, 1.5), strict=True))
    assert ours(bounded, "cpu ratio", of, [full, bounded]) == 2
    assert ours(full, "cpu ratio", of, [full, bounded]) is None


def test_units_of_papers_become_ours() -> None:
    of = table(
        case(rows=[[2, 2097152, 2048]]),
        columns=[
            {"name": "B", "measure": "memory", "unit": "bytes"},
            {"name": "K", "measure": "memory", "unit": "KB"},
        ],
    )
    assert compared(of, list(states_of(of, "true"))).lines[0].cells[1:3] == ("2", "2")


@pytest.mark.parametrize(
    ("figure", "text"),
    [(None, "–"), ("timeout", "timeout"), (0.0009, "0.0009"), (1.4, "1.4"), (99.99, "100"),
     (12345.6, "12346"), (3e12, "3e+12"), (0, "0")],
)  # fmt: skip
def test_figures(figure: float | str | None, text: str) -> None:
    assert shown(figure) == text
