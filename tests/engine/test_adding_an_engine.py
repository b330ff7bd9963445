"""How to add an engine: a package and a row. Everything that chooses engines knows it then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from toy_engine import ROW

import knower
from knower.engine import registry
from knower.report.words import reason_text
from knower.verdict.faults import Fault
from knower.verdict.verdict import Verdict
from sessions import forked_by_default

MODEL = """
Agent A
  Vars: x : 0..2; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if x < 2; end Evolution
end Agent
Evaluation zero if A.x = 0; two if A.x = 2; end Evaluation
InitStates A.x = 0; end InitStates
Formulae zero; AF two; two or zero; end Formulae
"""
FASTEST = "bitset"  # of small models


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(registry, "ROWS", (*registry.ROWS, ROW))
    with forked_by_default():
        yield


def test_it_is_asked_for_by_its_name(toy):
    result = knower.loads(MODEL).check("zero", "two", engine="toy")
    assert result.verdicts == (Verdict.TRUE, Verdict.FALSE)
    assert (result.engine, result.statistics["toys"], result.states) == ("toy", 1, None)


def test_what_it_refuses_is_unknown_and_others_are_named(toy):
    (result,) = knower.loads(MODEL).check("AF two", engine="toy")
    assert result.verdict is Verdict.UNKNOWN
    told = reason_text(result.reason)
    assert told.startswith("the engine toy knows propositions only; the engine") and told.endswith(" can")


def test_each_question_has_the_engine_that_suits_it_best(toy):
    """States and faults still come from one engine that knows the whole model."""
    result = knower.loads(MODEL).check()
    assert result.holds
    assert [each.engine for each in result] == ["toy", FASTEST, "toy"]
    assert result.states == 3
    alone = knower.loads(MODEL).check("zero")
    assert [each.engine for each in alone] == ["toy"]
    assert alone.states == 3 and alone.faults.is_known(Fault.DEADLOCK)


def test_its_options_are_refused_if_it_has_none(toy):
    with pytest.raises(knower.InputError, match=r"E607.*`order` does not go with"):
        knower.loads(MODEL).check("zero", engine="toy", order="force")


def test_the_command_line_knows_it(tmp_path):
    model = tmp_path / "model.ispl"
    model.write_text(MODEL)
    begin = (
        "from toy_engine import ROW; from knower.engine import registry; registry.ROWS += (ROW,);"
        "from knower.cli.main import main; main()"
    )
    folders = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    done = subprocess.run(
        [sys.executable, "-c", begin, "check", str(model), "--engine", "toy", "--formula", "zero"],
        capture_output=True, text=True, env={"PYTHONPATH": ":".join([*folders, *filter(None, sys.path)])},
    )  # fmt: skip
    assert "states not counted (toy," in done.stdout and "TRUE    zero" in done.stdout, done.stderr
