"""The engine `sdd` from the command line and from Python: its options, its absence, its evidence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import knower
from engines import has_sdd
from knower.engine import registry
from knower.errors import UsageError
from knower.functions.registry import PYSDD, available, is_here
from knower.options import MINIMISE, VTREES
from processes import PATIENCE

EXAMPLES = Path(__file__).parents[2] / "examples"
MODEL = str(EXAMPLES / "bit_transmission.ispl")

needs_pysdd = pytest.mark.skipif(not has_sdd, reason="pysdd is not installed")


def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`knower check` as users run it."""
    command = [sys.executable, "-m", "knower", "check", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **environment}
    )


def data(*arguments: str, **environment: str) -> dict[str, Any]:
    """The one JSON object on standard output."""
    found = json.loads(process(*arguments, "--format", "json", **environment).stdout)
    assert isinstance(found, dict)
    return found


def error_of(*arguments: str) -> dict[str, Any]:
    """The one error of a run that fails."""
    (error,) = data(MODEL, *arguments)["errors"]
    assert isinstance(error, dict)
    return error


# -- options -----------------------------------------------------------------------------------------------


@needs_pysdd
def test_statistics_show_vtree_and_minimise():
    ran = process(MODEL, "--engine", "sdd", "--vtree", "agents", "--minimise", "l-subtrees", "-v")
    assert ran.returncode == 0, "all is as expected"
    shown = [line.strip() for line in ran.stdout.splitlines()]
    assert {"library: sdd", "vtree: agents", "minimise: l-subtrees"} <= {*shown}
    assert any(line.startswith("minimisations: ") for line in shown)


@needs_pysdd
def test_statistics_of_the_defaults():
    found = data(MODEL, "--engine", "sdd", "--verbose")
    assert found["engine"] == found["statistics"]["library"] == "sdd"
    assert found["statistics"]["vtree"] in VTREES[1:]
    assert (found["statistics"]["minimise"], found["statistics"]["minimisations"]) == ("off", 0)


@pytest.mark.parametrize("option", [("--vtree", "agents"), ("--minimise", "auto")], ids=" ".join)
@pytest.mark.parametrize("engine", ["bdd", "explicit", "auto"] if available() else ["explicit", "auto"])
def test_options_of_this_engine_alone(engine, option):
    error = error_of("--engine", engine, *option)
    assert (error["code"], error["cure"]) == ("E607", "it goes with --engine sdd")


@pytest.mark.parametrize(("option", "known"), [("--vtree", VTREES), ("--minimise", MINIMISE)])
def test_unknown_choices_on_the_command_line(option, known):
    ran = process(MODEL, "--engine", "sdd", option, "agnts")
    assert ran.returncode == 2
    assert all(f"'{name}'" in ran.stderr for name in known)


@pytest.mark.parametrize(("option", "known"), [("vtree", VTREES), ("minimise", MINIMISE)])
def test_unknown_choices_from_python(option, known):
    with pytest.raises(UsageError, match="unknown choice `agnts`") as caught:
        knower.load(MODEL).check(engine="sdd", **{option: "agnts"})
    (found,) = caught.value.diagnostics
    assert (found.code, found.cure) == ("E605", f"one of: {', '.join(known)}")


# -- what is installed -------------------------------------------------------------------------------------


@needs_pysdd
def test_no_library_of_bdds_is_needed():
    found = data(MODEL, "--engine", "sdd", KNOWER_BDD="none")
    expected = data(MODEL, "--engine", "explicit")
    assert (found["engine"], found["warnings"]) == ("sdd", [])
    assert [each["verdict"] for each in found["formulas"]] == [
        each["verdict"] for each in expected["formulas"]
    ]


@pytest.fixture
def without_pysdd(monkeypatch):
    monkeypatch.setattr(registry, "is_here", lambda library: library != PYSDD and is_here(library))


def test_without_pysdd_the_cure_is_told(without_pysdd):
    with pytest.raises(UsageError, match="pysdd is not installed") as caught:
        knower.load(MODEL).check(engine="sdd")
    (found,) = caught.value.diagnostics
    assert (found.code, found.cure) == ("E610", PYSDD.cure)
    assert "pip install pysdd" in PYSDD.cure


def test_without_pysdd_the_other_engines_work(without_pysdd):
    assert knower.load(MODEL).check(evidence="none").engine != "sdd"


# -- evidence ----------------------------------------------------------------------------------------------


@needs_pysdd
@pytest.mark.parametrize("minimise", MINIMISE)
@pytest.mark.parametrize("name", ["bit_transmission_fair", "card_game", "strongly_connected", "tian_ji"])
def test_evidence_is_replayed(name, minimise):
    """For the same formulas as by enumeration of the states."""
    system = knower.load(EXAMPLES / f"{name}.ispl")
    found = system.check(engine="sdd", minimise=minimise, evidence="all")
    explained = [each for each in found if each.evidence is not None]
    assert explained
    assert {each.evidence.replay.status for each in explained} == {"ok"}
    expected = system.check(engine="explicit", evidence="all")
    assert [each.number for each in explained] == [e.number for e in expected if e.evidence is not None]


# -- extremes ----------------------------------------------------------------------------------------------


@needs_pysdd
def test_a_model_without_variables():
    text = "Agent A Actions = {a}; end Agent Evaluation p if true; end Evaluation Formulae AG p; end Formulae"
    assert knower.loads(text).check(engine="sdd").holds


def row(bits: int) -> str:
    """Bits, each of which copies the next whenever it likes; at first one is true."""
    variables = "".join(f"x{k} : boolean; " for k in range(bits))
    steps = "".join(f"x{k} = x{(k + 1) % bits} if Action = a; " for k in range(bits))
    start = " and ".join(f"A.x{k} = {'false' if k else 'true'}" for k in range(bits))
    return f"""
Agent A Vars: {variables} end Vars Actions = {{a}}; Evolution: {steps} end Evolution end Agent
Evaluation p if A.x0 = true; end Evaluation
InitStates {start}; end InitStates
Formulae EF !p; AG EF p; end Formulae
"""


@needs_pysdd
def test_a_deep_vtree(tmp_path):
    """It takes more stack than processes usually have."""
    path = tmp_path / "row.ispl"
    path.write_text(row(100))
    found = data(str(path), "--engine", "sdd", "--vtree", "right-linear", "--evidence", "none")
    assert [each["verdict"] for each in found["formulas"]] == ["true", "false"]
    assert found["states"] == 100 * 99 + 2, "one stretch of true bits anywhere, or all, or none"
