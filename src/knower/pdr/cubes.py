"""Cubes of states: values of some bits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

#: A bit with its value: its input's number twice, plus one where it is false.
Bit: TypeAlias = int
#: All states in which these bits have these values.
Cube: TypeAlias = frozenset[Bit]


def cube_of(values: Mapping[int, bool]) -> Cube:
    return frozenset(2 * number + (not value) for number, value in values.items())


def values_of(cube: Cube) -> dict[int, bool]:
    return {bit >> 1: not bit & 1 for bit in cube}
