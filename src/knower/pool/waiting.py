"""Waiting for a ticket: in a thread that shows how far the work is, or in an event loop."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from knower.limits import Progress
from knower.pool.ticket import Ticket

if TYPE_CHECKING:
    import asyncio

#: How often a waiting thread looks whether there is progress to show, or anything else to do.
_LOOK, _WAIT = 0.1, 1.0


def awaited(ticket: Ticket, progress: Progress | None = None, before: str = "") -> None:
    """Wait, and show how far the work is, or, `before` that is told, something; Ctrl-C is raised here."""
    while not ticket.wait(_WAIT if progress is None else _LOOK):
        if progress is not None and (ticket.progress or before):
            progress(lambda: ticket.progress or before)


async def settled(ticket: Ticket) -> None:
    """Until it is over; when the waiting task is cancelled, the ticket is, too."""
    import asyncio  # it takes long, and most programs have no event loop

    loop = asyncio.get_running_loop()
    over: asyncio.Future[None] = loop.create_future()

    def settle() -> None:
        if not over.done():
            over.set_result(None)

    ticket.when_over(lambda _: _called_soon(loop, settle))
    try:
        await over
    except asyncio.CancelledError:
        ticket.cancel()
        raise


def _called_soon(loop: asyncio.AbstractEventLoop, what: Callable[[], None]) -> None:
    """From another thread; a loop that is closed waits for nothing any more."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(what)
