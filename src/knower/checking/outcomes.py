"""The plays that are left when a coalition follows a strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from knower.checking.arena import Arena
from knower.functions.protocol import F


class Outcomes(Generic[F]):
    """The steps inside `S` under a strategy (a function of state and actions)."""

    def __init__(self, arena: Arena[F], strategy: F, fairness: Sequence[F]) -> None:
        self._arena = arena
        self._space = arena.space
        self._system = arena.model.system
        self._strategy = strategy
        self._fairness = tuple(fairness) or (arena.universe,)

    # -- steps ----------------------------------------------------------------------------------------------

    def post(self, states: F) -> F:
        arena = self._arena
        after = self._space.exists(arena.steps.post(states & self._strategy), arena.own)
        return arena.universe & after | arena.looped & states

    def pre(self, states: F) -> F:
        arena = self._arena
        before = self._space.exists(arena.steps.pre(states) & self._strategy, arena.own)
        return arena.universe & before | arena.looped & states

    # -- sets -----------------------------------------------------------------------------------------------

    def staying(self, among: F) -> F:
        """From where a (fair) play may stay among these states for ever."""
        now, before = among, None
        while now != before:
            before = now
            for constraint in self._fairness:
                now = now & self.pre(self._reaching(now, now & constraint))
        return now

    def _reaching(self, among: F, target: F) -> F:
        """From where a play may come to the target, through these states; the target itself, too."""
        found = fresh = target
        while fresh != self._space.false:
            self._arena.model.step()
            fresh = self.pre(fresh) & among & ~found
            found = found | fresh
        return found

    # -- single plays ---------------------------------------------------------------------------------------

    def way(self, layers: Sequence[F], last: F) -> list[F]:
        """Single states, one of each layer, that lead to a state; the layers are such that there are some."""
        states = [last]
        for layer in reversed(layers):
            states.insert(0, self._system.one(layer & self.pre(states[0])))
        return states

    def cycle(self, begin: F, staying: F) -> list[F]:
        """A (fair) cycle that a play from a state can come to, among states of `staying`, step by step."""
        while True:
            walk = [begin]
            for constraint in self._fairness:
                walk += self.way_to(walk[-1], staying & constraint, staying) or []
            back = self.way_to(walk[-1], begin, staying)
            if back is not None:
                return [*walk, *back[:-1]]
            begin = walk[-1]

    def way_to(self, begin: F, target: F, among: F) -> list[F] | None:
        """The states after the first on a shortest way (of one step at least) to a target."""
        layers, fresh, seen = list[F](), begin, self._space.false
        while fresh != self._space.false:
            self._arena.model.step()
            layers.append(fresh)
            fresh = self.post(fresh) & among & ~seen
            seen = seen | fresh
            if fresh & target != self._space.false:
                return self.way(layers, self._system.one(fresh & target))[1:]
        return None
