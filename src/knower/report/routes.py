"""The ways of arrows between boxes in rows: down to the next row, back up, along a row, round to itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import hypot
from typing import TypeAlias

from knower.records import dataclass

Point: TypeAlias = tuple[float, float]

#: The height of a line of text; how long and wide the tip of an arrow is.
LINE = 14.5
_TIP, _HALF = 7.0, 3.2
#: The part of a side of a box where arrows arrive and leave.
_SHARE = 0.7


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a box stands: the middle of its upper side, its size and its row."""

    x: float
    top: float
    width: float
    height: float
    rank: int

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def y(self) -> float:
        return self.top + self.height / 2


@dataclass(frozen=True, slots=True)
class Route:
    """A cubic curve from a point to another."""

    points: tuple[Point, Point, Point, Point]

    @property
    def curve(self) -> str:
        start, one, two, end = (f"{x:.1f} {y:.1f}" for x, y in self.points)
        return f"M{start} C{one} {two} {end}"

    @property
    def middle(self) -> Point:
        a, b, c, d = self.points
        return (a[0] + 3 * b[0] + 3 * c[0] + d[0]) / 8, (a[1] + 3 * b[1] + 3 * c[1] + d[1]) / 8

    @property
    def rises(self) -> bool:
        """Whether it leaves a box at its upper side."""
        start, one, _, _ = self.points
        return one[0] == start[0] and one[1] < start[1]

    @property
    def tip(self) -> str:
        """The triangle at its end."""
        (fx, fy), (x, y) = self.points[2], self.points[3]
        length = hypot(x - fx, y - fy) or 1.0
        dx, dy = (x - fx) / length, (y - fy) / length
        bx, by = x - _TIP * dx, y - _TIP * dy
        one, two = (bx - _HALF * dy, by + _HALF * dx), (bx + _HALF * dy, by - _HALF * dx)
        return f"M{x:.1f} {y:.1f} L{one[0]:.1f} {one[1]:.1f} L{two[0]:.1f} {two[1]:.1f} Z"


#: From one box to another; True: beside the boxes, where no other arrow runs.
Wanted: TypeAlias = tuple[str, str, bool]


def routes(spots: Mapping[str, Spot], wanted: Sequence[Wanted]) -> list[Route]:
    """A way for each pair of boxes."""
    ports = _ports(spots, wanted)
    return [_route(spots, place, pair, ports) for place, pair in enumerate(wanted)]


def _route(
    spots: Mapping[str, Spot], place: int, wanted: Wanted, ports: Mapping[tuple[int, bool], float]
) -> Route:
    source, target = spots[wanted[0]], spots[wanted[1]]
    if source is target:
        return _round(source)
    if (place, True) in ports:
        return _between(source, target, ports[place, True], ports[place, False])
    return _along(source, target) if source.rank == target.rank else _aside(source, target, spots)


def _falls(source: Spot, target: Spot) -> bool | None:
    """Whether an arrow goes down to a lower row, or up to the one above; None: neither."""
    if target.rank > source.rank:
        return True
    return False if target.rank == source.rank - 1 else None


def _ports(spots: Mapping[str, Spot], wanted: Sequence[Wanted]) -> dict[tuple[int, bool], float]:
    """Where arrows leave (True) and arrive (False): side by side, in the order of their other ends.

    What rises is left of what falls.
    """
    sides: dict[tuple[str, bool], list[tuple[float, bool, int, bool]]] = defaultdict(list)
    for place, (source, target, beside) in enumerate(wanted):
        falls = _falls(spots[source], spots[target])
        if falls is not None and not beside:
            sides[source, falls].append((spots[target].x, falls, place, True))
            sides[target, not falls].append((spots[source].x, falls, place, False))
    found = {}
    for (name, _), ends in sides.items():
        for number, (_, _, place, leaves) in enumerate(sorted(ends), start=1):
            share = number / (len(ends) + 1) - 0.5
            found[place, leaves] = spots[name].x + _SHARE * spots[name].width * share
    return found


def _between(source: Spot, target: Spot, leaves: float, arrives: float) -> Route:
    falls = target.top > source.top
    start, end = (source.bottom, target.top) if falls else (source.top, target.bottom)
    bend = (end - start) / 2
    return Route(((leaves, start), (leaves, start + bend), (arrives, end - bend), (arrives, end)))


def _round(spot: Spot) -> Route:
    out, half = spot.right + 26, min(9.0, spot.height / 3)
    return Route(
        (
            (spot.right, spot.y - half),
            (out, spot.y - 2.4 * half),
            (out, spot.y + 2.4 * half),
            (spot.right, spot.y + half),
        )
    )


def _along(source: Spot, target: Spot) -> Route:
    """Under the row, so that boxes between the two are not crossed."""
    shift = 6.0 if target.x > source.x else -6.0
    start, end = (source.x + shift, source.bottom), (target.x - shift, target.bottom)
    low = max(start[1], end[1]) + 22
    return Route((start, (start[0] + 2 * shift, low), (end[0] - 2 * shift, low), end))


def _aside(source: Spot, target: Spot, spots: Mapping[str, Spot]) -> Route:
    """Over several rows: past the boxes between, on the right."""
    first, last = sorted((source.rank, target.rank))
    passed = [spot.right for spot in spots.values() if first <= spot.rank <= last]
    out = max(passed) + 60 + 9.0 * (last - first)
    return Route(((source.right, source.y), (out, source.y), (out, target.y), (target.right, target.y)))
