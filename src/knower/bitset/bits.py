"""Sets of small numbers as the bits of one whole number, and fixpoints over the steps between them.

Complements come from `~`: such a set is negative, and holds beside its members all numbers there are. It is
cut back to a universe before anybody goes through its members.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from knower.limits import Budget

#: Number k is a member if bit k is set.
Bits: TypeAlias = int


def members(bits: Bits) -> Iterator[int]:
    """The members of a set that is no complement, the least first."""
    text = bin(bits)[:1:-1]
    at = text.find("1")
    while at >= 0:
        yield at
        at = text.find("1", at + 1)


def least(bits: Bits) -> int:
    """The least member of a set that is not empty."""
    return (bits & -bits).bit_length() - 1


def union(sets: Sequence[Bits], numbers: Bits) -> Bits:
    """The union of the sets with these numbers."""
    found = 0
    for number in members(numbers):
        found |= sets[number]
    return found


class Graph(ABC):
    """Nodes with steps between them; all sets are inside the universe."""

    universe: Bits
    budget: Budget

    @abstractmethod
    def pre(self, states: Bits) -> Bits:
        """`EX`: the nodes with a successor in a set."""

    @abstractmethod
    def post(self, states: Bits) -> Bits:
        """The successors of the nodes in a set."""

    def until(self, hold: Bits, goal: Bits) -> Bits:
        """`E(hold U goal)`: the least Z with Z = goal or (hold and EX Z)."""
        reached = fresh = goal
        while fresh:
            self.budget.tick()
            fresh = self.pre(fresh) & hold & ~reached
            reached |= fresh
        return reached

    def always(self, hold: Bits, fairness: Sequence[Bits] = ()) -> Bits:
        """`EG hold`: an infinite path inside `hold` that meets each of the sets infinitely often.

        The greatest Z with Z = hold and, for each set c, EX E(Z U (Z and c)).
        """
        kept = self.unending(hold)
        while True:
            after = kept
            for constraint in fairness:
                after &= self.pre(self.until(after, after & constraint))
            if after == kept:
                return kept
            kept = self.unending(after)

    def unending(self, hold: Bits) -> Bits:
        """The greatest Z with Z = hold and EX Z."""
        kept = hold
        while (after := kept & self.pre(kept)) != kept:
            self.budget.tick()
            kept = after
        return kept


class StateGraph(Graph):
    """The steps between the states of a universe, by the successors of each state."""

    def __init__(self, successors: Sequence[Bits], universe: Bits, budget: Budget) -> None:
        self.universe = universe
        self.budget = budget
        self._after = [after & universe for after in successors]
        self._before = [0] * len(successors)
        for state in members(universe):
            bit = 1 << state
            for after in members(self._after[state]):
                self._before[after] |= bit

    def pre(self, states: Bits) -> Bits:
        return union(self._before, states)

    def post(self, states: Bits) -> Bits:
        return union(self._after, states)

    def unending(self, hold: Bits) -> Bits:
        """States leave when they have run out of successors: only those before them are looked at again."""
        kept, doubtful = hold, hold
        while doubtful:
            self.budget.tick()
            gone = 0
            for state in members(doubtful):
                if not self._after[state] & kept:
                    gone |= 1 << state
            kept &= ~gone
            doubtful = self.pre(gone) & kept
        return kept
