"""Methods side by side: the first answer, all answers, contradictions, limits."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from unittest.mock import patch

import pytest

import knower
from knower import families, portfolio
from knower.functions.registry import available
from knower.supervision import is_possible
from knower.verdict.verdict import Verdict

pytestmark = pytest.mark.skipif(
    not available() or not is_possible(), reason="needs decision diagrams, and processes that can be split"
)

TRAINS = families.generate("train-gate", n=2, type=2, max=3, depth=2)


@pytest.fixture(scope="module")
def system():
    return knower.loads(TRAINS)


@pytest.mark.parametrize("mode", ["first", "all"])
def test_verdicts_are_those_of_one_engine(system, mode):
    expected = system.check(evidence="none").verdicts
    result = system.check(portfolio=mode, time_limit=60)
    assert result.verdicts == expected
    for each in result:
        assert each.evidence is None or each.evidence.replay.status == "ok"


def test_no_process_is_left(system):
    system.check(portfolio="first")
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_limits(system):
    large = knower.loads(families.generate("train-gate", n=8, type=3, max=300, depth=100))
    began = time.monotonic()
    result = large.check("AG !train1_in_tunnel -> AG EF train1_in_tunnel", portfolio="all", time_limit=2)
    assert time.monotonic() - began < 10
    assert result.verdicts == (Verdict.UNKNOWN,)
    assert "time limit" in result[0].reason


def test_a_contradiction_is_no_answer(system):
    """One method is asked something else, so that it seems to be wrong."""
    honest = portfolio.contenders

    def liars(task):
        first, second, *_ = honest(task)
        return first, replace(second, specs=(system.parse("!(EF train1_in_tunnel)"),))

    with patch.object(portfolio, "contenders", liars):
        result = system.check("EF train1_in_tunnel", portfolio="all", evidence="none")
    assert result.verdicts == (Verdict.UNKNOWN,)
    assert "contradict each other" in result[0].reason
    assert [warning.code for warning in result.warnings if warning.code == "contradiction"]


def test_a_model_without_initial_states_is_an_error():
    text = (
        "Agent A Vars: x : boolean; end Vars end Agent InitStates A.x = true and A.x = false; end InitStates"
    )
    with pytest.raises(knower.InputError):
        knower.loads(text).check("true", portfolio="first")


@pytest.mark.parametrize("options", [{"engine": "bdd"}, {"method": "bmc"}])
def test_a_portfolio_chooses_by_itself(system, options):
    with pytest.raises(knower.InputError, match="E607"):
        system.check(portfolio="first", **options)
