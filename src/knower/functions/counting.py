"""Exact counts of satisfying assignments, for engines that count in floating point."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def exact_count(root: N, depth: int, branch: Callable[[N], tuple[int, N, N] | bool]) -> int:
    """The assignments to `depth` variables that satisfy a diagram.

    `branch` tells a node's place among the variables and its two sides, or its value if it is a
    constant. Diagrams can be deep: the stack is explicit.
    """
    counts: dict[N, tuple[int, int]] = {}  # node -> its place, assignments of the variables from there on
    todo = [root]
    while todo:
        node = todo[-1]
        if node in counts:
            todo.pop()
            continue
        found = branch(node)
        if isinstance(found, bool):
            counts[node] = depth, int(found)
            continue
        place, low, high = found
        missing = [side for side in (low, high) if side not in counts]
        if missing:
            todo += missing
            continue
        counts[node] = place, sum(_lifted(counts[side], place + 1) for side in (low, high))
    return _lifted(counts[root], 0)


def _lifted(counted: tuple[int, int], place: int) -> int:
    """A count made from one place on, as one made from an earlier place on."""
    own, number = counted
    return number << (own - place)
