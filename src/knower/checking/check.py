"""The symbolic engine: specifications of any logic against a system, over diagrams."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any, ClassVar, TypeVar

from knower.checking.choices import first_choice
from knower.checking.evaluate import Worlds
from knower.checking.view import SymbolicView
from knower.functions.protocol import Described, NoRoom, Reorderable
from knower.limits import Budget
from knower.logic.language import UNTOUCHED, Specification
from knower.options import AtlReading, DeadlockPolicy, Reading, Tuning
from knower.symbolic.choose import Chooser
from knower.symbolic.decode import Decoder
from knower.symbolic.encode import Encoding
from knower.symbolic.exploration import explored
from knower.symbolic.model import SymbolicModel
from knower.symbolic.steps import Steps
from knower.symbolic.system import TransitionSystem
from knower.system.expressions import State
from knower.system.system import InterpretedSystem
from knower.verdict import notices
from knower.verdict.verdict import Answer, Verdict, Warning

T = TypeVar("T")


@dataclass
class BddModel:
    """A system explored by decision diagrams, ready to answer questions."""

    system: InterpretedSystem
    budget: Budget
    reading: Reading = field(default_factory=Reading)
    tuning: Tuning = field(default_factory=Tuning)
    notes: dict[str, Warning] = field(default_factory=dict)
    #: How often more than usual the room of the diagrams is swept.
    _more_sweeps: ClassVar[int] = 0

    def __post_init__(self) -> None:
        started = time.perf_counter()
        self._chooser = Chooser(Encoding(self.system), self.tuning, more_sweeps=self._more_sweeps)
        self._seconds_to_encode = time.perf_counter() - started
        self._explore()
        self._with_room(self._look_for_missteps)

    def _explore(self) -> None:
        started = time.perf_counter()
        self.model: SymbolicModel[Any] = self._chooser.made(self._modelled)
        self._worlds: dict[bool, Worlds[Any]] = {}  # by whether paths are finite
        self._view: SymbolicView[Any] | None = None
        self._found: dict[Specification, Worlds[Any]] = {}  # the uniform models that make formulas true
        self._seconds_to_explore = time.perf_counter() - started

    def _modelled(self, steps: Steps[Any]) -> SymbolicModel[Any]:
        """The model with all of its states."""
        return explored(self._system(steps), self.budget, self.tuning.reach)

    def _system(self, steps: Steps[Any], *restrictions: Any) -> TransitionSystem[Any]:
        loops = self.reading.on_deadlock is DeadlockPolicy.LOOP
        return TransitionSystem(steps, loops=loops, restrictions=restrictions)

    @property
    def states(self) -> int | None:
        """The exact number of reachable states."""
        return self.model.states

    @property
    def statistics(self) -> dict[str, str | int | float]:
        """What the engine chose and how large things are."""
        model, space, attempt = self.model, self.model.space, self._chooser.attempt
        return {
            "library": space.name,
            "order": str(attempt.order if attempt else ""),
            **({"vtree": attempt.vtree} if attempt and attempt.vtree else {}),
            **(space.details() if isinstance(space, Described) else {}),
            "attempts": self._chooser.attempts,
            "state bits": model.layout.state_bits,
            "action bits": sum(len(model.layout.action_bits[name]) for name in model.steps.players),
            "moves": len(model.relation.moves),
            "relation nodes": sum(space.size(c) for move in model.relation.moves for c in move.clusters),
            "reachable nodes": space.size(model.reachable),
            "nodes held": space.nodes(),
            "reorderings": space.reorderings if isinstance(space, Reorderable) else 0,
            "seconds to encode": round(self._seconds_to_encode, 3),
            "seconds to explore": round(self._seconds_to_explore, 3),
        }

    @property
    def warnings(self) -> tuple[Warning, ...]:
        return tuple(self.notes.values())

    def check(self, spec: Specification) -> Answer:
        """Whether the specification holds in every (fair) initial state."""
        return self._with_room(lambda: self._checked(spec))

    def _checked(self, spec: Specification) -> Answer:
        if self.reading.on_deadlock is DeadlockPolicy.FAIL and self._has(self.model.deadlocks):
            return Answer(Verdict.UNKNOWN, "the model has a deadlock (--on-deadlock fail)")
        spec = self._read(spec)
        if self.reading.atl is AtlReading.UNIFORM_MODELS:
            return self._holds_in_some_uniform_model(spec)
        return self._answer(self._worlds_of_model(spec), spec)

    def _read(self, spec: Specification) -> Specification:
        """As the options say; warns of what they leave aside."""
        if self.reading.finite:
            if spec.language in UNTOUCHED:
                self._note(notices.finite_ignored(spec.language.value))
            spec = replace(spec, language=spec.language.finite_reading)
        if spec.language.finite and self.system.fairness:
            self._note(notices.fairness_ignored())
        return spec

    def holds_at(self, spec: Specification, state: State) -> bool:
        """Whether the specification holds at one state; nothing holds at a state without fair path."""
        return self._with_room(lambda: self._holds_at(spec, state))

    def _holds_at(self, spec: Specification, state: State) -> bool:
        return self._has(self._worlds_of_model(spec).specified(spec) & Decoder(self.model).code(state))

    def explain(self, spec: Specification, work: Callable[[SymbolicView[Any]], T]) -> T | None:
        """Work on what explains a verdict; None where only all uniform models together would."""

        def attempt() -> T | None:
            view = self.view(spec)
            return None if view is None else work(view)

        return self._with_room(attempt)

    def view(self, spec: Specification) -> SymbolicView[Any] | None:
        """The states a specification was decided over, if there is one model in which it was."""
        if self.reading.atl is not AtlReading.UNIFORM_MODELS:
            worlds = self._worlds_of_model(spec)
            if self._view is None or self._view.worlds is not worlds:
                self._view = SymbolicView(worlds)
            return self._view
        return SymbolicView(self._found[spec]) if spec in self._found else None

    def _with_room(self, work: Callable[[], T]) -> T:
        """Work that is begun again, on the model explored anew, as long as there is more room.

        It says itself how far the model has to be explored: who works in here does not call this again.
        """
        while True:
            try:
                with self.model.space.working():
                    return work()
            except NoRoom:
                self._worlds, self._view, self._found = {}, None, {}
                if not self._chooser.has_more:
                    raise
            del self.model  # its diagrams make room
            self._explore()

    def _has(self, states: Any) -> bool:
        return bool(states != self.model.space.false)

    # -- one model ------------------------------------------------------------------------------------

    def _worlds_of_model(self, spec: Specification) -> Worlds[Any]:
        finite = spec.language.finite
        if finite not in self._worlds:
            self._worlds[finite] = self._worlds_for(self.model, finite=finite)
        return self._worlds[finite]

    def _worlds_for(self, model: SymbolicModel[Any], *, finite: bool) -> Worlds[Any]:
        """With fairness constraints evaluated without fairness; finite traces know none."""
        constraints = [] if finite else [self._constraint(model, spec) for spec in self.system.fairness]
        return Worlds(model, self.reading.atl, constraints, finite=finite)

    def _constraint(self, model: SymbolicModel[Any], spec: Specification) -> Any:
        language = spec.language.finite_reading if self.reading.finite else spec.language
        plain = Worlds(model, self.reading.atl, finite=language.finite)
        return plain.specified(replace(spec, language=language))

    def _answer(self, worlds: Worlds[Any], spec: Specification) -> Answer:
        if not self._has(worlds.initial):
            self._note(notices.no_fair_initial_state(uniform=worlds.model is not self.model))
        holds = worlds.holds(spec)
        for group in sorted(worlds.vacuous):
            self._note(notices.vacuous_strategy(group))
        return Answer(Verdict.TRUE if holds else Verdict.FALSE)

    # -- uniform models ---------------------------------------------------------------------------------

    def _holds_in_some_uniform_model(self, spec: Specification) -> Answer:
        refused = False
        for model in self._uniform_models():
            worlds = self._worlds_for(model, finite=spec.language.finite)
            answer = self._answer(worlds, spec)
            if answer.verdict is not Verdict.TRUE:
                continue
            self._found[spec] = worlds
            if not self._has(model.deadlocks):
                return answer
            if self.reading.on_deadlock is not DeadlockPolicy.FAIL:
                self._note(notices.uniform_deadlock(Decoder(model).path_to(model.deadlocks)))
                return answer
            refused = True
        if refused:
            return Answer(Verdict.UNKNOWN, "only uniform models with a deadlock (--on-deadlock fail)")
        return Answer(Verdict.FALSE)

    def _uniform_models(self) -> Iterator[SymbolicModel[Any]]:
        """The models in which every chosen agent plays one action per observation."""
        group = self.reading.uniform_group
        names = self.system.members(group) if group else tuple(self.system.agent_named)
        players = [name for name in names if name in self.model.steps.players]
        todo = [self.model.space.true]
        while todo:
            self.budget.step()
            strategy = todo.pop()
            model = explored(self._system(self.model.steps, strategy), self.budget)
            options = first_choice(model.system, players, model.reachable, strategy)
            if options is None:
                yield model
            else:
                todo += [strategy & option for option in options]

    # -- warnings -----------------------------------------------------------------------------------------

    def seek(self, sought: Collection[str]) -> None:
        """Look for deadlocks and overflows. Here that was done when all states were known."""

    def _look_for_missteps(self) -> None:
        self._look_for_missteps_in(self.model)

    def _look_for_missteps_in(self, model: SymbolicModel[Any]) -> None:
        if self._has(model.deadlocks):
            self._note(notices.deadlock(Decoder(model).path_to(model.deadlocks)))
        self._look_for_overflow(model)

    def _look_for_overflow(self, model: SymbolicModel[Any]) -> None:
        """Values outside their domains, and divisions by zero, in states or steps that are reached."""
        code = model.system.encoding
        function = model.steps.function
        faults = [*(agent.state_fault for agent in code.agents), *code.label_faults.values()]
        in_states = reduce(or_, (function(fault) for fault in faults), model.space.false) & model.reachable
        in_states = in_states | (function(code.initial_fault) & model.initial)
        steps = reduce(or_, (function(agent.step_fault) for agent in code.agents), model.steps.overflow)
        for guard in (*model.system.relations.guards, model.reachable):
            steps = steps & guard
        if self._has(in_states) or self._has(steps):
            every = model.space.quantified(model.layout.actions)
            self._explain_overflow(model, in_states | model.space.exists(steps, every), steps)

    def _explain_overflow(self, model: SymbolicModel[Any], wrong: Any, steps: Any) -> None:
        """At the nearest state where something goes wrong: what, and how one comes there."""
        decoder = Decoder(model)
        states = decoder.states_to(wrong)
        last = decoder.state(wrong) if states is None else states[-1]
        explicit, initial, joint = decoder.explicit, states == [last], None
        in_state = chain(
            explicit.initial_divisions_by_zero(last) if initial else (), explicit.divisions_by_zero(last)
        )
        found = next(in_state, None)
        if found is None:
            joint = decoder.joint(last, None, steps)
            found = next(explicit.overflows(last, joint))
        path = None if states is None else decoder.path(states, joint)
        self._note(notices.overflow(str(found), path))

    def _note(self, warning: Warning) -> None:
        self.notes.setdefault(warning.message, warning)
