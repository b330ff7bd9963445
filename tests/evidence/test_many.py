"""Evidence where a coalition, or its opponents, have more joint actions than anybody can try."""

from __future__ import annotations

import pytest

import knower
from engines import Asker
from knower.evidence.goals import goal_of as proof_goal
from knower.evidence.judge_steps import Bounds, Steps
from knower.evidence.names import vocabulary_of
from knower.evidence.replay import replay
from knower.evidence.ways import TAKES_LONG, Clock, TooLong
from knower.functions.registry import available
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.language import Specification
from knower.options import DeadlockPolicy, Reading
from knower.query.closing import closed
from knower.reasons import TimeLimit, TooLarge
from knower.report.words import unreplayed_text
from knower.verdict.evidence import Case, Evidence, Replay, Row, Run, Strategy, Unreplayed
from knower.verdict.verdict import FormulaResult, Verdict

pytestmark = pytest.mark.skipif(not available(), reason="there are too many states to visit one by one")

SIZE = 40


def crowd(size: int = SIZE, *, first: str = "Action = set", others: str = "Action = set") -> str:
    """Each agent has a bit that it may set; the first when `first` holds, the others when `others` does."""
    names = [f"A{number}" for number in range(1, size + 1)]
    lines = []
    for name in names:
        lines += [f"Agent {name}", "Vars: bit : boolean; end Vars", "Actions = {set, wait};"]
        lines += ["Protocol: Other : {set, wait}; end Protocol"]
        lines += [f"Evolution: bit = true if {first if name == 'A1' else others}; end Evolution", "end Agent"]
    lines += ["Evaluation", *(f"x{k} if {name}.bit = true;" for k, name in enumerate(names, start=1))]
    lines += ["end Evaluation", "InitStates", " and ".join(f"{name}.bit = false" for name in names) + ";"]
    lines += ["end InitStates", "Groups", f"half = {{{', '.join(names[: size // 2])}}};", "end Groups"]
    return "\n".join(lines)


def checked(text: str, formula: str, **options) -> FormulaResult:
    return knower.loads(text).check(formula, **options)[0]


# -- finding ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [12, 30, SIZE])
@pytest.mark.parametrize("formula", ["<half>F (x1 and x2)", "<half>X x3", "<half>(!x2 U (x1 and !x2))"])
def test_a_strategy_against_any_number_of_joint_actions(formula, size):
    result = checked(crowd(size), formula)
    assert result.verdict is Verdict.TRUE
    assert result.evidence.replay.status == "ok"
    (case,) = result.evidence.cases
    assert len(case.proof.rows) == 1


def test_the_first_choice_is_shown_if_one_of_the_first_will_do():
    (case,) = checked(crowd(), "<half>F (x1 and x2)").evidence.cases
    assert set(case.proof.rows[0].actions) == {"set"}


def test_a_choice_that_comes_late_is_found():
    """The first that will do is the last of the million choices of twenty members."""
    idle = " and ".join(f"!x{number}" for number in range(1, SIZE // 2 + 1))
    (case,) = checked(crowd(), f"<half>X ({idle})").evidence.cases
    assert set(case.proof.rows[0].actions) == {"wait"}


@pytest.mark.parametrize("formula", ["<half>F (x1 and x40)", "<half>F AG x1", "<half>G (x1 or !x40)"])
def test_what_would_be_too_long_is_left_out(formula):
    result = checked(crowd(), formula)
    assert result.evidence is None
    assert isinstance(result.left_out, TooLarge)


def test_an_answer_to_very_many_choices_is_left_out():
    result = checked(crowd(others="Action = wait and Action = set"), "<half>F x40")
    assert result.verdict is Verdict.FALSE
    assert result.evidence is None
    assert isinstance(result.left_out, TooLarge)


@pytest.mark.parametrize("operator", [f.CanF, f.CanG])
def test_what_is_won_is_not_computed_again(operator):
    """No step is taken for the layers behind a verdict."""
    model = Asker("bdd", knower.loads(crowd(8)).interpreted)
    spec = Specification(operator(f.Group(("A1", "A2")), f.Or(f.Atom("x1"), f.Not(f.Atom("x8")))))
    model.answer(spec)
    view, asked = model.view(spec), model.query(spec).formula
    taken = model.budget.count
    layers = view.layers(("A1", "A2"), proof_goal(view, asked).sets)
    assert layers[-1] == view.where(asked)
    assert model.budget.count == taken


def test_a_clock_that_has_run_out_says_nothing_of_what_was_left():
    with pytest.raises(TooLong) as told:
        Clock(-1.0).check()
    assert told.value.what == TAKES_LONG


# -- judging ----------------------------------------------------------------------------------------


def judged(text: str, formula: str, *actions: str) -> Replay:
    """What the judge says of a strategy of `half` with one row, at the only initial state."""
    loaded = knower.loads(text)
    system, spec = loaded.interpreted, loaded.parse(formula)
    asked = closed(spec, system)
    start, members = (False,) * len(system.variables), f.members_of(asked.group)
    row = Row(members, start, actions + ("wait",) * (len(members) - len(actions)))
    proof = Strategy(start, asked, members, (start,), (row,))
    evidence = Evidence("strategy", vocabulary_of(system), (Case(Run((start,), end=0), proof),))
    return replay(evidence, spec, Verdict.TRUE, system, Reading(), bounds=Bounds(2_000, 1_000))


def test_the_judge_tries_what_matters():
    assert judged(crowd(), "<half>F (x1 and x2)", "set", "set").status == "ok"
    assert judged(crowd(), "<half>X x1", "set").status == "ok"


@pytest.mark.parametrize("formula", ["<half>F (x1 and x2)", "<half>X x2", "<half>G !x1"])
def test_the_judge_refuses_what_does_not_lead_there(formula):
    assert judged(crowd(), formula, "set").mistakes


def test_the_judge_tries_the_actions_that_are_heard():
    """The first bit is set only if an opponent lets it: no action of a member alone is enough."""
    heard = crowd(first="Action = set and A40.Action = wait")
    assert judged(heard, "<half>X x1", "set").mistakes
    one = crowd(first="Action = set and A2.Action = wait")
    assert judged(one, "<half>X x1", "set").status == "ok"


def test_the_judge_says_what_it_has_drawn_by_lot():
    """Nothing ever changes, but a million joint actions see to it, and the goal is to hold for ever."""
    still = crowd(first="false = true", others="false = true")
    found = judged(still, "<half>G !x1")
    assert found.status == "partial"
    (claim,) = found.unreplayed
    assert "drawn by lot" in unreplayed_text(claim)
    assert judged(crowd(8, first="false = true", others="false = true"), "<half>G !x1").status == "ok"


# -- words ------------------------------------------------------------------------------------------


def test_a_large_state_is_named_by_what_a_formula_is_about():
    system = knower.loads(crowd()).interpreted
    steps = Steps(system, DeadlockPolicy.WARN, Budget())
    state = (True, *[False] * (SIZE - 1))
    about = f.EF(f.And(f.Atom("x1"), f.Atom("x40")))
    assert steps.text(state, about) == "(A1.bit=true, A40.bit=false, and 38 more)"
    assert steps.text(state).endswith("A12.bit=false, and 28 more)")
    few = Steps(knower.loads(crowd(3)).interpreted, DeadlockPolicy.WARN, Budget())
    assert few.text((True, False, False), f.Atom("x1")) == "(A1.bit=true, A2.bit=false, A3.bit=false)"


def test_the_time_of_the_judge_is_not_that_of_the_user():
    claim = Unreplayed("AG p holds", TimeLimit(0.326116))
    assert unreplayed_text(claim) == "AG p holds: there is no time left for it"
