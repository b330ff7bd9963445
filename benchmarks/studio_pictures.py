"""The pictures of Knower Studio in its manual: light and dark, wide and narrow.

    python benchmarks/studio_pictures.py [FOLDER]

Needs the built page, Chromium and its driver. The pictures have few colours, so that they are small.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from PIL import Image
from selenium.webdriver.common.keys import Keys

from studio.studios import EXAMPLES, ROOT, Page, Studio, chromium, studio_of
from studio.test_browser import checked, opened

#: More are not seen in texts and boxes.
_COLOURS = 96


def questions(page: Page, studio: Studio) -> None:
    opened(page, studio, "bit_transmission_faulty.ispl")
    checked(page)


def why(page: Page, studio: Studio) -> None:
    questions(page, studio)
    page.click(".why-button:not(:disabled)")
    page.wait_text(".fired", "line")


def experiments(page: Page, studio: Studio) -> None:
    opened(page, studio, "parametrised/muddy_children.ispl")
    field = page.one(".experiments form input")
    field.send_keys("2..5", Keys.ENTER)
    page.wait(lambda: len(page.all(".experiments tbody tr")) == 4, "all runs")
    page.run("document.querySelector('.experiments').scrollIntoView()")


def explore(page: Page, studio: Studio) -> None:
    opened(page, studio, "bit_transmission_faulty.ispl")
    page.press("Explore", ".tab")
    page.one('.card input[list="propositions"]').send_keys("bit_received", Keys.ENTER)
    page.click(".goal")
    page.press("Sender", ".segments button")
    page.wait_text(".worlds", "considers")
    page.wait_text(".stances", "know")


def worlds(page: Page, studio: Studio) -> None:
    opened(page, studio, "bit_transmission_faulty.ispl")
    page.press("Pictures", ".tab")
    page.wait(lambda: page.all(".node"), "the worlds")
    page.click(".pictures fieldset label:nth-of-type(2) input")
    page.wait(lambda: page.all(".doubt"), "the doubts")


def strategy(page: Page, studio: Studio) -> None:
    opened(page, studio, "tian_ji.ispl")
    checked(page)
    page.press("Pictures", ".tab")
    page.press("Strategy")
    page.wait(lambda: page.all(".node"), "the play")
    page.press("Reachable states")
    page.press("Strategy")
    page.wait(lambda: page.all(".node") and page.all(".decisions"), "the play")


PICTURES: dict[str, tuple[Callable[[Page, Studio], None], int, bool]] = {
    "questions": (questions, 1280, False),
    "why": (why, 1280, True),
    "experiments": (experiments, 1280, False),
    "explore": (explore, 1280, False),
    "worlds": (worlds, 1280, True),
    "strategy": (strategy, 1280, False),
    "questions-narrow": (questions, 390, False),
    "why-narrow": (why, 390, True),
}


def main() -> None:
    goal = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "studio"
    goal.mkdir(exist_ok=True)
    browser = chromium()
    try:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place, "models")
            shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("*.ipynb", "*.py", "__pycache__"))
            with studio_of(folder, Path(place)) as studio:
                for name, (show, width, dark) in PICTURES.items():
                    page = Page(browser)
                    page.size(width, dark, height=760)
                    show(page, studio)
                    page.picture(goal / f"{name}.png")
                    shrink(goal / f"{name}.png")
    finally:
        browser.quit()


def shrink(path: Path) -> None:
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(_COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    main()
