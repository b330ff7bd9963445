"""SEMANTICS, section 5, sentence by sentence: sets, arrays, lines, quantifiers."""

from __future__ import annotations

import pytest
from section5 import cell, codes, holds, read, states, wrong
from written_out import agent, lines

import knower
from knower.errors import InputError
from knower.syntax.printing import print_expression

# -- Sets --------------------------------------------------------------------------------------------------

MANY = """
Const n = 3;
Agent Environment
  Vars: mud : array 1..n of boolean init false; z : boolean init false; end Vars Actions = {t};
end Agent
Agent T(i : 1..n)
  Lobsvars = {LOBS};
  Vars: c : {none, of(j) | j : 1..n where j != i} init none; end Vars
  Actions = {wait, call(j), wait | j : 1..n where j != i};
  Protocol: Other : {call(j) | j : 1..n where j != i}; end Protocol
  Evolution: for j : 1..n where j != i do c = of(j) if T(j).Action in {call(i)}; end Evolution
end Agent
Groups g = {T(i), T(i) | i : 1..n}; none = {T(i) | i : 1..0}; end Groups
"""


def many(observed: str = "mud[i], z") -> str:
    return MANY.replace("LOBS", observed)


def test_sets_are_united_in_order_of_occurrence_duplicates_merged():
    made = agent(many())
    assert [each.text for each in made.actions] == ["wait", "call(1)", "call(2)"]
    assert [each.text for each in made.vars[0].type.values] == ["none", "of(1)", "of(2)"]
    assert [each.text for each in made.protocol[0].actions] == ["call(1)", "call(2)"]
    assert read(many()).interpreted.groups["g"] == ("T(1)", "T(2)", "T(3)")


@pytest.mark.parametrize(
    ("observed", "seen"),
    [
        ("mud[i], z", {"mud[3]", "z"}),
        ("mud", {"mud[1]", "mud[2]", "mud[3]"}),
        ("mud[j] | j : 1..n where j != i", {"mud[1]", "mud[2]"}),
        ("mud[j], z | j : {1}", {"mud[1]", "z"}),
        ("", set()),
    ],
)
def test_an_array_without_index_in_lobsvars_means_all_elements(observed, seen):
    last = read(many(observed)).interpreted.agents[-1]
    assert {name for owner, name in last.observes if owner == "Environment"} == seen


def test_an_element_outside_is_an_error():
    assert codes(many("mud[i + 1]")) == ["E309"]


def test_groups_in_place_hold_agents_and_an_empty_coalition_is_legal():
    model = many()
    assert (
        holds(model, "<{T(i) | i : 1..n}>X true")
        and holds(model, "<>X true")
        and holds(model, "<none>X true")
    )
    assert holds(model, "GK({T(1), T(2)}, true)")
    for formula in ("GK({g}, true)", "<T(1), g>X true"):
        with pytest.raises(InputError, match="E201"):
            read(model).specifications([formula])


@pytest.mark.parametrize("operator", ["GK", "GCK", "DK"])
@pytest.mark.parametrize("group", ["{}", "none", "{T(i) | i : 1..0}"])
def test_an_empty_group_knows_nothing(operator, group):
    with pytest.raises(InputError, match="E409"):
        read(many()).specifications([f"{operator}({group}, true)"])


# -- Arrays ------------------------------------------------------------------------------------------------

ARRAY = "a : array 1..2 of boolean init true; i : 0..3 init 0; n : array 1..2 of 1..3 init 2;"


@pytest.mark.parametrize(
    ("evolution", "code"),
    [
        ("a = true if b;", "E213"),
        ("b = a if b;", "E213"),
        ("b = true if a;", "E213"),
        ("x[1] = 1 if b;", "E213"),
        ("b = (x[1] = 1) if b;", "E213"),
        ("b = a[1, 2] if b;", "E213"),
        ("q[1] = 1 if b;", "E202"),
    ],
)
def test_elements_only_never_wholes(evolution, code):
    assert code in codes(cell(evolution, variables=ARRAY))


def test_an_index_from_the_state_needs_the_right_to_read_every_element():
    model = """
    Agent Environment Vars: mud : array 1..2 of boolean init true; end Vars Actions = {t}; end Agent
    Agent T Lobsvars = {LOBS}; Vars: i : 1..2 init 1; end Vars Actions = {a};
    Protocol: Environment.mud[i] : {a}; end Protocol end Agent"""
    assert codes(model.replace("LOBS", "mud")) == []
    assert codes(model.replace("LOBS", "mud[1]")) == ["E204"]


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("A.a[A.i]", False),
        ("!A.a[A.i]", True),
        ("A.a[A.i] = true", False),
        ("A.a[A.i] != true", False),
        ("!(A.a[A.i] = true)", True),
        ("!(A.a[A.i] != true)", True),
        ("A.n[A.i] < 9", False),
        ("A.n[A.i] >= 0", False),
        ("A.n[A.i] in 1..3", False),
        ("!(A.n[A.i] in 1..3)", True),
        ("A.a[A.n[1]]", True),
        ("A.n[A.n[1]] = 2", True),
        ("4 / A.x = 4", False),
        ("4 / A.x != 4", False),
        ("4 % A.x = 0", False),
        ("A.a[A.i] <-> false", True),
        ("A.a[A.i] -> false", True),
        ("count k : 0..3 (k > 0 and k < 3 and A.a[k]) = 2", True),
        ("(if A.x = 0 then A.x else 4 / A.x) = 0", True),
        ("A.x <> 0 and 4 / A.x = 4", False),
    ],
)
def test_outside_the_range_the_innermost_comparison_is_false(condition, value):
    assert holds(cell(variables=ARRAY), condition) is value
    proposition = cell(variables=ARRAY, end=f"Evaluation p if {condition}; end Evaluation")
    assert holds(proposition, "p") is value


@pytest.mark.parametrize(
    ("evolution", "overflows"),
    [
        ("b = a[i] if true;", True),
        ("x = n[i] if true;", True),
        ("x = 1 % i if true;", True),
        ("b = true if a[i];", True),
        ("b = true if 4 / x = 4;", True),
        ("b = true if x <> 0 and 4 / x = 4;", False),
        ("b = true if x = 0 or 4 / x = 4;", False),
        ("b = true if 4 / x = 4 and x <> 0;", True),
        ("x = (if x = 0 then 1 else 3 / x) if true;", False),
        ("x = (if x = 0 then 4 / x else 1) if true;", True),
        ("b = (a[i] = true) if true;", True),
        ("a[i] = false if true;", True),
        ("a[i] = false if i > 0;", False),
        ("a[i + 1] = false if true;", False),
    ],
)
def test_it_is_reported_only_where_evaluation_reaches_it(evolution, overflows):
    """And `expand` refuses just these, division apart, which plain ISPL has."""
    model = cell(evolution, variables=ARRAY)
    warned = {each.code for each in knower.loads(model).check("true").warnings}
    assert ("overflow" in warned) is overflows


def test_an_element_by_the_state_is_a_line_for_each():
    variables = "x : 0..3; y : 0..3; b : boolean; a : array 1..2 of boolean;"
    assert lines("a[y] = b if x = 1;", variables=variables) == [
        "a[1] = b if x = 1 and y = 1",
        "a[2] = b if x = 1 and y = 2",
        "a[1] = undefined if x = 1 and !(y = 1 or y = 2)",
    ]


@pytest.mark.parametrize(("semantics", "count"), [("MultiAssignment", 2), ("SingleAssignment", 1)])
def test_no_element_is_an_overflow_of_the_line(semantics, count):
    """In SingleAssignment the overflow is a group of its own: no successor, whatever other lines do."""
    top = f"Semantics = {semantics};"
    assert states(cell("a[i] = false if true; x = 1 if Action = go;", variables=ARRAY, top=top)) == count


def test_two_assignments_to_one_element_in_one_line_overflow():
    variables = "a : array 1..2 of boolean init false; i : 1..2 init 1; j : 1..2 init in 1..2;"
    model = cell("a[i] = true and a[j] = true if !a[1];", variables=variables)
    assert holds(model, "A.i = A.j -> AG !A.a[1]") and holds(model, "A.i != A.j -> EF (A.a[1] and A.a[2])")
    same = cell("a[1] = true and a[1] = false if b;", variables=variables)
    assert codes(same) == ["E407"]


# -- Lines -------------------------------------------------------------------------------------------------


def test_for_writes_the_line_once_per_value_and_one_is_taken():
    variables = "a : array 1..2 of boolean init false;"
    model = cell("for k : 1..2 do a[k] = true if !a[k];", variables=variables)
    assert (
        states(model) == 4
        and holds(model, "EX (A.a[1] and !A.a[2])")
        and not holds(model, "EX (A.a[1] and A.a[2])")
    )
    single = cell("for k : 1..2 do a[k] = true if !a[k];", variables=variables, top="Semantics = SA;")
    assert states(single) == 2 and holds(single, "AX (A.a[1] and A.a[2])")


def test_in_fairness_each_is_a_constraint():
    model = cell(
        "b = !b if true;", end="Evaluation for k : 0..1 do p(k) if A.b <-> k = 1; end Evaluation"
        " Fairness for k : 0..1 do p(k); end Fairness",
    )  # fmt: skip
    assert len(read(model).interpreted.fairness) == 2


@pytest.mark.parametrize("semantics", ["MultiAssignment", "SingleAssignment"])
def test_forall_among_assignments_is_simultaneous(semantics):
    model = cell(
        "forall k : 1..2 (a[k] = a[3 - k]) if true;", variables="a : array 1..2 of boolean;",
        top=f"Semantics = {semantics};", end="InitStates A.a[1] and !A.a[2]; end InitStates",
    )  # fmt: skip
    assert states(model) == 2 and holds(model, "AX (!A.a[1] and A.a[2])")


def test_forall_over_nothing_is_left_out_and_a_line_without_assignment_is_dropped():
    variables = "x : 0..3; b : boolean; a : array 1..2 of boolean;"
    assert lines("forall k : 1..0 (a[k] = b) and x = 1 if b;", variables=variables) == ["x = 1 if b"]
    assert lines("forall k : 1..0 (a[k] = b) if b; x = 2 if b;", variables=variables) == ["x = 2 if b"]


def test_other_takes_no_for_and_a_protocol_that_loses_all_lines_is_an_error():
    assert "E406" in codes(cell(protocol="for k : 1..2 do Other : {go};"))
    assert codes(cell(protocol="for k : 1..0 do x = k : {go};")) == ["E412"]
    assert codes(cell(protocol="for k : 1..0 do x = k : {go}; x = 0 : {go};")) == []


# -- Quantifiers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("forall k : 1..0 (A.b)", True),
        ("exists k : 1..0 (A.b)", False),
        ("sum k : 1..0 (A.x) = 0", True),
        ("count k : 1..0 (A.b) = 0", True),
        ("sum k : 1..3 (k * A.x) = 0", True),
        ("count k : 1..3 (A.x < k) = 3", True),
        ("min k : 1..3 (k - A.x) = 1", True),
        ("max k : 1..3 (k - A.x) = 3", True),
        ("forall k : 1..3, m : 1..3 where k < m (k - m < A.x)", True),
    ],
)
def test_quantifiers(condition, value):
    assert holds(cell(), condition) is value
    assert holds(cell(end=f"Evaluation p if {condition}; end Evaluation"), "p") is value


@pytest.mark.parametrize("word", ["min", "max"])
def test_the_least_of_nothing_is_an_error(word):
    assert codes(cell(f"b = true if {word} k : 1..0 (x) = 1;")) == ["E310"]


@pytest.mark.parametrize("body", ["AX A.b", "K(A, A.b)", "<A>X A.b", "A.b U A.b"])
def test_in_formulas_count_has_no_modal_operators(body):
    model = cell(end="Groups g = {A}; end Groups")
    with pytest.raises(InputError):
        read(model).specifications([f"count k : 1..2 ({body}) = 1"])


def test_in_formulas_forall_takes_formulas_and_count_propositions():
    model = cell("b = true if true;", end="Evaluation for k : 1..2 do p(k) if A.b; end Evaluation")
    assert holds(model, "forall k : 1..2 (AX p(k))") and holds(model, "exists k : 1..2 (K(A, !p(k)))")
    assert holds(model, "AX count k : 1..2 (p(k)) = 2")


def test_sums_stay_sums():
    """Thirty bits are thirty operands, not a case split."""
    model = cell("x = 1 if sum k : 1..30 (a[k]) = 7;", variables="a : array 1..30 of 0..1 init 0;")
    (line,) = read(model).module.agents[0].evolution
    assert len(print_expression(line.condition.expr)) < 300


def test_a_sum_of_conditions_is_a_mistake_even_of_one():
    assert wrong(cell("x = sum k : 1..1 (b) if true;")) and wrong(cell("x = 1 if sum k : 1..1 (b) = 1;"))
