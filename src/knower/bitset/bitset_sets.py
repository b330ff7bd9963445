"""A set of numbered states as plain values (an `engine.protocol.StateSet`)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from knower.bitset.bits import Bits, members
from knower.bitset.space import Members, NumberedStates
from knower.records import dataclass
from knower.system.expressions import State
from knower.verdict.trace import Path


@dataclass(frozen=True)
class BitsetSet:
    """Some of the states of a space."""

    space: NumberedStates
    bits: Bits

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __iter__(self) -> Iterator[State]:
        return (self.space.states[number] for number in members(self.bits))

    def __contains__(self, state: object) -> bool:
        number = self.space.number.get(state)  # type: ignore[call-overload]
        return number is not None and bool(self.bits >> number & 1)

    def sample(self, count: int, seed: int = 0) -> list[State]:
        every = list(self)
        return random.Random(seed).sample(every, min(count, len(every)))

    def indistinguishable(self, state: State, members: Members) -> BitsetSet:
        sees, number = self.space.explicit.sees, self.space.number
        alike = (s for s in self if all(sees(who, s) == sees(who, state) for who in members))
        return BitsetSet(self.space, sum(1 << number[each] for each in alike))

    def path_to(self, state: State) -> Path:
        if state not in self:
            raise KeyError(state)
        return self.space.path_to(self.space.number[state])
