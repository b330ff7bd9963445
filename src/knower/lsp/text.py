"""The text of a document as editors count it: lines from 0, columns in the units that were agreed on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import field, replace
from functools import cached_property

from lsprotocol import types as lsp

from knower.records import dataclass
from knower.source import Span

#: How many units of each encoding a character takes.
_UNITS: dict[str, Callable[[str], int]] = {
    lsp.PositionEncodingKind.Utf8: lambda char: len(char.encode("utf-8", "surrogatepass")),
    lsp.PositionEncodingKind.Utf16: lambda char: 1 + (char > "\uffff"),
    lsp.PositionEncodingKind.Utf32: lambda char: 1,
}


@dataclass(frozen=True)
class DocumentText:
    """A version of a document. Lines end with LF, CRLF or CR, as the protocol says, and with nothing else."""

    uri: str
    version: int
    text: str = field(repr=False)
    encoding: lsp.PositionEncodingKind = lsp.PositionEncodingKind.Utf16

    @cached_property
    def _starts(self) -> list[int]:
        """Where lines start."""
        text, starts, at = self.text, [0], 0
        if "\r" not in text:
            while (at := text.find("\n", at) + 1) > 0:
                starts.append(at)
            return starts
        for at, char in enumerate(text):
            if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
                starts.append(at + 1)
        return starts

    def line(self, number: int) -> str:
        """The text of a line, without its end; empty beyond the last."""
        if number >= len(self._starts):
            return ""
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.text)
        return self.text[self._starts[number] : end].rstrip("\r\n")

    @property
    def lines(self) -> int:
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """The line that a character stands on."""
        return bisect_right(self._starts, offset) - 1

    def offset(self, position: lsp.Position) -> int:
        """The character at a position; beyond the end of a line, that end."""
        if position.line >= len(self._starts):
            return len(self.text)
        line, start = self.line(position.line), self._starts[position.line]
        if line.isascii():
            return start + min(position.character, len(line))
        units, taken = _UNITS[self.encoding], 0
        for at, char in enumerate(line):
            if taken >= position.character:
                return start + at
            taken += units(char)
        return start + len(line)

    def position(self, offset: int) -> lsp.Position:
        """Where a character stands."""
        number = self.line_of(offset)
        before = self.text[self._starts[number] : offset]
        if before.isascii():
            return lsp.Position(number, len(before))
        return lsp.Position(number, sum(map(_UNITS[self.encoding], before)))

    def length(self, span: Span) -> int:
        """How many units a piece of one line takes."""
        piece = self.text[span.start : span.end]
        return len(piece) if piece.isascii() else sum(map(_UNITS[self.encoding], piece))

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position(span.start), self.position(span.end))

    def span(self, found: lsp.Range) -> Span:
        return Span(self.offset(found.start), self.offset(found.end))

    @property
    def whole(self) -> lsp.Range:
        return self.range(Span(0, len(self.text)))

    def changed(self, version: int, change: lsp.TextDocumentContentChangeEvent) -> DocumentText:
        """The text after one change: of a range, or of all."""
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            at = self.span(change.range)
            text = self.text[: at.start] + change.text + self.text[at.end :]
        else:
            text = change.text
        return replace(self, version=version, text=text)
