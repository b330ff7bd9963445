"""Text into tokens. White space and comments separate tokens and are otherwise skipped."""

from __future__ import annotations

import re
from functools import cached_property

from knower.errors import Diagnostic, InputError
from knower.source import Source, Span

NAME, NUMBER, END = "name", "number", "end of input"

_SYMBOLS = frozenset(
    ["->", "..", "<>", "<=", ">=", "!=", "&&", "||", *"{}()[]:;,=<>.+-*/&|^~!?"],
)
#: A comment or a token: what is left between them is white space.
_PIECES = re.compile(r"[A-Za-z0-9_]+|--[^\n]*|->|\.\.|<>|<=|>=|!=|&&|\|\||\S")
_COMMENT = re.compile(r"--[^\n]*")
_MOST_ERRORS = 20
#: So many tokens from the end, going back takes less time than looking at all.
_NEAR = 2000
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
    `kind == ";"`; names and numbers have the kinds `NAME` and `NUMBER`. Nearly nobody asks where tokens
    start: it is found out for the first who does.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.texts: list[str] = _PIECES.findall(source.text)
        if "--" in source.text:
            self.texts = [text for text in self.texts if not text.startswith("--")]
        self.texts.append("")
        self.kinds = self._kinds()

    @cached_property
    def starts(self) -> list[int]:
        """Where each token starts."""
        pieces = _PIECES.finditer(self.source.text)
        begun = [piece.start() for piece in pieces if not piece[0].startswith("--")]
        return [*begun, len(self.source.text.rstrip())]

    def _kinds(self) -> list[str]:
        """The kinds of all texts, each of which is met many times."""
        known = {"": END}
        wrong: set[str] = set()
        for text in set(self.texts) - set(known):
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
        return Span(self._start(first), self._start(last) + len(self.texts[last]))

    def _start(self, at: int) -> int:
        """Where a token starts; of the last ones, where formulas stand, by going back from the end."""
        near = len(self.texts) - at
        if near > _NEAR or "starts" in self.__dict__ or "--" in self.source.text:
            return self.starts[at]
        text, back = self.source.text, self._back
        while len(back) < near:
            back.append(text.rfind(self.texts[-1 - len(back)], 0, back[-1]))
        return back[near - 1]

    @cached_property
    def _back(self) -> list[int]:
        """Where tokens start, the last first: as many as have been asked for."""
        return [len(self.source.text.rstrip())]


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
