"""A worker and what it is doing."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field

from knower.messages import Cancel
from knower.pool.processes import Worker
from knower.pool.ticket import Ticket
from knower.reasons import Reason
from knower.records import dataclass

#: How long a worker may take to heed a limit or a cancellation.
GRACE = 0.5
#: How many models of a worker are remembered.
_REMEMBERED = 64


@dataclass(eq=False)
class Seat:
    """A worker and what it is doing."""

    worker: Worker
    ticket: Ticket | None = None
    number: int = 0
    #: Digests of the models it was asked about, and their names.
    models: OrderedDict[str, str] = field(default_factory=OrderedDict)
    #: When it will be killed, and why.
    deadline: float | None = None
    reason: Reason | None = None
    #: Since when it has held more memory than it may.
    swollen_since: float | None = None
    #: It is to end, and gets nothing more to do.
    is_retiring: bool = False

    def begin(self, ticket: Ticket, number: int) -> None:
        self.ticket, self.number = ticket, number
        self.deadline = self.reason = self.swollen_since = None
        model = ticket.order.what.model
        self.models[model.digest] = model.name
        self.models.move_to_end(model.digest)
        while len(self.models) > _REMEMBERED:
            self.models.popitem(last=False)

    def kill(self, reason: Reason) -> None:
        self.reason, self.is_retiring = self.reason or reason, True
        self.worker.kill()

    def give_notice(self, reason: Reason) -> None:
        """A token first; who does not heed it in time is killed. A second notice is for the impatient."""
        end = time.monotonic() + GRACE
        if self.deadline is not None:
            self.deadline = min(self.deadline, end)
            return
        self.reason, self.deadline = reason, end
        with suppress(OSError):  # without a thread it is not told, but killed in time
            begin_thread("knower-notice", _notified, self.worker, self.number, reason)

    def knows(self, ticket: Ticket) -> bool:
        return ticket.order.what.model.digest in self.models

    @property
    def others(self) -> tuple[str, ...]:
        """The models that are lost with it, beside the one it works on."""
        here = None if self.ticket is None else self.ticket.order.what.model.digest
        return tuple(dict.fromkeys(name for digest, name in self.models.items() if digest != here))


def begin_thread(name: str, work: Callable[..., None], *given: object) -> threading.Thread:
    """A thread at work; raises `OSError` where the system has none to give."""
    thread = threading.Thread(target=work, args=given, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)) from None
    return thread


def _notified(worker: Worker, number: int, reason: Reason) -> None:
    """Tell a worker to stop; the pipe may be full, or nobody there any more."""
    with suppress(OSError):
        worker.send(Cancel(number, reason))
