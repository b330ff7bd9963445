"""The packed extension in a real VS Code: `make vscode-test`. The pictures are there to be looked at."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if "KNOWER_VSCODE" not in os.environ:
    pytest.skip("it is run by `make vscode-test`", allow_module_level=True)

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from workbench import Workbench

from lsp_client import HARD

LAMP = """-- A lamp that is switched on and off, and one who sees it.
Agent Environment
  Obsvars: lit : boolean; end Obsvars
  Actions = {hold, toggle};
  Protocol: Other : {hold, toggle}; end Protocol
  Evolution:
    lit = true if lit = false and Action = toggle;
    lit = false if lit = true and Action = toggle;
  end Evolution
end Agent
Agent Seer
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
end Agent
Evaluation on if Environment.lit = true; end Evaluation
InitStates Environment.lit = false; end InitStates
Formulae
  EF on;
  AG (on -> K(Seer, on));
  AG !on;
end Formulae
"""
TRUSTED = {"security.workspace.trust.enabled": False}


def folder_with(place: Path, **files: str) -> Path:
    place.mkdir()
    for name, text in files.items():
        (place / f"{name}.ispl").write_text(text)
    return place


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    place = tmp_path_factory.mktemp("vscode")
    folder = folder_with(place / "models", colours=LAMP, error=LAMP, lamp=LAMP, hard=HARD)
    found = Workbench(place, folder, {**TRUSTED, "knower.interpreter": sys.executable})
    yield found
    found.close()


def test_colours(window: Workbench) -> None:
    window.open("colours.ispl")
    window.until(lambda: "check all" in window.texts(".codelens-decoration a"))
    window.until(
        lambda: len({window.colours().get(word) for word in ("Agent", "Seer", "toggle", "lit")}) == 4
    )
    window.picture("colours")


def test_an_error_and_its_quick_fix(window: Workbench) -> None:
    window.open("error.ispl")
    window.until(lambda: "check all" in window.texts(".codelens-decoration a"))
    window.go_to(7, 5)
    window.type("l")
    window.until(lambda: window.all(".squiggly-error"))
    window.picture("error")
    window.press(Keys.CONTROL, ".")
    window.until(lambda: any("write `lit`" in text for text in window.texts(".action-widget .title")))
    window.picture("quick-fix")
    window.press(Keys.ENTER)
    window.until(lambda: not window.all(".squiggly-error"))
    assert any(text.strip().startswith("lit = true if") for text in window.texts(".view-line"))


def test_a_check_its_verdicts_and_why(window: Workbench) -> None:
    window.open("lamp.ispl")
    window.lens("check all")
    window.until(lambda: "FALSE, unexpected" in window.behind_lines())
    assert window.behind_lines().count("TRUE") == 2
    window.picture("verdicts")
    window.lens("show why")
    window.until(lambda: window.all("iframe.webview.ready"))
    window.driver.switch_to.frame(window.driver.find_element(By.CSS_SELECTOR, "iframe.webview.ready"))
    window.driver.switch_to.frame(window.until(lambda: window.driver.find_element(By.ID, "active-frame")))
    window.until(lambda: "EF on" in window.driver.find_element(By.TAG_NAME, "body").text)
    window.driver.switch_to.default_content()
    window.picture("evidence")
    window.go_to(1, 1)
    window.type("-- ")
    window.until(lambda: "TRUE before the last change" in window.behind_lines())
    window.picture("stale")


def test_a_check_is_cancelled(window: Workbench) -> None:
    window.open("hard.ispl")
    window.lens("check all")
    window.until(lambda: any("checking hard.ispl" in text for text in window.texts(".statusbar-item")))
    window.until(lambda: "cancel" in window.texts(".codelens-decoration a"))
    window.picture("progress")
    window.lens("cancel")
    window.until(lambda: any(text.startswith("UNKNOWN") for text in window.behind_lines()))
    window.picture("cancelled")
    window.until(lambda: "cancel" not in window.texts(".codelens-decoration a"))


def test_an_untrusted_folder_starts_nothing_of_its_own(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "models", lamp=LAMP.replace("lit = true if", "litt = true if"))
    traces = tmp_path / "traces"
    evil = folder / "python"
    evil.write_text(f"#!/bin/sh\ntouch {traces}\n")
    evil.chmod(0o755)
    (folder / ".vscode").mkdir()
    (folder / ".vscode" / "settings.json").write_text(f'{{"knower.interpreter": "{evil}"}}')
    inside = folder / ".venv" / "bin"
    inside.mkdir(parents=True)
    (inside / "python").symlink_to(evil)
    window = Workbench(tmp_path, folder, {"knower.interpreter": sys.executable})
    try:
        window.open("lamp.ispl")
        window.until(lambda: window.all(".squiggly-error"))
        assert any("Restricted Mode" in text for text in window.texts(".statusbar-item"))
        window.picture("untrusted")
    finally:
        window.close()
    assert not traces.exists()


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "models", lamp=LAMP)
    window = Workbench(tmp_path, folder, TRUSTED, path="/usr/bin:/bin")
    try:
        window.open("lamp.ispl")
        window.until(lambda: any("pip install" in text for text in window.texts(".notification-list-item")))
        window.picture("no-server")
    finally:
        window.close()
