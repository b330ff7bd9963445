"""How fast Knower Studio is in a browser: from a key to the mark in the text, frames, pictures.

    python benchmarks/studio.py [--keys 20]

Needs the built page, Chromium and its driver. What is told is measured inside the page, by its own clock:
the time from a key that makes a text wrong to the mark below it, the longest frames while a table of 10,000
states of 60 variables is scrolled, and the time from the click to the first picture of 300 states and 1,200
steps.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from editing import model
from selenium.webdriver.common.keys import Keys

from studio.studios import EXAMPLES, Page, Studio, chromium, studio_of
from studio.test_browser import checked, opened

_TO_MARK = """
  window.marked = [];
  const content = document.querySelector(".model-pane .cm-content");
  let since = null;
  content.addEventListener("keydown", () => { since = performance.now(); }, true);
  let before = 0;
  new MutationObserver(() => {
    const now = content.querySelectorAll(".cm-lintRange-error").length;
    if (since !== null && now > before) { window.marked.push(performance.now() - since); since = null; }
    before = now;
  }).observe(content, { childList: true, subtree: true });
  content.focus();
"""
_SCROLL = """
  const done = arguments[0], table = document.querySelector(".trace-table"), frames = [];
  let last = performance.now(), count = 0;
  const step = (now) => {
    frames.push(now - last); last = now;
    table.scrollTop = (table.scrollHeight * ((count * 37) % 200)) / 200;
    if (++count < 200) requestAnimationFrame(step); else done(frames.slice(2));
  };
  requestAnimationFrame(step);
"""
_PICTURE = """
  const done = arguments[0], since = performance.now();
  new MutationObserver((_, self) => {
    if (document.querySelectorAll(".node").length < 300) return;
    self.disconnect();
    done(performance.now() - since);
  }).observe(document.body, { childList: true, subtree: true });
  [...document.querySelectorAll(".tab")].find((each) => each.innerText === "Pictures").click();
"""


def long_table() -> str:
    """Ten thousand states in a row, of sixty variables."""
    more = " ".join(f"v{k} : 0..3;" for k in range(59))
    frozen = " and ".join(f"C.v{k} = {k % 4}" for k in range(59))
    return f"""Agent C
      Vars: n : 0..9999; {more} end Vars
      Actions = {{up}};
      Protocol: Other : {{up}}; end Protocol
      Evolution: n = n + 1 if n < 9999; end Evolution
    end Agent
    Evaluation full if C.n = 9999; end Evaluation
    InitStates C.n = 0 and {frozen}; end InitStates
    Formulae AG !full; end Formulae"""


def tangle() -> str:
    """Three hundred states, four steps from each."""
    lines = "\n".join(
        f"x = {(x * (2 * k + 3) + 7 * k + 1) % 300} if x = {x} and Action = a{k};"
        for x in range(300)
        for k in range(4)
    )
    return f"""Agent A
      Vars: x : 0..299; end Vars
      Actions = {{a0, a1, a2, a3}};
      Protocol: Other : {{a0, a1, a2, a3}}; end Protocol
      Evolution: {lines} end Evolution
    end Agent
    Evaluation p if A.x = 0; end Evaluation
    InitStates A.x = 0 or A.x > 0; end InitStates
    Formulae AG p; end Formulae"""


def told(name: str, values: list[float]) -> None:
    ordered = sorted(values)
    most = ordered[-1]
    late = ordered[int(len(ordered) * 0.95)]
    median = statistics.median(ordered)
    print(f"{name:<46} median {median:7.1f}  95 % {late:7.1f}  most {most:7.1f} ms", flush=True)


def key_to_mark(page: Page, studio: Studio, path: str, keys: int) -> list[float]:
    opened(page, studio, path)
    page.run(_TO_MARK)
    for _ in range(keys):
        page.keys("§")
        page.wait(lambda: page.all(".model-pane .cm-lintRange-error"), "the mark")
        page.keys(Keys.BACKSPACE)
        page.wait(lambda: not page.all(".model-pane .cm-lintRange-error"), "no mark")
    return list(page.run("return window.marked"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--keys", type=int, default=20)
    keys = parser.parse_args().keys
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "models")
        folder.mkdir()
        small = (EXAMPLES / "bit_transmission.ispl").read_text()
        texts = {"small": small, "large": model(40, 45), "long": long_table(), "tangle": tangle()}
        for name, text in texts.items():
            (folder / f"{name}.ispl").write_text(text)
        browser = chromium()
        try:
            with studio_of(folder, Path(place)) as studio:
                measure(Page(browser), studio, keys)
        finally:
            browser.quit()


def measure(page: Page, studio: Studio, keys: int) -> None:
    page.size(1280)
    told("key to mark, 100 lines", key_to_mark(page, studio, "small.ispl", keys))
    told("key to mark, 2,000 lines", key_to_mark(page, studio, "large.ispl", keys))
    opened(page, studio, "tangle.ispl")
    told("picture of 300 states, 1,200 steps", [page.browser.execute_async_script(_PICTURE)])
    opened(page, studio, "long.ispl")
    page.press("Questions", ".tab")
    checked(page)
    page.click(".why-button:not(:disabled)")
    page.wait_text(".stepper output", "of 9999")
    told("frames of a table of 10,000 × 60", page.browser.execute_async_script(_SCROLL))
    print(f"rows in the page: {len(page.all('.trace-row'))}")


if __name__ == "__main__":
    main()
