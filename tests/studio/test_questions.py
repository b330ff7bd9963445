"""Models opened, formulas decided, and evidence looked at, as a page asks for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from knower.model import Model
from knower.simulation.lines import fired_lines
from knower.source import Source
from knower.studio.shapes import Misshapen, require
from knower.studio.typescript import typescript, wire_schema
from knower.studio.wire import CheckOptions
from knower.system.explicit import Explicit
from studio.studios import EXAMPLES, ROOT, Talk

FAULTY = (EXAMPLES / "bit_transmission_faulty.ispl").read_text()


def conforms(call: str, done: object) -> None:
    """The answer is what the schema promises."""
    schema = wire_schema()
    Draft202012Validator({**schema["calls"][call]["done"], "$defs": schema["$defs"]}).validate(done)


def test_the_types_of_the_page_are_those_of_the_server():
    made = typescript(wire_schema())
    assert (ROOT / "studio" / "src" / "wire.ts").read_text() == made, (
        "python -m knower.studio.typescript > studio/src/wire.ts"
    )


def test_the_schema_and_the_judge_of_what_comes_in_agree():
    schema = wire_schema()
    validator = Draft202012Validator({"$ref": "#/$defs/CheckOptions", "$defs": schema["$defs"]})
    for data in ({}, {"engine": "bdd"}, {"finite": True}, {"finite": 1}, {"bound": True}, {"x": 1}, [], None):
        try:
            require(CheckOptions, data)
            fits = True
        except Misshapen:
            fits = False
        assert fits is validator.is_valid(data), data


def test_the_lock_names_no_host_to_fetch_from():
    lock = json.loads((ROOT / "studio" / "package-lock.json").read_text())
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]


def test_a_model_is_opened_and_checked(talk: Talk):
    opened = talk.ask("open", name="faulty.ispl", text=FAULTY, constants={})
    conforms("open", opened)
    facts = opened["facts"]
    assert [agent["name"] for agent in facts["agents"]] == ["Environment", "Sender", "Receiver"]
    assert facts["variables"][0] == {"owner": "Sender", "name": "bit", "seen": ["Sender"]}
    assert facts["formulas"][0]["line"] == 78
    checked = talk.ask("check", model=opened["model"], formulas=None, options={})
    conforms("check", checked)
    words = [answer["verdict"] for answer in checked["answers"]]
    assert words[:5] == ["false", "true", "true", "true", "false"] and checked["states"] == "14"
    assert (checked["deadlock"], checked["overflow"]) == ("none", "none")


def test_errors_have_places_as_javascript_counts(talk: Talk):
    opened = talk.ask(
        "open", name="m.ispl", text="-- 𝒦\n" + FAULTY.replace("boolean;", "bolean;", 1), constants={}
    )
    conforms("open", opened)
    assert opened["facts"] is None
    (problem, *_) = opened["problems"]
    text = "-- 𝒦\n" + FAULTY.replace("boolean;", "bolean;", 1)
    units = text.encode("utf-16-le")
    assert units[2 * problem["start"] : 2 * problem["end"]].decode("utf-16-le") == "bolean"


def test_a_model_the_server_does_not_know_has_to_be_opened(talk: Talk):
    assert talk.fail("look", model="nothing", state=[])["kind"] == "forgotten"
    assert talk.fail("why", run=99, number=1)["kind"] == "forgotten"


def test_a_wrong_question_is_an_error_with_its_place(talk: Talk):
    failed = talk.fail("check", model=talk.open(FAULTY), formulas=["AG nobody"], options={})
    assert failed["kind"] == "input" and "nobody" in failed["problems"][0]["message"]
    failed = talk.fail("check", model=talk.open(FAULTY), formulas=None, options={"engine": "magic"})
    assert "magic" in failed["problems"][0]["message"]


def test_a_check_is_cancelled_and_the_next_one_answered(talk: Talk):
    hard = talk.open(_hard())
    number = talk.send("check", {"model": hard, "formulas": None, "options": {"engine": "explicit"}})
    while not talk.news:
        message = json.loads(talk.socket.recv(60))
        assert "news" in message, message
        talk.news.append(message)
    talk.socket.send(json.dumps({"cancel": number}))
    assert talk.reply(number)["failed"]["kind"] == "stopped"
    easy = talk.open(FAULTY)
    assert (
        talk.ask("check", model=easy, formulas=["EF ack_received"], options={})["answers"][0]["verdict"]
        == "true"
    )


def _hard() -> str:
    """Sixteen million states, to be counted one by one."""
    agent = """Agent C{k}
      Vars: x : 0..4095; end Vars
      Actions = {{go, stay}};
      Protocol: Other : {{go, stay}}; end Protocol
      Evolution: x = x + 1 if Action = go and x < 4095; x = 0 if Action = go and x = 4095; end Evolution
    end Agent"""
    return f"""{agent.format(k=1)} {agent.format(k=2)}
      Evaluation p if C1.x = 4000; end Evaluation
      InitStates C1.x = 0 and C2.x = 0; end InitStates
      Formulae AG !p; end Formulae"""


# -- why ----------------------------------------------------------------------------------------------------


def test_evidence_is_sent_whole(talk: Talk):
    model = talk.open(FAULTY)
    checked = talk.ask("check", model=model, formulas=None, options={})
    why = talk.ask("why", run=checked["run"], number=1)
    conforms("why", why)
    evidence = why["evidence"]
    first = evidence["traces"][0]
    assert len(first["run"]["states"]) == 2 and evidence["replay"] == "ok"
    assert all(
        part["proof"] < len(evidence["proofs"]) for proof in evidence["proofs"] for part in proof["parts"]
    )
    named = [evidence["variables"][place]["name"] for place in why["mentions"]]
    assert named == ["bit", "acked"]
    assert talk.fail("why", run=checked["run"], number=2)["kind"] == "refused"


def test_a_thousand_steps_are_all_there(talk: Talk):
    model = talk.open(counter(1000))
    checked = talk.ask("check", model=model, formulas=["AG !full"], options={"evidence": "all"})
    run = talk.ask("why", run=checked["run"], number=1)["evidence"]["traces"][0]["run"]
    assert len(run["states"]) == 1001 and run["states"][-1] == [1000]


def counter(top: int) -> str:
    return f"""Agent C
      Vars: n : 0..{top}; end Vars
      Actions = {{up}};
      Protocol: Other : {{up}}; end Protocol
      Evolution: n = n + 1 if n < {top}; end Evolution
    end Agent
    Evaluation full if C.n = {top}; end Evaluation
    InitStates C.n = 0; end InitStates
    Formulae AG !full; end Formulae"""


def test_formulas_and_terms_are_watched_without_a_check(talk: Talk):
    model = talk.open(counter(5))
    wanted = ["full", "AF full", "C.n + 1", "C.n = 3", "K(C, full)", "C.m", "nobody", "C.n / 0"]
    columns = talk.ask("watch", model=model, expressions=wanted, states=[[0], [3], [5]])["columns"]
    values = {column["text"]: column["values"] for column in columns}
    assert values["full"] == [False, False, True] and values["AF full"] == [True, True, True]
    assert values["C.n + 1"] == [1, 4, 6] and values["C.n = 3"] == [False, True, False]
    assert values["K(C, full)"] == [False, False, True] and values["C.n / 0"] == [None, None, None]
    assert {column["text"] for column in columns if column["problem"]} == {"C.m", "nobody"}
    assert talk.fail("watch", model=model, expressions=["full"], states=[[9]])["kind"] == "input"


def test_the_lines_that_fired_are_told(talk: Talk):
    step = {
        "model": talk.open(FAULTY),
        "before": ["zero", False, "nothing", False],
        "action": ["pass_to_sender", "send_zero", "acknowledge"],
        "after": ["zero", True, "nothing", True],
    }
    lines = talk.ask("fired", **step)["lines"]
    told = [(line["agent"], line["section"], line["line"]) for line in lines]
    assert ("Sender", "Protocol", 30) in told and ("Sender", "Evolution", 35) in told
    assert ("Receiver", "Evolution", 59) in told and ("Receiver", "Evolution", 60) not in told
    assert talk.fail("fired", **{**step, "action": ["x", "y", "z"]})["kind"] == "input"


@pytest.mark.parametrize("name", ["bit_transmission", "dining_cryptographers", "tian_ji", "train_gate"])
def test_each_step_of_a_model_has_lines_that_make_it(name: str):
    """Where a value changes, some line fired that assigns it."""
    path = EXAMPLES / f"{name}.ispl"
    model = Model.read(Source(str(path), Path(path).read_text()))
    explicit = Explicit(model.interpreted)
    state = next(iter(explicit.initial_states()))
    for _ in range(4):
        joint = next(explicit.joint_actions(state))
        after = next(explicit.successors(state, joint))
        fired = fired_lines(explicit, state, joint, after)
        lines = {
            a.name: {line.number: line for b in a.evolution for line in b.lines}
            for a in model.interpreted.agents
        }
        for variable, old, new in zip(model.interpreted.variables, state, after, strict=True):
            assigned = {
                target
                for each in fired
                if each.agent == variable.owner
                for number in each.evolution
                for target, _ in lines[each.agent][number].assignments
            }
            assert old == new or variable.name in assigned
        state = after


# -- another one --------------------------------------------------------------------------------------------

FORK = """Agent C
  Vars: n : 0..3; end Vars
  Actions = {one, two};
  Protocol: Other : {one, two}; end Protocol
  Evolution: n = n + 1 if Action = one and n < 3; n = n + 2 if Action = two and n < 2; end Evolution
end Agent
Evaluation low if C.n < 3; end Evaluation
InitStates C.n < 2; end InitStates
Formulae AG low; LTL G low; AF !low; end Formulae"""


def paths(why: Any) -> list[list[int]]:
    return [[state[0] for state in trace["run"]["states"]] for trace in why["evidence"]["traces"]]


@pytest.mark.parametrize("number", [1, 2])
def test_another_beginning_and_another_way_on(talk: Talk, number: int):
    done = talk.ask("check", model=talk.open(FORK), formulas=None, options={"evidence": "all"})
    (first, *_) = paths(talk.ask("why", run=done["run"], number=number))
    asked = {"run": done["run"], "number": number}
    found = talk.ask("another", **asked, states=[], avoid=[[first[0]]])
    conforms("another", found)
    (other, *_) = paths(found["why"])
    assert other[0] == 1 - first[0] and found["why"]["formula"] in ("AG low", "LTL G low")
    assert "no other" in talk.fail("another", **asked, states=[], avoid=[[0], [1]])["problems"][0]["message"]
    found = talk.ask("another", **asked, states=[[0]], avoid=[[2]])
    (other, *_) = paths(found["why"])
    assert other[:2] == [0, 1] and 3 in other
    gone = talk.fail("another", **asked, states=[[1]], avoid=[[2], [3]])
    assert "no other" in gone["problems"][0]["message"] or gone["kind"] == "refused"


def test_another_path_only_for_what_is_false(talk: Talk):
    model = talk.open(FORK)
    done = talk.ask("check", model=model, formulas=["EF !low", "EG low"], options={"evidence": "all"})
    assert talk.fail("another", run=done["run"], number=1, states=[], avoid=[])["kind"] == "refused"
