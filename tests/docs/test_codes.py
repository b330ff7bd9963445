"""Each code of docs/errors.md is real: here is something small that provokes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from knower import AG, InputError, load, loads, specification
from knower.cli.main import cli

ROOT = Path(__file__).resolve().parents[2]
LISTED = set(re.findall(r"^\| `([EL]\d{3})` \|", (ROOT / "docs" / "errors.md").read_text(), re.MULTILINE))


def model(
    variables: str = "x : 0..3;",
    protocol: str = "Other : {go};",
    evolution: str = "",
    end: str = "",
    top: str = "",
) -> str:
    """A model of one agent, and an Environment that shows `seen` and hides `hidden`."""
    return f"""{top}
    Agent Environment
      Obsvars: seen : boolean; end Obsvars
      Vars: hidden : boolean; end Vars
      Actions = {{}};
    end Agent
    Agent A
      Vars: {variables} end Vars
      Actions = {{go}};
      Protocol: {protocol} end Protocol
      Evolution: {evolution} end Evolution
    end Agent
    {end}"""


def asked(formula: str) -> str:
    """A model with the propositions p, q, g, the groups g, e (empty) and this formula."""
    evaluation = "Evaluation p if A.x = 1; q if A.x = 2; g if A.x = 3; end Evaluation"
    groups = "Groups g = {A}; e = {}; end Groups"
    return model(end=f"{evaluation} {groups} Formulae {formula}; end Formulae")


MODELS = {
    "E100": " \n",
    "E101": "# no comment\n" + model(),
    "E102": model(variables="2nd : boolean;"),
    "E103": model(variables="x 0..3;"),
    "E104": model(variables=f"x : 0..{'9' * 101};"),
    "E105": model(evolution="x = 1 if 0 < x < 3;"),
    "E106": model(evolution="Environment.seen = true if x = 1;"),
    "E201": model(evolution="x = 1 if B.Action = go;"),
    "E202": model(evolution="y = 1 if x = 1;"),
    "E203": model(evolution="x = 1 if Action = goo;"),
    "E204": model(evolution="x = 1 if Environment.hidden = true;"),
    "E205": model(protocol="Action = go : {go};"),
    "E206": model(evolution="x = 1 if Environment.Action = go;"),
    "E207": model(variables="Action : boolean;"),
    "E208": model(protocol="Other : {stop};"),
    "E209": asked("GK(h, p)"),
    "E210": model(protocol="exists x : 1..2 (x = 1) : {go};"),
    "E211": model(variables="x : 0..n;"),
    "E212": model(evolution="x = 1 if Environment(1).Action = go;"),
    "E213": model(evolution="x = 1 if x[1] = 2;"),
    "E301": model(evolution="x = 1 if x;"),
    "E302": model(evolution="x = 1 if x = true;"),
    "E303": model(evolution="x = true if x = 1;"),
    "E304": model(variables="c : {a, b}; d : {b, e};", evolution="c = d if c = a;"),
    "E305": model(variables="c : {a, b};", protocol="c < a : {go};"),
    "E306": model(variables="c : {a, b}; d : {e};", evolution="c = e if c = a;"),
    "E307": model(variables="x : 3..0;"),
    "E308": model(variables="x : 0..true;"),
    "E309": model(variables="x : 0..3; a : array 1..2 of boolean;", evolution="x = 1 if a[3];"),
    "E310": model(evolution="x = min i : 1..0 (i) if x = 0;"),
    "E401": model(end="Groups end Groups Groups end Groups"),
    "E402": model(end="InitStates A.x = 1; A.x = 2; end InitStates"),
    "E403": "Evaluation end Evaluation",
    "E404": model(variables="x : 0..3; x : boolean;"),
    "E405": "Agent A Obsvars: x : boolean; end Obsvars end Agent",
    "E406": model(protocol="Other : {go}; x = 1 : {go};"),
    "E407": model(evolution="x = 1 and x = 2 if x = 0;"),
    "E408": model("x : 0..3; y : 0..3;", evolution="x = 1 and y = 1 if x = 0;", top="Semantics = SA;"),
    "E409": asked("GK(e, p)"),
    "E410": model(end="InitStates A.x = 0 and A.x = 1; end InitStates"),
    "E411": model(top="Const n = 3 where n > 3;"),
    "E412": model(protocol="for i : 1..0 do x = i : {go};"),
    "E416": model().replace("Actions = {go};", "Define d = d; Actions = {go};").replace("Other", "d"),
    "E501": asked("AG r"),
    "E502": asked("AG A.greenstates"),
    "E503": asked("<p>q"),
    "E504": asked("F p"),
    "E505": asked("LDL <g>F p"),
    "E506": asked("LDL <(p*)?>q"),
    "E507": asked("LDL <K(A, p)>q"),
    "E508": asked("LDL <p and q>q"),
    "E510": asked("AG A.Action = a"),
}

FINDINGS = {
    "L101": model(protocol="x = 0 and x = 1 : {go}; Other : {go};"),
    "L102": model(protocol="x = 0 and x = 1 : {go}; Other : {};"),
    "L103": model(protocol="x = 0 : {go};"),
    "L104": model(evolution="x = x + 1 if Action = go;"),
    "L105": model(end="Evaluation p if A.x < 9; end Evaluation"),
    "L106": model(variables="x : 0..3; y : 0..3;", evolution="x = 1 if Action = go; y = 1 if Action = go;"),
    "L107": model(),
    "L108": asked("AG p"),
    "L109": model(protocol=""),
    "L110": model(variables="a : {a, b}; c : {a, b};", protocol="c = a : {go}; Other : {go};"),
    "L111": model(),
    "L112": asked("CTL* X p and q"),
    "L113": asked("LTLf F p"),
    "L114": model(evolution="x = 1 if x = 0 and x = 1;"),
    "L115": model(evolution="x = 1 if x = 0;", end="InitStates Environment.seen = true; end InitStates"),
}


def found(text: str) -> set[str]:
    """The codes of the errors of a model."""
    with pytest.raises(InputError) as caught:
        loads(text).check()
    return {diagnostic.code for diagnostic in caught.value.diagnostics}


@pytest.mark.parametrize("code", MODELS)
def test_error(code):
    assert code in found(MODELS[code])


@pytest.mark.parametrize("code", FINDINGS)
def test_finding(code):
    assert code in {finding.code for finding in loads(FINDINGS[code]).lint()}


SAVED = (
    '{"format": "knower-strategy-1", "model": "", "formula": "f", "members": [], "starts": [], "tables": []}'
)


def _written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def _attempts(folder: Path) -> dict[str, Callable[[], object]]:
    binary = folder / "binary.ispl"
    binary.write_bytes(b"Agent A\0")
    system = loads(model())
    return {
        "E107": lambda: load(binary),
        "E509": lambda: specification(AG("p")),  # type: ignore[arg-type]
        "E601": lambda: load(folder / "absent.ispl"),
        "E602": lambda: load(folder),
        "E603": lambda: system.check("true", engine="none"),
        "E604": lambda: system.check("true", atl="uniform-models", uniform_group="none"),
        "E607": lambda: system.check("true", uniform_group="none"),
        "E605": lambda: system.check("true", atl="none"),
        "E615": lambda: loads(model(), constants={"n": 3}),
        "E616": lambda: system.check("7"),
        "E617": lambda: load(_written(folder, "a.ispl", model()), strategy=_written(folder, "a.json", "{}")),
        "E618": lambda: load(_written(folder, "b.ispl", model()), strategy=_written(folder, "b.json", SAVED)),
    }


USAGE = ["E107", "E509", "E601", "E602", "E603", "E604", "E605", "E607", "E615", "E616", "E617", "E618"]


@pytest.mark.parametrize("code", USAGE)
def test_usage(code, tmp_path):
    with pytest.raises(InputError) as caught:
        _attempts(tmp_path)[code]()
    assert caught.value.diagnostics[0].code == code


def test_fmt_cannot_both_check_and_write(tmp_path):
    result = CliRunner().invoke(cli, ["fmt", "--check", "--write", str(tmp_path / "absent.ispl")])
    assert result.exit_code == 2
    assert "E606" in result.output


#: Those of simulation and export, provoked where these are tested.
SIMULATE = {"E634", *(f"E62{number}" for number in range(10))}
#: Those of clusters and portfolios likewise.
CLUSTER = {"E611", "E612"}
#: Those of expansions: tests/expansion/test_refusals.py.
EXPANSION = {"E417", "E418", "E419"}
#: Those of workers: tests/pool/test_workers.py.
WORKERS = {"E613", "E635"}
#: That of order files: tests/symbolic/test_order_file.py.
ORDERS = {"E614"}
#: Of Knower Studio: tests/studio/test_manners.py, tests/simulation/test_announcing.py.
STUDIO = {"E640", "E641", "E642", "E643"}
#: Of templates that are too large: tests/templates.
TEMPLATES = {"E415"}
#: Those of the world outside too: tests/cli/test_manners.py.
WORLD = {"E608", "E609", "E630", "E631", "E632", "E633", "E636", "E639", "E644"}


def test_all_codes_are_provoked():
    elsewhere = {
        "E600", "E606", "E610", "E619", *SIMULATE, *CLUSTER, *EXPANSION, *WORKERS, *ORDERS,
        *STUDIO, *TEMPLATES, *WORLD,
    }  # fmt: skip
    assert {*MODELS, *FINDINGS, *USAGE, *elsewhere} == LISTED
