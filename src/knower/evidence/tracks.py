"""Paths on which a path formula holds: found among those that pay what they owe, then made shorter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Generic, TypeAlias

from knower.evidence.view import Tracks, View
from knower.evidence.ways import Clock, Ways
from knower.evidence.words import Account, accounted_for
from knower.functions.protocol import F
from knower.logic.formula import Formula
from knower.verdict.evidence import Run, State

#: Whether a state formula holds at a state.
Holds: TypeAlias = Callable[[Formula, State], bool]

#: How many shorter loops are tried.
_TRIED = 100


class Trackers(Generic[F]):
    """Finds paths of at most so many states."""

    def __init__(self, view: View[F], ways: Ways[F], most: int, clock: Clock) -> None:
        self.view = view
        self.ways = ways
        self.most = most
        self.clock = clock

    def track(self, path: Formula, normal: Formula, starts: F, holds: Holds) -> tuple[Run, Account]:
        """A path from one of the starts, in all of which there is one, and an account of the formula.

        `normal` is the formula in negation normal form; `holds(f, state)` tells of state formulas.
        """
        run = self._found(self.view.tracks(path, starts))
        account = self._account(run, normal, holds)
        assert account is not None, "the formula holds on the path that was found for it"
        if run.end is None:
            return self._shorter(run, account, normal, holds)
        return run, account

    def _account(self, run: Run, normal: Formula, holds: Holds) -> Account | None:
        self.clock.check()
        return accounted_for(normal, len(run.states), run.loop, lambda f, k: holds(f, run.states[k]))

    def _found(self, tracks: Tracks[F]) -> Run:
        """To where all is paid, or paying for ever.

        Infinite paths go on from where the last debt is paid, one step before nothing is owed.
        """
        size = len(self.view.explicit.system.domains)
        ways = Ways(tracks, self.most, self.clock)
        found = ways.shortest(tracks.initial, tracks.universe, tracks.goal)
        if found is None:
            run = ways.lasso(tracks.one(tracks.initial & tracks.endless), tracks.endless)
            return replace(run, states=tuple(state[:size] for state in run.states))
        states = [state[:size] for state in found]
        return self.ways.ending(states) if self.view.finite else self.ways.going_on(states[:-1])

    def _shorter(self, run: Run, account: Account, normal: Formula, holds: Holds) -> tuple[Run, Account]:
        """The shortest path along the same states on which the formula holds as well.

        What is owed makes states differ that are the same for the model: a loop may close earlier.
        """
        for last, loop in islice(_closings(run), _TRIED):
            shorter = Run(run.states[: last + 1], run.actions[: last + 1], loop, None)
            if self._is_fair(shorter.states[loop:]):
                found = self._account(shorter, normal, holds)
                if found is not None:
                    return shorter, found
        return run, account

    def _is_fair(self, states: Sequence[State]) -> bool:
        return all(
            any(self.view.only(state) & constraint != self.view.nothing for state in states)
            for constraint in self.view.fairness
        )


def _closings(run: Run) -> Iterator[tuple[int, int]]:
    """Where the path comes back to a state it has met: the last state before, and that state's place."""
    for last, after in enumerate(run.states[1:]):
        for loop in range(last + 1):
            if run.states[loop] == after:
                yield last, loop
