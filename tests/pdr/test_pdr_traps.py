"""Formulas that invite mistakes, and what proofs by invariants make of them."""

from __future__ import annotations

import pytest

from engines import Asker, computing
from knower.evidence.replay import replay
from knower.options import DeadlockPolicy, Reading, Search
from knower.pdr import search
from knower.reasons import WrongProof
from knower.source import Source
from knower.syntax.formulas import parse_formula
from knower.syntax.ispl import parse_ispl
from knower.syntax.tree import Names
from knower.system.elaborate import elaborate
from knower.verdict.faults import Absence, Fault
from knower.verdict.verdict import Verdict

pytest.importorskip("pysat")

#: A counter that stops at its end, seen by nobody, and one who sees whether it is at the start.
COUNTER = """
Agent Environment
  Vars: at : 0..6; began : boolean; end Vars
  Actions = { go, wait };
  Protocol: at < 4 : { go, wait }; Other : { wait }; end Protocol
  Evolution: at = at + 1 and began = true if Action = go; end Evolution
end Agent
Agent Watcher
  Lobsvars = { began };
  Actions = { };
end Agent
Evaluation
  start if Environment.at = 0; three if Environment.at = 3; five if Environment.at = 5;
  began if Environment.began = true; low if Environment.at < 3;
end Evaluation
InitStates Environment.at = 0 and Environment.began = false; end InitStates
"""


def _system(text: str = COUNTER):
    source = Source("<test>", text)
    return elaborate(parse_ispl(source), source)


def _asker(
    text: str = COUNTER, reading: Reading | None = None, method: str = "pdr", bound: int | None = None
):
    return Asker(method, _system(text), computing(60), reading, search=Search(bound=bound))


def _spec(formula: str, asker: Asker):
    system = asker.system
    names = Names(frozenset(system.agent_named), frozenset(system.groups), frozenset(system.propositions))
    return parse_formula(formula, names).specification


def _verdict(
    formula: str,
    text: str = COUNTER,
    reading: Reading | None = None,
    method: str = "pdr",
    bound: int | None = None,
) -> str:
    """The verdict; what shows it stands up."""
    asker = _asker(text, reading, method, bound)
    spec = _spec(formula, asker)
    found = asker.answer(spec)
    evidence = asker.evidence(spec, found.verdict)
    if evidence is not None:
        assert replay(evidence, spec, found.verdict, asker.system, asker.reading).status == "ok"
    return found.verdict.value


@pytest.mark.parametrize("method", ["pdr", "sat"])
@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("!EF five", "true"),
        ("EF five", "false"),
        ("AG !five", "true"),
        ("AG AG !five", "true"),
        ("AX AG !five", "true"),
        ("AG K(Watcher, !five)", "true"),
        ("K(Watcher, AG !five)", "true"),
        ("LTL G !five", "true"),
        ("LDL [true*]!five", "true"),
        ("EF three", "true"),
        ("AG (three -> K(Watcher, began))", "true"),
        ("AG (three -> K(Watcher, three))", "false"),
        ("AG (began -> AG began)", "true"),
        ("AG (began -> AX !start)", "true"),
        ("AG (low -> AX low)", "false"),
        ("LTL G (three -> X !start)", "true"),
        ("A(!three W began)", "true"),
        ("AG !five or AG five", "true"),
    ],
)
def test_formulas(formula, verdict, method):
    found = _verdict(formula, method=method)
    assert found == verdict or (method == "sat" and found == "unknown")


@pytest.mark.parametrize(
    "formula", ["EF five", "AG AG !five", "AX AG !five", "AG K(Watcher, !five)", "K(Watcher, AG !five)"]
)
def test_bounded_checking_proves_what_follows_from_an_invariant(formula):
    assert _verdict(formula, method="sat") != "unknown"


def test_a_path_that_ends_does_not_refute_what_is_asked_of_infinite_ones():
    """At 4 the counter stops for good: it is on no infinite path there, unless deadlocks loop."""
    text = COUNTER.replace(
        "go, wait };\n  Protocol: at < 4 : { go, wait }; Other : { wait };",
        "go };\n  Protocol: at < 4 : { go };",
    )
    text = text.replace("five if Environment.at = 5", "five if Environment.at = 4")
    assert _verdict("AG !five", text) == "false"
    assert _verdict("LTL G !five", text) != "false"
    assert _verdict("LTL G !five", text, Reading(on_deadlock=DeadlockPolicy.LOOP)) == "false"


def test_faults_are_proved_absent():
    for method in ("pdr", "sat"):
        faults = _asker(method=method).engine.faults(tuple(Fault))
        assert faults.deadlock is Absence.PROVED
    assert _asker().engine.faults(tuple(Fault)).overflow is Absence.PROVED
    broken = COUNTER.replace("at < 4 : { go, wait }; Other", "at < 7 : { go, wait }; Other")
    assert not isinstance(_asker(broken).engine.faults(tuple(Fault)).overflow, Absence)


def test_liveness_under_fairness():
    fair = COUNTER + "Fairness three or !low; end Fairness\n"
    assert _verdict("AF began", fair) == "true"
    assert _verdict("AF five", fair) in ("false", "unknown")
    assert _verdict("AF began") == "false"


#: Twenty steps up, more than are counted, or looked at by bounded checking; the last may not be made.
STAIRS = """
Agent Environment
  Vars: at : 0..20; end Vars
  Actions = { go, wait };
  Protocol: at = 19 : { go, wait }; Other : { go }; end Protocol
  Evolution: at = at + 1 if Action = go and at < 20; end Evolution
end Agent
Agent Watcher Actions = { }; end Agent
Evaluation nearly if Environment.at = 19; up if Environment.at = 20; end Evaluation
InitStates Environment.at = 0; end InitStates
"""


@pytest.mark.parametrize(
    ("formula", "fairness", "verdict"),
    [
        ("AF nearly", "", "true"),
        ("AF up", "", "false"),
        ("AF up", "up or !nearly", "true"),
        ("LTL G F up", "", "false"),
        ("LTL F G up", "!nearly", "true"),
        ("LTL G !nearly", "", "false"),
        ("AG !nearly", "up", "false"),
        ("AG (nearly -> AF up)", "", "false"),
        ("CTL* E F up", "", "true"),
        ("CTL* E X (E X !up)", "", "true"),
    ],
)
def test_paths_that_go_on_for_ever(formula, fairness, verdict):
    fair = f"Fairness {fairness}; end Fairness" if fairness else ""
    assert _verdict(formula, STAIRS + fair, bound=10) == verdict


def test_alternatives_share_the_states_they_look_at():
    """Of a disjunction one part is denied: a hundred of them take no more states than one."""
    asked = " and ".join(f"(three -> K(Watcher, began or at{k}))" for k in range(100))
    named = " ".join(f"at{k} if Environment.at = {k % 7};" for k in range(100))
    text = COUNTER.replace("Evaluation", f"Evaluation {named}", 1)
    assert _verdict(f"AG ({asked})", text) == "true"


def test_many_initial_states():
    """Not one after the other: there are 2^20 of them."""
    bits = " ".join(f"b{k} : boolean;" for k in range(20))
    text = COUNTER.replace("at : 0..6;", f"at : 0..6; {bits}")
    for method in ("pdr", "sat"):
        assert _verdict("EF three", text, method=method) == "true"
        assert _verdict("EF five", text, method=method) == "false"


def test_invariants_are_kept_by_the_names_of_bits():
    asker = _asker()
    found = asker.answer(_spec("AG !five", asker))
    assert found.verdict is Verdict.TRUE
    (invariant,) = found.certificates
    bits = {literal.lstrip("!") for clause in invariant.clauses for literal in clause}
    assert bits
    assert all(bit.startswith("Environment.at[") for bit in bits)


def test_what_does_not_check_is_not_proved(monkeypatch):
    monkeypatch.setattr(search, "mistake", lambda *problem: "a step leads out of the invariant")
    asker = _asker()
    found = asker.answer(_spec("AG !five", asker))
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == WrongProof("a step leads out of the invariant")


@pytest.mark.parametrize("formula", ["AG !K(Watcher, three)", "AG EF three", "<Watcher>F three"])
def test_what_is_refused_says_why(formula):
    asker = _asker()
    reason = asker.answer(_spec(formula, asker)).reason
    assert "the method pdr" in reason.why
