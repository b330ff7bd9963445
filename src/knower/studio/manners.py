"""Who is let in: the right Host and Origin, the token, and what every answer says to browsers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from knower.errors import UsageError
from knower.records import dataclass

_SAFE = ("GET", "HEAD")
#: Said with every answer. Other origins, other ports of this machine among them, get nothing to use.
_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class House:
    """Where the server stands and who may enter. `more`: an origin beside its own, for forwarded ports."""

    port: int
    token: str
    more: str | None = None

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins pages may come from, the own one first."""
        own = f"http://127.0.0.1:{self.port}"
        return (own,) if self.more is None else (own, self.more)

    @property
    def hosts(self) -> tuple[str, ...]:
        """What `Host` may be."""
        return tuple(urlsplit(origin).netloc for origin in self.origins)

    @property
    def address(self) -> str:
        """The page, with the token where only the browser itself reads it."""
        return f"{self.origins[-1]}/#token={self.token}"

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Whether a request is for this server, by name: names of others that lead here are refused."""
        return headers.get("host") in self.hosts

    def trusts(self, headers: Mapping[str, str]) -> bool:
        """Whether a request comes from a page of this server; without an origin it does not."""
        return headers.get("origin") in self.origins

    def knows(self, token: str) -> bool:
        """Whether a token is the right one, in a time that does not tell how much of it is."""
        return secrets.compare_digest(token.encode(), self.token.encode())

    def policy(self, nonce: str) -> str:
        """The content security policy of an answer."""
        sockets = " ".join(origin.replace("http", "ws", 1) for origin in self.origins)
        return (
            f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; "
            f"connect-src 'self' {sockets}; worker-src 'self'; img-src 'self' blob: data:; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )


def admitted_origin(text: str) -> str:
    """An origin that somebody typed; raises `UsageError` for what is none."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query:
        raise UsageError("E605", f"‹origin› cannot be {text!r}", "give it as http://localhost:9000")
    return f"{parts.scheme}://{parts.netloc}"


class Doorkeeper:
    """Refuses what must not come in, before any of it is read; and adds headers to what goes out."""

    def __init__(self, app: ASGIApp, house: House) -> None:
        self.app = app
        self.house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope, Headers(scope=scope))
        if refused is None:
            await self._let_in(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403})  # before it is accepted: status 403
        else:
            answer = PlainTextResponse(refused[1], refused[0])
            await answer(scope, receive, self._with_headers(send, secrets.token_urlsafe(16)))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        if not self.house.admits(headers):
            return 421, "wrong Host"
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if changes and not self.house.trusts(headers):
            return 403, "wrong Origin"
        if scope["type"] == "http" and scope["path"].startswith("/api/") and not self._is_known(headers):
            return 401, "wrong token"
        return None

    def _is_known(self, headers: Headers) -> bool:
        kind, _, token = headers.get("authorization", "").partition(" ")
        return kind == "Bearer" and self.house.knows(token)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        nonce = secrets.token_urlsafe(16)
        scope["nonce"] = nonce
        await self.app(scope, receive, self._with_headers(send, nonce))

    def _with_headers(self, send: Send, nonce: str) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _ALWAYS.items():
                    headers[name] = value
                headers["Content-Security-Policy"] = self.house.policy(nonce)
            await send(message)

        return sending
