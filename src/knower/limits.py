"""Limits of time, memory and size, asked for by long work at every turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from knower.errors import LimitReached

#: Memory is read once in so many ticks, time in a smaller number: both cost a system call.
_MEMORY_EVERY, _TIME_EVERY = 4096, 64
#: Steps that may take long are counted apart: memory is read, progress told, once in so many.
_LONG_STEPS = 16
_PAGE_KB = 4

#: Offered a description of what is being done and how far it is; shows it or drops it unmade.
Progress: TypeAlias = Callable[[Callable[[], str]], None]


@dataclass(slots=True)
class Budget:
    """What a run may use. `tick()` raises `LimitReached` when a limit is met."""

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
        if self.seconds is not None and self.elapsed > self.seconds:
            raise LimitReached(f"time limit of {self.seconds:g} s reached", final=True)
        if self.until is not None and self.elapsed > self.until:
            raise LimitReached("a share of the time limit is used up")

    def check_memory(self) -> None:
        if self.megabytes is not None and resident_megabytes() > self.megabytes:
            raise LimitReached(f"memory limit of {self.megabytes:g} MB reached")

    def check_states(self, count: int) -> None:
        self.count = count
        if self.states is not None and count > self.states:
            raise LimitReached(f"more than {self.states} states (--max-states)")

    @contextmanager
    def share(self, pieces: int) -> Iterator[None]:
        """Work that may take no more of the time than others that come after it, so many with it."""
        if self.seconds is not None:
            self.until = self.elapsed + (self.seconds - self.elapsed) / pieces
        try:
            yield
        finally:
            self.until = None

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started


def resident_megabytes(process: int | None = None) -> float:
    """The memory a process (this one) holds now; at its peak, or 0, where the present is not told."""
    try:
        status = Path(f"/proc/{process or 'self'}/statm").read_text()
        return int(status.split()[1]) * _PAGE_KB / 1024
    except OSError:
        return _peak_megabytes() if process is None else 0.0


def _peak_megabytes() -> float:
    try:
        import resource
    except ImportError:  # not a Unix
        return 0.0
    import sys

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
