"""The workers of a cluster as the processes of a pool: what is independent is done side by side."""

from __future__ import annotations

import threading
from contextlib import ExitStack

from knower.cluster.joining import joined
from knower.cluster.remote import Remote
from knower.memory import Keeping
from knower.pool.processes import DESK, FreshWorker, Worker


class Fleet:
    """Starts a worker of a pool on a worker of the cluster that has none.

    One that is lost is replaced by another that has come, or else by a process of this machine: so work
    ends, also when all are lost.
    """

    def __init__(self, address: str) -> None:
        """Raises `UsageError` where there is no such cluster, or nobody in it can take part."""
        self._end = ExitStack()
        self._lock = threading.Lock()
        self._present: dict[str, Remote] = {}
        try:
            self._cluster = self._end.enter_context(joined(address))
            self.size = len(self._cluster.gathered())
        except BaseException:
            self._end.close()
            raise

    def start(self, keeping: Keeping) -> Worker:
        with self._lock:
            for where in self._free():
                try:
                    self._present[where] = self._cluster.hosted(where, keeping, DESK)
                except OSError:  # it does not answer any more
                    continue
                return self._present[where]
        return FreshWorker(keeping)

    def _free(self) -> list[str]:
        if self._cluster.is_lost:
            return []
        taken = {where for where, remote in self._present.items() if not remote.is_over}
        return [where for where in self._cluster.fit() if where not in taken]

    def close(self) -> None:
        self._end.close()
