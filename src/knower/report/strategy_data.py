"""A strategy as it is saved: what `--with` reads again."""

from __future__ import annotations

from typing import Any

from knower.report.proof_data import table_data
from knower.verdict.decisions import Condition, DecisionRow, DecisionTable
from knower.verdict.evidence import Evidence, Strategy, Vocabulary

_FORMAT = "knower-strategy-1"


def strategy_of(evidence: Evidence | None) -> Strategy | None:
    """The strategy that shows a verdict: that of its first initial state."""
    proof = None if evidence is None else evidence.cases[0].proof
    return proof if isinstance(proof, Strategy) else None


def saved_strategy(strategy: Strategy, names: Vocabulary, formula: str, digest: str) -> dict[str, Any]:
    """The strategy as plain data, with the digest of its model."""
    return {
        "format": _FORMAT,
        "model": digest,
        "formula": formula,
        "members": list(strategy.members),
        "starts": [names.state(state) for state in strategy.starts],
        "tables": [table_data(table) for table in strategy.tables or _as_it_is(strategy, names)],
    }


def _as_it_is(strategy: Strategy, names: Vocabulary) -> list[DecisionTable]:
    """A row for each case, where fewer were not found."""
    agents = dict.fromkeys(row.agents for row in strategy.rows)
    return [_table(strategy, unit, names) for unit in agents]


def _table(strategy: Strategy, unit: tuple[str, ...], names: Vocabulary) -> DecisionTable:
    by_observation = strategy.by_observation
    seen = names.observes[names.agents.index(unit[0])] if by_observation else names.variables
    rows = tuple(
        DecisionRow(tuple(Condition(place, (value,)) for place, value in enumerate(row.sees)), row.actions)
        for row in strategy.rows
        if row.agents == unit
    )
    return DecisionTable(unit, seen, rows, reads_states=not by_observation)
