"""Bounded checking by several processes, here or on other machines.

The master explores the first layers alone: most counterexamples are near, and so is the end of small
models. Where layers take longer, rounds begin. In each the frontier is split into windows, workers explore
them for a while, and the master unites what they have found. Formulas are asked of the union, never of
one worker's share alone: an agent may confuse two states that two workers have found. Only a verdict
that a larger part cannot change (a universal formula that fails, an existential one that holds) may come
from a worker, and then it comes at once.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import knower
from knower.checking.bounded import BoundedModel
from knower.checking.heuristics import Looks
from knower.cluster.growth import SharedGrowth
from knower.cluster.messages import Errand, Findings, Sealed, Setup, fixed_order
from knower.cluster.nearness import Nearness
from knower.cluster.split import Part, split
from knower.cluster.team import Ledger, Team, local_workers, team
from knower.cluster.transport import packed, unpacked
from knower.logic.language import Specification
from knower.verdict.verdict import Answer


@dataclass(frozen=True, slots=True)
class Plan:
    """When work is shared, and in which portions.

    `alone`: the seconds the master explores by itself; `dear`: the seconds a layer must take to be
    shared; `portion`: the seconds of an errand, one layer at least; `parts`: how many for each worker.

    By default an errand is one layer of one window: sets that run ahead in some windows, and sets cut into
    more pieces than there are workers, had diagrams several times as large in all that was measured.
    """

    alone: float = 1.0
    dear: float = 0.1
    portion: float = 0.0
    parts: int = 1


class _WallLooks(Looks):
    """Looks that take their share of the time that passes, not only of the master's own."""

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.started


@dataclass
class ClusterModel(BoundedModel):
    """A system that is explored by a cluster, as far as its formulas need.

    `cluster`: `local:N` for N processes of this machine, `tcp://HOST:PORT` for a scheduler of dask. The order
    of the variables is not improved on the way.
    """

    cluster: str = "local:2"
    plan: Plan = field(default_factory=Plan)

    def __post_init__(self) -> None:
        local_workers(self.cluster)  # an address that makes no sense is told at once
        self.tuning = replace(self.tuning, reorder="off")
        self._ledger = Ledger()
        self._team: Team | None = None
        self._staff = ExitStack()
        self._spec: Specification | None = None
        self._news: tuple[bytes, ...] = ()
        self._setup: Sealed | None = None
        self._began = time.perf_counter()
        super().__post_init__()

    # -- exploring ------------------------------------------------------------------------------------------

    def _explore(self) -> None:
        super()._explore()
        self._growth = self._shared = SharedGrowth(self.model)
        self._looks = _WallLooks(time.perf_counter())
        self._nearness: Nearness[Any] | None = None
        self._is_told = False
        setup = self._pinned()
        self._is_behind = bool(self._news) and setup.fits(self._setup)
        if not self._is_behind:
            self._begin(setup)

    def _begin(self, setup: Setup) -> None:
        self._setup, self._news = setup.sealed(), ()
        self._run = uuid.uuid4().hex
        self._last_layer = 0.0

    def _resume(self) -> None:
        """The room was too small here, and what all had found is not lost."""
        self._is_behind = False
        rounds = (unpacked(self.model.space, data) for data in self._news)
        self._shared.resume((found, frontier) for found, frontier in rounds)

    def _pinned(self) -> Setup:
        """The model as workers make it: with the library and the order that were chosen here."""
        attempt = self._chooser.attempt
        assert attempt is not None, "there is a model"
        tuning = replace(self.tuning, library=attempt.library, order=attempt.order)
        order, megabytes = fixed_order(self.model), self.budget.megabytes
        return Setup(self.system, self.reading, tuning, attempt, order, megabytes, knower.__version__)

    def _grow(self) -> None:
        """A step by the master, or a round by all."""
        if self._is_behind:
            self._resume()
        parts = self._parts() if self._is_worth_sharing() else []
        if len(parts) > 1:
            self._last_layer = self._round(parts)
            if self._shared.is_complete:
                self._complete()
        else:
            began = time.perf_counter()
            super()._grow()
            self._last_layer = time.perf_counter() - began

    def _is_worth_sharing(self) -> bool:
        if time.perf_counter() - self._began < self.plan.alone or self._last_layer < self.plan.dear:
            return False
        return self.model.count(self._shared.frontier) > 1

    def _parts(self) -> list[Part[Any]]:
        """The frontier in parts, the one that is nearest to a counterexample first."""
        parts = split(self.model, self._shared.frontier, self.plan.parts * self._workers().size)
        if self._spec is None:
            return parts
        near = self._nearness = self._nearness or Nearness(self.model, self._spec)
        return sorted(parts, key=lambda part: near.distance(part.states))

    def _round(self, parts: list[Part[Any]]) -> float:
        """What the layer would take alone, more or less."""
        seconds = 0.0
        for place, findings in self._workers().done(self._errands(parts), self._wait):
            self._unite(parts[place], findings)
            seconds += findings.seconds / max(findings.layers, 1)
            if findings.decided:
                self._is_told = True
                return seconds
        self._shared.end_round()
        return seconds

    def _errands(self, parts: list[Part[Any]]) -> list[Errand]:
        self._news = (*self._news, packed(self.model.space, self._shared.news()))
        # A bound is a number of layers, and known to be kept only if all go layer by layer.
        layers = 1 if self.search.bound is not None or self._heuristic.name == "one-shot" else None
        assert self._setup is not None, "exploring has begun"
        common = Errand(self._setup, self._run, self._news, (), self.plan.portion, layers, self._spec)
        return [replace(common, window=part.window) for part in parts]

    def _unite(self, part: Part[Any], findings: Findings) -> None:
        found, left = unpacked(self.model.space, findings.diagrams)
        self._shared.unite(part.states, found, left)
        self._part = None

    def _wait(self) -> None:
        """While others work."""
        self.budget.check()
        if self.budget.progress is not None:
            self.budget.progress(self._described)

    def _described(self) -> str:
        ledger, states = self._ledger, self.model.count(self._shared.reached)
        return f"{self.budget.phase}: round {ledger.rounds} by {ledger.workers} workers, {states} states"

    # -- workers --------------------------------------------------------------------------------------------

    def _workers(self) -> Team:
        """Called when they are first needed; they stay until the formula is decided."""
        if self._team is None:
            self._team = self._staff.enter_context(team(self.cluster, self._ledger))
        return self._team

    @contextmanager
    def _staffed(self) -> Iterator[None]:
        try:
            with self._staff:
                yield
        finally:
            self._team = None

    # -- checking -------------------------------------------------------------------------------------------

    @property
    def statistics(self) -> dict[str, str | int | float]:
        return super().statistics | self._ledger.told()

    def check(self, spec: Specification) -> Answer:
        with self._staffed():
            return super().check(spec)

    def _bounded(self, spec: Specification) -> Answer:
        read = self._read(spec)
        self._spec = read if self._decides_early(read) else None
        self._nearness = None
        return super()._bounded(spec)

    def _wants_to_look(self) -> bool:
        return self._is_told or super()._wants_to_look()

    def _looked(self, spec: Specification) -> Answer | None:
        self._is_told = False
        return super()._looked(spec)
