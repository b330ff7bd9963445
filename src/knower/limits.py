"""Limits of time, memory and size, asked for by long work at every turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from typing import TypeAlias

from knower.errors import LimitReached
from knower.memory import resident_megabytes
from knower.options import Limits
from knower.reasons import MemoryLimit, Reason, StateLimit, TimeLimit, TimeShare
from knower.records import dataclass

#: Memory is read once in so many ticks, time in a smaller number: both cost a system call.
_MEMORY_EVERY, _TIME_EVERY = 4096, 64
#: Steps that may take long are counted apart: memory is read, progress told, once in so many.
_LONG_STEPS = 16

#: Offered a description of what is being done and how far it is; shows it or drops it unmade.
Progress: TypeAlias = Callable[[Callable[[], str]], None]
#: Tells how large things are at the moment: what, and its value.
Gauge: TypeAlias = Callable[[], Mapping[str, str | int | float]]

#: After so many turns that were too short, the next one is the last.
_TURNS = 3


@dataclass(frozen=True, slots=True)
class _Share:
    """How often somebody has had a turn, and how long all of them took."""

    turn: int = 0
    used: float = 0.0


@dataclass(slots=True)
class Budget:
    """What a run may use. `tick()` raises `LimitReached` when a limit is met.

    Engines hold one for life; it is armed anew for each task (`arm`).
    """

    seconds: float | None = None
    megabytes: float | None = None
    states: int | None = None
    progress: Progress | None = None
    started: float = field(default_factory=time.monotonic)
    ticks: int = 0
    phase: str = ""
    count: int = 0
    #: When the present piece of work has to end, so that there is time for others.
    until: float | None = None
    #: Why all work is to end, once somebody has said so; another thread may.
    stopped: Reason | None = None
    #: Lets go of what nobody waits for, and says whether there was any: asked before memory is short.
    relief: Callable[[], bool] | None = None
    _gauges: list[Gauge] = field(default_factory=list, repr=False)
    _shares: dict[Hashable, _Share] = field(default_factory=dict, repr=False)
    _whole: float = 0.0
    _common: float = 0.0

    def arm(self, limits: Limits, spent: float = 0.0, progress: Progress | None = None) -> None:
        """Begin anew, with other limits, of which so many seconds are used up already."""
        self.seconds, self.megabytes, self.states = limits.seconds, limits.megabytes, limits.states
        self.started, self.progress = time.monotonic() - spent, progress
        self.ticks, self.phase, self.count, self.until = 0, "", 0, None
        self._shares, self._whole, self._common = {}, 0.0, 0.0

    def tick(self) -> None:
        self.ticks += 1
        if self.ticks % _TIME_EVERY == 0:
            self.check_time()
            if self.progress is not None:
                self.progress(self._counted)
            if self.ticks % _MEMORY_EVERY == 0:
                self.check_memory()

    def step(self, measure: Callable[[], str] | None = None) -> None:
        """Before a piece of work that may take long by itself: look at every limit.

        `measure` tells how far it is, if anybody wants to know.
        """
        self.count += 1
        self.check_time()
        if self.count % _LONG_STEPS == 0:
            self.check_memory()
        if self.progress is not None:
            self.progress(lambda: self._stepped(measure))

    def _counted(self) -> str:
        return f"{self.phase}: {self.count} states" if self.count else self.phase

    def _stepped(self, measure: Callable[[], str] | None) -> str:
        return f"{self.phase}: step {self.count}" + (f", {measure()}" if measure else "")

    def check(self) -> None:
        """Look at every limit now."""
        self.check_time()
        self.check_memory()

    def check_time(self) -> None:
        if self.stopped is not None:
            raise LimitReached(self.stopped, final=True)
        if self.seconds is not None and self.elapsed > self.seconds:
            raise LimitReached(TimeLimit(self.seconds), final=True)
        if self.until is not None and self.elapsed > self.until:
            raise LimitReached(TimeShare())

    def check_memory(self) -> None:
        """What others have left behind is let go before memory is said to be short."""
        if self.megabytes is None or resident_megabytes() <= self.megabytes:
            return
        relieved = self.relief is not None and self.relief()
        if not relieved or resident_megabytes() > self.megabytes:
            raise LimitReached(MemoryLimit(self.megabytes))

    def check_states(self, count: int) -> None:
        self.count = count
        if self.states is not None and count > self.states:
            raise LimitReached(StateLimit(self.states))

    # -- figures of the moment -------------------------------------------------------------------------

    @contextmanager
    def gauged(self, gauge: Gauge) -> Iterator[None]:
        """Meanwhile somebody can tell how large things are; a limit that is met then carries that along."""
        self._gauges.append(gauge)
        try:
            yield
        except LimitReached as limit:
            limit.figures = limit.figures or self.figures()
            raise
        finally:
            self._gauges.pop()

    def figures(self) -> dict[str, str | int | float]:
        """How large things are now; who was asked to work by another knows better."""
        return {name: value for gauge in self._gauges for name, value in gauge().items()}

    # -- shares of the time ---------------------------------------------------------------------------

    def share_among(self, waiting: Iterable[Hashable]) -> None:
        """From now on the time that is left is for these."""
        self._shares = dict.fromkeys(waiting, _Share())
        self._whole = 0.0 if self.seconds is None else max(self.seconds - self.elapsed, 0.0)

    @contextmanager
    def turn(self, whose: Hashable) -> Iterator[None]:
        """A piece of work for one of them: raises `LimitReached` when its share is used up.

        Shares double from turn to turn, so that what comes late is not kept waiting and nothing is begun
        again too often; in the last one, all time that nobody else has used is shared out.
        """
        if self.seconds is None or whose not in self._shares:
            yield
            return
        share, began, common = self._shares[whose], self.elapsed, self._common
        self.until = began + max(self._allowed(share) - share.used, 0.0)
        try:
            yield
        finally:
            self.until = None
            spent = self.elapsed - began - (self._common - common)
            self._shares[whose] = replace(share, used=share.used + spent)

    @contextmanager
    def for_everybody(self) -> Iterator[None]:
        """Work within a turn that all need: it is not taken from the share of the one who came first."""
        until, began = self.until, self.elapsed
        self.until = None
        try:
            yield
        finally:
            spent = self.elapsed - began
            self._common += spent
            self.until = None if until is None else until + spent

    def _allowed(self, share: _Share) -> float:
        """How long all turns of somebody may take together, up to the present one."""
        if share.turn == _TURNS or len(self._shares) == 1:
            assert self.seconds is not None, "shares are of a limit"
            return share.used + (self.seconds - self.elapsed) / len(self._shares)
        return self._whole / len(self._shares) * 0.5 ** (_TURNS - share.turn)

    def gets_another_turn(self, whose: Hashable) -> bool:
        """Whether there is one more, after which it has had twice the time."""
        share = self._shares[whose]
        self._shares[whose] = replace(share, turn=share.turn + 1)
        return share.turn < _TURNS

    def is_done_with(self, whose: Hashable) -> None:
        """What it has not used is for the others."""
        self._shares.pop(whose, None)

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started
