"""Real models by strangers, with the verdicts of MCMAS 1.3.0."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knower import load
from knower.verdict.verdict import Verdict
from processes import PATIENCE

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"


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


@pytest.mark.parametrize("entry", ENTRIES or NOTHING, ids=_name)
def test_verdicts_are_those_of_the_peer(entry):
    system = load(CORPUS / entry["file"])
    result = system.check(time_limit=PATIENCE)
    expected = [Verdict.TRUE if verdict else Verdict.FALSE for verdict in entry["verdicts"]]
    assert list(result.verdicts) == expected
    assert result.states <= int(entry["peer_states"])
    codes = {warning.code for warning in result.warnings}
    assert ("deadlock" in codes) == entry["deadlock"]
    assert ("overflow" in codes) == entry["overflow"]


SMALL = [entry for entry in ENTRIES if entry["small"]]


@pytest.mark.parametrize("entry", SMALL or NOTHING, ids=_name)
def test_both_engines_agree_on_small_models(entry):
    system = load(CORPUS / entry["file"])
    fast, slow = system.check(), system.check(engine="explicit")
    assert (fast.verdicts, fast.states) == (slow.verdicts, slow.states)
    assert [w.code for w in fast.warnings] == [w.code for w in slow.warnings]
    for ours, other in zip(fast.warnings, slow.warnings, strict=True):
        assert len(ours.path or ()) == len(other.path or ())
