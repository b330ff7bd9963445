"""Evidence for path formulas: lassos and traces, what they meet where, and what is proved beside them."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engines import Asker
from knower.checking.linear import ProductAutomaton
from knower.errors import LimitReached
from knower.evidence.explain import Limits, explained
from knower.evidence.replay import replay
from knower.functions.registry import available
from knower.limits import Budget
from knower.options import AtlReading, DeadlockPolicy, Reading, Tuning
from knower.report.data import result_data, to_json
from knower.report.story import evidence_lines
from knower.verdict.evidence import Both, IndistinguishableProof, PathProof, Run, everything
from knower.verdict.verdict import Verdict
from spoiling import ENGINES, explanations
from strategies import cases
from tracks_by_hand import BIT, FAIR_BIT, FORK, PIECES, checked, parsed, track, tracks
from worlds import questions


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return request.param


# -- known ones ------------------------------------------------------------------------------------------

START, SENT, DONE = (False, False), (False, True), (True, True)


def test_a_lasso_shows_what_never_comes(engine):
    way = track(checked(BIT, "LTL G (recbit -> F recack)", engine, False))
    assert (way.run.states, way.run.loop, way.run.end) == ((START, SENT), 1, None)
    assert way.run.steps == 2
    assert way.run.actions[0] == ("carry", "send", "listen")
    assert way.met == ((1, *parsed(BIT, "F (recbit and G !recack)")),)
    assert way.proofs == ()


def test_a_trace_that_ends_at_once(engine):
    result = checked(BIT, "LDLf [tt*]<tt*>recack", engine, False)
    way = track(result)
    assert way.run == Run((START,), end=0)
    assert way.met == ((0, *parsed(BIT, "<tt*>[tt*]!recack")),)
    lines = [line.strip() for line in evidence_lines(result.evidence)]
    assert lines[-1] == "the trace ends here"
    assert lines[0] == "counterexample, 0 steps (replayed: ok)"


def test_a_path_that_begins_on_another(engine):
    way = track(checked(BIT, "CTL* E X X (recbit and E G recbit)", engine, True))
    assert way.run.end == 2
    (place, both), *more = way.proofs
    assert (place, more) == (2, [])
    assert isinstance(both, Both) and isinstance(both.right, PathProof)
    inner = both.right
    assert inner.state == way.run.states[2]
    assert inner.run.loop is not None
    assert [position for position, _ in way.met] == [1, 2]


def test_knowledge_on_a_path_is_proved_where_it_is_needed(engine):
    way = track(checked(BIT, "CTL* E F (recbit and M(Sender, !recbit))", engine, True))
    assert way.run.steps == 1
    ((place, both),) = way.proofs
    assert place == 1
    assert isinstance(both, Both) and isinstance(both.right, IndistinguishableProof)
    assert both.right.hops[0].run.goal == START


def test_programs_count_steps(engine):
    way = track(checked(BIT, "LDL [(tt;tt)*]!recack", engine, False))
    assert way.run.end == 2
    assert way.run.goal == DONE
    assert way.met == ((2, *parsed(BIT, "<(tt;tt)*>recack")),)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("LTL G (recbit -> F recack)", False),
        ("CTL* E F recbit", True),
        ("CTL* E (G F recbit and G !recack)", True),
        ("LDL [tt;tt]recbit", False),
        ("CDL* E <(tt;tt)*>(lost and E X !lost)", True),
    ],
)
def test_lassos_are_fair(text, verdict, engine):
    result = checked(FAIR_BIT, text, engine, verdict)
    for case in result.evidence.cases:
        for way in [proof for proof in everything(case.proof) if isinstance(proof, PathProof)]:
            assert way.run.loop is not None
            assert {state[0] for state in way.run.states[way.run.loop :]} == {False, True}


def test_infinite_paths_avoid_deadlocks(engine):
    way = track(checked(FORK, "CTL* E F goal", engine, True))
    assert way.run.states[:3] == ((0,), (3,), (4,))
    assert way.run.end == 2
    assert track(checked(FORK, "CDLf* E <tt*>goal", engine, True)).run.states == ((0,), (1,))
    trace = track(checked(FORK, "LDLf [tt*]!stuck", engine, False))
    assert (trace.run.states, trace.run.loop, trace.run.end) == (((0,), (1,), (2,)), None, 2)


# -- at random -------------------------------------------------------------------------------------------

LOGICS = ["LTL", "CTL*K", "LDL", "CDL*K", "LTLf", "LDLf", "CDLf*"]


@pytest.mark.parametrize("logic", LOGICS)
def test_evidence_of_both_engines_stands_up(logic):
    """A share of it has paths for path formulas, some of them long."""
    seen: Counter[str] = Counter()

    @cases(12)
    @given(questions(logic), st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP]))
    def judge(question, policy):
        reference, specs = question
        system, reading = reference.system, Reading(AtlReading.OBJECTIVE, policy)
        models = [Asker("explicit", system, Budget(seconds=2), reading)]
        models += [Asker("bdd", system, Budget(seconds=4), reading, Tuning(name)) for name in available()[:1]]
        try:
            for model in models:
                for spec, verdict, evidence in explanations(model, specs):
                    judged = replay(evidence, spec, verdict, system, reading)
                    assert judged.status == "ok", (spec, judged)
                    ways = tracks(evidence)
                    seen.update(all=1, paths=bool(ways), long=any(len(way.run.states) > 1 for way in ways))
        except LimitReached:
            assume(False)

    judge()
    assert seen["paths"] >= seen["all"] // 12, seen
    assert seen["paths"] >= cases(4).max_examples, seen
    assert seen["long"] >= 2, seen


# -- as data ---------------------------------------------------------------------------------------------

VALIDATOR = Draft202012Validator(
    json.loads(files("knower.report").joinpath("schema.json").read_text(encoding="utf-8"))
)


@pytest.mark.parametrize(("system", "text", "verdict"), PIECES)
def test_data_is_valid(system, text, verdict):
    found = system.check(text, engine="explicit")
    propositions = frozenset(system.interpreted.propositions)
    data = json.loads(to_json(result_data(found, propositions=propositions)))
    VALIDATOR.validate(data)
    told, way = data["formulas"][0]["evidence"]["cases"][0]["proof"], track(found[0])
    assert (told["type"], told["run"]["loop"], told["run"]["end"]) == ("way", way.run.loop, way.run.end)
    assert [item["position"] for item in told["met"]] == [place for place, _ in way.met]
    assert parsed(system, *(item["formula"] for item in told["met"])) == [part for _, part in way.met]
    for member in ("position", "formula"):
        for item in told["met"]:
            value = item.pop(member)
            assert not VALIDATOR.is_valid(data)
            item[member] = value


@pytest.mark.skipif(not available(), reason="no library of decision diagrams")
def test_the_automaton_of_the_verdict_is_that_of_the_evidence(monkeypatch):
    made = []
    begin = ProductAutomaton.__init__
    monkeypatch.setattr(
        ProductAutomaton, "__init__", lambda self, *given: made.append(given[1]) or begin(self, *given)
    )
    model = Asker("bdd", BIT.interpreted)
    spec = BIT.parse("LTL !(G F !recack and G F !recbit)")
    assert model.answer(spec).verdict is Verdict.FALSE
    asked = model.query(spec)

    def over(view):
        return explained(view, asked.setting, asked.formula, Verdict.FALSE, Limits())

    assert model.evidence(spec, Verdict.FALSE, over) is not None
    assert len(made) == 1
