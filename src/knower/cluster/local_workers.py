"""Workers of this machine: processes that are started for a check, looked after, and gone with it.

Each is killed at the end, not asked to leave: an operation on decision diagrams can take minutes and hears
nothing. Nothing here waits without end.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import field
from typing import Any

from knower.cluster.messages import ClusterLost
from knower.records import dataclass

#: How often a worker that has died is replaced; and the seconds that a killed process may take to be gone.
_AGAIN, _BURIAL = 5, 10.0


@contextmanager
def own_scheduler(dask: Any, security: Any, patience: float, folder: str) -> Iterator[str]:
    """The address of a scheduler within this process: so every other process is a worker, and may die.

    Whoever can speak to a worker can have it run anything. So it listens on this machine only, and to those
    only who have the key that was made for this run.
    """
    scheduler = dask.LocalCluster(
        n_workers=0,
        threads_per_worker=1,
        host="127.0.0.1",
        protocol="tls://",
        security=security,
        dashboard_address="127.0.0.1:0",
        # Somebody who is busy with one operation for long is not dead.
        scheduler_kwargs={"dashboard": False, "worker_ttl": None, "local_directory": folder},
        silence_logs=logging.CRITICAL,
    )
    try:
        yield scheduler.scheduler_address
    finally:
        with suppress(OSError, RuntimeError):  # it took too long: its thread ends with this process
            scheduler.close(timeout=patience)


@contextmanager
def own_folder() -> Iterator[str]:
    """For what dask writes down. If this process is killed, the workers clear it away."""
    with tempfile.TemporaryDirectory(prefix="knower-", ignore_cleanup_errors=True) as folder:
        yield folder


@contextmanager
def hired(size: int, scheduler: str, security: Any, folder: str) -> Iterator[LocalWorkers]:
    """So many workers for a scheduler, until the end."""
    staff = LocalWorkers(size, scheduler, security, folder)
    try:
        yield staff
    finally:
        staff.dismiss()


@dataclass
class LocalWorkers:
    """Processes that work for a scheduler. Who dies is replaced, some times."""

    size: int
    scheduler: str
    security: Any
    folder: str
    _present: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _replaced: int = 0

    def tend(self) -> None:
        """See to it that all are there."""
        gone = [worker for worker in self._present if worker.poll() is not None]
        for worker in gone:
            self._present.remove(worker)
            _bury(worker)
        self._replaced += len(gone)
        if self._replaced > _AGAIN * self.size:
            raise ClusterLost("the workers of the cluster die again and again")
        while len(self._present) < self.size:
            self._present.append(_begun(self.scheduler, self.security, self.folder))

    def dismiss(self) -> None:
        """End all of them, at once."""
        for worker in self._present:
            worker.kill()
        for worker in self._present:
            _bury(worker)
        self._present.clear()


def _begun(scheduler: str, security: Any, folder: str) -> subprocess.Popen[bytes]:
    """A worker; Ctrl-C at the terminal is not for it, it ends when the master does.

    The key is told through its standard input: others can read what is on a command line.
    """
    worker = subprocess.Popen(
        [sys.executable, "-m", "knower.cluster.worker_main", scheduler, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
    )
    with suppress(OSError):  # it is dead already: who tends the workers will see
        assert worker.stdin is not None
        worker.stdin.write(json.dumps(credentials(security)).encode() + b"\n")
        worker.stdin.flush()
    return worker


def credentials(security: Any) -> dict[str, str]:
    """What a worker needs of the temporary security of a run."""
    return {name: getattr(security, name) for name in ("tls_ca_file", "tls_worker_key", "tls_worker_cert")}


def _bury(worker: subprocess.Popen[bytes]) -> None:
    with suppress(subprocess.TimeoutExpired):
        worker.wait(_BURIAL)
    if worker.stdin is not None:
        worker.stdin.close()
