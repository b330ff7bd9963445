"""The values a variable can take."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from knower.records import dataclass

Value: TypeAlias = bool | int | str


@dataclass(frozen=True, slots=True)
class BoolDomain:
    @property
    def values(self) -> Sequence[Value]:
        return (False, True)

    def __contains__(self, value: object) -> bool:
        return isinstance(value, bool)

    def __str__(self) -> str:
        return "boolean"


@dataclass(frozen=True, slots=True)
class EnumDomain:
    values: tuple[str, ...]

    def __contains__(self, value: object) -> bool:
        return value in self.values

    def __str__(self) -> str:
        return "{" + ", ".join(self.values) + "}"


@dataclass(frozen=True, slots=True)
class RangeDomain:
    low: int
    high: int

    @property
    def values(self) -> Sequence[Value]:
        return range(self.low, self.high + 1)

    def __contains__(self, value: object) -> bool:
        """Whole numbers between the bounds; a fraction is outside."""
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            return False
        return value.denominator == 1 and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


Domain: TypeAlias = BoolDomain | EnumDomain | RangeDomain


_READABLE = 10**40


def shown(value: Value | Fraction) -> str:
    """A value as ISPL writes it; a number beyond reading only by its size."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) or -_READABLE < value < _READABLE:
        return str(value)
    sign, digits = "-" if value < 0 else "", int(abs(int(value)).bit_length() * 0.30103)
    return f"{sign}about 10^{digits}"


def size(domain: Domain) -> int:
    """How many values a variable of this domain has."""
    if isinstance(domain, RangeDomain):
        return domain.high - domain.low + 1
    return len(domain.values)


def related(left: Domain, right: Domain) -> bool:
    """Whether values of the two can be compared for equality.

    Enumerations are related when one's values include the other's.
    """
    if isinstance(left, EnumDomain) and isinstance(right, EnumDomain):
        a, b = set(left.values), set(right.values)
        return a <= b or b <= a
    return type(left) is type(right)
