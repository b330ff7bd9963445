"""A few worker processes and the orders that wait for them.

Each worker does one thing at a time and keeps the models it has read, so an order goes where its model is
known, if that worker is free. There are never more workers than cores given; one of them is started before
it is needed, once work takes long, so that a worker that has to be killed is replaced at once.

Threads: one for each worker listens to it, one hands out orders, and one watches limits while somebody works.
Who asks only puts an order into the queue: Ctrl-C, which Python raises in the main thread between any two
instructions, leaves nothing half done here.
"""

from __future__ import annotations

import errno
import os
import threading
import time
import weakref
from collections.abc import Callable, Hashable
from contextlib import suppress
from itertools import count

from knower.errors import UsageError
from knower.memory import Keeping
from knower.messages import VERSION, Failed, Ready, Request, Swollen, Told
from knower.pool.guard import look_after
from knower.pool.processes import Start
from knower.pool.seat import GRACE, Seat, begin_thread
from knower.pool.ticket import Ticket
from knower.reasons import Reason, Stopped, TimeLimit

#: How often those who work are looked after, and after how long a spare worker is started.
_WATCH, _SPARE_AFTER = 0.1, 0.5


class Pool:
    """Workers, at most as many as `cores`, and a queue: urgent orders first, askers in turn."""

    def __init__(self, start: Start, cores: int, keeping: Keeping) -> None:
        self.cores = max(cores, 1)
        self.start = start
        self._keeping = keeping
        self._begin()
        pool = weakref.ref(self)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=lambda: _left_behind(pool))

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._seats: list[Seat] = []
        self._queue: list[Ticket] = []
        self._numbers = count(1)
        self._served: dict[Hashable, int] = {}
        self._is_staffed = False
        self._is_closed = False

    # -- for who asks -----------------------------------------------------------------------------------

    def prepare(self, workers: int = 1) -> None:
        """Start so many workers, before anybody asks for anything; listen to them when all are there."""
        with self._lock:
            fresh = [self._seated() for _ in range(min(workers, self.cores) - len(self._seats))]
            for seat in fresh:
                self._listen_to(seat)

    def enqueue(self, ticket: Ticket) -> None:
        """Put a ticket into the queue, in the place of those that it replaces."""
        mark = ticket.order.replaces
        with self._lock:
            if self._is_closed:
                raise UsageError("E635", "the session is closed", "make another: `Session()`")
            self._have_staff()
            older = [] if mark is None else [t for t in self._open_tickets() if t.order.replaces == mark]
            if not ticket.done:
                self._queue.append(ticket)
            self._changed.notify_all()
        for each in older:
            self.cancel(each, Stopped())

    def cancel(self, ticket: Ticket, reason: Reason) -> None:
        """Stop an order: at once if nobody works on it, else within the time of grace."""
        with self._lock:
            if ticket in self._queue:
                self._queue.remove(ticket)
            seat = next((seat for seat in self._seats if seat.ticket is ticket), None)
            if seat is not None:
                seat.give_notice(reason)
        if seat is None:
            ticket.end(reason)

    def workers(self) -> list[int]:
        """The processes there are."""
        with self._lock:
            return [seat.worker.pid for seat in self._seats]

    def at_work(self) -> list[tuple[str, Ticket]]:
        """Who does what: where, and for which ticket."""
        with self._lock:
            return [(seat.worker.where, seat.ticket) for seat in self._seats if seat.ticket is not None]

    def close(self) -> None:
        """End all work and all workers."""
        with self._lock:
            self._is_closed = True
            waiting, self._queue = self._queue, []
            seats = list(self._seats)
            for seat in seats:
                seat.kill(Stopped())
            self._changed.notify_all()
        for ticket in waiting:
            ticket.end(Stopped())
        with self._lock:
            self._changed.wait_for(lambda: not self._seats, timeout=2.0)

    def _open_tickets(self) -> list[Ticket]:
        return [*self._queue, *(seat.ticket for seat in self._seats if seat.ticket is not None)]

    # -- who does what ----------------------------------------------------------------------------------

    def _have_staff(self) -> None:
        """Have somebody hand out orders, and somebody look after those who work."""
        if not self._is_staffed:
            begin_thread("knower-watch", self._keep_watch)
            begin_thread("knower-dispatch", self._dispatch)
            self._is_staffed = True

    def _dispatch(self) -> None:
        """Orders to workers, as long as there are both."""
        while True:
            with self._lock:
                self._changed.wait_for(lambda: self._is_closed or self._can_go_on())
                if self._is_closed:
                    return
                ticket = self._next()
                self._queue.remove(ticket)
                try:
                    seat = self._seat_for(ticket)
                    request = self._begun(seat, ticket)
                except OSError as error:
                    ticket.fail(_trouble(error))
                    continue
            self._send(seat, ticket, request)

    def _can_go_on(self) -> bool:
        return bool(self._queue) and (bool(self._free()) or len(self._seats) < self.cores)

    def _free(self) -> list[Seat]:
        return [seat for seat in self._seats if seat.ticket is None and not seat.is_retiring]

    def _send(self, seat: Seat, ticket: Ticket, request: Request) -> None:
        try:
            seat.worker.send(request)
        except OSError:
            pass  # it has just died: who listens to it will tell
        except Exception as error:  # what is asked cannot be sent, and nothing was
            with self._lock:
                seat.ticket = None
                self._changed.notify_all()
            ticket.fail(error)

    def _next(self) -> Ticket:
        """The most urgent order; among these, of the asker who was served longest ago."""
        urgent = max(ticket.order.priority for ticket in self._queue)
        due = [ticket for ticket in self._queue if ticket.order.priority == urgent]
        return min(due, key=lambda ticket: self._served.get(ticket.order.asker, 0))

    def _seat_for(self, ticket: Ticket) -> Seat:
        """A free worker, best one that knows the model; a new one if all are busy."""
        free = self._free()
        if free:
            return max(free, key=lambda seat: (seat.knows(ticket), seat.number))
        seat = self._seated()
        self._listen_to(seat)
        return seat

    def _seated(self) -> Seat:
        seat = Seat(self.start(self._keeping))
        self._seats.append(seat)
        return seat

    def _dismiss(self, seat: Seat) -> None:
        """Nobody can listen to it."""
        self._seats.remove(seat)
        seat.worker.kill()
        seat.worker.reaped()

    def _begun(self, seat: Seat, ticket: Ticket) -> Request:
        number, order = next(self._numbers), ticket.order
        self._served[order.asker] = number
        ticket.began, ticket.where = time.monotonic(), seat.worker.where
        seat.begin(ticket, number)
        self._changed.notify_all()
        return Request(number, order.what, order.limits, ticket.elapsed, order.progress)

    # -- listening --------------------------------------------------------------------------------------

    def _listen_to(self, seat: Seat) -> None:
        try:
            begin_thread("knower-listener", self._listen, seat)
        except OSError:
            self._dismiss(seat)
            raise

    def _listen(self, seat: Seat) -> None:
        try:
            for message in seat.worker.replies():
                self._hear(seat, message)
        except Exception as error:  # memory is short, or what it says cannot be understood
            if seat.ticket is not None:
                seat.ticket.hear(Failed(error))
            seat.kill(Stopped())
        self._gone(seat)

    def _hear(self, seat: Seat, message: object) -> None:
        match message:
            case Told(number, reply):
                ticket = seat.ticket
                if ticket is not None and number == seat.number and ticket.hear(reply):
                    self._settled(seat, ticket)
            case Swollen():
                self._retire(seat)
            case Ready(version) if version != VERSION:
                raise RuntimeError(f"a worker speaks version {version} of the messages, not {VERSION}")
            case Ready():
                pass

    def _settled(self, seat: Seat, ticket: Ticket) -> None:
        with self._lock:
            reason, seat.ticket, seat.deadline, seat.reason = seat.reason, None, None, None
            if seat.is_retiring:
                seat.worker.kill()
            self._changed.notify_all()
        ticket.end(reason)

    def _retire(self, seat: Seat) -> None:
        """It does not shrink: once it is free, another takes its place."""
        with self._lock:
            seat.is_retiring = True
            if seat.ticket is None:
                seat.worker.kill()

    def _gone(self, seat: Seat) -> None:
        end = seat.worker.reaped()
        with self._lock:
            self._seats.remove(seat)
            ticket, reason, lost = seat.ticket, seat.reason or end, seat.others
            again = ticket is not None and seat.reason is None and ticket.gets_another_try()
            if ticket is not None and again:
                self._queue.insert(0, ticket)
            self._changed.notify_all()
        if ticket is not None and not again:
            ticket.end(reason, lost)

    # -- limits -----------------------------------------------------------------------------------------

    def _keep_watch(self) -> None:
        while True:
            with self._lock:
                if self._is_closed:
                    return
                self._changed.wait(_WATCH if self._open_tickets() else None)
                late = self._too_late()
                look_after(self._seats)
                self._have_a_spare()
            for ticket, reason in late:
                ticket.end(reason)

    def _too_late(self) -> list[tuple[Ticket, Reason]]:
        """Orders whose time has run out while they waited; they are not in the queue any more."""
        late: list[tuple[Ticket, Reason]] = []
        for ticket in list(self._queue):
            seconds = ticket.order.limits.seconds
            if seconds is not None and ticket.elapsed > seconds + GRACE:
                self._queue.remove(ticket)
                late.append((ticket, TimeLimit(seconds)))
        return late

    def _have_a_spare(self) -> None:
        """Once work takes long, a worker waits for what comes next."""
        free = [seat for seat in self._seats if seat.ticket is None]
        now = time.monotonic()
        began = [seat.ticket.began or now for seat in self._seats if seat.ticket is not None]
        if began and not free and len(self._seats) < self.cores and now - min(began) > _SPARE_AFTER:
            with suppress(OSError):
                self._listen_to(self._seated())


def _trouble(error: OSError) -> Exception:
    """Why there is no worker; shortages of the whole machine are told as such."""
    if error.errno in (errno.ENOMEM, errno.EMFILE, errno.ENFILE):
        return error
    cure = "processes, memory or open files may be limited: `ulimit -a` shows it"
    return UsageError("E613", f"no worker process can be started: {error.strerror}", cure)


def _left_behind(pool: Callable[[], Pool | None]) -> None:
    """In a fork of the parent: its workers are not ours, and must not live on because of us."""
    found = pool()
    if found is not None:
        for seat in found._seats:
            seat.worker.abandon()
        found._begin()
