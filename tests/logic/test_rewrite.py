"""Rewritings keep their promises: implicit quantifiers, the table of sugar, negation normal form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knower import loads
from knower.logic import formula as f
from knower.logic.fold import atoms, subformulas
from knower.logic.formula import Formula
from knower.logic.language import Language, Specification
from knower.logic.rewrite import dynamic, negation_normal_form, quantified
from strategies import LOGICS, cases, raw_specifications, specifications

SYSTEM = loads("""
Agent i end Agent
Agent j end Agent
Evaluation p if true; q if true; r if true; s if true; end Evaluation
Groups g = {i, j}; end Groups
""")
MODULE = SYSTEM.module

P, Q = f.Atom("p"), f.Atom("q")


def closed(spec: Specification) -> Formula:
    """With its quantifiers; groups stay as they are called."""
    return quantified(spec.body, linear=spec.language.linear)


def body(text: str) -> Formula:
    return SYSTEM.parse(text).body


# -- implicit quantifiers --------------------------------------------------------------------------------

CLOSED: list[tuple[str, str]] = [
    # without a path formula nothing changes, but a linear prefix speaks of all paths
    ("AG (p -> K(i, q))", "AG (p -> K(i, q))"),
    ("A F p", "A F p"),
    ("LTL p", "A p"),
    ("LTL AG p", "A AG p"),
    # `LTL f`: all paths
    ("LTL G p", "A G p"),
    ("LTL p and F q", "A (p and F q)"),
    ("LTL !X p", "A (!X p)"),
    ("LTL F G p", "A F G p"),
    ("LTL G p -> F q", "A (G p -> F q)"),
    # a path formula under a state operator is one of its own
    ("LTL K(i, F p)", "A K(i, A F p)"),
    ("LTL M(i, F p)", "A M(i, A F p)"),
    ("LTL G K(i, F p)", "A G K(i, A F p)"),
    ("LTL GCK(g, X p) and F q", "A (GCK(g, A X p) and F q)"),
    ("LTL O(i, G p)", "A O(i, A G p)"),
    ("LTL AG F p", "A AG A F p"),
    ("LTL EX X p", "A EX A X p"),
    ("LTL <g>X G p", "A <g>X A G p"),
    ("LTL K(i, p U K(i, F q))", "A K(i, A ((p U K(i, A F q))))"),
    ("LTL K(i, F p and q)", "A K(i, A (F p and q))"),
    # a quantifier that is written stands for itself
    ("CTL* E F p", "E F p"),
    ("CTL* E (p U q)", "E ((p U q))"),
    ("CTL* A G E F p", "A G E F p"),
    ("CTL* K(i, F p) and E G q", "K(i, A F p) and E G q"),
    ("LTL F E G p", "A F E G p"),
]  # fmt: skip


@pytest.mark.parametrize("written, meant", CLOSED)
def test_path_formulas_that_stand_alone_speak_of_all_paths(written: str, meant: str) -> None:
    assert closed(SYSTEM.parse(written)) == body(meant)


def test_quantifiers_reach_into_programs_too() -> None:
    assert closed(SYSTEM.parse("LDL <K(i, F p)?;tt>q")) == body("CDL* A (<K(i, A F p)?;tt>q)")
    assert closed(SYSTEM.parse("LDL [(F p)?]q")) == f.A(body("LDL [(F p)?]q"))


def test_closing_does_not_look_at_the_prefix() -> None:
    """Finite or infinite, the formula is the same; how paths are read is another matter."""
    for language in Language:
        assert closed(Specification(f.F(P), language)) == f.A(f.F(P))


@cases(150)
@given(st.data())
def test_what_is_closed_is_a_state_formula_and_stays_as_it_is(data: st.DataObject) -> None:
    spec = data.draw(specifications(MODULE, data.draw(st.sampled_from(sorted(LOGICS)))))
    made = closed(spec)
    assert not made.is_path
    assert closed(Specification(made, Language.CDL_STAR)) == made
    assert made == spec.body or spec.language is not Language.PLAIN
    for item in subformulas(made):
        if isinstance(item, f.Temporal | f.Epistemic | f.Deontic | f.Strategic):
            assert not any(isinstance(sub, Formula) and sub.is_path for sub in item.children)


# -- the table of sugar --------------------------------------------------------------------------------------

SUGAR: list[tuple[str, str]] = [
    # "X f = <tt>f; f U g = <(f?;tt)*>g"
    ("X p", "<tt>p"),
    ("p U q", "<(p?;tt)*>q"),
    # on finite traces the weak next is a box, and so it is everywhere
    ("WX p", "[tt]p"),
    ("F p", "<tt*>p"),
    ("G p", "[tt*]p"),
    # f R g = !(!f U !g); f W g = g R (f or g)
    ("p R q", "[((!p)?;tt)*]q"),
    ("p W q", "[((!q)?;tt)*](p or q)"),
    ("F G p", "<tt*>[tt*]p"),
    ("X p and !F q", "<tt>p and !<tt*>q"),
    ("(F p) U X q", "<((<tt*>p)?;tt)*><tt>q"),
    ("<p*>X q", "<p*><tt>q"),
    ("[(F p)?]q", "[(<tt*>p)?]q"),
    ("p", "p"),
    ("<p;q>r", "<p;q>r"),
]  # fmt: skip


@pytest.mark.parametrize("path, modal", SUGAR)
def test_path_operators_are_modalities(path: str, modal: str) -> None:
    assert dynamic(body(f"LDLf {path}")) == body(f"LDLf {modal}")


def test_path_operators_under_inner_quantifiers_are_modalities_too() -> None:
    inner, modal = body("CDL* K(i, A F p)"), body("CDL* K(i, A <tt*>p)")
    assert dynamic(f.X(inner)) == f.Diamond(f.Letter(f.TRUE), modal)


@cases(100)
@given(st.data())
def test_only_modalities_are_left(data: st.DataObject) -> None:
    spec = data.draw(specifications(MODULE, data.draw(st.sampled_from(["LTL", "LDL", "LTLf", "LDLf"]))))
    made = dynamic(spec.body)
    assert not any(isinstance(item, f.X | f.WX | f.F | f.G | f.U | f.W | f.R) for item in subformulas(made))
    assert dynamic(made) == made
    assert atoms(made) == atoms(spec.body)


# -- negation normal form ------------------------------------------------------------------------------------

#: An operator and what becomes of its negation; read from right to left too.
DUALS: list[tuple[str, str]] = [
    ("EX p", "AX !p"),
    ("EF p", "AG !p"),
    ("EG p", "AF !p"),
    ("E(p U q)", "A(!p R !q)"),
    ("E(p R q)", "A(!p U !q)"),
    ("K(i, p)", "M(i, !p)"),
    ("GK(g, p)", "MGK(g, !p)"),
    ("GCK(g, p)", "MGCK(g, !p)"),
    ("DK(g, p)", "MDK(g, !p)"),
    ("O(i, p)", "P(i, !p)"),
    ("p and q", "!p or !q"),
    ("true", "false"),
    ("LTL F p", "LTL G !p"),
    ("LTL p U q", "LTL !p R !q"),
    ("LTL X p", "LTL X !p"),
    ("A F p", "E G !p"),
    ("E X p", "A X !p"),
    ("LDL <p>q", "LDL [p]!q"),
    ("LDL <p*;q?>q", "LDL [p*;q?]!q"),
]


def negated(formula: Formula) -> Formula:
    return negation_normal_form(f.Not(formula))


@pytest.mark.parametrize("operator, dual", DUALS)
def test_duals(operator: str, dual: str) -> None:
    one, other = body(operator), body(dual)
    assert negated(one) == other
    assert negated(other) == one


@pytest.mark.parametrize(
    "written, normal",
    [
        ("p -> q", "!p or q"),
        ("!(p -> q)", "p and !q"),
        ("!!p", "p"),
        ("!!!p", "!p"),
        ("!i.GreenStates", "!i.GreenStates"),
        ("!(AG (p -> EX q))", "EF (p and AX !q)"),
        ("!A(p U q)", "E(!p R !q)"),
        # !(f W g) = !g U (!f and !g)
        ("!A(p W q)", "E(!q U (!p and !q))"),
        ("!E(p W q)", "A(!q U (!p and !q))"),
        ("LTL !(p W q)", "LTL !q U (!p and !q)"),
        ("A(p W !!q)", "A(p W q)"),
        ("!<g>X !!p", "!<g>X p"),
        ("!<g>(p U !!q)", "!<g>(p U q)"),
        ("!!<g>F p", "<g>F p"),
        ("!K(i, <g>F !p)", "M(i, !<g>F !p)"),
        # tests and letters keep their place and their polarity
        ("LDL !<(!!p)?;!(p -> q)>q", "LDL [p?;(p and !q)]!q"),
        ("LDL !<(!F p)?>q", "LDL [(G !p)?]!q"),
        ("LTL !WX p", "LTL X !p"),
        ("LTL WX p", "LTL X p"),
    ],
)
def test_negations_move_inwards(written: str, normal: str) -> None:
    assert negation_normal_form(body(written)) == body(normal)


def test_next_on_finite_traces_has_a_weak_dual() -> None:
    strong, weak = body("LTLf X p"), body("LTLf WX !p")
    assert negation_normal_form(f.Not(strong), finite=True) == weak
    assert negation_normal_form(f.Not(weak), finite=True) == strong
    assert negation_normal_form(strong, finite=True) == strong
    assert negation_normal_form(weak, finite=True) == weak


def misplaced(formula: Formula) -> list[Formula]:
    """Negations that stand neither before a proposition nor before a coalition."""
    allowed = f.Atom | f.Green | f.Red | f.CanX | f.CanF | f.CanG | f.CanU
    return [
        item for item in subformulas(formula) if isinstance(item, f.Not) and not isinstance(item.sub, allowed)
    ]


@cases(200)
@given(st.data())
def test_normal_forms_of_random_formulas(data: st.DataObject) -> None:
    spec = data.draw(specifications(MODULE, data.draw(st.sampled_from(sorted(LOGICS)))))
    check_normal_forms(spec)


@cases(100)
@given(st.sampled_from(list(Language)).flatmap(raw_specifications))
def test_normal_forms_of_all_that_can_be_written(spec: Specification) -> None:
    check_normal_forms(spec)


def check_normal_forms(spec: Specification) -> None:
    """No misplaced negation, no implication; stable; a path formula stays one; names stay."""
    finite = spec.language.finite
    for formula in (spec.body, f.Not(spec.body)):
        made = negation_normal_form(formula, finite=finite)
        assert misplaced(made) == []
        assert not any(isinstance(item, f.Implies) for item in subformulas(made))
        assert negation_normal_form(made, finite=finite) == made
        assert negation_normal_form(f.Not(f.Not(formula)), finite=finite) == made
        assert made.is_path == formula.is_path
        assert atoms(made) == atoms(formula)


def test_normal_forms_of_deep_formulas() -> None:
    formula: Formula = P
    for _ in range(10_000):
        formula = f.Not(f.AX(f.Implies(Q, formula)))
    made = negation_normal_form(formula)
    assert isinstance(made, f.EX)
    assert misplaced(made) == []
    assert len(list(subformulas(made))) <= 3 * len(list(subformulas(formula)))
