"""Functions on their way to another process, as bytes.

Two forms, told apart by the first byte, both compressed:

    D   DDDMP 2.0, text mode, as OxiDD itself reads and writes it: ten times as fast as what follows,
        but only between OxiDD and OxiDD, and only if the variables stand in the same order
    N   a list of nodes, for every library and every order

A list of nodes is little-endian 32-bit numbers: how many nodes, how many roots; for each node a variable
and the places of its two sides (without the variable, with it), sides before their node; the
roots' places. Places 0 and 1 are false and true, the first node has place 2.
"""

from __future__ import annotations

import tempfile
import zlib
from array import array
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from sys import byteorder
from typing import Any, Generic

from knower.functions.protocol import F, Space

_DDDMP, _NODES = b"D", b"N"
#: Hardly larger than with the usual level, and much faster.
_COMPRESSION = 1


def packed(space: Space[F], functions: Sequence[F]) -> bytes:
    """Functions as bytes; what they share is there once."""
    if space.name == "oxidd":
        return _DDDMP + zlib.compress(_exported(functions), _COMPRESSION)
    return packed_as_nodes(space, functions)


def unpacked(space: Space[F], data: bytes) -> list[F]:
    """The functions again, in a space with the same variables."""
    body = zlib.decompress(memoryview(data)[1:])
    return _imported(space, body) if data[:1] == _DDDMP else _Builder(space).built(body)


# -- DDDMP ------------------------------------------------------------------------------------------------


def _exported(functions: Sequence[Any]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="knower-") as folder:
        path = Path(folder) / "diagrams.dddmp"
        functions[0].manager.export_dddmp(path, functions)
        return path.read_bytes()


def _imported(space: Space[F], text: bytes) -> list[F]:
    from oxidd.util import DDDMPFile

    with tempfile.TemporaryDirectory(prefix="knower-") as folder:
        path = Path(folder) / "diagrams.dddmp"
        path.write_bytes(text)
        with closing(DDDMPFile(path)) as file:
            _require_order(space, file.support_var_order)
            manager: Any = space.true.manager  # type: ignore[attr-defined]  # a function of OxiDD has one
            return list(manager.import_dddmp(file))


def _require_order(space: Space[F], variables: Iterable[int]) -> None:
    """OxiDD ends the process where the order is another."""
    level = {variable: k for k, variable in enumerate(space.order())}
    levels = [level[variable] for variable in variables]
    if levels != sorted(levels):
        raise ValueError("the diagrams were made with another order of the variables")


# -- lists of nodes -----------------------------------------------------------------------------------------


def packed_as_nodes(space: Space[F], functions: Sequence[F]) -> bytes:
    """The form that every library reads."""
    lister = _Lister(space)
    roots = [lister.place(function) for function in functions]
    return _NODES + zlib.compress(_bytes([len(lister.nodes) // 3, len(roots), *lister.nodes, *roots]))


class _Lister(Generic[F]):
    """The nodes of functions, sides before their node."""

    def __init__(self, space: Space[F]) -> None:
        self._space = space
        self._place = {space.false: 0, space.true: 1}
        self.nodes: list[int] = []

    def place(self, function: F) -> int:
        todo = [function]
        while todo:
            item = todo[-1]
            if item in self._place:
                todo.pop()
                continue
            variable, *sides = self._space.branches(item)
            waiting = [side for side in sides if side not in self._place]
            todo += waiting
            if not waiting:
                self._place[item] = len(self.nodes) // 3 + 2
                self.nodes += (variable, self._place[sides[0]], self._place[sides[1]])
        return self._place[function]


class _Builder(Generic[F]):
    """Functions from lists of nodes."""

    def __init__(self, space: Space[F]) -> None:
        self._space = space

    def built(self, body: bytes) -> list[F]:
        count, roots, *numbers = _numbers(body)
        made = [self._space.false, self._space.true]
        for at in range(0, 3 * count, 3):
            variable, low, high = numbers[at : at + 3]
            made.append(self._space.ite(self._space.var(variable), made[high], made[low]))
        return [made[place] for place in numbers[3 * count : 3 * count + roots]]


def _bytes(numbers: Iterable[int]) -> bytes:
    row = array("I", numbers)
    if byteorder == "big":
        row.byteswap()
    return row.tobytes()


def _numbers(body: bytes) -> array[int]:
    row = array("I")
    row.frombytes(body)
    if byteorder == "big":
        row.byteswap()
    return row
