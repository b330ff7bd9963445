"""What a coalition is to enforce, whatever stands for its formulas: sets of states, or the formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from knower.logic import formula as f
from knower.records import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Goal(Generic[T]):
    """`hold U end`; `hold` for ever if `weak`; `end` in the next state if `soon`.

    `F f` is `true U f`, `G f` is `f` for ever.
    """

    hold: T
    end: T
    weak: bool = False
    soon: bool = False


def goal_of(formula: f.Strategic, operands: Sequence[T], *, true: T, false: T) -> Goal[T]:
    """What a formula wants enforced, by what stands for its operands and for the constants."""
    match formula:
        case f.CanX():
            return Goal(false, operands[0], soon=True)
        case f.CanF():
            return Goal(true, operands[0])
        case f.CanG():
            return Goal(operands[0], false, weak=True)
        case f.CanU():
            return Goal(operands[0], operands[1])
