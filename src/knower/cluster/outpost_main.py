"""A process that does errands, one after the other: they come through a pipe, and what came of them goes out.

Another thread listens meanwhile, so that errands can be stopped.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import NoReturn

from knower.cluster.messages import Done, Errand, Findings, Stop
from knower.cluster.worker import explore, stop
from knower.errors import KnowerError
from knower.lifeline import end_with_parent, standard_pipes
from knower.messages import Outlet, received


def main() -> NoReturn:
    """Until nobody has errands any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, replies = standard_pipes()
    if sys.argv[1] != "-":
        end_with_parent(int(sys.argv[1]))
    errands: queue.SimpleQueue[Errand] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, errands), daemon=True).start()
    outlet = Outlet(replies)
    try:
        while True:
            errand = errands.get()
            outlet.send(Done(errand.round, _done(errand)))
    finally:
        os._exit(1)  # nobody reads any more, or worse


def _done(errand: Errand) -> Findings | Exception:
    try:
        return explore(errand)
    except KnowerError as error:
        return error
    except MemoryError:
        return MemoryError()


def _listen(requests: int, errands: queue.SimpleQueue[Errand]) -> None:
    with suppress(OSError):
        for message in received(requests):
            match message:
                case Stop(round_):
                    stop(round_)
                case Errand():
                    errands.put(message)
    os._exit(0)
