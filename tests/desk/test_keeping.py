"""What a desk keeps from question to question, and that no answer depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knower.checking import evaluate
from knower.desk.desk import Desk
from knower.engine import turns
from knower.engine.protocol import Pressure
from knower.engine.registry import Pick
from knower.functions.protocol import NoRoom
from knower.functions.registry import available
from knower.memory import Keeping, resident_megabytes
from knower.messages import Check, Failed, Reply, Request, Text
from knower.options import DeadlockPolicy, How, Limits, Reading, Search
from knower.reasons import MemoryLimit, NoWitness, StateLimit
from knower.symbolic import order_search
from knower.symbolic.order_search import Configuration, OrderSearch
from knower.verdict.events import Tally
from knower.verdict.verdict import CheckResult, Verdict
from strategies import cases

COUNTER = """
Agent A
  Vars: x : 0..9; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if x < 9; end Evolution
end Agent
Evaluation top if A.x = 9; low if A.x < 3; end Evaluation
InitStates A.x = 0; end InitStates
Groups all = {A}; end Groups
Formulae EF top; end Formulae
"""
ROOMY = Keeping(100_000.0)
BMC = Search("bmc", bound=20)


def how(search: Search | None = None, engine: str = "auto") -> How:
    return How(engine, search=search or Search())


def answered(desk: Desk, what: Check, **limits: float) -> CheckResult:
    tally = Tally()

    def tell(reply: Reply) -> None:
        if isinstance(reply, Failed):
            raise reply.error
        tally.take(reply)  # type: ignore[arg-type]

    desk.serve(Request(1, what, Limits(**limits)), tell)  # type: ignore[arg-type]
    return tally.result()


def asked(*formulas: str, text: str = COUNTER, name: str = "model", **more: object) -> Check:
    return Check(Text(name, text), formulas or None, 1, **more)  # type: ignore[arg-type]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The engines that were made, by their names."""
    names: list[str] = []
    make = Pick.make

    def noted(pick: Pick, *more: object, **named: object) -> object:
        names.append(pick.name)
        return make(pick, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Pick, "make", noted)
    yield names


def test_a_model_is_explored_once(made):
    desk = Desk(ROOMY)
    for formula in ("EF top", "AG low", "EF top", "K(A, low)"):
        answered(desk, asked(formula))
    assert len(made) == 1


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("Formulae EF top", "Formulae AG low", Verdict.FALSE),
        ("top if A.x = 9", "top if A.x = 0 and A.x = 1", Verdict.FALSE),
        ("top if A.x = 9", "top if A.x = 5", Verdict.TRUE),
        ("Groups all = {A}", "Groups everybody = {A}", Verdict.TRUE),
        ("Formulae EF", "Fairness top; end Fairness Formulae EF", Verdict.TRUE),
    ],
)
@pytest.mark.parametrize("engine", ["auto", "explicit"])
def test_what_is_edited_outside_of_agents_keeps_the_exploration(made, before, after, verdict, engine):
    desk = Desk(ROOMY)
    answered(desk, asked(how=how(engine=engine)))
    edited = COUNTER.replace(before, after)
    assert edited != COUNTER
    assert answered(desk, asked(text=edited, how=how(engine=engine))).verdicts == (verdict,)
    assert answered(desk, asked("EF top", how=how(engine=engine))).verdicts == (Verdict.TRUE,)
    assert len(made) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [("x < 9;", "x < 8;"), ("A.x = 0; end Init", "A.x = 1; end Init"), ("0..9", "0..10"), ("{go}", "{walk}")],
)
def test_what_is_edited_in_agents_or_initial_states_does_not(made, before, after):
    desk = Desk(ROOMY)
    answered(desk, asked())
    result = answered(desk, asked(text=COUNTER.replace(before, after)))
    assert len(made) == 2
    assert result.verdicts == (Verdict.FALSE if "8" in after else Verdict.TRUE,)


@pytest.mark.skipif(not available(), reason="no library of decision diagrams")
@pytest.mark.parametrize("second", ["AG low", "!AG low", "!!AG low", "AG low and !!AG low"])
def test_what_was_answered_is_not_worked_out_again(monkeypatch, second):
    """A set of states is not even asked for: `AG` is decided in parts, and its negation by it."""
    desk = Desk(ROOMY)
    model = COUNTER.replace("if x < 9", "if x < 2").replace("A.x = 0", "A.x < 2")
    first = answered(desk, asked("AG low", text=model, how=how(engine="bdd")))
    monkeypatch.setattr(evaluate.Evaluator, "states", None)
    again = answered(desk, asked(second, text=model, how=how(engine="bdd")))
    assert first and bool(again) is not second.startswith("!A")


@pytest.mark.skipif(not available(), reason="no library of decision diagrams")
def test_a_smaller_bound_never_answers_from_a_larger_part(made):
    desk = Desk(ROOMY)
    far = answered(desk, asked("EF top", how=how(BMC)))
    assert far.verdicts == (Verdict.TRUE,)
    near = answered(desk, asked("EF top", how=how(Search("bmc", bound=3))))
    assert [each.reason for each in near] == [NoWitness(3)]
    assert answered(desk, asked("EF top", how=how(BMC))).verdicts == (Verdict.TRUE,)
    assert len(made) == 2


def test_deadlocks_that_loop_are_another_exploration(made):
    stuck = COUNTER.replace("Other : {go}", "x < 9 : {go}")
    desk = Desk(ROOMY)
    loop = Reading(on_deadlock=DeadlockPolicy.LOOP)
    for _ in range(2):
        assert answered(desk, asked("EG !top", text=stuck)).verdicts == (Verdict.FALSE,)
        assert answered(desk, asked("EF EG top", text=stuck)).verdicts == (Verdict.FALSE,)
        assert answered(desk, asked("EF EG top", text=stuck, reading=loop)).verdicts == (Verdict.TRUE,)
    assert len(made) == 2


def test_propositions_that_divide_by_zero_are_found_though_the_states_are_known():
    desk = Desk(ROOMY)
    for engine in ("auto", "explicit"):
        assert answered(desk, asked(how=how(engine=engine))).found("overflow") is None
        edited = COUNTER.replace("top if A.x = 9", "top if 4 / A.x = 4")
        assert answered(desk, asked(text=edited, how=how(engine=engine))).found("overflow") is not None
        assert answered(desk, asked(how=how(engine=engine))).found("overflow") is None


def test_a_limit_of_states_holds_though_they_are_known():
    desk = Desk(ROOMY)
    for _ in range(2):
        assert answered(desk, asked("EF top", how=how(engine="explicit")), states=10).holds
        (few,) = answered(desk, asked("EF top", how=how(engine="explicit")), states=3)
        assert few.reason == StateLimit(3)


def test_the_least_recently_used_engine_goes_first(made):
    desk = Desk(Keeping(100_000.0, engines=2))
    one, two, three = (asked(text=COUNTER.replace("0..9", f"0..{n}")) for n in (9, 10, 11))
    for each in (one, two, one, three, one):  # two goes when three comes
        answered(desk, each)
    assert len(made) == 3
    answered(desk, two)
    assert len(made) == 4


def test_what_is_kept_is_let_go_when_memory_is_short(made):
    desk = Desk(Keeping(0.0))
    answered(desk, asked())
    assert not desk.tidy(), "nothing fits into no memory"
    answered(desk, asked())
    assert len(made) == 2


class Hoard:
    """Stands for an engine of somebody else, with much memory."""

    def __init__(self, megabytes: int) -> None:
        self.memory = bytearray(megabytes << 20)

    def forget(self, pressure: Pressure) -> None: ...

    def close(self) -> None:
        self.memory = bytearray()


@pytest.mark.parametrize("megabytes", [300])
def test_others_are_let_go_before_a_memory_limit_is_reported(megabytes):
    desk = Desk(ROOMY)
    answered(desk, asked())
    limit = resident_megabytes() + megabytes / 2
    desk.shelf._engines["somebody"] = Hoard(megabytes)  # type: ignore[index, assignment]
    assert resident_megabytes() > limit
    assert answered(desk, asked("AG low"), megabytes=limit).verdicts == (Verdict.FALSE,)
    assert resident_megabytes() < limit
    (beyond,) = answered(desk, asked("EX low"), megabytes=1)
    assert beyond.reason == MemoryLimit(1)


def test_others_are_let_go_before_memory_is_said_to_be_out(monkeypatch):
    """Under `ulimit -v` what is kept takes addresses that a larger room needs."""
    desk = Desk(ROOMY)
    answered(desk, asked(text=COUNTER.replace("0..9", "0..10")))
    failures, attempted = [MemoryError(), MemoryError()], turns.attempted

    def short_of_memory(query, budget, found):
        def once(query):
            if failures and desk.shelf._engines:
                raise failures.pop()
            return found(query)

        return attempted(query, budget, once)

    monkeypatch.setattr(turns, "attempted", short_of_memory)
    assert answered(desk, asked()).verdicts == (Verdict.TRUE,)
    assert len(failures) == 1 and len(desk.shelf._engines) == 1


FORMULAS = (
    "EF top",
    "AG low",
    "AF top",
    "EG low",
    "K(A, top)",
    "<all>F top",
    "LTL F top",
    "low",
    "O(A, low)",
)
CHANGES = (("A.x = 9", "A.x = 4"), ("A.x < 3", "A.x > 6"), ("x < 9", "x < 6"), ("A.x = 0;", "A.x < 2;"))


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(FORMULAS), min_size=1, max_size=3),
            st.sets(st.sampled_from(CHANGES)),
            st.sampled_from([how(), how(engine="explicit"), how(BMC), how(Search("bmc", bound=2))]),
            st.sampled_from(list(DeadlockPolicy)),
        ),
        min_size=2,
        max_size=6,
    )
)
@cases(40)
def test_no_answer_depends_on_what_was_asked_before(questions):
    desk = Desk(Keeping(100_000.0, engines=3))
    for formulas, changes, chosen, policy in questions:
        text = COUNTER
        for before, after in changes:
            text = text.replace(before, after)
        question = asked(*formulas, text=text, how=chosen, reading=Reading(on_deadlock=policy))
        kept, fresh = answered(desk, question), answered(Desk(ROOMY), question)
        assert kept.verdicts == fresh.verdicts
        assert [each.reason for each in kept] == [each.reason for each in fresh]
        assert kept.states == fresh.states or chosen.search.method == "bmc"


# -- orders -------------------------------------------------------------------------------------------------


@pytest.mark.skipif("oxidd" not in available(), reason="rooms are those of OxiDD")
def test_another_version_of_a_model_begins_with_the_order_that_was_good(monkeypatch):
    """Whatever its lines and formulas are, if it has the same variables; unless somebody has chosen one."""
    desk = Desk(ROOMY)
    tried: list[str] = []
    usual = order_search.OrderSearch._tried

    def hard(search: OrderSearch, attempt: Configuration, make: Any) -> Any:
        tried.append(attempt.order)
        if attempt.order == "replicas":
            raise NoRoom("it is as if")
        return usual(search, attempt, make)

    monkeypatch.setattr(order_search.OrderSearch, "_tried", hard)
    text = COUNTER.replace("{go};\n", "{go, stay};\n").replace("Other : {go}", "Other : {go, stay}")
    first = answered(desk, asked("EF top", text=text, how=how(engine="bdd")))
    good = first.statistics["order"]
    assert tried[0] == "replicas" and tried[-1] == good != "replicas"
    tried.clear()
    edited = text.replace("x + 1 if x < 9", "x + 3 if x < 5")
    answered(desk, asked("EF low", text=edited, how=how(engine="bdd")))
    assert tried == [good]
    tried.clear()
    wider = text.replace("0..9", "0..19")
    answered(desk, asked("EF low", text=wider, how=how(engine="bdd")))
    assert tried[0] == "replicas"
