"""Processes that tests start, talk to and interrupt."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

#: How many seconds a test waits before it takes silence for a fault: more than any load makes it wait.
PATIENCE = 300


@contextmanager
def heeding_interrupts() -> Iterator[None]:
    """Ctrl-C is heeded, by children started meanwhile too.

    Tests may have been started without: `nohup make test &` ignores it, and children inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def child(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process that heeds Ctrl-C, and is gone in the end whatever happens."""
    with heeding_interrupts():
        process = subprocess.Popen(command, **options)
    with process:
        try:
            yield process
        finally:
            process.kill()


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
