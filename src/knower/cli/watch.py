"""Limits of work that is done in this process, not by a worker: a clock looks at them while Python runs."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from knower.limits import Budget
from knower.options import Limits

#: How often the limits are looked at, in seconds.
_EVERY = 0.05


@contextmanager
def watched(limits: Limits) -> Iterator[None]:
    """Inside, a limit that is met raises `LimitReached`, soon; where there are such clocks."""
    budget = Budget(limits.seconds, limits.megabytes)
    budget.check()
    if (limits.seconds is None and limits.megabytes is None) or not _is_possible():
        yield
        return

    def look(number: int, _: FrameType | None) -> None:
        budget.check()

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _is_possible() -> bool:
    return sys.platform != "win32" and threading.current_thread() is threading.main_thread()
