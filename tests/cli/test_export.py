"""`knower export`: graphs in DOT and JSON, and what happens when they are too large."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from knower.cli.export import export

EXAMPLES = Path(__file__).parents[2] / "examples"
BIT = str(EXAMPLES / "bit_transmission.ispl")

#: A switch that somebody sees and nobody need touch.
SWITCH = """\
Agent Environment
  Vars: on : boolean; end Vars
  Actions = {};
  Evolution: on = true if Hand.Action = press; on = false if Hand.Action = press; end Evolution
end Agent
Agent Hand
  Vars: tired : boolean; end Vars
  Actions = {press, rest};
  Protocol: tired = false : {press, rest}; Other : {rest}; end Protocol
  Evolution: tired = true if Action = press; end Evolution
end Agent
Evaluation light if Environment.on = true; end Evaluation
InitStates Environment.on = false and Hand.tired = false; end InitStates
"""


@pytest.fixture
def switch(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("switch.ispl").write_text(SWITCH)
    return "switch.ispl"


def run(*arguments: str, stdin: str | None = None) -> Result:
    ran = CliRunner().invoke(export, list(arguments), input=stdin)
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran


def data(*arguments: str) -> dict[str, Any]:
    ran = run(*arguments, "--to", "json")
    assert (ran.exit_code, ran.stderr) == (0, "")
    found = json.loads(ran.stdout)
    assert isinstance(found, dict)
    return found


def test_dot_word_for_word(switch):
    ran = run(switch)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert (
        ran.stdout
        == r"""digraph "switch.ispl" {
  node [shape=box, style=rounded, fontname="Helvetica", fontsize=11];
  edge [fontname="Helvetica", fontsize=10];
  s0 [label="0\lEnvironment.on = false\lHand.tired = false\l", peripheries=2];
  s1 [label="1\lEnvironment.on = true\lHand.tired = true\l{light}\l"];
  s2 [label="2\lEnvironment.on = false\lHand.tired = true\l"];
  s0 -> s1 [label="Hand: press"];
  s0 -> s2 [label="Hand: press"];
  s0 -> s0 [label="Hand: rest"];
  s1 -> s1 [label="Hand: rest"];
  s2 -> s2 [label="Hand: rest"];
}
"""
    )


def test_json(switch):
    found = data(switch, "--knowledge")
    assert (found["schema"], found["model"]) == (1, "switch.ispl")
    assert found["states"][1] == {
        "number": 1,
        "initial": False,
        "state": {"Environment": {"on": True}, "Hand": {"tired": True}},
        "true": ["light"],
    }
    assert found["steps"][0] == {"from": 0, "to": 1, "action": {"Hand": "press"}}
    assert found["knowledge"] == {"Environment": [[0, 2], [1]], "Hand": [[0], [1, 2]]}
    assert "knowledge" not in data(switch)


def test_knowledge_is_drawn_as_a_chain():
    dashed = re.findall(
        r'(s\d+) -> (s\d+) \[label="Environment", style=dashed', run(BIT, "--knowledge").stdout
    )
    classes = data(BIT, "--knowledge")["knowledge"]["Environment"]
    assert len(dashed) == sum(len(alike) - 1 for alike in classes) == 18 - len(classes)


def test_some_agents_only():
    found = data(BIT, "--show", "Sender, Receiver")
    assert set(found["states"][0]["state"]) == {"Sender", "Receiver"}
    assert found["steps"][0]["action"] == {"Sender": "send_zero", "Receiver": "listen"}
    assert data(BIT, "--show", "partners") == found
    assert len(found["states"]) == 18


def test_an_unknown_agent():
    ran = run(BIT, "--show", "Sendr")
    assert ran.exit_code == 2
    assert "error[E604]: unknown agent or group `Sendr`" in ran.stderr
    assert "did you mean `Sender`?" in ran.stderr


def test_a_graph_that_is_too_large():
    ran = run(BIT, "--max-states", "17")
    assert (ran.exit_code, ran.stdout) == (3, "")
    assert ran.stderr == (
        "error[E629]: the graph is too large: more than 17 reachable states\n"
        "  help: raise the limit: --max-states 170\n"
    )
    assert run(BIT, "--max-states", "18").exit_code == 0


def test_an_endless_model_is_given_up_soon(switch):
    Path(switch).write_text(SWITCH.replace("on : boolean", "on : boolean; n : 0..1000000000"))
    ran = run(switch)
    assert (ran.exit_code, "more than 1000 reachable states" in ran.stderr) == (3, True)


def test_files(switch):
    assert run(switch, "-o", "graph.dot").stdout == ""
    assert Path("graph.dot").read_text() == run(switch).stdout
    assert "E608" in run(switch, "-o", "no/such/folder").stderr
    assert run(switch, "-o", "no/such/folder").exit_code == 2
    assert "E601" in run("absent.ispl").stderr


def test_standard_input():
    assert run("-", stdin=SWITCH).stdout.startswith('digraph "<stdin>" {')


def test_no_initial_state(switch):
    Path(switch).write_text(SWITCH.replace("= false and Hand", "= false and Environment.on = true and Hand"))
    ran = run(switch)
    assert (ran.exit_code, "E410" in ran.stderr) == (2, True)


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
def test_graphviz_reads_it(tmp_path):
    odd = tmp_path / 'a "b" \\ c & d.ispl'
    odd.write_text(SWITCH)
    for model in (str(odd), BIT):
        text = run(model, "--knowledge").stdout
        drawn = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=False)
        assert (drawn.returncode, drawn.stderr) == (0, "")
