"""Variables beside those of a system, for what paths owe: one set of them for all formulas."""

from __future__ import annotations

from typing import Generic

from knower.functions.protocol import F, Space


class ObligationVariable(Generic[F]):
    """A variable, now and at the next position."""

    def __init__(self, space: Space[F]) -> None:
        self.place, self.place_after = space.extend(2)
        self.now = space.var(self.place)
        self.after = space.var(self.place_after)


class ObligationVariables(Generic[F]):
    """As many as the largest automaton of a space needs, made when they are first asked for.

    All automata share them: they are used one after the other, and what one answers speaks of states only.
    A space has no way to give variables back.
    """

    def __init__(self, space: Space[F]) -> None:
        self.space = space
        self._made: list[ObligationVariable[F]] = []

    def __getitem__(self, number: int) -> ObligationVariable[F]:
        while len(self._made) <= number:
            self._made.append(ObligationVariable(self.space))
        return self._made[number]
