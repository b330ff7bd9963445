"""Paths through the states of a view: shortest ones, and lassos that are fair."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Generic

from knower.errors import LimitReached
from knower.evidence.view import Graph
from knower.functions.protocol import F
from knower.reasons import TooLarge
from knower.verdict.evidence import Run, State

#: The limit of time is one for all formulas: what is left of it for one of them tells nobody anything.
TAKES_LONG = "evidence takes long here"
#: How often states that no step leads to are taken away from where a cycle is looked for.
_TRIMMINGS = 64
#: How many states are tried for a shorter cycle.
_TRIED = 50


class TooLong(LimitReached):
    """A piece of evidence beyond its limits, and which."""

    @property
    def what(self) -> str:
        assert isinstance(self.reason, TooLarge), "that is how it is made"
        return self.reason.what


def too_long(what: str) -> TooLong:
    return TooLong(TooLarge(what))


class Clock:
    """So many seconds of computing for evidence, or any number for None."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._began = time.thread_time()
        self._began_at = time.perf_counter()

    def check(self) -> None:
        """Raises `TooLong` when they are over; who has not had the time has not computed for so long."""
        if self._seconds is None or time.perf_counter() - self._began_at <= self._seconds:
            return
        if time.thread_time() - self._began > self._seconds:
            raise too_long(TAKES_LONG)


class Ways(Generic[F]):
    """Finds paths of at most so many states."""

    def __init__(self, view: Graph[F], most: int, clock: Clock) -> None:
        self.view = view
        self.most = most
        self.clock = clock
        self._from_start = [view.initial]
        self._met = view.initial

    # -- runs ---------------------------------------------------------------------------------------------

    def run(self, states: Sequence[State]) -> Run:
        """A path to its last state; with fairness, it goes on from there fairly."""
        return self.going_on(states) if self.view.fairness else self.ending(states)

    def ending(self, states: Sequence[State]) -> Run:
        """A path to its last state."""
        return Run(tuple(states), self._actions(states), None, len(states) - 1)

    def going_on(self, states: Sequence[State]) -> Run:
        """A path to its last state, and on from there for ever (fairly)."""
        end = len(states) - 1
        tail, loop = self._lasso(states[-1], self.view.endless)
        return self._looping([*states, *tail[1:]], end + loop, end)

    def lasso(self, start: State, inside: F) -> Run:
        """A path for ever inside a set, from all of whose states there is one (with fairness: a fair one)."""
        states, loop = self._lasso(start, inside)
        if not self.view.fairness:
            states, loop = self._shorter(states, loop, inside)
        return self._looping(states, loop, None)

    def _looping(self, states: Sequence[State], loop: int, end: int | None) -> Run:
        actions = self._actions([*states, states[loop]])
        return Run(tuple(states), actions, loop, end)

    def _actions(self, states: Sequence[State]) -> tuple[tuple[str | None, ...], ...]:
        return tuple(self.view.joint(before, after, {}) for before, after in pairwise(states))

    # -- shortest paths -------------------------------------------------------------------------------------

    def shortest(self, starts: F, through: F, goal: F, most: int | None = None) -> list[State] | None:
        """From one of the starts to the goal, all but the last state inside `through`.

        None: there is no way, or none of at most so many states.
        """
        layers = [starts]
        met = starts
        while layers[-1] & goal == self.view.nothing:
            if most is not None and len(layers) >= most:
                return None
            layers[-1] = layers[-1] & through
            fresh = self._next(layers, met)
            if fresh == self.view.nothing:
                return None
            layers.append(fresh)
            met = met | fresh
        return self._back(layers, layers[-1] & goal)

    def from_start(self, goal: F) -> list[State]:
        """From an initial state to a set that can be reached."""
        layers = self._from_start
        for depth, layer in enumerate(layers):
            if layer & goal != self.view.nothing:
                return self._back(layers[: depth + 1], layer & goal)
        while layers[-1] & goal == self.view.nothing:
            layers.append(self._next(layers, self._met))
            self._met = self._met | layers[-1]
        return self._back(layers, layers[-1] & goal)

    def _next(self, layers: list[F], met: F) -> F:
        if len(layers) >= self.most:
            raise too_long(f"a path of more than {self.most} states")
        self.clock.check()
        self.view.step()
        return self.view.post(layers[-1]) & ~met

    def _back(self, layers: Sequence[F], last: F) -> list[State]:
        """A path through the layers, from its end."""
        view = self.view
        states = [view.one(last)]
        for layer in reversed(layers[:-1]):
            states.append(view.one(layer & view.pre(view.only(states[-1]))))
        return states[::-1]

    # -- lassos ---------------------------------------------------------------------------------------------

    def _lasso(self, start: State, inside: F) -> tuple[list[State], int]:
        """States, and the place the last leads back to.

        A cycle is tried where one may be near; where it does not close, its end lies deeper in the
        graph, and the next is tried from there.
        """
        path = self._nearest(start, inside)
        while True:
            cycle = self._round(path[-1], inside)
            back = self._again(cycle[-1], inside, path[-1])
            if back is not None:
                return [*path[:-1], *cycle, *back[:-1]], len(path) - 1
            path += self._deeper(cycle, inside)[1:]
            if len(path) > self.most:
                raise too_long(f"a loop after more than {self.most} states")

    def _nearest(self, start: State, inside: F) -> list[State]:
        """To a state which may be on a cycle: one that can be entered from others like it."""
        view, core = self.view, inside
        for _ in range(_TRIMMINGS):
            self.clock.check()
            view.step()
            smaller = core & view.post(core)
            if smaller == core:
                break
            core = smaller
        found = self.shortest(view.only(start), inside, core)
        assert found is not None, "every infinite path comes to a cycle"
        return found

    def _round(self, start: State, inside: F) -> list[State]:
        """From a state to each constraint in turn, unless it has been met on the way."""
        view, found = self.view, [start]
        for constraint in view.fairness:
            if self._meets(found, constraint):
                continue
            way = self.shortest(view.only(found[-1]), inside, constraint & inside)
            assert way is not None, "a fair path meets every constraint"
            found += way[1:]
        return found

    def _meets(self, states: Iterable[State], goal: F) -> bool:
        return any(self.view.only(state) & goal != self.view.nothing for state in states)

    def _again(self, last: State, inside: F, goal: State, most: int | None = None) -> list[State] | None:
        """From a state by at least one step to another; without the first state."""
        view = self.view
        return self.shortest(view.post(view.only(last)) & inside, inside, view.only(goal), most)

    def _shorter(self, states: list[State], loop: int, inside: F) -> tuple[list[State], int]:
        """A lasso with fewer states from the same start, if one is found near it."""
        view = self.view
        layers, met, tried = [view.only(states[0])], view.only(states[0]), 0
        while len(layers) < len(states) and layers[-1] != view.nothing:
            left = layers[-1]
            while left != view.nothing and tried < _TRIED:
                state = view.one(left)
                left, tried = left & ~view.only(state), tried + 1
                back = self._again(state, inside, state, len(states) - len(layers))
                if back is not None:
                    way = self._back(layers, view.only(state))
                    states, loop = [*way, *back[:-1]], len(way) - 1
            layers.append(self._next(layers, met) & inside)
            met = met | layers[-1]
        return states, loop

    def _deeper(self, cycle: list[State], inside: F) -> list[State]:
        """On from a round that does not close: to what lies furthest from its end."""
        view = self.view
        layers = [view.only(cycle[-1])]
        met = layers[0]
        while (fresh := self._next(layers, met) & inside) != view.nothing:
            layers.append(fresh)
            met = met | fresh
        return [*cycle[:-1], *self._back(layers, layers[-1])]
