"""A document of 5 MB: every request is answered, also right after a change; what makes that possible."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from knower.lsp import navigation
from knower.lsp.navigation import MOST_LISTED, references, renamed
from knower.lsp.occurrences import occurrences
from knower.lsp.reading import Reading
from knower.lsp.symbols import Kind
from knower.lsp.text import DocumentText
from knower.source import Span
from knower.syntax.lexer import PIECES
from lsp_client import Client, at, covered, place
from lsp_models import model

ROOT = Path(__file__).parents[2]
URI = "file:///large.ispl"


def test_a_document_of_five_megabytes():
    text = model(10, 8900)
    assert len(text) > 5_000_000

    async def conversation(client: Client) -> None:
        client.open(URI, text)
        await _everything(client, text)
        last = text.count("\n") - 1
        client.replace(URI, 2, lsp.Range(lsp.Position(last, 13), lsp.Position(last, 14)), "q")
        await _everything(client, text)
        await client.until(lambda: any(d.code == "E501" for d in client.published[URI].diagnostics))

    async def run() -> None:
        client = Client()
        await client.begin()
        await conversation(client)
        await client.end()

    asyncio.run(run())


async def _everything(client: Client, text: str) -> None:
    """One request of each kind, in a large Evolution."""
    where: dict[str, Any] = {"text_document": at(URI), "position": place(text, "x = 7 if")}
    action: dict[str, Any] = {"text_document": at(URI), "position": place(text, "a0 and")}
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(at(URI)))
    assert [symbol.name for symbol in symbols[:2]] == ["A0", "A1"]
    assert len(await client.text_document_folding_range_async(lsp.FoldingRangeParams(at(URI)))) >= 20
    offered = await client.text_document_completion_async(lsp.CompletionParams(**where))
    assert "x" in {item.label for item in offered.items}
    assert "A0.x : 0..49" in (await client.text_document_hover_async(lsp.HoverParams(**where))).contents.value
    found = await client.text_document_definition_async(lsp.DefinitionParams(**where))
    assert found.range.start == place(text, "x : 0..49")
    marked = await client.text_document_document_highlight_async(lsp.DocumentHighlightParams(**where))
    assert {covered(text, mark.range) for mark in marked[:10]} == {"x"}
    assert (await client.text_document_code_lens_async(lsp.CodeLensParams(at(URI))))[0].command is not None
    whole = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(at(URI)))
    assert len(whole.data) > 1000
    everything = lsp.Range(lsp.Position(0, 0), lsp.Position(10**6, 0))
    part = await client.text_document_semantic_tokens_range_async(
        lsp.SemanticTokensRangeParams(at(URI), everything)
    )
    assert list(part.data) == list(whole.data)
    await _names(client, where, 17_804)
    await _names(client, action, 11_869)
    asked = lsp.CodeActionParams(at(URI), everything, lsp.CodeActionContext([]))
    assert not await client.text_document_code_action_async(asked)
    await _refused(
        client.text_document_formatting_async,
        lsp.DocumentFormattingParams(at(URI), lsp.FormattingOptions(2, True)),
    )


async def _names(client: Client, where: dict[str, Any], places: int) -> None:
    """More places than are listed; a new name is one edit for all of them."""
    assert places > MOST_LISTED
    context = lsp.ReferenceContext(include_declaration=True)
    listed = await client.text_document_references_async(lsp.ReferenceParams(context=context, **where))
    assert len(listed) == MOST_LISTED
    edit = await client.text_document_rename_async(lsp.RenameParams(new_name="renamed_one", **where))
    [change] = edit.changes[URI]
    assert change.new_text.count("renamed_one") == places


async def _refused(ask: Callable[[Any], Awaitable[object]], params: object) -> None:
    with pytest.raises(Exception, match="too large"):
        await ask(params)


# -- what makes that possible ---------------------------------------------------------------------------


def test_no_statement_of_a_large_evolution_is_read_for_a_name_that_means_one_thing_there():
    text = model(2, 300)
    reading = _Counting(text)
    [symbol] = [s for s in reading.survey.symbols if s.kind is Kind.VARIABLE and s.owner == "A0"]
    assert len(occurrences(reading, symbol)) > 600
    assert reading.looked < 20


def test_clauses_that_were_met_before_are_not_read_again():
    text = model(2, 3000)
    reading = _Counting(text)
    [symbol] = [s for s in reading.survey.symbols if s.name == "a0" and s.owner == "A0"]
    assert len(occurrences(reading, symbol)) > 2000
    assert reading.looked < 100


class _Counting(Reading):
    """Counts the places that are looked at one by one."""

    looked = 0

    def meaning(self, word: Span):
        self.looked += 1
        return super().meaning(word)


PATHS = [
    *(ROOT / "examples").glob("*.ispl"),
    *(ROOT / "examples" / "parametrised").glob("*.ispl"),
    *sorted((ROOT.parent / "shared" / "corpus" / "models").glob("*.ispl"))[::6],
]


@pytest.mark.parametrize("path", [p for p in PATHS if p.stat().st_size < 8_000], ids=lambda path: path.stem)
def test_places_of_a_name_are_those_that_mean_it_one_by_one(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    reading = Reading(text)
    meant: dict[object, list[Span]] = {}
    for piece in PIECES.finditer(text):
        if piece[0][0].isalpha() and not reading.is_prose(piece.start()):
            meant.setdefault(reading.meaning(Span(*piece.span())), []).append(Span(*piece.span()))
    for symbol in reading.survey.symbols:
        assert occurrences(reading, symbol) == meant.get(symbol, [])


def test_many_places_are_changed_by_one_edit_and_those_around_are_listed(monkeypatch):
    text, told = model(2, 40), []
    document, reading = DocumentText(URI, 1, text), Reading(text)
    offset = text.index("x = 7 if")
    edits = renamed(document, reading, offset, "y")
    monkeypatch.setattr(navigation, "MOST_LISTED", 10)
    [edit] = renamed(document, reading, offset, "y")
    span = document.span(edit.range)
    one_by_one = text
    for each in reversed(edits):
        here = document.span(each.range)
        one_by_one = one_by_one[: here.start] + each.new_text + one_by_one[here.end :]
    assert text[: span.start] + edit.new_text + text[span.end :] == one_by_one
    listed = references(document, reading, offset, declaration=True, tell=told.append)
    assert len(listed) == 10 and document.range(Span(offset, offset + 1)) in [each.range for each in listed]
    assert told == ["`x` stands in 84 places; the 10 nearest are listed"]
