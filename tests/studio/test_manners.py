"""Who is let in, what is written where, and what becomes of it all."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from knower.cli.studio import _serving
from knower.errors import UsageError
from knower.studio.folder import Conflict, Draft, Folder
from knower.studio.manners import House, admitted_origin
from knower.studio.serving import require_assets
from studio.studios import EXAMPLES, PATIENCE, Studio, Talk, free_port, studio_of, talk_with

COUNTER = (EXAMPLES / "counter.ispl").read_text()


@pytest.mark.parametrize(
    "host", ["localhost:{port}", "127.0.0.1", "127.0.0.1:1", "evil.example:{port}", None]
)
def test_another_host_is_refused(studio: Studio, host: str | None):
    named = None if host is None else host.format(port=studio.port)
    answer, body = studio.asked("GET", "/", Host=named)
    assert answer.status in (400, 421) and b"html" not in body


def test_the_page_says_what_browsers_may_do_with_it(studio: Studio):
    answer, body = studio.asked("GET", "/")
    policy = answer.headers["Content-Security-Policy"]
    nonce = policy.split("'nonce-")[1].split("'")[0]
    assert f'nonce="{nonce}"' in body.decode()
    assert policy == House(studio.port, "").policy(nonce)
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
    assert f"connect-src 'self' ws://127.0.0.1:{studio.port};" in policy
    assert "unsafe" not in policy and "set-cookie" not in answer.headers
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    other, _ = studio.asked("GET", "/")
    assert other.headers["Content-Security-Policy"] != policy
    assert studio.token not in body.decode()


def test_what_changes_something_needs_origin_and_token(studio: Studio):
    bearer = f"Bearer {studio.token}"
    for origin in (None, "null", "http://localhost:1", f"http://127.0.0.1:{studio.port + 1}"):
        answer, _ = studio.asked("POST", "/api/stop", Origin=origin, Authorization=bearer)
        assert answer.status == 403
    for token in (None, "Bearer", "Bearer x", f"Basic {studio.token}"):
        answer, _ = studio.asked("POST", "/api/stop", Origin=studio.origin, Authorization=token)
        assert answer.status == 401
        assert studio.asked("GET", "/api/alive", Authorization=token)[0].status == 401
    assert studio.asked("GET", "/api/alive", Authorization=bearer)[0].status == 200


def test_a_socket_needs_the_origin_and_the_token_first(studio: Studio):
    address = f"ws://127.0.0.1:{studio.port}/tab"
    for origin in (None, "null", f"http://127.0.0.1:{studio.port + 1}", "http://evil.example"):
        with pytest.raises(InvalidStatus) as refused, connect(address, origin=origin, proxy=None):  # type: ignore[arg-type]
            pass
        assert refused.value.response.status_code == 403
    for token in ("", "x", studio.token[:-1], studio.token + "x"):
        with talk_with(studio, token) as talk, pytest.raises(ConnectionClosed) as closed:
            talk.socket.recv(PATIENCE)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401


def test_what_is_no_message_ends_only_its_socket(studio: Studio):
    for text in ("[]", "{", '{"id": "x"}', "{}"):
        with talk_with(studio) as talk, pytest.raises(ConnectionClosed):
            talk.socket.send(text)
            talk.socket.recv(PATIENCE)
    with talk_with(studio) as talk:
        assert talk.ask("hello")["version"] == 1


@pytest.mark.parametrize(
    "call, args",
    [
        ("nothing", {}),
        ("read", {}),
        ("read", {"path": 3}),
        ("read", {"path": "counter.ispl", "more": 1}),
        ("check", {"model": "x", "formulas": "AG p", "options": {}}),
        ("check", {"model": "x", "formulas": None, "options": {"engine": []}}),
    ],
)
def test_misshapen_requests_are_refused(talk: Talk, call: str, args: dict[str, object]):
    assert talk.fail(call, **args)["kind"] in ("refused", "input")


# -- files --------------------------------------------------------------------------------------------------


def test_nothing_outside_of_the_folder_is_read_or_written(talk: Talk, models: Path):
    outside = models.parent / "outside.ispl"
    outside.write_text(COUNTER)
    (models / "link.ispl").symlink_to(outside)
    (models / "way").symlink_to(models.parent)
    for path in (
        "../outside.ispl",
        "link.ispl",
        "way/outside.ispl",
        str(outside),
        "",
        "a\0.ispl",
        "notes.txt",
    ):
        assert talk.fail("read", path=path)["kind"] == "input"
        assert talk.fail("save", path=path, text="", hash=None)["kind"] == "input"
        assert talk.fail("draft", path=path, draft=None)["kind"] == "input"
    assert outside.read_text() == COUNTER
    assert not {"link.ispl", "way/outside.ispl"} & set(talk.ask("files")["files"])
    (models / "link.ispl").unlink()
    (models / "way").unlink()


def test_a_file_that_was_changed_meanwhile_is_never_overwritten(talk: Talk, models: Path):
    place = models / "mine.ispl"
    first = talk.ask("save", path="mine.ispl", text=COUNTER, hash=None)["hash"]
    assert place.read_text() == COUNTER
    place.write_text("-- theirs")
    failed = talk.fail("save", path="mine.ispl", text="-- mine", hash=first)
    assert failed["kind"] == "conflict" and failed["found"] == talk.ask("hash", path="mine.ispl")["hash"]
    assert talk.fail("save", path="mine.ispl", text="-- mine", hash=None)["kind"] == "conflict"
    assert place.read_text() == "-- theirs"
    talk.ask("save", path="mine.ispl", text="-- mine", hash=failed["found"])
    assert place.read_text() == "-- mine"
    place.unlink()


def test_drafts_are_for_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "a.ispl").write_text("")
    folder = Folder(tmp_path)
    folder.keep_draft("a.ispl", Draft("typed", "base"))
    assert Folder(tmp_path).draft("a.ispl") == Draft("typed", "base")
    for place in (tmp_path / "state" / "knower").rglob("*"):
        assert stat.S_IMODE(place.stat().st_mode) & 0o077 == 0
    folder.keep_draft("a.ispl", None)
    assert folder.draft("a.ispl") is None


def test_a_new_file_must_not_be_there(tmp_path: Path):
    folder = Folder(tmp_path)
    folder.write("a.ispl", "one", None)
    with pytest.raises(Conflict):
        folder.write("a.ispl", "two", None)
    assert folder.read("a.ispl")[0] == "one"


# -- port and token -----------------------------------------------------------------------------------------


def test_port_and_token_are_kept_together_until_it_is_stopped(models: Path, tmp_path: Path):
    with studio_of(models, tmp_path) as first:
        book = tmp_path / "run" / "knower" / "studio.json"
        assert stat.S_IMODE(book.stat().st_mode) == 0o600
        assert stat.S_IMODE(book.parent.stat().st_mode) == 0o700
        command = Path(f"/proc/{first.process.pid}/cmdline") if first.process else Path()
        assert not command.exists() or first.token not in command.read_text()
    with studio_of(models, tmp_path) as second:
        assert (second.port, second.token) == (first.port, first.token)
        answer, _ = second.asked(
            "POST",
            "/api/stop",
            Origin=second.origin,
            Authorization=f"Bearer {second.token}",
            Content_Length="0",
        )
        assert answer.status == 200 and second.process is not None
        second.process.wait(PATIENCE)
        assert not book.exists()
    with studio_of(models, tmp_path) as third:
        assert third.token != first.token


def test_a_port_that_is_taken_brings_another_token(models: Path, tmp_path: Path):
    import socket

    with studio_of(models, tmp_path) as first:
        pass
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", first.port))
        taken.listen()
        with studio_of(models, tmp_path) as second:
            assert second.port != first.port and second.token != first.token


def test_one_more_origin_can_be_admitted(models: Path, tmp_path: Path):
    port = free_port()
    with studio_of(models, tmp_path, "--origin", f"http://localhost:{port}") as studio:
        assert studio.port == 0  # the address it prints is the forwarded one
        studio.port, studio.token = json.loads((tmp_path / "run/knower/studio.json").read_text()).values()
        answer, _ = studio.asked("GET", "/", Host=f"localhost:{port}")
        assert answer.status == 200
        assert f"ws://localhost:{port};" in answer.headers["Content-Security-Policy"]
        with connect(
            f"ws://127.0.0.1:{studio.port}/tab",
            origin=f"http://localhost:{port}",
            proxy=None,  # type: ignore[arg-type]
        ) as socket:
            socket.send(json.dumps({"token": studio.token}))
            socket.send(json.dumps({"id": 1, "call": "hello", "args": {}}))
            assert json.loads(socket.recv(PATIENCE))["done"]["version"] == 1


@pytest.mark.parametrize("text", ["localhost:9000", "ftp://x", "http://x/path", "http://", "http://x?y"])
def test_what_is_no_origin_is_refused(text: str):
    with pytest.raises(UsageError):
        admitted_origin(text)


# -- what is missing ----------------------------------------------------------------------------------------


def test_a_page_that_was_never_built_is_told_with_its_cure(tmp_path: Path):
    with pytest.raises(UsageError, match=r"E640.*\n.*make demo-studio"):
        require_assets(tmp_path)


def test_a_second_studio_is_refused(studio: Studio):
    again = Studio(studio.folder, studio.runtime)
    with pytest.raises(AssertionError, match="E641"):
        again.begin()
    again.kill()


def test_packages_that_are_missing_are_told_with_their_cure(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "knower.studio.serving", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(UsageError, match=r"E642.*uvicorn.*\n.*knower\[studio\]"):
        _serving()
