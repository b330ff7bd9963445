"""The language server in a tab: one server for each socket, its messages as they are, without headers.

Everything is bounded: messages that wait, documents that are open. What is no message of the protocol ends
the socket, and with the socket ends all work for it.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from starlette.websockets import WebSocket, WebSocketDisconnect

from knower.lsp.server import KnowerServer, make_server
from knower.session import Session

#: Messages that wait to be sent: a page that takes none of so many is gone, or hostile.
_WAITING = 256
#: Documents a page may have open; a page opens one for each tab of its editor.
_DOCUMENTS = 64


class _Outbox:
    """What the server writes, for the one task that sends it: pygls itself waits for nothing it writes."""

    def __init__(self) -> None:
        self.texts: asyncio.Queue[str] = asyncio.Queue(_WAITING)
        self.overfull = asyncio.Event()

    def write(self, data: bytes) -> None:
        try:
            self.texts.put_nowait(data.decode())
        except asyncio.QueueFull:
            self.overfull.set()

    def close(self) -> None:
        """Nothing: the socket is closed by who opened it."""


class LanguageTab:
    """The life of a socket that speaks the language server protocol, once its token was right."""

    def __init__(self, socket: WebSocket, session: Session) -> None:
        self.socket = socket
        self.server: KnowerServer = make_server(session)
        self._outbox = _Outbox()
        self.server.protocol.set_writer(self._outbox, include_headers=False)

    async def serve(self) -> None:
        """Until the socket closes, or somebody sends what is no message."""
        tasks = [asyncio.create_task(each()) for each in (self._hear, self._send, self._outbox.overfull.wait)]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.server.shutdown()
            with suppress(RuntimeError):  # it is closed already
                await self.socket.close(4400)

    async def _send(self) -> None:
        while True:
            await self.socket.send_text(await self._outbox.texts.get())

    async def _hear(self) -> None:
        with suppress(WebSocketDisconnect, JsonRpcException, KeyError, TypeError, ValueError, AttributeError):
            while self._take(await self.socket.receive_text()):
                pass

    def _take(self, text: str) -> bool:
        """A message; whether more may follow. `exit` would end the process, and ends the socket here."""
        protocol = self.server.protocol
        message = json.loads(text, object_hook=protocol.structure_message)
        method = getattr(message, "method", "")
        full = len(self.server.documents.all()) >= _DOCUMENTS
        if method == lsp.EXIT or (full and method == lsp.TEXT_DOCUMENT_DID_OPEN):
            return False
        protocol.handle_message(message)
        return True
