"""The server as a process: where it lives, how it begins, and how it is ended."""

from __future__ import annotations

import asyncio
import json
import time
import webbrowser
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path

import uvicorn

from knower.errors import UsageError
from knower.options import Limits
from knower.records import dataclass
from knower.session import Session
from knower.studio import residence
from knower.studio.app import ASSETS, application
from knower.studio.folder import Folder
from knower.studio.manners import House
from knower.studio.residence import Lodging
from knower.studio.workbench import Workbench

#: The largest message a page may send; share files are the largest.
_LARGEST_MESSAGE = 8_000_000


@dataclass(frozen=True)
class Site:
    """What to serve. `first`: the file that is open at the beginning."""

    root: Path
    first: str | None = None
    port: int | None = None
    origin: str | None = None
    limits: Limits = Limits()
    assets: Path = ASSETS


def site_of(place: Path) -> tuple[Path, str | None]:
    """The folder to serve, and the file to open in it, if a file was named."""
    if place.is_file():
        return place.parent.resolve(), place.name
    if place.is_dir():
        return place.resolve(), None
    raise UsageError("E601", f"no such file or folder: {place}")


def require_assets(assets: Path = ASSETS) -> None:
    """Raises `UsageError` with the cure where the page was never built."""
    if not (assets / "index.html").is_file():
        cure = "`make demo-studio` builds it (with Node), or install a released wheel of Knower"
        raise UsageError("E640", "the page of Knower Studio is not built here", cure)


def serve(site: Site, session: Session, begun: Callable[[House], None]) -> None:
    """Until somebody stops it. `begun` hears where it is, once it can be asked."""
    lodging, place = residence.lodging(site.port)
    house = House(lodging.port, lodging.token, site.origin)
    bench = Workbench(session, Folder(site.root), site.first, site.limits)

    def stop() -> None:
        residence.give_up()
        server.should_exit = True

    config = uvicorn.Config(
        application(house, bench, site.assets, stop),
        ws="websockets-sansio",
        ws_max_size=_LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=2,
        limit_concurrency=100,
    )
    server = _Server(config, lambda: begun(house))
    with place:
        asyncio.run(server.serve(sockets=[place]))


class _Server(uvicorn.Server):
    """A server that says when it has begun."""

    def __init__(self, config: uvicorn.Config, begun: Callable[[], None]) -> None:
        super().__init__(config)
        self._begun = begun

    async def startup(self, sockets: object = None) -> None:
        await super().startup(sockets)  # type: ignore[arg-type]
        self._begun()


# -- from other processes ------------------------------------------------------------------------------------


def running() -> House | None:
    """The server of this user that answers, if there is one."""
    kept = residence.kept_lodging()
    if kept is None or not residence.is_taken(kept.port):
        return None
    return House(kept.port, kept.token) if _asked(kept, "GET", "/api/alive") else None


def root_of(house: House) -> str:
    """The folder that a running server serves."""
    told = _asked(Lodging(house.port, house.token), "GET", "/api/alive")
    return str(json.loads(told)["root"]) if told else ""


def stop_running() -> bool:
    """End the server of this user and forget where it was; says whether there was one."""
    kept = residence.kept_lodging()
    was_there = kept is not None and _asked(kept, "POST", "/api/stop") is not None
    residence.give_up()
    while kept is not None and was_there and residence.is_taken(kept.port):
        time.sleep(0.05)
    return was_there


def _asked(kept: Lodging, method: str, path: str) -> bytes | None:
    """What the server says; None if it does not answer, or is somebody else's."""
    connection = HTTPConnection("127.0.0.1", kept.port, timeout=5)
    origin = f"http://127.0.0.1:{kept.port}"
    try:
        connection.request(method, path, headers={"Authorization": f"Bearer {kept.token}", "Origin": origin})
        answer = connection.getresponse()
        return answer.read() if answer.status == 200 else None
    except OSError:
        return None
    finally:
        connection.close()


def open_browser(house: House) -> None:
    """Show the page: by a file that leads there, so that the token is on no command line."""
    webbrowser.open(residence.redirect_page(house.address).as_uri())
