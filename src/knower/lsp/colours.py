"""What words are, for colouring: semantic tokens."""

from __future__ import annotations

from lsprotocol import types as lsp

from knower.lsp.reading import Reading
from knower.lsp.symbols import Kind
from knower.lsp.text import DocumentText
from knower.lsp.words import FORMULA_WORDS, OPERATORS
from knower.source import Span
from knower.syntax.lexer import PIECES

TYPES = [
    "class", "property", "event", "enumMember", "variable", "namespace", "label", "parameter", "function",
    "keyword", "comment", "string", "number", "operator",
]  # fmt: skip
MODIFIERS = ["declaration", "readonly"]
LEGEND = lsp.SemanticTokensLegend(TYPES, MODIFIERS)
_OF_KIND = {
    Kind.AGENT: "class",
    Kind.VARIABLE: "property",
    Kind.ACTION: "event",
    Kind.VALUE: "enumMember",
    Kind.PROPOSITION: "variable",
    Kind.GROUP: "namespace",
    Kind.LABEL: "label",
    Kind.CONSTANT: "variable",
    Kind.PARAMETER: "parameter",
    Kind.DEFINITION: "function",
    Kind.BOUND: "parameter",
}
_STRUCTURE = frozenset({
    "Agent", "Vars", "Obsvars", "Lobsvars", "Actions", "RedStates", "Protocol", "Evolution", "Define",
    "Evaluation", "InitStates", "Groups", "Fairness", "Formulae", "Semantics", "Const",
    "MultiAssignment", "SingleAssignment", "MA", "SA",
})  # fmt: skip
#: So many characters are coloured at once: a million words take longer than anybody waits.
_MOST = 150_000


def colours(document: DocumentText, reading: Reading, within: Span) -> list[int]:
    """The tokens of a part of a text, as the protocol packs them: each relative to the one before.

    Of a part that is too large, those of its beginning: editors ask again for what is looked at.
    """
    packed: list[int] = []
    line = column = 0
    end = min(within.end, within.start + _MOST)
    for piece in PIECES.finditer(document.text, _line_start(document, within.start), end):
        kind, modifiers = _told(document.text, reading, Span(*piece.span()), piece[0])
        if kind is None:
            continue
        at = document.position(piece.start())
        before = column if at.line == line else 0
        length = document.length(Span(*piece.span()))
        packed += [at.line - line, at.character - before, length, TYPES.index(kind), modifiers]
        line, column = at.line, at.character
    return packed


def _line_start(document: DocumentText, offset: int) -> int:
    return document.text.rfind("\n", 0, offset) + 1


def _told(text: str, reading: Reading, span: Span, word: str) -> tuple[str | None, int]:
    if word.startswith("--"):
        return "comment", 0
    if word[0] == '"':
        return "string", 0
    if word[0].isdigit():
        return "number", 0
    if not (word[0].isalpha() or word[0] == "_"):
        return None, 0
    symbol = reading.meaning(span)
    if symbol is not None:
        fixed = 2 if symbol.kind in (Kind.CONSTANT, Kind.PARAMETER, Kind.BOUND) else 0
        return _OF_KIND[symbol.kind], fixed + (symbol.span == span)
    section = reading.survey.section_at(span.start)
    if word in OPERATORS or word in _STRUCTURE:
        return "keyword", 0
    if word in FORMULA_WORDS and section is not None and section.word in ("Formulae", "Fairness"):
        return "operator", 0
    return None, 0
