"""The reference engine: specifications of any logic against a system, over explicit states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeVar

from knower.errors import NoInitialState
from knower.limits import Budget
from knower.logic.language import UNTOUCHED, Specification
from knower.options import AtlReading, DeadlockPolicy, Reading
from knower.reference.evaluate import States, Worlds
from knower.reference.space import StateSpace, explore
from knower.reference.view import ExplicitView
from knower.system.explicit import Explicit, Observation
from knower.system.expressions import JointAction, State
from knower.system.system import InterpretedSystem
from knower.verdict import notices
from knower.verdict.verdict import Answer, Verdict, Warning

T = TypeVar("T")


@dataclass
class ExplicitModel:
    """A system explored state by state, ready to answer questions."""

    system: InterpretedSystem
    budget: Budget
    reading: Reading = field(default_factory=Reading)
    notes: dict[str, Warning] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.explicit = Explicit(self.system)
        self.space = explore(self.explicit, self.budget, self.reading.on_deadlock)
        if not self.space.initial:
            raise NoInitialState("no state satisfies InitStates")
        self._worlds: dict[tuple[AtlReading, bool], Worlds] = {}
        self._found: dict[Specification, Worlds] = {}  # the uniform models that make formulas true
        self._look_for_missteps()

    @property
    def states(self) -> int:
        """The exact number of reachable states."""
        return len(self.space)

    @property
    def statistics(self) -> dict[str, str | int | float]:
        return {"transitions": sum(map(len, self.space.successors))}

    @property
    def warnings(self) -> tuple[Warning, ...]:
        return tuple(self.notes.values())

    def check(self, spec: Specification) -> Answer:
        """Whether the specification holds in every (fair) initial state."""
        if self.reading.on_deadlock is DeadlockPolicy.FAIL and self.space.deadlock is not None:
            return Answer(Verdict.UNKNOWN, "the model has a deadlock (--on-deadlock fail)")
        if self.reading.finite:
            if spec.language in UNTOUCHED:
                self._note(notices.finite_ignored(spec.language.value))
            spec = replace(spec, language=spec.language.finite_reading)
        if spec.language.finite and self.system.fairness:
            self._note(notices.fairness_ignored())
        if self.reading.atl is AtlReading.UNIFORM_MODELS:
            return self._holds_in_some_uniform_model(spec)
        worlds = self._worlds_for(self.space, self.reading.atl, spec.language.finite)
        return self._answer(worlds, spec)

    def seek(self, sought: Collection[str]) -> None:
        """Look for deadlocks and overflows. Here that was done when all states were known."""

    def holds_at(self, spec: Specification, state: State) -> bool:
        """Whether the specification holds at one state; nothing holds at a state without fair path."""
        language = spec.language.finite_reading if self.reading.finite else spec.language
        worlds = self._worlds_for(self.space, self.reading.atl, language.finite)
        return self.space.number[state] in worlds.states(replace(spec, language=language))

    # -- one model ------------------------------------------------------------------------------------

    def _worlds_for(self, space: StateSpace, atl: AtlReading, finite: bool) -> Worlds:
        key = atl, finite
        if space is self.space and key in self._worlds:
            return self._worlds[key]
        constraints: list[States] = []
        if not finite and self.system.fairness:
            constraints = [self._constraint(space, atl, spec) for spec in self.system.fairness]
        worlds = Worlds(space, self.budget, atl, constraints, finite=finite)
        if space is self.space:
            self._worlds[key] = worlds
        return worlds

    def _constraint(self, space: StateSpace, atl: AtlReading, spec: Specification) -> States:
        """Where a fairness constraint holds: any state formula, evaluated without fairness."""
        language = spec.language.finite_reading if self.reading.finite else spec.language
        plain = Worlds(space, self.budget, atl, finite=language.finite)
        return plain.states(replace(spec, language=language))

    def _answer(self, worlds: Worlds, spec: Specification) -> Answer:
        initial = frozenset(worlds.space.initial) & worlds.universe
        if not initial:
            self._note(notices.no_fair_initial_state(uniform=worlds.space is not self.space))
        holds = initial <= worlds.states(spec)
        for group in sorted(worlds.vacuous):
            self._note(notices.vacuous_strategy(group))
        return Answer(Verdict.TRUE if holds else Verdict.FALSE)

    def explain(self, spec: Specification, work: Callable[[ExplicitView], T]) -> T | None:
        """Work on what explains a verdict; None where only all uniform models together would."""
        view = self.view(spec)
        return None if view is None else work(view)

    def view(self, spec: Specification) -> ExplicitView | None:
        """The states a specification was decided over, if there is one model in which it was."""
        if self.reading.atl is not AtlReading.UNIFORM_MODELS:
            return ExplicitView(self._worlds_for(self.space, self.reading.atl, spec.language.finite))
        return ExplicitView(self._found[spec]) if spec in self._found else None

    # -- uniform models ---------------------------------------------------------------------------------

    def _holds_in_some_uniform_model(self, spec: Specification) -> Answer:
        refused = False
        for space in self._uniform_spaces():
            worlds = self._worlds_for(space, AtlReading.UNIFORM_MODELS, spec.language.finite)
            answer = self._answer(worlds, spec)
            if answer.verdict is not Verdict.TRUE:
                continue
            self._found[spec] = worlds
            if space.deadlock is None:
                return answer
            if self.reading.on_deadlock is not DeadlockPolicy.FAIL:
                self._note(notices.uniform_deadlock(space.path_to(space.deadlock)))
                return answer
            refused = True
        if refused:
            return Answer(Verdict.UNKNOWN, "only uniform models with a deadlock (--on-deadlock fail)")
        return Answer(Verdict.FALSE)

    def _uniform_spaces(self) -> Iterator[StateSpace]:
        """The models in which every chosen agent plays one action per observation."""
        group = self.reading.uniform_group
        names = self.system.members(group) if group else tuple(self.system.agent_named)
        players = tuple(name for name in names if self.system.agent_named[name].actions)
        todo: list[dict[tuple[str, Observation], str]] = [{}]
        while todo:
            self.budget.tick()
            strategy = todo.pop()
            table = _Table(self.explicit, players, strategy)
            try:
                yield explore(self.explicit, self.budget, self.reading.on_deadlock, table.joint_actions)
            except _Undecided as missing:
                todo += [{**strategy, missing.key: action} for action in missing.options]

    # -- warnings -----------------------------------------------------------------------------------------

    def _look_for_missteps(self) -> None:
        deadlock, overflow = self.space.deadlock, self.space.overflow
        if deadlock is not None:
            self._note(notices.deadlock(self.space.path_to(deadlock)))
        if overflow is not None:
            self._note(notices.overflow(overflow.what, self.space.path_to(overflow)))

    def _note(self, warning: Warning) -> None:
        self.notes.setdefault(warning.message, warning)


class _Undecided(Exception):
    """A uniform strategy meets an observation for which it has no action yet."""

    def __init__(self, key: tuple[str, Observation], options: tuple[str, ...]) -> None:
        self.key = key
        self.options = options


@dataclass(frozen=True)
class _Table:
    """A strategy table as a restriction of the joint actions."""

    explicit: Explicit
    players: tuple[str, ...]
    strategy: dict[tuple[str, Observation], str]

    def joint_actions(self, state: State) -> Iterator[JointAction]:
        choices: list[tuple[str | None, ...]] = []
        for agent in self.explicit.system.agents:
            enabled = self.explicit.enabled(agent.name, state)
            if not agent.actions:
                choices.append((None,))
            elif agent.name in self.players and len(enabled) > 1:
                choices.append((self._chosen(agent.name, state, enabled),))
            else:
                choices.append(enabled)
        yield from product(*choices)

    def _chosen(self, name: str, state: State, enabled: tuple[str, ...]) -> str:
        key = name, self.explicit.sees(name, state)
        if key not in self.strategy:
            raise _Undecided(key, enabled)
        return self.strategy[key]
