"""A studio as a process of its own, a browser that looks at it, and a socket that speaks to it."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "src" / "knower" / "studio" / "assets"
EXAMPLES = ROOT / "examples"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#token=(\S+)")
#: Ten times what anything here should take: only a fault makes it longer.
PATIENCE = 60


class Studio:
    """A server that runs, of a folder of models."""

    def __init__(self, folder: Path, runtime: Path, *options: str) -> None:
        self.folder = folder
        self.runtime = runtime
        self.options = options
        self.process: subprocess.Popen[str] | None = None
        self.port, self.token = 0, ""

    def begin(self, place: str = "") -> None:
        command = [sys.executable, "-m", "knower", "studio", str(self.folder / place), "--no-browser"]
        runtime, state = self.runtime / "run", self.runtime / "state"
        for each in (runtime, state):
            each.mkdir(exist_ok=True, mode=0o700)
        env = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "XDG_STATE_HOME": str(state)}
        self.process = subprocess.Popen(
            [*command, *self.options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := _ADDRESS.search(line):
                self.port, self.token = int(found[1]), found[2]
            if "Ctrl-C" in line:
                return
        raise AssertionError(self.process.stderr.read() if self.process.stderr else "it did not begin")

    def kill(self) -> None:
        """End it without a word."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"{self.origin}/#token={self.token}"

    def asked(self, method: str, path: str, **headers: str | None) -> tuple[HTTPResponse, bytes]:
        """An answer; headers of None are left out."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        usual: dict[str, str | None] = {"Host": f"127.0.0.1:{self.port}"}
        given = {**usual, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.putrequest(method, path, skip_host=True)
        for name, value in given.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body


class Talk:
    """A socket that speaks as a page does."""

    def __init__(self, studio: Studio, token: str | None = None) -> None:
        from websockets.sync.client import connect

        self._stack = ExitStack()
        self.socket = self._stack.enter_context(
            connect(f"ws://127.0.0.1:{studio.port}/tab", origin=studio.origin, max_size=None, proxy=None)  # type: ignore[arg-type]
        )
        self.socket.send(json.dumps({"token": studio.token if token is None else token}))
        self.next = 0
        self.news: list[Any] = []

    def send(self, call: str, args: object) -> int:
        self.next += 1
        self.socket.send(json.dumps({"id": self.next, "call": call, "args": args}))
        return self.next

    def reply(self, number: int) -> dict[str, Any]:
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            if message["id"] == number and "news" not in message:
                return dict(message)
            self.news.append(message)

    def ask(self, call: str, **args: object) -> Any:
        """The answer; a failure is an error here."""
        reply = self.reply(self.send(call, args))
        assert "done" in reply, reply
        return reply["done"]

    def fail(self, call: str, **args: object) -> Any:
        reply = self.reply(self.send(call, args))
        assert "failed" in reply, reply
        return reply["failed"]

    def open(self, text: str, name: str = "m.ispl") -> str:
        found = self.ask("open", name=name, text=text, constants={})
        assert found["facts"] is not None, found["problems"]
        return str(found["model"])

    def close(self) -> None:
        self._stack.close()


@contextmanager
def studio_of(folder: Path, runtime: Path, *options: str, place: str = "") -> Iterator[Studio]:
    """A studio for a while."""
    made = Studio(folder, runtime, *options)
    made.begin(place)
    try:
        yield made
    finally:
        made.kill()


@contextmanager
def talk_with(studio: Studio, token: str | None = None) -> Iterator[Talk]:
    made = Talk(studio, token)
    try:
        yield made
    finally:
        made.close()


def need_page() -> None:
    """Skips the test where the page was not built."""
    if not (ASSETS / "index.html").is_file():
        pytest.skip("the page of Studio is not built: `make studio` builds it, with Node")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# -- in a browser -------------------------------------------------------------------------------------------


class Page:
    """A page in the browser. What is waited for is looked for until it is there."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    def open(self, address: str) -> None:
        self.browser.get("about:blank")
        self.browser.get(address)

    def size(self, width: int, dark: bool = False, height: int = 900) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def all(self, selector: str) -> list[Any]:
        return list(self.browser.find_elements("css selector", selector))

    def one(self, selector: str) -> Any:
        return self.wait(lambda: next(iter(self.all(selector)), None), selector)

    def texts(self, selector: str) -> list[str]:
        script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.innerText)"
        return list(self.browser.execute_script(script, selector))

    def wait(self, seen: Callable[[], Any], what: str = "") -> Any:
        from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
        from selenium.webdriver.support.ui import WebDriverWait

        try:
            patient = WebDriverWait(self.browser, PATIENCE, 0.05, [StaleElementReferenceException])
            return patient.until(lambda _: seen())
        except TimeoutException:
            raise AssertionError(
                f"never seen: {what}\n{self.browser.find_element('css selector', 'body').text}"
            )

    def wait_text(self, selector: str, part: str) -> None:
        self.wait(lambda: any(part in text for text in self.texts(selector)), f"{part!r} in {selector}")

    def click(self, selector: str) -> None:
        self.one(selector)
        self.browser.execute_script("document.querySelector(arguments[0]).click()", selector)

    def press(self, text: str, within: str = "button") -> None:
        """Press the button with these words on it."""
        script = (
            "const b = [...document.querySelectorAll(arguments[0])].find((e) => !e.disabled && "
            "(e.innerText.trim() === arguments[1] || e.getAttribute('aria-label') === arguments[1]));"
            "if (b) b.click(); return Boolean(b)"
        )
        self.wait(lambda: self.browser.execute_script(script, within, text), f"button {text!r}")

    def run(self, script: str, *args: object) -> Any:
        return self.browser.execute_script(script, *args)

    def keys(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def picture(self, path: Path) -> None:
        self.browser.save_screenshot(str(path))

    def complaints(self) -> list[str]:
        """What axe-core finds wrong for those who cannot see, or have no mouse."""
        axe = ROOT / "studio" / "node_modules" / "axe-core" / "axe.min.js"
        if not self.run("return typeof window.axe === 'object'"):
            self.browser.execute_script(axe.read_text(encoding="utf-8"))
        script = (
            "const done = arguments[0]; axe.run(document).then((r) => done(r.violations.map((v) => "
            "`${v.id}: ${v.help} (${v.nodes.slice(0, 4).map((n) => n.html.slice(0, 160) + ' ' + "
            "(n.any[0]?.message ?? '')).join(' | ')})`)))"
        )
        return list(self.browser.execute_async_script(script))


def chromium() -> Any:
    """A browser without a window; the test is skipped where there is none."""
    selenium = pytest.importorskip(
        "selenium.webdriver", reason="Studio is not tried in a browser: no selenium"
    )
    if BROWSER is None or DRIVER is None:
        pytest.skip("Studio is not tried in a browser: install chromium and chromium-driver")
    options = selenium.ChromeOptions()
    options.binary_location = BROWSER
    arguments = ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900")
    for argument in (*arguments, "--force-prefers-reduced-motion"):
        options.add_argument(argument)
    if os.geteuid() == 0:  # as in containers: the sandbox refuses to run for root
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = selenium.Chrome(options=options, service=selenium.ChromeService(executable_path=DRIVER))
    driver.set_script_timeout(PATIENCE)
    return driver
