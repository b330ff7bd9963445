"""Strategies in few rows: what is done where some conditions on what is seen hold.

A `DecisionTable` is plain data for whoever shows a strategy, keeps it, or plays by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from knower.records import dataclass

#: Whose variable, and its name.
Variable: TypeAlias = tuple[str, str]
Value: TypeAlias = bool | int | str


@dataclass(frozen=True)
class Condition:
    """The variable has one of these values; `place`: which of the variables of the table it is."""

    place: int
    values: tuple[Value, ...]

    def holds(self, seen: Sequence[Value]) -> bool:
        return seen[self.place] in self.values


@dataclass(frozen=True)
class DecisionRow:
    """Where all conditions hold, this is done: an action for each agent of the table."""

    conditions: tuple[Condition, ...]
    actions: tuple[str | None, ...]

    def applies(self, seen: Sequence[Value]) -> bool:
        return all(condition.holds(seen) for condition in self.conditions)


@dataclass(frozen=True)
class DecisionTable:
    """What some agents do: what the first row says whose conditions hold; where none do, it does not matter.

    A row is enabled wherever its conditions hold, in states that can come about or not. A table of one agent
    goes by what that agent observes; one that `reads_states` by the values of all variables, seen or not, and
    is for all its agents together.
    """

    agents: tuple[str, ...]
    variables: tuple[Variable, ...]
    rows: tuple[DecisionRow, ...]
    reads_states: bool = False

    def decide(self, seen: Sequence[Value]) -> tuple[str | None, ...] | None:
        """What is done on seeing this; None: whatever is enabled."""
        return next((row.actions for row in self.rows if row.applies(seen)), None)
