"""A condition that somebody typed, over the variables of a system: `Sender.bit = one and …`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from knower.errors import Diagnostic, InputError
from knower.source import Source, Span
from knower.syntax.conditions import parse_expression
from knower.syntax.expected import expected
from knower.syntax.lexer import END, Tokens
from knower.syntax.tree import Phrase
from knower.system.asked import signatures
from knower.system.expressions import Condition, Conj, Expression
from knower.system.resolve import Resolver
from knower.system.scope import Kind, Scope
from knower.system.system import InterpretedSystem


def beginning_where(system: InterpretedSystem, text: str) -> InterpretedSystem:
    """The system with those initial states alone that satisfy a condition; with all of them without one."""
    return replace(system, initial=Conj(system.initial, parse_condition(text, system))) if text else system


def parse_condition(text: str, system: InterpretedSystem) -> Condition:
    """The condition, written as in InitStates; raises `InputError` with every error found."""
    with _reading(text, system) as (resolver, phrase):
        return resolver.condition(phrase)


def parse_term(text: str, system: InterpretedSystem) -> Condition | Expression:
    """A condition, or an expression with a value: `Sender.bit`, `Counter.n + 1`; raises `InputError`."""
    with _reading(text, system) as (resolver, phrase):
        found = resolver.typed(phrase)
        is_term = found.kind is not Kind.NAME and isinstance(found.node, Expression)
        made = found.node if is_term else resolver.condition(phrase)  # which reports what is wrong
    assert isinstance(made, Condition | Expression)
    return made


@contextmanager
def _reading(text: str, system: InterpretedSystem) -> Iterator[tuple[Resolver, Phrase]]:
    """What reads a text over the names of a system; in the end every error found is raised."""
    source, errors = Source("<condition>", text), list[Diagnostic]()
    tokens = Tokens(source)
    expression, at = parse_expression(tokens, 0)
    if tokens.kinds[at] != END:
        raise expected(tokens, at, "an operator or the end of the condition")

    def report(code: str, message: str, span: Span, cure: str | None = None) -> None:
        errors.append(Diagnostic(code, message, source, span, cure))

    yield Resolver(Scope("InitStates", signatures(system)), report), expression
    if errors:
        raise InputError(errors)
