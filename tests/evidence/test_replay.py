"""The judge of evidence: proofs made by hand, each accepted; then each spoilt, and rejected."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knower
from knower.evidence.judge_steps import Bounds
from knower.evidence.names import vocabulary_of
from knower.evidence.replay import replay
from knower.logic import formula as f
from knower.logic.language import Specification
from knower.logic.rewrite import negation_normal_form
from knower.options import AtlReading, DeadlockPolicy, Reading
from knower.query.closing import closed
from knower.reasons import StateLimit
from knower.report.words import unreplayed_text
from knower.system.explicit import Explicit
from knower.verdict.evidence import (
    Both,
    Case,
    Cited,
    Either,
    Evidence,
    Fact,
    Hop,
    ImperfectInformationRefutation,
    IndistinguishableProof,
    Instance,
    PathProof,
    Proof,
    ProofNode,
    Refusal,
    Reply,
    Row,
    Run,
    Strategy,
    Turn,
    UniformModelProof,
    Unreplayed,
)
from knower.verdict.verdict import Verdict

#: A climbs from 0 to 3 when it likes; B flips a bit that A does not see.
LADDER = """
Agent A
  Vars: x : 0..3; end Vars
  Actions = {up, stay};
  Protocol: x<3 : {up, stay}; Other : {stay}; end Protocol
  Evolution: x=x+1 if Action=up; end Evolution
end Agent
Agent B
  Vars: y : boolean; end Vars
  RedStates: y=true; end RedStates
  Actions = {flip, keep};
  Protocol: Other : {flip, keep}; end Protocol
  Evolution: y=true if Action=flip and y=false; y=false if Action=flip and y=true; end Evolution
end Agent
Evaluation
  low if A.x=0; one if A.x=1; top if A.x=3; y if B.y=true;
end Evaluation
InitStates A.x=0 and B.y=false; end InitStates
Groups all = {A, B}; end Groups
"""
FAIR_LADDER = LADDER + "Fairness y; end Fairness"

#: A opens one of two doors; behind which the prize is, it does not see.
DOORS = """
Agent A
  Vars: at : {start, won, lost}; end Vars
  Actions = {left, right, rest};
  Protocol: at=start : {left, right, rest}; Other : {rest}; end Protocol
  Evolution:
    at=won if Action=left and H.Action=left; at=lost if Action=right and H.Action=left;
    at=won if Action=right and H.Action=right; at=lost if Action=left and H.Action=right;
  end Evolution
end Agent
Agent H
  Vars: prize : {left, right}; end Vars
  Actions = {left, right};
  Protocol: prize=left : {left}; prize=right : {right}; end Protocol
end Agent
Evaluation start if A.at=start; won if A.at=won; lost if A.at=lost; left if H.prize=left; end Evaluation
InitStates A.at=start; end InitStates
"""

OBJECTIVE, FAIR, UNIFORM, MODELS = (Reading(atl) for atl in AtlReading)


class Court:
    """A model, a reading, and evidence made for one formula."""

    def __init__(self, text: str, reading: Reading = OBJECTIVE, **limits) -> None:
        self.loaded = knower.loads(text)
        self.system = self.loaded.interpreted
        self.reading = reading
        self.limits = limits

    def formula(self, text: str) -> f.Formula:
        """In negation normal form, as proofs have it."""
        return negation_normal_form(closed(self.loaded.parse(text), self.system))

    def fact(self, text: str, *state) -> Fact:
        return Fact(state, self.formula(text))

    def judge(self, asked: str | Specification, *cases: Case, verdict=Verdict.TRUE, kind=None, others=0):
        spec = self.loaded.parse(asked) if isinstance(asked, str) else asked
        kind = kind or ("counterexample" if verdict is Verdict.FALSE else "witness")
        evidence = Evidence(kind, vocabulary_of(self.system), cases, others)
        return replay(evidence, spec, verdict, self.system, self.reading, **self.limits)

    def holds(self, text: str | Specification, proof: Proof, *, start: Run | None = None, **more):
        return self.judge(text, Case(start or still(proof.state), proof), **more)

    def fails(self, text: str, proof: Proof, **more):
        return self.holds(text, proof, verdict=Verdict.FALSE, **more)


def still(state) -> Run:
    """The path of a case without fairness."""
    return Run((state,), end=0)


def ladder_run(*states, joints, loop=None, end=None) -> Run:
    actions = tuple(tuple(joint.split()) for joint in joints)
    return Run(states, actions, loop, end)


LOW, ONE, TOP = (0, False), (1, False), (3, False)


# -- facts, connectives, cases ----------------------------------------------------------------------


def test_a_fact_is_seen_at_the_state():
    court = Court(LADDER)
    assert court.holds("low and !y", court.fact("low and !y", *LOW)).status == "ok"
    assert court.fails("top", court.fact("!top", *LOW)).status == "ok"


def test_a_false_fact_is_rejected():
    court = Court(LADDER)
    assert "false" in court.holds("top", court.fact("top", *LOW)).mistakes[0]


def test_a_fact_must_be_propositional():
    court = Court(LADDER)
    assert court.holds("EF top", Fact(LOW, court.formula("EF top"))).mistakes


def test_a_proof_of_another_formula_is_rejected():
    court = Court(LADDER)
    assert court.holds("!top", court.fact("low", *LOW)).mistakes


def test_a_proof_at_a_state_that_is_not_initial_is_rejected():
    court = Court(LADDER)
    assert "not an initial state" in court.holds("one", court.fact("one", *ONE)).mistakes[0]


def test_the_kind_fits_the_verdict():
    court = Court(LADDER)
    assert court.holds("low", court.fact("low", *LOW), kind="counterexample").mistakes
    assert court.holds("low", court.fact("low", *LOW), verdict=Verdict.UNKNOWN).mistakes


def test_both_and_either():
    court = Court(LADDER)
    climb = PathProof(LOW, court.formula("EX one"), ladder_run(LOW, ONE, joints=["up keep"], end=1))
    both = Both(LOW, court.formula("low and EX one"), court.fact("low", *LOW), climb)
    assert court.holds("low and EX one", both).status == "ok"
    assert court.holds("low and EX one", replace(both, right=both.left)).mistakes
    elsewhere = replace(both, left=court.fact("low", 0, True))
    assert court.holds("low and EX one", elsewhere).mistakes
    either = Either(LOW, court.formula("top or EX one"), climb)
    assert court.holds("top or EX one", either).status == "ok"
    assert court.holds("top or EX one", replace(either, part=court.fact("low", *LOW))).mistakes


def test_a_case_for_every_initial_state():
    court = Court(DOORS)
    left, right = (Case(still(s), court.fact("start", *s)) for s in (("start", "left"), ("start", "right")))
    assert court.judge("start", left, right).status == "ok"
    assert court.judge("start", left, left).mistakes
    assert court.judge("start", left).mistakes
    assert court.judge("start", left, others=1).status == "ok"
    assert court.judge("start", left, others=2).mistakes


def test_initial_states_are_looked_for_once_for_all_judgements(monkeypatch):
    court, looked = Court(DOORS), []
    explicit = Explicit(court.system)
    court.limits["explicit"] = explicit
    search = explicit.initial_states
    monkeypatch.setattr(explicit, "initial_states", lambda budget: looked.append(budget) or search(budget))
    left, right = (Case(still(s), court.fact("start", *s)) for s in (("start", "left"), ("start", "right")))
    for _ in range(3):
        assert court.judge("start", left, right).status == "ok"
    assert len(looked) == 1
    assert court.judge("start", left).mistakes


def test_a_counterexample_has_one_case():
    court = Court(DOORS)
    lost = [Case(still(s), court.fact("!won", *s)) for s in (("start", "left"), ("start", "right"))]
    assert court.judge("won", lost[0], verdict=Verdict.FALSE).status == "ok"
    assert court.judge("won", *lost, verdict=Verdict.FALSE).mistakes


# -- ways -------------------------------------------------------------------------------------------

CLIMB = ladder_run(LOW, ONE, (2, False), TOP, joints=["up keep"] * 3, end=3)


def test_a_way_to_a_state():
    court = Court(LADDER)
    assert court.holds("EF top", PathProof(LOW, court.formula("EF top"), CLIMB)).status == "ok"
    assert court.holds("E(!top U top)", PathProof(LOW, court.formula("E(!top U top)"), CLIMB)).status == "ok"
    assert court.fails("AG !top", PathProof(LOW, court.formula("EF top"), CLIMB)).status == "ok"
    assert court.holds("E(low U top)", PathProof(LOW, court.formula("E(low U top)"), CLIMB)).mistakes


def test_a_way_round_for_ever():
    court = Court(LADDER)
    stay = ladder_run(LOW, joints=["stay keep"], loop=0)
    assert court.fails("AF top", PathProof(LOW, court.formula("EG !top"), stay)).status == "ok"
    endless = replace(stay, loop=None, actions=())
    assert court.fails("AF top", PathProof(LOW, court.formula("EG !top"), endless)).mistakes
    wrong = ladder_run(LOW, joints=["up keep"], loop=0)
    assert court.fails("AF top", PathProof(LOW, court.formula("EG !top"), wrong)).mistakes


@pytest.mark.parametrize("operator", [f.ER, f.EW])
def test_two_shapes_of_release_and_weak_until(operator):
    court = Court(LADDER)
    one, open_end = court.formula("one"), court.formula("!top")
    formula = operator(one, open_end) if operator is f.ER else operator(open_end, one)
    stay = ladder_run(LOW, joints=["stay keep"], loop=0)
    climb = ladder_run(LOW, ONE, joints=["up keep"], end=1)
    for run in (stay, climb):
        assert court.holds(Specification(formula), PathProof(LOW, formula, run)).status == "ok"
    assert court.holds(Specification(formula), PathProof(LOW, formula, still(LOW))).mistakes


def test_what_is_not_propositional_is_proved_by_position():
    court = Court(LADDER)
    down = PathProof(ONE, court.formula("EX low"), ladder_run(ONE, LOW, joints=["up keep"], end=1))
    up = PathProof(ONE, court.formula("EX !one"), ladder_run(ONE, (2, False), joints=["up keep"], end=1))
    step = ladder_run(LOW, ONE, joints=["up keep"], end=1)
    way = PathProof(LOW, court.formula("EX EX !one"), step, ((1, up),))
    assert court.holds("EX EX !one", way).status == "ok"
    assert court.holds("EX EX !one", replace(way, proofs=())).mistakes
    assert court.holds("EX EX !one", replace(way, proofs=((0, up),))).mistakes
    assert court.holds("EX EX low", PathProof(LOW, court.formula("EX EX low"), step, ((1, down),))).mistakes


@pytest.mark.parametrize(
    "run",
    [
        replace(CLIMB, states=(LOW, ONE, (3, False), TOP)),
        replace(CLIMB, actions=(("stay", "keep"), *CLIMB.actions[1:])),
        replace(CLIMB, actions=((), *CLIMB.actions[1:])),
        replace(CLIMB, states=(ONE, *CLIMB.states[1:])),
        replace(CLIMB, end=2),
        replace(CLIMB, end=7),
        replace(CLIMB, loop=-1),
        replace(CLIMB, actions=CLIMB.actions[1:]),
        replace(CLIMB, actions=(("up",), *CLIMB.actions[1:])),
        replace(CLIMB, actions=(("up", "sing"), *CLIMB.actions[1:])),
        replace(CLIMB, actions=((None, "keep"), *CLIMB.actions[1:])),
        replace(CLIMB, states=(LOW, (1,), *CLIMB.states[2:])),
        replace(CLIMB, states=(LOW, (9, False), *CLIMB.states[2:])),
        replace(CLIMB, states=((False, False), *CLIMB.states[1:])),
        replace(CLIMB, states=(*CLIMB.states[:-1], (3, 0))),
        replace(CLIMB, states=(LOW, (0, 0), *CLIMB.states[1:]), actions=(("stay", "keep"), *CLIMB.actions)),
        replace(CLIMB, states=()),
        replace(CLIMB, states=None),
    ],
)
def test_a_spoilt_path_is_rejected(run):
    court = Court(LADDER)
    assert court.holds("EF top", PathProof(LOW, court.formula("EF top"), run)).mistakes


def test_a_disabled_action_is_rejected():
    court = Court(LADDER)
    way = PathProof(
        LOW, court.formula("EF top"), ladder_run(*CLIMB.states, TOP, joints=["up keep"] * 4, end=4)
    )
    assert court.holds("EF top", way).mistakes


# -- fairness ---------------------------------------------------------------------------------------

FLIPPING = ladder_run(LOW, (0, True), joints=["stay flip", "stay flip"], loop=0, end=0)
FAIR_CLIMB = ladder_run(LOW, ONE, (1, True), joints=["up keep", "stay flip", "stay keep"], loop=2, end=1)
UNFAIR_CLIMB = ladder_run(LOW, ONE, joints=["up keep", "stay keep"], loop=1, end=1)


def test_with_fairness_paths_go_on_fairly():
    court = Court(FAIR_LADDER)
    way = PathProof(LOW, court.formula("EX one"), FAIR_CLIMB)
    assert court.holds("EX one", way, start=FLIPPING).status == "ok"
    assert court.holds("EX one", way).mistakes  # the case itself needs a fair path
    unfair = replace(way, run=UNFAIR_CLIMB)
    assert "misses the fairness" in court.holds("EX one", unfair, start=FLIPPING).mistakes[0]
    finite = ladder_run(LOW, ONE, joints=["up keep"], end=1)
    assert court.holds("EX one", replace(way, run=finite), start=FLIPPING).mistakes
    astray = replace(FAIR_CLIMB, actions=(*FAIR_CLIMB.actions[:2], ("stay", "flip")))
    assert court.holds("EX one", replace(way, run=astray), start=FLIPPING).mistakes


@pytest.mark.parametrize("limits", [{}, {"bounds": Bounds(3)}])
def test_a_constraint_that_is_no_proposition_is_asked_of_the_reference(limits):
    court = Court(LADDER + "Fairness EX y; end Fairness", **limits)
    way = PathProof(LOW, court.formula("EX one"), UNFAIR_CLIMB)
    start = ladder_run(LOW, joints=["stay keep"], loop=0, end=0)
    found = court.holds("EX one", way, start=start)
    assert found.status == ("partial" if limits else "ok"), found


def test_only_fair_initial_states_need_a_case():
    text = DOORS + "Fairness left; end Fairness"
    court = Court(text)
    here = "start", "left"
    rest = Run((here,), (("rest", "left"),), loop=0, end=0)
    assert court.judge("start", Case(rest, court.fact("start", *here))).status == "ok"
    there = "start", "right"
    other = Case(replace(rest, states=(there,), actions=(("rest", "right"),)), court.fact("start", *there))
    assert court.judge("start", other).mistakes
    few = Court(text, bounds=Bounds(1)).judge("start", Case(rest, court.fact("start", *here)))
    assert few.status == "partial" and not few.mistakes


# -- claims -----------------------------------------------------------------------------------------


def test_a_true_claim_is_checked_and_a_false_one_rejected():
    court = Court(LADDER)
    assert court.holds("AG EF top", Cited(LOW, court.formula("AG EF top"), "universal")).status == "ok"
    assert court.holds("AG low", Cited(LOW, court.formula("AG low"), "universal")).mistakes


def test_a_claim_too_large_is_listed():
    court = Court(LADDER, bounds=Bounds(3))
    found = court.holds("AG EF top", Cited(LOW, court.formula("AG EF top"), "universal"))
    assert found.status == "partial"
    claim = Unreplayed("AG EF top holds at (A.x=0, B.y=false)", StateLimit(3))
    assert found.unreplayed == (claim,)
    assert unreplayed_text(claim) == "AG EF top holds at (A.x=0, B.y=false): more than 3 states"


def test_other_initial_states_too_many_to_visit_are_listed():
    court = Court(DOORS, bounds=Bounds(1))
    here = "start", "left"
    found = court.judge("EF won", Case(still(here), PathProof(here, court.formula("EF won"), DOOR)), others=1)
    assert found.status == "partial" and "1 other initial state" in unreplayed_text(found.unreplayed[0])


def test_finite_traces_ignore_fairness():
    court = Court(FAIR_LADDER)
    formula = negation_normal_form(closed(court.loaded.parse("LTLf F low"), court.system), finite=True)
    assert court.holds("LTLf F low", Cited(LOW, formula, "universal")).status == "ok"


# -- knowledge and obligation -----------------------------------------------------------------------

FLIP = ladder_run(LOW, (0, True), joints=["stay flip"], end=1)


def doubts(court: Court, text: str, operand: Proof, *hops: Hop) -> IndistinguishableProof:
    return IndistinguishableProof(LOW, court.formula(text), hops, operand)


@pytest.mark.parametrize("text", ["M(A, y)", "MGK(all, y)", "MGCK(all, y)", "MGK(A, y)", "MDK(A, y)"])
def test_a_confused_state(text):
    court = Court(LADDER)
    proof = doubts(court, text, court.fact("y", 0, True), Hop(("A",), FLIP))
    assert court.holds(text, proof).status == "ok"
    assert court.holds(text, replace(proof, hops=(Hop(("B",), FLIP),))).mistakes  # B sees the bit
    assert court.holds(text, replace(proof, hops=())).mistakes
    begins_anywhere = Hop(("A",), Run(((0, True),), end=0))
    assert court.holds(text, replace(proof, hops=(begins_anywhere,))).mistakes
    assert court.holds(text, replace(proof, proof=court.fact("y", 1, True))).mistakes
    assert court.holds(text, replace(proof, proof=court.fact("low", 0, True))).mistakes
    assert court.holds(text, replace(proof, hops=(Hop(("Nobody",), FLIP),))).mistakes


def test_common_doubt_takes_several_hops():
    court = Court(LADDER)
    to_one = ladder_run(LOW, (0, True), (1, True), joints=["stay flip", "up keep"], end=2)
    hops = Hop(("A",), FLIP), Hop(("B",), to_one)
    proof = doubts(court, "MGCK(all, one and y)", court.fact("one and y", 1, True), *hops)
    assert court.holds("MGCK(all, one and y)", proof).status == "ok"
    assert court.holds("MGCK(all, one and y)", replace(proof, hops=hops[::-1])).mistakes
    everybody = doubts(court, "MGK(all, one and y)", court.fact("one and y", 1, True), *hops)
    assert court.holds("MGK(all, one and y)", everybody).mistakes


def test_distributed_doubt_is_of_all_members():
    court = Court(LADDER)
    here = Hop(("B", "A"), still(LOW))
    proof = doubts(court, "MDK(all, low)", court.fact("low", *LOW), here)
    assert court.holds("MDK(all, low)", proof).status == "ok"
    assert court.holds("MDK(all, low)", replace(proof, hops=(Hop(("A",), here.run),))).mistakes


def test_a_permitted_state_is_green():
    court = Court(LADDER)
    up = ladder_run(LOW, ONE, joints=["up keep"], end=1)
    proof = Instance(LOW, court.formula("P(B, one)"), up, court.fact("one", *ONE))
    assert court.holds("P(B, one)", proof).status == "ok"
    red = ladder_run(LOW, (1, True), joints=["up flip"], end=1)
    assert court.holds("P(B, one)", replace(proof, run=red, proof=court.fact("one", 1, True))).mistakes
    assert court.holds("P(B, one)", replace(proof, run=Run((ONE,), end=0))).mistakes


# -- strategies -------------------------------------------------------------------------------------

DOOR = Run((("start", "left"), ("won", "left")), (("left", "left"),), end=1)
AT_LEFT, AT_RIGHT = ("start", "left"), ("start", "right")
ALWAYS_UP = tuple(Row(("A",), (x, y), ("up",)) for x in range(3) for y in (False, True))
CHOOSE_LEFT, CHOOSE_RIGHT = Row(("A",), AT_LEFT, ("left",)), Row(("A",), AT_RIGHT, ("right",))


def opened(court: Court, text: str, state=AT_LEFT, rows=(CHOOSE_LEFT,), **more) -> Strategy:
    return Strategy(state, court.formula(text), ("A",), (state,), rows, **more)


def both_doors(court: Court, text: str, left: Proof, right: Proof, **more):
    return court.judge(text, Case(still(AT_LEFT), left), Case(still(AT_RIGHT), right), **more)


@pytest.mark.parametrize("text", ["<A>X won", "<A>F won", "<A>G !lost", "<A>(start U won)"])
@pytest.mark.parametrize("reading", [OBJECTIVE, FAIR])
def test_a_strategy_by_state(text, reading):
    court = Court(DOORS, reading)
    left = opened(court, text)
    right = opened(court, text, AT_RIGHT, (CHOOSE_RIGHT,))
    assert both_doors(court, text, left, right).status == "ok"
    losing = replace(left, rows=(Row(("A",), AT_LEFT, ("right",)),))
    assert both_doors(court, text, losing, right).mistakes
    assert both_doors(court, text, replace(left, rows=()), right).mistakes
    assert both_doors(court, text, replace(left, rows=(CHOOSE_LEFT, CHOOSE_LEFT)), right).mistakes
    assert both_doors(court, text, replace(left, members=("H",)), right).mistakes
    assert both_doors(court, text, replace(left, starts=(AT_LEFT, AT_RIGHT)), right).mistakes
    if text != "<A>G !lost":
        idle = replace(left, rows=(Row(("A",), AT_LEFT, ("rest",)),))
        assert both_doors(court, text, idle, right).mistakes


def test_a_strategy_may_not_use_a_disabled_action():
    court = Court(DOORS)
    row = Row(("A",), ("won", "left"), ("left",))
    proof = opened(court, "<A>G !lost", rows=(CHOOSE_LEFT, row))
    right = opened(court, "<A>G !lost", AT_RIGHT, (CHOOSE_RIGHT,))
    assert "cannot do left" in both_doors(court, "<A>G !lost", proof, right).mistakes[0]


def test_the_others_may_do_anything():
    court = Court(LADDER)
    up = tuple(Row(("A",), (x, False), ("up",)) for x in range(3))
    proof = Strategy(LOW, court.formula("<A>F (top and !y)"), ("A",), (LOW,), up)
    assert court.holds("<A>F (top and !y)", proof).mistakes
    proof = Strategy(LOW, court.formula("<A>F top"), ("A",), (LOW,), ALWAYS_UP)
    assert court.holds("<A>F top", proof).status == "ok"


def test_operands_that_are_no_propositions_are_proved_by_state():
    court = Court(LADDER)
    text = "<A>X EX !one"
    onward = PathProof(ONE, court.formula("EX !one"), ladder_run(ONE, (2, False), joints=["up keep"], end=1))
    flipped = PathProof(
        (1, True), onward.formula, ladder_run((1, True), (2, True), joints=["up keep"], end=1)
    )
    rows = (Row(("A",), LOW, ("up",)),)
    proofs = (ONE, onward), ((1, True), flipped)
    proof = Strategy(LOW, court.formula(text), ("A",), (LOW,), rows, proofs=proofs)
    assert court.holds(text, proof).status == "ok"
    assert court.holds(text, replace(proof, proofs=((ONE, onward),))).mistakes
    assert court.holds(text, replace(proof, proofs=((ONE, onward), (ONE, flipped)))).mistakes


def test_a_strategy_with_too_many_states_is_listed():
    court = Court(LADDER, bounds=Bounds(3))
    found = court.holds("<A>F top", Strategy(LOW, court.formula("<A>F top"), ("A",), (LOW,), ALWAYS_UP))
    assert found.status == "partial" and "too many states to follow" in unreplayed_text(found.unreplayed[0])


SEES_START = Row(("A",), ("start",), ("left",))


def blindly(court: Court, text: str, **more) -> list[Strategy]:
    starts = (AT_LEFT, AT_RIGHT)
    made = Strategy(AT_LEFT, court.formula(text), ("A",), starts, (SEES_START,), True)
    return [replace(made, state=state, **more) for state in starts]


@pytest.mark.parametrize("fairness", ["", "Fairness !start; end Fairness"])
@pytest.mark.parametrize("text", ["<A>X !start", "<A>F (won or lost)", "<A>(start U (won or lost))"])
def test_a_uniform_strategy(text, fairness):
    court = Court(DOORS + fairness, UNIFORM)
    ends = {"left": "won", "right": "lost"}

    def judged(left: Strategy, right: Strategy):
        cases = []
        for proof in (left, right):
            _, prize = proof.state
            run = Run((proof.state, (ends[prize], prize)), (("left", prize), ("rest", prize)), loop=1, end=0)
            cases.append(Case(run if fairness else still(proof.state), proof))
        return court.judge(text, *cases, kind="strategy")

    assert judged(*blindly(court, text)).status == "ok"
    assert judged(*blindly(court, text, rows=())).mistakes
    assert judged(*blindly(court, text, by_observation=False)).mistakes
    assert judged(*blindly(court, text, starts=(AT_LEFT,))).mistakes
    assert judged(*blindly(court, text, starts=(AT_LEFT, AT_RIGHT, ("won", "left")))).mistakes
    rests = judged(*blindly(court, text, rows=(replace(SEES_START, actions=("rest",)),)))
    assert bool(rests.mistakes) != bool(fairness)  # to rest for ever is not fair


def test_a_uniform_strategy_that_is_none():
    court = Court(DOORS, UNIFORM)
    assert both_doors(court, "<A>F won", *blindly(court, "<A>F won")).mistakes


def test_whether_all_look_alikes_are_there_may_be_too_much_to_ask():
    court = Court(DOORS, UNIFORM, bounds=Bounds(5))
    found = both_doors(court, "<A>F (won or lost)", *blindly(court, "<A>F (won or lost)"))
    assert found.status == "partial" and "confuse" in unreplayed_text(found.unreplayed[0])


def test_under_objective_fair_unfair_outcomes_do_not_count():
    fair = Court(FAIR_LADDER, FAIR)
    proof = Strategy(LOW, fair.formula("<A>F y"), ("A",), (LOW,), (Row(("A",), LOW, ("stay",)),))
    assert fair.holds("<A>F y", proof, start=FLIPPING).status == "ok"
    assert Court(LADDER, FAIR).holds("<A>F y", proof).mistakes
    assert Court(FAIR_LADDER, OBJECTIVE).holds("<A>F y", proof, start=FLIPPING).mistakes
    broken = replace(proof, formula=fair.formula("<A>G !y"))
    assert fair.holds("<A>G !y", broken, start=FLIPPING).mistakes


def test_which_states_are_fair_may_be_too_much_to_ask():
    court = Court(FAIR_LADDER, FAIR, bounds=Bounds(4))
    proof = Strategy(LOW, court.formula("<A>X low"), ("A",), (LOW,), (Row(("A",), LOW, ("stay",)),))
    found = court.holds("<A>X low", proof, start=FLIPPING)
    assert found.status == "partial"
    assert "which states have a fair path" in unreplayed_text(found.unreplayed[0])


# -- refusals ---------------------------------------------------------------------------------------


def reply(choice: str, joint: str, then: int) -> Reply:
    return Reply((choice,), tuple(joint.split()), then)


def refuse(court: Court, text: str, *turns: Turn, state=LOW, members=("A",)) -> Refusal:
    return Refusal(state, court.formula(text), members, turns)


KEEP = (reply("up", "up keep", 1), reply("stay", "stay keep", 0))


@pytest.mark.parametrize("reading", [OBJECTIVE, FAIR, UNIFORM])
def test_a_refusal_of_a_next_state(reading):
    court = Court(LADDER, reading)
    flipped = reply("up", "up flip", 1), reply("stay", "stay flip", 2)
    onward = [
        (reply("up", "up keep", 3), reply("stay", "stay keep", 1)),
        (reply("up", "up keep", 1), reply("stay", "stay keep", 2)),
        (reply("up", "up keep", 4), reply("stay", "stay keep", 3)),
        (reply("stay", "stay keep", 4),),
    ]
    states = [LOW, (1, True), (0, True), (2, True), (3, True)]
    turns = [Turn(s, r) for s, r in zip(states, [flipped, *onward], strict=True)]
    assert court.fails("<A>X !y", refuse(court, "!<A>X !y", *turns)).status == "ok"
    missing = [replace(turns[0], replies=flipped[:1]), *turns[1:]]
    assert court.fails("<A>X !y", refuse(court, "!<A>X !y", *missing)).mistakes
    kept = [replace(turns[0], replies=(reply("up", "up keep", 1), flipped[1])), *turns[1:]]
    assert court.fails("<A>X !y", refuse(court, "!<A>X !y", *kept)).mistakes
    swapped = [replace(turns[0], replies=(reply("up", "stay flip", 2), flipped[1])), *turns[1:]]
    assert court.fails("<A>X !y", refuse(court, "!<A>X !y", *swapped)).mistakes
    assert court.fails("<A>X !y", refuse(court, "!<A>X !y", *turns, members=("B",))).mistakes


CLIMBING = (
    Turn(LOW, KEEP),
    Turn(ONE, (reply("up", "up keep", 2), reply("stay", "stay keep", 1))),
    Turn((2, False), (reply("up", "up keep", 3), reply("stay", "stay keep", 2))),
    Turn(TOP, (reply("stay", "stay keep", 3),)),
)


@pytest.mark.parametrize("text", ["<A>F y", "<A>(!y U y)"])
@pytest.mark.parametrize("reading", [OBJECTIVE, FAIR, UNIFORM])
def test_a_refusal_of_what_is_to_be_reached(text, reading):
    court = Court(LADDER, reading)
    assert court.fails(text, refuse(court, f"!{text}", *CLIMBING)).status == "ok"
    over = [*CLIMBING[:3], replace(CLIMBING[3], over=True)]
    assert court.fails(text, refuse(court, f"!{text}", *over)).mistakes
    reached = [*CLIMBING[:3], Turn((3, True), CLIMBING[3].replies)]
    assert court.fails(text, refuse(court, f"!{text}", *reached)).mistakes
    disabled = [*CLIMBING[:3], replace(CLIMBING[3], replies=(reply("up", "up keep", 3),))]
    assert court.fails(text, refuse(court, f"!{text}", *disabled)).mistakes
    stops = [*CLIMBING[:3], replace(CLIMBING[3], replies=(Reply(("stay",), None, None),))]
    assert court.fails(text, refuse(court, f"!{text}", *stops)).mistakes
    assert court.fails(text, refuse(court, f"!{text}", *CLIMBING[:2])).mistakes  # turns out of range


def test_a_refusal_of_what_is_to_last():
    """A climbs whatever B does, whose bit makes turns of its own."""
    court = Court(LADDER)
    text = "<B>G !top"

    def judged(climbs: str, over: int):
        states = [(x, y) for x in range(4) for y in (False, True)]
        turns = []
        for x, y in states:
            goes = [(b, (x + (climbs == "up"), y ^ (b == "flip"))) for b in ("flip", "keep")]
            replies = tuple(Reply((b,), (climbs, b), states.index(s)) for b, s in goes if x < 3)
            turns.append(Turn((x, y), replies, over=x >= over))
        return court.fails(text, refuse(court, f"!{text}", *turns, members=("B",)))

    assert judged("up", 3).status == "ok"
    assert judged("up", 2).mistakes  # over too early
    assert "for ever" in judged("stay", 3).mistakes[0]


def test_under_objective_fair_replies_keep_the_outcome_fair():
    court = Court(FAIR_LADDER, FAIR)
    unfair = court.fails("<A>F y", refuse(court, "!<A>F y", *CLIMBING), start=FLIPPING)
    assert "unfair" in unfair.mistakes[0]
    turns = [
        Turn(
            (0, bool(bit)),
            (Reply(("keep",), ("stay", "keep"), bit), Reply(("flip",), ("stay", "flip"), 1 - bit)),
        )
        for bit in (0, 1)
    ]
    proof = refuse(court, "!<B>F top", *turns, members=("B",))
    assert court.fails("<B>F top", proof, start=FLIPPING).mistakes  # B may keep for ever, unfairly
    lowly = Court(LADDER + "Fairness low; end Fairness", FAIR)
    start = ladder_run(LOW, joints=["stay keep"], loop=0, end=0)
    assert lowly.fails("<B>F top", proof, start=start).status == "ok"


def test_a_choice_that_leads_nowhere():
    text = LADDER.replace("x<3 : {up, stay}; Other : {stay};", "Other : {up, stay};")
    state = TOP
    court = Court(text.replace("A.x=0 and", "A.x=3 and"))
    turns = (Turn(state, (Reply(("up",), None, None), reply("stay", "stay keep", 0))),)
    assert court.fails("<A>F y", refuse(court, "!<A>F y", *turns, state=state)).status == "ok"
    both = (Turn(state, (turns[0].replies[0], Reply(("stay",), None, None))),)
    assert court.fails("<A>F y", refuse(court, "!<A>F y", *both, state=state)).mistakes


def test_a_look_alike_where_not_even_knowledge_helps():
    court = Court(LADDER, UNIFORM)
    there = (0, True)
    turns = Turn(there, (reply("up", "up keep", 1), reply("stay", "stay keep", 0))), Turn((1, True))
    refused = refuse(court, "!<A>X !y", *turns, state=there)
    proof = ImperfectInformationRefutation(LOW, refused.formula, Hop(("A",), FLIP), refused)
    assert court.fails("<A>X !y", proof).status == "ok"
    assert court.fails("<A>X !y", replace(proof, hop=Hop(("B",), FLIP))).mistakes
    assert court.fails("<A>X !y", replace(proof, hop=Hop(("A",), still(LOW)))).mistakes
    assert court.fails("<A>X !y", replace(proof, proof=Cited(there, refused.formula, "said"))).mistakes
    assert Court(LADDER).fails("<A>X !y", proof).mistakes


# -- uniform models ---------------------------------------------------------------------------------


def table(**actions: str) -> tuple[Row, ...]:
    places = {"start": "A", "left": "H", "right": "H"}
    return tuple(Row((places[seen],), (seen,), (action,)) for seen, action in actions.items())


def test_a_model_where_everybody_plays_uniformly():
    court = Court(DOORS.replace("A.at=start; end I", "A.at=start and H.prize=left; end I"), MODELS)
    text = "EX won"
    proof = UniformModelProof(
        AT_LEFT, court.formula(text), table(start="left"), PathProof(AT_LEFT, court.formula(text), DOOR)
    )
    assert court.holds(text, proof, kind="strategy").status == "ok"
    assert court.holds(text, replace(proof, rows=table(start="right"))).mistakes
    assert court.holds(text, replace(proof, rows=())).mistakes
    assert court.holds(text, proof.proof).mistakes
    cited = Cited(AT_LEFT, court.formula("AG AX won"), "universal")
    always = UniformModelProof(AT_LEFT, cited.formula, table(start="left"), cited)
    assert court.holds("AG AX won", always).status == "ok"
    assert court.holds("AG AX won", replace(always, rows=table(start="rest"))).mistakes
    assert court.holds("AG AX won", replace(always, rows=())).mistakes
    assert Court(DOORS).holds(text, proof).mistakes


def test_all_cases_play_in_one_model():
    court = Court(DOORS, MODELS)
    text, formula = "AX !start", court.formula("AX !start")

    def plays(left: str, right: str):
        actions = {AT_LEFT: left, AT_RIGHT: right}
        cited = {state: Cited(state, formula, "universal") for state in actions}
        proofs = [UniformModelProof(s, formula, table(start=a), cited[s]) for s, a in actions.items()]
        return both_doors(court, text, *proofs)

    assert plays("left", "left").status == "ok"
    assert plays("left", "right").mistakes


def test_that_no_uniform_model_will_do_is_asked_of_the_reference():
    court = Court(DOORS, MODELS)
    found = court.fails("start and AX won", Cited(AT_LEFT, court.formula("!(start and AX won)"), "universal"))
    assert found.status == "ok"
    assert court.fails("AX !start", Cited(AT_LEFT, court.formula("!AX !start"), "universal")).mistakes


# -- deadlocks --------------------------------------------------------------------------------------

STUCK = LADDER.replace("x<3 : {up, stay}; Other : {stay};", "x<3 : {up, stay};")
LOOP = Reading(on_deadlock=DeadlockPolicy.LOOP)


def test_a_deadlock_may_be_given_a_self_loop():
    run = Run((*CLIMB.states,), (*CLIMB.actions, ()), loop=3)
    court = Court(STUCK, LOOP)
    assert court.holds("EG !y", PathProof(LOW, court.formula("EG !y"), run)).status == "ok"
    assert Court(STUCK).holds("EG !y", PathProof(LOW, court.formula("EG !y"), run)).mistakes
    assert Court(LADDER, LOOP).holds("EG !y", PathProof(LOW, court.formula("EG !y"), run)).mistakes


def test_in_a_self_loop_every_choice_leads_back():
    court = Court(STUCK.replace("A.x=0 and", "A.x=3 and"), LOOP)
    stays = Strategy(TOP, court.formula("<A>G top"), ("A",), (TOP,), ())
    assert court.holds("<A>G top", stays).status == "ok"
    assert court.fails("<A>F low", refuse(court, "!<A>F low", Turn(TOP), state=TOP)).status == "ok"
    assert court.fails("<A>G top", refuse(court, "!<A>G top", Turn(TOP), state=TOP)).mistakes
    assert court.fails("<A>X top", refuse(court, "!<A>X top", Turn(TOP), state=TOP)).mistakes


def test_in_a_deadlock_nobody_can_act():
    text = STUCK.replace("A.x=0 and", "A.x=3 and")
    court = Court(text)
    refused = refuse(court, "!<A>G top", Turn(TOP), state=TOP)
    assert court.fails("<A>G top", refused).status == "ok"
    assert Court(text, FAIR).fails("<A>G top", refused).mistakes  # no outcome, so none that fails


# -- form -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "proof",
    [
        ProofNode(LOW, f.Atom("low")),
        Fact(LOW, f.Atom("high")),
        Fact(LOW, f.Not(None)),
        Fact([0, False], f.Atom("low")),
        Fact((0, "no"), f.Atom("low")),
        Fact(None, f.Atom("low")),
        Fact(LOW, None),
        Fact(LOW, f.F(f.Atom("low"))),
        Either(LOW, f.Or(f.TRUE, f.TRUE), None),
        Cited(LOW, f.K("Nobody", f.TRUE), "said"),
        Cited(LOW, f.CanF("nobodies", f.TRUE), "said"),
        PathProof(LOW, f.EF(f.TRUE), still(LOW), ((5, Fact(LOW, f.TRUE)),)),
        PathProof(LOW, f.EF(f.TRUE), still(LOW), (Fact(LOW, f.TRUE),)),
        IndistinguishableProof(LOW, f.M("A", f.TRUE), (Hop(("A",), Run((LOW,))),), Fact(LOW, f.TRUE)),
        Strategy(LOW, f.CanF("A", f.TRUE), ("Nobody",), (LOW,), ()),
        Strategy(LOW, f.CanF("A", f.TRUE), ("A",), (LOW,), (Row(("A",), LOW, ("up", "up")),)),
        Strategy(LOW, f.CanF("A", f.TRUE), ("A",), (LOW,), (Row(("A",), (0,), ("up",)),)),
        Strategy(LOW, f.CanF("A", f.TRUE), ("A",), (LOW,), (Row(("A", "B"), (0,), ("up", "keep")),), True),
        Refusal(LOW, f.Not(f.CanF("A", f.FALSE)), ("A",), ()),
        Refusal(LOW, f.Not(f.CanF("A", f.FALSE)), ("A",), (Turn(LOW, (Reply(("up",), None, 0),)),)),
        Refusal(LOW, f.Not(f.CanF("A", f.FALSE)), ("A",), (Turn(LOW, (Reply((), ("up", "keep"), 0),)),)),
        Refusal(LOW, f.CanF("A", f.FALSE), ("A",), (Turn(LOW),)),
    ],
)
def test_malformed_evidence_is_a_mistake_and_no_crash(proof):
    assert Court(LADDER).holds("low", proof).mistakes


def test_the_vocabulary_is_that_of_the_system():
    court, other = Court(LADDER), Court(DOORS)
    case = Case(still(LOW), court.fact("low", *LOW))
    evidence = Evidence("witness", vocabulary_of(other.system), (case,))
    assert replay(evidence, court.loaded.parse("low"), Verdict.TRUE, court.system, OBJECTIVE).mistakes


def test_proofs_may_be_nested_deeply():
    court = Court(LADDER)
    proof: Proof = court.fact("low", *LOW)
    for _ in range(300):
        proof = Both(LOW, f.And(proof.formula, f.TRUE), proof, Fact(LOW, f.TRUE))
    assert court.holds(Specification(proof.formula), proof).status == "ok"
