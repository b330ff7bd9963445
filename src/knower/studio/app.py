"""The server as an application: a page, its files, two sockets for each tab, and two calls of the command."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from knower.studio.language import LanguageTab
from knower.studio.manners import Doorkeeper, House
from knower.studio.tab import Tab, first_token
from knower.studio.workbench import Visit, Workbench

#: So many sockets at once, of which each tab has two; those that have not shown their token yet among them.
_SOCKETS = 48
#: Where the built page is, if it was built.
ASSETS = Path(__file__).parent / "assets"
#: Stands in the built page for the nonce of the answer.
_NONCE = "knower-nonce"


class _Gate:
    """Sockets that are open, and how many may be."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._open: set[WebSocket] = set()

    async def admitted(self, socket: WebSocket, serve: Callable[[], Awaitable[None]]) -> None:
        """Serve who shows the token, as long as there is room."""
        if len(self._open) >= _SOCKETS:
            await socket.close(4429)
            return
        self._open.add(socket)
        try:
            await socket.accept()
            if self._house.knows(await first_token(socket)):
                await serve()
            else:
                await socket.close(4401)
        finally:
            self._open.discard(socket)


def application(house: House, bench: Workbench, assets: Path, stop: Callable[[], None]) -> Starlette:
    """The application. `stop` ends the server."""
    gate = _Gate(house)

    async def page(request: Request) -> Response:
        text = (assets / "index.html").read_text(encoding="utf-8")
        return HTMLResponse(text.replace(_NONCE, request.scope["nonce"]))

    async def alive(request: Request) -> Response:
        return JSONResponse({"root": str(bench.folder.root)})

    async def stopped(request: Request) -> Response:
        stop()
        return JSONResponse({})

    async def tab(socket: WebSocket) -> None:
        await gate.admitted(socket, lambda: Tab(socket, Visit(bench)).serve())

    async def language(socket: WebSocket) -> None:
        await gate.admitted(socket, lambda: LanguageTab(socket, bench.session).serve())

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        bench.session.close()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/api/alive", alive),
            Route("/api/stop", stopped, methods=["POST"]),
            WebSocketRoute("/tab", tab),
            WebSocketRoute("/lsp", language),
            Mount("/assets", StaticFiles(directory=assets / "assets", check_dir=False)),
        ],
        middleware=[Middleware(Doorkeeper, house=house)],
        lifespan=lifespan,
    )
