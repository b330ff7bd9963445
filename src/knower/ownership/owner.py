"""One owner: the states of its window and nobody else's, in a space of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeAlias

from knower.cluster.split import Window, inside
from knower.functions.protocol import F
from knower.functions.transport import packed, unpacked
from knower.records import dataclass
from knower.symbolic.system import TransitionSystem

#: A set of states, by the name all owners know it by: each has the part that is in its window.
Name: TypeAlias = int
#: What an owner has for others, by their places: sets as bytes.
Parcels: TypeAlias = dict[int, bytes]


@dataclass(frozen=True, slots=True)
class Sized:
    """How much an owner holds: states of its part, nodes of its diagram, and of all it has held at once."""

    states: int
    nodes: int
    peak: int


class Owner(Generic[F]):
    """Its part of every set; successors, predecessors and look-alikes of others' are sent to them.

    It knows the windows of all, never their states.
    """

    def __init__(self, place: int, windows: Sequence[Window], system: TransitionSystem[F]) -> None:
        self.place = place
        self.system = system
        self.space = system.space
        self.windows: list[F] = [inside(system.space, window) for window in windows]
        self.window: F = self.windows[place]
        self.reached: F = system.initial & self.window
        self.fresh: F = self.reached
        self.peak = 0
        self._sets: dict[Name, F] = {}

    # -- reaching states ------------------------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        return self.fresh == self.space.false

    def explore(self) -> Parcels:
        """All that can be reached from what is new without leaving the window; and what lies outside."""
        outside = self.space.false
        while not self.is_idle:
            met = self.system.relation.post(self.fresh)
            self.fresh = met & self.window & ~self.reached
            self.reached = self.reached | self.fresh
            outside = outside | (met & ~self.window)
            self._gauge()
        return self._parcels(outside)

    def meet(self, parcel: bytes) -> None:
        """States that others have come to."""
        (met,) = unpacked(self.space, parcel)
        new = met & self.window & ~self.reached
        self.reached, self.fresh = self.reached | new, self.fresh | new

    # -- sets -----------------------------------------------------------------------------------------------

    def keep(self, name: Name, states: F) -> None:
        self._sets[name] = states & self.window
        self._gauge()

    def part(self, name: Name) -> F:
        return self._sets[name]

    def drop(self, name: Name) -> None:
        self._sets.pop(name, None)

    def combine(self, name: Name, kind: str, operands: Sequence[Name]) -> None:
        """A set made of others, state by state: nobody has to be asked."""
        parts = [self._sets[each] for each in operands]
        self.keep(name, _LOCAL[kind](*parts))

    def known(self, name: Name, kind: str, what: str = "") -> None:
        """A set that each owner can tell by itself."""
        system = self.system
        made: Mapping[str, Callable[[], F]] = {
            "false": lambda: self.space.false,
            "true": lambda: self.space.true,
            "reached": lambda: self.reached,
            "initial": lambda: system.initial,
            "moving": lambda: system.moving,
            "label": lambda: system.label(what),
            "red": lambda: system.red(what),
        }
        self.keep(name, made[kind]())

    def is_same(self, one: Name, other: Name) -> bool:
        return self._sets[one] == self._sets[other]

    def count(self, name: Name) -> int:
        return self.system.count(self._sets[name])

    # -- what concerns others -------------------------------------------------------------------------------

    def sent_before(self, name: Name, of: Name) -> Parcels:
        """The predecessors of a part: one's own are kept, others' sent."""
        return self._spread(name, self.system.relation.pre(self._sets[of]))

    def sent_alike(self, name: Name, of: Name, members: tuple[str, ...]) -> Parcels:
        """What the members see of a part, wherever else it is seen."""
        return self._spread(name, self.system.indistinguishable_to_all(self._sets[of], members))

    def unite(self, name: Name, parcel: bytes) -> None:
        """More of a set, from others."""
        (more,) = unpacked(self.space, parcel)
        self.keep(name, self._sets[name] | more)

    def _spread(self, name: Name, states: F) -> Parcels:
        self.keep(name, states)
        return self._parcels(states & ~self.window)

    def _parcels(self, states: F) -> Parcels:
        parts = {place: states & window for place, window in enumerate(self.windows) if place != self.place}
        return {
            place: packed(self.space, [part]) for place, part in parts.items() if part != self.space.false
        }

    # -- how much -------------------------------------------------------------------------------------------

    def sized(self) -> Sized:
        return Sized(self.system.count(self.reached), self.space.size(self.reached), self.peak)

    def _gauge(self) -> None:
        self.peak = max(self.peak, self.space.nodes())


_LOCAL: Mapping[str, Callable[..., Any]] = {
    "and": lambda one, other: one & other,
    "or": lambda one, other: one | other,
    "not": lambda one: ~one,
}
