"""Errors agent by agent, and texts that are being typed."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from knower.errors import Diagnostic, InputError
from knower.lsp import cutting
from knower.lsp.colours import colours
from knower.lsp.completion import completions
from knower.lsp.cutting import Cut
from knower.lsp.outline import folds, outline
from knower.lsp.pieces import Pieces
from knower.lsp.reading import Reading
from knower.lsp.survey import Survey
from knower.lsp.text import DocumentText
from knower.model import Model
from knower.source import Source, Span

ROOT = Path(__file__).parents[2]
STRANGERS = sorted((ROOT.parent / "shared" / "corpus" / "models").glob("*.ispl"))
TEXTS = [path.read_text(errors="replace") for path in [*(ROOT / "examples").glob("*.ispl"), *STRANGERS]]
TEXTS = sorted(text for text in TEXTS if len(text) < 12_000)


def examples(count: int) -> int:
    """So many, times KNOWER_EXAMPLES."""
    return max(1, round(count * float(os.environ.get("KNOWER_EXAMPLES", "1"))))


def is_wrong(text: str) -> bool:
    try:
        Model.read(Source("m", text))
    except InputError:
        return True
    return False


def whole(text: str) -> list[Diagnostic]:
    try:
        Model.read(Source("m", text))
    except InputError as error:
        return list(error.diagnostics)
    return []


def found_in(text: str, pieces: Pieces) -> list[Diagnostic]:
    return pieces.errors(Source("m", text), Cut(Survey(text))).errors


def mutated(text: str, choice: random.Random) -> str:
    at = choice.randrange(len(text))
    if choice.random() < 0.5:
        return text[:at] + text[at + choice.randrange(1, 8) :]
    return text[:at] + choice.choice([";", "{", "}", "(", "=", "a", "1", " ", ".", "end ", "§"]) + text[at:]


def test_a_text_is_wrong_piece_by_piece_if_it_is_as_a_whole():
    choice, pieces = random.Random(7), Pieces()
    for _ in range(examples(120)):
        text = mutated(choice.choice(TEXTS), choice)
        found = found_in(text, pieces)
        assert bool(found) == is_wrong(text), text


def test_what_was_not_changed_is_not_read_again():
    text = (ROOT / "examples" / "bit_transmission.ispl").read_text()
    pieces = Pieces()
    assert found_in(text, pieces) == []
    before = pieces.read
    changed = text.replace("acked = true if", "acked = false if", 1)
    assert changed != text
    found_in(changed, pieces)
    assert pieces.read == before + 1
    found_in(text, pieces)
    assert pieces.read == before + 1


def test_errors_stand_where_they_are():
    text = (ROOT / "examples" / "bit_transmission.ispl").read_text().replace("listen if", "lisen if")
    text = text.replace("acked = true if", "aked = true if", 1)
    [error] = found_in(text, Pieces())
    assert text[error.span.start : error.span.end] == "aked"


@pytest.mark.parametrize("seed", range(3))
def test_texts_that_are_being_typed(seed):
    """Outline, completion, colours and folds never fail, whatever stands there."""
    choice = random.Random(seed)
    for _ in range(examples(40)):
        text = choice.choice(TEXTS)
        for _ in range(choice.randrange(1, 6)):
            text = mutated(text, choice) or " "
        reading, found = Reading(text), DocumentText("file:///m", 1, text)
        outline(found, reading.survey)
        folds(found, reading.survey)
        completions(found, reading, choice.randrange(len(text) + 1))
        start = choice.randrange(len(text))
        packed = colours(found, reading, Span(start, min(len(text), start + 500)))
        assert len(packed) % 5 == 0


def test_a_long_evolution_is_read_in_parts(monkeypatch):
    monkeypatch.setattr(cutting, "_LONG", 100)
    monkeypatch.setattr(cutting, "_LINES", 3)
    choice, pieces = random.Random(8), Pieces()
    for _ in range(examples(80)):
        text = mutated(choice.choice(TEXTS), choice)
        assert bool(found_in(text, pieces)) == is_wrong(text), text
    text = max(TEXTS, key=len)
    cut = Cut(Survey(text))
    assert max(len(cut.parts(k)) for k in range(len(cut.agents))) > 3
    wrong = text.replace("if Action", "if Acton")
    assert [e.span[:2] for e in found_in(wrong, pieces)][:5] == [e.span[:2] for e in whole(wrong)][:5]
