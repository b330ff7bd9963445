"""Evidence as a graph in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from knower.report.graph import CHOICE, DEED, DOUBT, FOLD, SIGHT, STATE, Edge, Graph, Node, case_graph
from knower.report.view import View
from knower.report.wording import changes, indented, listed, value_text
from knower.verdict.evidence import Evidence
from knower.verdict.trace import GlobalState, NamedAction
from knower.verdict.verdict import FormulaResult

#: One colour for each agent, told apart by most eyes; then from the beginning.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#7a3fb0", "#555555")
_HEAD = (
    "digraph evidence {",
    "  rankdir=LR;",
    '  node [shape=box, style=rounded, fontname="Helvetica", fontsize=11];',
    '  edge [fontname="Helvetica", fontsize=10];',
)
_SHAPES = {
    STATE: {},
    SIGHT: {"shape": "note", "style": ""},
    DEED: {"shape": "plain", "style": ""},
    FOLD: {"shape": "plaintext", "style": ""},
}
_SHOWN_ACTIONS = 4


def evidence_dot(
    results: Iterable[FormulaResult],
    *,
    propositions: frozenset[str] = frozenset(),
    show: tuple[str, ...] = (),
    whole: bool = False,
) -> str:
    """All evidence of some results: a cluster for each formula, and in it one for each case.

    Steps are solid, doubts dashed in the colour of who doubts, initial states have a double border.
    `show`, `whole` and `propositions` are as in `story.evidence_lines`.
    """
    lines = [*_HEAD]
    for result in results:
        if result.evidence is not None:
            view = View.of(result.evidence, propositions, show, whole)
            lines += indented(_formula_lines(result, result.evidence, view))
    return "\n".join([*lines, "}", ""])


def _formula_lines(result: FormulaResult, evidence: Evidence, view: View) -> Iterator[str]:
    name = f"f{result.number}"
    title = f"{result.number}. {result.text}\n{result.verdict.value}: {evidence.kind}"
    yield f"subgraph cluster_{name} {{"
    yield f"  label={quoted(title)};"
    for number, case in enumerate(evidence.cases, start=1):
        lines = _graph_lines(case_graph(case, view), f"{name}_{number}_", view)
        yield from indented(lines if len(evidence.cases) == 1 else _case_lines(lines, name, number))
    yield "}"


def _case_lines(lines: Iterable[str], name: str, number: int) -> Iterator[str]:
    yield f"subgraph cluster_{name}_{number} {{"
    yield f"  label={quoted(f'initial state {number}')};"
    yield from indented(lines)
    yield "}"


def _graph_lines(graph: Graph, prefix: str, view: View) -> Iterator[str]:
    first = graph.nodes[0]
    for node in graph.nodes:
        yield f"{prefix}{node.name} {_attributes(_node(node, first))};"
    for edge in graph.edges:
        yield f"{prefix}{edge.source} -> {prefix}{edge.target} {_attributes(_edge(edge, view))};"


def _node(node: Node, first: Node) -> dict[str, str]:
    shape = dict(_SHAPES[node.kind])
    if node.initial:
        shape["peripheries"] = "2"
    label = "\n".join([node.name, *_node_label(node, first)]) if node.kind == STATE else _other_label(node)
    tooltip = "\n".join([*_variables(node.values), *node.claims]) or label
    return {"label": label, "tooltip": tooltip, **shape}


def _node_label(node: Node, first: Node) -> Iterator[str]:
    """What differs from the state the case begins with, which is shown whole."""
    yield from _variables(node.values if node is first else changes(first.values, node.values))


def _other_label(node: Node) -> str:
    return "\n".join([*([node.text] if node.text else []), *_variables(node.values), *_deeds(node.action)])


def _variables(state: GlobalState) -> Iterator[str]:
    for agent, local in state.items():
        yield from (f"{agent}.{name} = {value_text(value)}" for name, value in local.items())


def _deeds(action: NamedAction) -> Iterator[str]:
    return (f"{agent}: {name}" for agent, name in action.items())


def _edge(edge: Edge, view: View) -> dict[str, str]:
    if edge.kind == DOUBT:
        agents = view.vocabulary.agents
        colour = ":".join(COLOURS[agents.index(agent) % len(COLOURS)] for agent in edge.agents)
        style = {"style": "dashed", "dir": "none", "constraint": "false"}
        return {"label": listed(edge.agents), "color": colour, "fontcolor": colour.split(":")[0], **style}
    label = "\nor ".join("\n".join(_deeds(action)) for action in edge.actions[:_SHOWN_ACTIONS])
    more = len(edge.actions) - _SHOWN_ACTIONS
    if more > 0:
        label += f"\nor {more} more"
    return {"label": label, **({"arrowhead": "empty"} if edge.kind == CHOICE else {})}


def _attributes(attributes: Mapping[str, str]) -> str:
    return "[" + ", ".join(f"{name}={quoted(value)}" for name, value in attributes.items()) + "]"


def quoted(text: str) -> str:
    """A string of Graphviz that shows just this text: no escapes, no entities, lines to the left."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return '"' + plain.replace("\n", "\\l") + ("\\l" if "\n" in text else "") + '"'
