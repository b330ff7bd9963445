"""A set of states in parts of about the same size, by the values of few variables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import and_
from typing import Generic, TypeAlias

from knower.functions.protocol import F, Space, Variable
from knower.records import dataclass
from knower.symbolic.system import TransitionSystem

#: Values of some variables: the states that have them. Windows of one split meet nowhere, and together
#: they are everything.
Window: TypeAlias = tuple[tuple[Variable, bool], ...]

#: So many variables are tried, from the top of the order down: there, a part is smaller than the whole.
_CANDIDATES = 6
#: A side may have so large a share of the states; among such splits the smallest diagrams decide. By
#: states alone, halves were found whose diagrams were each as large as the whole, and as much work.
_LARGEST_SHARE = 0.75


def inside(space: Space[F], window: Window) -> F:
    """Everything that is in a window."""
    literals = (space.var(variable) if value else ~space.var(variable) for variable, value in window)
    return reduce(and_, literals, space.true)


@dataclass(frozen=True)
class Part(Generic[F]):
    """The states of a set in a window."""

    window: Window
    states: F
    count: int


def split(system: TransitionSystem[F], states: F, parts: int) -> list[Part[F]]:
    """At most so many parts, none of them empty: the largest diagram is split until there are enough."""
    whole: list[Part[F]] = [Part((), states, system.count(states))]
    while len(whole) < parts:
        largest = max(whole, key=lambda part: system.space.size(part.states))
        halves = _halves(system, largest)
        if halves is None:
            break
        whole.remove(largest)
        whole += halves
    return whole


def _halves(system: TransitionSystem[F], part: Part[F]) -> tuple[Part[F], Part[F]] | None:
    """By the variable that splits the states best; None if there is just one state."""
    found = list(_cuts(system, part))
    return min(found, key=lambda halves: _cost(system, halves), default=None)


def _cuts(system: TransitionSystem[F], part: Part[F]) -> Iterator[tuple[Part[F], Part[F]]]:
    space, tried = system.space, 0
    now = frozenset(system.layout.now)
    for variable in (v for v in space.order() if v in now):
        if tried == _CANDIDATES:
            return
        without = part.states & ~space.var(variable)
        count = system.count(without)
        if 0 < count < part.count:
            tried += 1
            yield (
                Part((*part.window, (variable, False)), without, count),
                Part((*part.window, (variable, True)), part.states & space.var(variable), part.count - count),
            )


def _cost(system: TransitionSystem[F], halves: tuple[Part[F], Part[F]]) -> tuple[float, int]:
    counts = [half.count for half in halves]
    share = max(counts) / sum(counts)
    return max(share, _LARGEST_SHARE), max(system.space.size(half.states) for half in halves)
