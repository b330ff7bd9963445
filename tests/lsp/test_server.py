"""The language server, spoken to over its standard streams."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from lsp_client import HARD, Client, at, covered, place
from processes import children_of, is_alive

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "examples" / "bit_transmission.ispl").read_text()
SLOW = (ROOT / "examples" / "train_gate.ispl").read_text()
A, B = "file:///a.ispl", "file:///b.ispl"


def talk(conversation: Callable[[Client], Awaitable[None]], **begin: object) -> None:
    """A conversation with a server of its own."""

    async def run() -> None:
        client = Client()
        await client.begin(**begin)
        await conversation(client)
        await client.end()

    asyncio.run(run())


def where(text: str, piece: str, nth: int = 0) -> dict[str, object]:
    return {"text_document": at(A), "position": place(text, piece, nth)}


def test_errors_while_typing_and_their_cure():
    async def conversation(client: Client) -> None:
        client.open(A, TEXT)
        assert await client.problems(A, 1) == []
        start = place(TEXT, "bit = zero")
        here = lsp.Range(start, lsp.Position(start.line, start.character + 3))
        client.replace(A, 2, here, "bti")
        [problem] = await client.problems(A, 2)
        assert (problem.code, problem.range) == ("E202", here)
        context = lsp.CodeActionContext([problem])
        [fix] = await client.text_document_code_action_async(lsp.CodeActionParams(at(A), here, context))
        assert list(fix.edit.changes[A]) == [lsp.TextEdit(here, "bit")]
        client.replace(A, 3, here, "bit")
        assert await client.problems(A, 3) == []

    talk(conversation)


def test_lints_follow():
    text = TEXT.replace("Groups", "Groups\n  nobody = {Sender};", 1)

    async def conversation(client: Client) -> None:
        client.open(A, text)
        found = await client.problems(A, 1, lints=True)
        assert any("nobody" in problem.message for problem in found)
        assert all(problem.severity is lsp.DiagnosticSeverity.Warning for problem in found)

    talk(conversation)


def test_what_is_in_a_text():
    async def conversation(client: Client) -> None:
        client.open(A, TEXT)
        symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(at(A)))
        assert [symbol.name for symbol in symbols][:4] == ["Environment", "Sender", "Receiver", "Evaluation"]
        folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(at(A)))
        assert any(fold.start_line == place(TEXT, "Agent Sender").line for fold in folds)
        tokens = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(at(A)))
        assert len(tokens.data) % 5 == 0 and len(tokens.data) > 500
        hover = await client.text_document_hover_async(lsp.HoverParams(**where(TEXT, "acked")))
        assert "alone" in hover.contents.value
        offered = await client.text_document_completion_async(
            lsp.CompletionParams(**where(TEXT, "send_zero", 1))
        )
        assert "send_zero" in {item.label for item in offered.items}
        marked = await client.text_document_document_highlight_async(
            lsp.DocumentHighlightParams(**where(TEXT, "acked"))
        )
        assert {covered(TEXT, mark.range) for mark in marked} == {"acked"}

    talk(conversation)


def test_names_are_found_and_changed():
    async def conversation(client: Client) -> None:
        client.open(A, TEXT)
        found = await client.text_document_definition_async(lsp.DefinitionParams(**where(TEXT, "acked", 2)))
        assert found.range.start == place(TEXT, "acked")
        context = lsp.ReferenceContext(include_declaration=True)
        places = await client.text_document_references_async(
            lsp.ReferenceParams(context=context, **where(TEXT, "acked"))
        )
        prepared = await client.text_document_prepare_rename_async(
            lsp.PrepareRenameParams(**where(TEXT, "acked"))
        )
        assert covered(TEXT, prepared) == "acked"
        edit = await client.text_document_rename_async(
            lsp.RenameParams(new_name="heard", **where(TEXT, "acked"))
        )
        assert len(edit.changes[A]) == len(places) > 1
        with pytest.raises(JsonRpcException, match="already the variable `bit`"):
            await client.text_document_rename_async(lsp.RenameParams(new_name="bit", **where(TEXT, "acked")))

    talk(conversation)


def test_formatting():
    messy = TEXT.replace("\n  Vars:", "\n\n      Vars:", 1)

    async def conversation(client: Client) -> None:
        client.open(A, messy)
        options = lsp.FormattingOptions(2, True)
        [edit] = await client.text_document_formatting_async(lsp.DocumentFormattingParams(at(A), options))
        client.open(B, edit.new_text)
        again = await client.text_document_formatting_async(lsp.DocumentFormattingParams(at(B), options))
        assert not again
        client.open(A, "Agent A Vars: ", 2)
        nothing = await client.text_document_formatting_async(lsp.DocumentFormattingParams(at(A), options))
        assert nothing is None

    talk(conversation)


def test_formulas_are_checked_and_grow_stale():
    async def conversation(client: Client) -> None:
        client.open(A, TEXT)
        lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(at(A)))
        assert lenses[0].command.title == "check all"
        await client.workspace_execute_command_async(lsp.ExecuteCommandParams("knower.check", [A, None]))
        await client.until(lambda: A in client.verdicts)
        told = client.verdicts[A].verdicts
        assert {"TRUE", "FALSE, as expected"} & {verdict.text for verdict in told}
        assert not any(verdict.stale for verdict in told)
        client.replace(A, 2, lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)), "-- changed\n")
        await client.until(lambda: all(verdict.stale for verdict in client.verdicts[A].verdicts))
        lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(at(A)))
        assert any("before the last change" in lens.command.title for lens in lenses)

    talk(conversation)


def test_why_is_a_page():
    async def conversation(client: Client) -> None:
        client.open(A, TEXT)
        await client.workspace_execute_command_async(lsp.ExecuteCommandParams("knower.check", [A, None]))
        await client.until(lambda: A in client.verdicts)
        number = 1 + next(k for k, verdict in enumerate(client.verdicts[A].verdicts) if verdict.why)
        asked = lsp.ExecuteCommandParams("knower.why", [A, number])
        page = await client.workspace_execute_command_async(asked)
        assert "<html" in _field(page, "html")
        await client.until(lambda: client.opened)
        assert client.opened[0].startswith("file:")

    talk(conversation)


def _field(answer: object, name: str) -> str:
    return str(answer[name] if isinstance(answer, dict) else getattr(answer, name))


def test_a_check_is_cancelled_and_answers_do_not_wait_for_it():
    async def conversation(client: Client) -> None:
        client.open(A, HARD)
        client.open(B, TEXT)
        await client.workspace_execute_command_async(lsp.ExecuteCommandParams("knower.check", [A, None]))
        await client.until(lambda: any(isinstance(told, dict) for told in client.progress))
        hover = await client.text_document_hover_async(lsp.HoverParams(at(B), place(TEXT, "acked")))
        assert hover is not None
        token = next(told for told in client.progress if isinstance(told, str))
        client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams(token))
        await client.until(lambda: A in client.verdicts)
        assert all(verdict.text.startswith("UNKNOWN") for verdict in client.verdicts[A].verdicts)

    talk(conversation)


@pytest.mark.parametrize(
    ("encoding", "units"), [(lsp.PositionEncodingKind.Utf8, 4), (lsp.PositionEncodingKind.Utf16, 2)]
)
def test_positions_behind_astral_characters(encoding, units):
    text = "Agent A -- 𝔸𝔸𝔸\n  Actions = {a};  Protocol: Other : {b}; end Protocol\nend Agent\n-- 𝔸"

    async def conversation(client: Client) -> None:
        client.open(A, text + "\n")
        [problem] = await client.problems(A, 1)
        assert problem.range.start == place(text, "b};")
        end = lsp.Position(3, 3 + units)
        client.replace(A, 2, lsp.Range(lsp.Position(3, 3), end), "Evaluation")
        client.replace(A, 3, lsp.Range(lsp.Position(3, 0), lsp.Position(3, 3)), "")
        found = await client.problems(A, 3)
        assert any(problem.range.start.line >= 3 for problem in found)

    talk(conversation, encodings=(encoding,))


@pytest.mark.parametrize(
    ("encoding", "units"), [(lsp.PositionEncodingKind.Utf8, 4), (lsp.PositionEncodingKind.Utf16, 2)]
)
def test_positions_on_the_line_of_astral_characters(encoding, units):
    before, behind = 'Formulae EF p expect true "', '"; EF q; AG p; end Formulae\n'
    start = TEXT[: TEXT.index("Evaluation")] + "Evaluation p if Sender.acked; end Evaluation\n"
    line = start.count("\n")

    def column(piece: str) -> int:
        return len(before) + 2 * units + behind.index(piece)

    async def conversation(client: Client) -> None:
        client.open(A, start + before + "𝔸𝔸" + behind)
        [problem] = await client.problems(A, 1)
        assert problem.range.start == lsp.Position(line, column("q;"))
        place_of_p = lsp.Position(line, column("p; end"))
        hover = await client.text_document_hover_async(lsp.HoverParams(at(A), place_of_p))
        assert hover.range.start == place_of_p
        wrong = lsp.Range(problem.range.start, lsp.Position(line, column("q;") + 1))
        client.replace(A, 2, wrong, "p")
        assert await client.problems(A, 2) == []

    talk(conversation, encodings=(encoding,))


def test_two_documents_at_once():
    other = TEXT.replace("acked = true if", "aced = true if", 1)

    async def conversation(client: Client) -> None:
        client.open(A, TEXT)
        client.open(B, other)
        assert await client.problems(A, 1) == []
        [problem] = await client.problems(B, 1)
        start = place(TEXT, "bit = zero")
        here = lsp.Range(start, lsp.Position(start.line, start.character + 3))
        client.replace(A, 2, here, "bti")
        client.replace(B, 2, problem.range, "acked")
        assert await client.problems(B, 2) == []
        assert [found.range for found in await client.problems(A, 2)] == [here]
        client.text_document_did_close(lsp.DidCloseTextDocumentParams(at(A)))
        symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(at(B)))
        assert symbols and not await client.text_document_document_symbol_async(
            lsp.DocumentSymbolParams(at(A))
        )

    talk(conversation)


def test_a_large_document_is_answered():
    lines = [f"    x = {k % 7} if Action = a and x = {k % 5};" for k in range(60_000)]
    text = "\n".join([
        "Agent A", "  Vars: x : 0..9; end Vars", "  Actions = {a};", "  Protocol: Other : {a}; end Protocol",
        "  Evolution:", *lines, "  end Evolution", "end Agent", "Evaluation p if A.x = 1; end Evaluation",
        "InitStates A.x = 0; end InitStates", "Formulae EF p; end Formulae",
    ])  # fmt: skip

    async def conversation(client: Client) -> None:
        client.open(A, text)
        symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(at(A)))
        assert symbols[0].name == "A"
        last = text.count("\n")
        client.replace(A, 2, lsp.Range(lsp.Position(last, 12), lsp.Position(last, 13)), "q")
        await client.until(lambda: any(d.code == "E501" for d in client.published[A].diagnostics))

    talk(conversation)


def test_a_client_that_dies_leaves_nothing():
    async def conversation() -> int:
        client = Client()
        await client.begin()
        client.open(A, TEXT)
        await client.problems(A, 1)
        await client.workspace_execute_command_async(lsp.ExecuteCommandParams("knower.check", [A, None]))
        await client.until(lambda: A in client.verdicts)
        server = client._server.pid
        family = [server, *children_of(server)]
        client._server._transport.get_pipe_transport(0).close()
        while any(is_alive(pid) for pid in family):
            await asyncio.sleep(0.05)
        return len(family)

    assert asyncio.run(conversation()) >= 2


def test_a_killed_server_leaves_no_workers():
    async def conversation() -> None:
        client = Client()
        await client.begin()
        client.open(A, TEXT)
        await client.problems(A, 1)
        await client.workspace_execute_command_async(lsp.ExecuteCommandParams("knower.check", [A, None]))
        await client.until(lambda: A in client.verdicts)
        server = client._server.pid
        workers = children_of(server)
        os.kill(server, signal.SIGKILL)
        while any(is_alive(pid) for pid in workers):
            time.sleep(0.05)

    asyncio.run(conversation())
