"""Orders compared by what they have reached, before any of them is through.

The states that so many steps lead to are the same in every order; their diagrams are not. So an attempt that
was given up tells something: where another order has come as far with a diagram that is no smaller, it need
not be followed to its own end, and the one that came furthest is the first to get more room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from knower.functions.protocol import NoRoom

#: The nodes of what was reached after 1, 2, 4, 8, … steps.
Course: TypeAlias = Sequence[int]

#: Smaller diagrams tell nothing of an order: most begin with a state or two.
_TELLING = 1_000


class Outrun(NoRoom):
    """An order is given up because another one is better."""


class Courses:
    """How far the orders have come, by their names; one of them is on its way."""

    def __init__(self) -> None:
        self._known: dict[str, Course] = {}
        self._order: str | None = None
        self._now: list[int] = []
        self._rival: Course = ()

    def begin(self, order: str | None) -> None:
        """An order sets out, to be compared with one that came further; None is not compared."""
        better = [name for name in self._known if order is not None and self.rank(name) < self.rank(order)]
        self._rival = self._known[min(better, key=self.rank)] if better else ()
        self._order, self._now = order, []

    def passed(self, nodes: int) -> None:
        """The order on its way has reached so much; raises `NoRoom` where another did so with less."""
        place = len(self._now)
        self._now.append(nodes)
        if place < len(self._rival) and nodes > _TELLING and nodes >= self._rival[place]:
            raise Outrun("another order has come here with fewer nodes")

    def end(self) -> None:
        """It was given up, or is through: the longest of its courses is kept."""
        if self._order is not None:
            self._known[self._order] = max(self._known.get(self._order, ()), self._now, key=len)

    @property
    def nodes(self) -> int:
        """What the order on its way has reached last."""
        return self._now[-1] if self._now else 0

    def knows(self, order: str) -> bool:
        """Whether it was compared."""
        return order in self._known

    @property
    def leads(self) -> bool:
        """Whether no other order has come further than the one on its way."""
        return all(len(course) <= len(self._now) for course in self._known.values())

    def rank(self, order: str) -> tuple[int, int]:
        """The less the better: who came further, then who did so with fewer nodes; last who was not tried."""
        course = self._known.get(order)
        if course is None:
            return 1, 0
        return -len(course), course[-1] if course else 0
