"""Where the boxes of a graph stand in their rows, so that few arrows cross and most are short."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

_ROUNDS, _GAP = 8, 30.0


def ordered(ranks: Mapping[str, int], pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
    """The rows, each in an order by the middle of the neighbours, from above and from below in turn."""
    rows: dict[int, list[str]] = defaultdict(list)
    for name, rank in ranks.items():
        rows[rank].append(name)
    near = _neighbours(pairs)
    layers = [rows[rank] for rank in sorted(rows)]
    for turn in range(_ROUNDS):
        walk = range(1, len(layers)) if turn % 2 == 0 else range(len(layers) - 2, -1, -1)
        for place in walk:
            beside = layers[place - 1 if turn % 2 == 0 else place + 1]
            seat = {name: number for number, name in enumerate(beside)}
            layers[place] = _by_middle(layers[place], seat, near)
    return layers


def _neighbours(pairs: Sequence[tuple[str, str]]) -> dict[str, set[str]]:
    near: dict[str, set[str]] = defaultdict(set)
    for source, target in pairs:
        if source != target:
            near[source].add(target)
            near[target].add(source)
    return near


def _by_middle(row: list[str], seat: Mapping[str, int], near: Mapping[str, set[str]]) -> list[str]:
    """A row ordered by where the neighbours in another row sit; who has none keeps its place."""

    def middle(name: str) -> float:
        seats = [seat[other] for other in near.get(name, ()) if other in seat]
        return sum(seats) / len(seats) if seats else row.index(name) * len(seat) / len(row)

    return sorted(row, key=middle)


def centres(
    layers: Sequence[Sequence[str]], widths: Mapping[str, float], pairs: Sequence[tuple[str, str]]
) -> dict[str, float]:
    """The middle of each box: as near to its neighbours as the others in its row allow."""
    near, at = _neighbours(pairs), dict[str, float]()
    for row in layers:
        left = -sum(widths[name] + _GAP for name in row) / 2
        for name in row:
            at[name] = left + widths[name] / 2
            left += widths[name] + _GAP
    for _ in range(_ROUNDS):
        for row in layers:
            wanted = [_mean([at[other] for other in near.get(name, ())], at[name]) for name in row]
            at |= dict(zip(row, _apart(wanted, [widths[name] for name in row]), strict=True))
    return at


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _apart(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Places in the same order, near to those wanted, where no two boxes overlap.

    The middle between pushing to the right and pushing to the left.
    """
    right, left = list(wanted), list(wanted)
    for k in range(1, len(wanted)):
        right[k] = max(right[k], right[k - 1] + (widths[k - 1] + widths[k]) / 2 + _GAP)
    for k in range(len(wanted) - 2, -1, -1):
        left[k] = min(left[k], left[k + 1] - (widths[k + 1] + widths[k]) / 2 - _GAP)
    return [(one + other) / 2 for one, other in zip(right, left, strict=True)]
