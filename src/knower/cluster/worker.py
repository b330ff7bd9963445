"""What a worker does: it has a model of its own, hears what others have found, and explores its window."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import knower
from knower.checking.bounded import BoundedModel
from knower.cluster.growth import Excursion, SharedGrowth
from knower.cluster.messages import Behind, Errand, Findings, Sealed, Unfit, fixed_order, opened
from knower.cluster.nearness import bad_states
from knower.cluster.split import inside
from knower.functions.transport import packed
from knower.limits import Budget
from knower.logic.language import Specification
from knower.options import Search
from knower.symbolic.choose import Attempt, Chooser
from knower.symbolic.exploration import Exploration

#: Conditions of a model may be nested deeply.
_RECURSION_LIMIT = 20_000

#: This process's model, by the key of its setup; a worker with several threads explores in one of them.
_models: dict[str, Outpost] = {}
_at_work = threading.Lock()
#: Rounds that nobody waits for any more.
_stopped: set[str] = set()


def explore(errand: Errand) -> Findings:
    """Do an errand."""
    with _at_work:
        return _outpost(errand.setup).explored(errand)


def stop(round_: str) -> None:
    """Errands of a round end after their present step."""
    _stopped.add(round_)


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
        super().__init__(free.encoding, free.tuning, more_sweeps=free.more_sweeps)
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
        self._bad: dict[Specification, Any] = {}
        self._forget("")

    def _forget(self, run: str) -> None:
        """As at the beginning of a run: only the initial states are known."""
        self._run, self._heard = run, 0
        self._shared = SharedGrowth(Exploration(self.model.system, self.budget))
        self._own: tuple[bytes, tuple[Any, ...]] = (b"", ())

    def explored(self, errand: Errand) -> Findings:
        """What is found in the window of an errand; begun again with more room if that is needed."""
        return self._with_room(lambda: self._excursion(errand))

    def _excursion(self, errand: Errand) -> Findings:
        began, until = time.process_time(), time.monotonic() + errand.seconds
        self._hear(errand)
        space = self.model.space
        window = inside(space, errand.window)
        trip = Excursion(self.model, self._shared.frontier & window, window, self._shared.reached)
        decided = False
        while not (decided or trip.is_over or errand.is_done(trip.layers, until) or errand.round in _stopped):
            trip.step()
            decided = self._decides(trip, errand.spec)
        own = (trip.found, trip.left)
        self._own = packed(space, own), own
        is_over = not self._has(trip.left)
        return Findings(self._own[0], decided, is_over, trip.layers, time.process_time() - began)

    def _hear(self, errand: Errand) -> None:
        """What all have found in the rounds before."""
        if errand.run != self._run:
            self._forget(errand.run)
        if self._heard < errand.omitted:
            raise Behind(f"{self._heard} rounds are known here, not {errand.omitted}")
        for news in errand.news[self._heard - errand.omitted :]:
            self._shared.hear(opened(self.model.space, news, self._own))
            self._heard += 1

    def _decides(self, trip: Excursion[Any], spec: Specification | None) -> bool:
        """Whether what is known to all, with what was found here, is enough to decide the formula."""
        growth = self._growth
        assert growth is not None, "a worker never knows all states"
        growth.learn(trip.seen, trip.seen)
        if spec is None:
            return False
        bad = self._bad_states(spec)
        if bad is not None:
            return self._has(trip.found & bad)
        return self._wants_to_look() and self._looked(spec) is not None

    def _bad_states(self, spec: Specification) -> Any:
        """What decides the formula as soon as it is met; with fairness it must be on a fair path."""
        if spec not in self._bad:
            fair = spec.language.finite or not self.system.fairness
            self._bad[spec] = bad_states(self.model, spec) if fair else None
        return self._bad[spec]
