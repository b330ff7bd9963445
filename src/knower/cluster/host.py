"""A process of its own on a worker of a cluster, for somebody elsewhere."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from knower.memory import Keeping
from knower.pool.processes import FreshWorker

#: A process that nobody has listened to for so many seconds is ended: its master is gone.
LEASE = 60.0


class Host:
    """An actor of dask: it passes on what is said to a process and what that says, and computes nothing.

    Operations on diagrams may keep an interpreter busy for minutes, and fill the memory: in a process of
    their own they neither silence the worker nor make dask pause it. Its methods are coroutines, which dask
    runs at once, also while a worker is paused.
    """

    def __init__(self, keeping: Keeping, module: str, lease: float = LEASE) -> None:
        self._process = FreshWorker(keeping, module)
        self._lease = lease
        self._heard = time.monotonic()
        self._ended: int | None = None
        self._is_over = False
        self._lock, self._reading = threading.Lock(), threading.Lock()
        #: One is waiting for words of the process while the other says something to it.
        self._threads = ThreadPoolExecutor(2)
        threading.Thread(target=self._expire, daemon=True).start()

    async def pid(self) -> int:
        return self._process.pid

    async def hear(self, frames: bytes) -> bool:
        """Words for the process; says whether it is there to hear them."""
        return bool(await self._in_thread(self._written, frames))

    async def tell(self, seconds: float) -> tuple[bytes | None, float]:
        """What the process says next (None: it is gone), after so many seconds at most; and its megabytes."""
        self._heard = time.monotonic()
        told = await self._in_thread(self._piece, seconds)
        self._heard = time.monotonic()
        return told, self._process.megabytes()

    async def end(self) -> int | None:
        """End the process; gives the signal that had ended it before, if one did."""
        return await self._in_thread(self._over)  # type: ignore[no-any-return]

    async def _in_thread(self, work: Callable[..., Any], *given: object) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)

    def _piece(self, seconds: float) -> bytes | None:
        with self._reading:
            return None if self._is_over else self._process.piece(seconds)

    def _written(self, frames: bytes) -> bool:
        try:
            self._process.write(frames)
        except OSError:
            return False
        return True

    def _over(self) -> int | None:
        with self._lock:
            if not self._is_over:
                self._is_over = True
                self._process.kill()
                with self._reading:  # who reads meanwhile hears at once that it is gone
                    self._ended = self._process.reaped().signal
        return self._ended

    def _expire(self) -> None:
        while not self._is_over:
            time.sleep(min(self._lease / 4, 1.0))
            if time.monotonic() - self._heard > self._lease:
                self._over()
