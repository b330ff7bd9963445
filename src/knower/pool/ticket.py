"""Something that was asked: what is told of it, its end, and the way to stop it. For any thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Protocol

from knower.errors import LimitReached
from knower.messages import Answered, Asked, Call, Check, Failed, Reply, is_last
from knower.options import Limits
from knower.reasons import Interrupted, NotYet, Reason, Stopped
from knower.records import dataclass
from knower.syntax.printing import print_specification
from knower.verdict.events import Event, Finished, Planned, Progress, Tally
from knower.verdict.verdict import CheckResult, FormulaResult, Verdict
from knower.verdict.warnings import ModelsLost


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for, and how urgent it is.

    `asker`: whoever asks much does not keep others waiting. `replaces`: a newer question with the same mark
    takes the place of an older one. `since`: when the time limit began to run (by `time.monotonic`), if not
    when the work begins. `sharing`: orders with the same mark share one limit of memory.
    """

    what: Call | Check
    limits: Limits = Limits()
    since: float | None = None
    priority: int = 0
    asker: Hashable = None
    replaces: Hashable = None
    sharing: Hashable = None
    progress: bool = False


#: A worker that dies so many seconds after it was sent something may have been dying before.
_SOON = 1.0


class Canceller(Protocol):
    """Who can stop the work for a ticket."""

    def cancel(self, ticket: Ticket, reason: Reason) -> None: ...


def _unread(check: Check) -> Planned:
    """What was asked, where a worker did not come as far as to read it."""
    of_the_file = [f"formula {number} of the file" for number in range(1, check.of_the_file + 1)]
    chosen: Sequence[Asked] = () if check.sought else of_the_file
    asked = (*(chosen if check.formulas is None else check.formulas), *check.also)
    texts = [each if isinstance(each, str) else print_specification(each) for each in asked]
    results = (
        FormulaResult(number, text, None, "", Verdict.UNKNOWN, NotYet())
        for number, text in enumerate(texts, start=1)
    )
    return Planned(check.model.name, "", tuple(results), check.sought)


class Ticket:
    """An order and what became of it."""

    def __init__(self, order: Order, pool: Canceller) -> None:
        self.order = order
        self.began: float | None = None
        self._pool = pool
        self._replies: list[Reply] = []
        #: Held for moments; who waits does so for a bell of its own, which Ctrl-C cannot leave half rung:
        #: at every reply, or (most) at the end.
        self._lock = threading.Lock()
        self._bells: list[SimpleQueue[None]] = []
        self._last_bells: list[SimpleQueue[None]] = []
        self._is_over = False
        self._ended: float | None = None
        #: Why it has ended without a last word of the worker, and which other models were lost then.
        self._end: Reason | None = None
        self._lost: tuple[str, ...] = ()
        self._listeners: list[Callable[[Ticket], None]] = []
        self._tally = Tally()
        self._tried = False
        self._settled: CheckResult | None = None
        #: What is being done at present, in words; and where, or where it was done at last.
        self.progress = ""
        self.where = ""

    # -- for who has asked ----------------------------------------------------------------------------------

    def events(self) -> Iterator[Event]:
        """What is told, from the beginning and as it comes; failures are raised by `result`."""
        at, over = 0, False
        while not over:
            fresh, over = self._since(at)
            at += len(fresh)
            yield from (reply for reply in fresh if not isinstance(reply, Answered | Failed))

    def _since(self, at: int) -> tuple[list[Reply], bool]:
        """The replies from a place on, once there are some, and whether there will be no more."""
        self._await_that(lambda: len(self._replies) > at or self._is_over, None, self._bells)
        with self._lock:
            return self._replies[at:], self._is_over

    def _await_that(
        self, condition: Callable[[], bool], timeout: float | None, bells: list[SimpleQueue[None]]
    ) -> bool:
        """Until something is so, or so many seconds; says whether it is. Looks when a bell is rung."""
        bell: SimpleQueue[None] = SimpleQueue()
        bells.append(bell)
        end = None if timeout is None else time.monotonic() + timeout
        try:
            while not condition():
                bell.get(timeout=None if end is None else max(end - time.monotonic(), 0.0))
        except Empty:
            return condition()
        finally:
            bells.remove(bell)
        return True

    def cancel(self, reason: Reason | None = None) -> None:
        """Stop the work: `result` then has what was decided by now."""
        self._pool.cancel(self, reason or Stopped())

    @property
    def done(self) -> bool:
        return self._is_over

    def wait(self, timeout: float | None = None) -> bool:
        """Until it is over, or so many seconds; says whether it is."""
        return self._await_that(lambda: self._is_over, timeout, self._last_bells)

    def result(self, timeout: float | None = None) -> CheckResult:
        """The result of a check; raises what has gone wrong, and `TimeoutError` after so many seconds."""
        self._await(timeout)
        if self.failure is not None and not isinstance(self._end, Interrupted):
            raise self.failure  # Ctrl-C may come out of a library as anything
        return self._completed() if self._settled is None else self._settled

    def so_far(self) -> CheckResult:
        """What is decided by now."""
        with self._lock:
            return self._completed() if self._is_over else self._tally.result(self.elapsed)

    def value(self, timeout: float | None = None) -> object:
        """What was called for; raises what has gone wrong, `LimitReached` where it was stopped."""
        self._await(timeout)
        if self.failure is not None:
            raise self.failure
        for reply in self._replies:
            if isinstance(reply, Answered):
                return reply.value
        raise LimitReached(self._end or Stopped(), final=True)

    @property
    def failure(self) -> BaseException | None:
        """What has gone wrong, if something has."""
        return next((reply.error for reply in self._replies if isinstance(reply, Failed)), None)

    @property
    def ending(self) -> Reason | None:
        """Why it has ended without a last word, or was told to end."""
        return self._end

    def told(self, number: int) -> FormulaResult | None:
        """What is known of the formula of a number, if it is decided."""
        return self._tally.formulas.get(number)

    @property
    def asked(self) -> int:
        """How many formulas are asked about, as far as they have been read."""
        return len(self._tally.planned.formulas)

    @property
    def engine(self) -> str:
        """Who answers, as soon as that is known."""
        return self._tally.planned.engine

    def _await(self, timeout: float | None) -> None:
        if not self.wait(timeout):
            raise TimeoutError(f"nothing was decided in {timeout} s")

    def _completed(self) -> CheckResult:
        if not self._tally.planned.model and isinstance(self.order.what, Check):
            self._tally.take(_unread(self.order.what))
        if self._end is not None and self._tally.finished is None:
            self._tally.take(Finished(self.elapsed, isinstance(self._end, Interrupted), self._end))
        found = self._tally.result(self.elapsed)
        if self._lost:
            found = replace(found, warnings=(*found.warnings, ModelsLost(self._lost)))
        return found

    @property
    def elapsed(self) -> float:
        """How long it has taken since its time began to run."""
        start = self.began if self.order.since is None else self.order.since
        return 0.0 if start is None else (self._ended or time.monotonic()) - start

    # -- for the pool ---------------------------------------------------------------------------------------

    def hear(self, reply: Reply) -> bool:
        """A reply of the worker; says whether it was the last."""
        with self._lock:
            if isinstance(reply, Progress):
                self.progress = reply.text
            if not isinstance(reply, Answered | Failed):
                self._tally.take(reply)
            self._replies.append(reply)
        _ring(self._bells)
        return is_last(reply)

    def settle(self, result: CheckResult) -> None:
        """The result, where it is not what one worker has told."""
        self._settled = result
        self.end()

    def fail(self, error: BaseException) -> None:
        """The end, by something that has gone wrong."""
        self.hear(Failed(error))
        self.end()

    def gets_another_try(self) -> bool:
        """Whether its worker was gone so soon that it may never have heard of it: then another may."""
        was_first, self._tried = not self._tried, True
        soon = self.began is None or time.monotonic() - self.began < _SOON
        return was_first and soon and not self._replies

    def end(self, reason: Reason | None = None, lost: tuple[str, ...] = ()) -> None:
        """No more will come: for a reason, if it was not the worker who said so."""
        with self._lock:
            if self._is_over:
                return
            self._end, self._lost, self._is_over, self._ended = reason, lost, True, time.monotonic()
            listeners, self._listeners = self._listeners, []
        _ring((*self._bells, *self._last_bells))
        for listener in listeners:
            listener(self)

    def when_over(self, listener: Callable[[Ticket], None]) -> None:
        """Have something called, by any thread, when it is over; now if it is."""
        with self._lock:
            if not self._is_over:
                self._listeners.append(listener)
                return
        listener(self)


def _ring(bells: Sequence[SimpleQueue[None]]) -> None:
    for bell in tuple(bells):
        bell.put(None)
