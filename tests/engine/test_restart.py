"""Engines that forget everything, again and again: the same verdicts, and evidence that stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knower
from engines import Asker, computing, has_sdd, has_solver
from knower import families
from knower.engine.protocol import Pressure
from knower.engine.registry import every_pick
from knower.errors import LimitReached, Unsupported
from knower.evidence.explain import Limits
from knower.evidence.judge_steps import Bounds
from knower.evidence.justification import EvidenceBudget, Justification
from knower.evidence.shape import is_telling
from knower.functions.registry import available
from knower.logic.language import Specification
from knower.options import AtlReading, DeadlockPolicy, Reading, Search, Tuning
from knower.query.query import Query
from knower.reasons import TimeLimit, TimeShare
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Fault
from knower.verdict.verdict import Answer, Verdict
from strategies import cases
from worlds import questions

#: The engines of the table that are here, with ways to work. Clusters have tests of their own.
ENGINES: dict[str, dict[str, Any]] = {
    "explicit": {"name": "explicit"},
    "bitset": {"name": "bitset"},
    **{f"bdd, {library}": {"name": "bdd", "tuning": Tuning(library)} for library in available()},
    **({"sdd": {"name": "sdd"}} if has_sdd else {}),
    **({"bmc": {"name": "bmc"}} if available() else {}),
    **({"bmc, each step": {"name": "bmc", "search": Search(heuristic="every:1")}} if available() else {}),
    **({"bmc, by sdd": {"name": "bmc", "diagrams": "sdd"}} if has_sdd else {}),
    **({"sat": {"name": "sat", "search": Search(bound=4)}} if has_solver else {}),
}
LOGICS = ["CTLK", "CTLKO", "ATLK", "LTLK", "CDL*K", "LDLf"]
BUDGET = EvidenceBudget(Limits(states=500, rows=500, proofs=100, cases=3, depth=50), Bounds(2_000), None)

engines = pytest.mark.parametrize("engine", ENGINES)


def test_no_engine_is_left_out():
    here = {pick.row.name for pick in every_pick() if pick.row.explored and pick.missing is None}
    assert here - {"cluster"} <= {made["name"] for made in ENGINES.values()}


def begun(engine: str, system: Any, reading: Reading, seconds: float = 8) -> Asker:
    return Asker(system=system, budget=computing(seconds), reading=reading, **ENGINES[engine])


#: Called whenever an engine has done something.
Between = Callable[[], None]


def decided(model: Asker, asked: Iterable[Query], between: Between) -> dict[Query, Answer]:
    found = {}
    for query, answer in model.engine.decide([one for one in asked if model.pick.refuses(one) is None]):
        found[query] = answer
        between()
    return found


def shown(model: Asker, query: Query, verdict: Verdict) -> Evidence | None:
    """Evidence, once the judge has seen it."""
    if verdict is Verdict.UNKNOWN:
        return None
    if not (query.setting.many_models or is_telling(query.shown(verdict))):
        return None
    search = Justification(query, verdict, BUDGET)
    with suppress(Unsupported):  # some strategies fail each in its own way
        evidence = model.engine.evidence(query, verdict, search.over)
        if evidence is not None:
            checked = search.checked(evidence, model.system, model.reading)
            assert checked.replay is not None and checked.replay.status == "ok", query.text
            return checked
    return None


def compared(
    engine: str,
    system: Any,
    specs: Sequence[Specification],
    reading: Reading,
    pressure: Pressure,
    seconds: float = 8,
) -> Counter[str]:
    """A run that remembers, and runs that forget: after each answer, and between requests for evidence."""
    keeping, forgetting = (begun(engine, system, reading, seconds) for _ in range(2))
    asked = [keeping.query(spec) for spec in specs]
    told: Counter[str] = Counter()

    def forget() -> None:
        forgetting.engine.forget(pressure)

    expected = decided(keeping, asked, lambda: None)
    truth = decided(begun("explicit", system, reading), expected, lambda: None)
    for answer in (*expected.values(), *truth.values()):
        if isinstance(answer.reason, TimeLimit | TimeShare):  # on a loaded machine
            raise LimitReached(answer.reason)
    for query, answer in expected.items():
        assert answer.verdict is truth[query].verdict or (engine == "sat" and answer.reason), query.text
    assert decided(forgetting, asked, forget) == expected
    for query, answer in reversed(expected.items()):
        forget()
        found, known = shown(forgetting, query, answer.verdict), shown(keeping, query, answer.verdict)
        assert (found is None) == (known is None), query.text
        told.update([answer.verdict.value, *(["evidence"] if found else [])])
    assert decided(forgetting, asked, lambda: None) == expected, "asked again"
    sought = tuple(Fault) if keeping.pick.row.explored else ()  # how far it has looked may depend on time
    assert forgetting.engine.faults(sought) == keeping.engine.faults(sought)
    forgetting.engine.close()
    return told


# -- at random ---------------------------------------------------------------------------------------------


@engines
@pytest.mark.parametrize("logic", LOGICS)
def test_what_is_forgotten_is_found_again(engine, logic):
    told: Counter[str] = Counter()

    @cases(5)
    @given(questions(logic), st.sampled_from(Pressure))
    def restart(question, pressure):
        reference, specs = question
        try:
            told.update(compared(engine, reference.system, specs, reference.reading, pressure))
        except LimitReached:
            assume(False)

    restart()
    refused = engine == "sat" and logic in ("LDLf", "ATLK")
    assert refused or (told["true"] and told["false"] and told["evidence"]), told


@engines
def test_in_every_reading(engine):
    @cases(6)
    @given(questions("ATLK", 3), st.sampled_from(AtlReading), st.sampled_from(DeadlockPolicy))
    def restart(question, atl, policy):
        reference, specs = question
        reading = Reading(atl, policy)
        try:
            compared(engine, reference.system, specs, reading, Pressure.ALL, seconds=2)
        except LimitReached:  # uniform strategies and models can be too many
            assume(False)

    restart()


# -- families ----------------------------------------------------------------------------------------------

FAMILIES = {
    "train-gate": {"n": 2, "type": 2, "max": 3, "depth": 2},
    "prisoners": {"n": 3},
    "counter": {"n": 6},
    "byzantine-generals": {"n": 3},
}


@engines
@pytest.mark.parametrize("family", FAMILIES)
def test_families(engine, family):
    system = knower.loads(families.generate(family, **FAMILIES[family]))
    told = compared(engine, system.interpreted, system.interpreted.formulae, Reading(), Pressure.ALL)
    assert told["true"] + told["false"] or engine == "sat", told


# -- evidence in between -----------------------------------------------------------------------------------


@engines
@pytest.mark.parametrize("pressure", Pressure)
def test_evidence_between_two_answers(engine, pressure):
    """The engine is in the midst of its questions, and has forgotten; then it goes on."""
    system = knower.loads(families.generate("train-gate", n=2, type=2, max=3, depth=2))
    plain, model = (begun(engine, system.interpreted, Reading()) for _ in range(2))
    asked = [model.query(spec) for spec in system.interpreted.formulae]
    expected = decided(plain, asked, lambda: None)
    found, evidence = {}, 0
    for query, answer in model.engine.decide([one for one in asked if model.pick.refuses(one) is None]):
        found[query] = answer
        for other, known in found.items():
            model.engine.forget(pressure)
            evidence += shown(model, other, known.verdict) is not None
    assert found == expected
    assert evidence


@pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")
@pytest.mark.parametrize("bound", [0, 1, 3])
@pytest.mark.parametrize("heuristic", ["adaptive", "every:1", "every:2", "growth", "share"])
def test_a_bound_is_kept(bound, heuristic):
    """What was decided within a bound is decided within it again."""
    system = knower.loads(families.generate("train-gate", n=2, type=2, max=3, depth=2))
    search = Search(bound=bound, heuristic=heuristic)
    plain, model = (Asker("bmc", system.interpreted, search=search) for _ in range(2))
    asked = [model.query(spec) for spec in system.interpreted.formulae]
    expected = decided(plain, asked, lambda: None)
    assert decided(model, asked, lambda: model.engine.forget(Pressure.ALL)) == expected
    for query, answer in expected.items():
        model.engine.forget(Pressure.ALL)
        shown(model, query, answer.verdict)
        assert answer.verdict is Verdict.UNKNOWN or model.statistics["depth"] <= bound


@engines
def test_uniform_models_are_found_again(engine):
    """Evidence is in the model that was found; who has forgotten it finds it again."""
    if engine in ("sat", "bitset"):
        pytest.skip(f"{engine} does not decide uniform models")
    system = knower.loads("""
        Agent A Vars: at : 0..2; end Vars Actions = {left, right};
          Evolution: at = 1 if at = 0 and Action = left; at = 2 if at = 0 and Action = right; end Evolution
        end Agent
        Evaluation good if A.at = 1; bad if A.at = 2; end Evaluation
        InitStates A.at = 0; end InitStates
    """)
    model = begun(engine, system.interpreted, Reading(AtlReading.UNIFORM_MODELS))
    asked = [model.query(system.parse(text)) for text in ("AF good", "AF bad", "AG !good and AG !bad")]
    answers = decided(model, asked, lambda: model.engine.forget(Pressure.ALL))
    assert [answers[one].verdict for one in asked] == [Verdict.TRUE, Verdict.TRUE, Verdict.FALSE]
    for query in (*asked[:2], *asked[:2]):
        model.engine.forget(Pressure.ALL)
        evidence = shown(model, query, Verdict.TRUE)
        assert evidence is not None and evidence.kind == "strategy"
    assert shown(model, asked[2], Verdict.FALSE) is None
