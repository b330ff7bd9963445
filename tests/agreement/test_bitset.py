"""The engine for small models against the reference: every state, every warning, evidence that is judged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engines import Asker, computing
from knower.bitset.bits import members
from knower.bitset.bitset_engine import refuses
from knower.errors import LimitReached
from knower.evidence.justification import Justification, evidence_budget
from knower.options import AtlReading, DeadlockPolicy, Reading
from knower.reasons import Refused
from knower.verdict.verdict import Verdict
from strategies import cases
from worlds import questions

STATE_LOGICS = ["CTL", "CTLK", "CTLKO", "ATL", "ATLK"]
PATH_LOGICS = ["LTL", "LTLK", "CTL*", "CTL*K", "LDL", "LDLK", "CDL*", "CDL*K", "LTLf", "LDLf", "CDLf*"]
QUESTIONS = [
    *((logic, AtlReading.OBJECTIVE) for logic in (*STATE_LOGICS, *PATH_LOGICS)),
    *((logic, AtlReading.OBJECTIVE_FAIR) for logic in ("ATL", "ATLK")),
]
READINGS = [None, AtlReading.OBJECTIVE, AtlReading.OBJECTIVE_FAIR]
#: Systems, with four formulas each.
SYSTEMS = 16
#: The reference needs long for some formulas; those are left out.
SECONDS = 5


def bitset(reference: Asker, reading: Reading) -> Asker:
    return Asker("bitset", reference.system, computing(60), reading)


def answered(asker: Asker, specs: list) -> list:
    """The questions that are not refused: who does what on a path is told by other engines."""
    return [spec for spec in specs if refuses(asker.query(spec)) is None]


@pytest.mark.parametrize(("logic", "atl"), QUESTIONS)
def test_states_agree(logic, atl):
    @cases(SYSTEMS)
    @given(questions(logic))
    def agree(question):
        reference, specs = question
        found = bitset(reference, replace(reference.reading, atl=atl))
        assert found.engine.space.states == reference.space.states
        for spec in answered(found, specs):
            reference.budget.seconds = reference.budget.elapsed + SECONDS
            try:
                expected = reference.states_where(spec, atl)
            except LimitReached:
                assume(False)
            assert frozenset(members(found.states_where(spec))) == expected, spec

    agree()


@pytest.mark.parametrize("policy", DeadlockPolicy)
def test_verdicts_warnings_and_faults_agree(policy):
    @cases(2 * SYSTEMS)
    @given(st.sampled_from([*STATE_LOGICS, "CTL*K"]).flatmap(questions), st.sampled_from(READINGS))
    def agree(question, atl):
        drawn, specs = question
        slow = Asker("explicit", drawn.system, computing(SECONDS), Reading(atl, policy))
        fast = bitset(drawn, slow.reading)
        for spec in answered(fast, specs):
            try:
                assert fast.check(spec) == slow.check(spec)
            except LimitReached:
                assume(False)
        assert (fast.states, fast.statistics) == (slow.states, slow.statistics)
        assert fast.engine.faults(()) == slow.engine.faults(())

    agree()


@pytest.mark.parametrize("logic", ["CTLKO", "ATLK", "CTL*K", "CDL*K", "LDLf"])
def test_evidence_is_judged(logic):
    """Nothing the judge calls a mistake; the same is shown as by the reference, or something as good."""

    @cases(SYSTEMS)
    @given(questions(logic), st.sampled_from(READINGS))
    def stands(question, atl):
        drawn, specs = question
        fast = bitset(drawn, replace(drawn.reading, atl=atl))
        for spec in answered(fast, specs):
            asked, answer = fast.query(spec), fast.check(spec)
            search = Justification(asked, answer.verdict, evidence_budget("all", 0.0))
            try:
                found = fast.engine.evidence(asked, answer.verdict, search.over)
                if found is not None:
                    assert not search.checked(found, drawn.system, fast.reading).replay.mistakes
            except LimitReached:
                assume(False)

    stands()


@pytest.mark.parametrize("atl", [AtlReading.UNIFORM, AtlReading.UNIFORM_MODELS])
def test_uniform_strategies_are_refused(atl):
    @cases(1)
    @given(questions("ATL"))
    def refused(question):
        drawn, specs = question
        answer = bitset(drawn, Reading(atl)).answer(specs[0])
        assert (answer.verdict, type(answer.reason)) == (Verdict.UNKNOWN, Refused)

    refused()
