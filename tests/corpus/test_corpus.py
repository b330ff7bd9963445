"""Real models by strangers, with the verdicts of MCMAS 1.3.0."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knower import load
from knower.verdict.verdict import Verdict

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"

#: Where our verdict differs from the peer's and is right: (file ending, formula number) -> reason.
#: Each is explained in docs/peer-differences.md.
RIGHT_BY_US: dict[tuple[str, int], str] = {}


def _entries() -> list[dict]:
    if not CORPUS.is_dir():
        return []
    return json.loads((CORPUS / "expected.json").read_text())


ENTRIES = _entries()
needs_corpus = pytest.mark.skipif(not ENTRIES, reason="../shared/corpus is not here")
NOTHING = [pytest.param(None, marks=needs_corpus)]


def _name(entry: dict | None) -> str:
    return Path(entry["file"]).name if entry else "absent"


@needs_corpus
def test_the_corpus_is_whole():
    assert len(ENTRIES) == 85
    assert sum(len(entry["formulas"]) for entry in ENTRIES) == 529


@pytest.mark.parametrize("entry", ENTRIES or NOTHING, ids=_name)
def test_every_file_is_accepted(entry):
    system = load(CORPUS / entry["file"])
    assert len(system.formulae) == len(entry["verdicts"])


SMALL = [entry for entry in ENTRIES if entry["small"]]


@pytest.mark.parametrize("entry", SMALL or NOTHING, ids=_name)
def test_small_models_give_the_verdicts_of_the_peer(entry):
    result = load(CORPUS / entry["file"]).check()
    for formula, expected in zip(result, entry["verdicts"], strict=True):
        if (_name(entry), formula.number) in RIGHT_BY_US:
            expected = not expected
        assert formula.verdict is (Verdict.TRUE if expected else Verdict.FALSE), formula
    assert result.states <= int(entry["peer_states"])
    codes = {warning.code for warning in result.warnings}
    assert ("deadlock" in codes) == entry["deadlock"]
    assert ("overflow" in codes) == entry["overflow"]
