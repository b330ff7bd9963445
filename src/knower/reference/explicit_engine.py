"""The reference engine: questions of any logic about a system, over explicit states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from knower.engine.protocol import Pressure, Search
from knower.engine.turns import in_turns
from knower.errors import NoInitialState
from knower.limits import Budget
from knower.options import DeadlockPolicy, How
from knower.query.query import Query
from knower.query.setting import Constraint, Setting
from knower.reasons import HasDeadlock
from knower.reference.evaluate import Evaluator, States
from knower.reference.explicit_sets import ExplicitSet
from knower.reference.explicit_view import ExplicitView
from knower.reference.space import StateSpace, explore
from knower.reference.uniform_models import uniform_spaces
from knower.system.compiled_steps import CompiledSteps
from knower.system.explicit import Explicit
from knower.system.expressions import State, is_partial
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Absence, Fault, Faults
from knower.verdict.verdict import Answer, Statistics, Verdict, decided, unknown
from knower.verdict.warnings import Deadlock, NoFairInitialState, Overflow, VacuousStrategy, Warning


def explicit_engine(system: InterpretedSystem, budget: Budget, how: How, loops: bool) -> ExplicitEngine:
    """All states, visited one by one."""
    return ExplicitEngine(system, budget, loops=loops)


class ExplicitEngine:
    """A system explored state by state, ready to answer questions (an `engine.protocol.Explored`)."""

    def __init__(self, system: InterpretedSystem, budget: Budget, *, loops: bool = False) -> None:
        self.budget = budget
        self._policy = DeadlockPolicy.LOOP if loops else DeadlockPolicy.WARN
        self._explore(system)

    def _explore(self, system: InterpretedSystem) -> None:
        explicit = Explicit(system)
        self._steps = CompiledSteps(explicit)
        self._look_at(system, explore(explicit, self.budget, self._policy, steps=self._steps))
        if not self.space.initial:
            raise NoInitialState("no state satisfies InitStates")

    def _look_at(self, system: InterpretedSystem, space: StateSpace) -> None:
        """States that have been explored, for formulas over the propositions of a system."""
        self.system = system
        self.explicit = space.explicit
        self.space = space
        self._evaluators: dict[tuple[Setting, bool], Evaluator] = {}
        self._views: dict[Evaluator, ExplicitView] = {}
        self._found: dict[Query, Evaluator] = {}  # the uniform models that make formulas true

    def adopt(self, system: InterpretedSystem) -> None:
        """Other propositions are looked at in every state anew if some may come to no value."""
        self.budget.check_states(len(self.space))
        if system.labelling == self.system.labelling:
            return
        if is_partial(*system.propositions.values(), *self.system.propositions.values()):
            self._explore(system)
        else:
            self._look_at(system, replace(self.space, explicit=Explicit(system)))

    # -- questions ----------------------------------------------------------------------------------------

    def decide(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Answer]]:
        return in_turns(queries, self.budget, self._answer)

    def _answer(self, query: Query) -> Answer:
        if query.setting.refuses_deadlocks and self.space.deadlock is not None:
            return unknown(HasDeadlock())
        if query.setting.many_models:
            return self._holds_in_some_uniform_model(query)
        evaluator = self.evaluator(query)
        return decided(_holds(evaluator, query), *_warnings(evaluator, query))

    def holds_at(self, query: Query, state: State) -> bool:
        return self.space.number[state] in self.evaluator(query).states(query.formula)

    def where(self, query: Query) -> ExplicitSet:
        evaluator = self.evaluator(query)
        return ExplicitSet(evaluator, evaluator.states(query.formula))

    def evidence(
        self, query: Query, verdict: Verdict, over: Search, avoid: Collection[Evidence] = ()
    ) -> Evidence | None:
        if not query.setting.many_models:
            return over(self._view(self.evaluator(query)))
        if verdict is Verdict.TRUE and query not in self._found:
            self._holds_in_some_uniform_model(query)
        return over(self._view(self._found[query])) if query in self._found else None

    def _view(self, evaluator: Evaluator) -> ExplicitView:
        if evaluator not in self._views:
            self._views[evaluator] = ExplicitView(evaluator)
        return self._views[evaluator]

    # -- one model ----------------------------------------------------------------------------------------

    def evaluator(self, query: Query) -> Evaluator:
        """The states a question is read over, with what is known of formulas there."""
        key = query.setting, query.finite
        if key not in self._evaluators:
            self._evaluators[key] = self._evaluator_in(self.space, query)
        return self._evaluators[key]

    def _evaluator_in(self, space: StateSpace, query: Query) -> Evaluator:
        atl = query.setting.atl
        constraints = [self._constraint(space, query.setting, each) for each in query.fairness]
        return Evaluator(space, self.budget, atl, constraints, finite=query.finite)

    def _constraint(self, space: StateSpace, setting: Setting, constraint: Constraint) -> States:
        """Where a fairness constraint holds: any state formula, evaluated without fairness."""
        plain = Evaluator(space, self.budget, setting.atl, finite=constraint.finite)
        return plain.states(constraint.formula)

    # -- uniform models -------------------------------------------------------------------------------------

    def _holds_in_some_uniform_model(self, query: Query) -> Answer:
        refused = False
        players = query.setting.players
        for space in uniform_spaces(self.explicit, self.budget, self._policy, players, self._steps):
            evaluator = self._evaluator_in(space, query)
            if not _holds(evaluator, query):
                continue
            if space.deadlock is not None and query.setting.refuses_deadlocks:
                refused = True
                continue
            self._found[query] = evaluator
            stuck = [] if space.deadlock is None else [Deadlock(space.path_to(space.deadlock), uniform=True)]
            return decided(True, *_warnings(evaluator, query, uniform=True), *stuck)
        return unknown(HasDeadlock(uniform=True)) if refused else decided(False)

    # -- the model itself -----------------------------------------------------------------------------------

    @property
    def states(self) -> int:
        """The exact number of reachable states."""
        return len(self.space)

    def faults(self, sought: Collection[Fault]) -> Faults:
        space = self.space
        return Faults(
            Absence.PROVED if space.deadlock is None else Deadlock(space.path_to(space.deadlock)),
            Absence.PROVED
            if space.overflow is None
            else Overflow(space.overflow.what, space.path_to(space.overflow)),
        )

    def statistics(self) -> Statistics:
        return {"transitions": sum(map(len, self.space.successors))}

    def forget(self, pressure: Pressure) -> None:
        """The states stay: they are all there is."""
        self._evaluators.clear()
        self._views.clear()
        self._found.clear()

    def close(self) -> None:
        self.forget(Pressure.ALL)


def _holds(evaluator: Evaluator, query: Query) -> bool:
    """Whether a formula holds in every (fair) initial state."""
    return evaluator.initial <= evaluator.states(query.formula)


def _warnings(evaluator: Evaluator, query: Query, *, uniform: bool = False) -> Iterator[Warning]:
    if not evaluator.initial:
        yield NoFairInitialState(uniform)
    yield from (VacuousStrategy(group) for group in query.coalitions if evaluator.is_vacuous(group.members))
