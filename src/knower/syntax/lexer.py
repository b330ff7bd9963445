"""Text into tokens. White space and comments separate tokens and are otherwise skipped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from knower.errors import Diagnostic, InputError
from knower.source import Source, Span

NAME, NUMBER, STRING, END = "name", "number", "string", "end of input"

_SYMBOLS = frozenset(
    ["<->", "->", "..", "<>", "<=", ">=", "!=", "&&", "||", *"{}()[]:;,=<>.+-*/%&|^~!?"],
)
#: A comment or a token: what is left between them is white space.
PIECES = re.compile(r'[A-Za-z0-9_]+|--[^\n]*|<->|->|\.\.|<>|<=|>=|!=|&&|\|\||"[^"\n]*"|\S')
_COMMENT = re.compile(r'"[^"\n]*"|(--[^\n]*)')
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_MOST_ERRORS = 20
#: So many tokens from the end, going back takes less time than looking at all.
_NEAR = 2000
#: Comments as others write them.
_ILLEGAL_LINE = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_CURES = {
    "≤": "at most is written `<=`",
    "≥": "at least is written `>=`",
    "≠": "inequality is written `!=`",
    "↔": "equivalence is written `<->`",
    "⇒": "implication is written `->`",
    "⇔": "equivalence is written `<->`",
    "–": "the minus sign is `-`, and comments start with `--`",
    "—": "comments start with `--`",
    "“": "names and values are written without quotes",
    "”": "names and values are written without quotes",
    "@": "names have letters, digits and `_`",
    "$": "names have letters, digits and `_`",
    "#": "comments start with `--`",
    "'": "names and values are written without quotes",
    '"': "a text in quotes ends on the line where it starts",
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
        self.texts: list[str] = PIECES.findall(source.text)
        if "--" in source.text:
            self.texts = [text for text in self.texts if not text.startswith("--")]
        self.texts.append("")
        self.kinds = self._kinds()

    @cached_property
    def starts(self) -> list[int]:
        """Where each token starts."""
        pieces = PIECES.finditer(self.source.text)
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

    @classmethod
    def as_far_as_possible(cls, source: Source) -> tuple[Tokens, Sequence[Diagnostic]]:
        """The tokens of a text, without what is none, and what is wrong with that."""
        try:
            return cls(source), ()
        except InputError as error:
            if len(error.diagnostics) == _MOST_ERRORS:
                raise  # enough to read, and perhaps no text at all
            blank = _ILLEGAL_LINE.sub(lambda line: " " * len(line[0]), source.text)
            for wrong in error.diagnostics:
                first, behind = wrong.span[:2]
                blank = blank[:first] + " " * (behind - first) + blank[behind:]
            try:
                tokens = cls(Source(source.name, blank))
            except InputError:  # a quote less makes other texts
                raise error from None
            tokens.source = source
            return tokens, error.diagnostics

    def _illegal(self, span: Span) -> Diagnostic:
        text = self.source.text[span.start : span.end]
        if text[0] in "0123456789":
            cure = "names start with a letter or an underscore"
            return Diagnostic("E102", f"a name cannot start with a digit: `{text}`", self.source, span, cure)
        shown = text if text.isprintable() else f"U+{ord(text):04X}"
        message = f"unexpected character `{shown}`"
        return Diagnostic("E101", message, self.source, span, self._cure(text, span.start))

    def _cure(self, character: str, at: int) -> str | None:
        """How else something is written; a prime behind a name is no quote, `#` between terms no comment."""
        before, line = self.source.text[at - 1 : at], self.source.text[:at].rpartition("\n")[2]
        if character == "'" and before.isalnum() and "'" not in line:
            return "an assignment gives the next value: `x = value if condition;`, without a prime"
        following = self.source.text[at + 1 : at + 3]
        if character == "\\" and (before == "/" or following[:1] == "/" or following == "in"):
            written = "`and`" if before == "/" else "`or`" if following[:1] == "/" else "`x in {a, b}`"
            return f"write {written}"
        if character == "#" and line.strip():
            return f"{_CURES[character]}; inequality is written `!=`"
        return _CURES.get(character)

    def closing(self, at: int) -> int:
        """The bracket that closes the one at a token; the last but one token if none does."""
        found, opened = self._closing, []
        place = at
        while at not in found and place < len(self.kinds) - 1:
            if self.kinds[place] in _OPENING:
                opened.append(place)
            elif self.kinds[place] in _CLOSING:
                found[opened.pop()] = place
            place += 1
        if at not in found:  # nor are those closed that were opened behind it
            found.update(dict.fromkeys([at, *opened], len(self.kinds) - 2))
        return found[at]

    @cached_property
    def _closing(self) -> dict[int, int]:
        """The brackets that close others, as far as somebody has asked."""
        return {}

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
    if first == '"' and len(text) > 1:
        return STRING
    return NUMBER if first in "0123456789" and text.isdigit() else None


def comments(source: Source) -> list[Span]:
    """Where the comments are, from `--` to the end of the line."""
    return [Span(*match.span()) for match in _COMMENT.finditer(source.text) if match[1]]
