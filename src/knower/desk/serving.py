"""A worker process: listens, works, tells, and ends with the process that has started it.

Work is done by the main thread, whose stack is deep. Another thread listens meanwhile, so that a request
can be cancelled. Some libraries let no other thread run while they work, so that thread cannot be relied on
when the parent dies: the system itself ends the process then, by a pipe that the parent holds open.
"""

from __future__ import annotations

import gc
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import NoReturn

from knower.desk.desk import Desk
from knower.lifeline import end_with_parent, standard_pipes
from knower.memory import Keeping, give_back, resident_megabytes
from knower.messages import VERSION, Cancel, Outlet, Ready, Reply, Request, Swollen, Told, received
from knower.reasons import Reason

#: Conditions are evaluated by nested calls; those nested deeper than this give `unknown`.
_RECURSION_LIMIT = 200_000
#: Garbage is collected when nothing was asked for so many seconds, or there may be so much of it.
#: At 200,000 a hundred small models were looked through twice while somebody waited, for 0.1 s each.
_IDLE_SECONDS, _MUCH_GARBAGE = 0.05, 1_000_000


class Inbox:
    """Requests in the order they came, and what was cancelled."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.waiting: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._present = 0
        self._cancelled: dict[int, Reason] = {}

    def take(self, message: object) -> None:
        """Something that was sent to this worker."""
        match message:
            case Request():
                self.waiting.put(message)
            case Cancel(number, reason):
                self._cancel(number, reason)
            case _:
                raise TypeError(f"not a request: {message!r}")

    def _cancel(self, number: int, reason: Reason) -> None:
        with self._lock:
            if number == self._present:
                self.desk.budget.stopped = reason
            elif number > self._present:
                self._cancelled[number] = reason

    def begin(self, request: Request) -> None:
        """Work for a request begins: what is cancelled from now on is that."""
        with self._lock:
            self._present = request.number
            self.desk.budget.stopped = self._cancelled.pop(request.number, None)


def serve(desk: Desk, inbox: Inbox, outlet: Outlet) -> NoReturn:
    """Answer requests, one after the other; collect garbage in between."""
    outlet.send(Ready(VERSION))
    while True:
        request = _next(inbox)
        inbox.begin(request)

        def tell(reply: Reply, number: int = request.number) -> None:
            outlet.send(Told(number, reply))

        desk.serve(request, tell)
        del request, tell
        if not desk.tidy():
            outlet.send(Swollen(resident_megabytes()))


def _next(inbox: Inbox) -> Request:
    if gc.get_count()[0] > _MUCH_GARBAGE:
        gc.collect()
    with suppress(queue.Empty):
        return inbox.waiting.get(timeout=_IDLE_SECONDS)
    give_back()
    return inbox.waiting.get()


def work(requests: int, replies: int, lifeline: int | None, keeping: Keeping) -> NoReturn:
    """The life of a worker process; pipes are given by their descriptors."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the parent to say what becomes of the work
    if lifeline is not None:
        end_with_parent(lifeline)
    sys.setrecursionlimit(_RECURSION_LIMIT)
    sys.set_int_max_str_digits(0)  # counts of states may be long
    gc.disable()  # trees and states hold no cycles: looking for some takes half of the time
    gc.freeze()
    desk = Desk(keeping)
    inbox = Inbox(desk)
    threading.Thread(target=_listen, args=(requests, inbox), daemon=True).start()
    try:
        serve(desk, inbox, Outlet(replies))
    finally:
        os._exit(1)  # nobody reads any more, or worse: no last rites


def _listen(requests: int, inbox: Inbox) -> None:
    with suppress(OSError):
        for message in received(requests):
            inbox.take(message)
    os._exit(0)


def main() -> NoReturn:
    """An interpreter of its own: requests from standard input, replies to what was standard output."""
    lifeline, megabytes, models, engines = sys.argv[1:]
    requests, replies = standard_pipes()
    keeping = Keeping(float(megabytes), int(models), int(engines))
    work(requests, replies, int(lifeline) if lifeline != "-" else None, keeping)
