"""What has no value in a formula is reported, and refused by `expand`, only where it is looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knower
from engines import Asker, has_solver
from expansion.plain_ispl import check_same, read
from knower.errors import InputError
from knower.model import Model
from knower.verdict.faults import Fault
from knower.verdict.warnings import Overflow
from strategies import cases

#: The index walks from 0 to 3 and round, the array has two elements.
WALK = """
Agent A
  Vars: i : 0..3 init 0; y : 0..2 init 0; x : array 1..2 of 0..1 init 0; end Vars
  RedStates: i = 0 or i = 3; end RedStates
  Actions = {go};
  Evolution: i = (i + 1) % 4 if i < 3 or y = 2; i = 0 and y = y + 1 if i = 3 and y < 2; end Evolution
end Agent
"""
EVALUATION = "Evaluation inside if A.i in 1..2; END end Evaluation\n"


def walk(*formulas: str, evaluation: str = "", fairness: str = "") -> str:
    fair = f"Fairness {fairness}; end Fairness\n" if fairness else ""
    told = "".join(f"  {formula};\n" for formula in formulas)
    return f"{WALK}{EVALUATION.replace('END', evaluation)}{fair}Formulae\n{told}end Formulae\n"


def overflows(model: Model, engine: str = "explicit") -> bool:
    return isinstance(Asker(engine, model.interpreted).engine.faults(list(Fault)).overflow, Overflow)


def is_refused(model: Model) -> bool:
    try:
        model.expanded()
    except InputError as error:
        assert {each.code for each in error.diagnostics} == {"E417"}
        return True
    return False


GUARDED = [
    "AG (A.i in 1..2 -> A.x[A.i] = 0)",
    "AG (A.i > 0 and A.i < 3 -> A.x[A.i] = 0)",
    "AG (A.i > 0 -> (A.i < 3 -> A.x[A.i] = 0))",
    "AG (A.i = 0 or A.i = 3 or A.x[A.i] = 0)",
    "AG !(inside and !A.x[A.i] = 0)",
    "AG (inside and K(A, inside) -> A.x[A.i] = 0)",
    "AG (!(A.i = 0 or EF A.i = 2 and A.i = 3) and A.i <> 3 -> A.x[A.i] = 0)",
    "AG (A.GreenStates -> A.x[A.i] = 0)",
    "AG (A.RedStates or A.x[A.i] = 0)",
    "AG (inside -> (A.x[A.i] = 0 <-> A.x[A.i] <> 1))",
    "forall k : 0..3 (AG (k in 1..2 and A.i = k -> A.x[A.i] = 0))",
    "AG forall k : 0..3 (A.i = k and k in 1..2 -> A.x[A.i] = 0)",
    "LTL G (inside -> A.x[A.i] = 0)",
    "LDL [(inside and A.x[A.i] = 0)*]true",
    "CTL* A G (inside -> F (A.y > 0 and 2 / A.y = 2))",
    "false and A.x[A.i] = 0",
]
BARE = [
    "AG A.x[A.i] = 0",
    "AG (A.i > 0 -> A.x[A.i] = 0)",
    "AG (A.x[A.i] = 0 or !inside)",
    "AG (inside -> AX A.x[A.i] = 0)",
    "AG (inside -> K(A, A.x[A.i] = 0))",
    "AG (K(A, inside) or A.i > 0 -> A.x[A.i] = 0)",
    "AG (inside xor A.x[A.i] = 0)",
    "AG (A.x[A.i] = 0 <-> inside)",
    "LTL inside U A.x[A.i] = 0",
]


@pytest.mark.parametrize(
    ("formula", "wanted"), [(one, False) for one in GUARDED] + [(one, True) for one in BARE]
)
def test_by_every_engine_and_by_expand(formula, wanted):
    model = read(walk(formula))
    for engine in ("explicit", "bdd", "bitset", *(["sat", "pdr"] if has_solver else [])):
        assert (engine, overflows(model, engine)) == (engine, wanted)
    assert is_refused(model) is wanted
    if not wanted:
        check_same(model, model.expanded())


def test_verdicts_are_those_of_the_conditions_by_themselves():
    """Outside of its range a comparison is false, guarded or not."""
    model = knower.loads(walk())
    assert not model.check("AG (A.i > 0 -> A.x[A.i] = 0)")
    assert model.check("AG (A.i in 1..2 -> A.x[A.i] = 0)")
    assert model.check("AG !(A.i = 3 and A.x[A.i] <> 1)")


def test_one_bare_occurrence_is_enough():
    guarded, bare = "AG (inside -> A.x[A.i] = 0)", "EF A.x[A.i] = 0"
    assert overflows(read(walk(guarded, bare))) and overflows(read(walk(bare, guarded)))
    assert overflows(read(walk(guarded, fairness="A.x[A.i] = 0")))
    assert not overflows(read(walk(guarded, fairness="A.i in 1..2 and A.x[A.i] = 0")))


def test_a_declared_proposition_is_looked_at_everywhere():
    assert overflows(read(walk("AG (inside -> p)", evaluation="p if A.x[A.i] = 0;")))


@pytest.mark.parametrize("engine", ["explicit", "bdd", "auto"])
def test_later_questions_may_look_where_earlier_ones_did_not(engine):
    model = knower.loads(walk("AG (inside -> A.x[A.i] = 0)"))
    for formula, wanted in (
        ("AG (inside -> A.x[A.i] = 0)", False),
        ("EF A.x[A.i] = 0", True),
        ("AG (A.i in 1..2 -> A.x[A.i] = 0)", False),
    ):
        warned = {each.code for each in model.check(formula, engine=engine).warnings}
        assert (formula, "overflow" in warned) == (formula, wanted)


# -- at random: a formula is read like a condition of the same text ------------------------------------------

_LEAVES = ["A.i > 0", "A.i < 3", "A.y > 0", "A.x[A.i] = 0", "A.x[A.y] <> 1", "2 / A.y = 2", "A.i % A.y = 1"]


def _longer(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    words = st.sampled_from(["and", "or", "->", "xor", "<->"])
    joined = st.builds("({} {} {})".format, inner, words, inner)
    return st.one_of(joined, joined, st.builds("!{}".format, inner))


texts = st.recursive(st.sampled_from([f"({leaf})" for leaf in _LEAVES]), _longer, max_leaves=7)


@cases(80)
@given(texts)
def test_a_formula_is_read_from_left_to_right_like_a_condition(text):
    asked, declared = read(walk(f"AG {text}")), read(walk("AG p", evaluation=f"p if {text};"))
    wanted = overflows(declared)
    assert overflows(asked) is wanted
    assert overflows(asked, "bdd") is wanted


@cases(40)
@given(texts)
def test_what_expand_writes_means_the_same_and_is_clean(text):
    model = read(walk(f"AG {text}", f"EF ({text} and EX {text})"))
    if not is_refused(model):
        plain = model.expanded()
        check_same(model, plain)
        assert overflows(read(plain)) is overflows(model)
