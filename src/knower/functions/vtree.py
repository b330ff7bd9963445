"""Vtrees: the trees of variables over which sentential decision diagrams are built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TypeAlias

from knower.functions.protocol import Variable
from knower.records import dataclass


@dataclass(frozen=True)
class Branch:
    """An inner node: the variables on its left are decided first."""

    left: Vtree
    right: Vtree


#: A leaf is a variable.
Vtree: TypeAlias = Variable | Branch


def right_linear(parts: Sequence[Vtree]) -> Vtree:
    """Each part on the left of the rest: over variables, the shape of ordered BDDs."""
    return reduce(lambda rest, part: Branch(part, rest), reversed(parts[:-1]), parts[-1])


def left_linear(parts: Sequence[Vtree]) -> Vtree:
    """Each part on the right of those before it."""
    return reduce(Branch, parts[1:], parts[0])


def vertical(parts: Sequence[Vtree]) -> Vtree:
    """Each part beside the rest, on the left and on the right in turn."""
    tree = parts[-1]
    for place, part in reversed(list(enumerate(parts[:-1]))):
        tree = Branch(tree, part) if place % 2 else Branch(part, tree)
    return tree


def balanced(parts: Sequence[Vtree]) -> Vtree:
    """Halves of halves."""
    if len(parts) == 1:
        return parts[0]
    middle = (len(parts) + 1) // 2
    return Branch(balanced(parts[:middle]), balanced(parts[middle:]))


def leaves(tree: Vtree) -> Iterator[Variable]:
    """The variables from left to right."""
    todo = [tree]
    while todo:
        item = todo.pop()
        if isinstance(item, Branch):
            todo += [item.right, item.left]
        else:
            yield item


def written(tree: Vtree) -> str:
    """The tree in the file format of the SDD library, whose variables are numbered from 1."""
    lines: list[str] = []
    places: list[int] = []  # of the subtrees that wait for their parents
    todo: list[Vtree | None] = [tree]  # None: the two subtrees before it are joined
    while todo:
        item = todo.pop()
        if isinstance(item, Branch):
            todo += [None, item.right, item.left]
            continue
        number = len(lines)
        if item is None:
            right, left = places.pop(), places.pop()
            lines.append(f"I {number} {left} {right}")
        else:
            lines.append(f"L {number} {item + 1}")
        places.append(number)
    return "\n".join([f"vtree {len(lines)}", *lines, ""])
