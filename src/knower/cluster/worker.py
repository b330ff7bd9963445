"""What a worker does: it has a model of its own, hears what others have found, and explores its window."""

from __future__ import annotations

import sys
import time
from typing import Any

import knower
from knower.checking.diagram_engine import DiagramEngine, growing_engine
from knower.checking.rooms import OwnExplorer
from knower.cluster.growth import Excursion, SharedGrowth
from knower.cluster.messages import Behind, Errand, Findings, Sealed, Setup, Unfit, fixed_order, opened
from knower.cluster.nearness import bad_states
from knower.cluster.split import inside
from knower.functions.transport import packed
from knower.limits import Budget
from knower.options import How
from knower.query.query import Query
from knower.symbolic.exploration import Exploration
from knower.symbolic.model import SymbolicModel
from knower.verdict.verdict import Verdict

#: Conditions of a model may be nested deeply.
_RECURSION_LIMIT = 20_000

#: This process's model, by the key of its setup.
_models: dict[str, Outpost] = {}
#: Rounds that nobody waits for any more.
_stopped: set[str] = set()


def explore(errand: Errand) -> Findings:
    """Do an errand."""
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
    outpost = Outpost(told)
    if fixed_order(outpost.engine.rooms.exploration.system) != told.order:
        raise Unfit("a worker orders the variables in another way")
    return outpost


class Outpost:
    """A model that is explored in windows, and begins with what was good elsewhere."""

    def __init__(self, setup: Setup) -> None:
        budget = Budget(megabytes=setup.megabytes)
        self.engine: DiagramEngine = growing_engine(
            setup.system,
            budget,
            How(tuning=setup.tuning),
            OwnExplorer(budget, "auto", whole=False),
            loops=setup.loops,
            like=setup.attempt,
        )
        self._space_of = self.engine.rooms.moves
        self._forget("")

    @property
    def _model(self) -> SymbolicModel[Any]:
        return self.engine.rooms.model

    def _forget(self, run: str) -> None:
        """As at the beginning of a run: only the initial states are known."""
        system = self.engine.rooms.exploration.system
        self._run, self._heard = run, 0
        self._shared = SharedGrowth(Exploration(system, self.engine.budget))
        self._own: tuple[bytes, tuple[Any, ...]] = (b"", ())
        self._bad: dict[Query, Any] = {}

    def explored(self, errand: Errand) -> Findings:
        """What is found in the window of an errand; begun again with more room if that is needed."""
        return self.engine.rooms.with_room(lambda: self._excursion(errand))

    def _excursion(self, errand: Errand) -> Findings:
        began, until = time.process_time(), time.monotonic() + errand.seconds
        self._hear(errand)
        space = self._model.space
        window = inside(space, errand.window)
        trip = Excursion(self._model, self._shared.frontier & window, window, self._shared.reached)
        decided = False
        while not (decided or trip.is_over or errand.is_done(trip.layers, until) or errand.round in _stopped):
            trip.step()
            decided = self._decides(trip, errand.query)
        own = (trip.found, trip.left)
        self._own = packed(space, own), own
        is_over = bool(trip.left == space.false)
        return Findings(self._own[0], decided, is_over, trip.layers, time.process_time() - began)

    def _hear(self, errand: Errand) -> None:
        """What all have found in the rounds before; nothing is known of them in another space."""
        if errand.run != self._run or self._space_of != self.engine.rooms.moves:
            self._space_of = self.engine.rooms.moves
            self._forget(errand.run)
        if self._heard < errand.omitted:
            raise Behind(f"{self._heard} rounds are known here, not {errand.omitted}")
        for news in errand.news[self._heard - errand.omitted :]:
            self._shared.hear(opened(self._model.space, news, self._own))
            self._heard += 1

    def _decides(self, trip: Excursion[Any], query: Query | None) -> bool:
        """Whether what is known to all, with what was found here, is enough to decide the formula."""
        engine = self.engine
        engine.rooms.learn(trip.seen)
        if query is None:
            return False
        bad = self._bad_states(query)
        if bad is not None:
            return bool(trip.found & bad != self._model.space.false)
        wanted = engine.looking.wants(query, *engine.rooms.extent)
        return wanted and engine.told(query).verdict is not Verdict.UNKNOWN

    def _bad_states(self, query: Query) -> Any:
        """What decides the formula as soon as it is met; with fairness it must be on a fair path."""
        if query not in self._bad:
            self._bad[query] = None if query.fairness else bad_states(self._model, query)
        return self._bad[query]
