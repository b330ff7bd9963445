"""One client of the language server: its documents, what is shown of them, and the checks it asked for."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from dataclasses import replace
from math import inf
from pathlib import Path
from time import perf_counter

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from knower import __version__
from knower.errors import Diagnostic, InputError, KnowerError, LimitReached
from knower.lsp import verdicts
from knower.lsp.documents import Documents, OpenDocument
from knower.lsp.pieces import Found
from knower.lsp.problems import problems
from knower.lsp.threads import beside
from knower.options import Limits
from knower.session import Session

#: So long after the last change lints are looked for, in seconds.
_PAUSE = 0.3
#: Errors are looked for so long before what is found is shown, and so long at a time after that, in seconds:
#: others wait meanwhile. An agent of 200 lines takes 0.03.
_AT_ONCE, _A_LITTLE = 0.08, 0.03
#: A text is read and looked at for mistakes so long at most, in seconds.
LOOK = Limits(30)
#: Verdicts beside formulas, for clients that draw them.
VERDICTS = "knower/verdicts"


class KnowerServer(LanguageServer):
    """A language server with the documents of one client."""

    def __init__(self, session: Session) -> None:
        super().__init__("knower", __version__, max_workers=4)
        self.session = session
        self.documents = Documents(session)
        #: Whether the client shows pages of evidence itself, and verdicts beside their formulas.
        self.draws_pages = self.draws_verdicts = False
        self._looks: dict[str, asyncio.Task[None]] = {}
        self._checks: set[asyncio.Task[None]] = set()
        self._pages: tempfile.TemporaryDirectory[str] | None = None

    # -- what is shown ----------------------------------------------------------------------------------

    def show(self, document: OpenDocument, until: float = inf) -> Found:
        """Errors of the text as it is now, and the lints that are known."""
        found = document.errors(until)
        shown = problems(document.text, document.shown(found))
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(document.text.uri, shown, document.text.version)
        )
        return found

    def look(self, document: OpenDocument) -> None:
        """Show what is found soon; have the rest looked at once nobody types for a while."""
        uri = document.text.uri
        if uri in self._looks:
            self._looks[uri].cancel()
        found = self.show(document, perf_counter() + _AT_ONCE)
        self._looks[uri] = task = asyncio.ensure_future(self._look(document, found))
        task.add_done_callback(self._ended)

    async def _look(self, document: OpenDocument, found: Found) -> None:
        """Errors first, a little at a time, then lints, by a worker."""
        while not found.is_complete:
            await asyncio.sleep(0)
            found = document.errors(perf_counter() + _A_LITTLE)
            if found.is_complete:
                self.show(document)
        await asyncio.sleep(_PAUSE)
        if document.is_large:
            text = document.text.text
            whole = await beside(lambda: _looked(self.session, document.name, text))
            document.whole = document.whole if whole is None else (text, whole)
        else:
            await document.lints.look(document.cut, found.sound, all_of_it=not found.errors)
        self.show(document)

    def show_verdicts(self, document: OpenDocument) -> None:
        """Tell clients that draw verdicts which, and all to ask for lenses again."""
        listed = verdicts.data(document.text, document.survey, document.inquiry.verdicts)
        version = document.text.version
        self.protocol.notify(VERDICTS, {"uri": document.text.uri, "version": version, "verdicts": listed})
        self._refresh_lenses()

    def _refresh_lenses(self) -> None:
        workspace = self.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    # -- faults -----------------------------------------------------------------------------------------

    def report_server_error(self, error: Exception, source: object) -> None:
        """A fault of the server is told to the client; refusals are answers."""
        if not isinstance(error, JsonRpcException):
            told = f"the language server failed: {type(error).__name__}: {error}"
            self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, told))

    def _ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.report_server_error(error, task)

    # -- checks -----------------------------------------------------------------------------------------

    def check(self, document: OpenDocument, number: int | None) -> None:
        task = asyncio.ensure_future(self._check(document, number))
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)
        task.add_done_callback(self._ended)

    async def _check(self, document: OpenDocument, number: int | None) -> None:
        async with _Bar(self, document) as bar:
            asyncio.get_running_loop().call_soon(self._refresh_lenses)  # there is something to cancel
            try:
                await document.inquiry.ask(document.text, document.name, number, bar.tell)
            except InputError as error:
                self.say(f"{document.name} has errors: {error.diagnostics[0].message}")
            except KnowerError as error:
                self.say(str(error))
        self.show_verdicts(document)

    def say(self, text: str) -> None:
        """Show a few words in the client's window."""
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, text))

    def why(self, document: OpenDocument, number: int) -> dict[str, str] | None:
        """The page that shows why a verdict is so; opened outside if the client does not draw it itself."""
        from knower.report.page import evidence_page

        inquiry = document.inquiry
        known = inquiry.verdicts.results.get(number, ()) if inquiry.verdicts else ()
        if inquiry.result is None or not known or inquiry.verdicts is None:
            return None
        if inquiry.verdicts.is_stale(document.text.text):
            self.say("the text was changed since; check again")
            return None
        result = replace(inquiry.result, formulas=known)
        html = evidence_page(result, title=document.name, propositions=inquiry.propositions)
        if not self.draws_pages:
            self._open_page(html, number)
        return {"title": f"{document.name}: {known[0].text}", "html": html}

    def _open_page(self, html: str, number: int) -> None:
        """Have a page opened outside of the editor; the folder is the user's alone."""
        if self._pages is None:
            self._pages = tempfile.TemporaryDirectory(prefix="knower-")
        page = Path(self._pages.name) / f"why-{number}.html"
        page.write_text(html, encoding="utf-8")
        window = self.client_capabilities.window
        if window is not None and window.show_document is not None and window.show_document.support:
            self.window_show_document(lsp.ShowDocumentParams(page.as_uri(), external=True), lambda _: None)
        else:
            self.say(f"see {page}")

    def shutdown(self) -> None:
        for task in (*self._looks.values(), *self._checks):
            with contextlib.suppress(RuntimeError):  # the loop is over
                task.cancel()
        for document in self.documents.all():
            document.inquiry.cancel()
        if self._pages is not None:
            self._pages.cleanup()
        super().shutdown()  # type: ignore[no-untyped-call]


class _Bar:
    """Progress in the client's window, with a way to cancel."""

    def __init__(self, server: KnowerServer, document: OpenDocument) -> None:
        self._server = server
        self._document = document
        self._token = f"knower-{id(self)}"
        self._shown = False

    async def __aenter__(self) -> _Bar:
        window = self._server.client_capabilities.window
        if window is None or not window.work_done_progress:
            return self
        with contextlib.suppress(Exception):  # a client that does not want it
            await self._server.work_done_progress.create_async(self._token)
            title = f"checking {self._document.name}"
            self._server.work_done_progress.begin(
                self._token, lsp.WorkDoneProgressBegin(title, cancellable=True)
            )
            self._shown = True
            cancelled = self._server.work_done_progress.tokens[self._token]
            cancelled.add_done_callback(lambda _: self._document.inquiry.cancel())
        return self

    def tell(self, text: str) -> None:
        if self._shown:
            self._server.work_done_progress.report(self._token, lsp.WorkDoneProgressReport(message=text))

    async def __aexit__(self, *_: object) -> None:
        if self._shown:
            self._server.work_done_progress.end(self._token, lsp.WorkDoneProgressEnd())


def _looked(session: Session, name: str, text: str) -> list[Diagnostic] | None:
    """All errors of a text, or else its lints; None where a limit is met or the session is over."""
    try:
        return session.loads(text, name, limits=LOOK).lint(LOOK)
    except InputError as error:
        return list(error.diagnostics)
    except (LimitReached, RuntimeError):
        return None
