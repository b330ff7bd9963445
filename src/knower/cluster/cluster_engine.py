"""Bounded checking by several processes, here or on other machines.

The master explores the first layers alone: most counterexamples are near, and so is the end of small
models. Where layers take longer, rounds begin. In each the frontier is split into windows, workers explore
them for a while and tell what they have found, and the master passes that on, unopened, with the next
errands. While they are done it unites what was found, looks, and finds windows for the round after. Formulas
are asked of the union, never of one worker's share alone: an agent may confuse two states that two workers
have found. Only a verdict that a larger part cannot change (a universal formula that fails, an existential
one that holds) may come from a worker, and then it comes at once.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import knower
from knower.checking.diagram_engine import DiagramEngine, growing_engine
from knower.checking.looking import Looking
from knower.checking.rooms import Passed
from knower.cluster.growth import SharedGrowth
from knower.cluster.joining import local_workers, require_libraries
from knower.cluster.messages import ClusterLost, Errand, Findings, News, Sealed, Setup, fixed_order, opened
from knower.cluster.nearness import Nearness
from knower.cluster.split import Window, split
from knower.cluster.team import Ledger, Round, Team, team
from knower.errors import UsageError
from knower.functions.transport import packed
from knower.limits import Budget
from knower.options import How
from knower.query.query import Query
from knower.records import dataclass
from knower.symbolic.exploration import Exploration
from knower.symbolic.order_search import Configuration
from knower.symbolic.system import TransitionSystem
from knower.system.system import InterpretedSystem
from knower.verdict.verdict import Statistics
from knower.verdict.warnings import LeftAlone, Warning

#: Other windows are looked for when a worker takes so many times as long as they do on average.
_UNEVEN = 1.25


@dataclass(frozen=True, slots=True)
class Plan:
    """When work is shared, and in which portions.

    `alone`: the seconds the master explores by itself; `dear`: the seconds a layer must take to be
    shared; `portion`: the seconds of an errand, one layer at least; `parts`: how many for each worker. The
    first rounds, `trial` of them, are of one layer; if that is `loss` times as much work for all together
    as a layer was before, nothing is shared any more.

    Parts of a set may have diagrams as large as the whole, or larger: sharing them is a loss. More parts
    than workers were a loss in all that was measured.
    """

    alone: float = 1.0
    dear: float = 0.1
    trial: int = 2
    loss: float = 4.0
    portion: float = 3.0
    parts: int = 1


#: What was best in all that was measured.
USUAL = Plan()


def cluster_engine(
    system: InterpretedSystem, budget: Budget, how: How, loops: bool, plan: Plan | None = None
) -> DiagramEngine:
    """As many states as the questions need, found by a cluster.

    `local:N` for N processes of this machine, `tcp://HOST:PORT` for a scheduler of dask. The order of the
    variables is not improved on the way.
    """
    where = how.search.cluster or "local:2"
    require_libraries(where)  # what makes no sense, or is missing, is told at once
    fixed = replace(how, tuning=replace(how.tuning, reorder="off"))
    explorer = SharedExplorer(system, budget, fixed, where, plan or USUAL, loops=loops)
    try:
        if not local_workers(where):  # whoever has set them up wants to hear now that they are not there
            explorer.call_workers()
        return growing_engine(system, budget, fixed, explorer, loops=loops)
    except BaseException:
        explorer.close()
        raise


def _is_balanced(seconds: Sequence[float]) -> bool:
    """Whether nobody worked much longer than the others."""
    return max(seconds) * len(seconds) < _UNEVEN * sum(seconds)


class SharedExplorer:
    """States found by the master and its workers (a `checking.rooms.Explorer`)."""

    def __init__(
        self, system: InterpretedSystem, budget: Budget, how: How, where: str, plan: Plan, *, loops: bool
    ) -> None:
        self.system = system
        self.budget = budget
        self.how = how
        self.where = where
        self.plan = plan
        self.loops = loops
        self.ledger = Ledger()
        self._exact = Looking.counts_steps(how.search)
        self._team: Team | None = None
        self._staff = ExitStack()
        self._query: Query | None = None
        self._news: tuple[News, ...] = ()
        self._under_way: Round | None = None
        self._setup: Sealed | None = None
        self._is_told = False
        #: Why there are no workers any more.
        self._lost = ""
        self._began = time.perf_counter()

    # -- what the engine asks -------------------------------------------------------------------------------

    def begin(
        self, system: TransitionSystem[Any], attempt: Configuration, passed: Passed
    ) -> Exploration[Any]:
        exploration = Exploration(system, self.budget, Looking.strategy(self.how.search))
        self._shared = SharedGrowth(exploration)
        self._system = system
        self._nearness: Nearness[Any] | None = None
        self._windows: list[Window] = []
        self._is_told = False
        setup = self._pinned(system, attempt)
        self._is_behind = bool(self._news) and setup.fits(self._setup)
        if not self._is_behind:
            self._begin_run(setup)
        return exploration

    def advance(self, exploration: Exploration[Any]) -> None:
        """A step by the master, or a round by all; if all are lost, the master goes on alone."""
        try:
            self._advance(exploration)
        except ClusterLost as lost:
            self._lost, self._under_way = str(lost), None
            self._dismiss()
            self._advance(exploration)

    def _advance(self, exploration: Exploration[Any]) -> None:
        if self._is_behind:
            self._resume()
        if self._under_way is None and self._is_time_to_share() and self._is_worth_sharing():
            self._windows = self._split()
            self._send()
        if self._under_way is None:
            began = time.process_time()
            exploration.advance()
            self._last_layer = self._last_alone = time.process_time() - began
        else:
            self._round(self._under_way)

    def watch(self, queries: Sequence[Query]) -> None:
        """Workers look out for the first of them."""
        first = next((query for query in queries if query.decides_early), None)
        if first != self._query:
            self._query, self._nearness = first, None

    def take_hint(self) -> bool:
        hint, self._is_told = self._is_told, False
        return hint

    def statistics(self) -> Statistics:
        return self.ledger.told()

    def notes(self) -> tuple[Warning, ...]:
        return (LeftAlone(self._lost),) if self._lost else ()

    def close(self) -> None:
        self._leave()
        self._dismiss()

    def _dismiss(self) -> None:
        self._staff.close()
        self._team = None

    # -- runs -----------------------------------------------------------------------------------------------

    def _begin_run(self, setup: Setup) -> None:
        self._leave()
        self._setup, self._news = setup.sealed(), ()
        self._run = uuid.uuid4().hex
        self._rounds = 0
        self._last_layer = self._last_alone = 0.0
        self._is_a_loss = False

    def _resume(self) -> None:
        """The room was too small here, and what all had found is not lost."""
        self._is_behind = False
        for news in self._news:
            self._shared.hear(opened(self._system.space, news))

    def _pinned(self, system: TransitionSystem[Any], attempt: Configuration) -> Setup:
        """The model as workers make it: with the library and the order that were chosen here."""
        tuning = replace(self.how.tuning, library=attempt.library, order=attempt.order)
        order, megabytes = fixed_order(system), self.budget.megabytes
        return Setup(self.system, self.loops, tuning, attempt, order, megabytes, knower.__version__)

    def _is_time_to_share(self) -> bool:
        if self._exact and len(self._system.relation.partitions) > 1:  # workers chain them
            return False
        is_late = time.perf_counter() - self._began >= self.plan.alone
        return is_late and self._system.count(self._shared.frontier) > 1

    def _is_worth_sharing(self) -> bool:
        return self._last_layer >= self.plan.dear and not self._is_a_loss and not self._lost

    def _split(self) -> list[Window]:
        """Windows that split the frontier, the one that is nearest to a counterexample first."""
        parts = split(self._system, self._shared.frontier, self.plan.parts * self._workers().size)
        if self._query is not None:
            near = self._nearness = self._nearness or Nearness(self._shared.model, self._query)
            parts.sort(key=lambda part: near.distance(part.states))
        return [part.window for part in parts]

    # -- rounds ---------------------------------------------------------------------------------------------

    def _send(self) -> None:
        """Begin a round, if there is something to share."""
        grown = self._shared.news()
        if grown is not None:
            self._news = (*self._news, (((), packed(self._system.space, grown)),))
        many = len(self._windows) > 1
        self._under_way = self._workers().begun(self._errands()) if many else None

    def _errands(self) -> list[Errand]:
        layers = 1 if self._goes_by_layers() or self._rounds < self.plan.trial else None
        assert self._setup is not None, "exploring has begun"
        round_ = f"{self._run}:{self.ledger.rounds}"
        common = Errand(
            self._setup, self._run, round_, self._news, (), self.plan.portion, layers, self._query
        )
        return [replace(common, window=window) for window in self._windows]

    def _goes_by_layers(self) -> bool:
        """A bound is known to be kept only so; and moves that are chained go far ahead in one layer."""
        return self._exact or len(self._system.relation.partitions) > 1

    def _round(self, round_: Round) -> None:
        """End a round and begin the next one; what was found is united while that is under way."""
        found = self._found_in(round_)
        news = tuple((round_.errands[place].window, findings.diagrams) for place, findings in found.items())
        self._news = (*self._news, news)
        self._weigh(list(found.values()))
        is_over = self._is_told or all(findings.is_over for findings in found.values())
        self._under_way = None
        if self._is_worth_sharing() and not is_over:
            self._send()
        self._shared.hear(opened(self._system.space, news))
        if self._under_way is not None and not _is_balanced([each.seconds for each in found.values()]):
            self._windows = self._split()

    def _weigh(self, found: list[Findings]) -> None:
        """What a layer takes now, and whether that is too much."""
        self._rounds += 1
        self._last_layer = sum(each.seconds / max(each.layers, 1) for each in found)
        if self._rounds == self.plan.trial:
            self._is_a_loss = self._last_layer > self.plan.loss * self._last_alone

    def _found_in(self, round_: Round) -> dict[int, Findings]:
        """By the places of errands; others are left when one has decided the formula."""
        found = {}
        for place, findings in round_.findings(self._wait):
            found[place] = findings
            if findings.decided:
                self._is_told = True
                round_.leave()
                break
        return found

    def _leave(self) -> None:
        """Nobody waits for the round that is under way."""
        if self._under_way is not None:
            self._under_way.leave()
        self._under_way = None

    def _wait(self) -> None:
        """While others work."""
        self.budget.check()
        if self.budget.progress is not None:
            self.budget.progress(self._described)

    def _described(self) -> str:
        ledger, states = self.ledger, self._system.count(self._shared.reached)
        return f"{self.budget.phase}: round {ledger.rounds} by {ledger.workers} workers, {states} states"

    def _workers(self) -> Team:
        """Called when they are first needed; they stay until the work is done."""
        if self._team is None:
            try:
                self.call_workers()
            except UsageError as error:  # not now: what was found is worth more
                raise ClusterLost(error.diagnostics[0].message) from None
        assert self._team is not None, "they have just been called"
        return self._team

    def call_workers(self) -> None:
        """Raises `UsageError` where there are none."""
        self._team = self._staff.enter_context(team(self.where, self.ledger, self._await_them))

    def _await_them(self) -> None:
        self.budget.check()
        if self.budget.progress is not None:
            self.budget.progress(lambda: f"waiting for workers of {self.where}")
