"""Which logic a formula is in, and why it is not in another."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knower import loads
from knower.logic import formula as f
from knower.logic import fragment as fr
from knower.logic.fold import subformulas
from knower.logic.fragment import Fragment, fragment_of, operator_name, outside
from knower.logic.language import Language, Specification
from knower.logic.rewrite import negation_normal_form
from strategies import LOGICS, cases, raw_specifications, specifications

SYSTEM = loads("""
Agent i end Agent
Agent j end Agent
Evaluation p if true; q if true; r if true; s if true; end Evaluation
Groups g = {i, j}; end Groups
""")
MODULE = SYSTEM.module

# -- the smallest logic ------------------------------------------------------------------------------

NAMES: list[tuple[str, str]] = [
    ("p", "Boolean"),
    ("p and !q -> true or i.GreenStates", "Boolean"),
    ("LTL p and q", "Boolean"),  # the prefix says nothing where no path is mentioned
    ("LDLf p", "Boolean"),
    ("AG (p -> EF q)", "CTL"),
    ("A(p U q) and E(p W q) or A(p R q)", "CTL"),
    ("LTL AG p", "CTL"),
    ("K(i, p)", "CTLK"),
    ("AG (p -> K(i, q))", "CTLK"),
    ("GCK(g, AX p) or MDK(g, q)", "CTLK"),
    ("AF O(i, p)", "CTLO"),
    ("O(i, K(i, p)) and P(i, q)", "CTLKO"),
    ("<g>F p", "ATL"),
    ("<g>(p U q) and AG p", "ATL"),
    ("K(i, <g>X p)", "ATLK"),
    ("O(i, <g>G p)", "ATLO"),
    ("O(i, K(i, <g>G p))", "ATLKO"),
    ("LTL G F p", "LTL"),
    ("LTL p U q W r R s", "LTL"),
    ("LTL G K(i, F p)", "LTLK"),
    ("LTL K(i, F p)", "LTLK"),
    ("LTL G O(i, p)", "LTLO"),
    ("LTL G <g>X p", "LTL+ATL"),
    ("LTL G K(i, <g>X p)", "LTLK+ATL"),
    ("A F p", "CTL*"),
    ("CTL* A (F p and G q)", "CTL*"),
    ("CTL* A(p U q)", "CTL*"),
    ("LTL F AG p", "CTL*"),
    ("A F K(i, p)", "CTL*K"),
    ("CTL* E G <g>X p", "CTL*+ATL"),
    ("LDL <p*>q", "LDL"),
    ("LDL F p", "LTL"),
    ("LDL [p;q]K(i, r)", "LDLK"),
    ("LDL <K(i, p)?;tt>q", "LDLK"),
    ("CDL* A <p*>q", "CDL*"),
    ("CDL* A F p", "CTL*"),
    ("CDL* E [tt*]O(i, K(i, p))", "CDL*KO"),
    ("CDL* E [tt*]O(i, K(i, <g>X p))", "CDL*KO+ATL"),
    ("LTLf F p", "LTLf"),
    ("LTLf WX K(i, p)", "LTLfK"),
    ("LTLf K(i, F p)", "LTLfK"),
    ("LDLf <p*>q", "LDLf"),
    ("CDLf* A <p*>K(i, E F q)", "CDLf*K"),
    ("LTLf K(i, p)", "CTLK"),
]


@pytest.mark.parametrize("text, name", NAMES)
def test_the_smallest_fragment(text: str, name: str) -> None:
    found = fragment_of(SYSTEM.parse(text))
    assert found.name == str(found) == name
    assert found.finite == ("f" in name)


def test_operators_make_the_logic() -> None:
    """Every operator alone, on propositions: the table of docs/logics.md."""
    p, q = f.Atom("p"), f.Atom("q")
    for operator in (f.EX, f.AX, f.EF, f.AF, f.EG, f.AG):
        assert fragment_of(Specification(operator(p))) == fr.CTL
    for until in (f.EU, f.AU, f.ER, f.AR, f.EW, f.AW):
        assert fragment_of(Specification(until(p, q))) == fr.CTL
    for knows in (f.K, f.M, f.GK, f.MGK, f.GCK, f.MGCK, f.DK, f.MDK):
        assert fragment_of(Specification(knows("i", p))) == fr.CTLK
    for ought in (f.O, f.P):
        assert fragment_of(Specification(ought("i", p))).name == "CTLO"
    for can in (f.CanX, f.CanF, f.CanG):
        assert fragment_of(Specification(can("g", p))) == fr.ATL
    assert fragment_of(Specification(f.CanU("g", p, q))) == fr.ATL
    for path in (f.X, f.WX, f.F, f.G):
        assert fragment_of(Specification(path(p), Language.LTL)) == fr.LTL
        assert fragment_of(Specification(path(p), Language.LTLF)) == fr.LTLF
    for binary in (f.U, f.W, f.R):
        assert fragment_of(Specification(binary(p, q), Language.LTL)) == fr.LTL
    for modality in (f.Diamond, f.Box):
        assert fragment_of(Specification(modality(f.Star(f.Letter(p)), q), Language.LDL)) == fr.LDL


# -- fragments as values --------------------------------------------------------------------------------


def test_a_logic_is_a_set_of_operators_with_a_name() -> None:
    assert fr.CTL | fr.KNOWLEDGE == fr.CTLK
    assert (fr.CTLK.name, fr.CTLK.operators) == ("CTLK", fr.CTL.operators | {*fr.KNOWLEDGE.operators})
    assert str(fr.CTL_STAR | fr.KNOWLEDGE | fr.DEONTIC) == "CTL*KO"
    assert (fr.LTLF | fr.KNOWLEDGE).finite
    assert {fr.CTLK: 1}[fr.CTL | fr.KNOWLEDGE] == 1


def test_the_names_of_the_fragments() -> None:
    names = [
        "CTL",
        "CTLK",
        "ATL",
        "ATLK",
        "LTLK",
        "CTL*K",
        "LDLK",
        "CDL*K",
        "LTLfK",
        "LDLfK",
        "CDLf*K",
        "ACTLK",
        "ECTLK",
    ]
    values = [
        fr.CTL, fr.CTLK, fr.ATL, fr.ATLK, fr.LTLK, fr.CTL_STAR_K, fr.LDLK, fr.CDL_STAR_K,
        fr.LTLFK, fr.LDLFK, fr.CDLF_STAR_K, fr.ACTLK, fr.ECTLK,
    ]  # fmt: skip
    assert [fragment.name for fragment in values] == names


def test_names_on_the_ladder_are_different() -> None:
    assert len({fragment.name for fragment in fr.LADDER}) == len(fr.LADDER)


def test_every_operator_is_in_the_largest_fragment() -> None:
    largest = fr.CDL_STAR_K | fr.DEONTIC | fr.STRATEGIC
    assert largest.operators == frozenset(get_args(f.Part))


@cases(150)
@given(st.data())
def test_every_formula_has_a_fragment_and_is_in_it(data: st.DataObject) -> None:
    spec = data.draw(specifications(MODULE, data.draw(st.sampled_from(sorted(LOGICS)))))
    found = fragment_of(spec)
    assert outside(spec, found) is None
    smaller = fr.LADDER[: fr.LADDER.index(found)]
    assert all(outside(spec, each) for each in smaller if each.finite == found.finite)


@cases(100)
@given(st.sampled_from(list(Language)).flatmap(raw_specifications))
def test_what_the_parser_accepts_has_a_fragment(spec: Specification) -> None:
    assert outside(spec, fragment_of(spec)) is None


# -- why a formula is outside ----------------------------------------------------------------------------

OUTSIDE: list[tuple[str, Fragment, str | None]] = [
    ("AG p", fr.CTL, None),
    ("AG p", fr.CTLK, None),
    ("AG p", fr.CDL_STAR_K, None),
    ("AG p", fr.LTL, "`AG` is not in LTL"),
    ("AG p", fr.PROPOSITIONAL, "`AG` is not in Boolean"),
    ("AG K(i, p)", fr.CTL, "`K` is not in CTL"),
    ("AG K(i, O(i, p))", fr.CTLK, "`O` is not in CTLK"),
    ("AG GCK(g, p)", fr.ATL, "`GCK` is not in ATL"),
    ("AG <g>F p", fr.CTLK, "`<g>F` is not in CTLK"),
    ("AG <g>(p U q)", fr.CTLK, "`<g>(… U …)` is not in CTLK"),
    ("AG A(p U q)", fr.LTLK, "`AG` is not in LTLK"),
    ("p and A(p U q)", fr.LTLK, "`A(… U …)` is not in LTLK"),
    ("p and E(p R q)", fr.LTL, "`E(… R …)` is not in LTL"),
    ("A F p", fr.CTL, "`A` is not in CTL"),
    ("LTL G F p", fr.CTL, "`G` is not in CTL"),
    ("LTL G F p", fr.LTL, None),
    ("LDL <p*>q", fr.LTLK, "`<r>` is not in LTLK"),
    ("LDL [p]q", fr.CTL_STAR_K, "`[r]` is not in CTL*K"),
    ("LDL p and <tt>q", fr.LTL, "`<r>` is not in LTL"),
    ("i.RedStates -> K(i, p)", fr.CTL, "`K` is not in CTL"),
    ("p -> q", fr.PROPOSITIONAL, None),
    ("LTLf F p", fr.LTL, "LTL has no finite traces"),
    ("CDLf* A <tt*>p", fr.CDL_STAR_K, "CDL*K has no finite traces"),
    ("LTLf F p", fr.LTLF, None),
    ("LDLf <tt>p", fr.LTLF, "`<r>` is not in LTLf"),
    ("LTLf K(i, p)", fr.CTLK, None),
]


@pytest.mark.parametrize("text, fragment, reason", OUTSIDE)
def test_the_reason_why_a_formula_is_outside(text: str, fragment: Fragment, reason: str | None) -> None:
    found = outside(SYSTEM.parse(text), fragment)
    assert (found and found.reason) == reason


def test_outside_names_the_first_sub_formula() -> None:
    spec = SYSTEM.parse("AG (p -> K(i, O(i, p)))")
    found = outside(spec, fr.CTL)
    assert found is not None
    assert found.subformula == f.K("i", f.O("i", f.Atom("p")))
    assert found.subformula in subformulas(spec.body)


def test_infinite_paths_are_outside_finite_fragments() -> None:
    """`LTL F p` and `LTLf F p` differ, so an engine for finite traces must not take the first."""
    assert outside(SYSTEM.parse("LTL F p"), fr.LTLF) is not None
    assert outside(SYSTEM.parse("A F p"), fr.CDLF_STAR) is not None


# -- the universal and the existential fragment ------------------------------------------------------------

MONOTONE: list[tuple[str, str | None, str | None]] = [
    # formula, why it is not in ACTLK, why it is not in ECTLK
    ("p and !q or true", None, None),
    ("AG p", None, "`AG` is not in ECTLK"),
    ("EF p", "`EF` is not in ACTLK", None),
    ("!AG p", "`EF` is not in ACTLK", None),
    ("!EF p", None, "`AG` is not in ECTLK"),
    ("!!AG p", None, "`AG` is not in ECTLK"),
    ("AG (p -> AF q)", None, "`AG` is not in ECTLK"),
    ("AG (AF p -> q)", "`EG` is not in ACTLK", "`AG` is not in ECTLK"),
    ("AG (EG p -> q)", None, "`AG` is not in ECTLK"),
    ("EF p -> AG q", None, "`AG` is not in ECTLK"),
    ("AG p -> EF q", "`EF` is not in ACTLK", None),
    ("A(p U q) and A(p R q) and A(p W q)", None, "`A(… U …)` is not in ECTLK"),
    ("!A(p U q)", "`E(… R …)` is not in ACTLK", None),
    ("!E(p U q)", None, "`A(… R …)` is not in ECTLK"),
    ("!E(p W q)", None, "`A(… U …)` is not in ECTLK"),
    ("!A(p W q)", "`E(… U …)` is not in ACTLK", None),
    ("AX EX p", "`EX` is not in ACTLK", "`AX` is not in ECTLK"),
    ("AG K(i, p)", None, "`AG` is not in ECTLK"),
    ("EF M(i, p)", "`EF` is not in ACTLK", None),
    ("!K(i, p)", "`M` is not in ACTLK", None),
    ("!M(i, EF p)", None, "`K` is not in ECTLK"),
    ("GK(g, p) and GCK(g, p) and DK(g, p) and O(i, p)", None, "`GK` is not in ECTLK"),
    ("MGK(g, p) and MGCK(g, p) and MDK(g, p) and P(i, p)", "`MGK` is not in ACTLK", None),
    ("!(K(i, p) or O(i, q))", "`M` is not in ACTLK", None),
    ("K(i, EX p)", "`EX` is not in ACTLK", "`K` is not in ECTLK"),
    ("<g>X p", "`<g>X` is not in ACTLK", "`<g>X` is not in ECTLK"),
    ("!<g>X p", "negation of `<g>X` is not in ACTLK", "negation of `<g>X` is not in ECTLK"),
    ("LTL F p", "`F` is not in ACTLK", "`F` is not in ECTLK"),
]


@pytest.mark.parametrize("text, universal, existential", MONOTONE)
def test_read_after_negation_normal_form(text: str, universal: str | None, existential: str | None) -> None:
    spec = SYSTEM.parse(text)
    reasons = [found and found.reason for found in (outside(spec, fr.ACTLK), outside(spec, fr.ECTLK))]
    assert reasons == [universal, existential]


@cases(150)
@given(st.data())
def test_a_formula_is_universal_iff_its_negation_is_existential(data: st.DataObject) -> None:
    body = data.draw(specifications(MODULE, "CTLKO")).body
    yes, no = Specification(body), Specification(f.Not(body))
    assert (outside(yes, fr.ACTLK) is None) == (outside(no, fr.ECTLK) is None)
    assert (outside(yes, fr.ECTLK) is None) == (outside(no, fr.ACTLK) is None)


@cases(100)
@given(st.data())
def test_the_fragments_do_not_depend_on_how_a_formula_is_written(data: st.DataObject) -> None:
    body = data.draw(specifications(MODULE, "PLAIN")).body
    normal = negation_normal_form(body)
    for fragment in (fr.ACTLK, fr.ECTLK):
        assert (outside(Specification(body), fragment) is None) == (
            outside(Specification(normal), fragment) is None
        )


# -- names of operators --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, name",
    [
        ("p", "proposition"), ("true", "constant"), ("i.GreenStates", "GreenStates"),
        ("i.RedStates", "RedStates"), ("!p", "!"), ("p and q", "and"), ("p or q", "or"), ("p -> q", "->"),
        ("EX p", "EX"), ("MGCK(g, p)", "MGCK"), ("E(p U q)", "E(… U …)"), ("A(p W q)", "A(… W …)"),
        ("<g>G p", "<g>G"), ("LTL p U q", "U"), ("A X p", "A"), ("LDL <p>q", "<r>"), ("LDL [p]q", "[r]"),
    ],
)  # fmt: skip
def test_operators_as_people_write_them(text: str, name: str) -> None:
    assert operator_name(SYSTEM.parse(text).body) == name
