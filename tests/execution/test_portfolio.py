"""Methods side by side: the first answer, all answers, contradictions, limits."""

from __future__ import annotations

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.resources import files

import jsonschema
import pytest

import knower
from knower import families, portfolio
from knower.execution import Run
from knower.functions.registry import available
from knower.logic.formula import Group
from knower.messages import Check
from knower.pool.pool import Pool
from knower.pool.processes import ForkedWorker
from knower.reasons import Contradiction, Interrupted, Stopped
from knower.report.data import result_data
from knower.report.text import result_text
from knower.report.words import reason_text, warning_text
from knower.session import Session
from knower.verdict.trace import Path
from knower.verdict.verdict import Verdict
from knower.verdict.warnings import MethodFailed, Overflow, VacuousStrategy
from processes import PATIENCE, heeding_interrupts, is_alive

pytestmark = pytest.mark.skipif(
    not available() or not hasattr(os, "fork"),
    reason="needs decision diagrams and forks",
)

TRAINS = families.generate("train-gate", n=2, type=2, max=3, depth=2)


@pytest.fixture(scope="module")
def system():
    return knower.loads(TRAINS)


@pytest.mark.parametrize("mode", ["first", "all"])
def test_verdicts_are_those_of_one_engine(system, mode):
    expected = system.check(evidence="none").verdicts
    result = system.check(portfolio=mode, time_limit=PATIENCE)
    assert result.verdicts == expected
    for each in result:
        assert each.evidence is None or each.evidence.replay.status == "ok"


def test_a_misstep_is_told_once():
    path = Path(({"A.x": 0},), ())
    first, other = (Overflow(f"{name} would become 4", path) for name in "xy")
    advice = [VacuousStrategy(Group((name,))) for name in ("g", "h")]
    assert portfolio._distinct([first, *advice, other, advice[0]]) == (first, *advice)


def test_no_process_is_left():
    with Session(cores=2) as session:
        session.loads(TRAINS).check(portfolio="first")
        workers = session.workers()
        assert len(workers) <= 2
    assert not any(map(is_alive, workers))


def test_limits():
    large = knower.loads(families.generate("train-gate", n=8, type=3, max=300, depth=100))
    result = large.check("AG EF train1_in_tunnel", portfolio="all", time_limit=2)
    assert result.verdicts == (Verdict.UNKNOWN,)
    assert "time limit" in reason_text(result[0].reason)


@pytest.fixture
def forked():
    """Loads the model where workers are forked from this process, with all that was changed in it."""
    with Session(cores=3, start=ForkedWorker) as session:
        yield lambda: session.loads(TRAINS)


@pytest.fixture
def liar(monkeypatch):
    """The second of two methods is asked something else, so that it seems to be wrong."""
    honest, enqueue = portfolio.contenders, Pool.enqueue

    def two(how):
        return [each for each in honest(how) if each.search.method in ("full", "bmc")]

    def misled(pool, ticket):
        order = ticket.order
        if isinstance(order.what, Check) and order.what.how.search.method == "bmc":
            asked = ("!(EF train1_in_tunnel)", *order.what.formulas[1:])
            ticket.order = replace(order, what=replace(order.what, formulas=asked))
        enqueue(pool, ticket)

    monkeypatch.setattr(portfolio, "contenders", two)
    monkeypatch.setattr(Pool, "enqueue", misled)


def test_a_contradiction_is_no_answer_and_shows_both_proofs(system, liar):
    result = system.check("EF train1_in_tunnel", portfolio="all")
    assert result.verdicts == (Verdict.UNKNOWN,)
    assert result[0].reason == Contradiction()
    assert "contradict each other" in reason_text(result[0].reason)
    assert [warning.code for warning in result.warnings if warning.code == "contradiction"]
    assert [(claim.method, claim.result.verdict.value) for claim in result[0].claims] == [
        ("bdd", "true"),
        ("bdd, bounded", "false"),
    ]
    text = result_text(result)
    assert "bdd claims that 1. is true\nwhy 1. is true" in text
    assert "bdd, bounded claims that 1. is false\nwhy 1. is false" in text
    data = result_data(result)
    assert [claim["result"]["evidence"]["kind"] for claim in data["formulas"][0]["claims"]]
    jsonschema.validate(data, json.loads(files("knower.report").joinpath("schema.json").read_text()))


def test_a_contradiction_ends_the_search(forked, liar, monkeypatch):
    answered = Run._answered

    def slow(run, query, *more, **named):
        if query == run.task.queries[1]:
            time.sleep(PATIENCE)
        return answered(run, query, *more, **named)

    monkeypatch.setattr(Run, "_answered", slow)
    result = forked().check("EF train1_in_tunnel", "AG EF train1_in_tunnel", portfolio="all")
    reasons = [each.reason for each in result]
    assert reasons == [Contradiction(), Stopped()]
    texts = [reason_text(reason) for reason in reasons]
    assert texts == ["the methods contradict each other, which is a fault", "stopped"]


def test_an_interrupt_ends_all(forked, monkeypatch):
    """Ctrl-C comes when all states are looked at; nobody finds anything."""

    def busy(run, *_):
        if run.task.how.search.method == "full":
            os.kill(os.getppid(), signal.SIGINT)
        time.sleep(PATIENCE)

    monkeypatch.setattr(Run, "_decided", busy)
    with heeding_interrupts():
        result = forked().check("EF train1_in_tunnel", portfolio="first")
    assert result.interrupted and result.exit_status == 130
    assert [each.reason for each in result] == [Interrupted()]


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


def test_a_method_that_fails_is_told_of(forked, monkeypatch):
    from knower.sat.sat_engine import SatEngine

    def broken(*_):
        raise AssertionError("a fault")

    monkeypatch.setattr(SatEngine, "_answer", broken)
    result = forked().check("EF train1_in_tunnel", portfolio="all")
    assert result.verdicts == (Verdict.TRUE,)
    failed = MethodFailed("sat", "AssertionError: a fault")
    assert failed in result.warnings
    assert warning_text(failed) == "sat has failed: AssertionError: a fault"


def test_a_portfolio_in_a_thread(system):
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(system.check, "EF train1_in_tunnel", portfolio="first")
        assert asked.result(PATIENCE).verdicts == (Verdict.TRUE,)


def test_without_formulas_the_states_are_counted():
    lone = knower.loads(TRAINS[: TRAINS.index("Formulae")])
    assert lone.check(portfolio="first").states == lone.check().states is not None
