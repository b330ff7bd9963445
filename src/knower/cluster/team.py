"""Workers by dask: started here and stopped again, or found at a scheduler that is running."""

from __future__ import annotations

import logging
import os
import signal
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from knower.cluster.messages import Behind, Errand, Findings, Unfit
from knower.cluster.worker import explore, stop
from knower.errors import LimitReached, UsageError

#: How often somebody looks whether work is done, and for how many seconds a scheduler may be silent.
_WATCH, _PATIENCE = 0.1, 5.0
#: Of so many rounds the news are sent; all of them only to who has missed more.
_LATEST = 3
#: How often an errand is sent out again when its worker is lost, and how long one waits for workers.
_AGAIN, _LONELY = 5, 30.0

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
def team(address: str, ledger: Ledger) -> Iterator[Team]:
    """The workers of an address; those that were started for it are gone at the end, whatever happens."""
    workers = local_workers(address)
    # What dask logs of lost workers is no news, their errands are done again; and it does so after the end.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with _local(workers) if workers else _joined(address) as client:
        yield Team(client, ledger)


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


@contextmanager
def _local(workers: int) -> Iterator[Any]:
    dask = _dask()
    cluster = dask.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address=":0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL,
        memory_limit=None,
    )
    try:
        with dask.Client(cluster) as client:
            try:
                yield client
            finally:
                _kill(cluster)  # else one waits for the operations they are at
    finally:
        cluster.close()


def _kill(cluster: Any) -> None:
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        with suppress(ProcessLookupError, TypeError):  # it is gone, or is being started
            os.kill(nanny.pid, signal.SIGKILL)


@contextmanager
def _joined(address: str) -> Iterator[Any]:
    try:
        client = _dask().Client(address, timeout=_PATIENCE)
    except OSError:
        raise UsageError("E611", f"no scheduler answers at {address}", f"dask scheduler; {_FORMS}")
    with client:
        yield client


@dataclass
class Team:
    """Workers, reached by a client of dask."""

    client: Any
    ledger: Ledger
    _tries: Counter[int] = field(default_factory=Counter)

    @property
    def size(self) -> int:
        """The workers there are at present; it counts for one that is awaited."""
        self.ledger.workers = max(len(self.client.nthreads()), 1)
        return self.ledger.workers

    def done(self, errands: Sequence[Errand], wait: Callable[[], None]) -> Iterator[tuple[int, Findings]]:
        """The findings as they come, with the places of their errands. `wait` is called now and then.

        Whoever leaves before the end stops the work on what is left.
        """
        self._tries.clear()
        self.ledger.rounds += 1
        under_way = {self._sent(errand.latest(_LATEST), place): place for place, errand in enumerate(errands)}
        try:
            while under_way:
                for future in self._finished(list(under_way), wait):
                    place = under_way.pop(future)
                    findings = self._findings(future, place)
                    if findings is None:
                        under_way[self._sent(errands[place], place)] = place
                    else:
                        yield place, findings
        finally:
            self._abandon(list(under_way), errands[0].round)

    def _sent(self, errand: Errand, place: int) -> Any:
        self.ledger.errands += 1
        self.ledger.sent += sum(map(len, errand.news))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # an errand for a new worker may be large
            return self.client.submit(explore, errand, pure=False, priority=-place)

    def _finished(self, futures: list[Any], wait: Callable[[], None]) -> list[Any]:
        """Those that need not be waited for; somebody has to be at work meanwhile."""
        alone_since = None
        while True:
            wait()
            with suppress(TimeoutError, _dask().CancelledError):
                _dask().wait(futures, timeout=_WATCH, return_when="FIRST_COMPLETED")
            finished = [future for future in futures if future.status != "pending"]
            if finished:
                return finished
            alone_since = None if self.client.nthreads() else alone_since or time.monotonic()
            if alone_since is not None and time.monotonic() - alone_since > _LONELY:
                raise LimitReached("the cluster has no workers any more", final=True)

    def _findings(self, future: Any, place: int) -> Findings | None:
        """None if it has to be sent out again: the worker was lost, or did not know enough."""
        if future.status in ("finished", "error"):
            try:
                findings: Findings = future.result()
                self.ledger.receive(findings)
                return findings
            except Behind:
                return None
            except _dask().KilledWorker:
                pass
            except MemoryError:
                raise LimitReached("a worker is out of memory", final=True)
            except (Unfit, ImportError) as reason:
                raise UsageError(
                    "E612", f"a worker cannot take part: {reason}", "the same version everywhere"
                )
        if self.client.status != "running":
            raise LimitReached("the scheduler of the cluster is lost", final=True)
        self.ledger.redone += 1
        self._tries[place] += 1
        if self._tries[place] > _AGAIN:
            raise LimitReached("the workers of the cluster die again and again", final=True)
        return None

    def _abandon(self, futures: list[Any], round_: str) -> None:
        """Nobody waits for these any more."""
        if futures:
            with suppress(OSError, RuntimeError):  # the scheduler is lost, and with it the work
                self.client.cancel(futures)
                self.client.run(stop, round_, on_error="ignore")
