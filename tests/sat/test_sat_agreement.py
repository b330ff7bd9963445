"""Bounded checking against the reference on random systems: never another verdict, evidence judged."""

from __future__ import annotations

from collections import Counter

import pytest
from bounded_systems import judged
from hypothesis import given

from engines import Asker
from knower.errors import LimitReached, Unsupported
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.language import Specification
from knower.logic.rewrite import negation_normal_form, quantified
from knower.options import DeadlockPolicy, Reading, Search
from knower.sat.fragment import is_existential
from knower.verdict.verdict import Verdict
from strategies import cases
from worlds import questions

pytest.importorskip("pysat")

#: Systems, with four formulas each; seconds for each formula.
SYSTEMS = {"CTLK": 40, "CTLKO": 25, "LTLK": 25, "LDLK": 20, "CDL*K": 20}
SECONDS = 3
#: The other encodings are tried with shorter paths: they grow fast.
SHORT = 2


def compare(reference: Asker, spec: Specification, search: Search, tally: Counter[str]) -> None:
    """One formula: the verdict is the reference's, or unknown; what shows it stands up."""
    reference.budget.seconds = reference.budget.elapsed + SECONDS
    model = Asker("sat", reference.system, Budget(seconds=SECONDS), reference.reading, search=search)
    try:
        expected = reference.check(spec).verdict
        found = model.check(spec)
        missteps = _missteps(model)
    except (Unsupported, LimitReached) as reason:
        tally[type(reason).__name__] += 1
        return
    assert found.verdict in (expected, Verdict.UNKNOWN), spec
    if search.bound is None:  # longer than there are states
        assert missteps == _missteps(reference)
    assert (found.reason is None) == (found.verdict is not Verdict.UNKNOWN)
    tally[found.verdict.value] += 1
    if _is_refutable(spec, expected):
        tally["refuted" if found.verdict is Verdict.FALSE else "missed"] += 1
    evidence = model.evidence(spec, found.verdict)
    if evidence is not None:
        assert judged(evidence, spec, found.verdict, model) == "ok"
        tally["shown"] += 1
    assert evidence is not None or not _is_refutable(spec, found.verdict)


def _missteps(model: Asker) -> dict[str, int]:
    """The deadlock and the overflow a model warns of, with the lengths of the paths there."""
    found = (warning for warning in model.warnings if warning.code in ("deadlock", "overflow"))
    return {warning.code: len(warning.path) for warning in found}


def _is_refutable(spec: Specification, verdict: Verdict) -> bool:
    """Whether a formula is false and its negation can be shown."""
    asked = quantified(spec.body, linear=spec.language.linear)
    return verdict is Verdict.FALSE and is_existential(negation_normal_form(f.Not(asked)))


@pytest.mark.parametrize("logic", SYSTEMS)
def test_verdicts_agree(logic):
    tally: Counter[str] = Counter()

    @cases(SYSTEMS[logic])
    @given(questions(logic))
    def agree(question):
        reference, specs = question
        for spec in specs:
            compare(reference, spec, Search(), tally)

    agree()
    assert tally["false"] and tally["true"] and tally["shown"]
    assert tally["refuted"] >= 0.95 * (tally["refuted"] + tally["missed"]), tally


def test_a_deadlock_forbids_verdicts():
    tally: Counter[str] = Counter()

    @cases(25)
    @given(questions("CTLK", 2))
    def agree(question):
        reference, specs = question
        reading = Reading(on_deadlock=DeadlockPolicy.FAIL)
        strict = Asker("explicit", reference.system, Budget(states=300), reading)
        for spec in specs:
            compare(strict, spec, Search(), tally)

    agree()
    assert tally["false"] and tally["true"] and tally["unknown"]


@pytest.mark.parametrize("encoding", ["zbrzezny", "penczek"])
@pytest.mark.parametrize("logic", ["CTLKO", "LTLK", "LDL"])
def test_verdicts_agree_in_every_encoding(logic, encoding):
    tally: Counter[str] = Counter()

    @cases(12)
    @given(questions(logic, 3))
    def agree(question):
        reference, specs = question
        for spec in specs:
            compare(reference, spec, Search("sat", SHORT, encoding=encoding), tally)

    agree()
    assert tally["false"] and tally["shown"]


def test_the_encodings_find_the_same():
    """With paths of the same length, what one of them shows all of them show."""

    @cases(25)
    @given(questions("CTLK", 3))
    def agree(question):
        reference, specs = question
        for spec in specs:
            found = {_found(reference, spec, encoding) for encoding in ("huang", "zbrzezny", "penczek")}
            assert len(found - {None}) <= 1, spec

    def _found(reference: Asker, spec: Specification, encoding: str) -> Verdict | None:
        search = Search("sat", 1, encoding=encoding)
        model = Asker("sat", reference.system, Budget(seconds=1), reference.reading, search=search)
        try:
            return model.check(spec).verdict
        except (Unsupported, LimitReached):
            return None

    agree()
