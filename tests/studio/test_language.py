"""The language server in Studio: over its socket, and in the editor."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from studio.studios import PATIENCE, Page, Studio, Talk, studio_of
from studio.test_browser import HOSTILE, opened
from studio.test_questions import counter


@contextmanager
def language(studio: Studio, token: str | None = None) -> Iterator[ClientConnection]:
    address = f"ws://127.0.0.1:{studio.port}/lsp"
    with connect(address, origin=studio.origin, proxy=None) as socket:  # type: ignore[arg-type]
        socket.send(json.dumps({"token": studio.token if token is None else token}))
        yield socket


def say(socket: ClientConnection, method: str, params: object, number: int | None = None) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    socket.send(json.dumps(message if number is None else {**message, "id": number}))


def hear(socket: ClientConnection, key: str, value: object) -> Any:
    """The next message with this in it."""
    while True:
        message = json.loads(socket.recv(PATIENCE))
        if message.get(key) == value:
            return message


def begin(socket: ClientConnection) -> None:
    params = {"processId": None, "rootUri": None, "capabilities": {}}
    say(socket, "initialize", params, 1)
    assert "semanticTokensProvider" in hear(socket, "id", 1)["result"]["capabilities"]
    say(socket, "initialized", {})


def open_text(socket: ClientConnection, uri: str, text: str) -> None:
    item = {"uri": uri, "languageId": "ispl", "version": 1, "text": text}
    say(socket, "textDocument/didOpen", {"textDocument": item})


def test_its_socket_has_the_manners_of_the_other(studio: Studio):
    address = f"ws://127.0.0.1:{studio.port}/lsp"
    for origin in (None, f"http://127.0.0.1:{studio.port + 1}"):
        with pytest.raises(InvalidStatus), connect(address, origin=origin, proxy=None):  # type: ignore[arg-type]
            pass
    with language(studio, "wrong") as socket, pytest.raises(ConnectionClosed) as closed:
        socket.recv(PATIENCE)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401


@pytest.mark.parametrize("text", ["[]", "{", "{}", '{"jsonrpc": "2.0", "method": "exit"}', '"x"'])
def test_what_is_no_message_ends_its_socket_and_not_the_server(studio: Studio, talk: Talk, text: str):
    with language(studio) as socket, pytest.raises(ConnectionClosed):
        begin(socket)
        socket.send(text)
        while True:
            socket.recv(PATIENCE)
    assert talk.ask("hello")["version"] == 1


def test_each_socket_has_documents_of_its_own(studio: Studio):
    with language(studio) as one, language(studio) as other:
        begin(one)
        begin(other)
        open_text(one, "studio:///a.ispl", "oops")
        open_text(other, "studio:///a.ispl", counter(2))
        method = "textDocument/publishDiagnostics"
        assert hear(one, "method", method)["params"]["diagnostics"]
        assert not hear(other, "method", method)["params"]["diagnostics"]


def test_so_many_documents_and_no_more(studio: Studio):
    with language(studio) as socket, pytest.raises(ConnectionClosed):
        begin(socket)
        for number in range(65):
            open_text(socket, f"studio:///{number}.ispl", "")
        while True:
            socket.recv(PATIENCE)


# -- in the editor ------------------------------------------------------------------------------------------


_CURSOR = """
  const content = document.querySelector(".model-pane .cm-content");
  const lines = [...content.querySelectorAll(".cm-line")];
  const line = lines.find((each) => each.textContent.includes(arguments[0]));
  let left = line.textContent.indexOf(arguments[0]);
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && left > walker.currentNode.length) left -= walker.currentNode.length;
  content.focus();
  getSelection().collapse(walker.currentNode, left);
"""


def typed_at(page: Page, piece: str, *keys: str) -> None:
    """Put the cursor before a piece of the text, and type."""
    page.run(_CURSOR, piece)
    page.wait(lambda: page.all(".model-pane .cm-activeLine"), "the cursor")
    page.keys(*keys)


def text(page: Page) -> str:
    return "\n".join(page.texts(".model-pane .cm-line"))


def test_a_mistake_is_marked_and_its_cure_taken(page: Page, models: Path, studio: Studio):
    (models / "cure.ispl").write_text(counter(3).replace("AG !full", "AG !fulll"))
    opened(page, studio, "cure.ispl")
    page.wait(lambda: page.all(".cm-lintRange-error"), "the mark in the text")
    page.wait_text(".problem", "fulll")
    page.press("write `full`")
    page.wait(lambda: not page.all(".problem.error"), "it is mended")
    assert "AG !full;" in text(page)
    page.wait(lambda: page.all(".formula-row"), "the formulas are back")
    assert not [each for each in page.browser.get_log("browser") if "Content Security" in each["message"]]


def test_colours_outline_completion_rename_and_format(page: Page, models: Path, studio: Studio):
    (models / "words.ispl").write_text(counter(3))
    opened(page, studio, "words.ispl")
    page.wait_text(".sem-class", "C")
    page.wait_text(".sem-event", "up")
    assert {"C", "Formulae"} <= set(page.texts(".outline > button"))
    typed_at(page, "; end Formulae", " or fu")
    page.wait_text(".cm-tooltip-autocomplete li", "full")
    page.keys(Keys.ESCAPE, *([Keys.BACKSPACE] * 6))
    page.wait(lambda: "AG !full;" in text(page), "what was typed is gone")
    typed_at(page, "up}", Keys.F2)
    field = page.one(".cm-panels input[name=name]")
    field.clear()
    field.send_keys("rise", Keys.ENTER)
    page.wait(lambda: "{rise}" in text(page) and "up" not in text(page), "both are renamed")
    page.press("Format")
    page.wait(lambda: "\n  Actions = {rise};" in text(page), "it is laid out")
    page.wait(lambda: not page.all(".problem.error"))
    assert (models / "words.ispl").read_text() == counter(3)


def test_hovers_and_messages_are_never_markup(page: Page, models: Path, studio: Studio):
    (models / "hover.ispl").write_text(counter(2).replace("n + 1 if", f"n + 1 -- {HOSTILE}\n if"))
    opened(page, studio, "hover.ispl")
    page.wait_text(".sem-class", "C")
    word = page.one(".model-pane .sem-class")
    box = page.run(
        "const b = document.querySelector('.model-pane .sem-class').getBoundingClientRect();"
        "return [b.x + 2, b.y + b.height / 2]"
    )
    assert word is not None
    for by in (3, 0):
        event = {"type": "mouseMoved", "x": box[0] + by, "y": box[1], "button": "none"}
        page.browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)
    page.wait_text(".hover", "variables: n")
    assert page.browser.title == "Knower Studio" and not page.all(".hover script, .hover img")
    assert page.complaints() == []


def test_several_files_keep_what_was_typed_in_each(page: Page, models: Path, tmp_path: Path):
    for name in ("one.ispl", "two.ispl"):
        (models / name).write_text(counter(3))
    with studio_of(models, tmp_path, place="one.ispl") as studio:
        opened(page, studio, "one.ispl")
        typed_at(page, "Agent", "-- mine\n")
        page.press("Learn", ".tab")
        page.press("open counter")
        page.wait_text(".file-tabs", "counter")
        page.wait_text(".file-tabs", "one.ispl •")
        page.press("one.ispl •", ".file-tabs button")
        page.wait(lambda: "-- mine" in text(page), "the draft is shown again")
        page.wait(lambda: len(list(tmp_path.rglob("drafts/*.json"))) == 2, "both drafts")
        for kept in tmp_path.rglob("drafts/*.json"):
            assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with studio_of(models, tmp_path, place="two.ispl") as studio:
        opened(page, studio, "one.ispl")
        page.wait(lambda: "-- mine" in text(page), "after a restart, too")
        names = page.texts(".file option")
        new = next(name for name in names if name.startswith("counter_"))
        opened(page, studio, new.removesuffix(" (new)"))
        assert not (models / new).exists()
        (models / "one.ispl").write_text(counter(4))
        opened(page, studio, "one.ispl")
        page.wait_text("dialog", "somebody else")
        assert page.complaints() == []
        page.press("Keep mine")
        page.press("Save •")
        page.wait(lambda: "-- mine" in (models / "one.ispl").read_text(), "saved")


def test_the_language_server_is_spoken_to_again_after_a_restart(page: Page, models: Path, tmp_path: Path):
    (models / "again.ispl").write_text(counter(3))
    with studio_of(models, tmp_path, place="again.ispl") as studio:
        opened(page, studio, "again.ispl")
    page.wait_text(".note", "gone")
    with studio_of(models, tmp_path, place="again.ispl"):
        page.wait(lambda: not any("gone" in each for each in page.texts(".note")), "it is back")
        typed_at(page, "Agent", "oops ")
        page.wait_text(".problem", "oops")
