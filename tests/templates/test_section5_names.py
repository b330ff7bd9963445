"""SEMANTICS, section 5, sentence by sentence: old files, static expressions, names, constants, instances."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from section5 import cell, codes, explicit, holds, read, states, wrong

from knower.cli.main import cli
from knower.errors import KnowerError

# -- Old files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["Const", "Define", "array", "init", "for", "if_", "where", "do", "expect"])
def test_no_word_is_reserved(word):
    """Each is a variable, a value, an action, a proposition and a group."""
    model = f"""
    Agent A Vars: {word} : {{{word}, other}}; end Vars Actions = {{{word}, rest}};
    Protocol: {word} = other : {{{word}}}; Other : {{rest}}; end Protocol
    Evolution: {word} = other if {word} = other and Action = {word}; end Evolution end Agent
    Evaluation {word} if A.{word} = other; end Evaluation
    InitStates A.{word} = other; end InitStates
    Groups {word} = {{A}}; end Groups
    Formulae {word}; AG {word}; <{word}>X {word}; GK({word}, {word}); end Formulae"""
    assert all(
        explicit(model).check(spec).verdict.value == "true" for spec in read(model).interpreted.formulae
    )


@pytest.mark.parametrize("word", ["mod", "xor", "in", "then", "else", "where", "do", "expect"])
def test_if_both_readings_fit_the_old_one_wins(word):
    """A name behind `=` is a name; in parentheses one may be followed by the operator."""
    model = f"""Agent A Vars: x : {{{word}, no}}; end Vars
    Evolution: x = {word} if x = {word}; end Evolution end Agent InitStates A.x = no; end InitStates"""
    assert codes(model) == []


def test_a_proposition_called_xor_stands_in_parentheses():
    model = cell(end="Evaluation xor if A.x = 0; q if A.b; end Evaluation")
    assert holds(model, "xor")
    assert holds(model, "(xor) xor q")


def test_strings_are_one_line_and_dashes_inside_are_text():
    end = 'Formulae a : AG A.x = 0 expect true "so -- it is"; end Formulae'
    assert read(cell(end=end)).interpreted.formulae[0].entry.because == "so -- it is"
    assert codes(cell(end=end.replace("so", "so\n"))) != []


# -- Static ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bound", "high"),
    [
        ("n", 3),
        ("n + 1", 4),
        ("n * n % 4", 1),
        ("max(n, 5)", 5),
        ("abs(-n)", 3),
        ("(if even then 2 else 4)", 4),
        ("sum i : 1..n (i)", 6),
        ("count i : 1..n (i > 1)", 2),
        ("min i : 1..n (10 - i)", 7),
        ("6 / 2", 3),
    ],
)
def test_static_expressions(bound, high):
    model = f"Const n = 3; Const even = n % 2 = 0; Agent A Vars: x : 0..{bound}; end Vars end Agent"
    assert states(model) == high + 1


def test_static_expressions_use_values_of_enumerations_in_init_sets_and_arguments():
    model = """
    Const hues = {red, green};
    Agent Lamp(h : hues)
      Vars: shown : {off, of(g) | g : hues} init of(h); end Vars
      Actions = {none};
    end Agent"""
    assert holds(model, "Lamp(red).shown = of(red) and Lamp(green).shown = of(green)")


@pytest.mark.parametrize("what", ["y : 0..x;", "y : 0..3 init x;", "y : array 0..x of boolean;"])
def test_bounds_and_init_are_static(what):
    assert codes(cell(variables=what)) == ["E211"]


def test_where_and_arguments_are_static_and_an_index_may_read_the_state():
    assert codes(cell("x = 1 if exists i : 1..2 where x > 1 (b);")) == ["E211"]
    many = "Agent T(i : 0..3) Vars: y : 0..3; end Vars Actions = {a}; end Agent"
    assert codes(many + cell(end="Evaluation p if T(A.x).y = 1; end Evaluation")) != []
    array = "a : array 0..3 of boolean init true;"
    assert holds(cell(variables=array), "A.a[A.x]")


def test_a_parenthesis_behind_a_name_is_no_call_in_static_expressions():
    assert holds(cell(top="Const n = 2;"), "forall i : 1..n (A.x < i)")
    assert holds(cell(top="Const n = 2;"), "forall i : 1..max(n, 3) (A.x < i)")
    assert holds(cell(top="Const s = {red};"), "forall i : s (A.c = i)")


# -- Names -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        cell(top="Const x = 1;"),
        cell(top="Const A = 1;"),
        cell(top="Const p = 1;", end="Evaluation p if A.b; end Evaluation"),
        cell(top="Const g = 1;", end="Groups g = {A}; end Groups"),
        cell(top="Const f = 1;", end="Formulae f : true; end Formulae"),
        "Const i = 1; Agent T(i : 1..2) Actions = {a}; end Agent",
        "Agent T(i : 1..2) Vars: i : boolean; end Vars Actions = {a}; end Agent",
        "Agent T(i : 1..2, i : 1..2) Actions = {a}; end Agent",
        cell("x = 1 if exists x : 1..2 (b);"),
        cell("for x : 1..2 do b = true if c = red;"),
        cell("x = 1 if exists i : 1..2 (exists i : 1..2 (x = i));"),
        cell(define="Define d = 1;", evolution="x = 1 if exists d : 1..2 (x = d);"),
        cell(end="Evaluation for A : 1..2 do p(A) if true; end Evaluation"),
        cell(end="Evaluation p if A.b; end Evaluation Formulae forall p : 1..2 (A.x = p); end Formulae"),
    ],
)
def test_no_shadowing(model):
    assert "E210" in codes(model)


@pytest.mark.parametrize("word", ["K", "A", "G", "O", "U", "AG", "GCK"])
def test_operator_words_take_no_parameters(word):
    assert codes(f"Agent {word}(i : 1..2) Actions = {{a}}; end Agent") == ["E103"]
    assert codes(cell(end=f"Evaluation {word}(1) if A.b; end Evaluation")) != []
    assert codes(cell(end=f"Formulae {word}(1) : true; end Formulae")) != []


def test_labels_and_propositions_share_one_name_space():
    end = "Evaluation p if A.b; end Evaluation Formulae p : true; end Formulae"
    assert codes(cell(end=end)) == ["E404"]


def test_behind_action_a_name_is_an_action_if_the_agent_has_one():
    assert holds(cell("x = 1 if Action = go;", variables="go : boolean;"), "EX A.x = 1")
    assert holds(cell("x = 1 if Action <> go;", variables="go : boolean;"), "EX A.x = 1")
    last = cell("x = 1 if Action = last;", top="Const choices = {go}; ").replace("Agent A", "Agent A_")
    assert "E2" in codes(last)[0] or "E3" in codes(last)[0]
    bound = cell("x = 1 if exists last : {go} (Action = last);")
    assert holds(bound, "EX A.x = 1")


# -- Constants ---------------------------------------------------------------------------------------------

CONSTANTS = """
Const n = 2 where n >= 1;
Const m = n + 1 where m < 9;
Const flag = false;
Const hues = {red, green};
Agent T(i : 1..n) Vars: x : 0..m; c : hues; f : boolean init flag; end Vars Actions = {a}; end Agent
"""


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ({}, 4 * 4 * 2 * 2),
        ({"n": 1}, 3 * 2),
        ({"m": 0}, 4),
        ({"m": "n + 3", "n": 1}, 5 * 2),
        ({"hues": "{red}", "n": 1}, 3),
        ({"hues": ("red", "green", "blue"), "n": 1}, 9),
        ({"flag": True, "n": 1}, 6),
    ],
)
def test_a_constant_is_given_a_value_of_its_type_and_later_ones_follow(given, count):
    assert states(CONSTANTS, **given) == count


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"n": True}, "E615"),
        ({"flag": 1}, "E615"),
        ({"hues": 1}, "E615"),
        ({"k": 1}, "E615"),
        ({"n": 0}, "E411"),
        ({"n": 8}, "E411"),
        ({"n": "x"}, "E211"),
        ({"n": "2 +"}, "E103"),
        ({"n": "1/2"}, "E308"),
    ],
)
def test_a_constant_that_does_not_fit_is_an_error(given, code):
    with pytest.raises(KnowerError) as caught:
        read(CONSTANTS, **given)
    assert code in str(getattr(caught.value, "code", "")) + str(caught.value)


def test_one_const_each():
    assert codes("Const n = 1; Const n = 2;" + cell()) == ["E404"]
    assert codes("Const n = a;" + cell()) == ["E211"]


def test_a_range_is_one_run_each_and_one_table(tmp_path):
    path = tmp_path / "m.ispl"
    path.write_text(CONSTANTS + "Formulae small : forall i : 1..n (T(i).x <= 3) expect m <= 3; end Formulae")
    done = CliRunner().invoke(cli, ["check", str(path), "-D", "n=1..3", "--no-lint"])
    rows = [line.split()[:3] for line in done.output.splitlines()[2:5]]
    assert rows == [["1", "6", "true"], ["2", "64", "true"], ["3", "1000", "false"]]
    assert done.exit_code == 0


# -- Instances ---------------------------------------------------------------------------------------------


def test_instances_stand_in_the_templates_place_first_parameter_slowest():
    acts = "Actions = {a}; end Agent"
    model = f"Agent B {acts} Agent T(i : 1..2, j : {{p, q}}) {acts} Agent C {acts}"
    names = [agent.name for agent in read(model).interpreted.agents]
    assert names == ["B", "T(1,p)", "T(1,q)", "T(2,p)", "T(2,q)", "C"]


def test_the_environment_has_no_parameters_and_an_empty_range_makes_none():
    assert codes("Agent Environment(i : 1..2) Actions = {a}; end Agent" + cell()) == ["E405"]
    model = "Agent T(i : 1..0) Actions = {a}; end Agent" + cell()
    assert [agent.name for agent in read(model).interpreted.agents] == ["A"]


ROW = """
Const n = 3;
Agent Child(i : 1..n)
  Vars: x : 0..1 init 0; end Vars Actions = {a, b};
  Evolution: x = 1 if GUARD; end Evolution
end Agent"""


@pytest.mark.parametrize(
    "guard",
    [
        "x = 0 and i < n and Child(i+1).Action = a",
        "i < n and (Child(i+1).Action = a or x = 1)",
        "!(i < n -> Child(i+1).Action = b)",
        "i = n or Child(i+1).Action = a",
        "(if i < n then Child(i+1).Action = a else x = 0)",
        "exists j : 1..n (j = i + 1 and Child(j).Action = a)",
    ],
)
def test_what_folding_leaves_out_is_resolved_not_evaluated(guard):
    assert codes(ROW.replace("GUARD", guard)) == []


@pytest.mark.parametrize("guard", ["Child(i+1).Action = a", "x = 0 and Child(i+1).Action = a"])
def test_an_argument_outside_its_range_is_an_error(guard):
    assert wrong(ROW.replace("GUARD", guard)) == ["E309 there is no agent `Child(4)` (in Child(3))"]


@pytest.mark.parametrize(
    "guard", ["i < 0 and Nobody(i).Action = a", "i < 0 and z = 1", "i < 0 and Child(i).z = 1"]
)
def test_what_is_left_out_is_still_resolved(guard):
    assert codes(ROW.replace("GUARD", guard)) != []


def test_an_error_shared_by_instances_is_reported_once():
    (found,) = wrong(ROW.replace("GUARD", "z = 1"))
    assert "(in Child(1) and 2 more)" in found
