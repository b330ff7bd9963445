"""Values that are kept for the pieces of a text, and moved to where a piece stands now."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import replace
from typing import Generic, TypeVar

from knower.errors import Diagnostic
from knower.source import Source, Span

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")
#: So many values are kept: some versions of a text of a hundred agents.
_MOST = 500
#: Lines that messages name.
_LINE = re.compile(r"(?<=\bline )\d+")


class Kept(Generic[_K, _V]):
    """Values by what they depend on; those that were not asked for longest go first."""

    def __init__(self) -> None:
        self._values: OrderedDict[_K, _V] = OrderedDict()

    def __contains__(self, key: _K) -> bool:
        return key in self._values

    def get(self, key: _K) -> _V | None:
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def keep(self, key: _K, value: _V) -> _V:
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > _MOST:
            self._values.popitem(last=False)
        return value


def inside(found: tuple[Diagnostic, ...], within: Span) -> tuple[Diagnostic, ...]:
    """Those of a part of a source, with places and lines counted from its start."""
    here = [error for error in found if within.start <= error.span.start <= within.end]
    return tuple(moved(error, None, -within.start, -_lines(error.source, within.start)) for error in here)


def placed(found: Diagnostic, source: Source, start: int) -> Diagnostic:
    """A finding of a part that stands at an offset of the whole text."""
    return moved(found, source, start, _lines(source, start))


def _lines(source: Source | None, offset: int) -> int:
    return 0 if source is None else source.text.count("\n", 0, offset)


def moved(found: Diagnostic, source: Source | None, by: int, lines: int) -> Diagnostic:
    """A finding so many characters and lines further on."""
    span = found.span._replace(start=found.span.start + by, end=found.span.end + by)
    message = _LINE.sub(lambda number: str(int(number[0]) + lines), found.message)
    return replace(found, source=source, span=span, message=message)
