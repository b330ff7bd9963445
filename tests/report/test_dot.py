"""Evidence for Graphviz: what is drawn, and that nothing in it can break the quotes."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace

import pytest

from evidence_by_hand import (
    ARRIVED,
    BIT_NAMES,
    BITS,
    BLOCKED,
    COMMON,
    EVERY_KIND,
    RACE,
    RACE_NAMES,
    REFUSED,
    SEND,
    START,
    TIAN_JI,
    WHOLE_RUN,
    bits,
    evidence,
    race,
    result,
)
from knower.report.dot import evidence_dot, quoted
from knower.verdict.evidence import PathProof, Refusal, Reply, Run, State, Turn


def common(**options) -> list[str]:
    drawn = evidence_dot(
        [result(BITS, 1, "AG (ack_received -> GCK(partners, bit_received))", COMMON)], **options
    )
    return [line.strip() for line in drawn.splitlines()]


def line_of(lines: list[str], start: str) -> str:
    (found,) = [line for line in lines if line.startswith(start)]
    return found


def test_states_show_what_differs_from_the_first_one():
    lines = common()
    assert line_of(lines, "f1_1_s0 [") == (
        r'f1_1_s0 [label="s0\lEnvironment.line = blocked\lSender.bit = zero\lSender.acked = false\l'
        r'Receiver.received = nothing\l", tooltip="Environment.line = blocked\lSender.bit = zero\l'
        r"Sender.acked = false\lReceiver.received = nothing\l"
        r'EF (ack_received and MGCK(partners, !bit_received))\l!bit_received\l", peripheries="2"];'
    )
    assert line_of(lines, "f1_1_s1 [") == (
        r'f1_1_s1 [label="s1\lEnvironment.line = both\lReceiver.received = zero\l", '
        r'tooltip="Environment.line = both\lSender.bit = zero\lSender.acked = false\l'
        r'Receiver.received = zero\l"];'
    )


def test_steps_are_solid_and_doubts_dashed_in_the_colour_of_the_agent():
    lines = common()
    assert line_of(lines, "f1_1_s0 -> f1_1_s1 [") == (
        r'f1_1_s0 -> f1_1_s1 [label="Environment: pass_both\lSender: send_zero\lReceiver: listen\l"];'
    )
    assert line_of(lines, "f1_1_s2 -> f1_1_s1 [") == (
        'f1_1_s2 -> f1_1_s1 [label="Receiver", color="#009e73", fontcolor="#009e73", '
        'style="dashed", dir="none", constraint="false"];'
    )


def test_the_title_of_a_cluster():
    assert common()[5] == (
        r'label="1. AG (ack_received -> GCK(partners, bit_received))\lfalse: counterexample\l";'
    )


def test_loops_are_closed():
    drawn = evidence_dot([result(BITS, 2, "AF bit_received", BLOCKED)])
    assert "f2_1_s0 -> f2_1_s0 [" in drawn
    run = Run((START, ARRIVED), (SEND, SEND), loop=1)
    later = evidence("witness", BIT_NAMES, PathProof(START, bits("EG !ack_received"), run))
    assert "f2_1_s1 -> f2_1_s1 [" in evidence_dot([result(BITS, 2, "AF bit_received", later)])


def test_a_strategy_leads_from_states_to_actions():
    drawn = evidence_dot([result(RACE, 1, "<TianJi> F tian_ji_wins", TIAN_JI, verdict=True)])
    for number, horse in enumerate(("slow", "fast", "middling")):
        assert f'f1_1_d{number} [label="TianJi: run_{horse}", ' in drawn
        assert f"f1_1_s{number} -> f1_1_d{number} [" in drawn


def test_a_refusal_leads_from_turn_to_turn():
    drawn = evidence_dot([result(RACE, 1, "<TianJi> X tian_ji_leads", REFUSED)])
    for number, horse in enumerate(("fast", "middling", "slow"), start=1):
        label = rf'"King: run_fast\lTianJi: run_{horse}\l"'
        assert f"f1_1_s0 -> f1_1_s{number} [label={label}];" in drawn


def test_many_actions_between_two_states_are_one_edge():
    replies = tuple(Reply((None, None, f"a{n}"), (None, "k", f"a{n}"), 1) for n in range(6))
    start, end = (0, 1, True, True, True), (1, 1, True, True, True)
    turns = (Turn(start, replies), Turn(end, over=True))
    found = evidence(
        "counterexample", RACE_NAMES, Refusal(start, race("!<TianJi> F over"), ("TianJi",), turns)
    )
    drawn = evidence_dot([result(RACE, 1, "<TianJi> F over", found)])
    assert drawn.count("f1_1_s0 -> f1_1_s1") == 1
    assert r"TianJi: a3\lor 2 more\l" in drawn


def test_only_some_agents():
    lines = common(show=("Sender",))
    assert line_of(lines, "f1_1_s1 [").startswith(r'f1_1_s1 [label="s1", tooltip="Sender.bit = zero\l')
    assert line_of(lines, "f1_1_s0 -> f1_1_s1 [") == 'f1_1_s0 -> f1_1_s1 [label="Sender: send_zero"];'


def test_long_paths_are_folded():
    states: tuple[State, ...] = tuple((place, 4, False, False, False) for place in range(1000))
    way = PathProof(states[0], race("EF over"), Run(states, ((None, "go_home", "go_home"),) * 999, end=999))
    results = [result(RACE, 1, "EF over", evidence("witness", RACE_NAMES, way))]
    drawn = evidence_dot(results)
    assert drawn.count(" [label=") - drawn.count(" -> ") == 61
    assert '[label="… 941 steps …"' in drawn
    whole = evidence_dot(results, whole=True)
    assert whole.count(" [label=") - whole.count(" -> ") == 1000


def test_results_without_evidence_are_left_out():
    assert "f3" not in evidence_dot(WHOLE_RUN)
    assert evidence_dot([]).endswith("\n}\n")


def test_quotes():
    assert quoted(r'a"b\c') == r'"a\"b\\c"'
    assert quoted("a\nb") == r'"a\lb\l"'
    assert quoted("&lt;") == '"&amp;lt;"'


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_it():
    nasty = replace(result(BITS, 7, "AF bit_received", COMMON), text='a "quoted" \\N & &lt;b&gt; <i>text</i>')
    every = result(BITS, 8, "AF bit_received", evidence("witness", BIT_NAMES, *EVERY_KIND))
    drawn = evidence_dot([*WHOLE_RUN, nasty, every])
    made = subprocess.run(
        ["dot", "-Tjson"], input=drawn, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert not made.stderr
    labels = [
        text["text"]
        for item in json.loads(made.stdout)["objects"]
        for text in item.get("_ldraw_", ())
        if text["op"] == "T"
    ]
    assert '7. a "quoted" \\N & &lt;b&gt; <i>text</i>' in labels
    svg = subprocess.run(
        ["dot", "-Tsvg"], input=drawn, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert "7. a &quot;quoted&quot; \\N &amp; &amp;lt;b&amp;gt; &lt;i&gt;text&lt;/i&gt;" in svg.stdout
