"""What notebooks show: well-formed, escaped, cut, without scripts and without anything from outside."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import knower
from knower.report.drawing import Arrow, Box, Line, drawing
from knower.report.layers import centres, ordered
from knower.report.notebook import system_html
from knower.report.notebook_walk import walk_html
from knower.verdict.graph import Edge, Node, StateGraph
from knower.verdict.trace import Path

EVIL = '<img src=x onerror="alert(1)">&\'"'
VOID = {"br", "img", "input"}


class Tags(HTMLParser):
    """The tags of a piece; that they are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.classes: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.classes |= set((dict(attrs).get("class") or "").split())
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs), (tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def piece(html: str) -> Tags:
    """A piece that is safe to show."""
    tags = Tags()
    tags.feed(html)
    assert not tags.open
    assert "script" not in tags.seen
    assert "img" not in tags.seen
    assert all(name == "knower" or name.startswith("kn-") for name in tags.classes)
    assert not re.search(r"url\(|@import|https?:(?!//www\.w3\.org/2000/svg)", html)
    return tags


@pytest.fixture(scope="module")
def system():
    return knower.load("examples/bit_transmission.ispl")


@pytest.fixture(scope="module")
def result(system):
    return system.check("AG !bit_received", "EF ack_received", "AG (bit_received -> K(Sender, bit_received))")


def test_a_model(system):
    html = system_html(system.info)
    piece(html)
    for name in ("Environment", "send_zero", "bit_is_zero", "AG EF ack_received", "48 combinations"):
        assert name in html


def test_a_huge_model(system):
    html = system_html(replace(system.info, potential_states=2**20_000))
    piece(html)
    assert "about 10^6021 combinations" in html


def test_a_result(result):
    html = result._repr_html_()
    piece(html)
    assert html.count("kn-badge kn-false") == 2
    assert html.count("kn-badge kn-true") == 1
    assert html.count("<svg") == 3


def test_light_and_dark(result):
    html = result._repr_html_()
    assert "prefers-color-scheme: dark" in html
    assert '[data-jp-theme-light="false"] .knower' in html
    assert "--jp-content-font-color1" in html


def test_a_formula_and_its_evidence(result):
    for each in result:
        assert "<svg" in piece_of(each)
        assert "the story" in piece_of(each.evidence)
    assert "Sender" in piece_of(result[2].evidence)
    assert "kn-doubt" in piece_of(result[2].evidence)


def piece_of(value) -> str:
    html = value._repr_html_()
    piece(html)
    return html


def test_a_strategy_is_told():
    game = knower.load("examples/card_game.ispl")
    html = piece_of(game.check("<Player>F player_wins", evidence="all")[0])
    assert "<details open>" in html
    assert "Player does" in html


def test_a_walk(system):
    walk = system.simulate()
    assert "before the start" in piece_of(walk)
    html = piece_of(walk.begin(1).step({"Environment": "pass_both"}))
    assert "after 1 step · 4 joint actions enabled" in html
    assert len(re.findall(r'<td class="[^"]*kn-changed', html)) == 2
    assert "Sender: send_zero" in html


def test_a_long_walk_is_cut(system):
    html = piece_of(system.simulate().random(500, seed=1))
    assert "… 441 steps …" in html
    assert len(html) < 60_000


def test_a_walk_through_many_variables():
    states = [{"A": {f"x{k}": 0 for k in range(200)}} for _ in range(3)]
    states[2]["A"]["x7"] = 1
    html = walk_html(Path(tuple(states), ({}, {})))
    piece(html)
    assert "x7" in html and "x8" not in html
    assert "199 more variables, not shown" in html


# -- graphs -------------------------------------------------------------------------------------------


def test_a_graph_is_drawn(system):
    graph = system.graph()
    html = piece_of(graph)
    assert html.count('class="kn-box') == 18
    root = ElementTree.fromstring(graph._repr_svg_())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "<style>" in graph._repr_svg_()
    assert graph.to_dict()["knowledge"]["Receiver"]


def ring(count: int) -> StateGraph:
    nodes = tuple(Node(k, {"A": {"x": k}}, k == 0, ()) for k in range(count))
    edges = tuple(Edge(k, (k + 1) % count, {"A": "go"}) for k in range(count))
    return StateGraph("ring", nodes, edges, {"A": tuple((k,) for k in range(count))})


def test_a_large_graph_is_told():
    assert ring(100)._repr_svg_()
    graph = ring(1000)
    html = piece_of(graph)
    assert graph._repr_svg_() is None
    assert "980 more states, not shown" in html
    assert len(html) < 20_000


def test_an_empty_graph():
    assert piece_of(StateGraph("none", (), (), {}))


def test_rows_do_not_overlap():
    pairs = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "e"), ("d", "e"), ("e", "a")]
    ranks = {"a": 0, "b": 1, "c": 1, "d": 1, "e": 2}
    widths = dict.fromkeys(ranks, 100.0) | {"c": 300.0}
    rows = ordered(ranks, pairs)
    assert [sorted(row) for row in rows] == [["a"], ["b", "c", "d"], ["e"]]
    at = centres(rows, widths, pairs)
    row = sorted(rows[1], key=at.__getitem__)
    assert row == rows[1]
    for one, other in pairwise(row):
        assert at[one] + widths[one] / 2 < at[other] - widths[other] / 2


def test_fewer_arrows_cross():
    above, below = ordered({"a": 0, "b": 0, "x": 1, "y": 1}, [("a", "y"), ("b", "x")])
    assert (above.index("a") < above.index("b")) == (below.index("y") < below.index("x"))


def test_all_kinds_of_arrows_stay_inside_the_drawing():
    boxes = [Box(f"b{k}", (Line("text"),), k // 2, k % 2) for k in range(6)]
    arrows = [
        Arrow("b0", "b0"),
        Arrow("b0", "b2", ("go",)),
        Arrow("b4", "b0"),
        Arrow("b2", "b3"),
        Arrow("b2", "b0"),
    ]
    arrows += [Arrow("b5", "b1", ("A",), "doubt"), Arrow("b0", "b5")]
    svg = ElementTree.fromstring(drawing(boxes, arrows, "all"))
    left, top, width, height = map(float, svg.attrib["viewBox"].split())
    for path in svg.iter("{http://www.w3.org/2000/svg}path"):
        numbers = list(map(float, re.findall(r"-?\d+\.\d", path.attrib["d"])))
        assert all(left <= x <= left + width for x in numbers[::2])
        assert all(top <= y <= top + height for y in numbers[1::2])


# -- nothing gets out ---------------------------------------------------------------------------------


def test_everything_is_escaped(system, result):
    info = replace(
        system.info, name=EVIL, propositions=(EVIL,), groups={EVIL: (EVIL,)}, formulas=((EVIL, EVIL),)
    )
    piece(system_html(replace(info, agents=(replace(info.agents[0], name=EVIL, actions=(EVIL,)),))))
    piece_of(replace(result, model=EVIL, formulas=(replace(result[0], text=EVIL, logic=EVIL),)))
    vocabulary = replace(result[0].evidence.vocabulary, agents=("Environment", "Sender", EVIL))
    variables = tuple((EVIL if a == "Receiver" else a, EVIL) for a, _ in vocabulary.variables)
    piece_of(replace(result[0].evidence, vocabulary=replace(vocabulary, variables=variables)))
    node = Node(0, {EVIL: {EVIL: EVIL}}, True, (EVIL,))
    graph = StateGraph(EVIL, (node, replace(node, number=1)), (Edge(0, 1, {EVIL: EVIL}),), {EVIL: ((0, 1),)})
    piece_of(graph)
    ElementTree.fromstring(graph._repr_svg_())
    piece(walk_html(Path(({EVIL: {EVIL: EVIL}},) * 2, ({EVIL: EVIL},)), (EVIL,), 1))


def test_control_characters_are_not_xml():
    ElementTree.fromstring(drawing([Box("a", (Line("\0\x1b[31m"),), 0, title="\x07")], [], "\x00"))


def test_long_things_are_cut(result):
    long = replace(result[0], text="p and " * 100_000, evidence=None)
    html = piece_of(replace(result, formulas=(long,) * 500))
    assert "400 more formulas, not shown" in html
    assert len(html) < 500_000
