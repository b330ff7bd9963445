"""What goes to workers and what comes back: values that can be sent."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from knower.cluster.split import Window, inside
from knower.errors import KnowerError
from knower.functions.protocol import F, Space, Variable
from knower.functions.transport import unpacked
from knower.options import Tuning
from knower.query.query import Query
from knower.records import dataclass
from knower.symbolic.order_search import Configuration
from knower.symbolic.system import TransitionSystem
from knower.system.system import InterpretedSystem


class Unfit(KnowerError):
    """A worker cannot take part: it would not speak of the same diagrams."""


class ClusterLost(KnowerError):
    """A cluster can do no more."""


class Behind(KnowerError):
    """A worker has not heard the news that an errand leaves out."""


def fixed_order(system: TransitionSystem[F]) -> tuple[Variable, ...]:
    """The variables of the system from the top down; those that formulas add come after them."""
    return tuple(variable for variable in system.space.order() if variable < system.layout.variables)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker makes its model of, once: with the library, the order and the room of an attempt."""

    system: InterpretedSystem
    loops: bool
    tuning: Tuning
    attempt: Configuration
    order: tuple[Variable, ...]
    megabytes: float | None
    version: str

    def sealed(self) -> Sealed:
        data = pickle.dumps(self)
        return Sealed(hashlib.sha256(data).hexdigest(), data, (self.attempt.library, *self.order))

    def fits(self, other: Sealed | None) -> bool:
        """Whether diagrams of one can be read by the other."""
        return other is not None and other.diagrams == (self.attempt.library, *self.order)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A setup that is opened only by who has not got it yet."""

    key: str
    data: bytes
    diagrams: tuple[str | Variable, ...]

    def opened(self) -> Setup:
        setup: Setup = pickle.loads(self.data)
        return setup


#: What came of a round: for each window what was found in it and what was left, two diagrams, unopened.
News: TypeAlias = tuple[tuple[Window, bytes], ...]


def opened(
    space: Space[F], news: News, own: tuple[bytes, Sequence[F]] = (b"", ())
) -> Iterator[tuple[F, F, F]]:
    """For each window of a round, as sets: it, what was found, what was left. `own`: need not be opened."""
    for window, diagrams in news:
        found, left = own[1] if diagrams == own[0] else unpacked(space, diagrams)
        yield inside(space, window), found, left


@dataclass(frozen=True, slots=True)
class Errand:
    """One part of the frontier to explore, for some time or some layers.

    `news`: what came of the rounds of the run, of which a worker hears what it has not heard. With all of
    them any worker can do the errand, also one that has just begun; `omitted` says how many, the first, are
    left out. `round`: what the errands of one round, and no others, have in common. `query`: to be watched on
    the way, if a part of the model can decide it.
    """

    setup: Sealed
    run: str
    round: str
    news: tuple[News, ...]
    window: Window
    seconds: float
    layers: int | None
    query: Query | None
    omitted: int = 0

    def latest(self, rounds: int) -> Errand:
        """With the news of these last rounds only."""
        omitted = max(len(self.news) - rounds, 0)
        return replace(self, news=self.news[omitted:], omitted=omitted)

    @property
    def size(self) -> int:
        """The bytes of the diagrams."""
        return sum(len(diagrams) for news in self.news for _, diagrams in news)

    def is_done(self, layers: int, until: float) -> bool:
        """After so many layers; one there is always, however late it is."""
        return layers == self.layers or (layers > 0 and time.monotonic() > until)


@dataclass(frozen=True, slots=True)
class Findings:
    """What an errand has found and left (two diagrams); whether that decides the formula, or is the end."""

    diagrams: bytes
    decided: bool
    is_over: bool
    layers: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an errand of a round, or why nothing did."""

    round: str
    outcome: Findings | Exception


@dataclass(frozen=True, slots=True)
class Stop:
    """Errands of a round end after their present step: nobody waits for them."""

    round: str
