"""The simulator: where one can go, why not elsewhere, and who knows what."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver.common.keys import Keys

from studio.studios import EXAMPLES, Page, Studio, Talk
from studio.test_browser import opened
from studio.test_questions import FAULTY, conforms

START = ["zero", False, "nothing", False]


def test_moves_and_their_successors(talk: Talk):
    model = talk.open(FAULTY)
    begun = talk.ask("begin", model=model, where="")
    conforms("begin", begun)
    assert START in begun["states"] and begun["count"] == "2"
    assert talk.ask("begin", model=model, where="Sender.bit = zero")["states"] == [START]
    here = talk.ask("look", model=model, state=START)
    conforms("look", here)
    assert here["initial"] and here["propositions"] == ["bit_is_zero"] and here["ways"] == "8"
    sender = here["choices"][1]
    assert (sender["enabled"], sender["disabled"]) == (["send_zero"], ["send_one", "rest"])
    some = talk.ask(
        "moves", model=model, state=START, only={"Environment": "pass_both", "Receiver": "listen"}
    )
    assert [move["states"] for move in some["moves"]] == [[["zero", False, "zero", False]]]
    assert talk.fail("moves", model=model, state=START, only={"Sender": "rest"})["kind"] == "input"


def test_a_random_walk_is_a_path_of_the_model(talk: Talk):
    model = talk.open(FAULTY)
    run = talk.ask("walk", model=model, state=START, steps=5, seed=3)["run"]
    assert len(run["states"]) == 6 and run["states"][0] == START
    for before, action, after in zip(run["states"], run["actions"], run["states"][1:], strict=False):
        moves = talk.ask("look", model=model, state=before)["moves"]
        assert after in next(move["states"] for move in moves if move["action"] == action)
    again = talk.ask("walk", model=model, state=START, steps=5, seed=3)
    assert again["run"] == run


def test_why_not_names_the_conjunct_that_fails(talk: Talk):
    model = talk.open(FAULTY)
    asked = {"model": model, "state": START, "agent": "Sender", "wanted": "send_one", "action": None}
    (line,) = talk.ask("whynot", **asked)["lines"]
    assert line["line"]["line"] == 31 and not line["holds"]
    assert line["conjuncts"] == [
        {"text": "acked = false", "holds": True},
        {"text": "bit = one", "holds": False},
    ]
    action = ["block", "send_zero", "listen"]
    lines = talk.ask("whynot", **{**asked, "agent": "Receiver", "wanted": None, "action": action})["lines"]
    assert [line["holds"] for line in lines] == [False, False, False, False]
    assert [part["holds"] for part in lines[0]["conjuncts"]] == [True, True, False]


def test_what_agents_consider_possible_and_know(talk: Talk):
    model = talk.open(FAULTY)
    seen = talk.ask("possible", model=model, state=START, agents=["Receiver"])
    assert seen["count"] == str(len(seen["states"])) and all(
        s[2:] == ["nothing", False] for s in seen["states"]
    )
    (bit, nobody) = talk.ask("known", model=model, state=START, formulas=["bit_is_zero", "nobody"])["known"]
    assert bit["holds"] is True
    assert bit["stances"] == {
        "Environment": "does not know", "Sender": "knows it", "Receiver": "does not know",
    }  # fmt: skip
    assert nobody["problem"]


def test_a_walk_in_the_browser(page: Page, models: Path, studio: Studio):
    opened(page, studio, "bit_transmission_faulty.ispl")
    page.press("Explore", ".tab")
    page.wait_text(".state-card", "Sender")
    page.press("why not send_one")
    page.wait_text(".why-not .fails", "bit = one")
    assert page.complaints() == []
    page.press("Close")
    page.click(".goal")
    page.wait_text(".explore .stepper", "step 1 of 1")
    page.press("Receiver", '[aria-label="whose view"] button')
    page.wait_text(".worlds", "considers")
    page.one('[aria-label="Who knows what"] input').send_keys("bit_received", Keys.ENTER)
    page.wait_text(".stances", "does not know")
    page.one('.explore .find input[placeholder="a formula"]').send_keys("ack_received", Keys.ENTER)
    page.wait_text(".props", "ack_received")
    page.press("20 steps")
    page.wait(lambda: len(page.all(".path-list li")) > 20)
    assert page.complaints() == []


def test_examples_can_be_walked(talk: Talk):
    for path in sorted(EXAMPLES.glob("*.ispl")):
        model = talk.open(path.read_text(), path.name)
        run = talk.ask("walk", model=model, state=None, steps=3, seed=1)["run"]
        assert talk.ask("look", model=model, state=run["states"][-1])["choices"]


IDLE = """Agent C
  Vars: n : 0..3; end Vars
  Actions = {up, down, jump};
  Protocol: n < 3 : {up}; n = 3 : {down}; n > 3 : {jump}; end Protocol
  Evolution: n = n + 1 if Action = up; n = 0 if Action = jump; end Evolution
end Agent
Evaluation p if C.n = 3; end Evaluation
InitStates C.n = 0; end InitStates
Formulae AG p; end Formulae"""


def test_lines_and_actions_that_never_fire(talk: Talk):
    found = talk.ask("coverage", model=talk.open(IDLE))
    conforms("coverage", found)
    assert found["complete"] and found["states"] == 4
    assert found["actions"] == [{"agent": "C", "action": "jump"}]
    assert [(line["section"], line["text"]) for line in found["lines"]] == [
        ("Protocol", "n > 3 : {jump};"),
        ("Evolution", "n = 0 if Action = jump;"),
    ]
