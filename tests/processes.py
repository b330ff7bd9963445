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
    """Ctrl-C is heeded, and a terminal that is gone, by children started meanwhile too.

    Tests may have been started without: `nohup make test &` ignores both, and children inherit that.
    """
    heeded = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, signal.default_int_handler) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task")
    return [int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()]
