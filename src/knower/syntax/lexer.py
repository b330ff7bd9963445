"""Text into tokens. White space and comments separate tokens and are otherwise skipped."""

from __future__ import annotations

import re

from knower.errors import Diagnostic, InputError
from knower.source import Source, Span

NAME, NUMBER, END = "name", "number", "end of input"

_SYMBOLS = frozenset(
    ["->", "..", "<>", "<=", ">=", "!=", "&&", "||", *"{}()[]:;,=<>.+-*/&|^~!?"],
)
_TOKEN = re.compile(
    r"(?:\s+|--[^\n]*)*"
    r"([A-Za-z_][A-Za-z0-9_]*|[0-9]+[A-Za-z_][A-Za-z0-9_]*|[0-9]+"
    r"|->|\.\.|<>|<=|>=|!=|&&|\|\||.|\Z)",
    re.DOTALL,
)
_COMMENT = re.compile(r"--[^\n]*")
_MOST_ERRORS = 20
_CURES = {
    "#": "comments start with `--`",
    "%": "comments start with `--`",
    "'": "names and values are written without quotes",
    '"': "names and values are written without quotes",
    "¬": "negation is written `!`",
    "∧": "conjunction is written `and`",
    "∨": "disjunction is written `or`",
    "→": "implication is written `->`",
}


class Tokens:
    """The tokens of a source: parallel lists of kinds, texts and places, ended by `END`.

    The kind of a symbol or of nothing else than itself is its text, so that a parser can ask
    `kind == ";"`; names and numbers have the kinds `NAME` and `NUMBER`.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.kinds: list[str] = []
        self.texts: list[str] = []
        self.starts: list[int] = []
        self._read()

    def _read(self) -> None:
        kinds, texts, starts, wrong = self.kinds, self.texts, self.starts, []
        for match in _TOKEN.finditer(self.source.text):
            text = match.group(1)
            first = text[:1]
            if (first.isalpha() or first == "_") and first.isascii():
                kinds.append(NAME)
            elif text in _SYMBOLS:
                kinds.append(text)
            elif first and first in "0123456789" and text.isdigit():
                kinds.append(NUMBER)
            elif text == "":
                break
            else:
                wrong.append(match.span(1))
                continue
            texts.append(text)
            starts.append(match.start(1))
        if wrong:
            raise InputError(self._illegal(Span(*span)) for span in wrong[:_MOST_ERRORS])
        kinds.append(END)
        texts.append("")
        starts.append(len(self.source.text.rstrip()))

    def _illegal(self, span: Span) -> Diagnostic:
        text = self.source.text[span.start : span.end]
        if text[0] in "0123456789":
            cure = "names start with a letter or an underscore"
            return Diagnostic("E102", f"a name cannot start with a digit: `{text}`", self.source, span, cure)
        shown = text if text.isprintable() else f"U+{ord(text):04X}"
        return Diagnostic("E101", f"unexpected character `{shown}`", self.source, span, _CURES.get(text))

    def span(self, first: int, last: int | None = None) -> Span:
        """From the start of token `first` to the end of token `last`."""
        last = first if last is None else last
        return Span(self.starts[first], self.starts[last] + len(self.texts[last]))


def comments(source: Source) -> list[Span]:
    """Where the comments are, from `--` to the end of the line."""
    return [Span(*match.span()) for match in _COMMENT.finditer(source.text)]
