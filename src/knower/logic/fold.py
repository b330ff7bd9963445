"""Traversals that treat all operators alike, with a memo and an explicit stack."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from knower.logic.formula import Atom, ProgramNode
from knower.logic.node import Node

T = TypeVar("T")
N = TypeVar("N", bound=Node)
R = TypeVar("R")


def fold(
    root: Node,
    step: Callable[[Any, tuple[T, ...]], T],
    operands: Callable[[Node], Sequence[Node]] = attrgetter("children"),
) -> T:
    """`step(node, results of its children)`, from the leaves to the root; each node object once.

    `operands`: what counts as the children of a node.
    """
    done: dict[int, T] = {}
    todo = [root]
    while todo:
        item = todo.pop()
        if id(item) in done:
            continue
        children = operands(item)
        waiting = [child for child in children if id(child) not in done]
        if waiting:
            todo.append(item)
            todo += reversed(waiting)
        else:
            done[id(item)] = step(item, tuple([done[id(child)] for child in children]))
    return done[id(root)]


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


def rewrite(root: N, rule: Callable[[Any], Node]) -> N:
    """`rule` applied to every node, from the leaves to the root; what it leaves alone is shared."""

    def step(item: Node, children: tuple[Node, ...]) -> Node:
        same = all(new is old for new, old in zip(children, item.children, strict=True))
        return rule(item if same else item.with_children(children))

    return fold(root, step)  # type: ignore[return-value]


def shared(root: N) -> N:
    """An equal formula in which equal sub-formulas are one object."""
    table: dict[tuple[object, ...], Node] = {}

    def unique(item: Node) -> Node:
        key = (type(item), item.identity, tuple(id(child) for child in item.children))
        return table.setdefault(key, item)

    return rewrite(root, unique)


def subformulas(root: Node) -> Iterator[Node]:
    """Every node object below `root` once, from the root down and from left to right."""
    todo, seen = [root], {id(root)}
    while todo:
        item = todo.pop()
        yield item
        for child in reversed(item.children):
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
