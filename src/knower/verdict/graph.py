"""The reachable states of a model as a graph, as people read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from knower.records import dataclass
from knower.verdict.shown import Shown, shown
from knower.verdict.trace import GlobalState, NamedAction


@dataclass(frozen=True, slots=True)
class Node:
    """A reachable state, or what is shown of it, with the propositions true there."""

    number: int
    state: GlobalState
    initial: bool
    holds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """A step: the joint action leads from one node to another."""

    source: int
    target: int
    action: NamedAction


@dataclass(frozen=True)
class StateGraph(Shown):
    """All reachable states, in breadth-first order, and all steps between them.

    `confused`: agent -> its classes of nodes that look alike to it, those of one node too.
    """

    _html = "graph_svg:graph_html"

    model: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    confused: Mapping[str, tuple[tuple[int, ...], ...]]

    def _repr_svg_(self) -> str | None:
        """A drawing, unless there are so many states that nobody could read it."""
        return cast("str | None", shown("graph_svg:graph_svg", self))

    def to_dict(self) -> dict[str, Any]:
        """The graph as plain data, with what looks alike to whom."""
        return cast("dict[str, Any]", shown("graph_text:graph_data", self, knowledge=True))

    def __repr__(self) -> str:
        return f"<StateGraph {self.model}: {len(self.nodes)} states, {len(self.edges)} steps>"
