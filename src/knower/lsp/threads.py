"""Work that may take long, beside an event loop, without keeping the process from ending."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


async def beside(work: Callable[[], _T]) -> _T:
    """What a function gives, called in a thread that ends with the process.

    The threads of `asyncio.to_thread` are waited for at the end, however long they take.
    """
    loop = asyncio.get_running_loop()
    over: asyncio.Future[_T] = loop.create_future()

    def settle(result: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is over
            loop.call_soon_threadsafe(lambda: None if over.done() else result())

    def run() -> None:
        try:
            found = work()
        except BaseException as error:
            trouble = error
            settle(lambda: over.set_exception(trouble))
        else:
            settle(lambda: over.set_result(found))

    threading.Thread(target=run, daemon=True).start()
    return await over
