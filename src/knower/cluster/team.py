"""Workers by dask: started here and stopped again, or found at a scheduler that is running."""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import field
from importlib import import_module
from typing import Any

from knower.cluster.messages import Behind, Errand, Findings, Unfit
from knower.cluster.staff import Staff, hired, own_folder, own_scheduler
from knower.cluster.worker import explore, stop
from knower.errors import LimitReached, UsageError
from knower.reasons import OutOfMemory, WorkersLost
from knower.records import dataclass

#: How often somebody looks whether work is done, and whether there are workers to do it.
_WATCH, _INSPECTION = 0.1, 1.0
#: The seconds a scheduler may take for a greeting and for an answer, and all workers may be missing.
_GREETING, _PATIENCE, _MISSING = 5.0, 10.0, 30.0
#: Of so many rounds the news are sent; all of them only to who has missed more.
_LATEST = 1
#: How often an errand is sent out again when its worker is lost.
_AGAIN = 5

#: Dask gives each of them a level of its own.
_LOGGERS = ("distributed", "distributed.client")

_INSTALL = "pip install 'knower[cluster]'"
_FORMS = "local:N for N workers here, tcp://HOST:PORT for a scheduler of dask that is running"


@dataclass
class Ledger:
    """What work was done: rounds, errands, bytes, and the seconds workers have computed."""

    workers: int = 0
    rounds: int = 0
    errands: int = 0
    redone: int = 0
    sent: int = 0
    received: int = 0
    seconds: float = 0.0

    def receive(self, findings: Findings) -> None:
        self.received += len(findings.diagrams)
        self.seconds += findings.seconds

    def told(self) -> dict[str, int | float]:
        """As statistics."""
        return {
            "workers": self.workers,
            "rounds": self.rounds,
            "errands": self.errands,
            "errands redone": self.redone,
            "bytes sent": self.sent,
            "bytes received": self.received,
            "seconds of workers": round(self.seconds, 3),
        }


@contextmanager
def team(address: str, ledger: Ledger, wait: Callable[[], None] = lambda: None) -> Iterator[Team]:
    """The workers of an address; those that were started for it are gone at the end, whatever happens.

    `wait` is called now and then until they are there.
    """
    workers, dask = local_workers(address), _dask()
    # What dask logs of lost workers is no news, their errands are done again; and it does so after the end.
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _renew_threads()
    with ExitStack() as end:
        staff = None
        if workers:
            folder = end.enter_context(own_folder())
            address = end.enter_context(own_scheduler(dask, _PATIENCE, folder))
            staff = end.enter_context(hired(workers, address, folder))
        found = Team(end.enter_context(_joined(address)), ledger, staff)
        found.gather(workers, wait)
        yield found


def local_workers(address: str) -> int:
    """How many workers are to be started here; none for the address of a scheduler."""
    kind, _, rest = address.partition(":")
    if kind == "local" and rest.isdecimal() and int(rest) > 0:
        return int(rest)
    if kind in ("tcp", "tls") and rest.startswith("//") and rest.rpartition(":")[2].isdecimal():
        return 0
    raise UsageError("E605", f"`{address}` is not a cluster", _FORMS)


def _dask() -> Any:
    """The library, which takes a while to import and need not be there."""
    try:
        return import_module("distributed")
    except ModuleNotFoundError:
        raise UsageError("E611", "dask is not installed: there is no cluster", _INSTALL)


def _renew_threads() -> None:
    """Dask has a thread for messages, which a forked process lacks; what it is given is never done there."""
    library: Any = import_module("distributed.utils")
    library._offload_executor = ThreadPoolExecutor(1)


@contextmanager
def _joined(address: str) -> Iterator[Any]:
    try:
        client = _in_time(lambda: _dask().Client(address, timeout=_GREETING))
    except (OSError, ValueError):
        raise UsageError("E611", f"no scheduler answers at {address}", f"dask scheduler; {_FORMS}")
    try:
        yield client
    finally:
        with suppress(OSError, RuntimeError):  # it took too long, or the scheduler is gone
            client.close(timeout=_PATIENCE)


def _in_time(make: Callable[[], Any]) -> Any:
    """What is made, or a `TimeoutError`: dask greets for ever who accepts a connection and says nothing."""
    made: Future[Any] = Future()

    def work() -> None:
        try:
            made.set_result(make())
        except BaseException as fault:
            made.set_exception(fault)

    threading.Thread(target=work, daemon=True).start()
    return made.result(2 * _GREETING)


class _Absence:
    """How long something has been missing."""

    def __init__(self) -> None:
        self._since: float | None = None

    def is_too_long(self, missing: bool) -> bool:
        now = time.monotonic()
        self._since = (self._since or now) if missing else None
        return self._since is not None and now - self._since > _MISSING


@dataclass
class Team:
    """Workers, reached by a client of dask; those that were started for it are looked after."""

    client: Any
    ledger: Ledger
    staff: Staff | None = None
    _bell: threading.Event = field(default_factory=threading.Event)

    @property
    def size(self) -> int:
        """The workers there are at present; it counts for one that is awaited."""
        self.ledger.workers = max(len(self._asked("ncores")), 1)
        return self.ledger.workers

    def _asked(self, question: str) -> dict[str, Any]:
        """What a scheduler knows of each worker; nothing if it does not answer."""
        self.require_scheduler()
        with suppress(OSError, RuntimeError):
            ask = getattr(self.client.scheduler, question)
            answer: dict[str, Any] = self.client.sync(ask, workers=None, callback_timeout=_PATIENCE)
            return answer
        return {}

    def gather(self, size: int, wait: Callable[[], None]) -> None:
        """Wait until so many workers are there, or some of them after a while."""
        missing = _Absence()
        self._tend()
        while len(self._asked("ncores")) < size and not missing.is_too_long(True):
            wait()
            time.sleep(_WATCH)
            self._tend()

    def _tend(self) -> None:
        if self.staff is not None:
            self.staff.tend()

    def begun(self, errands: Sequence[Errand]) -> Round:
        """A round: to each worker its errand, if there are enough of them."""
        self.ledger.rounds += 1
        workers: list[str | None] = [*sorted(self._asked("ncores"))] or [None]
        under_way = {
            self.sent(errand.latest(_LATEST), place, workers[place % len(workers)]): place
            for place, errand in enumerate(errands)
        }
        return Round(self, errands, under_way)

    def sent(self, errand: Errand, place: int, worker: str | None = None) -> Any:
        """An errand on its way, to this worker if it can be."""
        self.require_scheduler()
        self.ledger.errands += 1
        self.ledger.sent += errand.size
        whom = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # an errand for a new worker may be large
            future = self.client.submit(explore, errand, pure=False, priority=-place, **whom)
        future.add_done_callback(lambda _: self._bell.set())
        return future

    def finished(self, futures: list[Any], wait: Callable[[], None]) -> list[Any]:
        """Those that need not be waited for; somebody has to be at work meanwhile."""
        idle, inspection = _Absence(), time.monotonic()
        wait()  # limits are looked at in every round, also in one that was done meanwhile
        while not (finished := [future for future in futures if future.status != "pending"]):
            self._bell.wait(_WATCH)
            wait()
            self._bell.clear()
            if time.monotonic() > inspection:
                self._tend()
                if idle.is_too_long(not any(self._asked("processing").values())):
                    raise LimitReached(WorkersLost("nobody in the cluster takes up the work"), final=True)
                inspection = time.monotonic() + _INSPECTION
        return finished

    def require_scheduler(self) -> None:
        if self.client.status != "running":
            raise LimitReached(WorkersLost("the scheduler of the cluster is lost"), final=True)

    def abandon(self, futures: list[Any], round_: str) -> None:
        """Nobody waits for these any more; workers that were started for this are ended anyway."""
        for future in futures:
            future.release()
        if futures and self.staff is None:
            with suppress(OSError, RuntimeError):  # who is too busy to hear it, or lost, is not waited for
                self.client.run(stop, round_, on_error="ignore", callback_timeout=_INSPECTION)


@dataclass
class Round:
    """Errands under way."""

    team: Team
    errands: Sequence[Errand]
    under_way: dict[Any, int]
    _tries: Counter[int] = field(default_factory=Counter)

    def findings(self, wait: Callable[[], None]) -> Iterator[tuple[int, Findings]]:
        """What is found, as it comes, with the places of the errands. `wait` is called now and then."""
        while self.under_way:
            for future in self.team.finished(list(self.under_way), wait):
                place = self.under_way.pop(future)
                findings = self._findings(future, place)
                if findings is None:
                    self.under_way[self.team.sent(self.errands[place], place)] = place
                else:
                    yield place, findings

    def leave(self) -> None:
        """Nobody waits for what is still under way."""
        self.team.abandon(list(self.under_way), self.errands[0].round)
        self.under_way.clear()

    def _findings(self, future: Any, place: int) -> Findings | None:
        """None if it has to be sent out again: the worker was lost, or did not know enough."""
        if future.status in ("finished", "error"):
            try:
                findings: Findings = future.result(timeout=_MISSING)
                self.team.ledger.receive(findings)
                return findings
            except Behind:
                return None
            except (_dask().KilledWorker, TimeoutError):  # lost with what it had found
                pass
            except MemoryError:
                raise LimitReached(OutOfMemory("a worker"), final=True)
            except (Unfit, ImportError) as reason:
                raise UsageError(
                    "E612", f"a worker cannot take part: {reason}", "the same version everywhere"
                )
        self.team.require_scheduler()
        self.team.ledger.redone += 1
        self._tries[place] += 1
        if self._tries[place] > _AGAIN:
            raise LimitReached(WorkersLost("the workers of the cluster die again and again"), final=True)
        return None
