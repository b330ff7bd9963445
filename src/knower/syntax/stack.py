"""What waits on the stacks of the formula parser: operands, operators and open brackets."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from knower.logic.formula import Formula, Program


class Operand(NamedTuple):
    """A parsed piece with the tokens it covers.

    `closed`: nothing outside can split it. `until`: it is `( … U … )`. `tail`: it ends in a path
    operator whose operand the peer would extend.
    """

    value: Formula | Program
    first: int
    last: int
    closed: bool = True
    until: bool = False
    tail: bool = False


class Waiting(NamedTuple):
    """An infix operator, a prefix operator, or an open bracket."""

    text: str
    level: int
    token: int
    build: Callable[[Operand], Operand] | None = None
