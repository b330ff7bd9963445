"""Standard output that says what became of it, and standard error that never changes what becomes of us."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any, TextIO


class OutputLost(Exception):
    """Nobody reads standard output any more. (No `OSError`: libraries have their own ideas about those.)"""


class OutputFailed(Exception):
    """Standard output cannot be written, for a reason the system gives."""


class _Output(FileIO):
    """Standard output. After a failure it swallows the rest, so that no later flush fails again."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.is_begun = self.is_lost = False

    def write(self, data: Any) -> int:
        if self.is_lost:
            return len(data)
        try:
            return self._patiently(data)
        except (BrokenPipeError, ConnectionResetError):
            self.is_lost = True
            raise OutputLost from None
        except OSError as error:
            self.is_lost = True
            raise OutputFailed(error.strerror) from None

    def _patiently(self, data: Any) -> int:
        while True:
            written: int | None = super().write(data)
            if written is not None:
                self.is_begun = True
                return written
            select.select([], [self.fileno()], [])  # somebody has made it non-blocking: wait for room


class _Errors(FileIO):
    """Standard error: what cannot be written is dropped."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w", closefd=False)

    def write(self, data: Any) -> int:
        with suppress(OSError):
            return super().write(data) or len(data)
        return len(data)


def guard() -> None:
    """Put both in place of Python's own."""
    sys.stdout = _rewrapped(sys.stdout, _Output)
    sys.stderr = _rewrapped(sys.stderr, _Errors)


def _rewrapped(stream: TextIO, kind: Callable[[int], FileIO]) -> TextIO:
    """The same stream on another ground; what is closed, or no file, stays as it is."""
    if not isinstance(stream, TextIOWrapper):
        return stream
    if os.name != "posix":
        stream.reconfigure(errors="backslashreplace")
        return stream
    return TextIOWrapper(
        BufferedWriter(kind(stream.fileno())),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def is_output_fresh() -> bool:
    """Whether nothing has been written to standard output yet, and something can be."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return not isinstance(raw, _Output) or not (raw.is_begun or raw.is_lost)


def fill_gaps() -> None:
    """Standard streams that are closed are given to nobody else: a file we open would get their number."""
    with suppress(OSError):
        while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(descriptor, True)
        os.close(descriptor)
