"""Each lint once where it speaks and once where it is silent, and the search they stand on."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knower.constraints.search import Search
from knower.errors import Diagnostic
from knower.source import Source
from knower.syntax.ispl import parse_ispl
from knower.system.elaborate import elaborate
from knower.system.explicit import Explicit
from knower.system.expressions import variables as variables_in
from knower.system.lint import lint
from knower.system.system import InterpretedSystem

BENCH = Path(__file__).parents[3] / "shared" / "bench" / "scale"


def findings(text: str) -> list[Diagnostic]:
    source = Source("test.ispl", text)
    module = parse_ispl(source)
    return lint(module, elaborate(module, source), source)


def found(code: str, text: str) -> list[str]:
    """The messages of one lint."""
    return [finding.message for finding in findings(text) if finding.code == code]


def model(
    *, variables: str = "x : 0..3;", actions: str = "a, b", protocol: str = "Other : {a, b};",
    evolution: str = "", evaluation: str = "p if A.x = 0;", groups: str = "", formulae: str = "p;",
    initial: str = "A.x = 0;", semantics: str = "MultiAssignment",
) -> str:  # fmt: skip
    """A model of one agent A; each section can be replaced."""
    return f"""
Semantics = {semantics};
Agent A
  Vars: {variables} end Vars
  Actions = {{{actions}}};
  Protocol: {protocol} end Protocol
  Evolution: {evolution} end Evolution
end Agent
Evaluation {evaluation} end Evaluation
InitStates {initial} end InitStates
Groups {groups} end Groups
Formulae {formulae} end Formulae
"""


def test_a_plain_model_has_no_findings() -> None:
    assert findings(model(evolution="x = x + 1 if x < 3 and Action = a;")) == []


def test_findings_come_in_the_order_of_the_text_with_a_place_and_a_cure() -> None:
    protocol, evolution = "x > 5 : {a}; Other : {a};", "x = x + 1 if x > 5;"
    text = model(variables="x : 0..3; y : boolean;", protocol=protocol, evolution=evolution)
    got = findings(text)
    assert [finding.code for finding in got] == ["L107", "L102", "L101", "L114"]
    assert [finding.span for finding in got] == sorted(finding.span for finding in got)
    assert all(finding.cure and finding.line for finding in got)
    assert text[got[2].span.start : got[2].span.end].startswith("x > 5 : {a}")


# -- Protocol -------------------------------------------------------------------------------------


def test_l101_unreachable_protocol_line() -> None:
    assert found("L101", model(protocol="x = 1 and x > 2 : {a}; Other : {a, b};")) == [
        "a Protocol line of agent A never applies: its condition is never true"
    ]
    assert found("L101", model(protocol="x <= 1 : {a}; x >= 2 : {b}; Other : {a};")) == [
        "nothing is left for `Other` in the Protocol of agent A"
    ]
    assert found("L101", model(protocol="x <= 1 : {a}; x >= 3 : {b}; Other : {a};")) == []


def test_l102_action_never_enabled() -> None:
    never = ["the Protocol of agent A never enables action `b`"]
    assert found("L102", model(protocol="Other : {a};")) == never
    assert found("L102", model(protocol="x > 3 : {b}; Other : {a};")) == never
    assert found("L102", model(protocol="x = 3 : {b}; Other : {a};")) == []


def test_l103_local_state_without_action() -> None:
    gap = model(variables="x : 0..3; s : {idle, busy};", protocol="s = busy : {a}; s = idle and x < 3 : {b};")
    assert found("L103", gap) == ["agent A has no enabled action where s = idle, x = 3: no successor there"]
    assert found("L103", model(protocol="x < 2 : {a}; Other : {};")) == [
        "agent A has no enabled action where x = 2: no successor there"
    ]
    assert found("L103", model(protocol="Other : {};")) == [
        "agent A has no enabled action in any local state: no successor there"
    ]
    assert found("L103", model(protocol="x < 2 : {a}; x > 1 : {b};")) == []
    assert found("L103", model(protocol="x < 2 : {a}; Other : {b};")) == []


def test_l109_actions_without_protocol() -> None:
    assert found("L109", model(protocol="")) == [
        "agent A has actions but no Protocol lines: all its actions are enabled everywhere"
    ]
    assert found("L109", model(protocol="Other : {a, b};")) == []
    assert found("L109", model(actions="", protocol="")) == []


# -- Evolution ------------------------------------------------------------------------------------


def test_l104_value_outside_the_domain() -> None:
    assert found("L104", model(evolution="x = x + 1 if Action = a;")) == [
        "`x` : 0..3 of agent A can become 4 where x = 3, Action = a"
    ]
    assert found("L104", model(evolution="x = 7 if Action = a;")) == [
        "`x` : 0..3 of agent A can become 7 where Action = a"
    ]
    assert found("L104", model(evolution="x = x + 1 if x < 3;")) == []


def test_l104_counts_only_actions_that_the_protocol_enables() -> None:
    step = "x = x + 1 if Action = a;"
    assert found("L104", model(protocol="x < 3 : {a}; Other : {b};", evolution=step)) == []
    assert found("L104", model(protocol="x < 3 : {a}; Other : {a, b};", evolution=step)) != []


def test_l104_division() -> None:
    assert found("L104", model(evolution="x = 3 / x if true;")) == [
        "`x` : 0..3 of agent A is given a division by zero where x = 0"
    ]
    assert found("L104", model(evolution="x = x / 2 if x < 3;")) == [
        "`x` : 0..3 of agent A can become 1/2 where x = 1"
    ]
    assert found("L104", model(evolution="x = x / 2 if x = 0 or x = 2;")) == []


def test_l104_wider_enumeration() -> None:
    text = model(
        variables="x : {a, b, c}; y : {a, b};", initial="A.x = a;",
        evaluation="p if A.y = a;", evolution="y = x if true;",
    )  # fmt: skip
    assert found("L104", text) == ["`y` : {a, b} of agent A can become c where x = c"]
    assert found("L104", text.replace("if true", "if x != c")) == []


def test_l104_large_ranges_are_not_enumerated() -> None:
    large = "x : 0..1000000000; y : 0..1000000000;"
    start = process_time()
    assert found("L104", model(variables=large, evolution="x = x + 1 if x < 1000000000;")) == []
    assert found("L104", model(variables=large, evolution="x = x + 1 if x <= 1000000000;")) == [
        "`x` : 0..1000000000 of agent A can become 1000000001 where x = 1000000000"
    ]
    assert found("L104", model(variables=large, evolution="x = x - y if x >= y;")) == []
    assert found("L104", model(variables=large, evolution="x = 2 * x - y if x > y and x != 7;")) != []
    assert process_time() - start < 1


def test_l106_rival_lines() -> None:
    text = model(variables="x : 0..3; y : 0..3;", evolution="x = 1 if Action = a;\ny = 1 if x = 0;")
    assert found("L106", text) == [
        "where this line (for `y`) and line 7 (for `x`) are both enabled, agent A takes only one of them"
    ]
    apart = "x = 1 if Action = a; y = 1 if Action = b;"
    assert found("L106", model(variables="x : 0..3; y : 0..3;", evolution=apart)) == []
    same = "x = 1 if Action = a; x = 2 if x = 0;"
    assert found("L106", model(evolution=same)) == []


def test_l106_is_for_multi_assignment_only() -> None:
    text = model(variables="x : 0..3; y : 0..3;", evolution="x = 1 if x = 0; y = 1 if x = 0;")
    assert found("L106", text) != []
    assert found("L106", text.replace("MultiAssignment", "SingleAssignment")) == []


def test_l106_tells_the_number_of_the_others() -> None:
    names = "xuvwyz"
    declared, evolution = ("".join(f"{n} {rest}" for n in names) for rest in (": 0..3;", "= 1 if x = 0;"))
    messages = found("L106", model(variables=declared, evolution=evolution))
    assert len(messages) == 5
    assert messages[-1].endswith("; and 10 more such pairs")


def test_l114_guard_never_true() -> None:
    assert found("L114", model(evolution="x = 0 if x = 1 and x = 2;")) == [
        "an Evolution line of agent A is never taken: its guard is never true"
    ]
    text = model(protocol="x = 0 : {a}; Other : {b};", evolution="x = 0 if Action = a and x = 1;")
    assert found("L114", text) == [
        "an Evolution line of agent A is never taken: its guard is never true"
        " with actions that the Protocols enable"
    ]
    assert found("L114", text.replace("x = 1", "x = 0")) == []


# -- names and propositions -----------------------------------------------------------------------


def test_l105_constant_proposition() -> None:
    assert found("L105", model(evaluation="p if A.x = 0; q if A.x < 2 or A.x > 1; r if A.x > 3;")) == [
        "the proposition `q` is true in every state", "the proposition `r` is false in every state"
    ]  # fmt: skip
    assert found("L105", model(evaluation="p if A.x < 2 or A.x > 2;")) == []


def test_l107_variable_that_nothing_reads() -> None:
    unread = model(variables="x : 0..3; y : 0..3;", evolution="y = 1 if x = 0;", initial="A.y = 0;")
    assert found("L107", unread) == ["nothing reads the variable `y` of agent A"]
    assert found("L107", model(variables="x : 0..3; y : 0..3;", evolution="x = y if x = 0;")) == []


def test_l108_unused_group() -> None:
    assert found("L108", model(groups="g = {A}; h = {A};", formulae="GK(g, p);")) == [
        "no formula uses the group `h`"
    ]
    assert found("L108", model(groups="g = {A}; h = {A};", formulae="GK(g, p); <h>F p;")) == []


def test_l110_variable_named_like_a_value() -> None:
    message = "`on` is read as the variable of agent A, not as a value of {on, off}"
    text = model(
        variables="x : {on, off}; on : {on, off};", initial="A.x = off;", evaluation="p if A.x = on;",
        protocol="x = off : {a}; Other : {b};", evolution="x = off if x = off;",
    )  # fmt: skip
    assert found("L110", text) == []
    assert found("L110", text.replace("x = off :", "x = on :")) == [message]
    assert found("L110", text.replace("x = off if", "x = on if")) == [message]


def test_l111_no_initial_states() -> None:
    assert found("L111", model(initial="")) == ["there are no InitStates: every state is initial"]
    assert found("L111", model()) == []


# -- formulas -------------------------------------------------------------------------------------


def test_l112_what_the_peer_reads_otherwise() -> None:
    assert found("L112", model(formulae="CTL* A(X p and p);")) == [
        "MCMAS takes this `and` into the operand of the path operator before it"
    ]
    assert found("L112", model(formulae="CTL* A((X p) and p); LTL X p and p;")) == []


@pytest.mark.parametrize(
    "formula", ["LDLf <tt*>p", "LDLf <tt* + p?>p", "CDLf* A(<tt*>p)", "LTLf F p", "LTLf p U p"]
)
def test_l113_goal_that_must_hold_at_once(formula: str) -> None:
    assert found("L113", model(formulae=f"{formula};")) == [
        "this speaks of all traces, also that of one state: false unless the goal holds at once"
    ]


@pytest.mark.parametrize("formula", ["LDLf <tt>p", "LDLf <tt*;tt>p", "CDLf* A(<tt>[tt]ff)", "LTLf X p"])
def test_l113_step_that_a_trace_need_not_have(formula: str) -> None:
    assert found("L113", model(formulae=f"{formula};")) == [
        "this asks all traces for a step, also that of one state: it is false everywhere"
    ]


@pytest.mark.parametrize(
    "formula",
    ["LDL <tt*>p", "CDLf* E(<tt*>p)", "LDLf [tt*]p", "LDLf <tt*>[tt]ff", "LDLf <p?>p", "LTLf WX p", "AF p"],
)
def test_l113_is_silent(formula: str) -> None:
    assert found("L113", model(formulae=f"{formula};")) == []


# -- the search -----------------------------------------------------------------------------------

SPACE = model(
    variables="x : 0..3; y : -2..2; big : 0..300; s : {u, v, w}; b : boolean;",
    evaluation="{}", formulae="p;",
)  # fmt: skip

numbers = st.sampled_from(["A.x", "A.y", "A.big", "0", "1", "2", "299"])
operators, connectives = st.sampled_from("+-*/"), st.sampled_from(["and", "or"])
sums = st.recursive(numbers, lambda e: st.builds("({} {} {})".format, e, operators, e), max_leaves=3)
comparisons = st.builds("{} {} {}".format, sums, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), sums)
simple = comparisons | st.sampled_from(["A.s = u", "A.s != w", "A.b = true", "A.b = (~A.b)"])
conditions = st.recursive(
    simple,
    lambda c: st.builds("({} {} {})".format, c, connectives, c) | st.builds("!({})".format, c),
    max_leaves=5,
)


def system_of(condition: str) -> InterpretedSystem:
    source = Source("test.ispl", SPACE.replace("{}", f"p if {condition};"))
    return elaborate(parse_ispl(source), source)


@settings(max_examples=150, deadline=None)
@given(conditions)
def test_the_search_agrees_with_trying_all_states(condition: str) -> None:
    system = system_of(condition)
    explicit, search = Explicit(system), Search(system, each=10**7, total=10**9)
    read = variables_in(system.propositions["p"])
    domains = [v.domain.values if v.key in read else v.domain.values[:1] for v in system.variables]
    holds = any(explicit.holds("p", state) for state in product(*domains))
    box = search.example(system.propositions["p"])
    assert (box is not None) is holds
    assert search.never(system.propositions["p"]) is not holds
    if box is not None:
        corner = tuple(min(box[variable.key]) for variable in system.variables)
        assert explicit.holds("p", corner)


def test_a_search_that_takes_too_long_says_nothing() -> None:
    condition = "A.big * A.big = A.big + 2 * A.x + 299 and A.y * A.big > A.x"
    system = system_of(condition)
    hasty = Search(system, each=50, total=1000)
    assert not hasty.never(system.propositions["p"])
    assert hasty.example(system.propositions["p"]) is None


def test_deep_conditions_do_not_exhaust_the_stack() -> None:
    deep = "!(" * 3000 + "A.x = 0" + ")" * 3000
    assert found("L105", model(evaluation=f"p if {deep};")) == []
    long = " or ".join(["A.x = 0 and (A.x = 1"] * 500) + ")" * 500
    assert found("L105", model(evaluation=f"p if {long};")) == ["the proposition `p` is false in every state"]


@pytest.mark.skipif(not BENCH.exists(), reason="the large models are not here")
@pytest.mark.parametrize("name", ["counter_1048576", "dc_60", "muddy_60", "prisoners_100"])
def test_large_models_are_linted_soon(name: str) -> None:
    source = Source(name, (BENCH / f"{name}.ispl").read_text())
    module = parse_ispl(source)
    system = elaborate(module, source)
    start = process_time()
    lint(module, system, source)
    assert process_time() - start < 4


def test_thousands_of_lines_are_not_compared_each_with_each() -> None:
    """Three thousand took minutes: every two lines were asked about, long after all steps were used up."""
    names = [f"x{number}" for number in range(3000)]
    text = f"""Agent A
      Vars: {" ".join(f"{name} : boolean;" for name in names)} end Vars
      Actions = {{go}};
      Protocol: Other : {{go}}; end Protocol
      Evolution: {" ".join(f"{name} = true if {name} = false;" for name in names)} end Evolution
    end Agent
    InitStates A.x0 = false; end InitStates"""
    source = Source("wide", text)
    module = parse_ispl(source)
    system = elaborate(module, source)
    start = process_time()
    rivals = [found.message for found in lint(module, system, source) if found.code == "L106"]
    assert len(rivals) == 5 and "(for `x1`) and line 5 (for `x0`)" in rivals[0], rivals
    assert process_time() - start < 20
