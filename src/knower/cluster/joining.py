"""Schedulers of dask, one that is running or one of our own, and which of their workers can take part."""

from __future__ import annotations

import logging
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

import knower
from knower.cluster.local_workers import LocalWorkers, hired, own_folder, own_scheduler
from knower.cluster.remote import Remote
from knower.errors import UsageError
from knower.memory import Keeping
from knower.records import dataclass

#: Called now and then while something is waited for; raises what is to end the waiting.
Wait: TypeAlias = Callable[[], None]

#: How often somebody looks whether workers are there, in seconds.
_WATCH = 0.05
#: The seconds a scheduler may take for a greeting and for an answer; a worker for a first word; and all
#: workers may be missing. A worker that has just begun imports for some seconds on a loaded machine.
GREETING, _PATIENCE, _FIRST_WORD, MISSING = 5.0, 10.0, 15.0, 30.0

#: Dask gives each of them a level of its own.
_LOGGERS = ("distributed", "distributed.client", "distributed.deploy.spec")

_INSTALL = "pip install 'knower[cluster]'"
_FORMS = "local:N for N workers here, tcp://HOST:PORT or tls://HOST:PORT for a scheduler of dask"
_CERTIFICATES = "set `distributed.comm.tls` in dask's configuration: ca-file, and key and cert of the client"

#: What a worker is asked first, as text: where Knower is missing, a function of ours could not even be read.
_PROBE = "__import__('importlib.util').util.find_spec('knower') and __import__('knower').__version__"


def local_workers(address: str) -> int:
    """How many workers are to be started here; none for the address of a scheduler."""
    kind, _, rest = address.partition(":")
    if kind == "local" and rest.isdecimal() and int(rest) > 0:
        return int(rest)
    if kind in ("tcp", "tls") and rest.startswith("//") and rest.rpartition(":")[2].isdecimal():
        return 0
    raise UsageError("E605", f"`{address}` is not a cluster", _FORMS)


def require_libraries(address: str) -> None:
    """Raises `UsageError` where something is missing that is needed to join a cluster, or to start one."""
    if not _is_here("distributed"):
        raise UsageError("E611", "dask is not installed: there is no cluster", _INSTALL)
    if local_workers(address) and not _is_here("cryptography"):
        why = "cryptography is not installed: others could use the workers of this machine"
        raise UsageError("E611", why, _INSTALL)


def _is_here(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # it is marked as missing
        return False


@contextmanager
def joined(address: str, wait: Wait = lambda: None) -> Iterator[Cluster]:
    """The cluster of an address; workers that were started for it are gone at the end, whatever happens."""
    workers = local_workers(address)
    require_libraries(address)
    dask: Any = import_module("distributed")
    # What dask logs of lost workers is no news, their work is done again; and it does so after the end.
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _renew_threads()
    with ExitStack() as end:
        staff, security = None, None
        if workers:
            security = dask.Security.temporary()
            folder = end.enter_context(own_folder())
            where = end.enter_context(own_scheduler(dask, security, _PATIENCE, folder))
            staff = end.enter_context(hired(workers, where, security, folder))
        else:
            where = address
        client = end.enter_context(_client(dask, where, security))
        yield Cluster(client, where, workers, wait, staff)


def _renew_threads() -> None:
    """Dask has a thread for messages, which a forked process lacks; what it is given is never done there."""
    library: Any = import_module("distributed.utils")
    library._offload_executor = ThreadPoolExecutor(1)


@contextmanager
def _client(dask: Any, address: str, security: Any) -> Iterator[Any]:
    def made() -> Any:
        return dask.Client(address, timeout=GREETING, security=security, set_as_default=False)

    try:
        client = _in_time(made)
    except ssl.SSLError as error:
        raise UsageError("E611", f"the certificates for {address} cannot be used: {error}", _CERTIFICATES)
    except TypeError:  # so dask says that it has no certificates
        raise UsageError("E611", f"there are no certificates for {address}", _CERTIFICATES)
    except (OSError, ValueError, RuntimeError):
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
    return made.result(2 * GREETING)


@dataclass
class Cluster:
    """A scheduler and those of its workers that can take part; those started for us are looked after.

    `left_out`: the others, and why.
    """

    client: Any
    address: str
    started: int
    wait: Wait
    staff: LocalWorkers | None = None
    left_out: dict[str, str] = field(default_factory=dict)
    _fit: set[str] = field(default_factory=set)
    _unfit: list[str] = field(default_factory=list)

    @property
    def is_lost(self) -> bool:
        return bool(self.client.status != "running")

    def gathered(self) -> list[str]:
        """The workers that can take part, before any work is done.

        Raises `UsageError` where there are none, or where one has another version: such a worker would not
        be missed by who has set it up, and should be.
        """
        until = time.monotonic() + (MISSING if self.started else _PATIENCE)
        while len(self.present()) < max(self.started, 1) and time.monotonic() < until:
            self._pause()
        fit = self.fit()
        for where in self._unfit:
            told = f"a worker cannot take part: {where}: {self.left_out[where]}"
            raise UsageError("E612", told, "install the same version everywhere")
        if not fit:
            silent = f"no worker of {self.address} answers" if self.left_out else f"{self.address} has none"
            raise UsageError("E611", f"no workers: {silent}", f"dask worker {self.address}")
        return fit

    def present(self) -> list[str]:
        """The workers that the scheduler knows; none if it does not answer."""
        self.tend()
        with suppress(OSError, RuntimeError):
            ask = self.client.scheduler.ncores
            return sorted(self.client.sync(ask, workers=None, callback_timeout=_PATIENCE))
        return []

    def fit(self) -> list[str]:
        """Those of them that answer, and have the same version as we; who has been asked is not asked again.

        A worker that is paused or frozen takes no question up: it is left out, and may come again.
        """
        present = self.present()
        self._fit &= set(present)
        fresh = [where for where in present if where not in self._fit and where not in self.left_out]
        for where, version in self._versions(fresh).items():
            if version == knower.__version__:
                self._fit.add(where)
            elif version is None:
                self.left_out[where] = "it does not answer (paused, frozen or lost)"
            else:
                self._unfit.append(where)
                self.left_out[where] = f"it has knower {version}" if version else "it has no knower"
        return sorted(self._fit)

    def _versions(self, workers: list[str]) -> dict[str, str | None]:
        """Of the Knower each has (empty: of none); None for those that do not say."""
        asked = {
            where: self.client.submit(
                eval,
                _PROBE,
                workers=[where],
                allow_other_workers=False,
                pure=False,
                key=f"knower-{where}-{k}",
            )
            for k, where in enumerate(workers, start=time.monotonic_ns())
        }
        until = time.monotonic() + _FIRST_WORD
        while any(each.status == "pending" for each in asked.values()) and time.monotonic() < until:
            self._pause()
        told = {where: _value(future) for where, future in asked.items()}
        for future in asked.values():
            future.release()
        return told

    def hosted(self, where: str, keeping: Keeping, module: str) -> Remote:
        """A process on a worker that runs a module; raises `OSError` where it cannot be begun."""
        return Remote(self.client, where, keeping, module, _FIRST_WORD)

    def tend(self) -> None:
        """Have those replaced that were started for us and are gone."""
        if self.staff is not None:
            self.staff.tend()

    def _pause(self) -> None:
        self.wait()
        time.sleep(_WATCH)
        self.tend()


def _value(future: Any) -> str | None:
    if future.status != "finished":
        return None
    try:
        return str(future.result(timeout=_PATIENCE) or "")
    except (OSError, RuntimeError):
        return None
