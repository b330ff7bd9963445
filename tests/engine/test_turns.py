"""Shares of the time: they double, what is not used is given back, and the last turn has the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

import knower
from engines import has_solver
from knower import families
from knower.engine import registry
from knower.engine.turns import attempted, in_turns
from knower.errors import LimitReached, Unsupported, unsupported
from knower.execution import Run, Task
from knower.functions.protocol import NoRoom
from knower.functions.registry import available
from knower.limits import Budget
from knower.options import How, Reading, Search, Tuning
from knower.query.query import queries
from knower.reasons import (
    MemoryLimit,
    OutOfMemory,
    Refused,
    Searched,
    StateLimit,
    TimeLimit,
    TimeShare,
    TooDeep,
)
from knower.symbolic.encode import Encoding
from knower.symbolic.order_search import OrderSearch
from knower.verdict.verdict import Answer, Verdict, decided, unknown


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("knower.limits.time", made)
    return made


@dataclass
class Work:
    """Questions that need so many seconds at a stretch; all turns of each are noted."""

    clock: Clock
    budget: Budget
    seconds: dict[str, float]
    turns: list[tuple[str, float]] = field(default_factory=list)

    def answer(self, question: Any) -> Answer:
        began = self.clock.now
        try:
            while self.clock.now - began < self.seconds[question]:
                self.clock.now += 1 / 16
                self.budget.check_time()
        finally:
            self.turns.append((question, self.clock.now - began))
        return decided(True)

    def lengths(self, question: str) -> list[float]:
        """How long its turns were, to a quarter of a second: work is stopped a little late."""
        return [int(seconds * 4) / 4 for who, seconds in self.turns if who == question]


def asked(clock: Clock, limit: float | None, **seconds: float) -> tuple[Work, dict[str, Answer]]:
    """Questions in turns, and their answers in the order in which they come, until time is over."""
    work = Work(clock, Budget(limit, started=clock.now), seconds)
    answers = {}
    try:
        for question, answer in in_turns([*seconds], work.budget, work.answer):  # type: ignore
            answers[question] = answer
    except LimitReached as over:
        assert over.final and over.reason == TimeLimit(limit)
    return work, answers


FOR_EVER = 10_000.0


# -- shares ------------------------------------------------------------------------------------------------


def test_without_a_limit_everybody_has_one_turn(clock):
    work, answers = asked(clock, None, one=1000, two=1)
    assert [*answers] == ["one", "two"]
    assert work.turns == [("one", 1000), ("two", 1)]


def test_who_is_alone_has_all_the_time(clock):
    work, answers = asked(clock, 80, one=79)
    assert (answers, work.turns) == ({"one": decided(True)}, [("one", 79)])


def test_the_first_share_is_small_so_that_others_come_soon(clock):
    """An eighth of an equal share."""
    work, answers = asked(clock, 80, slow=30, first=1, second=1, third=1)
    assert [*answers] == ["first", "second", "third", "slow"]
    assert set(answers.values()) == {decided(True)}
    assert work.turns[0][0] == "slow" and work.lengths("slow")[0] == 80 / 4 / 8
    assert work.turns[1:4] == [("first", 1), ("second", 1), ("third", 1)]


def test_shares_double_until_the_last_turn(clock):
    """All turns of a question together: an eighth, a quarter, a half of its part; then the rest."""
    work, answers = asked(clock, 160, one=FOR_EVER, two=32)
    first, second, third, last = work.lengths("one")
    assert first == 160 / 2 / 8
    assert first + second == pytest.approx(2 * first, abs=1)
    assert first + second + third == pytest.approx(4 * first, abs=1)
    assert last == pytest.approx(160 / 2 - 4 * first, abs=1)
    assert answers["one"].reason == TimeShare() and answers["two"] == decided(True)


def test_what_is_not_used_is_given_back(clock):
    """When others are done, the time is for those who are not."""
    _, alone = asked(clock, 80, slow=70)
    work, answers = asked(clock, 80, slow=70, quick=1, quicker=0)
    assert alone["slow"] == answers["slow"] == decided(True)
    assert work.turns[-1] == ("slow", 70)
    assert len(work.lengths("slow")) == 2, "when it is alone, it has all that is left"


def test_shares_are_of_what_is_left_for_those_who_wait(clock):
    work, _ = asked(clock, 80, one=0, two=0, three=0, hard=FOR_EVER, harder=40)
    assert work.lengths("hard")[0] == 80 / 2 / 8, "three are done: it is one of two"


def test_the_last_turn_has_the_rest(clock):
    work, answers = asked(clock, 80, one=FOR_EVER, two=FOR_EVER)
    assert answers == {"one": unknown(TimeShare())}
    assert clock.now == pytest.approx(80, abs=1), "no time is left over"
    assert len(work.lengths("one")) == len(work.lengths("two")) == 4
    ones, twos = sum(work.lengths("one")), sum(work.lengths("two"))
    assert ones == pytest.approx(twos, abs=2), "both had the same"


def test_who_has_had_the_last_turn_is_told_of(clock):
    """The question before the last one gets its answer, though time ends for the last."""
    work = Work(clock, Budget(80, started=0), {"one": FOR_EVER, "two": FOR_EVER})
    turns = in_turns(["one", "two"], work.budget, work.answer)  # type: ignore[arg-type,list-item]
    assert next(turns) == ("one", unknown(TimeShare()))
    assert clock.now < 80
    with pytest.raises(LimitReached) as over:
        next(turns)
    assert over.value.final and over.value.reason == TimeLimit(80)


def test_time_for_other_things_counts(clock):
    """Evidence between two answers, say."""
    work = Work(clock, Budget(80, started=0), {"one": 1, "two": 30, "three": 5})
    answers = []
    for question, _ in in_turns([*work.seconds], work.budget, work.answer):  # type: ignore[arg-type,list-item]
        answers.append(question)
        if question == "one":
            clock.now += 35
    assert answers == ["one", "three", "two"]
    assert clock.now <= 80


def test_no_turn_is_bounded_afterwards(clock):
    work, _ = asked(clock, 80, one=20, two=1)
    assert work.budget.until is None
    work.budget.check_time()
    work, _ = asked(clock, 80, one=FOR_EVER, two=FOR_EVER)
    assert work.budget.until is None


def test_equal_questions_have_one_turn(clock):
    budget, seen = Budget(80, started=0), []
    found = [*in_turns(["one", "two", "one"], budget, lambda one: seen.append(one) or decided(True))]  # type: ignore
    assert seen == ["one", "two"]
    assert [question for question, _ in found] == ["one", "two"]


def test_progress_tells_which_question_it_is(clock):
    budget, phases = Budget(started=0), []
    work = lambda question: phases.append(budget.phase) or decided(True)  # noqa: E731
    assert len([*in_turns(["one", "two"], budget, work)]) == 2  # type: ignore[arg-type,list-item]
    assert phases == ["formula 1 of 2", "formula 2 of 2"]


# -- what stops one question, and what stops all -----------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (LimitReached(StateLimit(7)), StateLimit(7)),
        (LimitReached(MemoryLimit(7)), MemoryLimit(7)),
        (unsupported("no"), Refused("no")),
        (Unsupported(Refused("no", ("bdd",))), Refused("no", ("bdd",))),
        (MemoryError(), OutOfMemory()),
        (RecursionError(), TooDeep()),
        (LimitReached(Searched(StateLimit(7), 3)), Searched(StateLimit(7), 3)),
    ],
)
def test_one_question_is_given_up_and_the_others_go_on(error, reason):
    def answer(question: Any) -> Answer:
        if question == "bad":
            raise error
        return decided(True)

    found = dict(in_turns(["bad", "good"], Budget(), answer))  # type: ignore[list-item]
    assert found == {"bad": unknown(reason), "good": decided(True)}


@pytest.mark.parametrize("error", [KeyboardInterrupt(), LimitReached(TimeLimit(1), final=True), ValueError()])
def test_what_ends_all_work_is_not_stopped(error):
    def answer(question: Any) -> Answer:
        raise error

    with pytest.raises(type(error)):
        attempted("any", Budget(), answer)  # type: ignore[arg-type]


def test_a_share_used_up_inside_a_search_is_another_turn(clock):
    """An engine may add how far it has come by then."""
    budget = Budget(80, started=0)
    tries = []

    def answer(question: Any) -> Answer:
        tries.append(question)
        if question == "slow" and len(tries) == 1:
            return unknown(Searched(TimeShare(), 3))
        return decided(True)

    found = dict(in_turns(["slow", "quick"], budget, answer))  # type: ignore[list-item]
    assert tries == ["slow", "quick", "slow"]
    assert found == {"quick": decided(True), "slow": decided(True)}


# -- one slow formula (finding 20) -------------------------------------------------------------------------

COUNTER = """
Agent A
  Vars: x : 0..3; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if x < 3; end Evolution
end Agent
Evaluation top if A.x = 3; low if A.x = 0; end Evaluation
InitStates A.x = 0; end InitStates
"""
#: Engines, the way each is asked for, and the function in it that decides a question.
BUSY = {
    "explicit": (How("explicit"), "knower.reference.explicit_engine:ExplicitEngine"),
    "bdd": (How("bdd"), "knower.checking.diagram_engine:DiagramEngine"),
    "sat": (How(search=Search("sat")), "knower.sat.sat_engine:SatEngine"),
}
HERE = {"explicit": True, "bdd": bool(available()), "sat": has_solver}


def slow_in(
    engine: str, text: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Sequence[str], float], Any]:
    """Runs of an engine for which one formula is slow: it notices a limit, but never comes to an end."""
    if not HERE[engine]:
        pytest.skip(f"what {engine} needs is not installed")
    how, place = BUSY[engine]
    made = registry._loaded(place)
    honest = made._answer

    def answer(self: Any, query: Any) -> Answer:
        while query.text == text:
            clock.now += 1 / 8
            self.budget.check_time()
        return honest(self, query)

    monkeypatch.setattr(made, "_answer", answer)
    system = knower.loads(COUNTER)

    def run(texts: Sequence[str], limit: float) -> Any:
        asked = queries(map(system.parse, texts), Reading(), system.interpreted)
        task = Task("counter", system.interpreted, asked, how=how, evidence="none")
        return Run(task, Budget(limit, started=clock.now)).result()

    return run


@pytest.mark.parametrize("engine", BUSY)
def test_a_slow_formula_leaves_the_cheap_ones_their_time(engine, clock, monkeypatch):
    run = slow_in(engine, "AG !top", clock, monkeypatch)
    result = run(["AG !top", "EF top", "AG low", "low"], 20)
    assert result.verdicts == (Verdict.UNKNOWN, Verdict.TRUE, Verdict.FALSE, Verdict.TRUE)
    assert result[0].reason == TimeLimit(20), "it had all the time nobody else wanted"
    assert clock.now == pytest.approx(20, abs=1)


@pytest.mark.parametrize("engine", BUSY)
def test_two_slow_formulas_do_so_too(engine, clock, monkeypatch):
    run = slow_in(engine, "AG !top", clock, monkeypatch)
    result = run(["AG !top", "AG !top", "EF top"], 20)
    assert result.verdicts == (Verdict.UNKNOWN, Verdict.UNKNOWN, Verdict.TRUE)


# -- looks at parts of the states --------------------------------------------------------------------------


@pytest.fixture
def slow_looks(clock, monkeypatch):
    """Each time a part of the states is looked at for a formula takes a second."""
    from knower.checking.evaluate import Evaluator

    honest = Evaluator.holds

    def holds(self: Any, formula: Any) -> bool:
        clock.now += 1
        self.model.budget.check_time()
        return honest(self, formula)

    monkeypatch.setattr(Evaluator, "holds", holds)


def looked(clock: Clock, limit: float, *texts: str) -> Any:
    """A bounded search that looks after each of 45 steps; top is 40 steps away."""
    wide = COUNTER.replace("0..3", "0..60").replace("x < 3", "x < 60").replace("x = 3", "x = 40")
    system = knower.loads(wide)
    asked = queries(map(system.parse, texts), Reading(), system.interpreted)
    how = How(search=Search("bmc", 45, "every:1"))
    task = Task("counter", system.interpreted, asked, how=how, evidence="none")
    return Run(task, Budget(limit, started=clock.now)).result()


@pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")
@pytest.mark.parametrize("others", [(), ("AG EF top",), ("AG EF top", "EF AG top")])
def test_looks_do_not_end_with_a_share(others, clock, slow_looks):
    """There is time enough for all of them; what is not looked at is not said to have been."""
    result = looked(clock, 160, "AG !top", *others)
    assert clock.now < 160
    assert result[0].verdict is Verdict.FALSE


# -- what all need -----------------------------------------------------------------------------------------


def test_what_all_need_is_not_taken_from_a_share(clock):
    """A model that has to be explored again, in a turn of somebody, is not at their expense."""
    budget = Budget(80, started=clock.now)
    budget.share_among(["first", "second"])
    with budget.turn("first"):
        with budget.for_everybody():
            clock.now += 30
            budget.check_time()
        clock.now += 4
        budget.check_time()
    with pytest.raises(LimitReached), budget.turn("first"):
        clock.now += 2
        budget.check_time()


@pytest.mark.skipif("oxidd" not in available(), reason="rooms are those of OxiDD")
def test_a_small_model_has_a_small_room_first():
    """The orders are all tried where it has no room there."""
    search = OrderSearch(Encoding(knower.loads(families.generate("bit-transmission")).interpreted), Tuning())
    tried = []

    def make(parts, configuration):
        tried.append(configuration)
        if len(tried) <= 2:
            raise NoRoom

    search.made(make)
    rooms, orders = [each.room.nodes for each in tried], [each.order for each in tried]
    assert rooms[0] < rooms[1] == rooms[2]
    assert orders[0] == orders[1] != orders[2]
    assert search.has_more


@pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")
def test_an_order_that_a_limit_has_stopped_is_tried_again():
    """It was time that was wanting, not room."""
    search = OrderSearch(Encoding(knower.loads(families.generate("train-gate", n=2)).interpreted), Tuning())
    tried = []

    def make(parts, configuration):
        tried.append(configuration)
        if len(tried) == 1:
            raise LimitReached(TimeLimit(1))

    with pytest.raises(LimitReached):
        search.made(make)
    search.made(make)
    assert tried[0] == tried[1]
