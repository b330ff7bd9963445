"""`report/schema.json` is what the command line prints: real outputs are valid, broken ones are not."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from knower.cli.main import cli

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ispl"))
SCHEMA = json.loads(files("knower.report").joinpath("schema.json").read_text(encoding="utf-8"))

#: A model with a deadlock, an overflow, a finding for lint, and fairness.
ROUGH = """
Agent Environment
  Obsvars: clock : 0..2; end Obsvars
  Actions = {};
  Evolution:
    clock = clock + 1 if clock < 2;
    clock = clock + 3 if clock < 3;
  end Evolution
end Agent
Agent A
  Vars: x : {a, b}; seen : boolean; end Vars
  Actions = {go, unused};
  Protocol: x = a : {go}; end Protocol
  Evolution: x = b if Action = go; end Evolution
end Agent
Evaluation done if A.x = b; end Evaluation
InitStates Environment.clock = 0 and A.x = a and A.seen = false; end InitStates
Groups all = {A, Environment}; end Groups
Fairness done; end Fairness
Formulae EF done; LDLf <tt*> done; end Formulae
"""

BAD_TEXTS = {
    "empty": "",
    "blank": "\n\n  -- nothing but a comment\n",
    "no section": "hello world",
    "cut": ROUGH[:200],
    "unknown names": ROUGH.replace("A.x = b", "B.x = b").replace("EF done", "EF doen"),
    "characters": ROUGH.replace("clock < 3", "clock § 3 # ¬"),
    "types": ROUGH.replace("x = b if", "x = 3 if"),
}


def validator(kind: str | None = None) -> Draft202012Validator:
    """Of the whole schema, or of one kind of output."""
    kinds = SCHEMA["oneOf"] if kind is None else [{"$ref": f"#/$defs/{kind}"}]
    return Draft202012Validator({**SCHEMA, "oneOf": kinds})


def printed(kind: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    """The exit status and the one object on standard output, which is valid and of that kind only."""
    ran = CliRunner().invoke(cli, [*arguments, "--format", "json"])
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    data = json.loads(ran.stdout)
    validator().validate(data)
    validator(kind).validate(data)
    for other in {"check", "errors", "lint", "info"} - {kind}:
        assert not validator(other).is_valid(data)
    return ran.exit_code, data


@pytest.fixture
def rough(tmp_path: Path) -> str:
    path = tmp_path / "rough.ispl"
    path.write_text(ROUGH)
    return str(path)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_print_what_the_schema_promises(example: Path) -> None:
    status, found = printed("check", "check", str(example))
    assert status in (0, 1)
    assert [f["number"] for f in found["formulas"]] == list(range(1, len(found["formulas"]) + 1))
    status, found = printed("info", "info", str(example))
    assert status == 0
    status, found = printed("lint", "lint", str(example))
    assert status == 0


def test_warnings_with_paths(rough: str) -> None:
    status, found = printed("check", "check", rough, "--also", "EX done")
    assert status in (0, 1)
    warnings = {warning["code"]: warning for warning in found["warnings"]}
    assert {"deadlock", "overflow", "no-fair-initial-state", "fairness-ignored"} <= set(warnings)
    path = warnings["deadlock"]["path"]
    assert path["states"][0] == {"Environment": {"clock": 0}, "A": {"x": "a", "seen": False}}
    assert path["actions"] == [{"A": "go"}]


@pytest.mark.parametrize(
    "limit", ["--time-limit=0", "--memory-limit=1", "--engine=explicit --max-states=1", "--on-deadlock=fail"]
)
def test_unknown_comes_with_a_reason(rough: str, limit: str) -> None:
    status, found = printed("check", "check", rough, *limit.split())
    assert status == 3
    assert {f["verdict"] for f in found["formulas"]} == {"unknown"}
    assert all(f["reason"] for f in found["formulas"])


def test_lint_findings(rough: str) -> None:
    status, found = printed("lint", "lint", rough, "--strict")
    assert status == 1
    assert {"L102", "L103"} <= {finding["code"] for finding in found["findings"]}
    assert all(finding["file"] == rough for finding in found["findings"])


@pytest.mark.parametrize("command", ["check", "info", "lint"])
@pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS.keys())
def test_bad_models(tmp_path: Path, command: str, text: str) -> None:
    path = tmp_path / "bad.ispl"
    path.write_text(text)
    status, found = printed("errors", command, str(path))
    assert status == 2
    assert all(error["file"] == str(path) and error["line"] for error in found["errors"])


def test_no_initial_state(tmp_path: Path) -> None:
    path = tmp_path / "never.ispl"
    path.write_text(ROUGH.replace("A.seen = false", "A.x = b"))
    status, found = printed("errors", "check", str(path))
    assert status == 2
    assert [(error["file"], error["line"]) for error in found["errors"]] == [(str(path), 17)]


@pytest.mark.parametrize("command", ["check", "info", "lint"])
def test_bad_files(tmp_path: Path, command: str) -> None:
    binary = tmp_path / "binary.ispl"
    binary.write_bytes(b"Agent\n\0\xff\n")
    for path in (tmp_path / "missing.ispl", tmp_path, binary):
        status, found = printed("errors", command, str(path))
        assert status == 2
        assert len(found["errors"]) == 1


@pytest.mark.parametrize("formula", ["", "AG", "AG (done", "K(B, done)", "<none> F done", "done done", "é"])
def test_bad_formulas(rough: str, formula: str) -> None:
    status, found = printed("errors", "check", rough, "--formula", formula)
    assert status == 2
    assert all(error["file"] == "<formula>" and error["line"] == 1 for error in found["errors"])


def test_the_schema_is_strict(rough: str) -> None:
    """Each of these small changes makes a real output invalid."""
    _, good = printed("check", "check", rough)
    _, errors = printed("errors", "check", rough, "--formula", "AG nothing")
    changes: list[tuple[dict[str, Any], list[str | int], object]] = [
        (good, ["schema"], 2),
        (good, ["states"], 0),
        (good, ["states"], "5"),
        (good, ["extra"], 1),
        (good, ["formulas", 0, "extra"], 1),
        (good, ["formulas", 0, "verdict"], "TRUE"),
        (good, ["formulas", 0, "verdict"], True),
        (good, ["formulas", 0, "verdict"], "unknown"),  # without a reason
        (good, ["formulas", 0, "seconds"], -1),
        (good, ["formulas", 0, "evidence"], "because"),
        (good, ["warnings", 0, "path", "states"], []),
        (good, ["warnings", 0, "code"], "E101"),
        (errors, ["errors"], []),
        (errors, ["errors", 0, "line"], None),  # with a file
        (errors, ["errors", 0, "line"], 0),
        (errors, ["errors", 0, "code"], "L101"),
        (errors, ["errors", 0, "extra"], 1),
    ]
    for data, place, value in changes:
        assert not validator().is_valid(_changed(data, place, value)), (place, value)
    assert validator().is_valid(_changed(good, ["warnings", 0, "more"], {"kind": "later"}))


def _changed(data: dict[str, Any], place: list[str | int], value: object) -> dict[str, Any]:
    data = deepcopy(data)
    inner: Any = data
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return data


def test_nothing_required_can_be_left_out(rough: str) -> None:
    for kind, arguments in (("check", ["check"]), ("info", ["info"]), ("lint", ["lint"])):
        _, good = printed(kind, *arguments, rough)
        for member in good:
            assert not validator().is_valid({k: v for k, v in good.items() if k != member}), (kind, member)
