"""Sets of values, and boxes of them, for the lints' search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from knower.records import dataclass
from knower.system.domains import Domain, RangeDomain, Value, size

#: A variable as (owner, name), or an agent's action as (agent, "Action"): no variable has that name.
Key: TypeAlias = tuple[str, str]
#: What an unknown may still be: a set, or the numbers between two bounds where the domain is large.
#: One unknown's sets are all of one kind.
Values: TypeAlias = frozenset[Value] | range
#: Domains up to this size are sets: every comparison with one unknown is then exact.
_SMALL = 256


@dataclass(slots=True)
class Box:
    """What each unknown may be; every choice of values is a solution once the search is done."""

    domains: Mapping[Key, Values]
    values: dict[Key, Values] = field(default_factory=dict)
    moved: set[Key] = field(default_factory=set)

    def __getitem__(self, key: Key) -> Values:
        found = self.values.get(key)
        return self.domains[key] if found is None else found

    def narrow(self, key: Key, allowed: Values) -> bool:
        """Whether a value is left when only the allowed ones are kept."""
        before = self[key]
        after = meet(before, allowed)
        if after != before:
            self.values[key] = after
            self.moved.add(key)
        return bool(after)

    def copy(self) -> Box:
        return Box(self.domains, dict(self.values))

    def excludes(self, other: Box) -> bool:
        """Whether no choice of values is in both."""
        few, many = sorted((self.values, other.values), key=len)
        return any(not meet(values, many[key]) for key, values in few.items() if key in many)


def values_of(domain: Domain) -> Values:
    if isinstance(domain, RangeDomain) and size(domain) > _SMALL:
        return range(domain.low, domain.high + 1)
    return frozenset(domain.values)


def meet(one: Values, other: Values) -> Values:
    """What is in both; an unknown's sets are all frozensets or all ranges."""
    if isinstance(one, range) and isinstance(other, range):
        return range(max(one.start, other.start), min(one.stop, other.stop))
    assert isinstance(one, frozenset) and isinstance(other, frozenset)
    return one & other


def count(values: Values) -> int:
    return max(0, values.stop - values.start) if isinstance(values, range) else len(values)


def ends(values: Values) -> tuple[int, int]:
    """The least and the greatest of numbers."""
    if isinstance(values, range):
        return values.start, values.stop - 1
    return min(values), max(values)  # type: ignore[return-value]


def only(values: Values, high: bool) -> Values:
    """The least value alone, or the greatest; any one where values have no order."""
    if isinstance(values, range):
        end = values.stop - 1 if high else values.start
        return range(end, end + 1)
    return frozenset([(max if high else min)(values)])


def halves(values: Values) -> tuple[Values, Values]:
    if isinstance(values, range):
        middle = (values.start + values.stop) // 2
        return range(values.start, middle), range(middle, values.stop)
    listed = sorted(values, key=lambda value: (str(type(value)), value))
    return frozenset(listed[: len(listed) // 2]), frozenset(listed[len(listed) // 2 :])


def hull(found: set[Value], like: Values) -> Values:
    """The values found, as a set of the same kind."""
    if isinstance(like, frozenset):
        return frozenset(found)
    numbers = [value for value in found if isinstance(value, int)]
    return range(min(numbers), max(numbers) + 1) if numbers else range(0)


def multiples(values: Values, factor: int, least: int | None, most: int) -> Values:
    """The values `v` with `least <= factor * v <= most`."""
    if isinstance(values, frozenset):
        fine = (v for v in values if isinstance(v, int) and factor * v <= most)
        return frozenset(v for v in fine if least is None or least <= factor * v)
    low, high = ends(values)
    if factor < 0:
        factor, least, most = -factor, -most, -factor * high if least is None else -least
    elif least is None:
        least = factor * low
    return range(max(low, -(-least // factor)), min(high, most // factor) + 1)
