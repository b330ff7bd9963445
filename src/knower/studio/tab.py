"""One tab of the browser: its socket, the requests it has under way, and what is sent to it.

Everything is bounded: requests at once, messages that wait, the size of each. When the socket closes, the
work for it ends.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from knower.errors import InputError, KnowerError, LimitReached, Undecided
from knower.report.words import reason_text
from knower.studio.calls import CALLS
from knower.studio.shapes import Misshapen, require
from knower.studio.wire import Failure
from knower.studio.workbench import Refused, Visit, problems_of, refused

#: Requests of a tab at once; messages that wait to be sent; seconds until the token must have come.
_AT_ONCE, _WAITING, _PATIENCE = 16, 64, 10.0


class Tab:
    """The life of a socket once its token was right."""

    def __init__(self, socket: WebSocket, visit: Visit) -> None:
        self.socket = socket
        self.visit = visit
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue(_WAITING)
        self._is_over = False

    async def serve(self) -> None:
        """Until the socket closes; then all work for it is ended."""
        sender = asyncio.create_task(self._send())
        try:
            while not sender.done():
                self._take(await self.socket.receive_text())
        except (WebSocketDisconnect, Misshapen, KeyError, TypeError, ValueError):
            with suppress(RuntimeError):
                await self.socket.close(4400)
        finally:
            self._is_over = True
            await _ended([sender, *self._tasks.values()])

    async def _send(self) -> None:
        while True:
            message = await self._outbox.get()
            await self.socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    # -- requests -------------------------------------------------------------------------------------------

    def _take(self, text: str) -> None:
        """A message: a request, or the end of one. What is neither closes the socket."""
        request = json.loads(text)
        if not isinstance(request, dict):
            raise Misshapen("a message is an object")
        if "cancel" in request:
            task = self._tasks.get(request["cancel"])
            if task is not None:
                task.cancel()
            return
        number = request["id"]
        if type(number) is not int or number in self._tasks:
            raise Misshapen("every request has a number of its own")
        self._tasks[number] = asyncio.create_task(self._answer(number, request))

    async def _answer(self, number: int, message: dict[str, Any]) -> None:
        reply: dict[str, Any]
        try:
            reply = {"id": number, "done": await self._done(number, message)}
        except asyncio.CancelledError:
            reply = {"id": number, "failed": refused("stopped", "stopped").failure}
        except Exception as error:  # one request that fails leaves the others alone
            reply = {"id": number, "failed": _failure(error)}
        finally:
            self._tasks.pop(number, None)
        if not self._is_over:
            await self._outbox.put(reply)

    async def _done(self, number: int, message: dict[str, Any]) -> Any:
        if len(self._tasks) > _AT_ONCE:
            raise refused("refused", "too many questions at once")
        call = CALLS.get(message.get("call", ""))
        if call is None:
            raise refused("refused", "the server does not know this question", "load the page again")
        require(call.args, message.get("args"), "args")
        return await call.handler(self.visit, message["args"], lambda news: self._news(number, news))

    def _news(self, number: int, news: Any) -> None:
        """News that nobody takes in time are dropped: newer ones follow."""
        if self._outbox.qsize() < _WAITING // 2:
            self._outbox.put_nowait({"id": number, "news": news})


async def _ended(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _failure(error: Exception) -> Failure:
    """What went wrong, for the page; a fault of ours without what is inside it."""
    match error:
        case Refused():
            return error.failure
        case InputError():
            return {"kind": "input", "problems": problems_of(error)}
        case LimitReached():
            return refused("limit", reason_text(error.reason), "raise the limit").failure
        case Undecided():
            return refused("refused", reason_text(error.reason)).failure
        case Misshapen():
            return refused("input", str(error)).failure
        case KnowerError():
            return refused("refused", str(error)).failure
        case _:
            return refused("fault", f"a fault of Knower: {type(error).__name__}: {error}").failure


async def first_token(socket: WebSocket) -> str:
    """The token, which must be the first message and come soon; empty for anything else."""
    try:
        text = await asyncio.wait_for(socket.receive_text(), _PATIENCE)
        message = json.loads(text) if len(text) < 1000 else {}
        token = message.get("token") if isinstance(message, dict) else None
        return token if isinstance(token, str) else ""
    except (TimeoutError, ValueError, KeyError, WebSocketDisconnect):
        return ""
