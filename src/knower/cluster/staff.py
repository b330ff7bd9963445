"""Workers of this machine: processes that are started for a check, looked after, and gone with it.

Each is killed at the end, not asked to leave: an operation on decision diagrams can take minutes and hears
nothing. Nothing here waits without end.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import field
from typing import Any

from knower.errors import LimitReached
from knower.reasons import WorkersLost
from knower.records import dataclass

#: How often a worker that has died is replaced; and the seconds that a killed process may take to be gone.
_AGAIN, _BURIAL = 5, 10.0


@contextmanager
def own_scheduler(dask: Any, patience: float, folder: str) -> Iterator[str]:
    """The address of a scheduler within this process: so every other process is a worker, and may die."""
    scheduler = dask.LocalCluster(
        n_workers=0,
        threads_per_worker=1,
        dashboard_address=":0",
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
def hired(size: int, scheduler: str, folder: str) -> Iterator[Staff]:
    """So many workers for a scheduler, until the end."""
    staff = Staff(size, scheduler, folder)
    try:
        yield staff
    finally:
        staff.dismiss()


@dataclass
class Staff:
    """Processes that work for a scheduler. Who dies is replaced, some times."""

    size: int
    scheduler: str
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
            raise LimitReached(WorkersLost("the workers of the cluster die again and again"), final=True)
        while len(self._present) < self.size:
            self._present.append(_begun(self.scheduler, self.folder))

    def dismiss(self) -> None:
        """End all of them, at once."""
        for worker in self._present:
            worker.kill()
        for worker in self._present:
            _bury(worker)
        self._present.clear()


def _begun(scheduler: str, folder: str) -> subprocess.Popen[bytes]:
    """A worker; Ctrl-C at the terminal is not for it, it ends when the master does."""
    return subprocess.Popen(
        [sys.executable, "-m", "knower.cluster.hired", scheduler, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
    )


def _bury(worker: subprocess.Popen[bytes]) -> None:
    with suppress(subprocess.TimeoutExpired):
        worker.wait(_BURIAL)
    if worker.stdin is not None:
        worker.stdin.close()
