"""Proofs by invariants against the reference on random systems: never another verdict, evidence judged."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from against_reference import SECONDS, agreement, compared
from engines import Asker, computing
from knower.errors import LimitReached
from knower.logic.language import Specification
from knower.options import Search
from knower.pdr import pdr_engine, search
from knower.verdict.faults import Absence, Fault
from strategies import cases
from worlds import questions

pytest.importorskip("pysat")

#: Systems, with four formulas each.
SYSTEMS = {"CTLK": 40, "CTLKO": 20, "LTLK": 20, "LDLK": 15, "CDL*K": 15}


def compare(reference: Asker, spec: Specification, tally: Counter[str]) -> None:
    compared("pdr", reference, spec, Search(bound=10), tally)


@pytest.mark.parametrize("logic", SYSTEMS)
def test_verdicts_agree(logic):
    agreement(logic, SYSTEMS[logic], compare)


def test_lassos_agree(monkeypatch):
    """Paths that go on for ever, found or excluded without a look at short ones, and without counting."""
    monkeypatch.setattr(search, "_ROUNDS", ())
    monkeypatch.setattr(pdr_engine._Asked, "refutation", lambda asked, steps: None)

    def briefly(reference: Asker, spec: Specification, tally: Counter[str]) -> None:
        compared("pdr", reference, spec, Search(bound=0), tally)

    agreement("LTLK", 12, briefly)


def test_faults_agree():
    """What goes wrong is found, and what does not is proved."""
    tally: Counter[str] = Counter()

    @cases(60)
    @given(questions("CTLK", 0))
    def agree(question):
        reference, _ = question
        model = Asker("pdr", reference.system, computing(SECONDS), reference.reading)
        try:
            found, known = model.engine.faults(tuple(Fault)), reference.engine.faults(tuple(Fault))
        except LimitReached:
            return
        for fault in Fault:
            assert isinstance(found.of(fault), Absence) == isinstance(known.of(fault), Absence)
            tally[f"{fault.value} {found.of(fault) is Absence.PROVED}"] += 1

    agree()
    assert tally["deadlock True"] and tally["deadlock False"] and tally["overflow True"]


def test_a_deadlock_forbids_verdicts():
    agreement("CTLK", 25, compare, formulas=2, strict=True, sought=("false", "true", "unknown"))
