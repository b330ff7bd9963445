"""Where text came from, and how a place in it is shown."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from functools import cached_property
from typing import NamedTuple, Protocol

from knower.records import dataclass

#: The widest excerpt shown around a caret.
_WINDOW = 100


class Span(NamedTuple):
    """A half-open range of characters of a source, and for which instance of a template it is read there."""

    start: int
    end: int
    instance: str = ""


class Position(NamedTuple):
    """A place as people count: lines and columns from 1."""

    line: int
    column: int


NOWHERE = Span(0, 0)


class Placed(Protocol):
    """Something that stands in a text; where, is found out for whoever asks."""

    @property
    def span(self) -> Span: ...

    @property
    def line(self) -> int | None: ...


class Known(NamedTuple):
    """A place that has been found out."""

    span: Span
    line: int | None = None


class Origin(NamedTuple):
    """The line of a program that wrote something; `text` is empty where it cannot be read."""

    file: str
    line: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Source:
    """A text and its name (a path, `<stdin>`, `<formula>`)."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    def position(self, offset: int) -> Position:
        """The line and column of a character."""
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of a line, without its end."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else None].rstrip("\r")

    def excerpt(self, span: Span) -> str:
        """The first line of a span with carets under it."""
        where = self.position(span.start)
        text = "".join(c if c.isprintable() or c == "\t" else "·" for c in self.line(where.line))
        first = where.column - 1
        width = max(1, min(span.end - span.start, len(text) - first))
        if len(text) > _WINDOW:
            left = max(0, min(first - _WINDOW // 3, len(text) - _WINDOW))
            shown = text[left : left + _WINDOW]
            text = ("…" if left else "") + shown
            first = first - left + bool(left)
            width = min(width, max(1, len(text) - first))
        blank = "".join("\t" if char == "\t" else " " for char in text[:first])
        gutter = f"{where.line} | "
        return f"{gutter}{text}\n{' ' * (len(gutter) - 2)}| {blank}{'^' * width}"
