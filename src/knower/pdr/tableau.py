"""Path formulas as automata: what is owed at a position, and what it leaves to be owed at the next.

An alternating automaton is made one without alternation as it is walked (Miyano and Hayashi, 1984): beside
what is owed, a location knows which eventualities have been open since all were met the last time. A step
that closes the last of them is marked; a path satisfies the formula iff its steps are marked for ever, or
nothing is owed any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from knower.errors import unsupported
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.records import dataclass
from knower.sat.programs import Option, Track, options, refuted

#: Formulas that must hold at a position, all of them.
Owed: TypeAlias = frozenset[Formula]
#: Names (or negated names) that hold now, and what is owed at the next position.
_Choice: TypeAlias = tuple[Owed, Owed]

#: Larger automata are not worth it.
_MOST_LOCATIONS = 100
_NOTHING: Owed = frozenset()


@dataclass(frozen=True, slots=True)
class Location:
    """What is owed, and which part of it has been open since all was met the last time."""

    owed: Owed
    open: Owed


@dataclass(frozen=True, slots=True)
class Edge:
    """A step from one location to another; None: nothing is owed any more. `names` hold before the step."""

    source: int
    names: Owed
    target: int | None
    marked: bool


@dataclass(frozen=True)
class Automaton:
    """Locations by number, the first is where paths begin."""

    locations: int
    edges: tuple[Edge, ...]

    @property
    def is_finite(self) -> bool:
        """Whether all that satisfies the formula does so after finitely many steps: no cycle is marked."""
        after: dict[int, set[int]] = {place: set() for place in range(self.locations)}
        for edge in self.edges:
            if edge.target is not None:
                after[edge.source].add(edge.target)
        return not any(
            edge.marked and edge.target is not None and edge.source in _closure(after, edge.target)
            for edge in self.edges
        )

    @property
    def for_ever(self) -> Automaton:
        """The same, with a last location where nothing is owed, for ever."""
        last = self.locations
        edges = (edge if edge.target is not None else replace(edge, target=last) for edge in self.edges)
        return Automaton(last + 1, (*edges, Edge(last, _NOTHING, last, marked=True)))


def _closure(after: dict[int, set[int]], start: int) -> set[int]:
    found, todo = {start}, [start]
    while todo:
        more = after[todo.pop()] - found
        found |= more
        todo += more
    return found


def automaton_of(track: Track) -> Automaton:
    """The automaton of a path formula in normal form."""
    owed = frozenset([track.body])
    start = Location(owed, owed)
    numbers, edges = {start: 0}, list[Edge]()
    todo = [start]
    while todo:
        here = todo.pop()
        for names, there, marked in _edges(here):
            if there is not None and there not in numbers:
                numbers[there] = len(numbers)
                todo.append(there)
            if len(numbers) > _MOST_LOCATIONS:
                raise unsupported(
                    f"the path formula has an automaton of more than {_MOST_LOCATIONS} locations"
                )
            edges.append(Edge(numbers[here], names, None if there is None else numbers[there], marked))
    return Automaton(len(numbers), tuple(dict.fromkeys(edges)))


def _edges(here: Location) -> Iterator[tuple[Owed, Location | None, bool]]:
    parts = sorted(here.owed, key=repr)
    for combined in product(*(_choices(part) for part in parts)):
        names = frozenset().union(*(choice[0] for choice in combined))
        if _is_absurd(names):
            continue
        after = frozenset().union(*(choice[1] for choice in combined))
        if not after:
            yield names, None, True
            continue
        chosen = zip(parts, combined, strict=True)
        open_still = frozenset().union(
            *(_eventual(choice[1]) for part, choice in chosen if part in here.open)
        )
        marked = not open_still
        yield names, Location(after, _eventual(after) if marked else open_still), marked


def _eventual(owed: Owed) -> Owed:
    return frozenset(item for item in owed if isinstance(item, f.Diamond))


def _is_absurd(names: Owed) -> bool:
    return f.FALSE in names or any(f.Not(name) in names for name in names)


def _choices(item: Formula) -> list[_Choice]:
    """All ways to fulfil a formula at a position: what must hold now, and what is owed then."""
    return _least(_ways(item))


def _ways(item: Formula) -> Iterator[_Choice]:
    match item:
        case f.Constant(value):
            yield from [(_NOTHING, _NOTHING)] if value else []
        case f.Atom() | f.Not():
            yield frozenset([item]), _NOTHING
        case f.And(left, right):
            yield from _both([_choices(left), _choices(right)])
        case f.Or(left, right):
            yield from _choices(left)
            yield from _choices(right)
        case f.Diamond(program, sub):
            for option in options(program):
                rest = _left(f.Diamond, option, sub)
                yield from _both([*map(_choices, _needed(option)), rest])
        case f.Box(program, sub):
            yield from _both([_avoided(option, sub) for option in options(program)])
        case _:
            raise TypeError(f"not a path formula in normal form: {item!r}")


def _needed(option: Option) -> Iterator[Formula]:
    yield from option.tests
    if option.guard is not None:
        yield option.guard


def _left(kind: type[f.Diamond | f.Box], option: Option, sub: Formula) -> list[_Choice]:
    """What is to be done after an option: the goal here if the program is done, else the rest of it, next."""
    if option.rest is None:
        return _choices(sub)
    if option.rest == f.Test(f.TRUE):
        return [(_NOTHING, frozenset([sub]))]
    return [(_NOTHING, frozenset([kind(option.rest, sub)]))]


def _avoided(option: Option, sub: Formula) -> list[_Choice]:
    """An option of a program that cannot be taken, or leads to what is asked."""
    misses = [choice for need in _needed(option) for choice in _choices(refuted(need))]
    return _least([*misses, *_left(f.Box, option, sub)])


def _both(parts: Iterable[list[_Choice]]) -> Iterator[_Choice]:
    for combined in product(*parts):
        names = frozenset().union(*(choice[0] for choice in combined))
        if not _is_absurd(names):
            yield names, frozenset().union(*(choice[1] for choice in combined))


def _least(choices: Iterable[_Choice]) -> list[_Choice]:
    """Without those that ask for more than another does."""
    found = list(dict.fromkeys(choices))
    return [one for one in found if not any(_is_less(other, one) for other in found if other != one)]


def _is_less(one: _Choice, other: _Choice) -> bool:
    return one[0] <= other[0] and one[1] <= other[1]
