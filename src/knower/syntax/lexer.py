"""Text into tokens. White space and comments separate tokens and are otherwise skipped."""

from __future__ import annotations

import re
from itertools import accumulate

from knower.errors import Diagnostic, InputError
from knower.source import Source, Span

NAME, NUMBER, END = "name", "number", "end of input"

_SYMBOLS = frozenset(
    ["->", "..", "<>", "<=", ">=", "!=", "&&", "||", *"{}()[]:;,=<>.+-*/&|^~!?"],
)
#: A comment or a token: what is left between them is white space.
_PIECE = re.compile(
    r"([A-Za-z_][A-Za-z0-9_]*|[0-9]+[A-Za-z_][A-Za-z0-9_]*|[0-9]+"
    r"|--[^\n]*|->|\.\.|<>|<=|>=|!=|&&|\|\||\S)"
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
        self.texts, self.starts = _pieces(source.text)
        self.kinds = self._kinds()
        self.kinds.append(END)
        self.texts.append("")
        self.starts.append(len(source.text.rstrip()))

    def _kinds(self) -> list[str]:
        """The kinds of all texts, each of which is met many times."""
        known: dict[str, str] = {}
        wrong: set[str] = set()
        for text in set(self.texts):
            kind = _kind(text)
            if kind is None:
                wrong.add(text)
            else:
                known[text] = kind
        if wrong:
            places = [place for place, text in enumerate(self.texts) if text in wrong]
            raise InputError(self._illegal(self.span(place)) for place in places[:_MOST_ERRORS])
        return list(map(known.__getitem__, self.texts))

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


def _pieces(text: str) -> tuple[list[str], list[int]]:
    """The tokens of a text and where they start."""
    pieces = _PIECE.split(text)  # white space and tokens by turns
    ends = list(accumulate(map(len, pieces)))
    texts, starts = pieces[1::2], ends[0:-1:2]
    if "--" not in text:
        return texts, starts
    kept = [place for place, piece in enumerate(texts) if not piece.startswith("--")]
    return [texts[place] for place in kept], [starts[place] for place in kept]


def _kind(text: str) -> str | None:
    """The kind of a token; None if it is none."""
    first = text[0]
    if (first.isalpha() or first == "_") and first.isascii():
        return NAME
    if text in _SYMBOLS:
        return text
    return NUMBER if first in "0123456789" and text.isdigit() else None


def comments(source: Source) -> list[Span]:
    """Where the comments are, from `--` to the end of the line."""
    return [Span(*match.span()) for match in _COMMENT.finditer(source.text)]
