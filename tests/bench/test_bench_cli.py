"""`knower bench` on the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tiny_tables import case, slow_case, table_file

from knower.bench import plot
from knower.cli.main import cli
from processes import PATIENCE, child


def bench(*arguments: str, folder: Path) -> Result:
    return CliRunner().invoke(cli, ["bench", *arguments, "--output", str(folder / "results")])


def test_list(tmp_path: Path) -> None:
    done = bench("--list", folder=tmp_path)
    assert done.exit_code == 0
    assert "002-table4     Dining cryptographers: MCMAS, MCK and MCTK (9 rows" in done.stdout


def test_a_table(tmp_path: Path) -> None:
    done = bench(table_file(tmp_path), "--limit", "60", folder=tmp_path)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "tiny: Tiny counters"
    assert lines[2].split() == ["values", "Abacus", "[s]", "Knower:", "CPU", "time", "[s]", "verdict"]
    assert [line.split()[0] for line in lines[4:6]] == ["2", "4"]
    assert all(line.endswith("right") for line in lines[4:6])
    assert "After nobody." in done.stdout
    kinds = {path.suffix for path in (tmp_path / "results").iterdir()}
    assert kinds == ({".json", ".svg", ".png"} if find_spec("matplotlib") else {".json"})


def test_markdown_and_json(tmp_path: Path) -> None:
    file = table_file(tmp_path, case(rows=[[2, 0.5]]), case(series="sdd", engine="abacus"))
    done = bench(file, "--format", "markdown", folder=tmp_path)
    assert "| values | kind | engine | Abacus [s] | Knower: CPU time [s] | verdict |" in done.stdout
    assert "| not yet: engine abacus |" in done.stdout
    data = json.loads(bench(file, "--format", "json", folder=tmp_path).stdout)
    assert [row["outcome"] for row in data["rows"]] == ["right", "not yet", "not yet"]
    assert data["rows"][0]["paper"] == {"Abacus": 0.5}
    assert data["rows"][0]["measured"]["verdicts"] == ["true"]
    assert data["rows"][1]["reason"] == "engine abacus"


def test_a_wrong_verdict_is_loud(tmp_path: Path) -> None:
    wrong = case(formulas=[{"formula": "AG EF max", "expected": False}], rows=[[2]])
    done = bench(table_file(tmp_path, wrong), folder=tmp_path)
    assert done.exit_code == 1
    assert "WRONG: true (expected: false)   <<<<<" in done.stdout
    assert "WRONG VERDICTS in tiny: 2" in done.stderr
    assert "| **2** |" in bench(table_file(tmp_path, wrong), "--format", "markdown", folder=tmp_path).stdout


def test_what_is_not_yet_is_no_failure(tmp_path: Path) -> None:
    file = table_file(tmp_path, case(engine="abacus"), case(series="u", family="unicorns"))
    done = bench(file, folder=tmp_path)
    assert done.exit_code == 0
    assert "not yet: family unicorns" in done.stdout


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plot, "is_possible", lambda: False)
    done = bench(table_file(tmp_path, case(rows=[[2]])), folder=tmp_path)
    assert done.exit_code == 0
    assert "no picture: matplotlib is not installed (pip install 'knower[plot]')" in done.stderr


def test_report(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Performance\n")
    nothing = bench("--report", str(page), folder=tmp_path)
    assert nothing.exit_code == 2
    assert "there are no results" in nothing.stderr
    file = table_file(tmp_path)
    bench(file, folder=tmp_path)
    assert bench(file, "--report", str(page), folder=tmp_path).exit_code == 0
    assert page.read_text().startswith("# Performance\n\n<!-- tables of the papers -->")
    assert "### tiny: Tiny counters" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no table is named"),
        (("002-table",), "no table `002-table`"),
        (("002-table4", "--sizes", "few"), "'few' is not a list of whole numbers"),
        (("002-table4", "--repeat", "0"), "--repeat"),
        (("002-table4", "--format", "xml"), "--format"),
    ],
)
def test_bad_usage(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = bench(*arguments, folder=tmp_path)
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_keeps_what_is_done(tmp_path: Path) -> None:
    """The second row would take long; Ctrl-C ends it, its processes, and nothing else."""
    file = table_file(tmp_path, case(rows=[[2]]), slow_case())
    results = tmp_path / "results"
    command = [sys.executable, "-m", "knower", "bench", file, "--output", str(results)]
    with child(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        late = time.monotonic() + PATIENCE
        while not (results / "tiny.json").exists() and time.monotonic() < late:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert "right" in out
    assert "interrupted: the results so far are kept in" in err
    assert "goes on from here" in err
    assert len(json.loads((results / "tiny.json").read_text())["runs"]) == 1
