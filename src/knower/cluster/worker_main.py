"""A worker of this machine, as a process: `python -m knower.cluster.worker_main SCHEDULER FOLDER`.

It ends with the process that has started it, whatever becomes of that one, and is never in the way of an
end: what it is busy with is not waited for.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from importlib import import_module
from shutil import rmtree


def main(scheduler: str, folder: str) -> None:
    """Work for a scheduler until it is gone. The first line of standard input is the key to it."""
    key = json.loads(sys.stdin.buffer.readline() or "{}")
    threading.Thread(target=_end_with_master, args=(folder,), daemon=True).start()
    try:
        asyncio.run(_worked(scheduler, folder, key))
    finally:
        os._exit(0)


def _end_with_master(folder: str) -> None:
    """The master holds the other end of the standard input, says no more, and lets go when it ends.

    It may have been killed, and then its folder is still there.
    """
    sys.stdin.buffer.read()
    rmtree(folder, ignore_errors=True)
    os._exit(0)


async def _worked(scheduler: str, folder: str, key: dict[str, str]) -> None:
    import_module("dask").config.set({"distributed.worker.http.routes": []})
    dask = import_module("distributed")
    worker = dask.Worker(
        scheduler,
        host="127.0.0.1",
        nthreads=1,
        memory_limit=0,
        local_directory=folder,
        dashboard_address="127.0.0.1:0",
        security=dask.Security(require_encryption=True, **key),
    )
    async with worker as begun:
        await begun.finished()


if __name__ == "__main__":
    main(*sys.argv[1:])
