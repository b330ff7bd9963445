"""A text that is being typed, character by character: outline and completion are asked for after each."""

from __future__ import annotations

import random
import time

from lsprotocol import types as lsp

from knower.lsp.text import DocumentText
from knower.source import Span
from lsp_client import Client, at

#: What people type, and what they never meant to.
_CHARACTERS = " \n;:,.=<>(){}[]|!-+*\"'§𝔸éabxAK01_end"
#: So many edits are made of one text before the next: it grows more and more broken.
_EACH = 40


async def typed_over(client: Client, texts: list[str], edits: int, seed: int) -> list[float]:
    """How long each answer took. An answer that is an error is raised."""
    choice, times = random.Random(seed), list[float]()
    for number in range(0, edits, _EACH):
        uri = f"file:///typed{number}.ispl"
        text = DocumentText(uri, 1, choice.choice(texts))
        client.open(uri, text.text)
        for _ in range(min(_EACH, edits - number)):
            text = _edited(client, text, choice)
            where = text.position(choice.randrange(len(text.text) + 1))
            began = time.perf_counter()
            await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(at(uri)))
            middle = time.perf_counter()
            await client.text_document_completion_async(lsp.CompletionParams(at(uri), where))
            times += [middle - began, time.perf_counter() - middle]
        client.text_document_did_close(lsp.DidCloseTextDocumentParams(at(uri)))
    return times


def _edited(client: Client, text: DocumentText, choice: random.Random) -> DocumentText:
    """One character more, or one less."""
    start = choice.randrange(len(text.text) + 1)
    new = choice.choice(_CHARACTERS) if choice.random() < 0.6 or start == len(text.text) else ""
    where = text.range(Span(start, start if new else start + 1))
    client.replace(text.uri, text.version + 1, where, new)
    change = lsp.TextDocumentContentChangePartial(range=where, text=new)
    return text.changed(text.version + 1, change)
