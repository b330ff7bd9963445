"""Knower Studio in a real browser."""

from __future__ import annotations

import http.server
import threading
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from studio.studios import Page, Studio, studio_of
from studio.test_questions import counter

HOSTILE = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"


def opened(page: Page, studio: Studio, path: str) -> None:
    """The page, with a file open in it."""
    page.open(studio.address)
    page.wait_text(".file option", path)
    script = (
        "const s = document.querySelector('.file select'); s.value = arguments[0];"
        "s.dispatchEvent(new Event('change', { bubbles: true }))"
    )
    page.run(script, path)
    page.one(f'[data-understood="{path}"]')
    page.wait(lambda: page.all(".outline button"), "the outline")


def checked(page: Page) -> None:
    page.press("Check all")
    page.wait_text(".facts", "reachable states")


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until this has the focus; in an editor Tab indents, unless Escape was pressed before."""
    for _ in range(80):
        if page.run("return document.activeElement.matches(arguments[0])", selector):
            return
        in_editor = page.run("return document.activeElement.matches('.cm-content')")
        page.keys(*([Keys.ESCAPE] if in_editor else []), Keys.TAB)
    raise AssertionError(f"no way by Tab to {selector}")


def test_check_why_step_explore_by_keyboard_alone(page: Page, studio: Studio):
    opened(page, studio, "bit_transmission_faulty.ispl")
    tab_to(page, ".toolbar .primary")
    page.keys(Keys.ENTER)
    page.wait_text(".facts", "14 reachable states")
    tab_to(page, ".why-button")
    page.keys(Keys.ENTER)
    page.wait_text(".asked", "ack_received")
    tab_to(page, ".trace-table")
    page.keys(Keys.ARROW_DOWN)
    page.wait_text(".stepper output", "step 1 of 1")
    page.keys(Keys.ARROW_UP)
    page.wait_text(".fired", "line 35")
    tab_to(page, ".tab-explore")
    page.keys(Keys.ENTER)
    page.one(".goal")
    tab_to(page, ".goal")
    page.keys(Keys.ENTER)
    page.wait_text(".stepper", "step 1 of 1")


def test_an_error_is_marked_while_it_is_typed_and_the_draft_survives(page: Page, models: Path):
    (models / "draft.ispl").write_text(counter(3))
    runtime = models.parent / "drafts"
    runtime.mkdir()
    with studio_of(models, runtime, place="draft.ispl") as studio:
        page.open(studio.address)
        page.wait(lambda: page.all(".outline button"))
        page.run("document.querySelector('.model-pane .cm-content').focus()")
        page.keys("oops ")
        page.wait_text(".problem", "oops")
        page.wait(lambda: page.all(".cm-lintRange-error"), "the mark in the text")
        page.wait(lambda: list((runtime / "state").rglob("*.json")), "the draft")
        page.open(studio.address)
        page.wait_text(".problem", "oops")
    with studio_of(models, runtime, place="draft.ispl") as again:
        assert again.port == studio.port
        page.open(again.address)
        page.wait_text(".problem", "oops")
    assert (models / "draft.ispl").read_text() == counter(3)


def test_a_thousand_steps_scroll_and_filter(page: Page, models: Path, studio: Studio):
    (models / "long.ispl").write_text(counter(999))
    opened(page, studio, "long.ispl")
    checked(page)
    page.click(".why-button:not(:disabled)")
    page.wait_text(".stepper output", "of 999")
    assert 10 < len(page.all(".trace-row")) < 80
    page.run("document.querySelector('.trace-table').focus()")
    page.keys(Keys.END)
    page.wait_text(".trace-row.here", "999")
    assert len(page.all(".trace-row")) < 80
    find = page.one('.find input[type="search"]')
    find.send_keys("n=500", Keys.ENTER)
    page.wait_text(".trace-row.here", "500")
    page.one('.filters input[type="search"]').send_keys("nothing")
    page.wait(lambda: "n" not in page.texts(".trace-head .cell")[-1].split("\n"), "no variables")


def test_what_is_watched_becomes_a_column(page: Page, studio: Studio):
    opened(page, studio, "bit_transmission_faulty.ispl")
    checked(page)
    page.click(".why-button:not(:disabled)")
    page.one(".watches input").send_keys("K(Sender, bit_received)", Keys.ENTER)
    page.wait_text(".trace-head .watched", "K(Sender, bit_received)")
    page.wait_text(".trace-row .cell.watched", "false")
    page.press("Swim lanes")
    page.wait_text(".deed", "acknowledge")
    page.press("Story")
    page.wait_text(".story", "counterexample")


def test_a_question_of_ones_own_and_every_reading(page: Page, studio: Studio):
    opened(page, studio, "tian_ji.ispl")
    page.run("document.querySelector('.formula-input .cm-content').focus()")
    page.keys("<TianJi> F tian_ji_wins", Keys.ESCAPE, Keys.ENTER)
    page.wait_text('[aria-label="Your questions"] .badge', "true")
    page.press("All readings")
    page.wait(lambda: len(page.all(".readings .badge")) == 2, "two verdicts")
    assert page.complaints() == []
    page.press("Close")


def test_names_and_comments_are_never_markup(page: Page, models: Path, studio: Studio):
    (models / "hostile.ispl").write_text(f"-- {HOSTILE}\n" + counter(2) + f"\n{HOSTILE}")
    page.open(studio.address)
    page.wait_text(".file option", "hostile.ispl")
    page.run(
        "const s = document.querySelector('.file select'); s.value = 'hostile.ispl';"
        "s.dispatchEvent(new Event('change', { bubbles: true }))"
    )
    page.wait(lambda: page.all(".problem.error"))
    assert page.browser.title == "Knower Studio" and not page.all(".findings script, .findings img")


def test_two_tabs_and_a_server_that_is_killed_and_begun_again(page: Page, models: Path, tmp_path: Path):
    with studio_of(models, tmp_path, place="counter.ispl") as studio:
        page.open(studio.address)
        page.wait(lambda: page.all(".formula-row"))
        first = page.browser.current_window_handle
        page.browser.switch_to.new_window("tab")
        page.open(studio.address)
        page.wait(lambda: page.all(".formula-row"))
        assert studio.token not in page.browser.current_url
        page.browser.close()
        page.browser.switch_to.window(first)
        checked(page)
    page.wait_text(".note", "gone")
    with studio_of(models, tmp_path, place="counter.ispl"):
        page.wait(lambda: not any("gone" in text for text in page.texts(".note")), "it is back")
        checked(page)


def test_another_port_gets_nothing(page: Page, studio: Studio, tmp_path: Path):
    """A page of another server of this machine: neither socket, nor page, nor cookie."""
    (tmp_path / "index.html").write_text("<!doctype html><title>other</title>")
    seen: list[str] = []

    class Other(http.server.SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(str(self.headers))
            super().do_GET()

        def log_message(self, *_: object) -> None: ...

    server = http.server.HTTPServer(
        ("127.0.0.1", 0),
        lambda *args: Other(*args, directory=str(tmp_path)),  # type: ignore[arg-type]
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        page.open(f"http://127.0.0.1:{server.server_port}/index.html")
        script = """
          const done = arguments[2];
          const socket = new WebSocket(arguments[0].replace("http", "ws") + "/tab");
          socket.onopen = () => done("open");
          socket.onerror = () => fetch(arguments[0] + "/").then(() => done("page"), () => done("nothing"));
        """
        assert page.browser.execute_async_script(script, studio.origin, "") == "nothing"
        assert seen and not any("cookie" in text.lower() or studio.token in text for text in seen)
    finally:
        server.shutdown()
        server.server_close()


def test_a_wrong_token_is_told(page: Page, studio: Studio):
    page.open(f"{studio.origin}/#token=wrong")
    page.wait_text(".note", "does not know this page")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_everybody_can_use_every_view(page: Page, studio: Studio, width: int, dark: bool):
    page.size(width, dark)
    opened_narrow(page, studio)
    assert page.complaints() == []
    for view in page.texts(".tab"):
        if view:
            page.press(view, ".tab")
            assert page.complaints() == [], view
    assert page.run("return document.documentElement.scrollWidth <= innerWidth"), (
        "nothing is wider than the page"
    )


def opened_narrow(page: Page, studio: Studio) -> None:
    page.open(studio.address)
    page.wait(lambda: page.all(".formula-row"))
    checked(page)
    page.click(".why-button:not(:disabled)")
    page.one(".trace-table")
