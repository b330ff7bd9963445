"""Evidence is found for what both engines decide, and the judge accepts all of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from knower.checking.check import BddModel
from knower.errors import LimitReached, Unsupported
from knower.evidence.explain import Limits, explained
from knower.evidence.replay import replay
from knower.evidence.shape import is_telling
from knower.functions.registry import available
from knower.limits import Budget
from knower.logic.formula import Not
from knower.logic.rewrite import closed
from knower.options import AtlReading, DeadlockPolicy, Reading, Tuning
from knower.reference.check import ExplicitModel
from knower.verdict.evidence import Cited, everything
from knower.verdict.verdict import Verdict
from strategies import cases
from worlds import questions

LOGICS = ["CTL", "CTLK", "CTLKO", "ATL", "ATLK"]
LIMITS = Limits(states=2_000, rows=2_000, proofs=500, cases=5, depth=100)
#: Systems, with four formulas each, for each logic and reading.
SYSTEMS = 15
ENGINES = ["explicit", *(["bdd"] if available() else [])]


def model_of(engine: str, system, reading: Reading):
    if engine == "bdd":
        return BddModel(system, Budget(seconds=3), reading, Tuning(available()[0]))
    return ExplicitModel(system, Budget(seconds=1), reading)


def explanations(engine: str, system, specs, reading: Reading) -> Iterator[tuple]:
    """The specifications with their verdicts and evidence, where there can be some."""
    model = model_of(engine, system, reading)
    for spec in specs:
        verdict = model.check(spec).verdict
        view = model.view(spec)
        asked = closed(spec)
        if view is None or view.initial == view.nothing:
            continue
        if is_telling(asked if verdict is Verdict.TRUE else Not(asked)):
            with suppress(Unsupported):  # every uniform strategy fails, but each in its own way
                yield spec, verdict, explained(view, reading, asked, verdict, LIMITS)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("atl", list(AtlReading))
@pytest.mark.parametrize("logic", LOGICS)
def test_all_evidence_replays_in_full(logic, atl, engine):
    if atl is not AtlReading.OBJECTIVE and not logic.startswith("ATL"):
        return

    @cases(SYSTEMS)
    @given(questions(logic), st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP]))
    def agree(question, policy):
        reference, specs = question
        reading = Reading(atl, policy)
        try:
            for spec, verdict, found in explanations(engine, reference.system, specs, reading):
                assert found is not None
                judged = replay(found, spec, verdict, reference.system, reading)
                assume(not any("time limit" in left for left in judged.unreplayed))
                assert (judged.mistakes, judged.unreplayed) == ((), ()), spec
                for case in found.cases:
                    for proof in everything(case.proof):
                        assert not isinstance(proof, Cited) or not is_telling(proof.formula), proof
        except LimitReached:
            assume(False)  # uniform strategies and models can be too many

    agree()
