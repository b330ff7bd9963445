"""Vtrees and sentential decision diagrams in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from knower.report.dot import quoted
from knower.verdict.diagram import Decision, Diagram, Part

_FONT = '[fontname="Helvetica", fontsize=11]'


def vtree_dot(diagram: Diagram) -> str:
    """The vtree: inner nodes by their numbers, leaves by their bits."""
    lines = [f"digraph {quoted(f'vtree of {diagram.model}')} {{", f"  node {_FONT};"]
    for number, node in enumerate(diagram.vtree):
        shape = "plaintext" if node.bit is not None else "circle"
        lines.append(f"  v{number} [label={quoted(node.bit or str(number))}, shape={shape}];")
        lines += [f"  v{number} -> v{child} [arrowhead=none];" for child in node.children]
    return "\n".join([*lines, "}", ""])


def sdd_dot(diagram: Diagram) -> str:
    """The diagram: decisions are circles with the vtree node they respect, elements are boxes of prime
    and sub."""
    lines = [f"digraph {quoted(f'SDD of {diagram.model}')} {{", f"  node {_FONT};"]
    if isinstance(diagram.root, str):
        lines.append(f"  root [label={quoted(diagram.root)}, shape=plaintext];")
    for number, decision in enumerate(diagram.decisions):
        lines.append(f'  d{number} [label="{decision.vtree}", shape=circle];')
        lines += _elements(number, decision)
    return "\n".join([*lines, "}", ""])


def _elements(number: int, decision: Decision) -> Iterator[str]:
    for place, element in enumerate(decision.elements):
        name = f"d{number}e{place}"
        fields = " | ".join(f"<p{side}> {_shown(part)}" for side, part in enumerate(element))
        yield f"  {name} [label={quoted(fields)}, shape=record];"
        yield f"  d{number} -> {name} [arrowhead=none];"
        yield from (
            f"  {name}:p{side} -> d{part};" for side, part in enumerate(element) if isinstance(part, int)
        )


def _shown(part: Part) -> str:
    if isinstance(part, int):
        return "•"
    return {"true": "⊤", "false": "⊥"}.get(part, part)
