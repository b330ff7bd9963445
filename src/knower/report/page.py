"""A run as one web page: verdicts, stories and drawings, in one file that needs no network."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from textwrap import dedent

from knower.report.graph import Graph, case_graph
from knower.report.story import evidence_lines
from knower.report.view import View
from knower.report.wording import counted
from knower.report.words import reason_text, warning_text
from knower.verdict.evidence import Evidence
from knower.verdict.verdict import CheckResult, FormulaResult

_COLOURS = 8
#: What the judge found, in words.
REPLAYED = {"ok": "replayed", "partial": "replayed in part", "failed": "replay failed"}
#: Also safe inside a script element: it cannot be closed, nor a comment opened, by what is in a string.
_SAFE = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def evidence_page(
    result: CheckResult, *, title: str, propositions: frozenset[str] = frozenset(), whole: bool = False
) -> str:
    """The page as text. `propositions` and `whole` are as in `story.evidence_lines`."""
    proved = [_Proved(formula, propositions, whole) for formula in result if formula.evidence is not None]
    graphs = [graph for formula in proved for graph in formula.graphs]
    agents = list(dict.fromkeys(name for item in proved for name in item.evidence.vocabulary.agents))
    script, style = _part("page.js"), _part("page.css")
    return Template(_part("page.html")).substitute(
        title=escape(title),
        facts=escape(facts(result)),
        agents=_agents(agents) + _warnings(result),
        verdicts="\n".join(map(_verdict, result)),
        sections="\n".join(_sections(proved)),
        data=embedded({"agents": agents, "graphs": [asdict(graph) for graph in graphs]}),
        script=script,
        script_hash=_hash(script),
        style=style,
        style_hash=_hash(style),
    )


def embedded(data: object) -> str:
    """Data as JSON that can stand in a script element of a page."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_SAFE)


def _part(name: str) -> str:
    return files("knower.report").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What the content security policy knows an inline script or style by."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class _Proved:
    """A formula with evidence, and what is drawn of it."""

    def __init__(self, result: FormulaResult, propositions: frozenset[str], whole: bool) -> None:
        assert result.evidence is not None
        self.result = result
        self.evidence: Evidence = result.evidence
        view = View.of(self.evidence, propositions, whole=whole)
        self.graphs: list[Graph] = [case_graph(case, view) for case in self.evidence.cases]
        self.story = dedent("\n".join(evidence_lines(self.evidence, propositions, whole=whole)))


def facts(result: CheckResult) -> str:
    """What is said of a run as a whole, in one line."""
    states = "states not counted" if result.states is None else counted(result.states, "reachable state")
    return f"{result.model} · {states} · engine {result.engine} · {result.seconds:.2f} s"


def _agents(agents: list[str]) -> str:
    if not agents:
        return ""
    return f'<fieldset class="agents"><legend>Agents</legend>{"".join(_checkboxes(agents))}</fieldset>'


def _checkboxes(agents: list[str]) -> Iterator[str]:
    for number, agent in enumerate(agents):
        yield (
            f'<label class="a{number % _COLOURS}"><input type="checkbox" checked autocomplete="off" '
            f'value="{escape(agent)}"><span>{escape(agent)}</span><span class="dash"></span></label>'
        )


def _warnings(result: CheckResult) -> str:
    return "".join(
        f'<p class="warning"><strong>Warning:</strong> {escape(warning_text(warning))}</p>'
        for warning in result.warnings
    )


def _verdict(result: FormulaResult) -> str:
    text = escape(result.text)
    formula = (
        f'<span class="formula">{text}</span>'
        if result.evidence is None
        else f'<a class="formula" href="#formula-{result.number}">{text}</a>'
    )
    why = result.reason or result.left_out
    reason = f'<span class="reason">{escape(reason_text(why))}</span>' if why else ""
    number = f'<span class="number">{result.number}.</span>'
    return f"<li>{number}{_badge(result.verdict.value)}{formula}{reason}</li>"


def _badge(word: str, said: str = "") -> str:
    return f'<span class="badge {word}">{said or word}</span>'


def _sections(proved: list[_Proved]) -> Iterator[str]:
    graph = 0
    for item in proved:
        yield _section(item, graph)
        graph += len(item.graphs)


def _section(item: _Proved, graph: int) -> str:
    number, text = item.result.number, escape(item.result.text)
    figures = "".join(
        _figure(graph + place, place + 1, len(item.graphs)) for place in range(len(item.graphs))
    )
    return (
        f'<section id="formula-{number}" aria-labelledby="title-{number}"><header>'
        f'<h2 id="title-{number}"><span class="number">{number}.</span>'
        f'<span class="formula">{text}</span></h2>'
        f'<p class="kind">{_badge(item.result.verdict.value)}<span>{escape(item.evidence.kind)}</span>'
        f"{_replay(item.evidence)}</p></header>{figures}"
        f"<details open><summary>The story</summary>"
        f'<pre tabindex="0" aria-label="the story">{escape(item.story)}</pre></details></section>'
    )


def _replay(evidence: Evidence) -> str:
    if evidence.replay is None:
        return ""
    status = evidence.replay.status
    return _badge(status, REPLAYED[status])


def _figure(graph: int, number: int, count: int) -> str:
    caption = f"<figcaption>initial state {number} of {count}</figcaption>" if count > 1 else ""
    return (
        f'<figure data-graph="{graph}">{caption}<div class="canvas"></div>'
        '<div class="panel" role="status" aria-live="polite"></div></figure>'
    )
