"""Paths on which a path formula holds: found among those that pay what they owe, then made shorter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, pairwise
from typing import Generic, TypeAlias

from knower.evidence.view import ProductView, View
from knower.evidence.ways import Clock, Ways
from knower.evidence.words import Account, accounted_for
from knower.functions.protocol import F
from knower.logic.formula import Constant, Does, Formula, Not
from knower.logic.kinds import is_of_step, says_who_does_what
from knower.verdict.evidence import Run, State

#: Whether a state formula holds at a state.
Holds: TypeAlias = Callable[[Formula, State], bool]

#: How many shorter loops are tried.
_TRIED = 100


class ProductSearch(Generic[F]):
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
        run = self._found(self.view.tracks(path, starts), by_steps=says_who_does_what(path))
        account = self._account(run, normal, holds)
        if account is None and run.loop is not None:  # it takes more than the states up to the end
            run = replace(run, end=None)
            account = self._account(run, normal, holds)
        assert account is not None, "the formula holds on the path that was found for it"
        return self._shorter(run, account, normal, holds) if run.end is None else (run, account)

    def _account(self, run: Run, normal: Formula, holds: Holds) -> Account | None:
        """Why the formula holds, by the states up to the end of the path."""
        self.clock.check()
        size, loop = len(run.states), run.loop
        if loop is not None and run.end is not None:  # what comes after the end is anything, for ever
            size, loop = run.end + 2, run.end + 1

        def known(formula: Formula, place: int) -> bool:
            if isinstance(formula, Constant):
                return formula.value
            if run.end is not None and place > run.end:
                return False
            if is_of_step(formula):
                return self._is_done(formula, run, place)
            return holds(formula, run.states[place])

        found = accounted_for(normal, size, loop, known)
        if found is None:
            return None
        return replace(found, met=tuple(item for item in found.met if item[0] < len(run.states)))

    def _is_done(self, formula: Formula, run: Run, place: int) -> bool:
        """Whether it is true of the step from a position who does what, or does not."""
        positive = not isinstance(formula, Not)
        said = formula if positive else formula.sub  # type: ignore[union-attr]
        assert isinstance(said, Does), "it speaks of a step"
        if place >= len(run.actions):  # a finite trace ends there
            return not positive
        joint = run.actions[place]
        return bool(joint) and (joint[self.view.explicit.seat[said.agent]] == said.action) is positive

    def _found(self, tracks: ProductView[F], *, by_steps: bool) -> Run:
        """To where all is paid, or paying for ever.

        Infinite paths go on from where the last debt is paid, one step before nothing is owed; that step
        counts if something is said of steps.
        """
        size = len(self.view.explicit.system.domains)
        ways = Ways(tracks, self.most, self.clock)
        found = ways.shortest(tracks.initial, tracks.universe, tracks.goal)
        if found is None:
            run = ways.lasso(tracks.one(tracks.initial & tracks.endless), tracks.endless)
            return replace(run, states=tuple(state[:size] for state in run.states))
        states = [state[:size] for state in found]
        if not by_steps:
            return self.ways.ending(states) if self.view.finite else self.ways.going_on(states[:-1])
        run = self.ways.ending(states) if self.view.finite else self.ways.going_on(states)
        taken = tuple(tracks.joint(before, after, {}) for before, after in pairwise(found))
        return replace(run, actions=(*taken, *run.actions[len(taken) :]))

    def _shorter(self, run: Run, account: Account, normal: Formula, holds: Holds) -> tuple[Run, Account]:
        """A shorter path along the same states on which the formula holds as well, if one is found.

        What is owed makes states differ that are the same for the model: a loop may close earlier, and
        a detour may be left out.
        """
        left = _TRIED
        candidates: Iterator[Run] = chain(_closed_earlier(run), _without_detours(run))
        while left and (shorter := next(candidates, None)) is not None:
            left -= 1
            found = self._account(shorter, normal, holds) if self._is_fair(shorter) else None
            if found is not None:
                run, account, candidates = shorter, found, _without_detours(shorter)
        return run, account

    def _is_fair(self, run: Run) -> bool:
        states = run.states[run.loop :]
        return all(
            any(self.view.only(state) & constraint != self.view.nothing for state in states)
            for constraint in self.view.fairness
        )


def _closed_earlier(run: Run) -> Iterator[Run]:
    """Where the path comes back to a state it has met, it may go round from there."""
    for last, after in enumerate(run.states[1:]):
        for loop in range(last + 1):
            if run.states[loop] == after:
                yield Run(run.states[: last + 1], run.actions[: last + 1], loop, None)


def _without_detours(run: Run) -> Iterator[Run]:
    """Between two visits to a state, nothing need happen."""
    assert run.loop is not None
    for first, state in enumerate(run.states):
        for again in range(len(run.states) - 1, first, -1):
            if run.states[again] == state and not first < run.loop <= again:
                states = run.states[:first] + run.states[again:]
                actions = run.actions[:first] + run.actions[again:]
                yield Run(states, actions, run.loop - (again - first) if run.loop > again else run.loop, None)
