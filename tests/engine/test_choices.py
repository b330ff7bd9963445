"""What is chosen is known, goes together and is here; nothing that is given is left aside in silence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import knower
from engines import has_cluster, has_sdd, has_solver
from knower.engine import registry
from knower.functions.registry import DASK, PYSAT, PYSDD, available, is_here
from knower.verdict.verdict import Verdict
from processes import PATIENCE

#: x counts to 2; p holds at the end.
TEXT = """
Agent A
  Vars: x : 0..2; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if x < 2; end Evolution
end Agent
Evaluation p if A.x = 2; end Evaluation
InitStates A.x = 0; end InitStates
"""
SYSTEM = knower.loads(TEXT)


def refusal(**options: object) -> tuple[str, str, str | None]:
    """The code, the message and the cure with which options are refused, as Python spells them."""
    with pytest.raises(knower.InputError) as caught:
        SYSTEM.check("AG !p", **options)  # type: ignore[arg-type]
    (found,) = caught.value.diagnostics
    head, *more = str(caught.value).splitlines()
    message = head.removeprefix(f"error[{found.code}]: ")
    return found.code, message, more[0].removeprefix("  help: ") if more else None


# -- options of other engines (finding 24) -----------------------------------------------------------------

#: What is asked for, the option that does not go with it, what it is said not to go with, and where it does.
STRAY = [
    ({"engine": "sdd", "bdd": "cudd"}, "bdd", 'engine="sdd"', '`engine="bdd"`'),
    ({"engine": "sdd", "reorder": "on"}, "reorder", 'engine="sdd"', '`engine="bdd"`'),
    ({"engine": "bdd", "vtree": "balanced"}, "vtree", 'engine="bdd"', '`engine="sdd"`'),
    ({"engine": "bdd", "minimise": "auto"}, "minimise", 'engine="bdd"', '`engine="sdd"`'),
    ({"engine": "bdd", "max_states": 7}, "max_states", 'engine="bdd"', '`engine="explicit"`'),
    ({"engine": "sdd", "max_states": 7}, "max_states", 'engine="sdd"', '`engine="explicit"`'),
    ({"engine": "explicit", "order": "force"}, "order", 'engine="explicit"', '`engine="bdd"`'),
    ({"engine": "explicit", "reach": "layer"}, "reach", 'engine="explicit"', '`engine="bdd"`'),
    ({"method": "sat", "order": "force"}, "order", 'method="sat"', '`engine="bdd"`'),
    ({"method": "sat", "bdd": "cudd"}, "bdd", 'method="sat"', '`engine="bdd"`'),
    ({"method": "sat", "reorder": "on"}, "reorder", 'method="sat"', '`engine="bdd"`'),
    ({"method": "bmc", "encoding": "penczek"}, "encoding", 'method="bmc"', '`method="sat"`'),
    ({"bound": 3}, "bound", 'method="full"', '`method="bmc"`'),
    ({"encoding": "penczek"}, "encoding", 'method="full"', '`method="sat"`'),
    ({"cluster": "local:2"}, "cluster", 'method="full"', '`method="bmc"`'),
]


@pytest.mark.parametrize(("options", "stray", "what", "home"), STRAY, ids=lambda one: str(one)[:40])
def test_options_of_other_engines_are_refused_with_a_cure(options, stray, what, home):
    code, message, cure = refusal(**options)
    assert (code, message) == ("E607", f"`{stray}` does not go with `{what}`")
    assert cure is not None and cure.startswith("it goes with ") and home in cure


def test_what_is_as_usual_is_not_given():
    """Who says what would be done anyway asks for nothing."""
    usual = {"bdd": "auto", "order": "auto", "reorder": "auto", "vtree": "auto", "minimise": "off"}
    assert SYSTEM.check("AG !p", engine="explicit", bound=None, **usual).verdicts == (Verdict.FALSE,)


@pytest.mark.parametrize("heuristic", ["one-shot", "every", "one-shot:", "every:0", "every:-1", "growth:1"])
def test_heuristics_that_count_need_a_number(heuristic):
    """Finding 24: a bare `one-shot` was `one-shot:1`."""
    code, message, cure = refusal(method="bmc", heuristic=heuristic)
    assert (code, message) == ("E605", f"unknown choice `{heuristic}` for heuristic")
    assert cure is not None and "every:K" in cure and "one-shot:K" in cure


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "bdd", "method": "sat"}, '`engine="bdd"` does not go with `method="sat"`'),
        ({"engine": "explicit", "method": "bmc"}, '`engine="explicit"` does not go with `method="bmc"`'),
    ],
)
def test_engines_and_methods_that_do_not_go_together(options, message):
    assert refusal(**options)[:2] == ("E607", message)


def checked(*arguments: str, **environment: str) -> tuple[int, dict]:
    """`knower check` as users run it."""
    command = [sys.executable, "-m", "knower", "check", "-", "--format", "json", "--formula", "AG !p"]
    done = subprocess.run(
        [*command, *arguments],
        input=TEXT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=Path(__file__).parent,
        env={**os.environ, **environment},
    )
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(
    ("arguments", "message", "home"),
    [
        ("--engine sdd --bdd cudd", "--bdd does not go with --engine sdd", "--engine bdd"),
        ("--engine sdd --reorder on", "--reorder does not go with --engine sdd", "--engine bdd"),
        ("--method sat --order force", "--order does not go with --method sat", "--engine bdd"),
        ("--engine bdd --max-states 7", "--max-states does not go with --engine bdd", "--engine explicit"),
    ],
)
def test_the_command_line_spells_options_its_own_way(arguments, message, home):
    status, found = checked(*arguments.split())
    (error,) = found["errors"]
    assert (status, error["code"], error["message"]) == (2, "E607", message)
    assert error["cure"].startswith("it goes with ") and home in error["cure"]


# -- what is not here --------------------------------------------------------------------------------------


@pytest.fixture
def without(monkeypatch):
    """As if some libraries were not installed."""

    def hide(*libraries):
        def here(library):
            if library.any_of:
                return any(map(here, library.any_of))
            return library not in libraries and is_here(library)

        monkeypatch.setattr(registry, "is_here", here)

    return hide


@pytest.mark.parametrize(
    ("options", "library"),
    [
        ({"engine": "sdd"}, PYSDD),
        ({"method": "sat"}, PYSAT),
        ({"method": "bmc", "cluster": "local:2"}, DASK),
    ],
)
def test_what_is_not_installed_is_refused_with_a_cure(without, options, library):
    without(library)
    if options.get("cluster") and not available():
        pytest.skip("no library of decision diagrams is installed")
    assert refusal(**options) == ("E610", f"{library.name} is not installed", library.cure)


def test_without_diagrams_there_is_no_bounded_search(without):
    """Finding 41: all states were visited one by one, and that was called bounded."""
    without(*registry.BDD.any_of, PYSDD)
    code, message, cure = refusal(method="bmc", bound=0)
    assert code == "E610" and message.endswith(" is not installed")
    assert cure is not None and cure.startswith("pip install ")


@pytest.mark.skipif(not has_sdd, reason="pysdd is not installed")
def test_without_bdds_sdds_keep_to_the_bound():
    """Finding 41: by the other kind of diagrams it is really bounded."""
    status, found = checked("--method", "bmc", "--bound", "0", "--verbose", KNOWER_BDD="none")
    assert (status, found["engine"]) == (3, "sdd, bounded")
    (result,) = found["formulas"]
    assert (result["verdict"], result["reason"]) == ("unknown", "no counterexample with up to 0 steps")
    assert (found["states"], found["statistics"]["states visited"]) == (None, 1)


@pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")
def test_with_them_it_is_bounded_too():
    (result,) = found = SYSTEM.check("AG !p", method="bmc", bound=0)
    assert (result.verdict, found.states, found.engine) == (Verdict.UNKNOWN, None, "bdd, bounded")
    assert found.statistics["states visited"] == 1


def test_the_table_knows_what_is_here():
    here = {pick.row.name for pick in registry.every_pick() if pick.missing is None}
    expected = {"explicit", "bitset"} | ({"bdd"} if available() else set()) | ({"sdd"} if has_sdd else set())
    expected |= {"bmc"} if available() or has_sdd else set()
    expected |= {"sat", "pdr"} if has_solver else set()
    expected |= {"cluster"} if has_cluster and available() else set()
    assert here == expected
