"""A process that ends with the one that has started it, and keeps its standard output for what it tells."""

from __future__ import annotations

import os
import signal
import sys


def end_with_parent(lifeline: int) -> None:
    """The system ends this process, whatever it does, when the other end of a pipe is closed.

    Linux sends SIGIO then, whose default action is to end the process; the death signal of a parent would
    come when the *thread* ends that has started the worker. Elsewhere the listening thread must do.
    """
    if sys.platform != "linux":
        return
    import fcntl
    import select

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGIO])
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
    poll = select.poll()
    poll.register(lifeline, select.POLLHUP)
    if poll.poll(0):  # it was closed before
        os._exit(0)


def standard_pipes() -> tuple[int, int]:
    """Where requests come from, and where replies go to: what libraries print is no reply."""
    replies = os.dup(1)
    os.dup2(2, 1)
    return 0, replies
