"""Parts of a true formula that never matter: with anything in their place it is true as well."""

from __future__ import annotations

from knower.logic.formula import Formula
from knower.reasons import Reason
from knower.records import dataclass


@dataclass(frozen=True, slots=True)
class Idle:
    """A part that never matters. `instead`: what was put in its place, which makes the formula hold least.

    `number`: which of so many equal parts (`among`) of the formula it is, from left to right. `places`: the
    operand it is at each operator from the root down; of a quantified formula, for each value.
    """

    part: Formula
    text: str
    instead: bool
    number: int = 1
    among: int = 1
    places: tuple[tuple[int, ...], ...] = ((),)


@dataclass(frozen=True, slots=True)
class Vacuity:
    """The largest idle parts of a formula; `undecided`: of so many it is not known whether they are.

    `left_out`: why it was not looked at all of them.
    """

    idle: tuple[Idle, ...] = ()
    undecided: int = 0
    left_out: Reason | None = None
