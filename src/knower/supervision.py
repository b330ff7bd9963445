"""A run in a process of its own, so that limits and interrupts work while a library is busy.

One operation on decision diagrams can take minutes and cannot be stopped from inside. The run is
therefore done by a child that tells what it has decided so far; a child that does not heed a limit or
an interrupt in time is stopped from outside, and what it has told is the result.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import select
import signal
import struct
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from knower.execution import Run, Task
from knower.limits import Budget, resident_megabytes
from knower.reasons import EngineDied, Interrupted, MemoryLimit, Reason, Stopped, TimeLimit
from knower.verdict.verdict import CheckResult

#: How long a child may take to heed a limit or an interrupt, and how often it is looked after.
_GRACE, _WATCH = 0.5, 0.1
_PR_SET_PDEATHSIG = 1
_LENGTH = struct.Struct("!Q")
#: Kinds of messages: the result so far, the last one, an exception, and how far the work is.
_SO_FAR, _LAST, _RAISED, _PROGRESS = b"s", b"l", b"e", b"p"


def is_possible() -> bool:
    """Whether this system can split a process, and this is the thread that may be interrupted."""
    return hasattr(os, "fork") and threading.current_thread() is threading.main_thread()


def supervised(task: Task, budget: Budget) -> CheckResult:
    """The result of a run, or what was decided when it had to be stopped."""
    with supervisor(task, budget) as parent:
        return parent.result()


@contextmanager
def supervisor(task: Task, budget: Budget) -> Iterator[Supervisor]:
    """A run begun in a child; when it is left, the child is gone."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of others are not continued: fine
        child = os.fork()
    if child == 0:
        os.close(reader)
        _die_with_parent()
        _work(task, budget, writer)
    os.close(writer)
    parent = Supervisor(task, budget, child, reader)
    try:
        yield parent
    finally:
        parent.dismiss()
        os.close(reader)


def _die_with_parent() -> None:
    """Where the system offers it: a parent that is killed leaves no child behind."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _work(task: Task, budget: Budget, writer: int) -> None:
    """The child: run, tell, and leave without any of the parent's last rites."""
    status = 1
    with suppress(BaseException):
        with open(writer, "wb") as out:
            if budget.progress is not None:
                budget.progress = _ToldSeldom(out)
            try:
                _tell(out, _LAST, Run(task, budget, lambda so_far: _tell(out, _SO_FAR, so_far)).result())
            except Exception as error:
                _tell(out, _RAISED, error)
        status = 0
    os._exit(status)


def _tell(out: Any, kind: bytes, what: object) -> None:
    data = pickle.dumps(what)
    out.write(kind + _LENGTH.pack(len(data)) + data)
    out.flush()


class _ToldSeldom:
    """The child's progress: told to the parent, a few times a second."""

    def __init__(self, out: Any) -> None:
        self._out = out
        self._last = 0.0

    def __call__(self, describe: Callable[[], str]) -> None:
        now = time.monotonic()
        if now - self._last > _WATCH:
            self._last = now
            _tell(self._out, _PROGRESS, describe())


class Supervisor:
    """The parent: listens, watches the limits, and stops a child that does not heed them."""

    def __init__(self, task: Task, budget: Budget, child: int, reader: int) -> None:
        self.task = task
        self.budget = budget
        self.child = child
        self.reader = reader
        self.buffer = bytearray()
        self.so_far: CheckResult | None = None
        self.last: CheckResult | None = None
        self.raised: Exception | None = None
        self.deadline: float | None = None  # when the child is stopped
        self.reason: Reason | None = None
        self.interrupted = False

    def result(self) -> CheckResult:
        while not self.is_over:
            try:
                self.watch()
            except KeyboardInterrupt:
                self.interrupt()
        return self.outcome()

    def outcome(self) -> CheckResult:
        """The result of a run that is over."""
        self._stop()
        if self.raised is not None and not self.interrupted:  # Ctrl-C may come out of a library as anything
            raise self.raised
        return self._completed() if self.last is None else self.last

    @property
    def is_over(self) -> bool:
        return self.last is not None or self.raised is not None or self.child == 0

    @property
    def told(self) -> CheckResult | None:
        """What is known of the result."""
        return self.so_far if self.last is None else self.last

    def watch(self, seconds: float = _WATCH) -> None:
        """Listen for a while, and look at the limits."""
        ready, _, _ = select.select([self.reader], [], [], seconds)
        if ready:
            data = os.read(self.reader, 1 << 16)
            if not data:
                self._reap()
                return
            self.buffer += data
            for kind, what in self._messages():
                self._take(kind, what)
        self._look_at_limits()
        if self.deadline is not None and time.monotonic() > self.deadline and not self.is_over:
            self._kill()

    def _messages(self) -> Iterator[tuple[bytes, Any]]:
        head = 1 + _LENGTH.size
        while len(self.buffer) >= head:
            (size,) = _LENGTH.unpack(self.buffer[1:head])
            if len(self.buffer) < head + size:
                return
            yield bytes(self.buffer[:1]), pickle.loads(self.buffer[head : head + size])
            del self.buffer[: head + size]

    def _take(self, kind: bytes, what: Any) -> None:
        if kind == _PROGRESS:
            if self.budget.progress is not None:
                self.budget.progress(lambda: str(what))
        elif kind == _SO_FAR:
            self.so_far = what
        elif kind == _LAST:
            self.last = what
        else:
            self.raised = what

    # -- limits -------------------------------------------------------------------------------------------

    def _look_at_limits(self) -> None:
        if self.deadline is not None:
            return
        budget = self.budget
        if budget.seconds is not None and budget.elapsed > budget.seconds:
            self._give_notice(TimeLimit(budget.seconds))
        elif budget.megabytes is not None and resident_megabytes(self.child) > budget.megabytes:
            self._give_notice(MemoryLimit(budget.megabytes))

    def _give_notice(self, reason: Reason) -> None:
        self.reason = reason
        self.deadline = time.monotonic() + _GRACE

    def interrupt(self) -> None:
        """Ctrl-C. The child has seen it too if it came from the terminal; a second one ends it at once."""
        if self.interrupted:
            self._kill()
            return
        self.interrupted = True
        with suppress(ProcessLookupError):
            os.kill(self.child, signal.SIGINT)
        self._give_notice(Interrupted())

    def dismiss(self) -> None:
        """Stop the child, if it is still there: nobody waits for it any more."""
        if self.child:
            self.reason = self.reason or Stopped()
            with _uninterrupted():
                self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.child, signal.SIGKILL)
        self._reap()

    def _reap(self) -> None:
        """The child is gone without a last word."""
        _, status = os.waitpid(self.child, 0)
        self.child = 0
        if self.reason is None:
            self.reason = EngineDied(os.WTERMSIG(status) if os.WIFSIGNALED(status) else None)

    def _stop(self) -> None:
        if self.child:
            with _uninterrupted():
                os.waitpid(self.child, 0)
            self.child = 0

    def _completed(self) -> CheckResult:
        """What was told, with a reason for every formula that was not."""
        so_far = Run(self.task, self.budget).so_far() if self.so_far is None else self.so_far
        told = {result.number: result for result in so_far.formulas}
        why = self.reason or Stopped()
        numbers = range(1, len(self.task.queries) + 1)
        return replace(
            so_far,
            formulas=tuple(told.get(k) or self.task.undecided(k, why) for k in numbers),
            seconds=self.budget.elapsed,
            interrupted=self.interrupted,
        )


@contextmanager
def _uninterrupted() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
