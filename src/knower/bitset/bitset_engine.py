"""The engine for small models: all states are numbered, and sets of them are the bits of whole numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from knower.bitset.bitset_sets import BitsetSet
from knower.bitset.bitset_view import BitsetView
from knower.bitset.evaluate import Evaluator
from knower.bitset.space import NumberedStates, explored
from knower.engine.protocol import Pressure, Search
from knower.engine.turns import in_turns
from knower.errors import NoInitialState
from knower.limits import Budget
from knower.options import AtlReading, How
from knower.query.query import Query
from knower.query.setting import Setting
from knower.reasons import HasDeadlock, Refused
from knower.system.explicit import Explicit
from knower.system.expressions import State
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Absence, Fault, Faults
from knower.verdict.verdict import Answer, Statistics, Verdict, decided, unknown
from knower.verdict.warnings import Deadlock, NoFairInitialState, Overflow, VacuousStrategy, Warning


def bitset_engine(system: InterpretedSystem, budget: Budget, how: How, loops: bool) -> BitsetEngine:
    """All states, numbered."""
    return BitsetEngine(system, budget, loops=loops)


def refuses(query: Query) -> Refused | None:
    """Uniform strategies are searched for elsewhere, by learning from lost plays; steps are nameless."""
    if query.setting.atl in (AtlReading.UNIFORM, AtlReading.UNIFORM_MODELS):
        return Refused("the engine bitset does not look for uniform strategies")
    if query.speaks_of_actions:
        return Refused("the engine bitset does not tell who does what on a path")
    return None


class BitsetEngine:
    """A system with all its states, ready to answer questions (an `engine.protocol.Explored`)."""

    def __init__(self, system: InterpretedSystem, budget: Budget, *, loops: bool = False) -> None:
        self.budget = budget
        self._loops = loops
        self._explore(system)

    def _explore(self, system: InterpretedSystem) -> None:
        self.system = system
        self.space: NumberedStates = explored(Explicit(system), self.budget, loops=self._loops)
        if not self.space.initial:
            raise NoInitialState("no state satisfies InitStates")
        self._evaluators: dict[tuple[Setting, bool], Evaluator] = {}
        self._views: dict[Evaluator, BitsetView] = {}

    def adopt(self, system: InterpretedSystem) -> None:
        """Other propositions are looked at in every state anew: some may divide by zero."""
        if system.labelling != self.system.labelling:
            self._explore(system)

    # -- questions ------------------------------------------------------------------------------------------

    def decide(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Answer]]:
        return in_turns(queries, self.budget, self._answer)

    def _answer(self, query: Query) -> Answer:
        if query.setting.refuses_deadlocks and self.space.deadlock is not None:
            return unknown(HasDeadlock())
        evaluator = self.evaluator(query)
        return decided(evaluator.holds(query.formula), *_warnings(evaluator, query))

    def holds_at(self, query: Query, state: State) -> bool:
        return bool(self.evaluator(query).states(query.formula) >> self.space.number[state] & 1)

    def where(self, query: Query) -> BitsetSet:
        return BitsetSet(self.space, self.evaluator(query).states(query.formula))

    def evidence(
        self, query: Query, verdict: Verdict, over: Search, avoid: Collection[Evidence] = ()
    ) -> Evidence | None:
        evaluator = self.evaluator(query)
        if evaluator not in self._views:
            self._views[evaluator] = BitsetView(evaluator)
        return over(self._views[evaluator])

    def evaluator(self, query: Query) -> Evaluator:
        """The states a question is read over, with what is known of formulas there."""
        key = query.setting, query.finite
        if key not in self._evaluators:
            atl = query.setting.atl
            plain = (Evaluator(self.space, self.budget, atl, finite=each.finite) for each in query.fairness)
            fairness = [
                each.states(constraint.formula)
                for each, constraint in zip(plain, query.fairness, strict=True)
            ]
            self._evaluators[key] = Evaluator(self.space, self.budget, atl, fairness, finite=query.finite)
        return self._evaluators[key]

    # -- the model itself -----------------------------------------------------------------------------------

    @property
    def states(self) -> int:
        """The exact number of reachable states."""
        return len(self.space)

    def faults(self, sought: Collection[Fault]) -> Faults:
        deadlock, overflow, path_to = self.space.deadlock, self.space.overflow, self.space.path_to
        return Faults(
            Absence.PROVED if deadlock is None else Deadlock(path_to(deadlock.state)),
            Absence.PROVED
            if overflow is None
            else Overflow(overflow.what, path_to(overflow.state, overflow.joint)),
        )

    def statistics(self) -> Statistics:
        return {"transitions": sum(each.bit_count() for each in self.space.successors)}

    def forget(self, pressure: Pressure) -> None:
        """The states stay: they are all there is."""
        self._evaluators.clear()
        self._views.clear()

    def close(self) -> None:
        self.forget(Pressure.ALL)


def _warnings(evaluator: Evaluator, query: Query) -> Iterator[Warning]:
    if not evaluator.initial:
        yield NoFairInitialState()
    if evaluator.atl is AtlReading.OBJECTIVE_FAIR:
        vacuous = (group for group in query.coalitions if evaluator.is_vacuous(group.members))
        yield from map(VacuousStrategy, vacuous)
