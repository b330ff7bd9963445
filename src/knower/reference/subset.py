"""Sets of numbered states that know `& | ~`, as explanations want them."""

from __future__ import annotations

from knower.records import dataclass


@dataclass(frozen=True, eq=False)
class Subset:
    """States by their numbers, or all but these: complements cost nothing."""

    universe: frozenset[int]
    numbers: frozenset[int]
    is_complement: bool = False

    def members(self) -> frozenset[int]:
        return self.universe - self.numbers if self.is_complement else self.numbers

    def __invert__(self) -> Subset:
        return Subset(self.universe, self.numbers, not self.is_complement)

    def __and__(self, other: Subset) -> Subset:
        match self.is_complement, other.is_complement:
            case False, False:
                return Subset(self.universe, self.numbers & other.numbers)
            case False, True:
                return Subset(self.universe, self.numbers - other.numbers)
            case True, False:
                return other & self
            case _:
                return Subset(self.universe, self.numbers | other.numbers, True)

    def __or__(self, other: Subset) -> Subset:
        return ~(~self & ~other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Subset):
            return NotImplemented
        if self.is_complement == other.is_complement:
            return self.numbers == other.numbers
        return self.members() == other.members()

    def __hash__(self) -> int:
        return hash(self.members())
