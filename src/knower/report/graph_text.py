"""The graph of a model in DOT, for Graphviz, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from knower.report.data import SCHEMA
from knower.report.dot import COLOURS, quoted
from knower.report.wording import actions_text, value_text
from knower.verdict.graph import Node, StateGraph

#: A label with more joint actions is cut short.
_SHOWN_ACTIONS = 4


def graph_dot(graph: StateGraph, *, knowledge: bool = False) -> str:
    """The graph in the language of Graphviz; `knowledge`: dashed lines join what looks alike.

    States that look alike to an agent are joined in a chain, not each with each.
    """
    knows = _knowledge_lines(graph) if knowledge else ()
    return "\n".join([*_opening(graph), *_node_lines(graph), *_edge_lines(graph), *knows, "}", ""])


def _opening(graph: StateGraph) -> Iterator[str]:
    yield f"digraph {quoted(graph.model)} {{"
    yield '  node [shape=box, style=rounded, fontname="Helvetica", fontsize=11];'
    yield '  edge [fontname="Helvetica", fontsize=10];'


def _node_lines(graph: StateGraph) -> Iterator[str]:
    """Initial states have a double border."""
    for node in graph.nodes:
        border = ", peripheries=2" if node.initial else ""
        yield f"  s{node.number} [label={quoted(_label(node))}{border}];"


def _label(node: Node) -> str:
    values = [
        f"{agent}.{name} = {value_text(v)}"
        for agent, local in node.state.items()
        for name, v in local.items()
    ]
    holds = [f"{{{', '.join(node.holds)}}}"] if node.holds else []
    return "\n".join([str(node.number), *values, *holds])


def _edge_lines(graph: StateGraph) -> Iterator[str]:
    """One arrow for all steps between two states."""
    labels: dict[tuple[int, int], dict[str, None]] = {}
    for edge in graph.edges:
        labels.setdefault((edge.source, edge.target), {})[actions_text(edge.action)] = None
    for (source, target), lines in labels.items():
        yield f"  s{source} -> s{target} [label={quoted(_alternatives(list(lines)))}];"


def _alternatives(lines: list[str]) -> str:
    more = len(lines) - _SHOWN_ACTIONS
    return "\nor ".join([*lines[:_SHOWN_ACTIONS], *([f"{more} more"] if more > 0 else [])])


def _knowledge_lines(graph: StateGraph) -> Iterator[str]:
    for place, (agent, classes) in enumerate(graph.confused.items()):
        colour = quoted(COLOURS[place % len(COLOURS)])
        style = f"style=dashed, dir=none, constraint=false, color={colour}, fontcolor={colour}"
        for alike in classes:
            for one, other in pairwise(alike):
                yield f"  s{one} -> s{other} [label={quoted(agent)}, {style}];"


def graph_data(graph: StateGraph, *, knowledge: bool = False) -> dict[str, Any]:
    """The graph as plain data; `knowledge`: with the classes of states that look alike."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "model": graph.model,
        "states": [
            {"number": n.number, "initial": n.initial, "state": n.state, "true": list(n.holds)}
            for n in graph.nodes
        ],
        "steps": [{"from": e.source, "to": e.target, "action": e.action} for e in graph.edges],
    }
    if knowledge:
        data["knowledge"] = {agent: list(map(list, classes)) for agent, classes in graph.confused.items()}
    return data
