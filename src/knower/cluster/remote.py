"""A process on a worker of a cluster, as its master sees it (a `pool.processes.Worker`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

from knower.cluster.host import Host
from knower.memory import Keeping
from knower.messages import framed, unframed
from knower.reasons import EngineDied, Reason, WorkersLost

#: How long a host may listen for words of its process before it says that there are none, in seconds, and
#: how long it may take to say anything: a loaded machine is slow, one that is frozen says nothing for ever.
_POLL, _SILENCE = 1.0, 20.0
#: What dask raises where a worker, a scheduler or a client is gone.
_LOST = (OSError, RuntimeError, KeyError)


class Remote:
    """What is sent to the process goes through dask; so does what it tells."""

    def __init__(self, client: Any, where: str, keeping: Keeping, module: str, patience: float) -> None:
        """On the worker of an address; raises `OSError` where that does not answer in time."""
        dask: Any = import_module("distributed")
        #: The address of the worker.
        self.where = where
        #: It was ended, or is gone.
        self.is_over = False
        self._megabytes = 0.0
        self._future = client.submit(
            Host, keeping, module, actor=True, pure=False, workers=[where], allow_other_workers=False
        )
        try:
            with client.as_current():
                dask.wait(self._future, timeout=patience)
                self._host = dask.Actor(Host, where, self._future.key)
            self.pid = int(self._asked("pid"))
        except _LOST as error:
            self._future.release()
            raise OSError(f"the worker {where} does not answer") from error

    def megabytes(self) -> float:
        return self._megabytes

    def send(self, message: object) -> None:
        if not self._asked("hear", framed(message)):
            raise OSError(f"the process on {self.where} is gone")

    def replies(self) -> Iterator[object]:
        """Until the process is gone, or nothing is heard of its worker."""
        return unframed(self._pieces())

    def _pieces(self) -> Iterator[bytes]:
        while not self.is_over:
            try:
                data, self._megabytes = self._asked("tell", _POLL)
            except OSError:
                break
            if data is None:
                break
            yield data
        self.is_over = True

    def kill(self) -> None:
        """Say that it is to end; nobody waits for it."""
        self.is_over = True
        with suppress(*_LOST):
            self._host.end()

    def reaped(self) -> Reason:
        self.is_over = True
        try:
            return EngineDied(self._asked("end"))
        except OSError as error:
            return WorkersLost(str(error))
        finally:
            self._future.release()

    def abandon(self) -> None:
        """Whoever is forked holds nothing that the process goes by."""

    def _asked(self, method: str, *given: object) -> Any:
        """What a method of the host gives; raises `OSError` where nobody answers."""
        try:
            return getattr(self._host, method)(*given).result(timeout=_SILENCE)
        except _LOST as error:
            raise OSError(f"the worker {self.where} does not answer") from error
