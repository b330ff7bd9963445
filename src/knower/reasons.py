"""Why something is not known: plain values, put into words by `report`.

Texts inside them (`why`, `what`) are plain prose: no option of a program is named in them.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from knower.records import dataclass


@dataclass(frozen=True, slots=True)
class NoCounterexample:
    """A universal formula that nothing has refuted within so many steps."""

    steps: int


@dataclass(frozen=True, slots=True)
class NoWitness:
    """An existential formula that nothing has shown within so many steps."""

    steps: int


@dataclass(frozen=True, slots=True)
class NeedsAllStates:
    """A formula that no part of the states decides; after so many steps there are more."""

    steps: int


@dataclass(frozen=True, slots=True)
class TimeLimit:
    seconds: float


@dataclass(frozen=True, slots=True)
class TimeShare:
    """A share of the time was used up: others wait for theirs."""


@dataclass(frozen=True, slots=True)
class MemoryLimit:
    megabytes: float


@dataclass(frozen=True, slots=True)
class StateLimit:
    states: int


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """There is no more memory, whatever the limits; of `whom`, if it is not the program itself."""

    whom: str = ""


@dataclass(frozen=True, slots=True)
class TooDeep:
    """A condition or formula is nested too deeply to be evaluated."""


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A bound of the method itself, in words: `a path of more than 1000 states`.

    `optional`: it would go further if more evidence was asked for.
    """

    what: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """The question is not one that the engine decides. `instead`: the engines that do."""

    why: str
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HasDeadlock:
    """The policy is not to answer where there is a deadlock; `uniform`: in all uniform models that count."""

    uniform: bool = False


@dataclass(frozen=True, slots=True)
class OperandsApart:
    """Each operand of a disjunction is false, but perhaps in different states."""


@dataclass(frozen=True, slots=True)
class NoSingleCause:
    """All of these fail (`strategy`, `uniform model`), but each in its own way."""

    of: str


@dataclass(frozen=True, slots=True)
class Interrupted:
    pass


@dataclass(frozen=True, slots=True)
class Stopped:
    """Nobody waited for the answer any more."""


@dataclass(frozen=True, slots=True)
class NotYet:
    """The run ended before it was found."""


@dataclass(frozen=True, slots=True)
class EngineDied:
    """The process of the engine ended by itself: by which signal, if by one."""

    signal: int | None = None


@dataclass(frozen=True, slots=True)
class WorkersLost:
    """A cluster can do no more."""

    why: str


@dataclass(frozen=True, slots=True)
class WrongProof:
    """The judge does not accept the evidence: a fault of this program."""

    mistake: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two methods say different things: a fault of this program."""


@dataclass(frozen=True, slots=True)
class Searched:
    """Another reason, with how long the paths were that had been tried by then."""

    reason: Reason
    steps: int


@dataclass(frozen=True, slots=True)
class Each:
    """Several methods, each with its reason."""

    reasons: tuple[tuple[tuple[str, ...], Reason], ...] = field(default=())


Reason: TypeAlias = (
    NoCounterexample
    | NoWitness
    | NeedsAllStates
    | TimeLimit
    | TimeShare
    | MemoryLimit
    | StateLimit
    | OutOfMemory
    | TooDeep
    | TooLarge
    | Refused
    | HasDeadlock
    | OperandsApart
    | NoSingleCause
    | Interrupted
    | Stopped
    | NotYet
    | EngineDied
    | WorkersLost
    | WrongProof
    | Contradiction
    | Searched
    | Each
)
