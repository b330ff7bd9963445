"""The web page of a run: what stands in it, and what a real browser makes of it."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evidence_by_hand import (
    ACKED,
    BIT_NAMES,
    BITS,
    COMMON,
    EVERY_KIND,
    RACE,
    RACE_NAMES,
    REFUSED,
    TIAN_JI,
    WHOLE_RUN,
    evidence,
    race,
    result,
)
from knower.reasons import Refused
from knower.report.page import embedded, evidence_page
from knower.verdict.evidence import Followed, PathProof, Run, State
from knower.verdict.verdict import Verdict
from knower.verdict.warnings import MethodFailed

HOSTILE = "</script><script>document.title='owned'</script><!-- & \" ' <b>"

EVERYTHING = replace(
    WHOLE_RUN,
    formulas=(
        *WHOLE_RUN.formulas,
        result(RACE, 4, "<TianJi> F tian_ji_wins", TIAN_JI, verdict=True),
        result(RACE, 5, "<TianJi> X tian_ji_leads", REFUSED),
        result(BITS, 6, "AF bit_received", evidence("witness", BIT_NAMES, *EVERY_KIND)),
    ),
)


def long_run():
    """A run whose evidence is a path of a thousand states."""
    states: tuple[State, ...] = tuple((place, 4, False, False, False) for place in range(1000))
    way = PathProof(states[0], race("EF over"), Run(states, ((None, "go_home", "go_home"),) * 999, end=999))
    found = evidence("witness", RACE_NAMES, way)
    return replace(WHOLE_RUN, formulas=(result(RACE, 1, "EF over", found, verdict=True),))


def test_verdicts_and_stories_stand_in_the_page():
    page = evidence_page(WHOLE_RUN, title="Bits")
    assert "<title>Bits</title>" in page and "<h1>Bits</h1>" in page
    assert "18 reachable states · engine bdd · 0.05 s" in page
    assert page.count('class="badge false"') == 4 and page.count('class="badge true"') == 1
    assert "counterexample, 2 steps (replayed: ok)\n  at the start: " in page


def test_the_page_needs_no_network():
    page = evidence_page(EVERYTHING, title="Everything")
    assert set(re.findall(r"\w+://[^\s\"'<)]*", page)) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in page and "url(" not in page.replace("url(#${marker})", "")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy and policy[1].startswith("default-src 'none'; ")
    assert not re.search(r"\s(style|on\w+)=", page.split("<script")[0])


def test_what_is_embedded_cannot_leave_its_element():
    text = embedded({"a": HOSTILE + "\u2028"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"a": HOSTILE + "\u2028"}
    hostile = replace(WHOLE_RUN.formulas[0], text=HOSTILE)
    unknown = replace(WHOLE_RUN.formulas[1], verdict=Verdict.UNKNOWN, reason=Refused(HOSTILE), evidence=None)
    failed = MethodFailed(HOSTILE, HOSTILE)
    run = replace(WHOLE_RUN, model=HOSTILE, formulas=(hostile, unknown), warnings=(failed,))
    page = evidence_page(run, title=HOSTILE)
    assert page.count("<script") == page.count("</script>") == 2


def test_a_run_without_evidence_is_a_list_of_verdicts():
    plain = tuple(replace(formula, evidence=None) for formula in WHOLE_RUN)
    page = evidence_page(replace(WHOLE_RUN, formulas=plain), title="Plain")
    assert "<section" not in page and "<fieldset" not in page
    assert page.count("<li>") == 3


# -- in a browser -----------------------------------------------------------------------------------

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    selenium = pytest.importorskip("selenium.webdriver", reason="the page is not tried: no selenium")
    if BROWSER is None or DRIVER is None:
        pytest.skip("the page is not tried in a browser: install chromium and chromium-driver")
    options = selenium.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1300,1000"):
        options.add_argument(argument)
    if os.geteuid() == 0:  # as in containers: the sandbox refuses to run for root
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = selenium.Chrome(options=options, service=selenium.ChromeService(executable_path=DRIVER))
    yield driver
    driver.quit()


class Page:
    """A page in the browser."""

    def __init__(self, browser: Any, path: Path, text: str, width: int = 1300, dark: bool = False) -> None:
        self.browser = browser
        self.address = path.as_uri()
        path.write_text(text, encoding="utf-8")
        size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        browser.get_log("performance")
        browser.get(self.address)

    def all(self, selector: str) -> list[Any]:
        return self.browser.find_elements("css selector", selector)

    def one(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def run(self, script: str) -> Any:
        return self.browser.execute_script(script)

    def hover(self, selector: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.browser).move_to_element(self.one(selector)).perform()

    def press(self, key: str) -> None:
        self.browser.switch_to.active_element.send_keys(key)

    def panel(self, graph: int = 0) -> str:
        return self.one(f'[data-graph="{graph}"] .panel').text

    def labels(self, graph: int = 0) -> str:
        return self.run(f"""return document.querySelector('[data-graph="{graph}"] svg').textContent""")

    def requests(self) -> list[str]:
        """What was asked for beside the page itself."""
        events = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        return [url for url in asked if url != self.address]


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Page]:
    shown = Page(browser, tmp_path / "page.html", evidence_page(EVERYTHING, title="Bits & races"))
    yield shown
    assert shown.browser.get_log("browser") == []
    assert shown.run("return performance.getEntriesByType('resource').map((entry) => entry.name)") == []
    assert shown.requests() == []


def test_every_case_is_drawn(page):
    cases = sum(len(formula.evidence.cases) for formula in EVERYTHING if formula.evidence)
    assert len(page.all("figure svg")) == cases
    assert len(page.all('[data-graph="0"] .node')) == 3
    assert len(page.all('[data-graph="0"] .node.initial')) == 1
    assert len(page.all('[data-graph="0"] .edge.step')) == 2
    assert len(page.all('[data-graph="0"] .edge.doubt')) == 2
    assert len(page.all('[data-graph="1"] .edge.step')) == 1  # the loop
    assert len(page.all('[data-graph="2"] .node.deed')) == 3
    assert len(page.all('[data-graph="3"] .node.state')) == 4


def test_nothing_overlaps_and_all_is_inside(page):
    script = """
      const box = (item) => {
        const { left, top, right, bottom } = item.getBoundingClientRect();
        return [left, top, right, bottom];
      };
      return [...document.querySelectorAll('figure')].map((figure) => ({
        frame: box(figure.querySelector('svg')),
        nodes: [...figure.querySelectorAll('.node')].map(box),
        labels: [...figure.querySelectorAll('.label text')].map(box),
      }));"""
    for figure in page.run(script):
        left, top, right, bottom = figure["frame"]
        for x1, y1, x2, y2 in figure["nodes"] + figure["labels"]:
            assert x1 >= left - 1 and y1 >= top - 1 and x2 <= right + 1 and y2 <= bottom + 1
        for place, (x1, y1, x2, y2) in enumerate(figure["nodes"]):
            for u1, v1, u2, v2 in figure["nodes"][:place]:
                assert x2 <= u1 or u2 <= x1 or y2 <= v1 or v2 <= y1


def test_hovering_shows_the_whole_state(page):
    assert "State s0, where it starts" in page.panel()
    page.hover('[data-graph="0"] [data-name="s2"]')
    text = page.panel()
    assert text.startswith("State s2")
    assert "bit\nzero" in text and "acked\ntrue" in text and "received\nzero" in text
    assert "MGCK(partners, !bit_received)" in text
    changed = [item.text for item in page.all('[data-graph="0"] .panel dt.changed')]
    assert changed == ["line", "acked", "received"]


def test_the_keyboard_reaches_every_state(page):
    page.run("""document.querySelector('[data-graph="0"] .node').focus()""")
    page.press("\ue014")  # arrow right
    assert page.panel().startswith("State s1")
    page.press("\ue010")  # end
    assert page.panel().startswith("State s2")
    page.press("\ue012")  # arrow left
    assert page.panel().startswith("State s1")
    stops = page.all('[data-graph="0"] .node[tabindex="0"]')
    assert [item.get_attribute("data-name") for item in stops] == ["s1"]


def test_an_agent_switched_off_disappears(page):
    assert "Receiver" in page.labels() and len(page.all('[data-graph="0"] .edge.doubt')) == 2
    box = page.one('.agents input[value="Receiver"]')
    box.click()
    assert "Receiver" not in page.labels() and "Sender" in page.labels()
    assert len(page.all('[data-graph="0"] .edge.doubt')) == 1
    assert "Sender" in page.panel() and "Receiver" not in page.panel()
    page.one('.agents input[value="TianJi"]').click()
    assert len(page.all('[data-graph="2"] .node.deed')) == 0
    assert "TianJi" not in page.labels(2)
    box.click()
    assert "Receiver" in page.labels()


def test_all_agents_can_be_switched_off(page):
    for box in page.all(".agents input"):
        box.click()
    assert "Sender" not in page.labels() and len(page.all('[data-graph="0"] .node')) == 3


def test_links_lead_to_the_evidence(page):
    links = page.all(".verdicts a")
    assert [link.text for link in links][:2] == [formula.text for formula in EVERYTHING][:2]
    for link in links:
        assert page.one(link.get_attribute("href").replace(page.address, ""))


def test_followed_formulas_stand_beside_the_state(browser, tmp_path):
    found = replace(COMMON, followed=(Followed("K(Sender, bit_received)", frozenset({ACKED})),))
    run = replace(WHOLE_RUN, formulas=(result(BITS, 1, "AF bit_received", found),))
    page = Page(browser, tmp_path / "followed.html", evidence_page(run, title="Followed"))
    assert "K(Sender, bit_received): no" in page.panel()
    page.hover('[data-name="s2"]')
    assert "K(Sender, bit_received): yes" in page.panel()


def test_on_a_phone_paths_run_down_and_nothing_sticks_out(browser, tmp_path):
    page = Page(browser, tmp_path / "phone.html", evidence_page(EVERYTHING, title="Phone"), width=400)
    assert page.run("return document.documentElement.scrollWidth") <= 400
    first, second = (page.one(f'[data-graph="0"] [data-name="{name}"]').rect for name in ("s0", "s1"))
    assert second["y"] > first["y"] + first["height"]


def test_dark_mode(browser, tmp_path):
    text = evidence_page(WHOLE_RUN, title="Dark")
    colours = [
        Page(browser, tmp_path / "dark.html", text, dark=dark).run(
            "return getComputedStyle(document.body).backgroundColor"
        )
        for dark in (False, True)
    ]
    assert colours == ["rgb(246, 245, 242)", "rgb(21, 23, 26)"]


def test_long_paths_are_folded(browser, tmp_path):
    page = Page(browser, tmp_path / "long.html", evidence_page(long_run(), title="Long"))
    assert len(page.all(".node")) == 61
    assert "… 941 steps …" in page.labels()
    assert page.run("return document.documentElement.scrollWidth") <= 1300


def test_hostile_names_stay_text(browser, tmp_path):
    run = replace(WHOLE_RUN, formulas=(replace(WHOLE_RUN.formulas[0], text=HOSTILE),), model=HOSTILE)
    page = Page(browser, tmp_path / "hostile.html", evidence_page(run, title=HOSTILE))
    assert browser.title == HOSTILE
    assert page.one("h1").text == HOSTILE
    assert page.one("h2 .formula").text == HOSTILE
    assert browser.get_log("browser") == []
