"""Random edits of the corpus, character by character: the server never fails.

`make agreement` makes 2,000 of them; `benchmarks/editing.py --only typed` tells how fast answers are.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from pygls.exceptions import JsonRpcException

from knower.lsp.server import make_server
from knower.session import Session
from lsp_client import Client
from lsp_mutations import typed_over

ROOT = Path(__file__).parents[2]
CORPUS = ROOT.parent / "shared" / "corpus" / "models"
TEXTS = [
    path.read_text(encoding="utf-8", errors="replace")
    for folder in (ROOT / "examples", ROOT / "examples" / "parametrised", CORPUS)
    for path in sorted(folder.glob("*.ispl"))
]


def test_no_edit_makes_the_server_fail():
    edits = max(10, round(80 * float(os.environ.get("KNOWER_EXAMPLES", "1"))))
    seed = 1 if "KNOWER_RANDOM" not in os.environ else int.from_bytes(os.urandom(4))
    short = [text for text in TEXTS if len(text) < 20_000 or edits > 1000]

    async def run() -> None:
        client = Client()
        await client.begin()
        await typed_over(client, short, edits, seed)
        await client.end()

    asyncio.run(run())


def test_a_failure_would_be_told():
    with Session() as session:
        server, told = make_server(session), []
        server.window_log_message = told.append
        server.report_server_error(JsonRpcException("no"), None)
        assert told == []
        server.report_server_error(ValueError("wrong"), None)
    assert told[0].message == "the language server failed: ValueError: wrong"
