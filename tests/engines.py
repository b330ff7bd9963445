"""Engines of the registry, asked one specification at a time under one reading."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from knower.engine.registry import Pick, every_pick
from knower.errors import LimitReached, Unsupported
from knower.functions.registry import DASK, PYSAT, PYSDD, is_here
from knower.limits import Budget
from knower.logic.language import Specification
from knower.options import How, Reading, Search, Tuning
from knower.query.query import Query, query
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
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.verdict import Answer, Verdict
from knower.verdict.warnings import Warning

has_sdd, has_solver, has_cluster = is_here(PYSDD), is_here(PYSAT), is_here(DASK)

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
        self.engine: Any = self.pick.make(system, self.budget, how, loops=loops)
        self.noted: dict[Warning, None] = {}

    def query(self, spec: Specification) -> Query:
        return query(spec, self.reading, self.system)

    def answer(self, spec: Specification) -> Answer:
        """The answer as it is."""
        asked = self.query(spec)
        refused = self.pick.refuses(asked)
        if refused is not None:
            return Answer(Verdict.UNKNOWN, refused)
        ((_, found),) = self.engine.decide([asked])
        self.noted |= dict.fromkeys((*asked.notices, *found.warnings))
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

    def states_where(self, spec: Specification) -> Any:
        """Where a specification holds, as the engine keeps sets of states."""
        asked = self.query(spec)
        return self.worlds(spec).states(asked.formula)

    def worlds(self, spec: Specification) -> Any:
        return self.engine.worlds(self.query(spec))

    def view(self, spec: Specification, verdict: Verdict = Verdict.TRUE) -> Any:
        """The view in which evidence for a verdict is looked for; None if there is none."""
        seen: list[Any] = []

        def look(view: Any) -> Evidence | None:
            seen.append(view)
            return None

        self.engine.evidence(self.query(spec), verdict, look)
        return seen[-1] if seen else None

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """Faults of the model, and what was noted of the questions so far."""
        return (*self.engine.faults(()).found, *self.noted)

    @property
    def states(self) -> int | None:
        return self.engine.states

    @property
    def space(self) -> Any:
        """Of the explicit engine: its numbered states. Of the others: the space of functions."""
        return self.engine.space if self.name == "explicit" else self.model.space

    @property
    def model(self) -> Any:
        """Of engines on diagrams: the model with the states that are known."""
        return self.engine.rooms.model
