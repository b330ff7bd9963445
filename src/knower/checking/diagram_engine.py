"""The engine on decision diagrams: questions of any logic about a system, over functions.

It looks at all states, or (bounded) only as far as its questions need: states are collected step by step,
and now and then all questions that are open are asked of the part that is known. What fails there, or for an
existential formula holds there, is decided. When there are no more states, the part is the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

from knower.checking.diagram_sets import DiagramSet
from knower.checking.evaluate import Evaluator
from knower.checking.faults import faults_in
from knower.checking.looking import Looking
from knower.checking.rooms import Explorer, OwnExplorer, Rooms
from knower.checking.symbolic_view import SymbolicView
from knower.checking.uniform_models import uniform_models
from knower.engine.protocol import Pressure, Search
from knower.engine.turns import attempted, in_turns, is_cut_short
from knower.limits import Budget
from knower.logic.polarity import polarity
from knower.options import How
from knower.options import Search as Bounds
from knower.query.query import Query
from knower.query.setting import Constraint, Setting
from knower.reasons import HasDeadlock, NeedsAllStates, NoCounterexample, NoWitness
from knower.symbolic.decode import Decoder
from knower.symbolic.encode import Encoding
from knower.symbolic.model import SymbolicModel
from knower.symbolic.order_search import Configuration, OrderSearch
from knower.system.expressions import State
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Fault, Faults
from knower.verdict.verdict import Answer, Statistics, Verdict, decided, unknown
from knower.verdict.warnings import Deadlock, NoFairInitialState, VacuousStrategy, Warning

P = ParamSpec("P")
T = TypeVar("T")

#: A bounded search leaves more garbage behind: so many garbage collections more before a larger room.
_MORE_COLLECTIONS = 4


def diagram_engine(system: InterpretedSystem, budget: Budget, how: How, loops: bool) -> DiagramEngine:
    """All states, then the questions."""
    explorer = OwnExplorer(budget, how.tuning.reach, whole=True)
    order = OrderSearch(Encoding(system), how.tuning)
    return DiagramEngine(_rooms(order, budget, explorer, loops=loops))


def bounded_engine(system: InterpretedSystem, budget: Budget, how: How, loops: bool) -> DiagramEngine:
    """As many states as the questions need."""
    explorer = OwnExplorer(budget, Looking.strategy(how.search), whole=False)
    return growing_engine(system, budget, how, explorer, loops=loops)


def growing_engine(
    system: InterpretedSystem,
    budget: Budget,
    how: How,
    explorer: Explorer,
    *,
    loops: bool,
    like: Configuration | None = None,
) -> DiagramEngine:
    """An engine whose states are found by an explorer, as far as they are needed.

    `like`: where that was good elsewhere, no smaller room is tried.
    """
    order = OrderSearch(Encoding(system), how.tuning, more_collections=_MORE_COLLECTIONS, like=like)
    return DiagramEngine(_rooms(order, budget, explorer, loops=loops), how.search)


def _rooms(order: OrderSearch, budget: Budget, explorer: Explorer, *, loops: bool) -> Rooms:
    """With states that are known; who is stopped before says how often all was begun anew."""
    with budget.gauged(lambda: {"attempts": order.attempts}):
        return Rooms(order, budget, explorer, loops=loops)


class DiagramEngine:
    """A system in a space of functions, ready to answer questions (an `engine.protocol.Explored`)."""

    def __init__(self, rooms: Rooms, bounds: Bounds | None = None) -> None:
        self.rooms = rooms
        self.budget = rooms.budget
        self.looking = Looking(bounds or Bounds())
        self._known_at: tuple[int, int] = (-1, -1)
        self._evaluators: dict[tuple[int, Setting, bool], Evaluator[Any]] = {}
        #: The propositions that were asked about, and which of them mean what at present.
        self._evaluations = [rooms.labelling]
        self._evaluation = 0
        self._found: dict[Query, Evaluator[Any]] = {}  # the uniform models that make formulas true
        self._view: SymbolicView[Any] | None = None
        self._faults: Faults | None = None

    def adopt(self, system: InterpretedSystem) -> None:
        """What is known of formulas is kept for each meaning of the propositions."""
        if system.labelling == self._evaluations[self._evaluation]:
            return
        if system.labelling not in self._evaluations:
            self._evaluations.append(system.labelling)
        self._evaluation = self._evaluations.index(system.labelling)
        self.rooms.adopt(system)
        self._found.clear()
        self._view = None
        self._faults = None

    # -- questions ------------------------------------------------------------------------------------------

    def decide(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Answer]]:
        for query, answer in self._decided(queries):
            notes = self.rooms.explorer.notes()
            yield query, replace(answer, warnings=(*answer.warnings, *notes)) if notes else answer

    def _decided(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Answer]]:
        waiting = dict.fromkeys(queries)
        self.budget.share_among(waiting)
        for query, answer in self._by_parts(list(waiting)):
            del waiting[query]
            yield query, answer
        yield from in_turns(list(waiting), self.budget, lambda query: self._with_room(self._answer, query))

    def _answer(self, query: Query) -> Answer:
        """What all states tell."""
        model = self._whole()
        if query.setting.refuses_deadlocks and model.deadlocks != model.space.false:
            return unknown(HasDeadlock())
        if query.setting.many_models:
            return self._holds_in_some_uniform_model(query)
        evaluator = self.evaluator(query)
        return decided(evaluator.holds(query.formula), *_warnings(evaluator, query))

    def holds_at(self, query: Query, state: State) -> bool:
        return self._with_room(self._holds_at, query, state)

    def _holds_at(self, query: Query, state: State) -> bool:
        model = self._whole()
        return bool(
            self.evaluator(query).states(query.formula) & Decoder(model).code(state) != model.space.false
        )

    def where(self, query: Query) -> DiagramSet:
        def states() -> tuple[Evaluator[Any], Any]:
            self._whole()
            evaluator = self.evaluator(query)
            return evaluator, evaluator.states(query.formula)

        return DiagramSet(self.rooms, states)

    def evidence(
        self, query: Query, verdict: Verdict, over: Search, avoid: Collection[Evidence] = ()
    ) -> Evidence | None:
        return self._with_room(self._evidence, query, verdict, over)

    def _evidence(self, query: Query, verdict: Verdict, over: Search) -> Evidence | None:
        if not query.setting.many_models:
            self._find_part_for(query)
            return over(self._seen(self.evaluator(query)))
        if verdict is Verdict.TRUE and query not in self._found:
            self._answer(query)
        return over(SymbolicView(self._found[query])) if query in self._found else None

    def _with_room(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        with self.budget.gauged(self._figures):
            return self.rooms.with_room(lambda: work(*given, **named))

    # -- the states -----------------------------------------------------------------------------------------

    def _whole(self) -> SymbolicModel[Any]:
        """The model with all states."""
        with self.budget.for_everybody():
            while not self.rooms.exploration.complete:
                self.rooms.advance()
        return self.rooms.model

    def _seen(self, evaluator: Evaluator[Any]) -> SymbolicView[Any]:
        """A view of the states of an evaluator: the one that was made last, if it is of the same."""
        view = self._view
        if view is None or view.evaluator is not evaluator:
            view = self._view = SymbolicView(evaluator)
        return view

    def evaluator(self, query: Query) -> Evaluator[Any]:
        """The known states a question is read over, with what is known of formulas there."""
        self._forget_what_is_past()
        key = self._evaluation, query.setting, query.finite
        if key not in self._evaluators:
            self._evaluators[key] = _evaluator_in(self.rooms.model, query)
        return self._evaluators[key]

    def _forget_what_is_past(self) -> None:
        """What is known of formulas belongs to a space, and to a part of the states."""
        now = self.rooms.moves, self.rooms.exploration.depth
        if now != self._known_at:
            if now[0] != self._known_at[0]:
                self._found.clear()
            self._evaluators.clear()
            self._view = None
            self._known_at = now

    # -- parts ----------------------------------------------------------------------------------------------

    def _by_parts(self, waiting: list[Query]) -> Iterator[tuple[Query, Answer]]:
        """What a part of the states decides, and what is open when the bound is met."""
        while waiting and not self.rooms.exploration.complete:
            for query in self._looked_at(waiting):
                answer = attempted(query, self.budget, self._looked)
                if answer.verdict is not Verdict.UNKNOWN:
                    waiting.remove(query)
                    yield query, answer
                elif is_cut_short(answer):
                    self.budget.gets_another_turn(query)
            if self.looking.is_over(self.rooms.exploration.depth):
                yield from in_turns(waiting, self.budget, self._looked_at_the_bound)
                return
            if waiting:
                self._with_room(self.rooms.advance)

    def _looked_at_the_bound(self, query: Query) -> Answer:
        def work() -> Answer:
            with self.budget.for_everybody():
                while not self.looking.is_over(self.rooms.exploration.depth):
                    self.rooms.advance()
            return self.told(query)

        return self._with_room(work)

    def _looked(self, query: Query) -> Answer:
        """What the part that is known tells, wherever there is room for it."""
        return self._with_room(self.told, query)

    def _looked_at(self, waiting: list[Query]) -> list[Query]:
        """The questions to be asked of the part that is known, if it is time for that."""
        able = [query for query in waiting if query.decides_early]
        self.rooms.explorer.watch(able)
        if not able or self.rooms.explorer.take_hint():
            return able
        depth, nodes = self.rooms.extent
        return [query for query in able if self.looking.wants(query, depth, nodes, len(able))]

    def told(self, query: Query) -> Answer:
        """What the states found so far tell, if they do."""
        if not query.decides_early:
            return unknown(NeedsAllStates(self.rooms.exploration.depth))
        with self.looking.look(query, *self.rooms.extent):
            evaluator = self.evaluator(query)
            holds = evaluator.holds(query.formula)
        everybody = evaluator.initial == evaluator.model.initial  # nobody has been left out as unfair
        if (query.early.universal and not holds) or (query.early.existential and holds and everybody):
            return decided(holds, *_warnings(evaluator, query))
        depth = self.rooms.exploration.depth
        return unknown(NoCounterexample(depth) if query.early.universal else NoWitness(depth))

    def _find_part_for(self, query: Query) -> None:
        """Go as far as the question needs, if all has begun anew."""
        while not self.rooms.exploration.complete and self.told(query).verdict is Verdict.UNKNOWN:
            self.rooms.advance()

    # -- uniform models -------------------------------------------------------------------------------------

    def _holds_in_some_uniform_model(self, query: Query) -> Answer:
        def fails(model: SymbolicModel[Any]) -> bool:
            return not _evaluator_in(model, query).holds(query.formula)

        refused = False
        is_universal = polarity(query.formula).universal and not query.fairness and not query.finite
        for model in uniform_models(self._whole(), query.setting.players, fails if is_universal else None):
            evaluator = _evaluator_in(model, query)
            if not evaluator.holds(query.formula):
                continue
            has_deadlock = model.deadlocks != model.space.false
            if has_deadlock and query.setting.refuses_deadlocks:
                refused = True
                continue
            self._forget_what_is_past()
            self._found[query] = evaluator
            stuck = [Deadlock(Decoder(model).path_to(model.deadlocks), uniform=True)] if has_deadlock else []
            return decided(True, *_warnings(evaluator, query, uniform=True), *stuck)
        return unknown(HasDeadlock(uniform=True)) if refused else decided(False)

    @property
    def order(self) -> str:
        return self.rooms.order

    # -- the model itself -----------------------------------------------------------------------------------

    @property
    def states(self) -> int | None:
        """The exact number of reachable states, when all are known."""
        if self.rooms.is_left or not self.rooms.exploration.complete:
            return None
        return self.rooms.model.states

    def faults(self, sought: Collection[Fault]) -> Faults:
        if self._faults is None or not all(map(self._faults.is_known, Fault)):
            self._faults = self._with_room(self._sought, sought)
        return self._faults

    def _sought(self, sought: Collection[Fault]) -> Faults:
        """Among the states that are known; what is asked for, also among those that follow."""
        found = faults_in(self.rooms.model)
        while not all(map(found.is_known, sought)) and not self.looking.is_over(self.rooms.exploration.depth):
            self.rooms.advance()
            found = faults_in(self.rooms.model)
        return found

    def statistics(self) -> Statistics:
        if self.rooms.is_left or self.rooms.exploration.complete:
            return {**self.rooms.statistics(), **self._searched()}
        return {**self.rooms.statistics(), **self.rooms.exploration.figures()}

    def _searched(self) -> Statistics:
        """What was searched for strategies."""
        found: dict[str, int] = {}
        for evaluator in self._evaluators.values():
            for name, figure in evaluator.strategies.figures().items():
                found[name] = found.get(name, 0) + figure
        return dict(found)

    def _figures(self) -> Statistics:
        """What changes while a question is being decided; exploring tells of itself."""
        if self.rooms.is_left:
            return self.rooms.statistics()
        return {"nodes held": self.rooms.exploration.system.space.nodes()}

    def forget(self, pressure: Pressure) -> None:
        self._evaluators.clear()
        self._view = None
        self._found.clear()
        if pressure is Pressure.ALL:
            self.rooms.leave()

    def close(self) -> None:
        self.forget(Pressure.FORMULAS)
        self.rooms.close()


def _evaluator_in(model: SymbolicModel[Any], query: Query) -> Evaluator[Any]:
    """With fairness constraints evaluated without fairness."""
    atl = query.setting.atl
    return Evaluator(
        model, atl, [_constraint(model, query.setting, c) for c in query.fairness], finite=query.finite
    )


def _constraint(model: SymbolicModel[Any], setting: Setting, constraint: Constraint) -> Any:
    return Evaluator(model, setting.atl, finite=constraint.finite).states(constraint.formula)


def _warnings(evaluator: Evaluator[Any], query: Query, *, uniform: bool = False) -> Iterator[Warning]:
    if evaluator.initial == evaluator.model.space.false:
        yield NoFairInitialState(uniform)
    for group in query.coalitions:
        if evaluator.strategies.is_vacuous(group.members):
            yield VacuousStrategy(group)
