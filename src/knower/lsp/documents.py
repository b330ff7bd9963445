"""Documents that are open in an editor, and what is known of each."""

from __future__ import annotations

from functools import cached_property
from math import inf

from lsprotocol import types as lsp

from knower.errors import Diagnostic
from knower.lsp.cutting import Cut
from knower.lsp.inquiry import Inquiry
from knower.lsp.lints import Lints
from knower.lsp.pieces import Found, Pieces
from knower.lsp.reading import Reading
from knower.lsp.survey import Survey
from knower.lsp.text import DocumentText
from knower.session import Session
from knower.source import Source

#: Larger texts are read by a worker only: here they would keep others waiting.
MOST_HERE = 300_000


class OpenDocument:
    """A document: its present text, what that means, and what was found out about it."""

    def __init__(self, text: DocumentText, session: Session) -> None:
        self.text = text
        self.pieces = Pieces()
        self.lints = Lints(session)
        self.inquiry = Inquiry(session)
        #: Of a large text: what a worker has found in all of it, and in which text.
        self.whole: tuple[str, list[Diagnostic]] | None = None
        self._changed_at = 0

    @property
    def name(self) -> str:
        """How the document is called in messages."""
        return self.text.uri.rpartition("/")[2] or self.text.uri

    @cached_property
    def reading(self) -> Reading:
        return Reading(self.text.text)

    @property
    def survey(self) -> Survey:
        return self.reading.survey

    @cached_property
    def cut(self) -> Cut:
        return Cut(self.survey)

    @cached_property
    def source(self) -> Source:
        return Source(self.name, self.text.text)

    @property
    def is_large(self) -> bool:
        return len(self.text.text) > MOST_HERE

    def change(self, version: int, changes: list[lsp.TextDocumentContentChangeEvent]) -> None:
        for change in changes:
            self.text = self.text.changed(version, change)
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                self._changed_at = self.text.offset(change.range.start)
        for known in ("reading", "cut", "source"):
            self.__dict__.pop(known, None)

    def errors(self, until: float = inf) -> Found:
        """The errors of the present text, as far as they are found until then; none of a large one."""
        if self.is_large:
            return Found([], True, frozenset())
        return self.pieces.errors(self.source, self.cut, near=self._changed_at, until=until)

    def shown(self, found: Found) -> list[Diagnostic]:
        """What is to be shown: errors, and the lints that are known of what has none."""
        if self.is_large:
            return self.whole[1] if self.whole is not None and self.whole[0] == self.text.text else []
        return [*found.errors, *self.lints.known(self.source, self.cut, found.sound)]


class Documents:
    """All that are open, by their addresses."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: dict[str, OpenDocument] = {}

    def open(self, item: lsp.TextDocumentItem, encoding: lsp.PositionEncodingKind) -> OpenDocument:
        text = DocumentText(item.uri, item.version, item.text, encoding)
        self._open[item.uri] = OpenDocument(text, self._session)
        return self._open[item.uri]

    def close(self, uri: str) -> None:
        document = self._open.pop(uri, None)
        if document is not None:
            document.inquiry.cancel()

    def get(self, uri: str) -> OpenDocument | None:
        return self._open.get(uri)

    def all(self) -> list[OpenDocument]:
        return list(self._open.values())
