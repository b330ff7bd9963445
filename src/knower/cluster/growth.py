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
    """The union of what all have found, round by round: the same wherever the same rounds were heard."""

    def __init__(self, model: SymbolicModel[F], *, exact: bool = False) -> None:
        super().__init__(model, exact=exact)
        self._told: F = model.initial

    @property
    def frontier(self) -> F:
        """The states that are still to be explored."""
        return self._fresh

    def news(self) -> tuple[F, F] | None:
        """What was found since the last round, by whom grows alone, and the frontier; None if nothing was."""
        if self.reached == self._told:
            return None
        fresh, self._told = self.reached & ~self._told, self.reached
        return fresh, self._fresh

    def hear(self, excursions: Iterable[tuple[F, F, F]]) -> None:
        """A round: some have explored the frontier in their windows, have found and have left something.

        Of a window that nobody speaks of, the frontier stays.
        """
        nothing = self.model.space.false
        silent, left, explored = self.model.space.true, nothing, nothing
        for window, found, rest in excursions:
            self.reached, left = self.reached | found, left | rest
            silent = silent & ~window
            if found != rest:  # some of them went further than one step
                explored = explored | (found & ~rest)
        self._fresh, self._told = (left & ~explored) | (self._fresh & silent), self.reached
        self.depth += 1
