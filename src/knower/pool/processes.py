"""Workers as their parent sees them: forks of it, or interpreters of their own."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import knower
from knower.memory import Keeping, resident_megabytes
from knower.messages import Cancel, Outlet, Request, piece, received
from knower.reasons import EngineDied, Reason

#: What another interpreter runs to answer requests: a module with a `main`.
DESK = "knower.desk.serving"
#: What another interpreter does, wherever it is started. It has our package first, and last the folders where
#: its parent finds modules: no file of a user's is taken for one of Python's own.
_COMMAND = """
import gc, json, sys
gc.disable()
root, *others = json.loads(sys.argv.pop(1))
if root not in sys.path:
    sys.path.insert(0, root)
sys.path += [folder for folder in others if folder not in sys.path]
from importlib import import_module
import_module(sys.argv.pop(1)).main()
"""


class Worker(Protocol):
    """A process that answers requests."""

    @property
    def where(self) -> str:
        """The machine it works on, by the address it is reached at."""

    @property
    def pid(self) -> int:
        """Of the process it works in, wherever that is."""

    def megabytes(self) -> float:
        """The memory it holds."""

    def send(self, message: Request | Cancel) -> None:
        """Raises `OSError` where it is gone."""

    def replies(self) -> Iterator[object]:
        """What it tells, until it is gone."""

    def kill(self) -> None:
        """End it now; nothing happens if it is gone."""

    def reaped(self) -> Reason:
        """Wait for its end and let go of it; says how it came to it."""

    def abandon(self) -> None:
        """In a fork of the parent: hold nothing open that the worker goes by."""


#: Starts a worker that keeps so much.
Start: TypeAlias = Callable[[Keeping], Worker]


class _Piped:
    """What workers in processes of their own have in common: pipes, and a lifeline."""

    where = "here"

    def __init__(self, pid: int, requests: int, replies: int, lifeline: int | None) -> None:
        self.pid = pid
        self._outlet = Outlet(requests)
        self._replies = replies
        self._lifeline = lifeline

    def megabytes(self) -> float:
        return resident_megabytes(self.pid)

    def send(self, message: Request | Cancel) -> None:
        self._outlet.send(message)

    def replies(self) -> Iterator[object]:
        with suppress(OSError):
            yield from received(self._replies)

    def abandon(self) -> None:
        """In a fork of the parent: hold nothing open that the worker goes by."""
        for descriptor in (self._outlet.descriptor, self._replies, self._lifeline):
            if descriptor is not None:
                with suppress(OSError):
                    os.close(descriptor)


class ForkedWorker(_Piped):
    """A copy of this process, as cheap as can be: for a parent that has no threads yet."""

    def __init__(self, keeping: Keeping) -> None:
        request_end, requests = os.pipe()
        replies, reply_end = os.pipe()
        lifeline_end, lifeline = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            for descriptor in (requests, replies, lifeline):
                os.close(descriptor)
            _forked(request_end, reply_end, lifeline_end, keeping)
        for descriptor in (request_end, reply_end, lifeline_end):
            os.close(descriptor)
        super().__init__(self.pid, requests, replies, lifeline)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def reaped(self) -> EngineDied:
        try:
            _, status = os.waitpid(self.pid, 0)
        except ChildProcessError:  # somebody else has waited for it
            return EngineDied()
        finally:
            self.abandon()
        return EngineDied(os.WTERMSIG(status) if os.WIFSIGNALED(status) else None)


def _forked(requests: int, replies: int, lifeline: int, keeping: Keeping) -> None:
    """The child. What libraries print there, nobody is to read."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for descriptor, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
            os.dup2(os.open(os.devnull, mode), descriptor)
        import_module("knower.desk.serving").work(requests, replies, lifeline, keeping)
    finally:
        os._exit(1)


class FreshWorker(_Piped):
    """An interpreter of its own, started by its own command line: from any thread, whatever `__main__` is.

    In a group of its own: Ctrl-C at a terminal is for its parent to hear. `module`: what it runs.
    """

    def __init__(self, keeping: Keeping, module: str = DESK) -> None:
        request_end, requests = os.pipe()
        replies, reply_end = os.pipe()
        lifeline_end, lifeline = os.pipe()
        try:
            self._process = _started(request_end, reply_end, lifeline_end, keeping, module)
        except BaseException:
            for descriptor in (requests, replies, lifeline):
                os.close(descriptor)
            raise
        finally:
            for descriptor in (request_end, reply_end, lifeline_end):
                os.close(descriptor)
        super().__init__(self._process.pid, requests, replies, lifeline)

    def write(self, frames: bytes) -> None:
        """Send what is written as frames already; raises `OSError` where it is gone."""
        self._outlet.write(frames)

    def piece(self, seconds: float) -> bytes | None:
        """What it tells next, as a part of frames; nothing if that takes so long; None if it is gone."""
        try:
            return piece(self._replies) or None if _is_readable(self._replies, seconds) else b""
        except OSError:
            return None

    def kill(self) -> None:
        self._process.kill()

    def reaped(self) -> EngineDied:
        status = self._process.wait()
        super().abandon()
        return EngineDied(-status if status < 0 else None)

    def abandon(self) -> None:
        self._process.returncode = 0  # it is no child of this process: nobody has to wait for it
        super().abandon()


def _is_readable(descriptor: int, seconds: float) -> bool:
    """Within so many seconds."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _started(
    requests: int, replies: int, lifeline: int, keeping: Keeping, module: str
) -> subprocess.Popen[bytes]:
    posix: dict[str, Any] = {} if os.name == "nt" else {"pass_fds": (lifeline,), "process_group": 0}
    folders = [str(Path(knower.__file__).parents[1]), *filter(None, sys.path)]
    given = (str(lifeline) if posix else "-", keeping.megabytes, keeping.models, keeping.engines)
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _COMMAND, json.dumps(folders), module, *map(str, given)],
        stdin=requests,
        stdout=replies,
        stderr=None if "KNOWER_WORKERS_STDERR" in os.environ else subprocess.DEVNULL,
        **posix,
    )


def forks_safely() -> bool:
    """Whether this process can be forked: the system knows how, and there is but one thread.

    Threads of libraries count, too, which Python does not know of.
    """
    if not hasattr(os, "fork"):
        return False
    with suppress(OSError):
        return len(list(Path("/proc/self/task").iterdir())) == 1
    return threading.active_count() == 1
