"""A client that speaks the protocol to `knower lsp` over its standard streams."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import BaseLanguageClient

from knower.source import Span

#: Nothing decides this soon: a check of it is there to be cancelled, or to run beside other things.
HARD = """Agent E
  Vars: x : 0..100000; y : 0..100000; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution:
    x = x + y + 1 if Action = a and x + y < 99999;
    y = y * x + 3 if Action = b and y * x < 99990;
  end Evolution
end Agent
Evaluation p if E.x * E.y = 77777; end Evaluation
InitStates E.x < 90000 and E.y < 90000; end InitStates
Formulae AG !p; end Formulae
"""


class Client(BaseLanguageClient):
    """Remembers what the server tells by itself."""

    def __init__(self) -> None:
        super().__init__("tests", "1")
        self.published: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.verdicts: dict[str, Any] = {}
        self.messages: list[str] = []
        self.failures: list[str] = []
        self.progress: list[Any] = []
        self.opened: list[str] = []
        self.news = asyncio.Event()
        self._listen()

    def _listen(self) -> None:
        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(_: Client, params: lsp.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = params
            self.news.set()

        @self.feature(lsp.WINDOW_SHOW_MESSAGE)
        def shown(_: Client, params: lsp.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self.news.set()

        @self.feature(lsp.WINDOW_LOG_MESSAGE)
        def logged(_: Client, params: lsp.LogMessageParams) -> None:
            if params.type is lsp.MessageType.Error:
                self.failures.append(params.message)
                self.news.set()

        @self.feature("knower/verdicts")
        def decided(_: Client, params: Any) -> None:
            self.verdicts[params.uri] = params
            self.news.set()

        @self.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def created(_: Client, params: lsp.WorkDoneProgressCreateParams) -> None:
            self.progress.append(params.token)

        @self.feature(lsp.PROGRESS)
        def progressed(_: Client, params: lsp.ProgressParams) -> None:
            self.progress.append(params.value)
            self.news.set()

        @self.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)
        def refreshed(_: Client, params: None) -> None:
            self.news.set()

        @self.feature(lsp.WINDOW_SHOW_DOCUMENT)
        def show_document(_: Client, params: lsp.ShowDocumentParams) -> lsp.ShowDocumentResult:
            self.opened.append(params.uri)
            self.news.set()
            return lsp.ShowDocumentResult(True)

    async def begin(self, encodings: tuple[lsp.PositionEncodingKind, ...] = (), **options: Any) -> Any:
        """Start a server and agree on how to talk."""
        await self.start_io(sys.executable, "-m", "knower", "lsp")
        general = lsp.GeneralClientCapabilities(position_encodings=list(encodings)) if encodings else None
        window = lsp.WindowClientCapabilities(
            work_done_progress=True, show_document=lsp.ShowDocumentClientCapabilities(True)
        )
        lenses = lsp.CodeLensWorkspaceClientCapabilities(refresh_support=True)
        workspace = lsp.WorkspaceClientCapabilities(code_lens=lenses)
        capabilities = lsp.ClientCapabilities(general=general, window=window, workspace=workspace)
        found = await self.initialize_async(
            lsp.InitializeParams(capabilities=capabilities, initialization_options=options or None)
        )
        self.initialized(lsp.InitializedParams())
        return found

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for something the server tells by itself."""
        while not condition():
            self.news.clear()
            await self.news.wait()

    async def end(self) -> None:
        """Take leave; nothing may have failed until then."""
        await self.shutdown_async(None)
        self.exit(None)
        await self.stop()
        assert not self.failures

    # -- documents --------------------------------------------------------------------------------------

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = lsp.TextDocumentItem(uri, "ispl", version, text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def replace(self, uri: str, version: int, where: lsp.Range, text: str) -> None:
        change = lsp.TextDocumentContentChangePartial(range=where, text=text)
        document = lsp.VersionedTextDocumentIdentifier(uri=uri, version=version)
        self.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def problems(self, uri: str, version: int, *, lints: bool = False) -> list[lsp.Diagnostic]:
        """The diagnostics of a version; with lints, those of a worker too."""

        def known() -> bool:
            told = self.published.get(uri)
            return told is not None and told.version == version

        await self.until(known)
        if lints:
            await self.until(
                lambda: any(str(d.code).startswith("L") for d in self.published[uri].diagnostics)
            )
        return list(self.published[uri].diagnostics)


def place(text: str, piece: str, nth: int = 0) -> lsp.Position:
    """Where a piece of a text without unusual characters starts."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(piece, at + 1)
    line = text.count("\n", 0, at)
    return lsp.Position(line, at - (text.rfind("\n", 0, at) + 1))


def at(uri: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(uri)


def covered(text: str, where: lsp.Range) -> str:
    """The text of a range, for texts without unusual characters."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    span = Span(
        starts[where.start.line] + where.start.character, starts[where.end.line] + where.end.character
    )
    return text[span.start : span.end]
