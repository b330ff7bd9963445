"""Traversals that treat all operators alike, with a memo and an explicit stack."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, TypeVar

from knower.logic.formula import Atom, ProgramNode
from knower.logic.node import Node, children_of

T = TypeVar("T")
N = TypeVar("N", bound=Node)
R = TypeVar("R")


def fold(
    root: Node,
    step: Callable[[Any, tuple[T, ...]], T],
    operands: Callable[[Node], Sequence[Node]] = children_of,
) -> T:
    """`step(node, results of its children)`, from the leaves to the root; each node object once.

    `operands`: what counts as the children of a node.
    """
    return fold_more(root, step, operands, {})


def fold_more(
    root: Node,
    step: Callable[[Any, tuple[T, ...]], T],
    operands: Callable[[Node], Sequence[Node]],
    done: dict[int, T],
) -> T:
    """The same with the results of earlier folds, by the `id` of nodes that are still there."""
    if id(root) in done:
        return done[id(root)]
    todo: list[tuple[Node, Iterator[Node], Sequence[Node]]] = []
    item, children = root, operands(root)
    left = iter(children)
    while True:
        for child in left:
            if id(child) not in done:
                below = operands(child)
                if below:
                    todo.append((item, left, children))
                    item, children, left = child, below, iter(below)
                    break
                done[id(child)] = step(child, ())
        else:
            found = done[id(item)] = step(item, tuple([done[id(child)] for child in children]))
            if not todo:
                return found
            item, left, children = todo.pop()


def unwound(request: R, unfold: Callable[[R], Generator[R, T, T]]) -> T:
    """The result of `unfold(request)`, a generator that may ask for results of other requests.

    Recursion with a stack of its own, for depths that exhaust Python's.
    """
    stack = [unfold(request)]
    answer: T | None = None
    while True:
        try:
            wanted = stack[-1].send(answer)  # type: ignore[arg-type]  # None begins it
        except StopIteration as done:
            stack.pop()
            answer = done.value
            if not stack:
                return answer
        else:
            stack.append(unfold(wanted))
            answer = None


def rewrite(
    root: N, rule: Callable[[Any], Node], operands: Callable[[Node], Sequence[Node]] = children_of
) -> N:
    """`rule` applied to every node, from the leaves to the root; what it leaves alone is shared.

    `operands`: what is looked at below a node: its children, or nothing.
    """

    def step(item: Node, children: tuple[Node, ...]) -> Node:
        for new, old in zip(children, operands(item), strict=True):
            if new is not old:
                return rule(item.with_children(children))
        return rule(item)

    return fold(root, step, operands)  # type: ignore[return-value]


def shared(root: N) -> N:
    """An equal formula in which equal sub-formulas are one object."""
    table: dict[tuple[object, ...], Node] = {}

    def unique(item: Node) -> Node:
        key = (type(item), item.identity, tuple(id(child) for child in item.children))
        return table.setdefault(key, item)

    return rewrite(root, unique)


def subformulas(*roots: Node) -> Iterator[Node]:
    """Every node object below the roots once, from each root down and from left to right."""
    todo = list(reversed(roots))
    seen = set(map(id, roots))
    while todo:
        item = todo.pop()
        yield item
        for child in reversed(children_of(item)):
            if id(child) not in seen:
                seen.add(id(child))
                todo.append(child)


def subprograms(program: Node) -> list[Node]:
    """The programs a program is made of, without the formulas it tests."""
    return [child for child in program.children if isinstance(child, ProgramNode)]


def atoms(root: Node) -> frozenset[str]:
    """The names of the propositions a formula mentions."""
    return frozenset(item.name for item in subformulas(root) if isinstance(item, Atom))


def depth(root: Node) -> int:
    """The number of operators on the longest way down."""

    def step(_: Node, below: tuple[int, ...]) -> int:
        return 1 + max(below, default=0)

    return fold(root, step)
