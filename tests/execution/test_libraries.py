"""The libraries of decision diagrams: each alone, and none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from knower.functions.registry import available
from processes import PATIENCE

MODEL = Path(__file__).parents[2] / "examples" / "dining_cryptographers.ispl"


def run(libraries: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`knower check` as if only these libraries were installed."""
    command = [sys.executable, "-m", "knower", "check", str(MODEL), "--format", "json", *arguments]
    environment = {**os.environ, "KNOWER_BDD": libraries}
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)


def verdicts(found: dict) -> list[str]:
    return [formula["verdict"] for formula in found["formulas"]]


EXPECTED = verdicts(json.loads(run("none").stdout))


@pytest.mark.parametrize("library", available())
def test_one_library_is_enough(library):
    found = json.loads(run(library, "--verbose").stdout)
    assert (found["engine"], found["statistics"]["library"]) == ("bdd", library)
    assert verdicts(found) == EXPECTED
    assert found["warnings"] == []


def test_without_any_the_states_are_enumerated_and_the_cure_is_told():
    found = json.loads(run("none").stdout)
    assert found["engine"] == "explicit"
    assert set(verdicts(found)) == {"true", "false"}
    assert [(w["code"], "pip install oxidd" in w["message"]) for w in found["warnings"]] == [
        ("no-bdd-library", True)
    ]


@pytest.mark.parametrize(
    ("libraries", "arguments"),
    [
        ("none", ["--engine", "bdd"]),
        ("oxidd", ["--bdd", "cudd"]),
        ("cudd", ["--bdd", "oxidd"]),
        ("oxidd", ["--reorder", "on"]),
        ("oxidd cudd", ["--bdd", "oxidd", "--reorder", "on"]),
    ],
)
def test_what_is_not_here_is_refused_with_a_cure(libraries, arguments):
    ran = run(libraries, *arguments)
    (error,) = json.loads(ran.stdout)["errors"]
    assert (ran.returncode, error["code"]) == (2, "E610")
    assert "pip install" in error["cure"]


def test_the_engine_is_explicit_when_it_is_asked_for_and_nothing_is_missed():
    found = json.loads(run("none", "--engine", "explicit").stdout)
    assert found["warnings"] == []
