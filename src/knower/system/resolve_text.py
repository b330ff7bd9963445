"""A condition that somebody typed, over the variables of a system: `Sender.bit = one and …`."""

from __future__ import annotations

from dataclasses import replace

from knower.errors import Diagnostic, InputError
from knower.source import Source, Span
from knower.syntax.conditions import expected, parse_expression
from knower.syntax.lexer import END, Tokens
from knower.system.expressions import Condition, Conj
from knower.system.resolve import Resolver, Scope, Signature
from knower.system.system import InterpretedSystem


def beginning_where(system: InterpretedSystem, text: str) -> InterpretedSystem:
    """The system with those initial states alone that satisfy a condition; with all of them without one."""
    return replace(system, initial=Conj(system.initial, parse_condition(text, system))) if text else system


def parse_condition(text: str, system: InterpretedSystem) -> Condition:
    """The condition, written as in InitStates; raises `InputError` with every error found."""
    source = Source("<condition>", text)
    tokens = Tokens(source)
    expression, at = parse_expression(tokens, 0)
    if tokens.kinds[at] != END:
        raise expected(tokens, at, "an operator or the end of the condition")
    errors: list[Diagnostic] = []

    def report(code: str, message: str, span: Span, cure: str | None = None) -> None:
        errors.append(Diagnostic(code, message, source, span, cure))

    signatures = {
        agent.name: Signature(agent.name, {v.name: v for v in agent.variables}, agent.actions)
        for agent in system.agents
    }
    condition = Resolver(Scope("InitStates", signatures), report).condition(expression)
    if errors:
        raise InputError(errors)
    return condition
