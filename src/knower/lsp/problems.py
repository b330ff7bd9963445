"""Errors and lints as editors show them, and cures as edits where they are one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lsprotocol import types as lsp

from knower.errors import Diagnostic, as_keyword
from knower.lsp.cutting import Cut
from knower.lsp.documents import OpenDocument
from knower.lsp.pieces import Pieces
from knower.lsp.survey import Survey
from knower.lsp.text import DocumentText
from knower.source import Source, Span

SOURCE = "knower"
#: Cures that say what to write in the place of what is marked.
_INSTEAD = re.compile(r"(?:did you mean|write|is written) `([^`…]+)`")


def problems(document: DocumentText, found: Iterable[Diagnostic]) -> list[lsp.Diagnostic]:
    return [_problem(document, item.spelt(as_keyword)) for item in found]


def _problem(document: DocumentText, found: Diagnostic) -> lsp.Diagnostic:
    is_error = found.code.startswith("E")
    span = found.span if found.span.end > found.span.start else Span(found.span.start, found.span.start + 1)
    return lsp.Diagnostic(
        document.range(span),
        found.message if found.cure is None else f"{found.message}\nhelp: {found.cure}",
        lsp.DiagnosticSeverity.Error if is_error else lsp.DiagnosticSeverity.Warning,
        code=found.code,
        source=SOURCE,
        data={"cure": found.cure},
    )


def fixes(open_one: OpenDocument, marked: Iterable[lsp.Diagnostic]) -> list[lsp.CodeAction]:
    """Edits that do what a cure says; only such as leave fewer errors than there were."""
    document = open_one.text
    found = [_fix(document, problem) for problem in marked if problem.source == SOURCE]
    before = len(open_one.errors().errors)
    return [fix for fix in found if fix is not None and _mends(document, open_one.pieces, fix, before)]


def _fix(document: DocumentText, problem: lsp.Diagnostic) -> lsp.CodeAction | None:
    cure = problem.data.get("cure") if isinstance(problem.data, dict) else None
    instead = _INSTEAD.search(cure or "")
    if instead is None:
        return None
    edit = lsp.TextEdit(problem.range, instead[1])
    return lsp.CodeAction(
        f"write `{instead[1]}`",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[problem],
        is_preferred=True,
        edit=lsp.WorkspaceEdit({document.uri: [edit]}),
    )


def _mends(document: DocumentText, pieces: Pieces, fix: lsp.CodeAction, before: int) -> bool:
    assert fix.edit is not None and fix.edit.changes is not None
    edit = fix.edit.changes[document.uri][0]
    at = document.span(edit.range)
    text = document.text[: at.start] + edit.new_text + document.text[at.end :]
    is_lint = not str(fix.diagnostics[0].code).startswith("E") if fix.diagnostics else False
    after = pieces.errors(Source("<text>", text), Cut(Survey(text)))
    return len(after.errors) < before + is_lint
