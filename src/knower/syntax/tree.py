"""ISPL as written: one node per construct.

Constructs know the tokens they are written with, and from them their place in the text, for whoever asks.
Places do not take part in comparison: two texts that differ in layout have equal trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Literal, Protocol, TypeAlias, TypeVar, dataclass_transform

from knower.logic.language import NO_ENTRY, Entry, Specification
from knower.logic.node import Node, light_node
from knower.records import dataclass
from knower.source import NOWHERE, Span
from knower.syntax.lexer import Tokens

_T = TypeVar("_T")

#: The tokens of a text, and which of them: the first and the last; in a template, for which instance.
Place: TypeAlias = tuple[Tokens, int, int] | tuple[Tokens, int, int, str]


def _unplaced() -> Place | None:
    """A field for a place, which is not compared."""
    return field(default=None, compare=False, repr=False)


@dataclass_transform(field_specifiers=(field,))
def construct(cls: type[_T]) -> type[_T]:
    """A dataclass that only habit keeps from being changed: it is made in half the time of a frozen one."""
    return dataclass(slots=True, unsafe_hash=True)(cls)


class Placed:
    """Something that was written, or made without ever being written: then it has no place."""

    __slots__ = ()
    place: Place | None

    @property
    def span(self) -> Span:
        """Its characters in the text."""
        if self.place is None:
            return NOWHERE
        tokens, first, last, *instance = self.place
        return Span(*tokens.span(first, last)[:2], *instance)

    @property
    def line(self) -> int | None:
        """The line on which it starts."""
        return None if self.place is None else self.place[0].source.position(self.span.start).line


# -- expressions and conditions: one grammar, sorted out by elaboration ----------------


@light_node
class Expr(Node):
    """A condition, an arithmetic expression or a bit expression.

    It has no place: equal ones of a text may be one node. `places` finds the places of its parts.
    """


@light_node
class Name(Expr):
    """`x`, or `Agent.x` with an owner; `Action` and `Agent.Action` too."""

    name: str
    owner: str | None = None


@light_node
class Number(Expr):
    value: int


@light_node
class Prefix(Expr):
    """`!c`, `-e`, `~e`, `abs(e)`."""

    operator: str
    operand: Expr


#: The operators of `Infix`, by the types of their operands and of what they make.
CONNECTIVES = frozenset({"and", "or", "xor", "->", "<->"})
COMPARISONS = frozenset({"=", "!=", "<", "<=", ">", ">="})
ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "min", "max"})
BITS = frozenset({"&", "^", "|"})


@light_node
class Infix(Expr):
    """A connective, a comparison, an arithmetic or a bit operator."""

    operator: str
    left: Expr
    right: Expr


@light_node
class If(Expr):
    """`if condition then value else otherwise`: only the one that is taken is evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr


@light_node
class Undefined(Expr):
    """No value: what an array has outside its range."""


#: Expressions that mean something by themselves: all others are unfolded by templates first.
PLAIN = (Name, Number, Prefix, Infix, If, Undefined)


@dataclass(frozen=True)
class Located:
    """An equal expression in which every part is a node of its own, with the places of all of them."""

    expr: Expr
    _spans: Mapping[int, Span]

    def span(self, part: Expr) -> Span:
        """From the first to the last token of a part; parentheses around it do not count."""
        return self._spans[id(part)]


class Expansion(Protocol):
    """What an expression was made of, if it is not as it is written."""

    def located(self) -> Located: ...


@construct
class Phrase(Placed):
    """An expression where it is written, with the parentheses around it."""

    expr: Expr
    place: Place | None = _unplaced()
    expansion: Expansion | None = field(default=None, compare=False, repr=False)


# -- declarations ------------------------------------------------------------------------


@construct
class Identifier(Placed):
    """A name where it is declared or mentioned."""

    text: str
    place: Place | None = _unplaced()


@construct
class BooleanType(Placed):
    place: Place | None = _unplaced()


@construct
class EnumType(Placed):
    values: tuple[Identifier, ...]
    place: Place | None = _unplaced()


@construct
class RangeType(Placed):
    low: int
    high: int
    place: Place | None = _unplaced()


Type: TypeAlias = BooleanType | EnumType | RangeType


@construct
class VariableDecl(Placed):
    name: Identifier
    type: Type
    place: Place | None = _unplaced()


@construct
class ProtocolLine(Placed):
    """`condition : {actions};`; without a condition it is the `Other` line."""

    condition: Phrase | None
    actions: tuple[Identifier, ...]
    place: Place | None = _unplaced()


@construct
class Assignment(Placed):
    target: Identifier
    value: Phrase
    place: Place | None = _unplaced()


@construct
class EvolutionLine(Placed):
    assignments: tuple[Assignment, ...]
    condition: Phrase
    place: Place | None = _unplaced()


@construct
class AgentDecl(Placed):
    name: Identifier
    obsvars: tuple[VariableDecl, ...] = ()
    vars: tuple[VariableDecl, ...] = ()
    lobsvars: tuple[Identifier, ...] = ()
    red: Phrase | None = None
    actions: tuple[Identifier, ...] = ()
    protocol: tuple[ProtocolLine, ...] = ()
    evolution: tuple[EvolutionLine, ...] = ()
    place: Place | None = _unplaced()


@construct
class PropositionDecl(Placed):
    name: Identifier
    condition: Phrase
    place: Place | None = _unplaced()


@construct
class GroupDecl(Placed):
    name: Identifier
    members: tuple[Identifier, ...]
    place: Place | None = _unplaced()


#: A coalition is a group, which may be empty: of what nobody can prevent.
NameKind: TypeAlias = Literal["proposition", "agent", "group", "coalition"]


@construct
class NameUse(Placed):
    """A name inside a formula, and what it must be the name of."""

    kind: NameKind
    name: str
    place: Place | None = _unplaced()


@construct
class Expected(Placed):
    """`expect false "why"`: what a verdict ought to be."""

    verdict: Literal["true", "false", "unknown"]
    text: str = ""
    place: Place | None = _unplaced()


@construct
class FormulaDecl(Placed):
    """A formula, with the places of its names and of what the peer would read otherwise.

    `conditions`: those over states that are written inside of it; it has an atom of that name for each.
    """

    specification: Specification
    place: Place | None = _unplaced()
    uses: tuple[NameUse, ...] = field(default=(), compare=False)
    mcmas_ambiguity: tuple[Span, ...] = field(default=(), compare=False)
    conditions: tuple[PropositionDecl, ...] = ()
    label: Identifier | None = None
    expectation: Expected | None = None
    #: As it is written, if that is shorter than what it stands for.
    written: str = field(default="", compare=False)

    @property
    def entry(self) -> Entry:
        """What the file says beside it."""
        if self.label is None and self.expectation is None and not self.written:
            return NO_ENTRY
        name = None if self.label is None else self.label.text
        if self.expectation is None:
            return Entry(name, written=self.written)
        return Entry(name, self.expectation.verdict, self.expectation.text, self.written)


@construct
class SemanticsDecl(Placed):
    """`MultiAssignment` or `SingleAssignment`."""

    name: str
    place: Place | None = _unplaced()


@construct
class Module:
    """A whole file."""

    semantics: SemanticsDecl | None = None
    agents: tuple[AgentDecl, ...] = ()
    evaluation: tuple[PropositionDecl, ...] = ()
    initial: Phrase | None = None
    groups: tuple[GroupDecl, ...] = ()
    fairness: tuple[FormulaDecl, ...] = ()
    formulae: tuple[FormulaDecl, ...] = ()


@dataclass(frozen=True, slots=True)
class Names:
    """Who is declared: what a formula parser must know to tell a coalition from a program."""

    agents: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    propositions: frozenset[str] = frozenset()

    @staticmethod
    def of(
        agents: Iterable[AgentDecl], groups: Iterable[GroupDecl], evaluation: Iterable[PropositionDecl]
    ) -> Names:
        return Names(
            frozenset(agent.name.text for agent in agents),
            frozenset(group.name.text for group in groups),
            frozenset(proposition.name.text for proposition in evaluation),
        )
