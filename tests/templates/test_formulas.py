"""Formulas over terms, with names and expectations; and old words where they are only names."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from written_out import codes, text, written_out

from knower.cli.main import cli
from knower.errors import InputError
from knower.logic.language import Specification
from knower.model import Model
from knower.source import Source
from knower.syntax.formatting import format_ispl
from knower.syntax.ispl import parse_ispl
from knower.syntax.printing import print_module, print_specification
from knower.syntax.tree import Module

PAIR = """
Const n = 2;
Agent T(i : 1..n)
  Vars: x : 0..3 init 0; b : boolean init false; c : {red, p} init red; end Vars
  Actions = {go, stay};
  Define two = x = 2;
  Protocol: Other : {go, stay}; end Protocol
  Evolution: x = x + 1 if Action = go and x < 3; b = true if x = i; end Evolution
end Agent
Evaluation
  for i : 1..n do up(i) if T(i).x > 0;
  p if T(1).b;
end Evaluation
Groups all = {T(i) | i : 1..n}; for i : 1..n do one(i) = {T(i)}; end Groups
Formulae
  FORMULA;
end Formulae
"""


def formulas(formula: str) -> list[str]:
    """The formulas of a model, as they are printed."""
    module = written_out(PAIR.replace("FORMULA", formula))
    return [print_specification(decl.specification) for decl in module.formulae]


@pytest.mark.parametrize(
    ("formula", "plain"),
    [
        ("AG T(1).x = 3", "AG T(1).x = 3"),
        ("AG !T(n).b", "AG !T(2).b"),
        ("AG (T(1).x + 1) * 2 > n", "AG (T(1).x + 1) * 2 > 2"),
        ("EF (T(1).two and up(n))", "EF (T(1).two and up(2))"),
        ("forall i : 1..n (EF up(i))", "EF up(1) and EF up(2)"),
        ("exists i : 1..n where i > 1 (EF up(i))", "EF up(2)"),
        ("forall i : 1..0 (EF up(i))", "true"),
        ("EF count i : 1..n (up(i)) >= 2", "EF count i : 1..2 (up(i)) >= 2"),
        ("EF T(1).x in {1, n}", "EF T(1).x in {1, 2}"),
        ("K(T(n), up(1))", "K(T(2), up(1))"),
        ("GK({T(i) | i : 1..n}, p)", "GK({T(1), T(2)}, p)"),
        ("DK(one(n), p)", "DK(one(2), p)"),
        ("<T(1), T(n)>F p", "<T(1), T(2)>F p"),
        ("<T(n)>X p", "<T(2)>X p"),
        ("<>G p", "<>G p"),
        ("<{T(i) | i : 1..0}>(p U up(1))", "<>(p U up(1))"),
        ("T(1).GreenStates", "T(1).GreenStates"),
        ("n = 2 -> AG p", "true -> AG p"),
        ("LTL T(1).x = 0 U T(1).b", "LTL T(1).x = 0 U T(1).b"),
        ("LTL G (T(1).Action = go -> X up(1))", "LTL G (T(1).Action = go -> X up(1))"),
        ("LDL <(T(1).x = 0)*>up(1)", "LDL <(T(1).x = 0)*>up(1)"),
        ("LDL <T(1), T(2)>F p", "LDL <T(1), T(2)>F p"),
        ("p <-> up(1)", "(p -> up(1)) and (up(1) -> p)"),
        ("AG (p xor up(1))", "AG (p and !up(1) or !p and up(1))"),
    ],
)
def test_formulas(formula, plain):
    assert formulas(formula) == [plain]


def test_a_value_comes_before_a_proposition():
    module = written_out(PAIR.replace("FORMULA", "EF T(1).c = p"))
    (condition,) = module.formulae[0].conditions
    assert condition.condition.expr.right.name == "p"


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("AG up(3)", "E501"),
        ("AG T(3).b", "E309"),
        ("K(T(0), p)", "E309"),
        ("AG T(1).z", "E202"),
        ("GK({}, p)", "E409"),
        ("F up(1)", "E504"),
        ("a <-> b <-> c", "E105"),
        ("min i : 1..0 (T(1).x) = 1", "E310"),
        ("AG T.b", "E212"),
        ("K(1) : AG p", "E103"),
    ],
)
def test_mistakes_in_formulas(formula, code):
    assert code in codes(PAIR.replace("FORMULA", formula))


def test_operators_take_no_parameters():
    assert "E103" in codes(PAIR.replace("FORMULA", "EF p").replace("T(", "P(").replace("Agent T", "Agent P"))


def specifications(formula: str) -> tuple[Specification, ...]:
    return Model.read(Source("m", PAIR.replace("FORMULA", formula))).interpreted.formulae


def test_labels_and_expectations():
    safe, live = specifications('safe : AG p; live : EF p expect n = 3 "it -- never starts"')
    assert (safe.entry.name, safe.entry.expected) == ("safe", None)
    assert (live.entry.name, live.entry.expected, live.entry.because) == (
        "live",
        "false",
        "it -- never starts",
    )
    told = specifications("for i : 1..n do told(i) : EF up(i) expect true; other : EF p expect unknown")
    assert [spec.entry.name for spec in told] == ["told(1)", "told(2)", "other"]
    assert [spec.entry.expected for spec in told] == ["true", "true", "unknown"]
    assert told[0].line == told[1].line == 16


def test_what_a_file_says_of_a_formula_goes_with_it_to_other_processes():
    for spec in specifications('a : forall i : 1..n (EF up(i)) expect true "so"; b : EF p'):
        there = pickle.loads(pickle.dumps(spec))
        assert (there, there.entry, there.copies) == (spec, spec.entry, spec.copies)


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        ("forall i : 1..n  -- all\n  (EF up(i))", "forall i : 1..n (EF up(i))"),
        ("for i : 1..n where i > 1 do AG (up(i) <-> T(i).x>0)", "AG (up(2) <-> T(2).x>0)"),
        ("p xor EF exists i : 1..n (up(i))", "p xor EF exists i : 1..n (up(i))"),
        ("EF T(n).x = 3", "EF T(2).x = 3"),
    ],
)
def test_quantified_formulas_are_shown_as_they_are_written(formula, written):
    model = Model.read(Source("m", PAIR.replace("FORMULA", formula)))
    assert model.formulae == (written,)
    (again,) = model.specifications([written])
    assert again == model.interpreted.formulae[0] and model.print(again) == written


def test_plain_files_with_labels_stay_plain():
    module = parse_ispl(Source("m", text(end='Formulae a : true expect false "no"; end Formulae')))
    assert isinstance(module, Module) and module.formulae[0].label.text == "a"


def test_questions_by_name_and_number():
    model = Model.read(Source("m", PAIR.replace("FORMULA", "for i : 1..n do told(i) : EF up(i); AG p")))
    assert [spec.entry.name for spec in model.specifications(["told"])] == ["told(1)", "told(2)"]
    assert [spec.entry.name for spec in model.specifications(["told(2)", "1"])] == ["told(2)", "told(1)"]
    (free,) = model.specifications(["EF T(n).x = 3"])
    assert print_specification(free) == "EF T(2).x = 3"


FOLDED = [
    "forall i : 1..n (i < n -> AG (T(i+1).x = 0 or up(i+1)))",
    "forall i : 1..n (i < n and up(i+1) -> up(i))",
    "exists i : 1..n (i = n or AG up(i+1))",
    "forall i : 1..n (i < n -> K(T(i+1), true))",
    "forall i : 1..n (!(i >= n) -> <T(i+1)>X true)",
    "forall i : 1..n (i < n -> GK({T(i), T(i+1)}, true))",
    "forall i : 1..n (i < n and T(i).GreenStates -> T(i+1).GreenStates)",
    "count i : 1..n (i < n and up(i+1)) = 0",
    "LTL G forall i : 1..n (i < n and T(i+1).Action = stay -> T(i+1).Action in {go, stay})",
]


@pytest.mark.parametrize("formula", FOLDED)
def test_what_folding_leaves_out_of_a_formula_may_be_missing(formula):
    """And without the condition that decides, it is an error."""
    assert codes(PAIR.replace("FORMULA", formula)) == []
    for guard in ("i < n", "i = n", "!(i >= n)"):
        formula = formula.replace(guard, "n = 2" if guard != "i = n" else "n = 1")
    assert codes(PAIR.replace("FORMULA", formula))[0] in ("E309", "E501")


def test_the_help_for_an_unknown_proposition_names_no_conditions():
    model = Model.read(Source("m", PAIR.replace("FORMULA", "AG T(1).x = 3")))
    with pytest.raises(InputError) as caught:
        model.specifications(["zzz"])
    assert "T(1).x" not in str(caught.value) and "up(1)" in str(caught.value)


# -- no word is reserved ----------------------------------------------------------------------------------

WORDS = [
    "Const", "Define", "array", "init", "forall", "exists", "sum", "count", "min", "max", "for", "abs", "mod",
    "xor", "in", "then", "else", "where", "do", "expect", "of", "unknown",
]  # fmt: skip
words = st.sampled_from(WORDS)


@st.composite
def old_texts(draw: st.DrawFn) -> str:
    """Plain models in which new words are names of everything."""
    x, y = draw(st.lists(words, min_size=2, max_size=2, unique=True))
    value, other = draw(st.lists(words, min_size=2, max_size=2, unique=True))
    act, rest = draw(st.lists(words, min_size=2, max_size=2, unique=True))
    name, p, q = draw(words), *draw(st.lists(words, min_size=2, max_size=2, unique=True))
    operand = draw(st.sampled_from([x, f"({x})", f"{x} + 1", f"-{x}"]))
    return f"""
    Agent Environment
      Obsvars: {p} : boolean; end Obsvars Vars: {q} : 0..2; end Vars
      Actions = {{{act}}};
      Evolution: {p} = true and {q} = {q} + 1 if {name}.Action = {act} and {q} < 2; end Evolution
    end Agent
    Agent {name}
      Lobsvars = {{{q}}};
      Vars: {x} : 0..3; {y} : {{{value}, {other}}}; end Vars
      RedStates: {x} = 1 or Environment.{p} = true or Environment.{q} = 0; end RedStates
      Actions = {{{act}, {rest}}};
      Protocol: {operand} > 1 and {y} = {value} : {{{act}}}; Other : {{{act}, {rest}}}; end Protocol
      Evolution: {x} = {operand} and ({y} = {other}) if Action = {act} and !({x} = 2 or {y} = {other});
      end Evolution
    end Agent
    Evaluation {p} if {name}.{x} = 1; {q} if {name}.{y} = {value}; end Evaluation
    InitStates {name}.{x} = 0; end InitStates
    Groups {q} = {{{name}}}; end Groups
    Fairness {p}; {p} or {q}; end Fairness
    Formulae AG ({p} -> EF {q}); K({name}, {p} or {q}); <{q}>F {p}; LTL G {p} U {q}; AF {p}; end Formulae
    """


@settings(max_examples=60, deadline=None)
@given(old_texts())
def test_new_words_are_names_in_old_texts(old):
    source = Source("old", old)
    module = parse_ispl(source)
    assert isinstance(module, Module)
    assert parse_ispl(Source("printed", print_module(module))) == module
    assert parse_ispl(Source("laid out", format_ispl(source))) == module


# -- fmt and the command line -------------------------------------------------------------------------------


@pytest.mark.parametrize("formula", ["LTL T(1).x < 2 U T(1).x > 1 expect false", "LDL <(T(1).x = 0);p>up(1)"])
def test_fmt_changes_no_token(formula):
    source = Source("m", PAIR.replace("FORMULA", formula))
    once = format_ispl(source)
    assert once.split() != [] and "".join(once.split()) == "".join(source.text.split())
    assert format_ispl(Source("m", once)) == once


@pytest.mark.parametrize(
    "formula", ["LDL [tt*]<tt*>!p", "LDL <p>[q]<tt*>p", "CTL* A (x U [tt;tt]p)", "LDL [p;(q + p)*]<g>F p"]
)
def test_programs_are_laid_out_as_ever(formula):
    assert f"  {formula};\n" in format_ispl(Source("m", f"Formulae {formula}; end Formulae"))


def test_expectations_decide_the_exit_status(tmp_path: Path):
    path = tmp_path / "m.ispl"
    path.write_text(PAIR.replace("FORMULA", 'a : EF up(1); b : AG p expect false "why"'))
    result = CliRunner().invoke(cli, ["check", str(path), "--evidence", "none"])
    assert result.exit_code == 0
    assert "2. FALSE   b : AG p" in result.output and "as expected: why" in result.output
    assert result.output.endswith("1 true, 1 false; all as expected\n")
    path.write_text(PAIR.replace("FORMULA", "a : AG up(1); b : EF p expect false"))
    result = CliRunner().invoke(cli, ["check", str(path), "--evidence", "none"])
    assert result.exit_code == 1 and "UNEXPECTED, false was expected" in result.output


def test_several_runs_are_one_table(tmp_path: Path):
    path = tmp_path / "m.ispl"
    path.write_text(PAIR.replace("FORMULA", "for i : 1..n do up_(i) : EF up(i); AG p"))
    result = CliRunner().invoke(cli, ["check", str(path), "-D", "n=1..2"])
    header, first, second, summary = result.output.splitlines()[1:]
    assert header.split() == ["n", "states", "up_", "#2", "#3", "seconds"]
    assert first.split()[0] == "1" and second.split()[2] == "true"
    assert "UNEXPECTED" in summary and result.exit_code == 1
