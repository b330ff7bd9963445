"""Pictures: reachable states, worlds that disappear, and strategies with all that can come of them."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from knower.families import generate
from simulation.test_announcing import children, knows
from studio.studios import EXAMPLES, Page, Studio, Talk
from studio.test_browser import checked, opened
from studio.test_questions import FAULTY, conforms

TIAN_JI = (EXAMPLES / "tian_ji.ispl").read_text()


def test_all_reachable_states_or_the_nearest(talk: Talk):
    model = talk.open(FAULTY)
    found = talk.ask("graph", model=model, most=300, around=None)
    conforms("graph", found)
    assert len(found["states"]) == 14 and found["complete"] and sum(found["initial"]) == 2
    part = talk.ask("graph", model=model, most=5, around=found["states"][0])
    assert len(part["states"]) == 5 and not part["complete"] and part["states"][0] == found["states"][0]


def test_announcements_leave_worlds_as_the_children_reason(talk: Talk):
    model = talk.open(children())
    states = talk.ask("graph", model=model, most=300, around=None)["states"]
    nobody = " and ".join(f"!{knows(child)}" for child in range(4))
    said = talk.ask("announce", model=model, states=states, said=["some", nobody, nobody, nobody], asked="")
    conforms("announce", said)
    assert said["counts"] == [15, 11, 5, 1]
    asked = {"model": model, "states": states, "said": ["some"], "asked": "K(C0, muddy0)"}
    assert [states[place][:4] for place in talk.ask("announce", **asked)["holds"]] == [
        [True, False, False, False]
    ]
    assert talk.fail("announce", **{**asked, "said": ["AG some"]})["kind"] == "input"


def test_a_strategy_is_drawn_with_all_its_successors(talk: Talk):
    model = talk.open(TIAN_JI)
    done = talk.ask("check", model=model, formulas=["<TianJi> F tian_ji_wins"], options={"evidence": "all"})
    play = talk.ask("play", run=done["run"], number=1)
    conforms("play", play)
    sources = {edge["source"] for edge in play["edges"]}
    assert 0 in sources and any(edge["count"] for edge in play["edges"])
    by_source = {place: [e for e in play["edges"] if e["source"] == place] for place in sources}
    seat = 1  # TianJi does one thing in each state, whatever the others do
    for edges in by_source.values():
        assert len({action[seat] for edge in edges for action in edge["actions"]}) == 1
    done = talk.ask("check", model=model, formulas=["EF tian_ji_wins"], options={})
    assert talk.fail("play", run=done["run"], number=1)["kind"] == "refused"


def test_worlds_disappear_in_the_browser(page: Page, models, studio: Studio):
    (models / "children.ispl").write_text(children())
    opened(page, studio, "children.ispl")
    page.press("Pictures", ".tab")
    page.wait(lambda: len(page.all(".node")) == 16, "sixteen worlds")
    assert not page.all(".doubt")
    page.click(".pictures fieldset label:nth-of-type(2) input")
    page.wait(lambda: len(page.all(".doubt")) == 8, "what one child confuses")
    page.one('input[placeholder="a formula without time"]').send_keys("some", Keys.ENTER)
    page.wait(lambda: len(page.all(".node")) == 15, "one world is gone")
    page.wait_text(".chip", "15 worlds left")
    page.one('.saying input[placeholder="a formula"]').send_keys("K(C0, muddy0)", Keys.ENTER)
    page.wait(lambda: len(page.all(".node.holds")) == 1, "who knows")
    assert page.complaints() == []
    page.press("Take back")
    page.wait(lambda: len(page.all(".node")) == 16)


def test_a_play_graph_in_the_browser(page: Page, studio: Studio):
    opened(page, studio, "tian_ji.ispl")
    checked(page)
    page.press("Pictures", ".tab")
    page.press("Strategy")
    page.wait(lambda: page.all(".node") and page.all(".edge"), "the play")
    page.wait_text(".decision-table", "run_slow")
    assert len(page.all(".decision-table tbody tr")) == 2  # for three cases
    assert page.complaints() == []


def test_many_states_are_drawn_by_forces(page: Page, models, studio: Studio):
    (models / "many.ispl").write_text(generate("counter", n=254))
    opened(page, studio, "many.ispl")
    page.press("Pictures", ".tab")
    page.wait(lambda: len(page.all(".node")) > 200, "all states")
