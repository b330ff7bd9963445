"""What waits on the stacks of the formula parser: operands, operators and open brackets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from knower.logic.formula import Formula, Program


@dataclass(frozen=True, slots=True)
class Operand:
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


@dataclass(frozen=True, slots=True)
class Waiting:
    """An infix operator, a prefix operator, or an open bracket."""

    text: str
    level: int
    token: int
    build: Callable[[Operand], Operand] | None = None
