"""The reachable states of a model as a graph, as people read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
class StateGraph:
    """All reachable states, in breadth-first order, and all steps between them.

    `confused`: agent -> its classes of nodes that look alike to it, those of one node too.
    """

    model: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    confused: Mapping[str, tuple[tuple[int, ...], ...]]

    def __repr__(self) -> str:
        return f"<StateGraph {self.model}: {len(self.nodes)} states, {len(self.edges)} steps>"
