"""The outline of a text, and what can be folded away."""

from __future__ import annotations

import re
from bisect import bisect_left

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
#: So much is shown of a text at most: more takes longer than anybody waits.
_MOST = 10_000
_COMMENTS = re.compile(r"(?m)(?:^[ \t]*--[^\n]*\n?){2,}")


def outline(document: DocumentText, survey: Survey) -> list[lsp.DocumentSymbol]:
    """Agents with what they declare, section by section; then the sections behind them."""
    return _Outline(document, survey).all()


class _Outline:
    """The outline of a text; of a large one, as much of it as can be shown."""

    def __init__(self, document: DocumentText, survey: Survey) -> None:
        self._document = document
        self._survey = survey
        self._starts = [symbol.span.start for symbol in survey.symbols]
        room = _MOST - len(survey.agents) - len(survey.sections)
        self._shows_sections = room >= 0
        #: So many names are shown of each section.
        self._names = max(0, room) // max(1, len(survey.sections))

    def all(self) -> list[lsp.DocumentSymbol]:
        agents = [self._agent(agent) for agent in self._survey.agents]
        sections = [self._section(section) for section in self._survey.sections if not section.agent]
        every = [*agents, *sections]
        return sorted(every, key=lambda item: (item.range.start.line, item.range.start.character))

    def _agent(self, agent: Agent) -> lsp.DocumentSymbol:
        inside = [s for s in self._survey.sections_in(agent.extent) if s.agent and self._shows_sections]
        return lsp.DocumentSymbol(
            agent.name, lsp.SymbolKind.Class,
            self._document.range(agent.extent), self._document.range(agent.span),
            children=[self._section(section) for section in inside],
        )  # fmt: skip

    def _section(self, section: Section) -> lsp.DocumentSymbol:
        document, extent = self._document, section.extent
        declared = self._declared(extent)
        if section.word in ("Define", "Const") and declared:
            return _symbol(document, declared[0])
        head = Span(extent.start, extent.start + len(section.word))
        left_out = len(declared) - self._names
        return lsp.DocumentSymbol(
            section.word, lsp.SymbolKind.Namespace, document.range(extent), document.range(head),
            detail=f"{left_out} more" if left_out > 0 else None,
            children=[_symbol(document, symbol) for symbol in declared[: self._names]],
        )  # fmt: skip

    def _declared(self, extent: Span) -> list[Symbol]:
        """What a section declares."""
        first, end = bisect_left(self._starts, extent.start), bisect_left(self._starts, extent.end)
        return [symbol for symbol in self._survey.symbols[first:end] if symbol.kind is not Kind.VALUE]


def _symbol(document: DocumentText, symbol: Symbol) -> lsp.DocumentSymbol:
    detail = symbol.detail if len(symbol.detail) <= _WIDTH else symbol.detail[: _WIDTH - 1] + "…"
    return lsp.DocumentSymbol(
        symbol.name, _ICONS[symbol.kind], document.range(symbol.extent), document.range(symbol.span),
        detail=detail or None,
    )  # fmt: skip


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
