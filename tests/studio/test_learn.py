"""Families made to measure, and the tours."""

from __future__ import annotations

from studio.studios import Page, Studio, Talk
from studio.test_browser import opened
from studio.test_questions import conforms


def test_families_are_made_to_measure(talk: Talk):
    found = talk.ask("families")
    conforms("families", found)
    assert {"muddy-children", "bit-transmission"} <= {one["name"] for one in found["families"]}
    made = talk.ask("generate", name="muddy-children", values={"n": 4})
    assert "Agent Child4" in made["text"]
    assert talk.fail("generate", name="muddy-children", values={"n": -1})["kind"] == "input"
    assert talk.fail("generate", name="nobody", values={})["kind"] == "input"


def test_the_tour_of_the_muddy_children(page: Page, studio: Studio):
    opened(page, studio, "counter.ispl")
    page.press("Learn", ".tab")
    page.wait(lambda: len(page.all(".gallery .card")) > 10, "the gallery")
    assert page.complaints() == []
    page.press("begin the tour The muddy children")
    page.wait_text(".tour", "foreheads")
    page.press("Next")
    page.wait_text(".facts", "reachable states")
    page.press("Next")
    page.wait_text(".state-card", "Child1")
    page.press("Next")
    page.wait(lambda: page.all(".node") and page.all(".doubt"), "worlds and doubts")
    assert page.complaints() == []
    page.press("Done")
    page.wait(lambda: not page.all(".tour"))
