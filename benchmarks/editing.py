"""How fast the language server is while somebody types: 200 edits of a model of 2,000 lines, and one of 5 MB.

    python benchmarks/editing.py [--edits 200] [--only KIND]

Prints, without and with a check that runs meanwhile: the time from `didChange` to the diagnostics of that
version (median, 95th percentile, largest), that of edits whose error must be in them, that to the lints of an
edit that makes one, and that of single requests. Then the same edits of other shapes of 2,000 lines: many
small agents, and one large one.

The edits are the same in every run: one character is typed, then taken back; in lines of Evolution, in names,
in declarations, in formulas and in comments.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from lsprotocol import types as lsp

from lsp_client import HARD, Client, at
from lsp_models import model
from lsp_mutations import typed_over

ROOT = Path(__file__).parents[1]
URI, BUSY = "file:///large.ispl", "file:///busy.ispl"


def told(name: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    print(
        f"  {name:45} median {statistics.median(ordered) * 1000:6.0f} ms   95 % {p95 * 1000:6.0f} ms   "
        f"largest {ordered[-1] * 1000:6.0f} ms"
    )


#: Pieces of text, what is typed behind them, whether that is an error there, and how many of ten edits it is.
EDITS = (
    ("    x = ", "1", None, 4),
    ("and Action = a", "q", True, 2),
    (" if x", "(", True, 1),
    ("  Vars: x : 0..4", "9", None, 1),
    ("AG !p", "q", True, 1),
    ("-- ", "w", None, 1),
)


def recorded(text: str, edits: int) -> Iterator[tuple[lsp.Position, str, bool | None]]:
    """Where something is typed, what, and whether it is an error; each is taken back before the next."""
    choice = random.Random(3)
    lines = text.split("\n")
    kinds = [edit[:3] for edit in EDITS for _ in range(edit[3])]
    for _ in range(edits // 2):
        piece, typed, wrong = choice.choice(kinds)
        line = choice.choice([number for number, line in enumerate(lines) if piece in line])
        yield lsp.Position(line, lines[line].index(piece) + len(piece)), typed, wrong


async def typed(client: Client, text: str, edits: int) -> tuple[list[float], list[float]]:
    """The times of all edits, and of those that must be told an error of."""
    times, wrong_times, version = [], [], 1
    for start, new, wrong in recorded(text, edits):
        end = lsp.Position(start.line, start.character + len(new))
        for where, put in ((lsp.Range(start, start), new), (lsp.Range(start, end), "")):
            version += 1
            began = time.perf_counter()
            client.replace(URI, version, where, put)
            found = await client.problems(URI, version)
            times.append(time.perf_counter() - began)
            if wrong and put:
                wrong_times.append(times[-1])
                assert any(problem.severity == lsp.DiagnosticSeverity.Error for problem in found)
    return times, wrong_times


async def linted(client: Client, text: str, edits: int) -> list[float]:
    """The times until a guard that is never true is told to be so."""
    times, version, lines = [], 10_000, text.split("\n")
    await client.until(lambda: any(d.code == "L114" for d in client.published[URI].diagnostics))
    told_of = {d.range.start.line for d in client.published[URI].diagnostics}
    guards = [number for number, line in enumerate(lines) if line.startswith("    x = ")]
    for line in random.Random(4).sample([line for line in guards if line not in told_of], edits):
        start = lsp.Position(line, lines[line].index(" if ") + 4)
        version += 2
        began = time.perf_counter()
        client.replace(URI, version, lsp.Range(start, start), "x < 0 and ")
        await client.until(lambda line=line: _is_told(client, line))
        times.append(time.perf_counter() - began)
        end = lsp.Position(line, start.character + len("x < 0 and "))
        client.replace(URI, version + 1, lsp.Range(start, end), "")
    return times


def _is_told(client: Client, line: int) -> bool:
    return any(d.code == "L114" and d.range.start.line == line for d in client.published[URI].diagnostics)


async def asked(client: Client, text: str) -> list[float]:
    """Single requests, one of each kind."""
    here = lsp.Position(8, 5)
    times = []
    for params, ask in (
        (lsp.DocumentSymbolParams(at(URI)), client.text_document_document_symbol_async),
        (lsp.CompletionParams(at(URI), lsp.Position(8, 6)), client.text_document_completion_async),
        (lsp.HoverParams(at(URI), here), client.text_document_hover_async),
        (lsp.DefinitionParams(at(URI), here), client.text_document_definition_async),
        (lsp.DocumentHighlightParams(at(URI), here), client.text_document_document_highlight_async),
        (lsp.CodeLensParams(at(URI)), client.text_document_code_lens_async),
        (
            lsp.SemanticTokensRangeParams(at(URI), lsp.Range(lsp.Position(0, 0), lsp.Position(80, 0))),
            client.text_document_semantic_tokens_range_async,
        ),
        (lsp.FoldingRangeParams(at(URI)), client.text_document_folding_range_async),
    ):
        began = time.perf_counter()
        await ask(params)
        times.append(time.perf_counter() - began)
    return times


async def session(text: str, edits: int, *, busy: bool = False) -> None:
    client = Client()
    await client.begin()
    if busy:
        client.open(BUSY, HARD)
        await client.problems(BUSY, 1)
        await client.workspace_execute_command_async(lsp.ExecuteCommandParams("knower.check", [BUSY, None]))
    client.open(URI, text)
    await client.problems(URI, 1)
    while_ = " while a check runs" if busy else ""
    times, wrong = await typed(client, text, edits)
    told(f"diagnostics{while_}", times)
    told(f"diagnostics with an error{while_}", wrong)
    told(f"lints{while_}", await linted(client, text, max(2, edits // 20)))
    told(f"requests{while_}", await asked(client, text))
    await client.end()


async def large() -> None:
    """One document of 5 MB: requests while it is read, and the time to an error at its end."""
    text = model(10, 8900)
    print(f"{len(text) / 1e6:.1f} MB:")
    client = Client()
    await client.begin()
    client.open(URI, text)
    told("requests", await asked(client, text))
    began = time.perf_counter()
    last = text.count("\n") - 1
    client.replace(URI, 2, lsp.Range(lsp.Position(last, 13), lsp.Position(last, 14)), "q")
    told("requests after an edit", await asked(client, text))
    await client.until(lambda: any(d.code == "E501" for d in client.published[URI].diagnostics))
    told("an error found", [time.perf_counter() - began])
    await client.end()


SHAPES = {"ten": (10, 190), "many": (100, 12), "one": (1, 1960)}


async def main(edits: int, only: str | None) -> None:
    for name, shape in SHAPES.items():
        text = model(*shape)
        if only in (None, name):
            print(f"{name}: {text.count(chr(10))} lines, {shape[0]} agents")
            await session(text, edits if name == "ten" else edits // 4)
            await session(text, edits if name == "ten" else edits // 4, busy=True)
    if only in (None, "large"):
        await large()
    if only in (None, "typed"):
        await corpus(10 * edits)


async def corpus(edits: int) -> None:
    """Random edits of the models of strangers, character by character."""
    folders = (ROOT / "examples", ROOT.parent / "shared" / "corpus" / "models")
    paths = [path for folder in folders for path in sorted(folder.glob("*.ispl"))]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]
    client = Client()
    await client.begin()
    times = await typed_over(client, texts, edits, 1)
    told(f"answers after {edits} edits of {len(texts)} texts", times)
    await client.end()


if __name__ == "__main__":
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--edits", type=int, default=200)
    options.add_argument("--only", choices=[*SHAPES, "large", "typed"])
    given = options.parse_args()
    asyncio.run(main(given.edits, given.only))
