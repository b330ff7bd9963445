"""What a text may hold beyond plain ISPL, as written: constants, parameters, arrays, quantifiers, sets.

A `Template` is a whole file of it; `templates.instantiate` makes a plain `tree.Module` of one. Declarations
that use nothing of this are those of `tree` here, too.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from knower.logic.node import light_node
from knower.syntax.tree import (
    Assignment,
    BooleanType,
    EvolutionLine,
    Expr,
    FormulaDecl,
    GroupDecl,
    Identifier,
    Phrase,
    Place,
    Placed,
    PropositionDecl,
    ProtocolLine,
    SemanticsDecl,
    VariableDecl,
    construct,
)  # fmt: skip


def _unplaced() -> Place | None:
    return field(default=None, compare=False, repr=False)


# -- names and their ranges ------------------------------------------------------------------------


@construct
class Interval(Placed):
    """`low..high`."""

    low: Phrase
    high: Phrase
    place: Place | None = _unplaced()


@construct
class SetOf(Placed):
    """`{a, b(i) | i : 1..n where c}`: without names, what is listed."""

    items: tuple[Phrase, ...]
    binds: Binds | None = None
    place: Place | None = _unplaced()


@construct
class NamedSet(Placed):
    """A constant that is a set."""

    name: str
    place: Place | None = _unplaced()


Range: TypeAlias = Interval | SetOf | NamedSet
#: A set as written: plain names, or what has to be worked out.
Names: TypeAlias = tuple[Identifier, ...] | SetOf


@construct
class Bind(Placed):
    """`i : 1..n`."""

    name: Identifier
    range: Range
    place: Place | None = _unplaced()


@construct
class Binds(Placed):
    """`i : 1..n, j : 1..n where i < j`."""

    binds: tuple[Bind, ...]
    where: Phrase | None = None
    place: Place | None = _unplaced()


@construct
class Head(Placed):
    """`muddy(i)`: a name with arguments."""

    name: Identifier
    arguments: tuple[Phrase, ...]
    place: Place | None = _unplaced()


# -- expressions: they know their places, as no two of them are one node ---------------------------


@light_node
class Reference(Expr):
    """`call(i)`, `mud[j]`, `Child(i + 1).x`, `Environment.mud[j]`: arguments are those of the first name."""

    name: str
    arguments: tuple[Phrase, ...] = ()
    member: str | None = None
    indices: tuple[Phrase, ...] = ()
    place: Place | None = _unplaced()


@light_node
class Quantified(Expr):
    """`forall`, `exists`, `sum`, `count`, `min` or `max` over names."""

    word: str
    binds: Binds
    body: Phrase
    place: Place | None = _unplaced()


@light_node
class Apply(Expr):
    """`min(a, b, c)`, `max(a, b)`, `abs(a)`."""

    word: str
    operands: tuple[Phrase, ...]
    place: Place | None = _unplaced()


@light_node
class Conditional(Expr):
    """`if c then a else b`."""

    condition: Phrase
    then: Phrase
    otherwise: Phrase
    place: Place | None = _unplaced()


@light_node
class Collection(Expr):
    """What stands on the right of `in`; the bounds of an interval may read the state."""

    range: Range
    place: Place | None = _unplaced()


TemplateExpr: TypeAlias = Reference | Quantified | Apply | Conditional | Collection


# -- declarations ----------------------------------------------------------------------------------


@construct
class ConstDecl(Placed):
    """`Const n = 3 where n >= 2;`"""

    name: Identifier
    value: Phrase | SetOf
    where: Phrase | None = None
    place: Place | None = _unplaced()


@construct
class DefineDecl(Placed):
    """`Define total = sum i : 1..n (mud[i]);`"""

    name: Identifier
    body: Phrase
    place: Place | None = _unplaced()


@construct
class VariableTemplate(Placed):
    """A variable or an array; its type may depend on constants. `init`: its value, or a set of them."""

    name: Identifier
    array: tuple[Range, ...]
    type: BooleanType | Range
    init: Phrase | Range | None = None
    place: Place | None = _unplaced()


@construct
class ProtocolTemplate(Placed):
    condition: Phrase | None
    actions: Names
    place: Place | None = _unplaced()


@construct
class ElementAssignment(Placed):
    """`x[e] = v`."""

    target: Identifier
    indices: tuple[Phrase, ...]
    value: Phrase
    place: Place | None = _unplaced()


@construct
class AllAssignments(Placed):
    """`forall i : 1..n (x[i] = e and y[i] = f)`: simultaneously."""

    binds: Binds
    assignments: tuple[Assigned, ...]
    place: Place | None = _unplaced()


Assigned: TypeAlias = Assignment | ElementAssignment | AllAssignments


@construct
class EvolutionTemplate(Placed):
    assignments: tuple[Assigned, ...]
    condition: Phrase
    place: Place | None = _unplaced()


@construct
class PropositionTemplate(Placed):
    name: Head
    condition: Phrase
    place: Place | None = _unplaced()


@construct
class GroupTemplate(Placed):
    name: Identifier | Head
    members: Names
    place: Place | None = _unplaced()


@construct
class Expectation(Placed):
    """`expect false "why"`: what is expected may depend on constants; None: unknown."""

    verdict: Phrase | None
    text: str = ""
    place: Place | None = _unplaced()


@construct
class FormulaTemplate(Placed):
    """A formula with a name, an expectation, or names of instances in it.

    `body`: its tokens. They are read again for each instance, as what a formula is depends on it: the first
    reading, of which `decl` is left, has found that they can be read.
    """

    name: Identifier | Head | None
    body: Place
    decl: FormulaDecl
    expectation: Expectation | None = None
    place: Place | None = _unplaced()


Line: TypeAlias = (
    ProtocolLine | ProtocolTemplate | EvolutionLine | EvolutionTemplate
    | PropositionDecl | PropositionTemplate | GroupDecl | GroupTemplate | FormulaTemplate
)  # fmt: skip


@construct
class For(Placed):
    """`for i : 1..n do LINE`: the line once for each value."""

    binds: Binds
    body: Line
    place: Place | None = _unplaced()


Variable: TypeAlias = VariableDecl | VariableTemplate


@construct
class AgentTemplate(Placed):
    name: Identifier
    parameters: tuple[Bind, ...] = ()
    obsvars: tuple[Variable, ...] = ()
    vars: tuple[Variable, ...] = ()
    lobsvars: Names = ()
    red: Phrase | None = None
    actions: Names = ()
    protocol: tuple[Line | For, ...] = ()
    evolution: tuple[Line | For, ...] = ()
    defines: tuple[DefineDecl, ...] = ()
    place: Place | None = _unplaced()


@construct
class Template:
    """A whole file."""

    semantics: SemanticsDecl | None = None
    constants: tuple[ConstDecl, ...] = ()
    agents: tuple[AgentTemplate, ...] = ()
    evaluation: tuple[Line | For, ...] = ()
    initial: Phrase | None = None
    groups: tuple[Line | For, ...] = ()
    fairness: tuple[Line | For, ...] = ()
    formulae: tuple[Line | For, ...] = ()
