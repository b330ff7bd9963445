"""Texts with templates, written out."""

from __future__ import annotations

from knower.errors import Diagnostic, InputError
from knower.source import Source
from knower.syntax.ispl import parse_ispl
from knower.syntax.printing import print_expression
from knower.syntax.tree import AgentDecl, Module
from knower.system.elaborate import elaborate
from knower.templates.instantiate import instantiate

AGENT = """
Agent A
  Vars: {variables} end Vars
  Actions = {{go, stay}};
  {more}
  Protocol: {protocol} end Protocol
  Evolution: {evolution} end Evolution
end Agent
"""


def text(
    top: str = "",
    variables: str = "x : 0..3; y : 0..3; b : boolean; c : {red, green};",
    more: str = "",
    protocol: str = "Other : {go, stay};",
    evolution: str = "",
    end: str = "",
) -> str:
    """A model of an agent A."""
    agent = AGENT.format(variables=variables, more=more, protocol=protocol, evolution=evolution)
    return f"{top}{agent}{end}"


def written_out(model: str, **constants: object) -> Module:
    """The plain module of a text; it makes sense, or an error is raised."""
    source = Source("m.ispl", model)
    module = instantiate(parse_ispl(source), source, constants).module  # type: ignore[arg-type]
    elaborate(module, source)
    return module


def agent(model: str, **constants: object) -> AgentDecl:
    """The last agent of a text."""
    return written_out(model, **constants).agents[-1]


def condition(expression: str, **more: str) -> str:
    """A guard of A, written out."""
    (line,) = agent(text(evolution=f"x = 1 if {expression};", **more)).evolution
    return print_expression(line.condition.expr)


def value(expression: str, **more: str) -> str:
    """What A assigns to x, written out."""
    (line,) = agent(text(evolution=f"x = {expression} if b;", **more)).evolution
    return print_expression(line.assignments[0].value.expr)


def lines(evolution: str, **more: str) -> list[str]:
    """The lines of A's Evolution, written out."""
    return [
        " and ".join(f"{each.target.text} = {print_expression(each.value.expr)}" for each in line.assignments)
        + f" if {print_expression(line.condition.expr)}"
        for line in agent(text(evolution=evolution, **more)).evolution
    ]


def errors(model: str, **constants: object) -> list[Diagnostic]:
    """What is wrong with a text."""
    try:
        written_out(model, **constants)
    except InputError as error:
        return list(error.diagnostics)
    return []


def codes(model: str, **constants: object) -> list[str]:
    return [found.code for found in errors(model, **constants)]
