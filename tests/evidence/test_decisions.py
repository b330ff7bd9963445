"""Strategies in few rows: what the rows say is right and possible, and what is spoilt is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import knower
from engines import Asker
from hidden_games import game
from knower.evidence.merging import Box, Cases, Deed, merged
from knower.evidence.replay import replay
from knower.functions.registry import available
from knower.limits import Budget
from knower.options import AtlReading, Reading
from knower.verdict.decisions import DecisionRow, DecisionTable
from knower.verdict.evidence import Evidence, Strategy, everything
from knower.verdict.verdict import Verdict
from spoiling import LIMITS, explanations, swapped
from strategies import cases

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")

DEEDS: tuple[Deed, ...] = (("left",), ("right",), ("wait",))


@st.composite
def choices(draw) -> Cases:
    seen = draw(st.sets(st.tuples(*[st.integers(0, 3)] * draw(st.integers(1, 3))), min_size=1))
    allowed = {case: draw(st.frozensets(st.sampled_from(DEEDS), min_size=1)) for case in sorted(seen)}
    return Cases(allowed, frozenset(draw(st.sets(st.sampled_from(sorted(seen))))))


@settings(cases(60))
@given(choices(), st.integers(0, 3))
def test_rows_say_what_is_allowed_where_it_is_enabled(given_: Cases, wall: int) -> None:
    def enabled(deed: Deed, box: Box) -> bool:
        return deed != ("wait",) or (box[0] is not None and all(value <= wall for value in box[0]))

    able = Cases(
        {case: allowed - ({("wait",)} if case[0] > wall else set()) or frozenset(DEEDS[:1])
         for case, allowed in given_.allowed.items()},
        given_.needed,
    )  # fmt: skip
    table = DecisionTable(("A",), (("A", "x"),) * 3, merged(able, enabled, lambda: None))
    for case, allowed in able.allowed.items():
        told = [row.actions for row in table.rows if row.applies(case)]
        assert set(told) <= allowed
        assert told or case not in able.needed
    for row in table.rows:
        read = next((each.values for each in row.conditions if each.place == 0), None)
        assert row.actions != ("wait",) or (read is not None and max(read) <= wall)


def test_always_the_same_is_one_row() -> None:
    allowed = {(x, y): frozenset({("right",)}) for x in range(11) for y in range(19)}
    rows = merged(Cases(allowed, frozenset(allowed)), lambda deed, box: True, lambda: None)
    assert rows == (DecisionRow((), ("right",)),)


def test_only_what_tells_apart_is_read() -> None:
    allowed = {(x, y): frozenset({("right",) if x < 4 else ("left",)}) for x in range(9) for y in range(9)}
    rows = merged(Cases(allowed, frozenset(allowed)), lambda deed, box: True, lambda: None)
    assert {row.actions: [(c.place, c.values) for c in row.conditions] for row in rows} == {
        ("right",): [(0, (0, 1, 2, 3))],
        ("left",): [(0, (4, 5, 6, 7, 8))],
    }


# -- of strategies ------------------------------------------------------------------------------------------

CORRIDOR = """
Agent Robot
  Vars: x : 0..{length}; y : 0..{width}; end Vars
  Actions = {{ left, right }};
  Protocol: x < {length} : {{ right }}; x > 0 : {{ left }}; end Protocol
  Evolution:
    x = x + 1 and y = {width} - y if Action = right;
    x = x - 1 if Action = left;
  end Evolution
end Agent
Evaluation there if Robot.x = {length}; end Evaluation
InitStates Robot.x = 0; end InitStates
Formulae <Robot>F there; end Formulae
"""


@pytest.mark.parametrize("atl", ["uniform", "objective"])
def test_a_row_is_enabled_wherever_it_applies(atl: str) -> None:
    (result,) = knower.loads(CORRIDOR.format(length=40, width=4)).check(atl=atl, engine="bdd")
    proof = result.evidence.cases[0].proof
    assert isinstance(proof, Strategy) and not result.evidence.replay.mistakes
    ((row,),) = [table.rows for table in proof.tables]
    assert row.actions == ("right",)
    assert [(each.place, max(each.values)) for each in row.conditions] == [(0, 39)], "no right at the end"
    assert len(proof.rows) >= 40
    assert proof.tables[0].reads_states == (atl == "objective")
    text = result.evidence.to_dict()["cases"][0]["proof"]["tables"]
    assert text[0]["rows"][0]["actions"] == {"Robot": "right"}


class Found:
    def __init__(self, model: Asker, spec, evidence: Evidence, proof: Strategy) -> None:
        self.model, self.spec, self.evidence, self.proof = model, spec, evidence, proof

    def mistakes(self, tables: tuple[DecisionTable, ...]) -> tuple[str, ...]:
        spoilt = swapped(self.evidence, self.proof, replace(self.proof, tables=tables))
        return replay(
            spoilt, self.spec, Verdict.TRUE, self.model.system, self.model.reading, seconds=None
        ).mistakes


def strategies_of(dice: Random) -> Iterator[Found]:
    system = knower.loads(game(dice, fair=dice.random() < 0.3))
    reading = Reading(dice.choice([AtlReading.UNIFORM, AtlReading.OBJECTIVE]))
    model = Asker("bdd", system.interpreted, Budget(seconds=20), reading)
    shapes = ["<{g}>X {p}", "<{g}>F {p}", "<{g}>G {p}", "<{g}>(r U {p})", "<{g}>F (<P1>X {p})"]
    asked = [shape.format(g=dice.choice(["P1", "P2", "two"]), p=dice.choice("pqr")) for shape in shapes]
    for spec, verdict, evidence in explanations(model, [system.parse(text) for text in asked], LIMITS):
        for case in evidence.cases if evidence is not None and verdict is Verdict.TRUE else ():
            for proof in everything(case.proof):
                if isinstance(proof, Strategy):
                    yield Found(model, spec, evidence, proof)


def spoilt(found: Found) -> Iterator[tuple[str, tuple[DecisionTable, ...]]]:
    """Tables that are wrong, whatever the game: of the wrong kind, or with an action that is not enabled."""
    for place, table in enumerate(found.proof.tables):
        before, after = found.proof.tables[:place], found.proof.tables[place + 1 :]
        yield "kind", (*before, replace(table, reads_states=not table.reads_states), *after)
        yield "twice", (*found.proof.tables, table)
        yield "variables", (*before, replace(table, variables=table.variables[:-1]), *after)
        bad = replace(table.rows[0], actions=("no such action",) * len(table.agents))
        yield "action", (*before, replace(table, rows=(bad, *table.rows[1:])), *after)


def test_tables_are_judged_and_spoilt_ones_rejected() -> None:
    seen: Counter[str] = Counter()

    @settings(cases(12), phases=[Phase.generate])
    @given(st.randoms(use_true_random=False))
    def judge(dice: Random) -> None:
        for found in strategies_of(dice):
            assert found.mistakes(found.proof.tables) == ()
            seen["tables"] += len(found.proof.tables)
            for kind, tables in spoilt(found):
                assert found.mistakes(tables), (kind, found.spec)
                seen[kind] += 1

    judge()
    assert seen["tables"] > 5 and min(seen.values()) > 3
