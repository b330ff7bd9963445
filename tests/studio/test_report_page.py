"""The page that `knower check --html` writes where the components of the workbench were built."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from evidence_by_hand import WHOLE_RUN
from knower.report.why_page import why_page
from report.test_page import EVERYTHING, HOSTILE, long_run
from studio.studios import Page, need_page


def written(path: Path, text: str | None) -> str:
    assert text is not None
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


def test_every_kind_of_evidence_is_shown_without_network(page: Page, tmp_path: Path):
    need_page()
    text = why_page(EVERYTHING, title="Everything")
    assert text is not None and set(re.findall(r"(?:src|href)=\"\w+:", text)) == set()
    page.open(written(tmp_path / "page.html", text))
    proved = [formula for formula in EVERYTHING if formula.evidence is not None]
    page.wait(lambda: len(page.all(".report-section")) == len(proved), "all sections")
    page.wait_text(".trace-head", "Sender")
    assert page.complaints() == []


def test_a_thousand_states_are_all_there(page: Page, tmp_path: Path):
    need_page()
    page.open(written(tmp_path / "page.html", why_page(long_run(), title="Long")))
    page.wait_text(".stepper output", "of 999")
    assert len(page.all(".trace-row")) < 80


def test_hostile_names_do_nothing(page: Page, tmp_path: Path):
    need_page()
    hostile = replace(WHOLE_RUN.formulas[0], text=HOSTILE)
    run = replace(WHOLE_RUN, model=HOSTILE, formulas=(hostile,))
    page.open(written(tmp_path / "page.html", why_page(run, title=HOSTILE)))
    page.wait_text("h1", "document.title='owned'")
    assert page.browser.title == HOSTILE
