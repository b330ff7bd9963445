"""From a name to where it is declared and used, and to another name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types as lsp

from knower.lsp.cutting import Cut
from knower.lsp.pieces import Pieces
from knower.lsp.reading import FORMULA_WORDS, OPERATORS, Reading
from knower.lsp.survey import Survey
from knower.lsp.symbols import Kind, Symbol
from knower.lsp.text import DocumentText
from knower.source import Source, Span

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_WORDS = OPERATORS | FORMULA_WORDS
#: So many characters before and behind can be in sight.
_NEAR = 100_000


class Refused(Exception):
    """A name that cannot be changed in this way."""


def definition(document: DocumentText, reading: Reading, offset: int) -> lsp.Location | None:
    symbol = reading.symbol_at(offset)
    return None if symbol is None else lsp.Location(document.uri, document.range(symbol.span))


def references(
    document: DocumentText, reading: Reading, offset: int, *, declaration: bool
) -> list[lsp.Location]:
    """All places of the name at an offset."""
    symbol = reading.symbol_at(offset)
    if symbol is None:
        return []
    places = reading.occurrences(symbol)
    return [
        lsp.Location(document.uri, document.range(place))
        for place in places
        if declaration or place != symbol.span
    ]


def highlights(document: DocumentText, reading: Reading, offset: int) -> list[lsp.DocumentHighlight]:
    """The places of a name that can be in sight."""
    symbol = reading.symbol_at(offset)
    near = Span(max(0, offset - _NEAR), offset + _NEAR)
    places = [] if symbol is None else reading.occurrences(symbol, near)
    return [lsp.DocumentHighlight(document.range(place)) for place in places]


def renameable(document: DocumentText, reading: Reading, offset: int) -> Span:
    """The name at an offset; raises `Refused` if there is none that can be changed."""
    word = reading.word_at(offset)
    symbol = reading.symbol_at(offset)
    if word is None or symbol is None:
        raise Refused("there is no name here that is declared in this text")
    if symbol.kind is Kind.AGENT and symbol.name == "Environment":
        raise Refused("`Environment` is the name of the agent that others observe; it cannot be changed")
    return word


def renamed(
    document: DocumentText, reading: Reading, offset: int, name: str, pieces: Pieces | None = None
) -> list[lsp.TextEdit]:
    """The edits that give another name; raises `Refused` where they would change a meaning.

    Of a text that is too large to be read for that, `pieces` is None, and only its names are looked at.
    """
    renameable(document, reading, offset)
    symbol = reading.symbol_at(offset)
    assert symbol is not None
    if not _NAME.match(name):
        raise Refused(f"`{name}` is not a name: names have letters, digits and `_`, and no digit first")
    if name in _WORDS or name == "Environment":
        raise Refused(f"`{name}` has a meaning of its own")
    places = reading.occurrences(symbol)
    if name != symbol.name:
        _refuse_clash(reading, symbol, name)
        _refuse_change(document, symbol, places, name, pieces)
    return [lsp.TextEdit(document.range(place), name) for place in places]


def _refuse_clash(reading: Reading, symbol: Symbol, name: str) -> None:
    """Two of one kind and owner cannot share a name."""
    for other in reading.survey.named.get(name, ()):
        if (other.kind, other.owner) == (symbol.kind, symbol.owner):
            of = f" of {symbol.owner}" if symbol.owner else ""
            raise Refused(f"there is already the {symbol.kind.value} `{name}`{of}")


def _refuse_change(
    document: DocumentText, symbol: Symbol, places: list[Span], name: str, pieces: Pieces | None
) -> None:
    """The new text must be as sound as the old one, and each of its names mean what it meant."""
    text = _replaced(document.text, places, name)
    before, after = _errors(document.text, pieces), _errors(text, pieces)
    if len(after) > len(before):
        new = [error for error in after if error not in before]
        raise Refused(f"`{name}` would clash: {(new or after)[0]}")
    fresh = Reading(text)
    moved = set(_shifted(places, len(name)))
    for place in _places_of(text, name):
        if not fresh.is_prose(place.start) and (place in moved) != _is_renamed(fresh, place, moved):
            raise Refused(f"`{name}` already means something else where `{symbol.name}` is used")


def _is_renamed(fresh: Reading, place: Span, moved: set[Span]) -> bool:
    """Whether a place of the new text means what was renamed."""
    symbol = fresh.meaning(place)
    return symbol is not None and symbol.span in moved


def _replaced(text: str, places: list[Span], name: str) -> str:
    pieces, at = [], 0
    for place in places:
        pieces += [text[at : place.start], name]
        at = place.end
    return "".join([*pieces, text[at:]])


def _shifted(places: list[Span], length: int) -> Iterator[Span]:
    """Where the new name stands in the new text."""
    more = 0
    for place in places:
        yield Span(place.start + more, place.start + more + length)
        more += length - (place.end - place.start)


def _places_of(text: str, name: str) -> list[Span]:
    return [Span(*found.span()) for found in re.finditer(rf"(?<!\w){name}(?!\w)", text)]


def _errors(text: str, pieces: Pieces | None) -> list[str]:
    if pieces is None:
        return []
    return [found.message for found in pieces.errors(Source("<text>", text), Cut(Survey(text))).errors]
