"""Ctrl-C, SIGTERM and SIGHUP: each ends a command as an interrupt, and none ends it with a traceback.

A process that was told to ignore one of them (`nohup`) goes on ignoring it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeAlias

#: The exit status of a command that a Ctrl-C has ended; other signals have their own, by their number.
INTERRUPTED = 130
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_HEEDED = tuple(getattr(signal, name) for name in _NAMES if name in signal.Signals.__members__)
#: How soon a signal comes again that was lost in the clearing away of something, in seconds.
_SOON = 0.02

_Handler: TypeAlias = Callable[[int, FrameType | None], None]


class Signalled(KeyboardInterrupt):
    """An interrupt that remembers its signal."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class _Caught:
    """The last signal that was heeded; libraries may make anything of the exception."""

    number: int | None = None


def is_caught() -> bool:
    """Whether a signal has come."""
    return _Caught.number is not None


def is_final(stop: KeyboardInterrupt) -> bool:
    """Whether the program is to end; Ctrl-C may be meant for a part of its work."""
    return isinstance(stop, Signalled) and stop.number != signal.SIGINT


def is_behind(error: BaseException) -> bool:
    """Whether an error is what was made of a signal: Python wraps what is raised while a class is made."""
    below: BaseException | None = error
    while below is not None and not isinstance(below, Signalled):
        below = below.__cause__ or below.__context__
    return below is not None


def ending(status: int) -> int:
    """An exit status; that of an interrupt tells the signal."""
    return 128 + _Caught.number if status == INTERRUPTED and _Caught.number is not None else status


def _install(handler: _Handler) -> None:
    if threading.current_thread() is not threading.main_thread():
        return
    for number in _HEEDED:
        if signal.getsignal(number) not in (signal.SIG_IGN, None):
            signal.signal(number, handler)


def leave_at_once(status: int | None = None) -> None:
    """From now on a signal ends the process there and then: with this status, or with its own."""

    def leave(number: int, _: FrameType | None) -> None:
        os._exit(128 + number if status is None else status)

    _install(leave)


@contextmanager
def interrupting() -> Iterator[None]:
    """Inside, a signal raises `Signalled`; afterwards it ends the process."""
    _install(_interrupt)
    sys.unraisablehook, before = _sent_again, sys.unraisablehook
    try:
        yield
    finally:
        sys.unraisablehook = before
        leave_at_once()


def _interrupt(number: int, _: FrameType | None) -> None:
    _Caught.number = number
    raise Signalled(number)


def _sent_again(lost: sys.UnraisableHookArgs) -> None:
    """Python drops what is raised while an object is cleared away: an interrupt comes again soon."""
    if isinstance(lost.exc_value, Signalled):
        threading.Timer(_SOON, signal.raise_signal, (lost.exc_value.number,)).start()
    else:
        sys.__unraisablehook__(lost)
