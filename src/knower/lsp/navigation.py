"""From a name to where it is declared and used, and to another name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from lsprotocol import types as lsp

from knower.lsp.cutting import Cut
from knower.lsp.occurrences import occurrences, whole_word
from knower.lsp.pieces import Pieces
from knower.lsp.reading import Reading
from knower.lsp.survey import Survey
from knower.lsp.symbols import Kind, Symbol
from knower.lsp.text import DocumentText
from knower.lsp.words import FORMULA_WORDS, OPERATORS
from knower.source import Source, Span

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_WORDS = OPERATORS | FORMULA_WORDS
#: So many characters before and behind can be in sight.
_NEAR = 100_000
#: So many places are listed, and changed one by one.
MOST_LISTED = 10_000


class Refused(Exception):
    """A name that cannot be changed in this way."""


def definition(document: DocumentText, reading: Reading, offset: int) -> lsp.Location | None:
    symbol = reading.symbol_at(offset)
    return None if symbol is None else lsp.Location(document.uri, document.range(symbol.span))


def references(
    document: DocumentText,
    reading: Reading,
    offset: int,
    *,
    declaration: bool,
    tell: Callable[[str], None] = lambda _: None,
) -> list[lsp.Location]:
    """The places of the name at an offset; those around it, which is told, if they are too many."""
    symbol = reading.symbol_at(offset)
    found = [] if symbol is None else occurrences(reading, symbol)
    listed = [place for place in found if declaration or symbol is None or place != symbol.span]
    if len(listed) > MOST_LISTED and symbol is not None:
        tell(f"`{symbol.name}` stands in {len(listed)} places; the {MOST_LISTED} nearest are listed")
        listed = _nearest(listed, offset)
    return [lsp.Location(document.uri, document.range(place)) for place in listed]


def _nearest(found: list[Span], offset: int) -> list[Span]:
    first = bisect_right(found, Span(offset, offset)) - MOST_LISTED // 2
    first = max(0, min(first, len(found) - MOST_LISTED))
    return found[first : first + MOST_LISTED]


def highlights(document: DocumentText, reading: Reading, offset: int) -> list[lsp.DocumentHighlight]:
    """The places of a name that can be in sight."""
    symbol = reading.symbol_at(offset)
    near = Span(max(0, offset - _NEAR), min(len(document.text), offset + _NEAR))
    places = [] if symbol is None else occurrences(reading, symbol, near)
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
    found = occurrences(reading, symbol)
    if name != symbol.name:
        _refuse_clash(reading, symbol, name)
        _refuse_change(document, reading, symbol, found, name, pieces)
    return list(_edits(document, found, name))


def _edits(document: DocumentText, found: list[Span], name: str) -> Iterator[lsp.TextEdit]:
    """An edit for each place; one for all of them if they are too many to be told one by one."""
    if len(found) <= MOST_LISTED:
        yield from (lsp.TextEdit(document.range(place), name) for place in found)
        return
    start, end = found[0].start, found[-1].end
    inside = [Span(place.start - start, place.end - start) for place in found]
    yield lsp.TextEdit(document.range(Span(start, end)), _replaced(document.text[start:end], inside, name))


def _refuse_clash(reading: Reading, symbol: Symbol, name: str) -> None:
    """Two of one kind and owner cannot share a name."""
    for other in reading.survey.named.get(name, ()):
        if (other.kind, other.owner) == (symbol.kind, symbol.owner):
            of = f" of {symbol.owner}" if symbol.owner else ""
            raise Refused(f"there is already the {symbol.kind.value} `{name}`{of}")


def _refuse_change(
    document: DocumentText,
    reading: Reading,
    symbol: Symbol,
    found: list[Span],
    name: str,
    pieces: Pieces | None,
) -> None:
    """The new text must be as sound as the old one, and each of its names mean what it meant."""
    text = _replaced(document.text, found, name)
    before, after = _errors(document.text, pieces), _errors(text, pieces)
    if len(after) > len(before):
        new = [error for error in after if error not in before]
        raise Refused(f"`{name}` would clash: {(new or after)[0]}")
    if any(not reading.is_prose(other.start()) for other in whole_word(name).finditer(document.text)):
        moved = list(_shifted(found, len(name)))
        fresh = Reading(text)
        meant = fresh.meaning(moved[found.index(symbol.span)])
        if meant is None or occurrences(fresh, meant) != moved:
            raise Refused(f"`{name}` already means something else where `{symbol.name}` is used")


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


def _errors(text: str, pieces: Pieces | None) -> list[str]:
    if pieces is None:
        return []
    return [found.message for found in pieces.errors(Source("<text>", text), Cut(Survey(text))).errors]
