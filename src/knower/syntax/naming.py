"""What names and terms of a formula stand for: whoever knows the model says so, else they are as written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.syntax.printing import print_expression
from knower.syntax.template import Binds, Conditional, SetOf
from knower.syntax.tree import Expr, Infix, Name, Phrase, PropositionDecl


class Missing(Exception):
    """What a name or term of a formula speaks of is not there: wrong unless it is folded away."""


class Naming(Protocol):
    """Says what names and terms mean where a formula is read; names may be bound there. Raises `Missing`."""

    @property
    def instance(self) -> str:
        """For which instance the formula is read."""

    @property
    def conditions(self) -> tuple[PropositionDecl, ...]:
        """Those over states that were met so far."""

    def name(self, phrase: Phrase) -> str:
        """The name of an agent, a group or a proposition with arguments: `Child(2)`."""

    def members(self, group: SetOf) -> tuple[str, ...]:
        """The agents of a group in place."""

    def constant(self, name: str) -> bool | None:
        """The value of a constant, or of a bound name, that can stand as a formula."""

    def spelt(self, name: str) -> str:
        """The value of a bound name as it is written, or the name itself."""

    def condition(self, phrase: Phrase) -> Formula:
        """A condition over states."""

    def each(self, binds: Binds) -> Iterator[None]:
        """Once for each value of names, which are bound meanwhile."""


def step_of(term: Expr) -> Formula | None:
    """What `Agent.Action = a`, `!= a`, `in {a, b}` say of a step, not of states; None of any other term."""
    match term:
        case Infix("or", left, right):
            one, other = step_of(left), step_of(right)
            return None if one is None or other is None else f.Or(one, other)
        case Infix("=", Name("Action", str(agent)), Name(action, None)):
            return f.Does(agent, action)
        case Infix("!=", Name("Action", str(agent)), Name(action, None)):
            return f.Not(f.Does(agent, action))
        case _:
            return None


def as_atom(condition: Expr) -> str:
    """The name of the atom that stands for a condition: its text, as a formula may hold it."""
    text = print_expression(condition)
    return f"({text})" if isinstance(condition, Conditional) else text


class AsWritten:
    """Nothing is known: terms stand for themselves."""

    instance = ""
    conditions: tuple[PropositionDecl, ...] = ()

    def name(self, phrase: Phrase) -> str:
        return print_expression(phrase.expr)

    def members(self, group: SetOf) -> tuple[str, ...]:
        return tuple(map(self.name, group.items))

    def constant(self, name: str) -> bool | None:
        return None

    def spelt(self, name: str) -> str:
        return name

    def condition(self, phrase: Phrase) -> Formula:
        step = step_of(phrase.expr)
        return f.Atom(as_atom(phrase.expr)) if step is None else step

    def each(self, binds: Binds) -> Iterator[None]:
        yield
