"""Formulas joined by Python's operators, and the question that a bare formula is."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given

import knower
from knower import formulas as every
from knower.errors import InputError
from knower.formulas import *  # noqa: F403 - that this works is part of the promise
from knower.formulas import (
    AG,
    A,
    And,
    Atom,
    Box,
    CanF,
    Constant,
    Diamond,
    E,
    F,
    G,
    Implies,
    K,
    Letter,
    Not,
    Or,
    Seq,
    Star,
    Test,
    U,
    atoms,
    specification,
)  # fmt: skip
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.fragment import fragment_of
from knower.logic.language import Language, Specification
from knower.syntax.formulas import parse_formula
from knower.syntax.printing import print_specification
from strategies import cases, raw_specifications

p, q, r = atoms("p q, r")


def test_atoms_are_named_in_a_row() -> None:
    assert (p, q, r) == (Atom("p"), Atom("q"), Atom("r"))
    assert atoms("") == ()


def test_operators_are_the_connectives() -> None:
    assert p & q == And(p, q)
    assert p | q == Or(p, q)
    assert ~p == Not(p)
    assert p >> q == Implies(p, q)
    assert AG(p >> K("Sender", q)) == AG(Implies(p, K("Sender", q)))
    assert p & ~q | r == Or(And(p, Not(q)), r)
    assert (F(p) & q).is_path


def test_constants_are_pythons() -> None:
    assert p & True == And(p, Constant(True))
    assert False | p == Or(Constant(False), p)
    assert True >> p == Implies(Constant(True), p)
    assert True & p == And(Constant(True), p)
    assert p >> False == Implies(p, Constant(False))


@pytest.mark.parametrize("other", ["q", 1, None, 0.5, Letter(p), Specification(p)])
def test_nothing_else_is_joined(other: object) -> None:
    for join in (lambda a, b: a & b, lambda a, b: a | b, lambda a, b: a >> b):
        with pytest.raises(TypeError, match="unsupported operand"):
            join(p, other)
        with pytest.raises(TypeError, match="unsupported operand"):
            join(other, p)


def test_a_formula_has_no_truth_value() -> None:
    for condition in (lambda: p and q, lambda: p or q, lambda: not p, lambda: bool(AG(p))):
        with pytest.raises(TypeError, match="neither true nor false"):
            condition()


def test_what_is_joined_is_a_value() -> None:
    built = AG(p >> K("Sender", q & ~r))
    assert pickle.loads(pickle.dumps(built)) == built
    assert len({built, AG(p >> K("Sender", q & ~r))}) == 1


def test_every_operator_is_public() -> None:
    members = {*f.Formula.__args__, *f.Program.__args__}
    assert {kind.__name__ for kind in members} <= set(every.__all__)
    assert all(vars(every)[kind.__name__] is kind for kind in members)
    assert knower.formulas is every
    assert knower.AG is AG


# -- the language of a bare formula ----------------------------------------------------------------

STEP = Letter(p)


@pytest.mark.parametrize(
    ("formula", "language"),
    [
        (p & ~q, Language.PLAIN),
        (AG(p >> K("i", q)), Language.PLAIN),
        (CanF("g", p), Language.PLAIN),
        (G(F(p)), Language.LTL),
        (AG(p) & F(q), Language.LTL),
        (G(K("i", F(p))), Language.LTL),
        (Diamond(Star(STEP), q), Language.LDL),
        (G(Box(Seq(STEP, Test(K("i", p))), q)), Language.LDL),
        (A(G(F(p))), Language.CTL_STAR),
        (AG(E(p & F(q))), Language.CTL_STAR),
        (E(Diamond(STEP, q)), Language.CDL_STAR),
        (A(F(p)) & AG(E(Box(STEP, q))), Language.CDL_STAR),
    ],
)
def test_the_language_of_a_formula(formula, language) -> None:
    found = specification(formula)
    assert found == Specification(formula, language)
    again = parse_formula(print_specification(found)).specification
    assert again == found
    assert fragment_of(again)


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        (AG(F(p)), "E504"),
        (K("i", p & F(q)), "E504"),
        (A(F(p)) & AG(X(p)), "E504"),  # noqa: F405
        (CanF("g", U(p, q)), "E504"),
        (STEP, "E506"),
        (AG(STEP), "E506"),
        (Diamond(Letter(K("i", p)), q), "E507"),
        ("p", "E509"),
        (None, "E509"),
        (AG("p"), "E509"),
        (p & AG(True), "E509"),
        (Diamond(p, q), "E509"),
        (Diamond(Star(p), q), "E509"),
    ],
)
def test_what_makes_no_sense_is_refused(formula, code) -> None:
    with pytest.raises(InputError) as caught:
        specification(formula)
    assert [found.code for found in caught.value.diagnostics] == [code]
    assert caught.value.diagnostics[0].cure


def test_the_cure_is_what_was_meant() -> None:
    with pytest.raises(InputError, match=r"write `Atom\('crash'\)`"):
        specification(AG(~Atom("p") | AG("crash")))
    with pytest.raises(InputError, match=r"Letter\(f\)"):
        specification(Diamond(p, q))


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        specification(AG("p") & AG("q"))
    assert len(caught.value.diagnostics) == 2


def test_deep_formulas_are_asked() -> None:
    deep = p
    for _ in range(20_000):
        deep = ~deep
    assert specification(deep).language is Language.PLAIN


@cases(200)
@given(raw_specifications(Language.PLAIN, 4))
def test_what_text_takes_without_a_prefix_is_taken(spec: Specification) -> None:
    found = specification(spec.body)
    quantified = any(isinstance(part, f.Quantifier) for part in subformulas(spec.body))
    assert found.language is (Language.CTL_STAR if quantified else Language.PLAIN)
