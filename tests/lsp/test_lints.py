"""Lints agent by agent: the same as of the whole text, and none is looked for again without need."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from knower.errors import Diagnostic, merged
from knower.lsp.cutting import Cut
from knower.lsp.lints import Lints
from knower.lsp.pieces import Pieces
from knower.lsp.survey import Survey
from knower.model import Model
from knower.session import Session
from knower.source import Source

ROOT = Path(__file__).parents[2]
SOUND = (ROOT / "examples" / "bit_transmission.ispl").read_text()
ODD = """
Semantics = MultiAssignment;
Agent Environment
  Vars: idle : boolean; n : 0..3; end Vars
  Actions = {tick};
  Protocol: Other : {tick}; end Protocol
  Evolution: n = n + 1 if Action = tick; end Evolution
end Agent

Agent A
  Vars: x : 0..3; y : 0..3; end Vars
  Actions = {go, rest, never};
  Protocol:
    x < 2 : {go};
    x > 5 : {never};
  end Protocol
  Evolution:
    x = x + 1 if Action = go;
    y = 0 if Action = go;
    y = 1 if Action = rest and B.Action = stay;
  end Evolution
end Agent
Agent B
  Vars: z : boolean; end Vars
  Actions = {stay, leave};
  Protocol: Other : {leave}; end Protocol
  Evolution: z = true if Action = leave and A.Action = go; end Evolution
end Agent
Evaluation p if A.x >= 0; end Evaluation
InitStates A.x = 0; end InitStates
Groups g = {A, B}; end Groups
Formulae AG (p -> B.z = true); end Formulae
"""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session() as made:
        yield made


def looked(lints: Lints, text: str) -> list[Diagnostic]:
    """The lints of a text, after a look at what is not known of it."""
    source, cut = Source("m", text), Cut(Survey(text))
    found = Pieces().errors(source, cut)
    asyncio.run(lints.look(cut, found.sound, all_of_it=not found.errors))
    return lints.known(source, cut, found.sound)


def told(found: list[Diagnostic]) -> list[tuple[object, ...]]:
    return sorted((each.code, each.span[:2], each.message, each.cure) for each in merged(found))


TEXTS = [ODD, SOUND, *((ROOT / "examples" / "parametrised").glob("*.ispl"))]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: getattr(text, "stem", None))
def test_pieces_have_the_lints_of_the_whole(text, session):
    text = text if isinstance(text, str) else text.read_text()
    found = looked(Lints(session), text)
    assert told(found) == told(Model.read(Source("m", text)).lint())


def test_what_was_not_changed_is_not_looked_at_again(session):
    lints = Lints(session)
    before = looked(lints, ODD)
    looks = lints.looks
    assert looks == 4  # three agents, and what stands behind them
    assert told(looked(lints, "-- a comment\n" + ODD)) != told(before)  # it stands elsewhere
    assert lints.looks == looks + 1  # comments outside of agents are part of what stands behind them
    looked(lints, ODD.replace("z = true if", "z = false if"))
    assert lints.looks == looks + 2  # B alone
    looked(lints, ODD.replace("Other : {leave}", "Other : {stay}"))
    assert lints.looks == looks + 4  # B, and A, which hears what B does


def test_agents_without_errors_keep_their_lints(session):
    lints = Lints(session)
    whole = looked(lints, ODD)
    broken = ODD.replace("z = true if", "z = tru if")
    found = looked(lints, broken)
    assert {each.code for each in found} == {"L101", "L102", "L103", "L104", "L106", "L114"}
    assert len(found) < len(whole)


def test_lines_are_those_of_the_text(session):
    [rival] = [each for each in looked(Lints(session), ODD) if each.code == "L106"]
    line = 1 + ODD[: ODD.index("x = x + 1")].count("\n")
    assert f"line {line} " in rival.message
