"""One line in the output of a notebook's cell that says how far long work is, and is gone when that is over.

Nothing of IPython is imported here: where a kernel runs, it is there already.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from knower.limits import Progress

#: Work that is shorter shows nothing; then the line changes no more often than this.
_AFTER_SECONDS, _EVERY_SECONDS = 0.5, 0.25


def silent(describe: Callable[[], str]) -> None:
    """Progress that nobody wants to see: `check(…, progress=knower.silent)`."""


class NotebookLine:
    """While it is entered, shows progress if this process is the kernel of a notebook, and wipes it away.

    Outputs of a cell can be replaced but not taken back, unless all of them are: an output without any
    content stays behind, which notebooks show as nothing.
    """

    def __init__(self, chosen: Progress | None = None) -> None:
        self._chosen = chosen
        self._publisher: Any = _publisher() if chosen is None else None
        self._mark = {"display_id": os.urandom(16).hex()}
        self._shown = False
        self._next = time.monotonic() + _AFTER_SECONDS

    def __enter__(self) -> Progress | None:
        """Where progress is to be told: as was chosen, or to the notebook, or to nobody."""
        return self._chosen if self._publisher is None else self._show

    def _show(self, describe: Callable[[], str]) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _EVERY_SECONDS
            self._publish({"text/plain": f"{describe()} …"})

    def _publish(self, content: dict[str, str]) -> None:
        self._publisher.publish(content, transient=self._mark, update=self._shown)
        self._shown = True

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._publish({})


def _publisher() -> Any:
    """What shows things in the notebook this process is the kernel of; None if it is not."""
    ipython = sys.modules.get("IPython")
    shell: Any = getattr(ipython, "get_ipython", lambda: None)()
    return None if getattr(shell, "kernel", None) is None else shell.display_pub
