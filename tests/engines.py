"""Engines of the registry, asked one specification at a time under one reading."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from knower.engine.protocol import Search as EvidenceSearch
from knower.engine.registry import Pick, every_pick
from knower.errors import LimitReached, Unsupported
from knower.functions.registry import DASK, PYSAT, PYSDD, is_here
from knower.limits import Budget
from knower.logic.language import Specification
from knower.options import AtlReading, How, Reading, Search, Tuning
from knower.query.query import Query, query
from knower.query.setting import Setting, setting
from knower.reasons import (
    MemoryLimit,
    OutOfMemory,
    Refused,
    Searched,
    StateLimit,
    TimeLimit,
    TimeShare,
    TooDeep,
)
from knower.system.explicit import Explicit
from knower.system.expressions import State
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.verdict import Answer, Statistics, Verdict
from knower.verdict.warnings import Warning, distinct

has_sdd, has_solver, has_cluster = is_here(PYSDD), is_here(PYSAT), is_here(DASK)


class _Computing(Budget):
    """A budget of the time that this process computes: others on the machine take nothing from it."""

    @property
    def elapsed(self) -> float:
        return time.process_time() - self.started


def computing(seconds: float) -> Budget:
    """So many seconds, by the time that is computed."""
    return _Computing(seconds, started=time.process_time())


_LIMITS = TimeLimit | TimeShare | MemoryLimit | StateLimit | OutOfMemory | TooDeep


def pick(name: str, diagrams: str = "bdd") -> Pick:
    """The row of that name, with a kind of diagrams if there are several."""
    found = [each for each in every_pick() if each.row.name == name]
    return next((each for each in found if each.name == diagrams), found[0])


class Asker:
    """An engine, and how its questions are read. What it cannot decide it raises, as a limit or a refusal."""

    def __init__(
        self,
        name: str,
        system: InterpretedSystem,
        budget: Budget | None = None,
        reading: Reading | None = None,
        tuning: Tuning | None = None,
        search: Search | None = None,
        diagrams: str = "bdd",
    ) -> None:
        self.name = name
        self.system = system
        self.budget = budget or Budget()
        self.reading = reading or Reading()
        self.pick = pick(name, diagrams)
        how = How(tuning=tuning or Tuning(), search=replace(search or Search(), method=self.pick.row.method))
        loops = self.reading.on_deadlock.value == "loop"
        self.engine: Any = self.made(how, loops=loops)
        self.noted: tuple[Warning, ...] = ()

    def made(self, how: How, *, loops: bool) -> Any:
        return self.pick.make(self.system, self.budget, how, loops=loops)

    def query(self, spec: Specification, atl: AtlReading | None = None) -> Query:
        """The question; read in another way, if one is given."""
        reading = self.reading if atl is None else replace(self.reading, atl=atl)
        return query(spec, reading, self.system)

    @property
    def setting(self) -> Setting:
        """How questions are read here."""
        return setting(self.reading, self.system)

    def answer(self, spec: Specification) -> Answer:
        """The answer as it is."""
        asked = self.query(spec)
        refused = self.pick.refuses(asked)
        if refused is not None:
            return Answer(Verdict.UNKNOWN, refused)
        ((_, found),) = self.engine.decide([asked])
        self.noted = distinct((*self.noted, *asked.notices, *found.warnings))
        return found

    def check(self, spec: Specification) -> Answer:
        """The answer; raises `LimitReached` or `Unsupported` where there is none for such a reason."""
        found = self.answer(spec)
        reason = found.reason.reason if isinstance(found.reason, Searched) else found.reason
        if isinstance(reason, _LIMITS):
            raise LimitReached(found.reason)
        if isinstance(reason, Refused):
            raise Unsupported(reason)
        return found

    def holds_at(self, spec: Specification, state: State) -> bool:
        return self.engine.holds_at(self.query(spec), state)

    def evaluator(self, spec: Specification, atl: AtlReading | None = None) -> Any:
        """The states a specification is read over, as far as the engine knows them."""
        return self.engine.evaluator(self.query(spec, atl))

    def states_where(self, spec: Specification, atl: AtlReading | None = None) -> Any:
        """Where a specification holds, as the engine keeps sets of states."""
        return self.evaluator(spec, atl).states(self.query(spec).formula)

    def evidence(
        self, spec: Specification, verdict: Verdict, over: EvidenceSearch = lambda view: None
    ) -> Evidence | None:
        """What `over` finds in a view of the states, or what the engine has found by itself."""
        return self.engine.evidence(self.query(spec), verdict, over)

    def view(self, spec: Specification, verdict: Verdict = Verdict.TRUE) -> Any:
        """The view in which evidence for a verdict is looked for; None if there is none."""
        seen: list[Any] = []
        self.evidence(spec, verdict, seen.append)
        return seen[-1] if seen else None

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """Faults of the model, and what was noted of the questions so far."""
        return (*self.engine.faults(()).found, *self.noted)

    @property
    def statistics(self) -> Statistics:
        return self.engine.statistics()

    @property
    def states(self) -> int | None:
        """How many there are; engines that know no sets of states cannot tell."""
        return self.engine.states if self.pick.row.explored else None

    @property
    def explicit(self) -> Explicit:
        """Of the explicit engine: the system, state by state."""
        return self.engine.explicit

    @property
    def space(self) -> Any:
        """Of the explicit engine: its numbered states. Of the others: the space of functions."""
        return self.engine.space if self.name == "explicit" else self.model.space

    @property
    def model(self) -> Any:
        """Of engines on diagrams: the model with the states that are known."""
        return self.engine.rooms.model
