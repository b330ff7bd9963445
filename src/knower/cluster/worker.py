"""What a worker does: it has a model of its own, hears what others have found, and explores its window."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import knower
from knower.checking.bounded import BoundedModel
from knower.cluster.growth import Excursion
from knower.cluster.messages import Errand, Findings, Sealed, Unfit, fixed_order
from knower.cluster.split import inside
from knower.cluster.transport import packed, unpacked
from knower.limits import Budget
from knower.options import Search
from knower.symbolic.choose import Attempt, Chooser

#: Conditions of a model may be nested deeply.
_RECURSION_LIMIT = 20_000

#: This process's model, by the key of its setup; a worker with several threads explores in one of them.
_models: dict[str, Outpost] = {}
_at_work = threading.Lock()
#: Runs that nobody waits for any more.
_stopped: set[str] = set()


def explore(errand: Errand) -> Findings:
    """Do an errand."""
    with _at_work:
        return _outpost(errand.setup).explored(errand)


def stop(run: str) -> None:
    """Errands of a run end after their present step."""
    _stopped.add(run)


def _outpost(setup: Sealed) -> Outpost:
    """The model of a setup, made at the first errand; an older one makes room for it."""
    if setup.key not in _models:
        _models.clear()
        _models[setup.key] = _built(setup)
    return _models[setup.key]


def _built(setup: Sealed) -> Outpost:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    told = setup.opened()
    if told.version != knower.__version__:
        raise Unfit(f"a worker has knower {knower.__version__}, not {told.version}")
    budget = Budget(megabytes=told.megabytes)
    outpost = Outpost(told.system, budget, told.reading, told.tuning, search=Search("bmc"), like=told.attempt)
    if fixed_order(outpost.model) != told.order:
        raise Unfit("a worker orders the variables in another way")
    return outpost


class _Follower(Chooser):
    """Attempts that have at least the room of one that was good elsewhere."""

    def __init__(self, free: Chooser, good: Attempt) -> None:
        super().__init__(free.encoding, free.tuning)
        self._left = [attempt for attempt in self._left if _nodes(attempt) >= _nodes(good)]


def _nodes(attempt: Attempt) -> int:
    return 0 if attempt.room is None else attempt.room.nodes


@dataclass
class Outpost(BoundedModel):
    """A model that is explored in windows, and begins with what was good elsewhere."""

    like: Attempt = field(kw_only=True)

    def _explore(self) -> None:
        if not isinstance(self._chooser, _Follower):
            self._chooser = _Follower(self._chooser, self.like)
        super()._explore()
        self._forget("")

    def _forget(self, run: str) -> None:
        """As at the beginning of a run: only the initial states are known."""
        self._run, self._heard = run, 0
        self._known: Any = self.model.initial
        self._frontier: Any = self.model.initial

    def explored(self, errand: Errand) -> Findings:
        """What is found in the window of an errand; begun again with more room if that is needed."""
        return self._with_room(lambda: self._excursion(errand))

    def _excursion(self, errand: Errand) -> Findings:
        began, until = time.process_time(), time.monotonic() + errand.seconds
        self._hear(errand)
        space = self.model.space
        window = inside(space, errand.window)
        trip = Excursion(self.model, self._frontier & window, window, self._known)
        decided = False
        while not (decided or trip.is_over or errand.is_done(trip.layers, until) or errand.run in _stopped):
            trip.step()
            decided = self._decides(trip, errand)
        data = packed(space, [trip.found, trip.left])
        return Findings(data, decided, trip.layers, time.process_time() - began)

    def _hear(self, errand: Errand) -> None:
        """What all have found in the rounds before."""
        if errand.run != self._run:
            self._forget(errand.run)
        for data in errand.news[self._heard :]:
            found, self._frontier = unpacked(self.model.space, data)
            self._known = self._known | found
        self._heard = len(errand.news)

    def _decides(self, trip: Excursion[Any], errand: Errand) -> bool:
        """Whether what is known to all, with what was found here, is enough to decide the formula."""
        growth = self._growth
        assert growth is not None, "a worker never knows all states"
        growth.reached, growth.depth = trip.seen, trip.layers
        if errand.spec is None or not self._wants_to_look():
            return False
        return self._looked(errand.spec) is not None
