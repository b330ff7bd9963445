"""A sentential decision diagram and the vtree it respects, by the names of the model, to be drawn."""

from __future__ import annotations

from typing import TypeAlias

from knower.records import dataclass

#: A decision by its number; or a literal or a constant, in words.
Part: TypeAlias = int | str


@dataclass(frozen=True)
class VtreeNode:
    """A leaf has the name of its bit; an inner node the numbers of its children."""

    bit: str | None
    children: tuple[int, ...] = ()


@dataclass(frozen=True)
class Decision:
    """One of the elements applies: its prime is true, and the decision is its sub."""

    vtree: int
    elements: tuple[tuple[Part, Part], ...]


@dataclass(frozen=True)
class Diagram:
    """The reachable states of a model. The nodes of the vtree stand from left to right."""

    model: str
    vtree: tuple[VtreeNode, ...]
    decisions: tuple[Decision, ...]
    root: Part
