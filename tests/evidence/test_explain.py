"""Evidence is found for what both engines decide, and the judge accepts all of it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engines import Asker
from knower.errors import LimitReached
from knower.evidence.explain import Limits
from knower.evidence.replay import replay
from knower.evidence.shape import is_telling
from knower.functions.registry import available
from knower.limits import Budget
from knower.logic import formula as f
from knower.options import AtlReading, DeadlockPolicy, Reading, Tuning
from knower.reasons import TimeLimit
from knower.verdict.evidence import Cited, everything
from spoiling import explanations
from strategies import cases
from worlds import questions

LOGICS = ["CTL", "CTLK", "CTLKO", "ATL", "ATLK"]
LIMITS = Limits(states=2_000, rows=2_000, proofs=500, cases=5, depth=100)
#: Systems, with four formulas each, for each logic and reading.
SYSTEMS = 15
ENGINES = ["explicit", *(["bdd"] if available() else [])]


def model_of(engine: str, system, reading: Reading) -> Asker:
    if engine == "bdd":
        return Asker("bdd", system, Budget(seconds=3), reading, Tuning(available()[0]))
    return Asker("explicit", system, Budget(seconds=1), reading)


def is_cited_rightly(proof: Cited, atl: AtlReading) -> bool:
    """Nothing shows it; or all uniform strategies fail, but each in its own way."""
    refuses = isinstance(proof.formula, f.Not) and isinstance(proof.formula.sub, f.Strategic)
    return not is_telling(proof.formula) or (atl is AtlReading.UNIFORM and refuses)


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
            model = model_of(engine, reference.system, reading)
            for spec, verdict, found in explanations(model, specs, LIMITS):
                assert found is not None
                judged = replay(found, spec, verdict, reference.system, reading)
                assume(not any(isinstance(left.why, TimeLimit) for left in judged.unreplayed))
                assert (judged.mistakes, judged.unreplayed) == ((), ()), spec
                for case in found.cases:
                    for proof in everything(case.proof):
                        assert not isinstance(proof, Cited) or is_cited_rightly(proof, atl), proof
        except LimitReached:
            assume(False)  # uniform strategies and models can be too many

    agree()
