"""Which library, which order, how many nodes: no choice is best for every model, so some are tried.

Orders are tried in turn with room for few nodes, then all again with more room, those first that came
further (`courses`): a bad order costs no more than a good one a little later. What is too hard for every
fixed order goes, for a while, to the library that improves its order while it works; then the other orders
get the largest room too.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar
from weakref import ref

from knower.functions.protocol import Littered, NoRoom, Order, Reorderable, Space, TimeLimited
from knower.functions.registry import available, new_sdd_space, new_space
from knower.options import Tuning
from knower.records import dataclass
from knower.symbolic.courses import Courses, Outrun
from knower.symbolic.encode import Encoding
from knower.symbolic.order import arranged
from knower.symbolic.transition_parts import TransitionParts
from knower.symbolic.vtrees import ORDER, VTREE, planted

T = TypeVar("T")


class NodeBudget(NamedTuple):
    """So many nodes, and so many garbage collections before a larger room is taken."""

    nodes: int
    collections: int | None = None

    def with_more(self, more: int) -> NodeBudget:
        """The same with more garbage collections."""
        return self if self.collections is None else NodeBudget(self.nodes, self.collections + more)


#: A model with so few bits of the state is tried here first, in the first order: others are not even
#: arranged. A manager of OxiDD with the first of `_ROOMS` takes 9 ms and 4.5 MB before anything is in it,
#: this one 0.3 ms and 0.2 MB; what does not fit costs a few milliseconds. The number of bits is a guess.
_FEW_BITS, _SMALL_ROOM = 16, NodeBudget(1 << 14, 50)
#: Nor is a model small that has more lines of Evolution: 370 states in 5,616 lines have 40,000 nodes.
_FEW_LINES = 1000
#: The orders tried by default, and the room they get. With 2^18 and 2^21 nodes, 8 of 19 models tried
#: all three orders in vain and began the first one anew: to make a relation of 13,700 nodes (a game of
#: tic-tac-toe) leaves 500,000 behind. Where hardly anything is in use, more garbage collections are no cure
#: either: what was computed is lost with each (fifty prisoners: 20 s with thirty, 2 s with more room).
_CANDIDATES = ("replicas", "force", "interleaved-actions")
_ROOMS = (NodeBudget(1 << 20, 2), NodeBudget(1 << 22, 4))
_LARGE_ROOM, _LAST_ROOM = NodeBudget(1 << 24, 50), NodeBudget(1 << 27)
#: Nodes that building leaves behind, for each gate and bit of the state: seen with forty to a hundred muddy
#: children, nearly three. In a room for fewer, sixty of them took 2.3 s of 7.5 in vain.
_LITTER = 3
#: Where so many nodes are reached, another look for an order is taken; it has to be so many times better. A
#: deck of ten slots: 2.8 to 4 s in the first order that has room, 1.1 s in the better one. Both numbers are
#: guesses: seen on five models, not searched for.
_LARGE_SET, _MUCH = 20_000, 2
#: Where less of a room is in use, it is not the order that is wrong: horses and prisoners used a twentieth
#: and less in their good orders, Selene with other names an eighth in a bad one. Before the first step there
#: is nothing but the relation, which is much the same in all orders: a quarter for sixty muddy children.
_FEW, _FEW_AT_FIRST = 1 / 16, 1 / 3
#: The name of an order that a file tells.
FILE = "file"
#: From how many nodes on the order is improved, and for how many seconds before other ways are tried.
_REORDER_FROM, _REORDER_SECONDS = 50_000, 60.0
#: For how many seconds CUDD alone tries the order as it is.
_FIXED_SECONDS = 30.0


@dataclass(frozen=True)
class Configuration:
    """A library, an order by name, and how much room or time (in seconds) it gets; for SDDs a vtree."""

    library: str
    order: str
    room: NodeBudget | None = None
    reorder: bool = False
    seconds: float | None = None
    vtree: str | None = None


class OrderSearch:
    """Attempts at a model, one after the other; the next begins where the last was given up.

    `more_collections`: so many garbage collections more, for who leaves more behind than a full search.
    `like`: an attempt that was good elsewhere; with less room nothing is tried.
    """

    def __init__(
        self,
        encoding: Encoding,
        tuning: Tuning,
        *,
        more_collections: int = 0,
        like: Configuration | None = None,
    ) -> None:
        started = time.perf_counter()
        self.encoding = encoding
        self.tuning = tuning
        self.more_collections = more_collections
        self.attempt: Configuration | None = None
        self.attempts = 0
        self._courses = Courses()
        self._orders = _Orders(encoding)
        if tuning.order_file is not None:
            from knower.symbolic.order_file import order_in  # most runs need none

            self._orders[FILE] = order_in(tuning.order_file, encoding.layout)
        self._like = like
        self._space: Callable[[], Space[Any] | None] = lambda: None
        self._stages = iter(
            [_small_attempts(encoding, tuning), _first_attempts(tuning), _attempts(self._orders, tuning)]
        )
        self._left: list[Configuration] = []
        self._go_on()
        #: How long it took to find out what can be tried.
        self.seconds = time.perf_counter() - started

    def _go_on(self) -> bool:
        """Whether there are attempts left; those after the first are thought of when it has failed."""
        while not self._left and (stage := next(self._stages, None)) is not None:
            self._left = [
                each for each in stage if _nodes(each) >= _nodes(self._like) and self._may_do(each.room)
            ]
            if self.attempt is not None and self.attempt.room in _ROOMS:
                self._prefer(self.attempt)
        return bool(self._left)

    def _may_do(self, room: NodeBudget | None) -> bool:
        """Whether a room may do for what the circuits alone will leave in it."""
        if room not in _ROOMS:
            return True
        return _LITTER * self.encoding.gates * self.encoding.layout.state_bits <= room.nodes

    def made(self, make: Callable[[TransitionParts[Any], Configuration], T]) -> T:
        """What is made in the first attempt that has room for it; raises `NoRoom` when none has."""
        while self._go_on():
            if self._space() is not None:  # the diagrams of the attempt given up hold on to themselves
                gc.collect()
            attempt = self._left.pop(0)
            self.attempts += 1
            self._courses.begin(None if attempt.reorder else attempt.order)
            try:
                found = self._tried(attempt, make)
            except NoRoom as bound:
                self._give_up(attempt, bound)
                continue
            except BaseException:  # it was not the room that was wanting
                self._left.insert(0, attempt)
                raise
            else:
                self.attempt = attempt
                found = self._challenged(attempt, found, make)
                self._prefer(self.attempt)
                return found
        raise NoRoom("no order of the variables fits into memory")

    def _challenged(
        self, good: Configuration, found: T, make: Callable[[TransitionParts[Any], Configuration], T]
    ) -> T:
        """What was made, or the same in an order that is much better: large sets have formulas to come."""
        nodes = self._courses.nodes
        if good.reorder or nodes < _LARGE_SET:
            return found
        self._courses.end()
        self._go_on()
        for rival in self._rivals(good):
            self.attempts += 1
            self._courses.begin(rival.order)
            try:
                other = self._tried(rival, make)
            except NoRoom:
                pass
            except BaseException:  # a limit: what was made is lost with all else
                self._left.insert(0, good)
                raise
            else:
                if _MUCH * self._courses.nodes <= nodes:
                    found, nodes, self.attempt = other, self._courses.nodes, rival
            self._courses.end()
        return found

    def _rivals(self, good: Configuration) -> list[Configuration]:
        """Orders of which nothing is known, in the smallest room left to them: who is better needs less."""
        found: dict[str, Configuration] = {}
        for attempt in sorted(self._left, key=_nodes):
            same = (attempt.library, attempt.reorder) == (good.library, good.reorder)
            small = attempt.room in _ROOMS and _nodes(attempt) <= _nodes(good)
            if same and small and not self._courses.knows(attempt.order):
                found.setdefault(attempt.order, attempt)
        return list(found.values())

    def passed(self, nodes: int) -> None:
        """Told by what is made how large it is, where other orders can be compared; may raise `NoRoom`."""
        self._courses.passed(nodes)

    def again(self) -> None:
        """The next attempt is like the last one."""
        if self.attempt is not None:
            self._left.insert(0, self.attempt)

    @property
    def has_more(self) -> bool:
        """Whether there are attempts left."""
        return self._go_on()

    def _tried(self, attempt: Configuration, make: Callable[[TransitionParts[Any], Configuration], T]) -> T:
        space = self._new_space(attempt)
        self._space = ref(space)
        if attempt.reorder and isinstance(space, Reorderable):
            space.reorder_when(_REORDER_FROM)
        if attempt.seconds is not None and not _limited(space, attempt.seconds):
            raise NoRoom("this library cannot be stopped: what can comes first")
        with space.working():
            found = make(self._parts(space), attempt)
        _limited(space, None)
        if self.tuning.reorder != "off" and isinstance(space, Reorderable):
            space.reorder_when(max(2 * space.nodes(), _REORDER_FROM))
        return found

    def _parts(self, space: Space[Any]) -> TransitionParts[Any]:
        return TransitionParts(self.encoding, space, self.tuning.cluster_threshold)

    def _new_space(self, attempt: Configuration) -> Space[Any]:
        if attempt.vtree is not None:
            return new_sdd_space(planted(attempt.vtree, attempt.order, self.encoding), self.tuning.minimise)
        room = attempt.room and attempt.room.with_more(self.more_collections)
        nodes, collections = room or (None, None)
        return new_space(
            attempt.library, self._orders[attempt.order], nodes, collections, self.tuning.threads
        )

    def _give_up(self, attempt: Configuration, bound: NoRoom) -> None:
        """What is tried next: the same with more room, where that is all that was wanting."""
        leads = self._courses.leads
        self._courses.end()
        self._go_on()
        self._rank()
        like = [each for each in self._left if _is_like(each, attempt)]
        if leads and like and self._is_room_wanting(bound):
            self._left.remove(like[0])
            self._left.insert(0, like[0])
        if isinstance(bound, Outrun):
            self._left = [each for each in self._left if each not in like or each.room not in _ROOMS]

    def _is_room_wanting(self, bound: NoRoom) -> bool:
        """Whether it was not the order."""
        return isinstance(bound, Littered) and bound.share < (_FEW if self._courses.nodes else _FEW_AT_FIRST)

    def _rank(self) -> None:
        """Among attempts with the same room, the orders that came further first."""
        rooms: dict[object, list[int]] = {}
        for place, attempt in enumerate(self._left):
            rooms.setdefault((attempt.library, attempt.room, attempt.seconds), []).append(place)
        for places in rooms.values():
            ranked = sorted((self._left[k] for k in places), key=lambda each: self._courses.rank(each.order))
            for place, attempt in zip(places, ranked, strict=True):
                self._left[place] = attempt

    def _prefer(self, good: Configuration) -> None:
        """If more room is needed later: the same order first."""
        self._left.sort(key=lambda attempt: attempt.order != good.order or attempt.library != good.library)


def _is_like(attempt: Configuration, given_up: Configuration) -> bool:
    """Whether it is in the same order, in a room that is not the last."""
    same = (attempt.library, attempt.order) == (given_up.library, given_up.order)
    return same and attempt.room in (*_ROOMS, _LARGE_ROOM)


def _nodes(attempt: Configuration | None) -> int:
    return 0 if attempt is None or attempt.room is None else attempt.room.nodes


class _Orders(dict[str, Order]):
    """Orders of the variables by name, arranged when they are first asked for."""

    def __init__(self, encoding: Encoding) -> None:
        super().__init__()
        self._encoding = encoding

    def __missing__(self, name: str) -> Order:
        order = self[name] = arranged(name, self._encoding)
        return order


def _attempts(known: _Orders, tuning: Tuning) -> Iterator[Configuration]:
    """All but the first ones."""
    if tuning.library == "pysdd":
        vtree = VTREE if tuning.vtree == "auto" else tuning.vtree
        order = ORDER if tuning.order == "auto" else tuning.order
        yield Configuration(tuning.library, order, vtree=vtree)
        return
    here = available()
    library = here[0] if tuning.library == "auto" else tuning.library
    chosen = _chosen(tuning)
    orders = [chosen] if chosen else _distinct(known, _candidates(tuning))
    if library == "cudd" or tuning.reorder == "on":
        if tuning.reorder == "auto":
            yield Configuration("cudd", orders[0], seconds=_FIXED_SECONDS)
        yield Configuration("cudd", orders[0], reorder=tuning.reorder != "off")
        return
    fixed = [Configuration(library, order, room) for room in _ROOMS for order in orders]
    yield from fixed[1:]
    yield Configuration(library, orders[0], _LARGE_ROOM)
    both = tuning.library == "auto" and tuning.reorder != "off" and "cudd" in here
    if both:
        yield Configuration("cudd", orders[0], reorder=True, seconds=_REORDER_SECONDS)
    for order in orders[1:]:
        yield Configuration(library, order, _LARGE_ROOM)
    yield (
        Configuration("cudd", orders[0], reorder=True)
        if both
        else Configuration(library, orders[0], _LAST_ROOM)
    )


def _chosen(tuning: Tuning) -> str | None:
    """The only order to be tried, if there is one."""
    if tuning.order_file is not None:
        return FILE
    return None if tuning.order == "auto" else tuning.order


def _limited(space: Space[Any], seconds: float | None) -> bool:
    return isinstance(space, TimeLimited) and space.limit(seconds)


def _small_attempts(encoding: Encoding, tuning: Tuning) -> list[Configuration]:
    """What is tried first with a small model."""
    blocks = (block for agent in encoding.system.agents for block in agent.evolution)
    lines = sum(len(block.lines) for block in blocks)
    is_small = encoding.layout.state_bits <= _FEW_BITS and lines <= _FEW_LINES
    return [replace(first, room=_SMALL_ROOM) for first in _first_attempts(tuning) if is_small]


def _first_attempts(tuning: Tuning) -> list[Configuration]:
    """What is tried before other orders are looked at, by libraries whose rooms have a size."""
    library = next(iter(available()), "") if tuning.library == "auto" else tuning.library
    if library != "oxidd" or tuning.reorder == "on":
        return []
    return [Configuration(library, _chosen(tuning) or _candidates(tuning)[0], _ROOMS[0])]


def _candidates(tuning: Tuning) -> list[str]:
    """The orders that `auto` tries; first the one that was good before."""
    return [name for name in dict.fromkeys([tuning.first, *_CANDIDATES]) if name]


def _distinct(orders: _Orders, candidates: Iterable[str]) -> list[str]:
    """The candidates whose orders differ."""
    found: dict[tuple[tuple[int, ...], ...], str] = {}
    for name in candidates:
        found.setdefault(tuple(tuple(group) for group in orders[name]), name)
    return list(found.values())
