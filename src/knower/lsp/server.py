"""The language server: what an editor asks, answered from the text as it is.

Whoever carries the messages makes one server for each connection: `start_io` of pygls for an editor that
starts the program, a WebSocket for a workbench.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from knower.errors import KnowerError
from knower.lsp import navigation, verdicts
from knower.lsp.colours import LEGEND, colours
from knower.lsp.completion import completions
from knower.lsp.connection import LOOK, VERDICTS, KnowerServer
from knower.lsp.documents import OpenDocument
from knower.lsp.hover import hover
from knower.lsp.outline import folds, outline
from knower.lsp.problems import fixes
from knower.lsp.threads import beside
from knower.session import Session
from knower.source import Span

__all__ = ["VERDICTS", "KnowerServer", "make_server"]
_T = TypeVar("_T")


def make_server(session: Session) -> KnowerServer:
    """A server for one connection, over a session that others may use, too."""
    server = KnowerServer(session)
    _text_features(server)
    _question_features(server)
    _name_features(server)
    _check_features(server)
    return server


def _text_features(server: KnowerServer) -> None:
    """Documents come, change and go."""

    @server.feature(lsp.INITIALIZE)
    def initialize(ls: KnowerServer, params: lsp.InitializeParams) -> None:
        options = params.initialization_options
        if isinstance(options, dict):
            ls.draws_pages = bool(options.get("evidencePanel"))
            ls.draws_verdicts = bool(options.get("verdictMarks"))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: KnowerServer, params: lsp.DidOpenTextDocumentParams) -> None:
        encoding = ls.server_capabilities.position_encoding or lsp.PositionEncodingKind.Utf16
        document = ls.documents.open(params.text_document, cast("lsp.PositionEncodingKind", encoding))
        ls.look(document)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: KnowerServer, params: lsp.DidChangeTextDocumentParams) -> None:
        document = ls.documents.get(params.text_document.uri)
        if document is None:
            return
        document.change(params.text_document.version, list(params.content_changes))
        ls.look(document)
        if document.inquiry.verdicts is not None:
            ls.show_verdicts(document)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: KnowerServer, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.documents.close(params.text_document.uri)
        ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))


def _question_features(server: KnowerServer) -> None:
    """What is there, and what could be."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: KnowerServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        return _of(ls, params, lambda d: outline(d.text, d.survey), [])

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(ls: KnowerServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        return _of(ls, params, lambda d: folds(d.text, d.survey), [])

    options = lsp.SemanticTokensRegistrationOptions(LEGEND, range=True, full=True)

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, options)
    def coloured(ls: KnowerServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        def whole(document: OpenDocument) -> list[int]:
            return colours(document.text, document.reading, Span(0, len(document.text.text)))

        return lsp.SemanticTokens(_of(ls, params, whole, []))

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, options)
    def coloured_part(ls: KnowerServer, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
        def part(document: OpenDocument) -> list[int]:
            return colours(document.text, document.reading, document.text.span(params.range))

        return lsp.SemanticTokens(_of(ls, params, part, []))

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(ls: KnowerServer, params: lsp.HoverParams) -> lsp.Hover | None:
        return _of(ls, params, lambda d: hover(d.text, d.reading, d.text.offset(params.position)), None)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions([".", "=", "(", "<", "{", ","]))
    def completed(ls: KnowerServer, params: lsp.CompletionParams) -> lsp.CompletionList | None:
        return _of(ls, params, lambda d: completions(d.text, d.reading, d.text.offset(params.position)), None)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatted(ls: KnowerServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        document = ls.documents.get(params.text_document.uri)
        return None if document is None else await _formatted(ls.session, document)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    def mended(ls: KnowerServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        marked = params.context.diagnostics
        return _of(ls, params, lambda d: [] if d.is_large else fixes(d, marked), [])


async def _formatted(session: Session, document: OpenDocument) -> list[lsp.TextEdit] | None:
    """One edit; None for a text that does not parse, which is marked as wrong, or that has changed."""
    if document.is_large:
        message = "the text is too large to be laid out while you wait; `knower fmt` does it"
        raise JsonRpcException(message, lsp.LSPErrorCodes.RequestFailed)
    before, source = document.text, document.source
    try:
        text = await beside(lambda: session.formatted(source, LOOK))
    except KnowerError:
        return None
    if document.text is not before:
        return None
    return [] if text == before.text else [lsp.TextEdit(before.whole, text)]


def _name_features(server: KnowerServer) -> None:
    """Where names are declared and used, and other names for them."""

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def declared(ls: KnowerServer, params: lsp.DefinitionParams) -> lsp.Location | None:
        return _of(
            ls, params,
            lambda d: navigation.definition(d.text, d.reading, d.text.offset(params.position)), None,
        )  # fmt: skip

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def used(ls: KnowerServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        def places(document: OpenDocument) -> list[lsp.Location]:
            return navigation.references(
                document.text, document.reading, document.text.offset(params.position),
                declaration=params.context.include_declaration, tell=ls.say,
            )  # fmt: skip

        return _of(ls, params, places, [])

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def marked(ls: KnowerServer, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        return _of(
            ls, params,
            lambda d: navigation.highlights(d.text, d.reading, d.text.offset(params.position)), [],
        )  # fmt: skip

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def can_be_renamed(ls: KnowerServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        def range_of(document: OpenDocument) -> lsp.Range:
            offset = document.text.offset(params.position)
            return document.text.range(navigation.renameable(document.text, document.reading, offset))

        return _refusing(lambda: _of(ls, params, range_of, None))

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def renamed(ls: KnowerServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        def edits(document: OpenDocument) -> lsp.WorkspaceEdit:
            offset = document.text.offset(params.position)
            pieces = None if document.is_large else document.pieces
            found = navigation.renamed(document.text, document.reading, offset, params.new_name, pieces)
            return lsp.WorkspaceEdit({document.text.uri: found})

        return _refusing(lambda: _of(ls, params, edits, None))


def _refusing(rename: Callable[[], _T]) -> _T:
    """A refusal with its reason is an error of the protocol: clients show its words."""
    try:
        return rename()
    except navigation.Refused as refusal:
        raise JsonRpcException(str(refusal), lsp.LSPErrorCodes.RequestFailed) from None


def _check_features(server: KnowerServer) -> None:
    """Formulas are checked from the text."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(ls: KnowerServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        def shown(document: OpenDocument) -> list[lsp.CodeLens]:
            known, busy = document.inquiry.verdicts, document.inquiry.busy
            return verdicts.lenses(document.text, document.survey, known, busy=busy, drawn=ls.draws_verdicts)

        return _of(ls, params, shown, [])

    @server.command(verdicts.CHECK)
    def check(ls: KnowerServer, uri: str, number: int | None = None) -> None:
        document = ls.documents.get(uri)
        if document is not None:
            ls.check(document, number)

    @server.command(verdicts.CANCEL)
    def cancel(ls: KnowerServer, uri: str) -> None:
        document = ls.documents.get(uri)
        if document is not None:
            document.inquiry.cancel()

    @server.command(verdicts.WHY)
    def why(ls: KnowerServer, uri: str, number: int) -> dict[str, str] | None:
        document = ls.documents.get(uri)
        return None if document is None else ls.why(document, number)


def _of(ls: KnowerServer, params: Any, answer: Callable[[OpenDocument], _T], otherwise: _T) -> _T:
    """The answer for the document that is asked about, if it is open."""
    document = ls.documents.get(params.text_document.uri)
    return otherwise if document is None else answer(document)
