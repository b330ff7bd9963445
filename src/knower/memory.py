"""Memory of processes: how much one holds, how much a worker may keep, and how it is given back."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

from knower.records import dataclass

_PAGE_KB = 4
#: The share of the machine's memory that all workers together may fill with what they keep; the megabytes
#: that each may in any case; what is taken for the machine's where it is not told.
_SHARE, _LEAST, _UNTOLD = 0.25, 256.0, 4096.0


@dataclass(frozen=True, slots=True)
class Keeping:
    """How much a worker keeps between requests: megabytes of resident memory, models, engines."""

    megabytes: float
    models: int = 64
    engines: int = 32


def usual_keeping(workers: int) -> Keeping:
    """For one of so many workers on this machine."""
    return Keeping(max(_machine_megabytes() * _SHARE / workers, _LEAST))


def _machine_megabytes() -> float:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**20
    except (AttributeError, ValueError, OSError):  # not a Unix
        return _UNTOLD


def resident_megabytes(process: int | None = None) -> float:
    """The memory a process (this one) holds now; at its peak, or 0, where the present is not told."""
    try:
        with open(f"/proc/{process or 'self'}/statm") as status:  # noqa: PTH123 - asked after every request
            return int(status.read().split()[1]) * _PAGE_KB / 1024
    except (OSError, IndexError):
        return _peak_megabytes() if process is None else 0.0


def _peak_megabytes() -> float:
    try:
        import resource
    except ImportError:  # not a Unix
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def give_back() -> None:
    """What nobody refers to any more goes back to the system, as far as its library can."""
    gc.collect()
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
