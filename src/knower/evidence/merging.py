"""Few rows for many cases: boxes of values, with one deed each that is right for every case inside.

Two-level minimisation over variables of many values, by expanding one case after the other as espresso does:
small, not smallest. The rows may overlap; where they do, either is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from math import log
from typing import TypeAlias

from knower.records import dataclass
from knower.verdict.decisions import Condition, DecisionRow, Value

Seen: TypeAlias = tuple[Value, ...]
Deed: TypeAlias = tuple[str | None, ...]
#: For each variable the values it may have; None: any.
Box: TypeAlias = tuple[frozenset[Value] | None, ...]
#: Whether a deed is enabled everywhere in a box.
Enabled: TypeAlias = Callable[[Deed, Box], bool]

#: So many cases are expanded before the best row is taken: more take longer and were not seen to help.
_SEEDS = 6


@dataclass(frozen=True)
class Cases:
    """What may be done on seeing something: any of some deeds. Where not `needed`, nothing has to be said."""

    allowed: Mapping[Seen, frozenset[Deed]]
    needed: frozenset[Seen]


def merged(cases: Cases, enabled: Enabled, check: Callable[[], None]) -> tuple[DecisionRow, ...]:
    """Rows that say for every needed case something that is allowed, and for no case anything else.

    `check` is called on the way, and may raise.
    """
    return tuple(map(_row, _Merging(cases, enabled, check).rows()))


def _row(found: tuple[Box, Deed]) -> DecisionRow:
    box, deed = found
    told = [(place, values) for place, values in enumerate(box) if values is not None]
    return DecisionRow(tuple(Condition(place, tuple(sorted(values))) for place, values in told), deed)


class _Points:
    """Cases by the values of their variables: which of them lie in a box is a bit each."""

    def __init__(self, points: Sequence[Seen]) -> None:
        self.all = (1 << len(points)) - 1
        width = len(points[0]) if points else 0
        self._having: list[dict[Value, int]] = [{} for _ in range(width)]
        for number, point in enumerate(points):
            for having, value in zip(self._having, point, strict=True):
                having[value] = having.get(value, 0) | 1 << number

    def inside(self, box: Box) -> int:
        found = self.all
        for having, values in zip(self._having, box, strict=True):
            if values is not None:
                found &= _united(having.get(value, 0) for value in values)
        return found


def _united(sets: Iterable[int]) -> int:
    found = 0
    for each in sets:
        found |= each
    return found


class _Merging:
    def __init__(self, cases: Cases, enabled: Enabled, check: Callable[[], None]) -> None:
        self._enabled = enabled
        self._check = check
        self._cases = list(cases.allowed)
        self._allowed = [cases.allowed[case] for case in self._cases]
        self._points = _Points(self._cases)
        self._needed = _united(1 << k for k, case in enumerate(self._cases) if case in cases.needed)

    def rows(self) -> Iterator[tuple[Box, Deed]]:
        """In the order in which cases come to them."""
        found = self._irredundant(list(self._covering()))
        first = {row: _lowest(self._points.inside(row[0]) & self._needed) for row in found}
        return iter(sorted(found, key=lambda row: first[row]))

    def _covering(self) -> Iterator[tuple[Box, Deed]]:
        """Each row with the most cases that those before it have left."""
        left = self._needed
        while left:
            self._check()
            box, deed = max(self._grown_from(left), key=lambda row: self._worth(row[0], left))
            yield box, deed
            left &= ~self._points.inside(box)

    def _worth(self, box: Box, left: int) -> tuple[int, int]:
        inside = (self._points.inside(box) & left).bit_count()
        return inside, -sum(len(values) for values in box if values is not None)

    def _irredundant(self, rows: list[tuple[Box, Deed]]) -> list[tuple[Box, Deed]]:
        """Without rows whose cases the others cover."""
        for row in reversed(rows[:]):
            others = _united(self._points.inside(box) for box, _ in rows if (box, _) != row)
            if not self._needed & ~others:
                rows.remove(row)
        return rows

    # -- one row --------------------------------------------------------------------------------------------

    def _grown_from(self, left: int) -> Iterator[tuple[Box, Deed]]:
        for number in islice(_members(left), _SEEDS):
            for deed in sorted(self._allowed[number], key=str):
                for order in self._orders:
                    yield self._grown(self._cases[number], deed, order, left), deed

    def _grown(self, seed: Seen, deed: Deed, order: Sequence[int], left: int) -> Box:
        box: Box = tuple(frozenset((value,)) for value in seed)
        for place in order:
            box = self._if_right(_with(box, place, None), deed, box)
        for place in order:
            for value in self._values[place]:
                values = box[place]
                if values is not None and value not in values:
                    box = self._if_right(_with(box, place, values | {value}), deed, box)
        return self._narrowed(box, left)

    def _if_right(self, wider: Box, deed: Deed, box: Box) -> Box:
        """The wider box, if the deed is right for all cases there and enabled all over it."""
        wrong = self._points.inside(wider) & self._forbidding(deed)
        return wider if not wrong and self._enabled(deed, wider) else box

    def _narrowed(self, box: Box, left: int) -> Box:
        """Without values that no case needs."""
        inside = [self._cases[number] for number in _members(self._points.inside(box) & left)]
        return tuple(
            None if values is None else frozenset(case[place] for case in inside)
            for place, values in enumerate(box)
        )

    def _forbidding(self, deed: Deed) -> int:
        if deed not in self._forbidden:
            wrong = (k for k, allowed in enumerate(self._allowed) if deed not in allowed)
            self._forbidden[deed] = _united(1 << k for k in wrong)
        return self._forbidden[deed]

    @cached_property
    def _forbidden(self) -> dict[Deed, int]:
        return {}

    @cached_property
    def _values(self) -> list[list[Value]]:
        """The values that each variable has in some case."""
        return [list(dict.fromkeys(column)) for column in zip(*self._cases, strict=True)]

    @cached_property
    def _orders(self) -> list[list[int]]:
        """Which conditions are given up first: those that tell least; the last; the first."""
        places = list(range(len(self._values)))
        telling = [
            _entropy(zip(column, self._allowed, strict=True)) for column in zip(*self._cases, strict=True)
        ]
        return [sorted(places, key=lambda place: -telling[place]), places[::-1], places]


def _entropy(pairs: Iterable[tuple[Value, frozenset[Deed]]]) -> float:
    """How much is left open about what to do when the value is known, in bits times cases."""
    counts: dict[Value, dict[frozenset[Deed], int]] = {}
    for value, allowed in pairs:
        by = counts.setdefault(value, {})
        by[allowed] = by.get(allowed, 0) + 1
    return sum(n * log(sum(by.values()) / n, 2) for by in counts.values() for n in by.values())


def _with(box: Box, place: int, values: frozenset[Value] | None) -> Box:
    return (*box[:place], values, *box[place + 1 :])


def _members(numbers: int) -> Iterator[int]:
    while numbers:
        number = _lowest(numbers)
        yield number
        numbers &= numbers - 1


def _lowest(numbers: int) -> int:
    return (numbers & -numbers).bit_length() - 1
