"""Models built in Python: what is built is what is written, and mistakes show the line."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from hypothesis import given

from knower import AgentBuilder, Builder, InputError, Verdict, loads
from knower.source import Origin, Source
from knower.syntax.printing import print_expression, print_specification
from knower.syntax.tree import AgentDecl, BooleanType, EnumType, Module, RangeType, VariableDecl
from knower.system.elaborate import elaborate
from strategies import cases, modules


def lamp() -> Builder:
    build = Builder("lamp")
    agent = build.agent("Lamp", actions=["toggle", "rest"])
    agent.boolean("on")
    agent.protocol("on = false", "toggle", "rest").otherwise("toggle")
    agent.evolution("on = true", when="on = false and Action = toggle")
    agent.evolution("on = false", when="on = true and Action = toggle")
    build.proposition("light", "Lamp.on = true").initially("Lamp.on = false")
    return build.formula("AG EF light").formula("AG (light -> AX !light)")


LAMP = """\
Agent Lamp
  Vars:
    on : boolean;
  end Vars
  Actions = {toggle, rest};
  Protocol:
    on = false : {toggle, rest};
    Other : {toggle};
  end Protocol
  Evolution:
    on = true if on = false and Action = toggle;
    on = false if on = true and Action = toggle;
  end Evolution
end Agent

Evaluation
  light if Lamp.on = true;
end Evaluation
InitStates
  (Lamp.on = false);
end InitStates
Formulae
  AG EF light;
  AG (light -> AX !light);
end Formulae
"""


def full() -> Builder:
    """Every method once."""
    build = Builder(single_assignment=True)
    sky = build.environment(actions=["rain", "shine"])
    sky.boolean("wet", public=True).boolean("windy", "cold").enum("season", "summer", "winter", public=True)
    walker = build.agent("Walker", actions=["walk", "stay"], observes=["windy"])
    walker.integer("at", -1, 1).enum("hat", "off", "on_head")
    walker.red("at = 1 and Environment.wet = true").otherwise("stay")
    walker.protocol("Environment.windy = false", "walk", "stay")
    walker.evolution("at = at + 1", when="at < 1 and Action = walk")
    walker.evolution("hat = on_head", when="Environment.Action = rain")
    build.proposition("out", "Walker.at = 1")
    build.initially("Walker.at = 0 or Walker.at = -1").initially("Walker.hat = off")
    build.group("everyone", "Environment", "Walker").group("nobody")
    return build.fairness("out or !out").formula("EF out").formula("LTL G O(Walker, !out or out)")


# -- text -----------------------------------------------------------------------------------------------


def test_what_is_built_is_written_down() -> None:
    assert lamp().to_ispl() == LAMP


def test_a_built_model_is_a_model_like_any_other() -> None:
    system = lamp().system()
    assert system.name == "lamp"
    assert system.interpreted == loads(LAMP).interpreted
    assert loads(system.to_ispl()).interpreted == system.interpreted
    result = system.check()
    assert (result.states, result.verdicts) == (2, (Verdict.TRUE, Verdict.TRUE))
    assert system.lint() == []


def test_every_section_round_trips() -> None:
    build = full()
    system = build.system()
    assert system.name == "<built>"
    assert system.module == loads(build.to_ispl()).module
    assert system.interpreted == loads(build.to_ispl()).interpreted
    assert loads(system.to_ispl()).interpreted == system.interpreted


def test_what_every_method_means() -> None:
    known = full().system().interpreted
    assert known.single_assignment
    assert [f"{variable} : {variable.domain}" for variable in known.variables] == [
        "Environment.wet : boolean", "Environment.season : {summer, winter}",
        "Environment.windy : boolean", "Environment.cold : boolean",
        "Walker.at : -1..1", "Walker.hat : {off, on_head}",
    ]  # fmt: skip
    walker = known.agent_named["Walker"]
    assert {name for owner, name in walker.observes if owner == "Environment"} == {"wet", "season", "windy"}
    assert [line.actions for line in walker.protocol] == [("walk", "stay"), ("stay",)]
    assert [len(block.lines) for block in walker.evolution] == [1, 1]
    assert dict(known.groups) == {"everyone": ("Environment", "Walker"), "nobody": ()}
    assert (len(known.fairness), len(known.formulae), list(known.propositions)) == (1, 2, ["out"])
    result = full().system().check()
    assert result.verdicts == (Verdict.FALSE, Verdict.TRUE), "in the wind nobody goes out"
    # The Environment stands still in one of 16 states. In half of them it is windy: `at` stays -1 or 0
    # and the hat is on or off; in the others `at` is all of -1, 0, 1.
    assert result.states == 8 * 2 * 2 + 8 * 3 * 2


def test_initial_conditions_are_joined_as_wholes() -> None:
    """`a or b` and `c` are not `a or (b and c)`."""
    assert "(Walker.at = 0 or Walker.at = -1) and (Walker.hat = off);" in full().to_ispl()
    build = Builder()
    build.agent("A").boolean("x", "y")
    build.initially("A.x = true or A.y = true").initially("A.x = false")
    assert build.system().check("true").states == 1


def test_assignments_of_one_line_are_simultaneous() -> None:
    build = Builder()
    build.agent("A", actions=["swap"]).boolean("x", "y").evolution("x = y", "y = x", when="Action = swap")
    build.proposition("p", "A.x = true and A.y = false").initially("A.x = true and A.y = false")
    assert build.system().check("AX !p", "AX AX p").holds
    assert build.system().check("true").states == 2


def test_the_default_is_multi_assignment() -> None:
    assert not lamp().system().interpreted.single_assignment
    assert "Semantics" not in lamp().to_ispl()


def test_the_smallest_model() -> None:
    build = Builder()
    build.agent("A")
    assert build.to_ispl() == "Agent A\n  Actions = {};\nend Agent\n\n"
    assert build.system().check("AG true").holds


def test_methods_return_what_they_extend() -> None:
    build = Builder()
    agent = build.agent("A", ["go"])
    assert isinstance(agent, AgentBuilder)
    assert agent.boolean("b").enum("e", "x", "y").integer("n", 0, 3).red("n = 3").otherwise("go") is agent
    assert agent.protocol("n = 0", "go").evolution("n = 1", when="n = 0") is agent
    assert build.proposition("p", "A.n = 1").initially("A.n = 0").group("g", "A") is build
    assert build.fairness("p").formula("p") is build


def test_a_builder_can_go_on_after_a_model_was_made() -> None:
    build = lamp()
    before = build.system()
    build.formula("EF light")
    assert len(before.formulae) == 2
    assert len(build.system().formulae) == 3


def test_reprs_are_short() -> None:
    assert repr(lamp()) == "Builder(name='lamp', single_assignment=False)"
    assert repr(Builder().agent("A", ["go"])).startswith("AgentBuilder(name='A', actions=('go',)")


# -- mistakes -------------------------------------------------------------------------------------------


def mistakes(build: Builder) -> list[tuple[str, str]]:
    """The codes of the errors, each with the line of the text it points at."""
    with pytest.raises(InputError) as caught:
        build.system()
    lines = build.to_ispl().splitlines()
    found = caught.value.diagnostics
    assert {error.file for error in found} == {build.name}
    return [(error.code, lines[(error.line or 0) - 1].strip()) for error in found]


def test_mistakes_show_the_line() -> None:
    build = lamp().proposition("broken", "Lamp.off = true").formula("AG brokn")
    assert mistakes(build) == [("E202", "broken if Lamp.off = true;"), ("E501", "AG brokn;")]


def traced(build: Builder) -> list[tuple[str, str | None]]:
    """The codes of the errors, each with the line of Python that is shown."""
    with pytest.raises(InputError) as caught:
        build.system()
    assert {error.origin.file for error in caught.value.diagnostics if error.origin} <= {_HERE}
    return [(error.code, error.origin and error.origin.text) for error in caught.value.diagnostics]


_HERE = str(Path(__file__).relative_to(Path.cwd()))


def test_mistakes_show_the_line_of_python() -> None:
    build = Builder("lamp")
    agent = build.agent("Lamp", actions=["toggle", "toggle"])
    agent.boolean("on").integer("n", 3, 1)
    agent.protocol("of = false", "toggle")
    agent.evolution(
        "on = true",
        when="Action = tog",
    )
    build.initially("Lamp.on = true").initially("Lamp.on = false")
    build.initially("Lamp.off = true")
    build.formula("AG light")
    assert sorted(traced(build)) == [
        ("E202", 'agent.protocol("of = false", "toggle")'),
        ("E202", 'build.initially("Lamp.off = true")'),
        ("E203", "agent.evolution("),
        ("E307", 'agent.boolean("on").integer("n", 3, 1)'),
        ("E404", 'agent = build.agent("Lamp", actions=["toggle", "toggle"])'),
        ("E501", 'build.formula("AG light")'),
    ]


def test_the_line_of_python_comes_first() -> None:
    build = Builder("lamp")
    build.agent("Lamp").boolean("on")
    line = inspect.currentframe().f_lineno + 1  # type: ignore[union-attr]
    build.proposition("lit", "Lamp.off = true")
    with pytest.raises(InputError) as caught:
        build.system()
    assert str(caught.value).splitlines() == [
        f"{_HERE}:{line}: error[E202]: unknown variable `off` in agent Lamp",
        '    build.proposition("lit", "Lamp.off = true")',
        "  written at lamp:9:10",
        "9 |   lit if Lamp.off = true;",
        "  |          ^^^^^^^^",
        "  help: known: `on`",
    ]
    assert caught.value.diagnostics[0].line == 9


def test_conditions_of_many_lines_and_programs_without_a_file() -> None:
    program = """
build.agent("A").boolean("x")
build.initially('''A.x = true
  and A.y = true''')
build.formula("AG p")
"""
    build = Builder()
    exec(compile(program, "<cell 3>", "exec"), {"build": build, "__name__": "__main__"})
    with pytest.raises(InputError) as caught:
        build.system()
    origins = [error.origin for error in caught.value.diagnostics]
    assert origins == [Origin("<cell 3>", 3), Origin("<cell 3>", 5)]
    assert "<cell 3>:5: error[E501]" in str(caught.value)


@pytest.mark.parametrize("method, arguments, code", [
    ("boolean", ["on"], "E404"), ("integer", ["n", 3, 1], "E307"), ("enum", ["e"], "E307"),
    ("protocol", ["on = true", "explode"], "E208"), ("protocol", ["Action = toggle", "rest"], "E205"),
    ("otherwise", ["explode"], "E208"), ("red", ["brightness = 3"], "E202"), ("boolean", ["2b"], "E102"),
])  # fmt: skip
def test_mistakes_in_agents(method: str, arguments: list[object], code: str) -> None:
    build = Builder("lamp")
    agent = build.agent("Lamp", actions=["toggle", "rest"]).boolean("on")
    getattr(agent, method)(*arguments)
    assert [found for found, _ in mistakes(build)] == [code]


def test_mistakes_of_types_and_sections() -> None:
    build = Builder("lamp")
    agent = build.agent("Lamp", actions=["toggle"], observes=["light"]).boolean("on", public=True)
    agent.evolution("on = 3", when="Action = toggle")
    assert mistakes(build) == [
        ("E405", "on : boolean;"), ("E201", "Lobsvars = {light};"), ("E303", "on = 3 if Action = toggle;"),
    ]  # fmt: skip


def test_a_model_without_agents() -> None:
    with pytest.raises(InputError) as caught:
        Builder().proposition("p", "true").system()
    assert [error.code for error in caught.value.diagnostics] == ["E403"]


# -- any model --------------------------------------------------------------------------------------------


def rebuilt(module: Module) -> Builder:
    """The builder calls that make a module."""
    single = module.semantics is not None and module.semantics.name == "SingleAssignment"
    build = Builder(single_assignment=single)
    for decl in module.agents:
        _rebuild_agent(build, decl)
    for proposition in module.evaluation:
        build.proposition(proposition.name.text, print_expression(proposition.condition.expr))
    if module.initial is not None:
        build.initially(print_expression(module.initial.expr))
    for group in module.groups:
        build.group(group.name.text, *(member.text for member in group.members))
    names = frozenset(p.name.text for p in module.evaluation)
    for constraint in module.fairness:
        build.fairness(print_specification(constraint.specification, names))
    for asked in module.formulae:
        build.formula(print_specification(asked.specification, names))
    return build


def _rebuild_agent(build: Builder, decl: AgentDecl) -> None:
    observes = [name.text for name in decl.lobsvars]
    agent = build.agent(decl.name.text, [action.text for action in decl.actions], observes)
    for variable in decl.obsvars:
        _rebuild_variable(agent, variable, public=True)
    for variable in decl.vars:
        _rebuild_variable(agent, variable, public=False)
    if decl.red is not None:
        agent.red(print_expression(decl.red.expr))
    for line in decl.protocol:
        actions = [action.text for action in line.actions]
        if line.condition is None:
            agent.otherwise(*actions)
        else:
            agent.protocol(print_expression(line.condition.expr), *actions)
    for step in decl.evolution:
        parts = [f"{part.target.text} = ({print_expression(part.value.expr)})" for part in step.assignments]
        agent.evolution(*parts, when=print_expression(step.condition.expr))


def _rebuild_variable(agent: AgentBuilder, variable: VariableDecl, *, public: bool) -> None:
    match variable.type:
        case BooleanType():
            agent.boolean(variable.name.text, public=public)
        case EnumType(values):
            agent.enum(variable.name.text, *(value.text for value in values), public=public)
        case RangeType(low, high):
            agent.integer(variable.name.text, low, high, public=public)


@cases(60)
@given(modules(max_states=60, formulae=("CTLK", "ATL", "LDLK"), depth=3))
def test_every_model_can_be_built(module: Module) -> None:
    assert rebuilt(module).system().interpreted == elaborate(module, Source("<random>", ""))
