"""The reachable states as several explore them: what each has to do, and what comes of it together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic

from knower.functions.protocol import F
from knower.symbolic.exploration import Exploration
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
        moves = self.model.relation.partitions
        before = self._inside
        for partition in moves:
            self.model.step()
            self._meet(partition.post(self._fresh if len(moves) == 1 else self._inside))
        self._fresh = self._inside & ~before
        self.layers += 1

    def _meet(self, states: F) -> None:
        fresh = states & ~self.seen
        self.seen = self.seen | fresh
        here = fresh & self._window
        self._inside = self._inside | here
        self._outside = self._outside | (fresh & ~here)


class SharedGrowth(Generic[F]):
    """The union of what all have found, round by round: the same wherever the same rounds were heard."""

    def __init__(self, exploration: Exploration[F]) -> None:
        self._exploration = exploration
        self._told: F = exploration.reached

    @property
    def reached(self) -> F:
        return self._exploration.reached

    @property
    def model(self) -> SymbolicModel[F]:
        """The system, seen through what is reached."""
        return self._exploration.model

    @property
    def frontier(self) -> F:
        """The states that are still to be explored."""
        return self._exploration.frontier

    @property
    def depth(self) -> int:
        """The steps taken alone, and the rounds."""
        return self._exploration.depth

    @property
    def complete(self) -> bool:
        return self._exploration.complete

    def advance(self) -> None:
        """One step alone."""
        self._exploration.advance()

    def news(self) -> tuple[F, F] | None:
        """What was found since the last round, by whom grows alone, and the frontier; None if nothing was."""
        if self.reached == self._told:
            return None
        fresh, self._told = self.reached & ~self._told, self.reached
        return fresh, self.frontier

    def hear(self, excursions: Iterable[tuple[F, F, F]]) -> None:
        """A round: some have explored the frontier in their windows, have found and have left something.

        Of a window that nobody speaks of, the frontier stays.
        """
        space, reached = self._exploration.system.space, self.reached
        silent, left, explored = space.true, space.false, space.false
        for window, found, rest in excursions:
            reached, left = reached | found, left | rest
            silent = silent & ~window
            if found != rest:  # some of them went further than one step
                explored = explored | (found & ~rest)
        self._exploration.learn(reached, (left & ~explored) | (self.frontier & silent))
        self._told = reached
