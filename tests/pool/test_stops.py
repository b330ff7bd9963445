"""Statistics of work that was stopped: those of the moment, or the last that were told (finding 23)."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

from knower.desk import desk
from knower.errors import LimitReached
from knower.execution import Run, Task
from knower.functions.registry import PYSAT, available, is_here
from knower.limits import Budget
from knower.model import Model
from knower.options import How, Limits, Reading, Search
from knower.pool.ticket import Order
from knower.query.query import queries
from knower.reasons import Interrupted, StateLimit, Stopped
from knower.sat.sat_engine import PathSearch
from knower.source import Source
from knower.symbolic.exploration import Exploration
from knower.verdict.events import Finished, ModelSeen, Planned, Progress, Tally
from knower.verdict.faults import Faults
from knower.verdict.verdict import CheckResult
from sessions import COUNTER, forked_session

#: As what was told before the end is marked.
STAMP = "seconds when measured"
#: The last step that is taken; the counter has 4 states, one more in each step.
DEPTH = 2
BY_DIAGRAMS = pytest.mark.skipif(not available(), reason="no library of decision diagrams")


def ran(how: How, budget: Budget | None = None) -> CheckResult:
    system = Model.read(Source("model", COUNTER)).interpreted
    asked = queries(system.formulae, Reading(), system)
    return Run(Task("model", system, asked, how=how), budget or Budget()).result()


def exploring_until(monkeypatch: pytest.MonkeyPatch, work: object) -> None:
    """Something else happens in the midst of a step of exploring, after a look at the limits."""
    post = Exploration._post

    def instead(self: Exploration[Any], *given: Any) -> Any:
        self._budget.step()
        if self.depth == DEPTH:
            work(self)  # type: ignore[operator]
        return post(self, *given)

    monkeypatch.setattr(Exploration, "_post", instead)


def cancel(exploration: Exploration[Any]) -> None:
    exploration._budget.stopped = Interrupted()


@BY_DIAGRAMS
@pytest.mark.parametrize("search", [Search(), Search("bmc")], ids=["all states", "bounded"])
def test_who_heeds_a_limit_tells_how_far_it_has_come(monkeypatch, search):
    exploring_until(monkeypatch, cancel)
    found = ran(How("bdd" if search == Search() else "auto", search=search))
    assert found.formulas[0].reason == Interrupted()
    figures = found.statistics
    assert (figures["depth"], figures["states visited"], figures["attempts"]) == (DEPTH, DEPTH + 1, 1)
    assert figures["library"] == available()[0] and STAMP not in figures


def test_states_that_were_listed_are_counted():
    found = ran(How("explicit"), Budget(states=3))
    assert found.formulas[0].reason == StateLimit(3)
    assert found.states is None and found.statistics["states visited"] == 3


@pytest.mark.skipif(not is_here(PYSAT), reason="no SAT solver")
def test_clauses_are_counted_while_a_solver_is_at_work(monkeypatch):
    budget, figures = Budget(), []

    def found(self: PathSearch, query: object) -> None:
        figures.append(budget.figures())
        raise KeyboardInterrupt

    monkeypatch.setattr(PathSearch, "found", found)
    ran(How(search=Search("sat")), budget)
    assert "clauses" in figures[0] and not budget.figures()


@BY_DIAGRAMS
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be split here")
def test_who_is_killed_is_reported_as_it_was_last_known(monkeypatch):
    """It told where it was before it stopped to listen, though nobody had asked for progress."""
    monkeypatch.setattr(desk, "_SELDOM", 0.0)
    monkeypatch.setattr(desk, "_SHARE", 1e9)
    exploring_until(monkeypatch, lambda _: time.sleep(10_000))
    with forked_session() as session:
        system = session.loads(COUNTER, "model")
        ticket, begin = system._asked((), {"engine": "bdd"}, Order)
        begin()
        for event in ticket.events():
            if isinstance(event, Progress) and event.statistics.get("depth") == DEPTH:
                ticket.cancel()
        found = ticket.result()
    assert [each.reason for each in found] == [Stopped()] * 3
    figures = found.statistics
    assert (figures["depth"], figures["states visited"], figures["attempts"]) == (DEPTH, DEPTH + 1, 1)
    assert 0 <= figures[STAMP] <= found.seconds


def test_what_was_told_before_counts_only_for_who_could_not_tell_more():
    tally = Tally()
    for event in (
        Planned("model", "bdd"),
        ModelSeen(4, Faults(), {"library": "oxidd", "nodes held": 5}),
        Progress("formula 1", {"nodes held": 7}, 3.5),
    ):
        tally.take(event)
    assert tally.result().statistics == {"library": "oxidd", "nodes held": 7, STAMP: 3.5}
    tally.take(ModelSeen(4, Faults(), {"library": "oxidd", "nodes held": 9}))
    tally.take(Finished(4.0))
    assert tally.result().statistics == {"library": "oxidd", "nodes held": 9}


def test_a_run_that_ends_tells_figures_of_its_end():
    found = ran(How())
    assert found.statistics and STAMP not in found.statistics


def test_measuring_takes_a_small_share_of_the_time(monkeypatch):
    """To count the states of a large diagram takes longer than to find some more."""
    now, told = [0.0], []
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    progress = desk._ToldSeldom(told.append, Budget(), 0.1)

    def long_description() -> str:
        now[0] += 1.0
        return "far"

    for _ in range(1000):
        progress(long_description)
        now[0] += 0.1
    assert 2 <= len(told) <= 3, "a second each, of a hundred"


def test_limits_carry_the_figures_of_who_was_at_work():
    """Those of the innermost, where two measure the same."""
    budget = Budget()
    budget.arm(Limits(states=1))
    with (
        pytest.raises(LimitReached) as stopped,
        budget.gauged(lambda: {"attempts": 2, "depth": 0}),
        budget.gauged(lambda: {"depth": 5}),
    ):
        budget.check_states(2)
    assert stopped.value.figures == {"attempts": 2, "depth": 5}
    assert budget.figures() == {}
