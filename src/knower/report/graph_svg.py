"""The graph of a model as a drawing of its own, or as a table where nobody could read one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from textwrap import wrap

from knower.report.drawing import Arrow, Box, Line, drawing, text_width
from knower.report.layers import centres, ordered
from knower.report.piece import DARK, LIGHT, framed, header, left_out, listed, mono, muted, note, style, table
from knower.report.wording import actions_text, assignments, counted, value_text
from knower.verdict.graph import Node, StateGraph

#: More states are not drawn, nor more arrows; a table shows so many.
_STATES, _ARROWS, _ROWS = 100, 600, 20
#: Arrows have labels where there are no more than this; boxes so many lines.
_LABELLED, _LINES, _WIDTH = 12, 6, 30


def graph_html(graph: StateGraph) -> str:
    """The graph for a notebook: drawn, if it is not too large for that."""
    size = f"{counted(len(graph.nodes), 'state')}, {counted(len(graph.edges), 'step')}"
    drawn = _drawn(graph)
    body = _summary(graph) if drawn is None else f'<div class="kn-canvas">{drawn}</div>'
    hint = "" if drawn is None else note("Point at a state or an arrow to see all of it.")
    return framed(header(graph.model or "states", muted(size)), body, hint)


def graph_svg(graph: StateGraph) -> str | None:
    """The drawing on its own, with its style; None if there is too much to draw."""
    drawn = _drawn(graph)
    if drawn is None:
        return None
    light = f".kn-drawing {{ {LIGHT} background: var(--kn-sunken); }}"
    dark = f"@media (prefers-color-scheme: dark) {{ .kn-drawing {{ {DARK} }} }}"
    head, rest = drawn.split(">", 1)
    return f"{head}><style>{light}{dark}{style('drawing.css')}</style>{rest}"


def _drawn(graph: StateGraph) -> str | None:
    if len(graph.nodes) > _STATES:
        return None
    steps = _steps(graph)
    if len(steps) > _ARROWS:
        return None
    pairs = [(_name(source), _name(target)) for source, target in steps]
    ranks = {_name(number): rank for number, rank in _distances(graph).items()}
    boxes = [
        _box(node, ranks[_name(node.number)], lines)
        for node, lines in zip(graph.nodes, _texts(graph), strict=True)
    ]
    layers = ordered(ranks, pairs)
    arrows = [_arrow(pair, actions, len(steps)) for pair, actions in zip(pairs, steps.values(), strict=True)]
    room = max((text_width(text) for arrow in arrows for text in arrow.label), default=0.0)
    places = centres(layers, {box.name: box.width + room for box in boxes}, pairs)
    return drawing(boxes, arrows, f"the states of {graph.model}", places)


def _name(number: int) -> str:
    return f"s{number}"


def _steps(graph: StateGraph) -> dict[tuple[int, int], list[str]]:
    """One arrow for all steps between two states, with what is done there."""
    found: dict[tuple[int, int], dict[str, None]] = {}
    for edge in graph.edges:
        found.setdefault((edge.source, edge.target), {})[actions_text(edge.action)] = None
    return {pair: list(actions) for pair, actions in found.items()}


def _distances(graph: StateGraph) -> dict[int, int]:
    """How many steps lead to each state from an initial one."""
    after: dict[int, list[int]] = {}
    for edge in graph.edges:
        after.setdefault(edge.source, []).append(edge.target)
    found = {node.number: 0 for node in graph.nodes if node.initial}
    todo = deque(found)
    while todo:
        here = todo.popleft()
        for there in after.get(here, ()):
            if there not in found:
                found[there] = found[here] + 1
                todo.append(there)
    return {node.number: found.get(node.number, 0) for node in graph.nodes}


def _texts(graph: StateGraph) -> Iterator[list[Line]]:
    """For each state the variables that tell states apart, as far as there is room."""
    rows = [
        {(agent, name): value for agent, local in node.state.items() for name, value in local.items()}
        for node in graph.nodes
    ]
    telling = [key for key in rows[0] if len({row[key] for row in rows}) > 1] if rows else []
    names = [name for _, name in telling]
    for row in rows:
        said = [
            f"{name if names.count(name) == 1 else f'{agent}.{name}'} = {value_text(row[agent, name])}"
            for agent, name in telling
        ]
        more = [Line(f"… {len(said) - _LINES} more", "quiet")] if len(said) > _LINES else []
        yield [*(Line(_short(text)) for text in said[:_LINES]), *more]


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def _box(node: Node, rank: int, lines: list[Line]) -> Box:
    holds = [Line(_short(text), "claim") for text in wrap(", ".join(node.holds), _WIDTH)[:3]]
    kind = "initial" if node.initial else "state"
    title = f"state {node.number}: {assignments(node.state)}\ntrue: {', '.join(node.holds) or 'nothing'}"
    return Box(_name(node.number), (Line(str(node.number), "name"), *lines, *holds), rank, 0, kind, title)


def _arrow(pair: tuple[str, str], actions: list[str], count: int) -> Arrow:
    label: tuple[str, ...] = ()
    if count <= _LABELLED:
        more = (f"or {len(actions) - 2} more",) if len(actions) > 2 else ()
        label = (*map(_short, actions[:2]), *more)
    return Arrow(*pair, label, "step", "\n".join(actions[:40]))


# -- what is too large to draw ------------------------------------------------------------------------------


def _summary(graph: StateGraph) -> str:
    """Some numbers and the first states."""
    initial = sum(node.initial for node in graph.nodes)
    looks = [f"{agent} {len(classes)}" for agent, classes in graph.confused.items()]
    rows = (
        (mono(str(node.number)), mono(assignments(node.state)), mono(", ".join(node.holds)))
        for node in graph.nodes[:_ROWS]
    )
    return (
        note(f"too many to draw; {counted(initial, 'initial state')}")
        + (f'<p class="kn-note">what they look like, by agent: {listed(looks)}</p>' if looks else "")
        + table(("state", "values", "true"), rows)
        + left_out(len(graph.nodes) - _ROWS, "state")
    )
