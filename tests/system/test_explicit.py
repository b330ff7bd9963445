"""What a step does, sentence by sentence, on models small enough to do by hand."""

from __future__ import annotations

import re

import pytest

from knower.model import Model
from knower.source import Source
from knower.syntax import tree
from knower.syntax.ispl import parse_ispl
from knower.system.elaborate import elaborate
from knower.system.explicit import Explicit, Overflow
from knower.system.expressions import JointAction, State

# -- models in a few words ------------------------------------------------------------------------


def agent(
    name: str = "A",
    variables: str = "x : 0..3;",
    *,
    obsvars: str = "",
    lobsvars: str = "",
    red: str = "",
    actions: str = "a, b",
    protocol: str = "",
    evolution: str = "",
) -> str:
    """One agent; without a protocol all its actions are enabled."""
    sections = [
        f"Obsvars: {obsvars} end Obsvars" if obsvars else "",
        f"Vars: {variables} end Vars" if variables else "",
        f"Lobsvars = {{{lobsvars}}};" if lobsvars else "",
        f"RedStates: {red}; end RedStates" if red else "",
        f"Actions = {{{actions}}};",
        f"Protocol: {protocol} end Protocol" if protocol else "",
        f"Evolution: {evolution} end Evolution" if evolution else "",
    ]
    return "\n  ".join([f"Agent {name}", *filter(None, sections)]) + "\nend Agent"


def explicit(
    *agents: str, semantics: str = "MultiAssignment", evaluation: str = "", initial: str = ""
) -> Explicit:
    text = f"Semantics = {semantics};\n" + "\n".join(agents)
    text += f"\nEvaluation {evaluation} end Evaluation"
    text += f"\nInitStates {initial}; end InitStates" if initial else ""
    source = Source("test.ispl", text)
    return Explicit(Model.read(source).interpreted)


def after(system: Explicit, state: State, *joint: str | None) -> set[State]:
    """Where a joint action leads from a state."""
    return set(system.successors(state, joint))


def overflows(system: Explicit, state: State, *joint: str | None) -> list[str]:
    return [overflow.what for overflow in system.overflows(state, joint)]


def evolves(
    evolution: str,
    state: State,
    *,
    variables: str = "x : 0..3; y : 0..3;",
    action: str = "a",
    semantics: str = "MA",
) -> set[State]:
    """The next states of an agent with variables `x` and `y`, by its evolution."""
    system = explicit(agent(variables=variables, evolution=evolution), semantics=semantics)
    return after(system, state, action)


def moves(system: Explicit, state: State) -> set[JointAction]:
    return set(system.joint_actions(state))


# -- conditions and expressions ---------------------------------------------------------------------

#: Conditions on `x y` (numbers from -9 to 9) and `b c d` (booleans), the values of some of these (the
#: others are 0 and false), and whether the condition holds.
CONDITIONS: list[tuple[str, dict[str, int | bool], bool]] = [
    # "comparisons `= != <> < <= > >=` between expressions"
    *[(f"x {comparison} 2", {"x": 2}, comparison in ("=", "<=", ">=")) for comparison in ("=", "!=", "<>")],
    *[(f"x {comparison} 2", {"x": 2}, "=" in comparison) for comparison in ("<", "<=", ">", ">=")],
    *[(f"x {comparison} y", {"x": 1, "y": 2}, True) for comparison in ("!=", "<>", "<", "<=")],
    *[(f"x {comparison} y", {"x": 1, "y": 2}, False) for comparison in ("=", ">", ">=")],
    ("1 < x", {"x": 2}, True),
    ("x + 1 = y - 1", {"x": 1, "y": 3}, True),
    # "`/` divides exactly (`5/2 > 2` holds …)"
    ("5/2 > 2", {}, True),
    ("x/2 > 2", {"x": 5}, True),
    ("x/2 = 2", {"x": 5}, False),
    ("x/2 = 3", {"x": 5}, False),
    ("x/2 = 2", {"x": 4}, True),
    ("x/2*2 = x", {"x": 5}, True),
    ("1/3 + 1/3 + 1/3 = 1", {}, True),
    ("-7/2 < -3 and -7/2 > -4", {}, True),
    ("x/2 = 10/4", {"x": 5}, True),
    # "division by zero makes a comparison false"
    ("x/y = 0", {"x": 0}, False),
    ("x/y > 0", {"x": 1}, False),
    ("x/y <= 0", {"x": 1}, False),
    ("x/y = x/y", {"x": 1}, False),
    ("x/y != x/y", {"x": 1}, False),
    ("x/0 < 5", {"x": 1}, False),
    ("1 + 2*(x/y) < 5", {"x": 1}, False),
    ("1/(x/y) = 0", {"x": 1}, False),
    ("-(x/y) < 5", {"x": 1}, False),
    ("0*(x/y) = 0", {"x": 1}, False),
    # … so its negation is true, and what stands beside it counts as usual
    ("!(x/y > 0)", {"x": 1}, True),
    ("!(x/y = x/y) and x = 1", {"x": 1}, True),
    ("x/y > 0 or x = 1", {"x": 1}, True),
    ("x/y > 0", {"x": 1, "y": 1}, True),
    # "`a % b = a - b*floor(a/b)`; fractional operands and `% 0` are like division by zero"
    *[(f"x % {b} = {a % b}", {"x": a}, True) for a in (-7, -6, 0, 5, 6) for b in (2, 3, -3, -4)],
    ("x % y = 0", {"x": 4}, False),
    ("x % y != 0", {"x": 4}, False),
    ("(x/2) % 2 = 1", {"x": 3}, False),
    ("(x/2) % 2 = 1", {"x": 6}, True),
    ("!((x/2) % 2 = 1)", {"x": 3}, True),
    # least and greatest, and the size
    ("min(x, y, 2) = 1 and max(x, y, 2) = 3", {"x": 1, "y": 3}, True),
    ("abs(x) = 4 and abs(-x/3) > 1", {"x": -4}, True),
    # "`if` evaluates only the branch taken"
    ("(if x = 0 then 5 else 4/x) = 5", {"x": 0}, True),
    ("(if x = 0 then 5 else 4/x) = 2", {"x": 2}, True),
    ("(if x = 0 then 4/x else 5) = 5", {"x": 0}, False),
    ("(if b then c else d)", {"b": True, "c": True}, True),
    ("(if b then c else d)", {"c": True}, False),
    ("(if b then x = 1 else d)", {"b": True, "x": 1}, True),
    # "a boolean may stand as a condition; a parenthesised condition … as a boolean"
    ("b", {"b": True}, True),
    ("!b and !c", {"c": True}, False),
    ("b & (x = 1) = true", {"b": True, "x": 1}, True),
    ("(x = 1) = (y = 1)", {}, True),
    ("(x = 1) != (y = 1)", {"x": 1}, True),
    # "`->` (right); `<->` (unchained)", `xor` between `and` and `or`
    *[(f"b {word} c", {"b": one, "c": other}, holds(one, other))
      for word, holds in (("->", lambda b, c: not b or c), ("<->", lambda b, c: b == c),
                          ("xor", lambda b, c: b != c))
      for one in (False, True) for other in (False, True)],
    ("b -> c -> d", {"b": True}, True),
    # "unary `-`, then `* /`, then `+ -`"; the infix ones group to the left
    ("2 + 3*4 = 14", {}, True),
    ("2*3 + 4 = 10", {}, True),
    ("(2 + 3)*4 = 20", {}, True),
    ("9 - 4 - 3 = 2", {}, True),
    ("9 - (4 - 3) = 8", {}, True),
    ("9 - 4 + 3 = 8", {}, True),
    ("12/3/2 = 2", {}, True),
    ("12/3*2 = 8", {}, True),
    ("2 + 6/3 = 4", {}, True),
    ("-x + 3 = -2", {"x": 5}, True),
    ("-(x + 3) = -8", {"x": 5}, True),
    ("-x*2 = -4", {"x": 2}, True),
    ("2*-x = -4", {"x": 2}, True),
    ("2 - -x = 4", {"x": 2}, True),
    ("- -x = x", {"x": 2}, True),
    ("-x - -y = 1", {"x": 1, "y": 2}, True),
    # "intermediate values are unbounded"
    ("x*x*x*x*x = 59049", {"x": 9}, True),
    ("x*1000000*1000000*1000000*1000000 > 1000000*1000000*1000000*1000000", {"x": 2}, True),
    ("x - 1000000 + 1000000 = x", {"x": -9}, True),
    # "Bit expressions on booleans, tightest first: `~ & ^ |`"
    ("b | c & d = true", {"b": True}, True),  # (b | c) & d is false
    ("b ^ c & d = true", {"b": True}, True),  # (b ^ c) & d is false
    ("b | c ^ b = true", {"b": True}, True),  # (b | c) ^ b is false
    ("~b & c = false", {"b": True}, True),  # ~(b & c) is true
    ("~b | b = true", {"b": True}, True),  # ~(b | b) is false
    ("~c ^ b = false", {"b": True}, True),
    ("(b | c) & d = false", {"b": True}, True),
    ("~(b & c) = true", {"b": True}, True),
    ("~ ~b = b", {"b": True}, True),
    ("b = c ^ b", {"b": True}, True),
    ("b ^ b = false", {"b": True}, True),
    ("b & ~c != d", {"b": True}, True),
    # "Booleans … compare only for equality"
    ("b = true", {"b": True}, True),
    ("b = false", {"b": True}, False),
    ("b != c", {"b": True}, True),
    ("b = c", {}, True),
    ("true = b", {"b": True}, True),
    # `and` binds tighter than `or`, and `!` is looser than comparisons
    ("x = 1 or x = 2 and x = 3", {"x": 1}, True),
    ("(x = 1 or x = 2) and x = 3", {"x": 1}, False),
    ("!x = 1", {"x": 1}, False),
    ("!x = 1", {"x": 2}, True),
    ("!x + 1 < 3", {"x": 2}, True),
    ("!x = 1 and x = 1", {"x": 1}, False),
    ("!x = 1 or x = 1", {"x": 1}, True),
    ("!(x = 1 or y = 1)", {"x": 1}, False),
    ("!!x = 1", {"x": 1}, True),
    ("!b = true", {}, True),
    # The language has `&&` and `||` for formulas; conditions take them too
    ("x = 1 && y = 0 || b = true", {"x": 1}, True),
    ("x = 1 || x = 2 && x = 3", {"x": 1}, True),
]  # fmt: skip

PLENTY = "x : -9..9; y : -9..9; b : boolean; c : boolean; d : boolean;"
IDS = [
    f"{condition} [{', '.join(f'{k}={v}' for k, v in given.items())}]" for condition, given, _ in CONDITIONS
]


def plenty(given: dict[str, int | bool]) -> State:
    return tuple({"x": 0, "y": 0, "b": False, "c": False, "d": False, **given}.values())


def qualified(condition: str) -> str:
    """The condition as it is written in Evaluation and InitStates."""
    return re.sub(r"\b([xybcd])\b", r"A.\1", condition)


@pytest.mark.parametrize("condition, given, expected", CONDITIONS, ids=IDS)
def test_a_condition_means_the_same_in_every_section(
    condition: str, given: dict[str, int | bool], expected: bool
) -> None:
    """In Protocol, RedStates, Evolution, Evaluation, and in InitStates, which is solved and not evaluated."""
    state = plenty(given)
    moving = agent(
        variables=PLENTY, red=condition, protocol=f"{condition} : {{a}}; Other : {{b}};",
        evolution=f"d = ~d if {condition};",
    )  # fmt: skip
    system = explicit(moving, evaluation=f"p if {qualified(condition)};")
    assert system.enabled("A", state) == ("a" if expected else "b",)
    assert system.is_red("A", state) == expected
    assert system.holds("p", state) == expected
    assert after(system, state, "a") == {(*state[:4], state[4] ^ expected)}
    values = [f"A.{name} = {str(value).lower()}" for name, value in zip("xybcd", state, strict=True)]
    for initial in ([*values, f"({qualified(condition)})"], [f"({qualified(condition)})", *values]):
        start = explicit(moving, initial=" and ".join(initial)).initial_states()
        assert list(start) == ([state] if expected else [])


@pytest.mark.parametrize(
    "value, x, expected",
    [
        ("x + 1", 2, {3}),
        ("x*2 - 1", 2, {3}),
        ("-x + 5", 2, {3}),
        ("4/2", 0, {2}),
        ("x/2", 2, {1}),
        ("x/2 + x/2", 3, {3}),
        ("5/2", 0, set()),
        ("x/2", 3, set()),
        ("x + 1", 3, set()),
        ("x - 1", 0, set()),
        ("x*1000000/1000000", 3, {3}),
        ("1/x", 0, set()),
        ("0*(1/x)", 0, set()),
    ],
)
def test_assigned_numbers(value: str, x: int, expected: set[int]) -> None:
    """A value outside 0..3, a fraction and a division by zero have no successor."""
    system = explicit(agent(evolution=f"x = {value} if Action = a;"))
    assert after(system, (x,), "a") == {(number,) for number in expected}
    assert all(type(number) is int for (number,) in after(system, (x,), "a"))
    assert len(overflows(system, (x,), "a")) == (not expected)


def test_assigned_bits() -> None:
    bits = agent(variables="b : boolean; c : boolean;", evolution="b = ~b & c | b ^ c if true;")
    system = explicit(bits)
    for b in (False, True):
        for c in (False, True):
            assert after(system, (b, c), "a") == {((not b and c) or b != c, c)}


def test_assigned_booleans() -> None:
    assert evolves("b = c if true;", (False, True), variables="b : boolean; c : boolean;") == {(True, True)}
    assert evolves("b = true if true;", (False,), variables="b : boolean;") == {(True,)}


# -- names --------------------------------------------------------------------------------------------


def test_a_bare_name_is_the_variable_of_that_name_before_the_value() -> None:
    named = agent(variables="go : {stay, go}; to : {stay, go};", evolution="to = go if to = stay;")
    system = explicit(named)
    assert after(system, ("stay", "go"), "a") == {("stay", "go")}  # not enabled: `to` is not `stay`
    assert after(system, ("stay", "stay"), "a") == {("stay", "stay")}  # takes the value of the variable `go`
    assert after(system, ("go", "stay"), "a") == {("go", "go")}


def test_a_bare_name_in_a_guard_is_the_variable_too() -> None:
    guarded = agent(variables="go : {stay, go}; to : {stay, go};", protocol="to = go : {a}; Other : {b};")
    system = explicit(guarded)
    assert system.enabled("A", ("stay", "stay")) == ("a",)
    assert system.enabled("A", ("stay", "go")) == ("b",)


def test_in_evaluation_a_bare_name_is_a_value() -> None:
    named = agent(variables="go : {stay, go}; to : {stay, go};")
    system = explicit(named, evaluation="p if A.to = go;", initial="A.to = go and A.go = stay")
    assert system.holds("p", ("stay", "go"))
    assert not system.holds("p", ("go", "stay"))
    assert list(system.initial_states()) == [("stay", "go")]


def test_action_is_this_agents_and_agent_action_anothers() -> None:
    system = explicit(
        agent("A", evolution="x = 1 if Action = a; x = 2 if B.Action = b and Action = b;"),
        agent("B", evolution="x = 1 if A.Action = a;"),
    )
    assert after(system, (0, 0), "a", "b") == {(1, 1)}
    assert after(system, (0, 0), "b", "a") == {(0, 0)}
    assert after(system, (0, 0), "b", "b") == {(2, 0)}


def test_actions_compare_with_variables_and_each_other() -> None:
    system = explicit(
        agent("A", "last : {a, b};", evolution="last = Action if Action != last;"),
        agent(
            "B",
            "same : boolean;",
            evolution="same = true if Action = A.Action; same = false if Action <> A.Action;",
        ),
    )
    assert after(system, ("a", False), "b", "b") == {("b", True)}
    assert after(system, ("a", True), "a", "b") == {("a", False)}


# -- enumerations -------------------------------------------------------------------------------------

WIDE_AND_NARROW = "wide : {r, g, b}; narrow : {g, r};"


def test_enumerations_compare_when_one_includes_the_other() -> None:
    system = explicit(agent(variables=WIDE_AND_NARROW, protocol="wide = narrow : {a}; narrow != wide : {b};"))
    assert system.enabled("A", ("r", "r")) == ("a",)
    assert system.enabled("A", ("r", "g")) == ("b",)
    assert system.enabled("A", ("b", "g")) == ("b",)


def test_assignment_from_a_wider_enumeration_overflows_outside_the_domain() -> None:
    system = explicit(agent(variables=WIDE_AND_NARROW, evolution="narrow = wide if true;"))
    assert after(system, ("r", "g"), "a") == {("r", "r")}
    assert after(system, ("b", "g"), "a") == set()
    assert overflows(system, ("b", "g"), "a") == ["narrow : {g, r} would become b"]


def test_assignment_from_a_narrower_enumeration_is_safe() -> None:
    assert evolves("wide = narrow if true;", ("b", "g"), variables=WIDE_AND_NARROW) == {("g", "g")}


# -- MultiAssignment ------------------------------------------------------------------------------------


def test_a_line_assigns_simultaneously() -> None:
    assert evolves("x = y and y = x if true;", (1, 2)) == {(2, 1)}


def test_variables_a_line_does_not_mention_keep_their_value() -> None:
    assert evolves("x = 3 if true;", (1, 2)) == {(3, 2)}


def test_of_several_enabled_lines_exactly_one_is_taken() -> None:
    assert evolves("x = 3 if x = 1; y = 0 if y = 2;", (1, 2)) == {(3, 2), (1, 0)}
    assert evolves("x = 3 if x = 1; x = 2 if y = 2; y = 0 if x = 0;", (1, 2)) == {(3, 2), (2, 2)}


def test_lines_that_lead_to_the_same_state_lead_there_once() -> None:
    system = explicit(agent(evolution="x = 1 if x = 0; x = x + 1 if x = 0;"))
    assert list(system.successors((0,), ("a",))) == [(1,)]


def test_with_no_line_enabled_the_local_state_stays() -> None:
    assert evolves("x = 3 if x = 0; y = 3 if y = 0;", (1, 2)) == {(1, 2)}
    assert evolves("", (1, 2)) == {(1, 2)}


def test_an_enabled_line_that_changes_nothing_is_a_choice_too() -> None:
    assert evolves("x = x if true; x = 3 if true;", (1, 2)) == {(1, 2), (3, 2)}


def test_multi_assignment_is_the_default() -> None:
    text = agent(variables="x : 0..3; y : 0..3;", evolution="x = 1 if true; y = 1 if true;")
    source = Source("test.ispl", text)
    system = Explicit(elaborate(parse_ispl(source), source))
    assert after(system, (0, 0), "a") == {(1, 0), (0, 1)}


# -- SingleAssignment -----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["SingleAssignment", "SA"])
def test_the_lines_of_different_variables_act_together(word: str) -> None:
    assert evolves("x = 3 if x = 1; y = 0 if y = 2;", (1, 2), semantics=word) == {(3, 0)}


@pytest.mark.parametrize("word", ["MultiAssignment", "MA"])
def test_the_same_lines_under_multi_assignment(word: str) -> None:
    assert evolves("x = 3 if x = 1; y = 0 if y = 2;", (1, 2), semantics=word) == {(3, 2), (1, 0)}


def test_single_assignment_reads_the_current_state() -> None:
    assert evolves("x = y if true; y = x if true;", (1, 2), semantics="SA") == {(2, 1)}


def test_inside_a_group_one_enabled_line_is_taken() -> None:
    lines = "x = 3 if true; y = 3 if true; x = 0 if true;"
    assert evolves(lines, (1, 2), semantics="SA") == {(3, 3), (0, 3)}
    lines += "y = 0 if true;"
    assert evolves(lines, (1, 2), semantics="SA") == {(3, 3), (0, 3), (3, 0), (0, 0)}


def test_a_variable_with_no_line_enabled_keeps_its_value() -> None:
    assert evolves("x = 3 if x = 0; y = 3 if true;", (1, 2), semantics="SA") == {(1, 3)}
    assert evolves("x = 3 if x = 0; y = 3 if y = 0;", (1, 2), semantics="SA") == {(1, 2)}
    assert evolves("x = 3 if true;", (1, 2), semantics="SA") == {(3, 2)}


# -- all agents move at once ----------------------------------------------------------------------------


def test_all_agents_move_at_once_and_read_the_current_state() -> None:
    system = explicit(
        agent("Environment", "", obsvars="x : 0..3;", evolution="x = x + 1 if Action = a;"),
        agent("B", "y : 0..3;", evolution="y = Environment.x if true;"),
    )
    assert after(system, (1, 0), "a", "b") == {(2, 1)}


def test_the_choices_of_agents_are_independent() -> None:
    either = "x = 1 if true; x = 2 if true;"
    system = explicit(agent("A", evolution=either), agent("B", evolution=either))
    assert after(system, (0, 0), "a", "a") == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_values_may_be_actions() -> None:
    system = explicit(agent("A", "heard : {a, b};", evolution="heard = B.Action if true;"), agent("B", ""))
    assert after(system, ("a",), "a", "b") == {("b",)}


# -- overflow -------------------------------------------------------------------------------------------


def test_an_overflowing_line_is_enabled_so_nothing_stays_as_it_is() -> None:
    system = explicit(agent(evolution="x = x + 1 if Action = a;"))
    assert after(system, (3,), "a") == set()
    assert after(system, (3,), "b") == {(3,)}
    assert overflows(system, (3,), "a") == ["x : 0..3 would become 4"]
    assert overflows(system, (3,), "b") == []


def test_another_enabled_line_can_still_be_taken() -> None:
    system = explicit(agent(evolution="x = x + 1 if true; x = 0 if x = 3;"))
    assert after(system, (2,), "a") == {(3,)}
    assert after(system, (3,), "a") == {(0,)}
    assert overflows(system, (3,), "a") == ["x : 0..3 would become 4"]


def test_a_line_overflows_as_a_whole() -> None:
    assert evolves("x = x + 1 and y = 0 if true;", (3, 3)) == set()
    assert evolves("y = 0 and x = x + 1 if true;", (3, 3)) == set()


def test_under_single_assignment_an_overflow_blocks_the_other_variables() -> None:
    assert evolves("x = x + 1 if true; y = 0 if true;", (3, 3), semantics="SA") == set()
    assert evolves("x = x + 1 if true; x = 1 if true; y = 0 if true;", (3, 3), semantics="SA") == {(1, 0)}
    assert evolves("x = x + 1 if y = 0; y = 0 if true;", (3, 3), semantics="SA") == {(3, 0)}


def test_one_agents_overflow_blocks_all() -> None:
    system = explicit(
        agent("A", evolution="x = x + 1 if Action = a;"), agent("B", evolution="x = 1 if true;")
    )
    assert after(system, (3, 0), "a", "a") == set()
    assert after(system, (3, 0), "b", "a") == {(3, 1)}
    assert list(system.overflows((3, 0), ("a", "a"))) == [Overflow("A", "x : 0..3 would become 4")]


def test_negative_bounds() -> None:
    system = explicit(
        agent(variables="x : -2..-1;", evolution="x = x - 1 if Action = a; x = x + 1 if Action = b;")
    )
    assert after(system, (-1,), "a") == {(-2,)}
    assert after(system, (-2,), "a") == set()
    assert after(system, (-1,), "b") == set()
    assert sorted(system.initial_states()) == [(-2,), (-1,)]


def test_division_by_zero_in_a_value_is_an_overflow() -> None:
    system = explicit(agent(evolution="x = 3/x if Action = a;"))
    assert after(system, (0,), "a") == set()
    assert after(system, (3,), "a") == {(1,)}
    assert overflows(system, (0,), "a") == ["division by zero in the value of x"]


def test_division_by_zero_in_a_guard_disables_the_line_and_is_reported() -> None:
    system = explicit(agent(evolution="x = 1 if 3/x > 0; x = 2 if !(3/x > 0);"))
    assert after(system, (0,), "a") == {(2,)}
    assert after(system, (3,), "a") == {(1,)}
    assert overflows(system, (0,), "a")
    assert not overflows(system, (3,), "a")


@pytest.mark.parametrize(
    "sections",
    [{"protocol": "3/x > 0 : {a}; Other : {b};"}, {"red": "3/x > 0"}, {"protocol": "3/(x/x) > 0 : {a};"}],
    ids=["Protocol", "RedStates", "undefined divisor"],
)
def test_division_by_zero_in_an_agents_conditions_is_reported(sections: dict[str, str]) -> None:
    system = explicit(agent(**sections))
    assert len(list(system.faults((0,)))) == 1
    assert not list(system.faults((1,)))


def test_division_by_zero_in_a_proposition_is_reported() -> None:
    system = explicit(agent(), evaluation="p if 3/A.x > 0;")
    assert len(list(system.faults((0,)))) == 1
    assert not list(system.faults((1,)))


def test_an_overflow_tells_where_it_was() -> None:
    found = list(explicit(agent(), evaluation="p if 3/A.x > 0;").faults((0,)))
    assert [str(overflow) for overflow in found] == ["division by zero in proposition p"]
    found = list(explicit(agent(protocol="3/x > 0 : {a};")).faults((0,)))
    assert [str(overflow) for overflow in found] == ["division by zero in a condition in agent A"]


# -- Protocol -------------------------------------------------------------------------------------------


def test_enabled_actions_are_the_union_over_the_lines_that_hold() -> None:
    system = explicit(agent(actions="a, b, c", protocol="x < 2 : {a}; x > 0 : {b}; x = 3 : {b, c};"))
    assert system.enabled("A", (0,)) == ("a",)
    assert system.enabled("A", (1,)) == ("a", "b")
    assert system.enabled("A", (3,)) == ("b", "c")


def test_other_is_the_complement_of_all_earlier_conditions() -> None:
    system = explicit(agent(actions="a, b, c", protocol="x < 1 : {a}; x > 2 : {b}; Other : {c};"))
    assert [system.enabled("A", (x,)) for x in range(4)] == [("a",), ("c",), ("c",), ("b",)]


def test_other_alone_is_everywhere_and_other_may_enable_nothing() -> None:
    assert explicit(agent(protocol="Other : {b};")).enabled("A", (2,)) == ("b",)
    assert explicit(agent(protocol="Other : {};")).enabled("A", (2,)) == ()
    assert explicit(agent(protocol="x = 2 : {}; Other : {a};")).enabled("A", (2,)) == ()


@pytest.mark.parametrize("protocol", ["", " "], ids=["no section", "no lines"])
def test_without_protocol_lines_every_action_is_enabled(protocol: str) -> None:
    assert explicit(agent(protocol=protocol)).enabled("A", (2,)) == ("a", "b")


def test_a_local_state_that_no_line_covers_has_no_successor() -> None:
    system = explicit(agent("A", protocol="x = 1 : {a};"), agent("B"))
    assert system.enabled("A", (0, 0)) == ()
    assert moves(system, (0, 0)) == set()
    assert moves(system, (1, 0)) == {("a", "a"), ("a", "b")}


@pytest.mark.parametrize("protocol", ["", "x = 1 : {};", "Other : {};"])
def test_an_agent_without_actions_imposes_no_choice(protocol: str) -> None:
    idle = agent("Environment", actions="", protocol=protocol)
    system = explicit(idle, agent("B", protocol="Other : {a};"))
    assert moves(system, (0, 0)) == {(None, "a")}
    assert after(system, (0, 0), None, "a") == {(0, 0)}


def test_an_agent_without_actions_can_still_evolve() -> None:
    clock = agent("Environment", actions="", evolution="x = x + 1 if B.Action = a;")
    system = explicit(clock, agent("B", ""))
    assert after(system, (0,), None, "a") == {(1,)}
    assert after(system, (0,), None, "b") == {(0,)}


def test_the_actions_section_may_be_left_out() -> None:
    text = agent().replace("Actions = {a, b};", "")
    assert moves(explicit(text), (0,)) == {(None,)}


# -- what an agent sees -----------------------------------------------------------------------------------

SEEING = [
    agent("Environment", "hidden : 0..1; listed : 0..1;", obsvars="seen : 0..1;"),
    agent("A", "own : 0..1;", lobsvars="listed"),
    agent("B", "own : 0..1;"),
]


def looks_alike(who: str, one: State, other: State) -> bool:
    system = explicit(*SEEING)
    return system.sees(who, one) == system.sees(who, other)


@pytest.mark.parametrize(
    "who, seen",
    [
        ("Environment", {"seen", "hidden", "listed"}),
        ("A", {"seen", "listed", "A.own"}),
        ("B", {"seen", "B.own"}),
    ],
)
def test_two_states_look_alike_iff_they_agree_on_what_the_agent_observes(who: str, seen: set[str]) -> None:
    for place, name in enumerate(["seen", "hidden", "listed", "A.own", "B.own"]):
        state = tuple(int(place == k) for k in range(5))
        assert looks_alike(who, (0, 0, 0, 0, 0), state) == (name not in seen)


def test_protocols_can_read_obsvars_and_lobsvars() -> None:
    reading = agent(
        "A", "", lobsvars="listed", protocol="Environment.seen = Environment.listed : {a}; Other : {b};"
    )
    system = explicit(SEEING[0], reading)
    assert system.enabled("A", (1, 0, 1)) == ("a",)
    assert system.enabled("A", (1, 0, 0)) == ("b",)


def test_an_agent_that_sees_nothing_confuses_everything() -> None:
    system = explicit(agent("A"), agent("Blind", ""))
    assert system.sees("Blind", (0,)) == system.sees("Blind", (3,)) == ()


# -- the Environment ------------------------------------------------------------------------------------


def test_models_without_environment() -> None:
    assert after(explicit(agent(evolution="x = 1 if true;")), (0,), "a") == {(1,)}


def test_an_environment_without_variables_and_actions() -> None:
    system = explicit("Agent Environment end Agent", agent(evolution="x = 1 if true;"))
    assert moves(system, (0,)) == {(None, "a"), (None, "b")}
    assert after(system, (0,), None, "a") == {(1,)}
    assert system.sees("Environment", (0,)) == ()


def test_the_environment_reads_its_own_variables_bare() -> None:
    system = explicit(agent("Environment", "x : 0..3;", obsvars="y : 0..3;", evolution="x = y if true;"))
    assert after(system, (2, 0), "a") == {(2, 2)}


# -- RedStates ------------------------------------------------------------------------------------------


def test_red_states_are_as_declared_and_all_others_green() -> None:
    system = explicit(
        agent("A", red="x > 1 and Environment.y = 1"),
        agent("Environment", "", obsvars="y : 0..1;"),
        agent("B"),
    )
    assert system.is_red("A", (2, 1, 0))
    assert not system.is_red("A", (2, 0, 0))
    assert not system.is_red("A", (1, 1, 0))
    assert not system.is_red("B", (2, 1, 0))


# -- InitStates -----------------------------------------------------------------------------------------


def starts(condition: str, variables: str = "x : 0..3; y : 0..1;") -> list[State]:
    return sorted(explicit(agent(variables=variables), initial=condition).initial_states())


def test_initial_are_all_states_that_satisfy_the_condition() -> None:
    assert starts("A.x = 2 and A.y = 1") == [(2, 1)]
    assert starts("A.x = 2") == [(2, 0), (2, 1)]
    assert starts("A.x = 0 or A.x = 3 and A.y = 1") == [(0, 0), (0, 1), (3, 1)]
    assert starts("!A.x = 2 and A.y = 0") == [(0, 0), (1, 0), (3, 0)]


def test_initial_states_by_arithmetic() -> None:
    assert starts("A.x + A.y = 3") == [(2, 1), (3, 0)]
    assert starts("A.x*A.x > 4*A.y and A.x <> 1") == [(2, 0), (3, 0), (3, 1)]
    assert starts("A.x/2 = A.y") == [(0, 0), (2, 1)]
    assert starts("1/A.y > A.x") == [(0, 1)]
    assert starts("!(1/A.y > A.x) and A.x < 2") == [(0, 0), (1, 0), (1, 1)]


def test_initial_values_are_integers() -> None:
    (state,) = starts("A.x = 4/2 and A.y = 1")
    assert state == (2, 1)
    assert [type(value) for value in state] == [int, int]


def test_initial_conditions_that_nothing_satisfies() -> None:
    assert starts("A.x = 2 and A.x = 3") == []
    assert starts("A.x = 5/2") == []
    assert starts("A.x = 7") == []
    assert starts("A.x/0 = A.x/0") == []


def test_without_a_condition_every_state_is_initial() -> None:
    assert len(starts("")) == 8
    assert starts("true", "x : {r, g}; y : boolean;") == [
        ("g", False),
        ("g", True),
        ("r", False),
        ("r", True),
    ]


def test_every_initial_state_comes_once() -> None:
    assert starts("A.x = 1 or A.x = 1 or A.x < 2 and A.y = 0") == [(0, 0), (1, 0), (1, 1)]


def test_a_model_without_variables_has_one_state() -> None:
    assert list(explicit(agent(variables="")).initial_states()) == [()]


# -- what has no value ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition, reached",
    [
        ("3/A.x > 0", True),
        ("A.x != 0 and 3/A.x > 0", False),
        ("3/A.x > 0 and A.x != 0", True),
        ("A.x = 0 or 3/A.x > 0", False),
        ("A.x != 0 -> 3/A.x > 0", False),
        ("A.x != 0 <-> 3/A.x > 0", True),
        ("(if A.x = 0 then 1 else 3/A.x) = 1", False),
        ("(if A.x = 0 then 3/A.x else 1) = 1", True),
        ("(if 3/A.x = 1 then 1 else 2) = 2", True),
        ("(A.x = 0) = (3 % A.x = 0)", True),
        ("(3/A.x = 1) = false", True),
    ],
)
def test_it_is_reported_only_where_evaluation_from_left_to_right_reaches_it(condition, reached):
    system = explicit(agent(), evaluation=f"p if {condition};")
    assert [found.what for found in system.faults((0,))] == ["division by zero in proposition p"] * reached
    assert not list(system.faults((1,)))


def test_a_condition_in_a_value_is_false_and_the_line_is_taken():
    system = explicit(agent(variables="x : 0..3; b : boolean;", evolution="b = (3/x = 1) if Action = a;"))
    assert after(system, (0, True), "a") == {(0, False)}
    assert overflows(system, (0, True), "a") == ["division by zero in a condition of a value"]
    assert overflows(system, (1, True), "a") == []
    assert overflows(system, (0, True), "b") == []


def test_outside_of_comparisons_the_line_overflows():
    system = explicit(agent(evolution="x = 3 % x if Action = a;"))
    assert after(system, (0,), "a") == set()
    assert overflows(system, (0,), "a") == ["division by zero in the value of x"]
    assert after(system, (2,), "a") == {(1,)}


def test_an_element_outside_of_its_array_has_no_value():
    """As templates write it: of any type, and the innermost comparison is false."""
    x = tree.Name("x")
    element = tree.If(tree.Infix("=", x, tree.Number(1)), tree.Name("b"), tree.Undefined())
    decl = tree.AgentDecl(
        tree.Identifier("A"),
        vars=(
            tree.VariableDecl(tree.Identifier("x"), tree.RangeType(0, 1)),
            tree.VariableDecl(tree.Identifier("b"), tree.BooleanType()),
        ),
        actions=(tree.Identifier("a"),),
        protocol=(tree.ProtocolLine(tree.Phrase(element), (tree.Identifier("a"),)),),
        evolution=(
            tree.EvolutionLine(
                (tree.Assignment(tree.Identifier("b"), tree.Phrase(element)),), tree.Phrase(tree.Name("true"))
            ),
        ),
    )
    system = Explicit(elaborate(tree.Module(agents=(decl,)), Source("", "")))
    assert moves(system, (1, True)) == {("a",)}
    assert moves(system, (0, True)) == set()
    assert [found.what for found in system.faults((0, True))] == ["an index outside its range in a condition"]
    assert overflows(system, (0, True), "a") == ["an index outside its range in the value of b"]


def test_after_action_a_name_is_an_action():
    """Whatever variables there are; a variable that is no action is still one."""
    own = agent(
        variables="a : boolean; last : {a, b};",
        evolution="a = true if Action = a; last = b if Action <> a; a = false if Action = last;",
    )
    system = explicit(own)
    assert after(system, (False, "a"), "a") == {(True, "a"), (False, "a")}
    assert after(system, (False, "a"), "b") == {(False, "b")}
    assert after(system, (True, "b"), "b") == {(True, "b"), (False, "b")}
