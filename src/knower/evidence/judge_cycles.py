"""Cycles in finite graphs, given as node -> the nodes that follow."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import TypeAlias, TypeVar

N = TypeVar("N", bound=Hashable)
Edges: TypeAlias = Mapping[N, Collection[N]]


def has_cycle(edges: Edges[N]) -> bool:
    return any(True for _ in cyclic_parts(edges))


def within(edges: Edges[N], nodes: Collection[N]) -> dict[N, list[N]]:
    """The graph on these nodes only."""
    return {node: [after for after in edges[node] if after in nodes] for node in nodes}


def cyclic_parts(edges: Edges[N]) -> Iterator[set[N]]:
    """The strongly connected components that hold a cycle, by Kosaraju's two searches."""
    before: dict[N, list[N]] = {node: [] for node in edges}
    for node, following in edges.items():
        for after in following:
            before[after].append(node)
    seen: set[N] = set()
    for root in reversed(_finished(edges)):
        if root not in seen:
            part = set(_search(root, before, seen))
            if len(part) > 1 or root in edges[root]:
                yield part


def _finished(edges: Edges[N]) -> list[N]:
    """All nodes, in the order in which a depth-first search leaves them."""
    seen: set[N] = set()
    return [node for root in edges if root not in seen for node in _search(root, edges, seen)]


def _search(root: N, edges: Edges[N], seen: set[N]) -> Iterator[N]:
    """The unseen nodes that can be reached, each when the search leaves it."""
    seen.add(root)
    trail = [(root, iter(edges[root]))]
    while trail:
        node, following = trail[-1]
        after = next((n for n in following if n not in seen), None)
        if after is None:
            trail.pop()
            yield node
        else:
            seen.add(after)
            trail.append((after, iter(edges[after])))
