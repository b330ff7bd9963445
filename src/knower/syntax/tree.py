"""ISPL as written: one node per construct, each with its place in the text.

Places do not take part in comparison: two texts that differ in layout have equal trees.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Literal, TypeAlias

from knower.logic.language import Specification
from knower.logic.node import Node, light_node
from knower.records import dataclass
from knower.source import NOWHERE, Span


def _place() -> Span:
    """A field for a span that is not compared."""
    return field(default=NOWHERE, compare=False)


# -- expressions and conditions: one grammar, sorted out by elaboration ----------------


@light_node
class Expr(Node):
    """A condition, an arithmetic expression or a bit expression."""

    span: Span = field(compare=False)


@light_node
class Name(Expr):
    """`x`, or `Agent.x` with an owner; `Action` and `Agent.Action` too."""

    __match_args__ = ("name", "owner")
    name: str
    owner: str | None = None


@light_node
class Number(Expr):
    __match_args__ = ("value",)
    value: int


@light_node
class Prefix(Expr):
    """`!c`, `-e`, `~e`."""

    __match_args__ = ("operator", "operand")
    operator: str
    operand: Expr


@light_node
class Infix(Expr):
    """A connective, a comparison, an arithmetic or a bit operator."""

    __match_args__ = ("operator", "left", "right")
    operator: str
    left: Expr
    right: Expr


# -- declarations ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name where it is declared or mentioned."""

    text: str
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class BooleanType:
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class EnumType:
    values: tuple[Identifier, ...]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class RangeType:
    low: int
    high: int
    span: Span = _place()


Type: TypeAlias = BooleanType | EnumType | RangeType


@dataclass(frozen=True, slots=True)
class VariableDecl:
    name: Identifier
    type: Type
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class ProtocolLine:
    """`condition : {actions};`; without a condition it is the `Other` line."""

    condition: Expr | None
    actions: tuple[Identifier, ...]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Assignment:
    target: Identifier
    value: Expr
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class EvolutionLine:
    assignments: tuple[Assignment, ...]
    condition: Expr
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class AgentDecl:
    name: Identifier
    obsvars: tuple[VariableDecl, ...] = ()
    vars: tuple[VariableDecl, ...] = ()
    lobsvars: tuple[Identifier, ...] = ()
    red: Expr | None = None
    actions: tuple[Identifier, ...] = ()
    protocol: tuple[ProtocolLine, ...] = ()
    evolution: tuple[EvolutionLine, ...] = ()
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class PropositionDecl:
    name: Identifier
    condition: Expr
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class GroupDecl:
    name: Identifier
    members: tuple[Identifier, ...]
    span: Span = _place()


#: A coalition is a group, which may be empty: of what nobody can prevent.
NameKind: TypeAlias = Literal["proposition", "agent", "group", "coalition"]


@dataclass(frozen=True, slots=True)
class NameUse:
    """A name inside a formula, and what it must be the name of."""

    kind: NameKind
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class FormulaDecl:
    """A formula, with the places of its names and of what the peer would read otherwise."""

    specification: Specification
    span: Span = _place()
    uses: tuple[NameUse, ...] = field(default=(), compare=False)
    mcmas_ambiguity: tuple[Span, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class SemanticsDecl:
    """`MultiAssignment` or `SingleAssignment`."""

    name: str
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Module:
    """A whole file."""

    semantics: SemanticsDecl | None = None
    agents: tuple[AgentDecl, ...] = ()
    evaluation: tuple[PropositionDecl, ...] = ()
    initial: Expr | None = None
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
