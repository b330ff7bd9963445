"""Evidence as notebooks show it: a drawing of each case, and the story to unfold."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice
from textwrap import dedent

from knower.report import graph
from knower.report.drawing import Arrow, Box, Line, drawing
from knower.report.page import REPLAYED
from knower.report.piece import badge, folded, framed, left_out, note
from knower.report.story import evidence_lines
from knower.report.view import View
from knower.report.wording import actions_text, assignments, changes, counted, listed, value_text
from knower.verdict.evidence import Evidence
from knower.verdict.trace import GlobalState

#: So many cases are drawn, if they have no more nodes than this; so much of the story is told.
_CASES, _NODES, _STORY, _STORY_WIDTH = 3, 60, 200, 300
#: A box has no more lines than this, and no longer ones; an arrow no more actions.
_LINES, _WIDTH, _ACTIONS, _AGENTS = 10, 42, 3, 4


def evidence_html(evidence: Evidence) -> str:
    """Evidence on its own."""
    return framed(*evidence_parts(evidence))


def evidence_parts(evidence: Evidence) -> Iterator[str]:
    """The same in a larger frame."""
    view = View.of(evidence)
    yield f'<div class="kn-head"><span>{escape(evidence.kind)}</span>{_replay(evidence)}</div>'
    drawn = [_canvas(graph.case_graph(case, view)) for case in evidence.cases[:_CASES]]
    yield from drawn
    yield left_out(len(evidence.cases) - _CASES + evidence.others, "initial state")
    yield folded("the story", _story(evidence), is_open=not any(drawn))


def _replay(evidence: Evidence) -> str:
    status = evidence.replay and evidence.replay.status
    return badge(status, REPLAYED[status]) if status else ""


def _story(evidence: Evidence) -> str:
    lines = list(islice(evidence_lines(evidence), _STORY + 1))
    told = dedent("\n".join(line[:_STORY_WIDTH] for line in lines[:_STORY]))
    more = note("the story goes on") if len(lines) > _STORY else ""
    return f'<pre class="kn-story">{escape(told)}</pre>{more}'


# -- the drawing ------------------------------------------------------------------------------------------


def _canvas(found: graph.Graph) -> str:
    """A case drawn; a table of what to do where is told better than drawn."""
    if not any(edge.kind in (graph.STEP, graph.DOUBT) for edge in found.edges):
        return ""
    if len(found.nodes) > _NODES:
        return note(f"{counted(len(found.nodes), 'state')} to draw: too many, read the story")
    boxes, arrows = _boxes(found), [_arrow(edge) for edge in found.edges]
    return f'<div class="kn-canvas">{drawing(boxes, arrows, "the evidence, drawn")}</div>'


def _boxes(found: graph.Graph) -> list[Box]:
    by_name = {node.name: node for node in found.nodes}
    before = {e.target: by_name[e.source] for e in reversed(found.edges) if e.kind == graph.STEP}
    return [
        Box(
            node.name,
            tuple(_lines(node, before.get(node.name))),
            node.rank,
            node.lane,
            _kind(node),
            _whole(node),
        )
        for node in found.nodes
    ]


def _kind(node: graph.Node) -> str:
    return "initial" if node.initial else node.kind


def _whole(node: graph.Node) -> str:
    return assignments(node.values) or actions_text(node.action)


def _lines(node: graph.Node, before: graph.Node | None) -> Iterator[Line]:
    """A state by what has changed on the way to it, or whole; then what is shown to hold there."""
    if node.text:
        yield Line(node.text, "quiet")
    if node.action:
        yield from (Line(_short(f"{agent} does {act}")) for agent, act in node.action.items())
    alike = before is not None and before.values.keys() == node.values.keys() and not node.initial
    values = _values(changes(before.values, node.values) if alike and before is not None else node.values)
    if alike and not values:
        yield Line("nothing changes", "quiet")
    yield from (Line(_short(text)) for text in values[:_LINES])
    if len(values) > _LINES:
        yield Line(f"… {len(values) - _LINES} more", "quiet")
    yield from (Line(_short(claim), "claim") for claim in node.claims[:2])
    yield from (Line(_short(f"{text}: {holds}"), "quiet") for text, holds in node.follows.items())


def _values(state: GlobalState) -> list[str]:
    pairs = [(f"{agent}.{name}", value) for agent, local in state.items() for name, value in local.items()]
    return [f"{name} = {value_text(value)}" for name, value in pairs]


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def _arrow(edge: graph.Edge) -> Arrow:
    if edge.kind == graph.DOUBT:
        looks = "looks the same to" if len(edge.agents) == 1 else "looks the same to each of"
        return Arrow(
            edge.source,
            edge.target,
            (_short(listed(edge.agents)),),
            "doubt",
            f"{looks} {listed(edge.agents)}",
        )
    texts = [actions_text(action) for action in edge.actions]
    alone = [f"{agent}: {act}" for action in edge.actions for agent, act in action.items()]
    said = alone if len(texts) == 1 and len(alone) <= _AGENTS else texts
    more = (f"or {len(texts) - _ACTIONS} more",) if len(texts) > _ACTIONS else ()
    label = (*map(_short, said if said is alone else said[:_ACTIONS]), *more)
    return Arrow(edge.source, edge.target, label, edge.kind, "\n".join(texts[:40]))
