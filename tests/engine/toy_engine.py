"""A small engine, as docs/architecture.md tells how to add one: it looks at initial states only."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from knower.engine.protocol import Pressure, Search
from knower.engine.registry import Row
from knower.engine.turns import in_turns
from knower.limits import Budget
from knower.logic.kinds import is_propositional
from knower.options import How
from knower.query.query import Query
from knower.reasons import Refused
from knower.system.explicit import Explicit
from knower.system.propositions import holds_in
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Fault, Faults
from knower.verdict.verdict import Answer, Statistics, Verdict, decided

ROW = Row(
    "toy", "full", "toy_engine:made", "toy_engine:rank", fragments=("EVERYTHING",),
    refuses="toy_engine:refuses", explored=False,
)  # fmt: skip


def made(system: InterpretedSystem, budget: Budget, how: How, loops: bool) -> ToyEngine:
    return ToyEngine(system, budget)


def rank(query: Query, system: InterpretedSystem) -> int:
    return -2


def refuses(query: Query) -> Refused | None:
    if query.fairness or not is_propositional(query.formula):
        return Refused("the engine toy knows propositions only")
    return None


class ToyEngine:
    """An `engine.protocol.Engine`."""

    def __init__(self, system: InterpretedSystem, budget: Budget) -> None:
        self.system = system
        self.budget = budget

    def decide(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Answer]]:
        return in_turns(queries, self.budget, self._answer)

    def _answer(self, query: Query) -> Answer:
        explicit = Explicit(self.system)
        states = explicit.initial_states(self.budget)
        return decided(all(holds_in(query.formula, explicit, state) for state in states))

    def evidence(
        self, query: Query, verdict: Verdict, over: Search, avoid: Collection[Evidence] = ()
    ) -> Evidence | None:
        return None

    def faults(self, sought: Collection[Fault]) -> Faults:
        return Faults()

    def statistics(self) -> Statistics:
        return {"toys": 1}

    def forget(self, pressure: Pressure) -> None:
        pass

    def close(self) -> None:
        pass
