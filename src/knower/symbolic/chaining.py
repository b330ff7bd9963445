"""In which order moves are chained: each after one that leads to it.

A warden calls a prisoner, then questions him: chained call by call and then question by question, a sweep
over all moves is one visit; chained as call, question, call, question, … it is a visit to everybody.
"""

from __future__ import annotations

from collections.abc import Sequence

from knower.functions.protocol import F, Space
from knower.symbolic.partition import Partition

#: More moves are left in the order given: all pairs are looked at, in 2 µs each.
_MOST = 300


def in_turn(space: Space[F], moves: Sequence[Partition[F]]) -> list[Partition[F]]:
    """The moves, each followed by one it can lead to, if possible one that few others lead to."""
    if not 2 < len(moves) <= _MOST:
        return list(moves)
    return [moves[k] for k in _walk(_enabling(space, moves))]


def _enabling(space: Space[F], moves: Sequence[Partition[F]]) -> list[list[int]]:
    """For each move those that are possible somewhere it leads to from any state."""
    possible = [move.pre(space.true) for move in moves]
    found = [move.post(space.true) for move in moves]
    return [
        [k for k, where in enumerate(possible) if k != own and where & ends != space.false]
        for own, ends in enumerate(found)
    ]


def _walk(following: Sequence[Sequence[int]]) -> list[int]:
    """All places, each once: on to the neighbour that the fewest lead to, or the first that is left."""
    leading = [0] * len(following)
    for others in following:
        for k in others:
            leading[k] += 1
    left = dict.fromkeys(range(len(following)))
    order: list[int] = []
    while left:
        near = [k for k in following[order[-1]] if k in left] if order else []
        chosen = min(near, key=leading.__getitem__) if near else next(iter(left))
        del left[chosen]
        order.append(chosen)
    return order
