"""Owners side by side, in this process: who does what next, what that takes, and when all is over.

Each owner has a clock: what it computes is added to it, and a message cannot be read before its sender's
clock plus the time it takes on the way. So the largest clock is how long as many machines would need; what
the master does is not counted.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any, TypeVar

from knower.ownership.owner import Owner, Parcels, Sized
from knower.records import dataclass

T = TypeVar("T")

#: Bytes in a second that the network is taken to carry.
BANDWIDTH = 1e9


@dataclass(frozen=True, slots=True)
class Message:
    """Something for an owner, which it can read from a time on."""

    parcel: bytes
    arrives: float


@dataclass(slots=True)
class Traffic:
    """What an owner has told of its messages: how many were sent and received, and whether it is idle."""

    sent: int = 0
    received: int = 0
    idle: bool = False


class Termination:
    """Whether nobody works and nothing is on its way, by asking each owner at another time (Mattern 1987).

    One round of questions is not enough: a message may overtake it. If two rounds tell the same, with as many
    messages received as sent, all was over when the first one ended.
    """

    def __init__(self) -> None:
        self._before: tuple[int, int] | None = None

    def is_reached(self, told: Sequence[Traffic]) -> bool:
        sums = sum(each.sent for each in told), sum(each.received for each in told)
        if sums[0] != sums[1] or not all(each.idle for each in told):
            self._before = None
            return False
        before, self._before = self._before, sums
        return before == sums


@dataclass
class Network:
    """Owners and what is on its way between them."""

    owners: list[Owner[Any]]
    #: Bytes and messages that were sent, and the seconds all have computed.
    sent: int = 0
    messages: int = 0
    computed: float = 0.0
    _clocks: list[float] = field(default_factory=list)
    _inboxes: list[deque[Message]] = field(default_factory=list)
    _traffic: list[Traffic] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._clocks = [0.0] * len(self.owners)
        self._inboxes = [deque() for _ in self.owners]
        self._traffic = [Traffic() for _ in self.owners]

    @property
    def elapsed(self) -> float:
        """The seconds it would take if each owner was a machine."""
        return max(self._clocks)

    def sized(self) -> list[Sized]:
        return [owner.sized() for owner in self.owners]

    # -- all states -----------------------------------------------------------------------------------------

    def reach(self) -> None:
        """All reachable states: nobody waits for others, but for something to do."""
        end = Termination()
        for traffic in self._traffic:
            traffic.idle = False
        while not end.is_reached(self._traffic):
            for place in sorted(range(len(self.owners)), key=self._ready_at):
                self._explore(place)

    def _ready_at(self, place: int) -> float:
        """When an owner can go on."""
        box = self._inboxes[place]
        return self._clocks[place] if not box else max(self._clocks[place], box[0].arrives)

    def _explore(self, place: int) -> None:
        owner = self.owners[place]
        for message in self._read(place):
            with self._clocked(place):
                owner.meet(message.parcel)
        with self._clocked(place):
            parcels = owner.explore()
        self._send(place, parcels)
        self._traffic[place].idle = owner.is_idle

    def _read(self, place: int) -> Iterator[Message]:
        """What is there; and if nothing else is to be done, what comes next."""
        box = self._inboxes[place]
        while box:
            message = box.popleft()
            self._clocks[place] = max(self._clocks[place], message.arrives)
            self._traffic[place].received += 1
            yield message

    # -- sets -----------------------------------------------------------------------------------------------

    def everybody(self, work: Callable[[Owner[Any]], T]) -> list[T]:
        """Something that each owner does by itself."""
        found = []
        for place, owner in enumerate(self.owners):
            with self._clocked(place):
                found.append(work(owner))
        return found

    def agreed(self, work: Callable[[Owner[Any]], T]) -> list[T]:
        """The same where all have to be heard before anybody goes on."""
        found = self.everybody(work)
        self._clocks = [self.elapsed] * len(self.owners)
        return found

    def exchange(
        self, told: Callable[[Owner[Any]], Parcels], heard: Callable[[Owner[Any], bytes], None]
    ) -> None:
        """Each owner has something for others, and hears all they have for it before it goes on."""
        for place, parcels in enumerate(self.everybody(told)):
            self._send(place, parcels)
        self._clocks = [self.elapsed] * len(self.owners)
        for place, owner in enumerate(self.owners):
            for message in self._read(place):
                with self._clocked(place):
                    heard(owner, message.parcel)

    # -- messages -------------------------------------------------------------------------------------------

    def _send(self, place: int, parcels: Parcels) -> None:
        for target, parcel in parcels.items():
            arrives = self._clocks[place] + len(parcel) / BANDWIDTH
            self._inboxes[target].append(Message(parcel, arrives))
            self._traffic[target].idle = False
            self._traffic[place].sent += 1
            self.sent += len(parcel)
            self.messages += 1

    @contextmanager
    def _clocked(self, place: int) -> Iterator[None]:
        began = time.thread_time()
        yield
        spent = time.thread_time() - began
        self._clocks[place] += spent
        self.computed += spent
