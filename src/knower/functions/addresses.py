"""Whether a process may address so much memory, asked before a library asks and breaks down."""

from __future__ import annotations

import mmap
import sys
from contextlib import ExitStack, closing


def can_address(*sizes: int) -> bool:
    """Whether pieces of these sizes could all be had now; they are given back at once, untouched."""
    if sys.platform == "win32":
        return True
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    try:
        with ExitStack() as held:
            for size in filter(None, sizes):
                held.enter_context(closing(mmap.mmap(-1, size, flags=flags)))
    except (OSError, ValueError, OverflowError):
        return False
    return True
