"""`knower check` and its evidence: what is shown, followed, drawn, looked for and left out."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from knower.cli.main import cli

EXAMPLES = Path(__file__).parents[2] / "examples"
RACE = str(EXAMPLES / "tian_ji.ispl")
BITS = str(EXAMPLES / "bit_transmission.ispl")
LOST = "AG (ack_received -> GCK(partners, bit_received))"
SCHEMA = json.loads(files("knower.report").joinpath("schema.json").read_text(encoding="utf-8"))

#: Counts to 3, stops there, and would like to go on from 2 by two.
ROUGH = """\
Agent A
  Vars: x : 0..3; end Vars
  Actions = {one, two};
  Protocol: x < 3 : {one, two}; end Protocol
  Evolution:
    x = x + 1 if Action = one;
    x = x + 2 if Action = two;
  end Evolution
end Agent
Evaluation done if A.x = 3; end Evaluation
InitStates A.x = 0; end InitStates
Formulae EF done; end Formulae
"""
#: Neither stops nor goes too far.
SMOOTH = ROUGH.replace("x < 3 : {one, two};", "x < 2 : {one, two}; Other : {one};").replace(
    "if Action = one", "if x < 3 and Action = one"
)


def check(*arguments: str) -> Result:
    ran = CliRunner().invoke(cli, ["check", *arguments])
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    return ran


def data(*arguments: str, status: int) -> dict[str, Any]:
    """The JSON of a run, which is as the schema says."""
    ran = check(*arguments, "--format", "json")
    assert ran.exit_code == status
    found = json.loads(ran.stdout)
    Draft202012Validator(SCHEMA).validate(found)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def rough(tmp_path: Path) -> str:
    path = tmp_path / "rough.ispl"
    path.write_text(ROUGH)
    return str(path)


@pytest.fixture
def smooth(tmp_path: Path) -> str:
    path = tmp_path / "smooth.ispl"
    path.write_text(SMOOTH)
    return str(path)


# -- text and JSON ----------------------------------------------------------------------------------


def test_the_reason_follows_the_verdicts():
    ran = check(BITS, "--formula", LOST)
    assert ran.exit_code == 1
    assert f"why 1. is false: {LOST}" in ran.stdout
    assert "counterexample, 2 steps (replayed: ok)" in ran.stdout


def test_evidence_in_json():
    (found,) = data(BITS, "--formula", LOST, status=1)["formulas"]
    assert found["evidence"]["kind"] == "counterexample"
    assert found["evidence"]["replay"] == "ok"


@pytest.mark.parametrize("how", ["auto", "all"])
def test_how_much_is_wanted(how):
    (found,) = data(BITS, "--formula", LOST, "--evidence", how, status=1)["formulas"]
    assert found["evidence"]["cases"]


def test_none_is_wanted():
    assert "why" not in check(BITS, "--formula", LOST, "--evidence", "none").stdout
    (found,) = data(BITS, "--formula", LOST, "--evidence", "none", status=1)["formulas"]
    assert not found["evidence"]


def test_an_unknown_wish():
    ran = check(BITS, "--evidence", "much")
    assert ran.exit_code == 2
    assert "much" in ran.stderr
    assert ran.stdout == ""


# -- --show and --eval ------------------------------------------------------------------------------


def test_only_some_agents_are_shown():
    text = check(BITS, "--formula", LOST, "--show", "Sender").stdout
    assert "Sender.acked = false" in text
    assert "Environment.line" not in text
    assert "Receiver.received =" in check(BITS, "--formula", LOST, "--show", "Sender,Receiver").stdout


def test_an_unknown_agent_cannot_be_shown():
    for style in ("text", "json"):
        ran = check(BITS, "--show", "Sender,Sendr", "--format", style)
        assert ran.exit_code == 2
        assert "E604" in ran.stdout + ran.stderr
        assert "Sendr" in ran.stdout + ran.stderr


def test_formulas_are_followed():
    knows = "K(Sender, bit_received)"
    (found,) = data(BITS, "--formula", LOST, "--eval", "bit_received", "--eval", knows, status=1)["formulas"]
    assert "bit_received" in json.dumps(found["evidence"])
    assert knows in json.dumps(found["evidence"])
    text = check(BITS, "--formula", LOST, "--eval", knows).stdout
    assert knows in text.split("why 1.")[1]


@pytest.mark.parametrize("formula", ["bit_receved", "K(Nobody, bit_received)", "AG (", ""])
def test_a_bad_formula_cannot_be_followed(formula):
    ran = check(BITS, "--formula", LOST, "--eval", formula)
    assert ran.exit_code == 2
    assert "<formula>" in ran.stderr
    assert ran.stdout == ""


# -- drawings ---------------------------------------------------------------------------------------


def test_drawings_are_written(tmp_path):
    page, graph = tmp_path / "why.html", tmp_path / "why.dot"
    ran = check(RACE, "--html", str(page), "--dot", str(graph))
    assert ran.exit_code == 0, "all is as expected"
    assert page.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert "tian_ji_wins" in page.read_text(encoding="utf-8")
    assert "digraph" in graph.read_text(encoding="utf-8")


def test_drawings_need_no_evidence(tmp_path):
    page, graph = tmp_path / "why.html", tmp_path / "why.dot"
    check(RACE, "--evidence", "none", "--html", str(page), "--dot", str(graph))
    assert page.exists()
    assert graph.exists()


@pytest.mark.parametrize("option", ["--html", "--dot"])
def test_drawings_that_cannot_be_written(tmp_path, option):
    for path in (tmp_path / "no" / "folder", tmp_path):
        ran = check(RACE, option, str(path))
        assert ran.exit_code == 2
        assert "E608" in ran.stderr


# -- deadlocks and overflows ------------------------------------------------------------------------


def test_missteps_are_found(rough):
    assert data(rough, "--deadlock", status=1)["sought"] == {"deadlock": True}
    assert data(rough, "--overflow", status=1)["sought"] == {"overflow": True}
    found = data(rough, "--deadlock", "--overflow", "--no-lint", status=1)
    assert found["sought"] == {"deadlock": True, "overflow": True}
    assert found["formulas"] == []
    assert {warning["code"] for warning in found["warnings"]} == {"deadlock", "overflow"}


def test_no_missteps_are_found(smooth):
    assert data(smooth, "--deadlock", "--overflow", status=0)["sought"] == {
        "deadlock": False,
        "overflow": False,
    }
    ran = check(smooth, "--deadlock", "--overflow")
    assert ran.exit_code == 0
    assert "deadlock: none" in ran.stdout
    assert "overflow: none" in ran.stdout


def test_the_way_to_a_misstep_is_told(rough):
    ran = check(rough, "--deadlock")
    assert ran.exit_code == 1
    assert "A.x = 3" in ran.stdout
    assert "deadlock: none" not in ran.stdout


def test_formulas_beside_missteps(smooth):
    found = data(smooth, "--deadlock", "--formula", "EF done", "--also", "AG !done", status=1)
    assert [formula["verdict"] for formula in found["formulas"]] == ["true", "false"]
    assert found["sought"] == {"deadlock": False}


def test_nothing_is_sought_unasked(smooth):
    assert not data(smooth, status=0).get("sought")
