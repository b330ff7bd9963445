"""Which models are small: `auto` leaves them to the engine for them, and all others to diagrams."""

from __future__ import annotations

import pytest

import knower
from knower.functions.registry import available

LARGE = "bdd" if available() else "explicit"


def line(places: int) -> knower.System:
    return knower.loads(f"""
        Agent A Vars: at : 0..{places - 1}; end Vars Actions = {{go, stay}};
          Evolution: at = at + 1 if Action = go and at < {places - 1}; end Evolution
        end Agent
        Evaluation last if A.at = {places - 1}; end Evaluation
        InitStates A.at = 0; end InitStates""")


def answered_by(system: knower.System, formula: str, **how: str) -> str:
    return system.check(formula, evidence="none", **how)[0].engine


def test_few_values_and_joint_actions_are_small():
    assert answered_by(line(1024), "EF last") == "bitset"
    assert answered_by(line(1025), "EF last") == LARGE


def test_long_path_formulas_are_not():
    system, path = line(3), " and ".join(["(G F last)"] * 4)
    assert answered_by(system, f"CTL* E ({path})") == "bitset"
    assert answered_by(system, f"CTL* E ({path} and F last)") == LARGE


@pytest.mark.parametrize("atl", ["uniform", "uniform-models"])
def test_uniform_strategies_are_not(atl):
    assert answered_by(line(3), "<A>F last", atl=atl) == LARGE


@pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")
def test_options_of_others_are_for_others():
    assert answered_by(line(3), "EF last", order="force") == "bdd"


def test_by_name_it_takes_models_that_are_not_small_up_to_a_bound():
    assert line(2000).check("EF last", engine="bitset", evidence="none").states == 2000
    (found,) = line(10_001).check("EF last", engine="bitset", evidence="none")
    assert "more than 10000 states" in knower.reason_text(found.reason)
