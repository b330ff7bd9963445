"""What can be done in a state and what is known there, as people read it."""

from __future__ import annotations

from enum import Enum

from knower.records import dataclass
from knower.verdict.evidence import State
from knower.verdict.trace import NamedAction


@dataclass(frozen=True, slots=True)
class Move:
    """An enabled joint action and how many states it can lead to.

    `number` counts all enabled joint actions of the state from 1, whichever of them are looked at.
    `trouble`: an overflow on the way, which takes successors away.
    """

    number: int
    action: NamedAction
    successors: int
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class Possible:
    """The states somebody cannot rule out: how many there are, and some or all of them."""

    count: int
    states: tuple[State, ...]


class Stance(Enum):
    """How an agent stands to a formula at a state."""

    KNOWS = "knows it"
    KNOWS_OPPOSITE = "knows the opposite"
    DOES_NOT_KNOW = "does not know"
