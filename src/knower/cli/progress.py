"""One line on standard error that says how far long work is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

_EVERY_SECONDS = 0.2
_ERASE = "\r\033[K"


class ProgressLine:
    """Shows progress while it is entered, if standard error is a terminal, and wipes it away."""

    def __init__(self) -> None:
        self._shown = False
        self._last = time.monotonic()

    def __enter__(self) -> Callable[[Callable[[], str]], None] | None:
        return self._show if sys.stderr is not None and sys.stderr.isatty() else None

    def _show(self, describe: Callable[[], str]) -> None:
        now = time.monotonic()
        if now - self._last < _EVERY_SECONDS:
            return
        self._last, self._shown = now, True
        sys.stderr.write(f"{_ERASE}{describe()} …")
        sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
