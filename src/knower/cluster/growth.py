"""The reachable states as several explore them: what each has to do, and what comes of it together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic

from knower.checking.bounded import Growth
from knower.functions.protocol import F
from knower.symbolic.model import SymbolicModel


class Excursion(Generic[F]):
    """The states of one window, explored from some of them.

    What lies outside the window is seen, and left to others. So nobody does another's work; but a path
    that goes from window to window takes a round for each.
    """

    def __init__(self, model: SymbolicModel[F], start: F, window: F, known: F) -> None:
        self.model = model
        self.layers = 0
        self.seen: F = known
        self._known = known
        self._window = window
        self._inside: F = start
        self._outside: F = model.space.false
        self._fresh: F = start

    @property
    def is_over(self) -> bool:
        return self._fresh == self.model.space.false

    @property
    def found(self) -> F:
        """What was not known before."""
        return self.seen & ~self._known

    @property
    def left(self) -> F:
        """States some successors of which may still be unseen."""
        return self._fresh | self._outside

    def step(self) -> None:
        """One step further; the moves of a relation that has several are chained."""
        moves = self.model.relation.moves
        before = self._inside
        for move in moves:
            self.model.step()
            self._meet(move.post(self._fresh if len(moves) == 1 else self._inside))
        self._fresh = self._inside & ~before
        self.layers += 1

    def _meet(self, states: F) -> None:
        fresh = states & ~self.seen
        self.seen = self.seen | fresh
        here = fresh & self._window
        self._inside = self._inside | here
        self._outside = self._outside | (fresh & ~here)


class SharedGrowth(Growth[F]):
    """The union of what all have found."""

    def __init__(self, model: SymbolicModel[F]) -> None:
        super().__init__(model)
        self._told: F = model.initial
        self._done: F = model.space.false

    @property
    def frontier(self) -> F:
        """The states that are still to be explored."""
        return self._fresh

    def news(self) -> tuple[F, F]:
        """What is known beyond what was told the last time, and the frontier."""
        fresh = self.reached & ~self._told
        self._told, self._done = self.reached, self.model.space.false
        return fresh, self._fresh

    def resume(self, rounds: Iterable[tuple[F, F]]) -> None:
        """Go on where another growth was, by the news it has told."""
        for found, frontier in rounds:
            self.reached, self._fresh = self.reached | found, frontier
            self.depth += 1
        self._told = self.reached

    def unite(self, start: F, found: F, left: F) -> None:
        """Somebody has explored `start`, has found something and left some of it to others."""
        self.reached = self.reached | found
        self._done = self._done | ((start | found) & ~left)
        self._fresh = (self._fresh | found) & ~self._done

    def end_round(self) -> None:
        """All successors of the frontier as it was are known now, if all of it was explored."""
        self.depth += 1
