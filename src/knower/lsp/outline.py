"""The outline of a text, and what can be folded away."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from knower.lsp.survey import Survey
from knower.lsp.symbols import Agent, Kind, Section, Symbol
from knower.lsp.text import DocumentText
from knower.source import Span

_ICONS = {
    Kind.AGENT: lsp.SymbolKind.Class,
    Kind.VARIABLE: lsp.SymbolKind.Field,
    Kind.ACTION: lsp.SymbolKind.Event,
    Kind.VALUE: lsp.SymbolKind.EnumMember,
    Kind.PROPOSITION: lsp.SymbolKind.Boolean,
    Kind.GROUP: lsp.SymbolKind.Array,
    Kind.LABEL: lsp.SymbolKind.Property,
    Kind.CONSTANT: lsp.SymbolKind.Constant,
    Kind.PARAMETER: lsp.SymbolKind.TypeParameter,
    Kind.DEFINITION: lsp.SymbolKind.Function,
    Kind.BOUND: lsp.SymbolKind.Variable,
}
#: The longest detail shown beside a name.
_WIDTH = 60
_COMMENTS = re.compile(r"(?m)(?:^[ \t]*--[^\n]*\n?){2,}")


def outline(document: DocumentText, survey: Survey) -> list[lsp.DocumentSymbol]:
    """Agents with what they declare, section by section; then the sections behind them."""
    agents = [_agent(document, survey, agent) for agent in survey.agents]
    sections = [_section(document, survey, section) for section in survey.sections if not section.agent]
    return sorted([*agents, *sections], key=lambda item: (item.range.start.line, item.range.start.character))


def _agent(document: DocumentText, survey: Survey, agent: Agent) -> lsp.DocumentSymbol:
    inside = [s for s in survey.sections if s.agent and _within(s.extent, agent.extent)]
    children = [_section(document, survey, section) for section in inside]
    return lsp.DocumentSymbol(
        agent.name, lsp.SymbolKind.Class, document.range(agent.extent), document.range(agent.span),
        children=children,
    )  # fmt: skip


def _section(document: DocumentText, survey: Survey, section: Section) -> lsp.DocumentSymbol:
    declared = [s for s in survey.symbols if _within(s.span, section.extent) and s.kind is not Kind.VALUE]
    head = Span(section.extent.start, section.extent.start + len(section.word))
    if section.word in ("Define", "Const") and declared:
        return _symbol(document, declared[0])
    children = [_symbol(document, symbol) for symbol in declared]
    return lsp.DocumentSymbol(
        section.word, lsp.SymbolKind.Namespace, document.range(section.extent), document.range(head),
        children=children,
    )  # fmt: skip


def _symbol(document: DocumentText, symbol: Symbol) -> lsp.DocumentSymbol:
    detail = symbol.detail if len(symbol.detail) <= _WIDTH else symbol.detail[: _WIDTH - 1] + "…"
    return lsp.DocumentSymbol(
        symbol.name, _ICONS[symbol.kind], document.range(symbol.extent), document.range(symbol.span),
        detail=detail or None,
    )  # fmt: skip


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def folds(document: DocumentText, survey: Survey) -> list[lsp.FoldingRange]:
    """Agents, sections, and comments of several lines."""
    extents = [agent.extent for agent in survey.agents] + [section.extent for section in survey.sections]
    found = [lsp.FoldingRange(*_lines(document, extent)) for extent in extents]
    for comment in _COMMENTS.finditer(document.text):
        start, end = document.line_of(comment.start()), document.line_of(comment.end() - 1)
        found.append(lsp.FoldingRange(start, end, kind=lsp.FoldingRangeKind.Comment))
    return [fold for fold in found if fold.end_line > fold.start_line]


def _lines(document: DocumentText, extent: Span) -> tuple[int, int]:
    end = len(document.text[extent.start : extent.end].rstrip()) + extent.start
    return document.line_of(extent.start), document.line_of(max(extent.start, end - 1))
