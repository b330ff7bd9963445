"""Formulas in frames: what is one object stays one, and each is written once."""

from __future__ import annotations

import pickle
from io import BytesIO

from hypothesis import given

from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.language import Language
from knower.logic.node import SharingPickler
from strategies import cases, raw_specifications


def carried(value: object) -> tuple[object, int]:
    data = BytesIO()
    SharingPickler(data, (f.FormulaNode, f.ProgramNode)).dump(value)
    return pickle.loads(data.getvalue()), len(data.getvalue())


@cases(50)
@given(raw_specifications(Language.CDL_STAR), raw_specifications(Language.PLAIN))
def test_formulas_and_their_parts_come_as_they_went(first, second):
    one, other = first.body, second.body
    sent = [one, *subformulas(other), {"of": (other, one)}]
    got, _ = carried(sent)
    assert got == sent
    assert got[0] is got[-1]["of"][1] and got[1] is got[-1]["of"][0]


def test_all_parts_of_a_deep_formula_take_no_more_than_the_whole():
    """Proofs in proofs speak of them."""
    whole = f.Atom("p")
    for _ in range(5_000):
        whole = f.AG(whole)
    parts = list(subformulas(whole))
    got, size = carried(parts)
    assert got[0] == whole and got[1] is got[0].children[0]
    assert size < 3 * carried([whole])[1]
