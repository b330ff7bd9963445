"""Where a server lives between its runs: port and token in a file of the user alone, drafts elsewhere."""

from __future__ import annotations

import json
import os
import secrets
import socket
import stat
from contextlib import closing, suppress
from pathlib import Path

from knower.errors import UsageError
from knower.records import dataclass

_MOST_BYTES = 10_000


@dataclass(frozen=True)
class Lodging:
    """A port and the token that goes with it: they are kept, and given up, only together."""

    port: int
    token: str


def runtime_folder() -> Path:
    """The folder for what lasts as long as the user's stay: nobody else can look into it."""
    given = os.environ.get("XDG_RUNTIME_DIR")
    return private_folder(Path(given) / "knower" if given else Path.home() / ".cache" / "knower")


def state_folder() -> Path:
    """The folder for what outlives that: drafts."""
    given = os.environ.get("XDG_STATE_HOME")
    base = Path(given) if given else Path.home() / ".local" / "state"
    return private_folder(base / "knower" / "studio")


def private_folder(path: Path) -> Path:
    """A folder that only its owner can enter; raises `UsageError` if it is somebody else's."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "getuid") and found.st_uid != os.getuid()):
        raise UsageError("E602", f"{path} is not a folder of yours", "remove it, or set XDG_RUNTIME_DIR")
    if stat.S_IMODE(found.st_mode) & 0o077:
        path.chmod(0o700)
    return path


def write_private(path: Path, text: str) -> None:
    """A file of mode 0600 from its first moment, whole or not at all."""
    draft = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            out.write(text)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def kept_lodging() -> Lodging | None:
    """What was written down and not given up; None where there is nothing, or nothing to be trusted."""
    path = _address_book()
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_mode & 0o077 or found.st_size > _MOST_BYTES:
            return None
        data = json.loads(path.read_text(encoding="utf-8"))
        return Lodging(int(data["port"]), str(data["token"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(lodging: Lodging) -> None:
    """Write down where the server lives."""
    write_private(_address_book(), json.dumps({"port": lodging.port, "token": lodging.token}))


def give_up() -> None:
    """Forget it: the next server has another port and another token."""
    _address_book().unlink(missing_ok=True)


def _address_book() -> Path:
    return runtime_folder() / "studio.json"


def lodging(port: int | None = None) -> tuple[Lodging, socket.socket]:
    """Where to live, and the socket that holds the place: as before if the port is free, else anew."""
    kept = kept_lodging()
    if kept is not None and port in (None, kept.port):
        with suppress(OSError):
            return kept, _bound(kept.port)
    try:
        place = _bound(port or 0)
    except OSError as error:
        raise UsageError(
            "E602", f"cannot listen on port {port}: {error.strerror}", "choose another"
        ) from None
    made = Lodging(place.getsockname()[1], secrets.token_urlsafe(32))
    keep(made)
    return made, place


def _bound(port: int) -> socket.socket:
    place = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(("127.0.0.1", port))
        place.listen(64)
    except OSError:
        place.close()
        raise
    return place


def is_taken(port: int) -> bool:
    """Whether somebody listens there."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def redirect_page(address: str) -> Path:
    """A page of the user alone that leads to the address: so it is in no list of processes."""
    path = runtime_folder() / "open-studio.html"
    write_private(path, f'<!doctype html><meta http-equiv="refresh" content="0;url={address}">\n')
    return path
