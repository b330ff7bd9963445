"""Bounded checking against the reference on random systems: never another verdict, evidence judged."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given

from against_reference import agreement, compared
from engines import Asker, computing
from knower.errors import LimitReached, Unsupported
from knower.logic import formula as f
from knower.logic.language import Specification
from knower.logic.rewrite import negation_normal_form, quantified
from knower.options import Search
from knower.sat.fragment import is_existential
from knower.verdict.verdict import Verdict
from strategies import cases
from worlds import questions

pytest.importorskip("pysat")

#: Systems, with four formulas each.
SYSTEMS = {"CTLK": 40, "CTLKO": 25, "LTLK": 25, "LDLK": 20, "CDL*K": 20}
#: The other encodings are tried with shorter paths: they grow fast.
SHORT = 2


def compare(reference: Asker, spec: Specification, tally: Counter[str], search: Search | None = None) -> None:
    """One formula; missteps are the reference's too, and what can be refuted is shown."""
    search = search or Search()
    told = compared("sat", reference, spec, search, tally)
    if told is None:
        return
    found = told.found
    if search.bound is None:  # longer than there are states
        with suppress(LimitReached):  # the seconds of the formula may be over by now
            assert _missteps(told.model) == _missteps(reference)
    assert (found.reason is None) == (found.verdict is not Verdict.UNKNOWN)
    if _is_refutable(spec, told.expected):
        tally["refuted" if found.verdict is Verdict.FALSE else "missed"] += 1
    assert told.evidence is not None or not _is_refutable(spec, found.verdict)


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
    tally = agreement(logic, SYSTEMS[logic], compare)
    assert tally["refuted"] >= 0.95 * (tally["refuted"] + tally["missed"]), tally


def test_a_deadlock_forbids_verdicts():
    agreement("CTLK", 25, compare, formulas=2, strict=True, sought=("false", "true", "unknown"))


@pytest.mark.parametrize("encoding", ["zbrzezny", "penczek"])
@pytest.mark.parametrize("logic", ["CTLKO", "LTLK", "LDL"])
def test_verdicts_agree_in_every_encoding(logic, encoding):
    search = Search("sat", SHORT, encoding=encoding)
    agreement(logic, 12, partial(compare, search=search), formulas=3, sought=("false", "shown"))


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
        model = Asker("sat", reference.system, computing(1), reference.reading, search=search)
        try:
            return model.check(spec).verdict
        except (Unsupported, LimitReached):
            return None

    agree()
