"""One policy for all engines: readings of ATL, finite traces and fairness, and what is warned of."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knower
from engines import Asker, computing, has_sdd, has_solver
from knower import System, families
from knower.errors import LimitReached
from knower.functions.registry import available
from knower.logic.formula import Group
from knower.options import AtlReading, DeadlockPolicy, Reading
from knower.report.text import result_text
from knower.report.words import warning_text
from knower.verdict.verdict import Verdict
from knower.verdict.warnings import NoFairInitialState, VacuousStrategy
from sessions import questions as at_states
from strategies import cases
from worlds import questions

#: How engines that decide everything are asked for.
COMPLETE: dict[str, dict[str, str]] = {
    "explicit": {"engine": "explicit"},
    **({"bdd": {"engine": "bdd"}, "bmc": {"method": "bmc"}} if available() else {}),
    **({"sdd": {"engine": "sdd"}, "bmc, by sdd": {"engine": "sdd", "method": "bmc"}} if has_sdd else {}),
}
NAMES = ["explicit", *(["bdd", "bmc"] if available() else []), *(["sdd"] if has_sdd else [])]

complete = pytest.mark.parametrize("engine", COMPLETE)

# -- ATL and fairness --------------------------------------------------------------------------------------


def prisoners() -> System:
    """With a group of all who are called, but not of who calls them."""
    text = families.generate("prisoners", n=5)
    names = [name for name in re.findall(r"^Agent (\w+)", text, re.MULTILINE) if name[0] in "CP"]
    assert len(names) == 5
    return knower.loads(
        text.replace("Fairness", f"Groups all = {{{', '.join(names)}}}; end Groups\nFairness", 1)
    )


@pytest.mark.parametrize("engine", [name for name in COMPLETE if name != "explicit"])
def test_prisoners_can_be_released_if_they_are_called_again_and_again(engine):
    """Finding 2: that they are is what Fairness says, and it counts unless somebody says otherwise."""
    system, how = prisoners(), COMPLETE[engine]
    (result,) = found = system.check("<all>F released", evidence="none", **how)
    assert (result.verdict, result.atl) == (Verdict.TRUE, AtlReading.OBJECTIVE_FAIR)
    assert "TRUE    <all>F released   (objective-fair)" in result_text(found)
    (result,) = system.check("<all>F released", evidence="none", atl="objective", **how)
    assert (result.verdict, result.atl) == (Verdict.FALSE, AtlReading.OBJECTIVE)


#: E can do as it likes; that it does both again and again is what Fairness says.
PLAYER = knower.loads("""
Agent E
  Vars: up : boolean; end Vars
  Actions = {drop, pass};
  Protocol: Other : {drop, pass}; end Protocol
  Evolution: up = false if Action = drop; up = true if Action = pass; end Evolution
end Agent
Agent Other end Agent
Evaluation up if E.up = true; end Evaluation
InitStates E.up = true; end InitStates
Groups who = {E}; end Groups
Fairness up; !up; end Fairness
""")
VACUOUS = VacuousStrategy(Group(("E",)))


@complete
@pytest.mark.parametrize("atl", ["auto", "objective-fair", "uniform"])
def test_vacuous_wins_are_warned_of_in_every_reading(atl, engine):
    """Finding 3."""
    (result,) = found = PLAYER.check("<E>X false", atl=atl, **COMPLETE[engine])
    assert result.verdict is Verdict.TRUE
    assert result.warnings == (VACUOUS,)
    assert "<E> can prevent every fair outcome" in result_text(found)
    assert result.evidence is not None and result.evidence.replay.status == "ok"


@complete
def test_no_win_is_vacuous_where_unfair_outcomes_count(engine):
    (result,) = PLAYER.check("<E>X false", atl="objective", **COMPLETE[engine])
    assert (result.verdict, result.warnings) == (Verdict.FALSE, ())


@complete
@pytest.mark.parametrize("formula", ["false", "<E>X false", "AG !up"])
def test_uniform_models_without_fair_initial_state_are_flagged(formula, engine):
    """Finding 3: what is true there is true of nothing, and needs no proof that each model fails."""
    (result,) = found = PLAYER.check(formula, atl="uniform-models", **COMPLETE[engine])
    assert result.verdict is Verdict.TRUE
    assert result.warnings == (NoFairInitialState(uniform=True),)
    text = result_text(found)
    assert "in a uniform model no initial state has a fair path: every formula is true" in text
    assert "fails" not in text
    assert (result.evidence, result.left_out) == (None, None)


@complete
def test_a_group_is_named_as_the_formula_names_it(engine):
    (result,) = PLAYER.check("<who>X false", **COMPLETE[engine])
    assert [warning_text(each) for each in result.warnings] == [
        "<who> can prevent every fair outcome from some state: it then wins vacuously"
    ]


@complete
@pytest.mark.parametrize("atl", ["auto", "objective-fair", "uniform"])
def test_a_warning_stays_with_its_formula(atl, engine):
    """Finding 42: the next formula is none of its business."""
    texts = "<E>X false", "AG EF up", "<Other>F up", "<E>G up", "up"
    result = PLAYER.check(*texts, atl=atl, evidence="none", **COMPLETE[engine])
    assert [each.warnings for each in result] == [(VACUOUS,), (), (), (VACUOUS,), ()]
    assert result.warnings == (VACUOUS,), "of all together, once"
    turned = PLAYER.check(*reversed(texts), atl=atl, evidence="none", **COMPLETE[engine])
    assert [each.warnings for each in turned] == [(), (VACUOUS,), (), (), (VACUOUS,)]


# -- finite traces -----------------------------------------------------------------------------------------

#: x counts to 2 and stays there; p holds at the end.
COUNTER = """
Agent A
  Vars: x : 0..2; end Vars
  Actions = {{go}};
  Protocol: Other : {{go}}; end Protocol
  Evolution: x = x + 1 if x < 2; end Evolution
end Agent
Evaluation p if A.x = 2; zero if A.x = 0; end Evaluation
InitStates A.x = 0; end InitStates
Fairness {fairness} end Fairness
"""
#: On finite traces: some trace ends here. On infinite paths: no path does.
ENDS = COUNTER.format(fairness="CDL* E(<tt*>[tt]ff);")


@complete
def test_fairness_may_speak_of_finite_traces(engine):
    """Finding 40: read so, it is always met; read of infinite paths, never."""
    system, how = knower.loads(ENDS), COMPLETE[engine]
    (result,) = system.check("AG !p", finite=True, **how)
    assert (result.verdict, result.warnings) == (Verdict.FALSE, ())
    assert result.evidence is not None and result.evidence.replay.status == "ok"
    (result,) = system.check("AG !p", **how)
    assert (result.verdict, result.warnings) == (Verdict.TRUE, (NoFairInitialState(),))


@pytest.mark.skipif(not has_solver, reason="python-sat is not installed")
def test_sat_does_not_take_finite_traces_for_infinite_paths():
    """Finding 40: it said TRUE."""
    (result,) = knower.loads(ENDS).check("AG !p", finite=True, method="sat")
    assert result.verdict is not Verdict.TRUE
    (result,) = knower.loads(COUNTER.format(fairness="LTLf F p;")).check("AG !p", method="sat")
    assert result.verdict is not Verdict.TRUE
    (result,) = knower.loads(ENDS).check("AG !p", method="sat")
    assert result.verdict is not Verdict.FALSE


#: Formulas in languages that have finite traces, and in some that have not.
TRACES = ["LDL <tt*>p", "LDL [tt*;tt]p", "CDL* E [tt]ff", "LDLf <tt*>p", "LTLf X zero", "LTL G !p", "AG p"]


@pytest.mark.parametrize("fairness", ["", "p;", "CDL* E(<tt*>[tt]ff);"])
@pytest.mark.parametrize("finite", [False, True])
def test_at_every_state_formulas_are_read_alike(finite, fairness):
    """Finding 4: at single states, engines read `finite` as they do for a whole model."""
    system, reading = knower.loads(COUNTER.format(fairness=fairness)), Reading(finite=finite)
    reference, *others = (Asker(name, system.interpreted, reading=reading) for name in NAMES)
    at_once = at_states(system, reading)
    for text in TRACES:
        spec = system.parse(text)
        holds = [reference.holds_at(spec, state) for state in reference.space.states]
        for other in others:
            assert [other.holds_at(spec, state) for state in reference.space.states] == holds, text
        fair = [reference.holds_at(system.parse(_true_of(text)), state) for state in reference.space.states]
        assert (reference.check(spec).verdict is Verdict.TRUE) == (holds[0] or not fair[0]), text
        for state, expected, is_fair in zip(reference.space.states, holds, fair, strict=True):
            if is_fair:
                assert at_once.holds(spec, state) == expected, text


def _true_of(text: str) -> str:
    """What is true of every path, in the language of a formula."""
    language = text.split(maxsplit=1)[0]
    return "true" if language == "AG" else f"{language} true"


def test_finite_traces_make_a_difference_at_states():
    """Or else the test before would say little."""
    system = knower.loads(COUNTER.format(fairness=""))
    spec = system.parse("CDL* E [tt]ff")
    for name in NAMES:
        infinite, finite = (
            Asker(name, system.interpreted, reading=Reading(finite=finite)) for finite in (False, True)
        )
        assert [model.holds_at(spec, (0,)) for model in (infinite, finite)] == [False, True]


@pytest.mark.parametrize("engine", NAMES[1:])
@pytest.mark.parametrize("logic", ["LDLK", "CDL*K", "LTLK", "CTLK"])
def test_states_agree_on_finite_traces(engine, logic):
    @cases(6)
    @given(questions(logic, formulas=2), st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP]))
    def agree(question, policy):
        drawn, specs = question
        reading = Reading(on_deadlock=policy, finite=True)
        reference = Asker("explicit", drawn.system, computing(5), reading)
        model = Asker(engine, drawn.system, computing(60), reading)
        for spec in specs:
            try:
                expected = [reference.holds_at(spec, state) for state in reference.space.states]
            except LimitReached:
                assume(False)
            assert [model.holds_at(spec, state) for state in reference.space.states] == expected, spec

    agree()
