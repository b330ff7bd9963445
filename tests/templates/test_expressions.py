"""Expressions of SEMANTICS, section 5, written out."""

from __future__ import annotations

import pytest
from written_out import agent, codes, condition, errors, lines, text, value, written_out

CONSTANTS = "Const n = 3; Const flag = true; Const hues = {red, green};"


@pytest.mark.parametrize(
    ("expression", "plain"),
    [
        ("x = n - 1", "x = 2"),
        ("x % 2 = 1 and flag", "x % 2 = 1"),
        ("x mod 2 = 1", "x % 2 = 1"),
        ("b xor x = 1", "b xor x = 1"),
        ("x = 1 -> y = 1 -> b", "x = 1 -> y = 1 -> b"),
        ("x = 1 <-> y = 1", "x = 1 <-> y = 1"),
        ("b = !b", "b = (!b)"),
        ("x in {1, n}", "x = 1 or x = 3"),
        ("x in 1..n", "1 <= x and x <= 3"),
        ("x in {}", "false"),
        ("c in hues", "c = red or c = green"),
        ("Action in {go, stay}", "Action = go or Action = stay"),
        ("forall i : 1..n (x != i)", "x != 1 and x != 2 and x != 3"),
        ("exists i : {0, 2} (x = i)", "x = 0 or x = 2"),
        ("forall i : 1..0 (x = i)", "true"),
        ("exists i : 1..0 (x = i)", "false"),
        ("exists i : 1..n, j : 1..n where i < j and i + j = 4 (x = i and y = j)", "x = 1 and y = 3"),
        ("exists h : hues (c = h)", "c = red or c = green"),
        ("count i : 1..2 (x = i) = 1", "(if x = 1 then 1 else 0) + (if x = 2 then 1 else 0) = 1"),
        ("sum i : 1..0 (x) = 0", "true"),
        ("n % 2 = 1", "true"),
        ("(n = 3 or x = 1) and b", "b"),
    ],
)
def test_conditions(expression, plain):
    assert condition(expression, top=CONSTANTS) == plain


@pytest.mark.parametrize(
    ("expression", "plain"),
    [
        ("sum i : 1..2 (i * y)", "1 * y + 2 * y"),
        ("min(x, y, 1)", "min(min(x, y), 1)"),
        ("max i : 0..1 (x - i)", "max(x - 0, x - 1)"),
        ("abs(x - y)", "abs(x - y)"),
        ("if x = 1 then y else 0", "if x = 1 then y else 0"),
        ("(if n = 3 then y else x) + 1", "y + 1"),
        ("-7 % n", "2"),
        ("7 / 2", "7 / 2"),
        ("6 / 2", "3"),
    ],
)
def test_values(expression, plain):
    assert value(expression, top=CONSTANTS) == plain


ARRAY = "x : 0..3; y : 0..3; b : boolean; a : array 1..3 of boolean;"


@pytest.mark.parametrize(
    ("expression", "plain"),
    [
        ("a[2]", "a[2]"),
        ("exists i : 1..3 (a[i])", "a[1] or a[2] or a[3]"),
        ("a[x]", "if x = 1 then a[1] else if x = 2 then a[2] else if x = 3 then a[3] else undefined"),
        ("x = 0 and 2 > 3 and a[9]", "false"),
        ("a[9] and 2 > 3", "false"),
        ("2 < 3 or a[9]", "true"),
        ("2 > 3 -> a[9]", "true"),
        ("(if 2 < 3 then b else a[9])", "b"),
        ("forall i : 1..5 (i <= 3 -> a[i])", "a[1] and a[2] and a[3]"),
    ],
)
def test_arrays(expression, plain):
    found = condition(expression, variables=ARRAY).replace("(", "").replace(")", "")
    assert found == plain


@pytest.mark.parametrize("expression", ["a[4]", "x = 1 and a[4]", "a[0] or b", "exists i : 1..4 (a[i])"])
def test_outside_of_an_array(expression):
    (found,) = errors(text(variables=ARRAY, evolution=f"x = 1 if {expression};"))
    assert found.code == "E309" and "`a` has no element" in found.message


def test_an_assigned_element():
    assert lines("a[2] = true if b;", variables=ARRAY) == ["a[2] = true if b"]
    assert lines("a[y] = b if x = 1;", variables=ARRAY) == [
        "a[1] = b if x = 1 and y = 1",
        "a[2] = b if x = 1 and y = 2",
        "a[3] = b if x = 1 and y = 3",
        "a[1] = undefined if x = 1 and !(y = 1 or y = 2 or y = 3)",
    ]


def test_an_index_that_cannot_leave_its_range_has_no_overflow():
    within = "x : 0..3; y : 1..3; b : boolean; a : array 1..3 of boolean;"
    assert len(lines("a[y] = b if x = 1;", variables=within)) == 3


def test_an_element_that_is_assigned_twice_as_the_state_has_it():
    found = lines("a[y] = true and a[2] = false if b;", variables=ARRAY)
    assert found[:3] == [
        "a[1] = true and a[2] = false if b and y = 1",
        "a[2] = undefined if b and y = 2",
        "a[3] = true and a[2] = false if b and y = 3",
    ]


def test_all_elements_at_once():
    together = ["a[1] = b and a[2] = b and a[3] = b if x = 0"]
    assert lines("forall i : 1..3 (a[i] = b) if x = 0;", variables=ARRAY) == together
    assert lines("forall i : 1..0 (a[i] = b) if x = 0;", variables=ARRAY) == []
    assert lines("forall i : 1..0 (a[i] = b) and y = 1 if x = 0;", variables=ARRAY) == ["y = 1 if x = 0"]
    alone = [f"a[{i}] = b if x = 0" for i in (1, 2, 3)]
    single = "Semantics = SingleAssignment;"
    assert lines("forall i : 1..3 (a[i] = b) if x = 0;", variables=ARRAY, top=single) == alone


def test_a_line_for_each_value():
    assert lines("for i : 1..2 do a[i] = true if x = i;", variables=ARRAY) == [
        "a[1] = true if x = 1",
        "a[2] = true if x = 2",
    ]


def test_actions_come_first_behind_action():
    names = "Const go = 2;"
    assert condition("Action = go and x = last", top="Const last = 2;") == "Action = go and x = 2"
    assert condition("forall a : {go, stay} (Action != a)") == "Action != go and Action != stay"
    assert codes(text(top=names)) == ["E308"]  # `Actions = {go, stay}` lists a number then


def test_actions_and_values_with_arguments():
    made = agent(
        "Const n = 2; Agent T(i : 1..n) Vars: last : {none, from(j) | j : 1..n} init none; end Vars\n"
        "Actions = {wait, call(j) | j : 1..n where j != i};\n"
        "Protocol: Other : {wait, call(n - i + 1)}; end Protocol\n"
        "Evolution: for j : 1..n do last = from(j) if T(j).Action = wait and j != i; end Evolution end Agent"
    )
    assert [name.text for name in made.actions] == ["wait", "call(1)"]
    assert made.protocol[0].actions == made.actions
    assert [each.text for each in made.vars[0].type.values] == ["none", "from(1)", "from(2)"]
    assert len(made.evolution) == 2


def test_init_is_added_to_the_initial_states():
    variables = "x : 0..3 init 2; y : 0..3 init in 1..2; a : array 1..2 of boolean init false;"
    module = written_out(text(variables=variables, end="InitStates A.x < 3; end InitStates"))
    from knower.syntax.printing import print_expression

    assert print_expression(module.initial.expr) == (
        "A.x < 3 and A.x = 2 and (A.y = 1 or A.y = 2) and A.a[1] = false and A.a[2] = false"
    )


def test_defines():
    more = "Define twice = x + x; Define big = twice > n;"
    assert condition("big and b", top="Const n = 3;", more=more) == "x + x > 3 and b"
    module = written_out(text(more="Define odd = x % 2 = 1;", end="Evaluation o if A.odd; end Evaluation"))
    from knower.syntax.printing import print_expression

    assert print_expression(module.evaluation[0].condition.expr) == "A.x % 2 = 1"


@pytest.mark.parametrize(
    ("code", "model"),
    [
        ("E210", text(top="Const x = 1;")),
        ("E210", text(more="Define x = 1;")),
        ("E210", text(evolution="x = 1 if exists y : 1..2 (x = y);")),
        ("E210", text(evolution="x = 1 if exists i : 1..2 (forall i : 1..2 (x = i));")),
        (
            "E210",
            text(
                end="Evaluation p if A.b; end Evaluation Formulae forall p : 1..2 (EF A.x = p); end Formulae"
            ),
        ),
        ("E406", text(protocol="for i : 1..2 do Other : {go};")),
        ("E404", text(top="Const n = 1; Const n = 2;")),
        ("E405", "Agent Environment(i : 1..2) end Agent"),
        (
            "E309",
            "Agent T(i : 1..2) Actions = {a}; end Agent Groups g = {T(3)}; end Groups",
        ),
        ("E212", "Agent T(i : 1..2) Actions = {a}; end Agent Groups g = {T}; end Groups"),
        ("E404", text(end="Evaluation p if A.b; end Evaluation Formulae p : EF A.b; end Formulae")),
        ("E404", text(end="Formulae p : EF A.b; p : AG A.b; end Formulae")),
        ("E308", text(variables="x : 0..7/2;")),
        ("E409", text(end="Formulae GK({}, A.b); end Formulae")),
    ],
)
def test_mistakes(code, model):
    assert code in codes(model)


def test_an_error_says_for_which_instance_and_once():
    model = (
        "Const n = 3; Agent T(i : 1..n) Vars: x : 0..3; end Vars Actions = {a}; Protocol: Other : {a};"
        " end Protocol\nEvolution: x = 1 if T(i + 1).Action = a; end Evolution end Agent"
    )
    (found,) = errors(model)
    assert found.code == "E309" and found.message == "there is no agent `T(4)` (in T(3))"
    (found,) = errors(model.replace("T(i + 1).Action = a", "z = 1"))
    assert "(in T(1) and 2 more)" in found.message and found.line == 2
    assert found.source.text[found.span.start : found.span.end] == "z"


def test_a_row_and_its_end():
    model = (
        "Const n = 3; Agent T(i : 1..n) Vars: x : 0..3; end Vars Actions = {a}; Protocol: Other : {a};"
        " end Protocol Evolution: x = 1 if x = 0 and i < n and T(i + 1).Action = a; end Evolution end Agent"
    )
    assert codes(model) == []


def test_reading_rights_are_checked_after_folding():
    model = """
    Const n = 2;
    Agent Environment Vars: mud : array 1..n of 0..1; end Vars Actions = {t}; end Agent
    Agent C(i : 1..n)
      Lobsvars = {mud[j] | j : 1..n where j != i};
      Actions = {yes, no};
      Protocol: exists j : 1..n (j != i and Environment.mud[j] = 1) : {yes}; Other : {no}; end Protocol
    end Agent"""
    assert codes(model) == []
    assert codes(model.replace("j != i and ", "")) == ["E204"]
    assert codes(model.replace("{mud[j] | j : 1..n where j != i}", "{mud}")) == []


def test_constants_from_outside():
    model = text(
        top="Const n = 2 where n > 0; Const m = 2 * n; Const s = {red};", variables="x : 0..m; b : boolean;"
    )
    assert agent(model).vars[0].type.high == 4
    assert agent(model, n=3).vars[0].type.high == 6
    assert agent(model, m="n + 1").vars[0].type.high == 3
    assert codes(model, n=0) == ["E411"]
    assert codes(model, n=True) == codes(model, k=1) == codes(model, s=1) == ["E615"]
