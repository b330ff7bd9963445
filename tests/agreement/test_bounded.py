"""Bounded checking by diagrams never contradicts the reference, and equals it when it is not bounded."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knower
from engines import Asker, computing, has_solver
from knower import families
from knower.checking.evaluate import Evaluator
from knower.errors import LimitReached
from knower.evidence.explain import Limits, explained
from knower.evidence.replay import replay
from knower.evidence.shape import is_telling
from knower.functions.protocol import NoRoom
from knower.functions.registry import available
from knower.logic.polarity import polarity
from knower.options import Search, Tuning
from knower.query.closing import closed
from knower.reasons import NeedsAllStates, NoCounterexample, NoWitness
from knower.report.words import reason_text
from knower.system.explicit import Explicit
from knower.verdict.verdict import Verdict
from strategies import cases
from worlds import questions

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")

LOGICS = ["CTLK", "CTLKO", "ATLK", "LTLK", "CDL*K", "LDLf"]
HEURISTICS = ["adaptive", "every:1", "every:3", "growth", "share", "one-shot:2"]


@pytest.mark.parametrize("logic", LOGICS)
def test_answers_agree_and_evidence_stands(logic):
    told: Counter[str] = Counter()

    @cases(20)
    @given(questions(logic), st.sampled_from(HEURISTICS), st.sampled_from([None, None, 0, 2]))
    def agree(question, heuristic, bound):
        reference, specs = question
        search = Search("bmc", bound, heuristic)
        model = Asker("bmc", reference.system, computing(60), reference.reading, search=search)
        for spec in specs:
            reference.budget.seconds = reference.budget.elapsed + 5
            try:
                expected = reference.check(spec).verdict
            except LimitReached:
                continue
            found = model.check(spec).verdict
            limited = bound is not None or heuristic.startswith("one-shot")
            assert found is expected or (limited and found is Verdict.UNKNOWN), spec
            told["early" if model.states is None else "late"] += found is not Verdict.UNKNOWN
            if found is not Verdict.UNKNOWN:
                judge(model, spec, found)

    def judge(model, spec, verdict):
        view, asked = model.view(spec, verdict), model.query(spec)
        if view.initial == view.nothing or not is_telling(asked.shown(verdict)):
            return
        evidence = explained(view, asked.setting, asked.formula, verdict, Limits(cases=3))
        replayed = replay(evidence, spec, verdict, model.system, model.reading)
        assert replayed.status == "ok", (spec, replayed)

    agree()
    assert told["early"] or logic == "ATLK", told


# -- what the sources got wrong ---------------------------------------------------------------------------

#: The state that is confused with the first lies behind the other seed.
SEEDS = """
Agent Environment
  Vars: at : {start, left, right, left_end, right_end}; end Vars
  Actions = {l, r};
  Protocol: Other : {l, r}; end Protocol
  Evolution:
    at = left if at = start and Action = l;
    at = right if at = start and Action = r;
    at = left_end if at = left;
    at = right_end if at = right;
  end Evolution
end Agent
Agent Watcher Vars: steps : 0..2; end Vars Actions = {w}; Protocol: Other : {w}; end Protocol
  Evolution: steps = steps + 1 if steps < 2; end Evolution end Agent
Evaluation
  p if Environment.at = left_end;
  q if Environment.at = left_end or Environment.at = start or Environment.at = left;
end Evaluation
InitStates Environment.at = start and Watcher.steps = 0; end InitStates
Formulae AG (p -> K(Watcher, q)); AF p; end Formulae
"""


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_knowledge_is_that_of_all_parts(heuristic):
    """One part never refutes `AG (p -> K q)`: what is confused lies in the other."""
    result = knower.loads(SEEDS).check(method="bmc", heuristic=heuristic, evidence="none")
    assert Verdict.TRUE not in result.verdicts
    if heuristic != "one-shot:2":
        assert result.verdicts == (Verdict.FALSE, Verdict.FALSE)


def test_nothing_is_true_for_all_in_a_part():
    """`AF p` at depth 0: no infinite path is known yet, and that tells nothing."""
    (result,) = knower.loads(SEEDS).check("AF (p or !q)", method="bmc", bound=0, evidence="none")
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == NoCounterexample(0)
    assert reason_text(result.reason) == "no counterexample with up to 0 steps"
    (result,) = knower.loads(SEEDS).check("AF (p or !q)", method="bmc", evidence="none")
    assert result.verdict is Verdict.TRUE


@pytest.mark.parametrize("formula", ["AG train1_in_tunnel", "A((!train1_in_tunnel) U train1_in_tunnel)"])
def test_a_fault_of_the_initial_states_is_found_there(formula):
    """Also one that needs a step: the other trains may go on for ever without the first."""
    trains = families.generate("train-gate", n=6, type=2, max=1000, depth=500)
    result = knower.loads(trains).check(formula, method="bmc")
    assert result.verdicts == (Verdict.FALSE,)
    assert result[0].evidence.replay.status == "ok"
    assert result.statistics["depth"] <= 2, result.statistics


# -- bounds -----------------------------------------------------------------------------------------------

#: Seven variables that are set one after the other by an agent that picks one: a relation of several moves.
SEVERAL = """
Agent Environment
  Vars: {variables} end Vars
  Actions = {{{actions}}};
  Protocol: Other : {{{actions}}}; end Protocol
  Evolution: {evolution} end Evolution
end Agent
Evaluation done if Environment.x7 = true; end Evaluation
InitStates {initial}; end InitStates
""".format(
    variables=" ".join(f"x{k} : boolean;" for k in range(1, 8)),
    actions=", ".join(f"a{k}" for k in range(1, 8)),
    evolution="x1 = true if Action = a1; "
    + " ".join(f"x{k} = true if Action = a{k} and x{k - 1} = true;" for k in range(2, 8)),
    initial=" and ".join(f"Environment.x{k} = false" for k in range(1, 8)),
)


def test_bounds_count_steps_of_relations_with_several_moves():
    system = knower.loads(SEVERAL)
    assert system.check(evidence="none", method="bmc").exit_status == 0
    for bound, verdict in ((6, Verdict.UNKNOWN), (7, Verdict.FALSE)):
        assert system.check("AG !done", method="bmc", bound=bound).verdicts == (verdict,)
        assert system.check("AG !done", method="bmc", heuristic=f"one-shot:{bound}").verdicts == (verdict,)
    (result,) = system.check("AG !done", method="bmc", heuristic="every:1")
    assert len(result.evidence.cases[0].proof.run.states) == 8


@pytest.mark.parametrize("options", [{}, {"on_deadlock": "fail"}, {"atl": "uniform-models"}])
@pytest.mark.parametrize("formula", ["AG EF p", "<Watcher>F p", "EF K(Watcher, p)"])
def test_what_needs_all_states_keeps_to_the_bound(formula, options):
    system = knower.loads(SEEDS)
    (result,) = system.check(formula, method="bmc", bound=1, evidence="none", **options)
    assert result.reason == NeedsAllStates(1)
    assert reason_text(result.reason) == "this needs all states, and after 1 step there are more"
    (result,) = system.check(formula, method="bmc", bound=9, evidence="none", **options)
    assert result.verdict is system.check(formula, evidence="none", **options)[0].verdict


def test_reasons_name_what_was_looked_for():
    system = knower.loads(SEEDS)
    reasons = [each.reason for each in system.check("EF p", "AF (p or !q)", method="bmc", bound=1)]
    assert reasons == [NoWitness(1), NoCounterexample(1)]
    assert reason_text(reasons[0]) == "no witness with up to 1 step"
    assert reason_text(reasons[1]) == "no counterexample with up to 1 step"


# -- missteps ---------------------------------------------------------------------------------------------

STUCK = """
Agent A
  Vars: x : 0..4; end Vars
  Actions = {go};
  Protocol: x < 4 : {go}; end Protocol
  Evolution: x = x + 1 if Action = go; end Evolution
end Agent
Evaluation p if A.x = 1; q if A.x = 4; end Evaluation
InitStates A.x = 0; end InitStates
"""


@pytest.mark.parametrize("options", [{"method": "bmc"}, {"method": "sat"}, {"portfolio": "first"}])
def test_missteps_are_looked_for_when_asked_for(options):
    if options.get("method") == "sat" and not has_solver:
        pytest.skip("python-sat is not installed")
    system = knower.loads(STUCK)
    found = system.check(deadlock=True, **options)
    assert found.exit_status == 1
    assert len(found.found("deadlock").path) == 5
    if options.get("method") != "sat":
        assert system.check(overflow=True, **options).exit_status == 0


def test_missteps_of_the_part_that_is_known_are_told():
    system = knower.loads(STUCK)
    assert system.check("EF q", method="bmc").found("deadlock") is not None
    near = system.check("EF p", method="bmc", heuristic="every:1")
    assert near.verdicts == (Verdict.TRUE,)
    assert near.found("deadlock") is None
    assert near.statistics["depth"] == 1


def test_evidence_that_needs_more_room_is_found_in_it():
    """All begins anew then, also the part in which the formula was decided."""
    system = knower.loads(families.generate("train-gate", n=3, type=1))
    model = Asker("bmc", system.interpreted)
    spec = system.parse("AG (!train1_in_tunnel or !train2_in_tunnel)")
    assert model.check(spec).verdict is Verdict.FALSE
    rooms = []

    def work(view):
        rooms.append(view)
        if len(rooms) == 1:
            raise NoRoom
        return explained(view, model.setting, model.query(spec).formula, Verdict.FALSE, Limits())

    evidence = model.evidence(spec, Verdict.FALSE, work)
    assert replay(evidence, spec, Verdict.FALSE, model.system, model.reading).status == "ok"


def test_who_begins_anew_goes_all_the_way_again(monkeypatch):
    """Room may be wanting when all states are known: then they have to be found again."""
    system = knower.loads(families.generate("prisoners", n=3))
    spec = system.parse("AG EF announced")
    model = Asker("bmc", system.interpreted)
    model.check(system.parse("AG true"))
    states, computed, rooms = model.states, Evaluator.states, []

    def full(worlds, root):
        rooms.append(worlds)
        if len(rooms) == 1:
            raise NoRoom
        return computed(worlds, root)

    monkeypatch.setattr(Evaluator, "states", full)
    assert model.check(spec).verdict is Verdict.TRUE
    assert (model.statistics["attempts"], model.states) == (2, states)
    rooms.clear()
    assert model.holds_at(spec, next(Explicit(system.interpreted).initial_states()))
    assert (model.statistics["attempts"], model.states) == (3, states)


# -- what looks leave behind ------------------------------------------------------------------------------

PATH_FORMULAS = (
    "LTL G F train1_in_tunnel -> F (train1_in_tunnel or X train2_in_tunnel)",
    "LTL (G F train1_in_tunnel and G F train2_in_tunnel) -> G F train1_in_tunnel",
    "CTL* A (G F train2_in_tunnel -> G F E F train2_in_tunnel)",
)


@pytest.mark.parametrize("library", available())
def test_looks_at_path_formulas_share_their_variables(library):
    """An automaton needs variables beside the system's; the next one takes the same, and so does evidence."""
    system = knower.loads(families.generate("train-gate", n=2))
    specs = [system.parse(text) for text in PATH_FORMULAS]
    whole = Asker("bdd", system.interpreted, tuning=Tuning(library))
    assert [whole.check(spec).verdict for spec in specs] == [Verdict.TRUE] * 3
    variables = len(whole.model.space.order())
    assert variables > whole.model.layout.variables
    search = Search("bmc", bound=8, heuristic="every:1")
    part = Asker("bmc", system.interpreted, tuning=Tuning(library), search=search)
    assert [part.check(spec).verdict for spec in specs] == [Verdict.UNKNOWN] * 3
    assert part.statistics["depth"] == 8  # as many looks
    assert len(part.model.space.order()) == variables
    for spec in specs:
        path = whole.query(spec).formula.sub
        whole.evidence(spec, Verdict.TRUE, lambda view, path=path: view.tracks(path, view.initial).endless)
    assert len(whole.model.space.order()) == variables


# -- which formulas a part can decide ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "universal", "existential"),
    [
        ("p", True, True),
        ("AG p", True, False),
        ("AG (p -> K(Watcher, q))", True, False),
        ("!EF p", True, False),
        ("EF M(Watcher, p)", False, True),
        ("AG EF p", False, False),
        ("EF K(Watcher, p)", False, False),
        ("<Watcher>F p", False, False),
        ("LTL G F p", True, False),
        ("CDL* E <(p?;tt)*>q", False, True),
        ("CDL* E [(E <tt>p)?;tt]q", False, False),
        ("CDL* E [(A [tt]p)?;tt]q", False, True),
        ("CDL* E <(E <tt>p)?;tt>q", False, True),
        ("O(Watcher, p)", True, False),
    ],
)
def test_polarity(text, universal, existential):
    system = knower.loads(SEEDS)
    found = polarity(closed(system.parse(text), system.interpreted))
    assert (found.universal, found.existential) == (universal, existential)


@pytest.mark.parametrize(
    "heuristic", ["sometimes", "every:0", "every:x", "every", "one-shot", "growth:2", ""]
)
def test_unknown_heuristics(heuristic):
    with pytest.raises(knower.InputError, match="E605"):
        knower.loads(SEEDS).check(method="bmc", heuristic=heuristic)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"bound": 3}, '`bound` does not go with `method="full"`'),
        ({"heuristic": "every:2"}, '`heuristic` does not go with `method="full"`'),
        ({"method": "sat", "heuristic": "every:2"}, '`heuristic` does not go with `method="sat"`'),
        ({"method": "bmc", "encoding": "penczek"}, '`encoding` does not go with `method="bmc"`'),
        ({"method": "sat", "engine": "bdd"}, '`engine="bdd"` does not go with `method="sat"`'),
        ({"method": "bmc", "engine": "explicit"}, '`engine="explicit"` does not go with `method="bmc"`'),
        ({"method": "bmc", "reach": "layer"}, '`reach` does not go with `method="bmc"`'),
        ({"cluster": "local:2"}, '`cluster` does not go with `method="full"`'),
        ({"portfolio": "first", "bound": 3}, "`portfolio` chooses engines and methods by itself"),
    ],
)
def test_no_option_is_left_aside(options, what):
    with pytest.raises(knower.InputError, match=f"E607.*{what}"):
        knower.loads(SEEDS).check(**options)
