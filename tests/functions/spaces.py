"""The spaces that are tested alike: truth tables, and the libraries of diagrams that are here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any

import pytest

from engines import has_sdd
from knower.functions.protocol import Order, Space
from knower.functions.registry import PYSDD, available, how_to_get, new_sdd_space, new_space
from knower.functions.table import TableSpace
from knower.functions.vtree import Vtree, balanced, left_linear, right_linear

#: Sentential decision diagrams, by the shapes of their vtrees.
SHAPES: dict[str, Callable[[Sequence[Vtree]], Vtree]] = {
    "sdd-right-linear": right_linear,
    "sdd-balanced": balanced,
    "sdd-left-linear": left_linear,
}
DIAGRAMS = ("oxidd", "cudd", *SHAPES)
SPACES = ("table", *DIAGRAMS)
#: Those with the diagrams of an order: SDDs over a right-linear vtree are ordered BDDs.
ORDERED = ("oxidd", "cudd", "sdd-right-linear")
#: How many variables a deep diagram has. The SDD library calls itself for each level of a vtree and takes
#: 48 kB of the stack each time; left-linear vtrees make it slow.
DEPTHS = {
    "oxidd": 3000,
    "cudd": 3000,
    "sdd-right-linear": 120,
    "sdd-balanced": 3000,
    "sdd-left-linear": 120,
}


def space_of(name: str, order: Order, max_nodes: int = 1 << 16) -> Space[Any]:
    """A space of that name; the test is skipped where its library is missing."""
    if name == "table":
        return TableSpace(order)
    if name in SHAPES:
        return sdd_space_of(SHAPES[name]([variable for group in order for variable in group]))
    if name not in available():
        pytest.skip(f"{name} is not installed: {how_to_get(name)}")
    return new_space(name, order, max_nodes)


def sdd_space_of(vtree: Vtree, minimise: str = "off") -> Any:
    """A space over a vtree; the test is skipped where `pysdd` is missing."""
    if not has_sdd:
        pytest.skip(f"pysdd is not installed: {PYSDD.cure}")
    return new_sdd_space(vtree, minimise)


def alone(variables: Iterable[int]) -> list[list[int]]:
    """An order of groups of one."""
    return [[variable] for variable in variables]


def conjunction(space: Space[Any], functions: Iterable[Any]) -> Any:
    return reduce(and_, functions, space.true)


def disjunction(space: Space[Any], functions: Iterable[Any]) -> Any:
    return reduce(or_, functions, space.false)


def parity(space: Space[Any], functions: Iterable[Any]) -> Any:
    return reduce(space.xor, functions, space.false)


def row_of(space: Space[Any], row: int, variables: int) -> Any:
    """True in one row of the truth table: variable `v` has bit `v` of the row."""
    chosen = (space.var(v) if row >> v & 1 else ~space.var(v) for v in range(variables))
    return conjunction(space, chosen)


def function_of(space: Space[Any], table: int, variables: int) -> Any:
    """The function of a truth table: bit `k` is its value in row `k`."""
    rows = (row for row in range(1 << variables) if table >> row & 1)
    return disjunction(space, (row_of(space, row, variables) for row in rows))
