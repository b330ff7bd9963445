"""The reference semantics, docs/language.md as functions.

States are tuples of values, joint actions tuples of action names. Nothing here is clever but one
thing: what an agent may do and become depends only on what it observes and on the actions it
reads, so both are remembered by that. Every line is looked at; `compiled_steps` looks at few of them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from typing import Any, NamedTuple, TypeAlias

from knower.limits import Budget
from knower.logic.node import Node
from knower.records import dataclass
from knower.system.domains import Value, shown
from knower.system.expressions import (
    ActionOf,
    Condition,
    Evaluator,
    JointAction,
    State,
    compiled,
    division_tests,
)  # fmt: skip
from knower.system.search import Unknown, combinations, solutions
from knower.system.system import Agent, EvolutionLine, InterpretedSystem

#: What an agent sees of a state.
Observation: TypeAlias = tuple[Value, ...]
#: The actions each agent chooses from, in the order of `InterpretedSystem.agents`.
Options: TypeAlias = Sequence[tuple[str | None, ...]]

_NO_ACTION: JointAction = ()


@dataclass(frozen=True, slots=True)
class Overflow:
    """An assignment outside its domain, or a division by zero (then without a value)."""

    agent: str
    what: str

    def __str__(self) -> str:
        return f"{self.what} in agent {self.agent}" if self.agent else self.what


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The local states an agent may have next, and the overflows met on the way."""

    states: tuple[tuple[Value, ...], ...]
    overflows: tuple[Overflow, ...] = ()


class Move(NamedTuple):
    """Joint actions with the same outcomes: one of each agent's options, in any combination."""

    options: Options
    #: One for each agent.
    outcomes: Sequence[Outcomes]

    @property
    def joint(self) -> JointAction:
        """The first of the joint actions."""
        return tuple([actions[0] for actions in self.options])

    def successors(self) -> Iterator[State]:
        """The states the joint actions can lead to: all agents move at once."""
        for parts in product(*[each.states for each in self.outcomes]):
            yield tuple(chain.from_iterable(parts))

    def overflows(self) -> list[Overflow]:
        """The overflows of the step."""
        return [overflow for each in self.outcomes for overflow in each.overflows]


class Explicit:
    """The step function of a system: initial states, enabled actions, successors, observations."""

    def __init__(self, system: InterpretedSystem) -> None:
        compiler = _Compiler(system)
        self.system = system
        self.agents = [ExplicitAgent(agent, compiler) for agent in system.agents]
        self.seat = system.places.agent
        self._compiler = compiler
        self._labels: dict[str, Evaluator] = {}  # compiled when asked for: there may be very many
        self._initial_zero_tests = compiler.division_tests(system.initial)
        #: What others have found out by these steps, for those who come after them.
        self.remembered: dict[Hashable, Any] = {}

    @cached_property
    def _zero_tests(self) -> list[tuple[str, Evaluator]]:
        return [
            (f"proposition {name}", test)
            for name, condition in self.system.propositions.items()
            for test in self._compiler.division_tests(condition)
        ]

    def initial_states(self, budget: Budget | None = None, most_steps: int | None = None) -> Iterator[State]:
        """All states that satisfy InitStates; raises `LimitReached` after so many steps of the search."""
        variables = self.system.variables
        for chosen in solutions(self.system.initial, self._values, budget, most_steps):
            fixed = {(u.owner, u.name): v for u, v in chosen.items() if not isinstance(u, ActionOf)}
            yield from combinations(
                [[fixed[v.key]] if v.key in fixed else v.domain.values for v in variables]
            )

    @cached_property
    def _initial(self) -> Evaluator:
        return self._compiler.function(self.system.initial)

    def is_initial(self, state: State) -> bool:
        """Whether a state satisfies InitStates."""
        return bool(self._initial(state, _NO_ACTION))

    def _values(self, unknown: Unknown) -> Sequence[Value]:
        if isinstance(unknown, ActionOf):
            return self.system.agent_named[unknown.agent].actions
        return self.system.domains[unknown.owner, unknown.name].values

    def enabled(self, agent: str, state: State) -> tuple[str, ...]:
        """The actions the agent's protocol allows, in the order they are declared."""
        return self.agents[self.seat[agent]].enabled(state)

    def options(self, state: State) -> Options:
        """The enabled actions of each agent; an agent without actions imposes no choice."""
        return [agent.choices(state) for agent in self.agents]

    def joint_actions(self, state: State) -> Iterator[JointAction]:
        """One enabled action per agent."""
        return product(*self.options(state))

    def move(self, state: State, joint: JointAction) -> Move:
        """A joint action with its outcomes."""
        return Move([(action,) for action in joint], [agent.outcomes(state, joint) for agent in self.agents])

    def moves(self, state: State, options: Options) -> Iterator[Move]:
        """The joint actions of these options, one by one."""
        return (self.move(state, joint) for joint in product(*options))

    def successors(self, state: State, joint: JointAction) -> Iterator[State]:
        """The states a joint action can lead to."""
        return self.move(state, joint).successors()

    def overflows(self, state: State, joint: JointAction) -> Iterator[Overflow]:
        """The overflows of a step."""
        return iter(self.move(state, joint).overflows())

    def initial_divisions_by_zero(self, state: State) -> Iterator[Overflow]:
        """Those in the condition of InitStates, at a state that satisfies it."""
        if any(test(state, _NO_ACTION) for test in self._initial_zero_tests):
            yield Overflow("", "division by zero in InitStates")

    def divisions_by_zero(self, state: State) -> Iterator[Overflow]:
        """Those in the conditions of protocols, red states and propositions."""
        for agent in self.agents:
            yield from agent.divisions_by_zero(state)
        for where, test in self._zero_tests:
            if test(state, _NO_ACTION):
                yield Overflow("", f"division by zero in {where}")

    def sees(self, agent: str, state: State) -> Observation:
        """What the agent observes: `s ~i t` iff they agree on it."""
        return self.agents[self.seat[agent]].sees(state)

    def holds(self, proposition: str, state: State) -> bool:
        if proposition not in self._labels:
            self._labels[proposition] = self._compiler.function(self.system.propositions[proposition])
        return bool(self._labels[proposition](state, _NO_ACTION))

    def named_state(self, state: State) -> dict[str, dict[str, Value]]:
        """A state as agent -> variable -> value."""
        named: dict[str, dict[str, Value]] = {agent.name: {} for agent in self.system.agents}
        for variable, value in zip(self.system.variables, state, strict=True):
            named[variable.owner][variable.name] = value
        return named

    def named_action(self, joint: JointAction) -> dict[str, str]:
        """A joint action as agent -> action."""
        pairs = zip(self.system.agents, joint, strict=True)
        return {agent.name: action for agent, action in pairs if action is not None}

    def is_red(self, agent: str, state: State) -> bool:
        return bool(self.agents[self.seat[agent]].red(state, _NO_ACTION))


class _Compiler:
    """Conditions and values of a system as functions: what several share is compiled once."""

    def __init__(self, system: InterpretedSystem) -> None:
        self.system = system
        self._done: dict[int, Evaluator] = {}

    def function(self, root: Node) -> Evaluator:
        return compiled(root, self.system.places, self._done)

    def division_tests(self, condition: Condition) -> list[Evaluator]:
        """For each comparison that divides: whether it divides by zero."""
        return division_tests(condition, self.system.places) if self.system.divides else []


class ExplicitAgent:
    """One agent's protocol and evolution as functions, each made when it is first needed."""

    def __init__(self, agent: Agent, compiler: _Compiler) -> None:
        self.agent = agent
        self._compiler = compiler
        self._places = [compiler.system.places.variable[key] for key in agent.observes]
        self._own = [compiler.system.places.variable[v.key] for v in agent.variables]
        slots = {v.name: k for k, v in enumerate(agent.variables)}
        self.blocks = [
            [ExplicitLine(line, agent, slots, compiler) for line in block.lines] for block in agent.evolution
        ]
        self._enabled: dict[Observation, tuple[str, ...]] = {}
        self._outcomes: dict[tuple[Observation, JointAction], Outcomes] = {}

    @cached_property
    def red(self) -> Evaluator:
        return self._compiler.function(self.agent.red)

    @cached_property
    def _protocol(self) -> list[tuple[Evaluator, tuple[str, ...]]]:
        return [(self._compiler.function(line.condition), line.actions) for line in self.agent.protocol]

    @cached_property
    def _listens(self) -> list[int]:
        seats = self._compiler.system.places.agent
        return sorted(seats[name] for name in self.agent.heard)

    @cached_property
    def _zero_tests(self) -> list[Evaluator]:
        conditions = (*(line.condition for line in self.agent.protocol), self.agent.red)
        return [test for condition in conditions for test in self._compiler.division_tests(condition)]

    @cached_property
    def dividing(self) -> list[list[ExplicitLine]]:
        """For each block the lines whose conditions may divide by zero, enabled or not."""
        if not self._compiler.system.divides:
            return [[] for _ in self.blocks]
        return [[line for line in block if line.zero_tests] for block in self.blocks]

    def sees(self, state: State) -> Observation:
        return tuple([state[place] for place in self._places])

    def enabled(self, state: State) -> tuple[str, ...]:
        """The union over the lines whose condition holds."""
        seen = self.sees(state)
        found = self._enabled.get(seen)
        if found is None:
            allowed = {a for holds, actions in self._protocol if holds(state, _NO_ACTION) for a in actions}
            found = self._enabled[seen] = self.in_order(allowed)
        return found

    def in_order(self, allowed: Collection[str]) -> tuple[str, ...]:
        """Actions in the order they are declared."""
        return tuple(action for action in self.agent.actions if action in allowed)

    def choices(self, state: State) -> tuple[str | None, ...]:
        return self.enabled(state) if self.agent.actions else (None,)

    def outcomes(self, state: State, joint: JointAction) -> Outcomes:
        key = self.sees(state), tuple([joint[seat] for seat in self._listens])
        found = self._outcomes.get(key)
        if found is None:
            enabled = [[line for line in block if line.condition(state, joint)] for block in self.blocks]
            found = self._outcomes[key] = self.outcomes_of(enabled, state, joint)
        return found

    def outcomes_of(
        self, enabled: Sequence[Sequence[ExplicitLine]], state: State, joint: JointAction
    ) -> Outcomes:
        """One enabled line per block, or no change; the blocks act independently."""
        before = [state[place] for place in self._own]
        overflows: list[Overflow] = []
        options: list[list[dict[int, Value]]] = []
        for dividing, lines in zip(self.dividing, enabled, strict=True):
            overflows += [o for line in dividing for o in line.guard_overflows(state, joint)]
            if not lines:
                continue
            changes = [line.changes(state, joint) for line in lines]
            overflows += [change for change in changes if isinstance(change, Overflow)]
            options.append([change for change in changes if not isinstance(change, Overflow)])
        states = dict.fromkeys(_changed(before, picked) for picked in product(*options))
        return Outcomes(tuple(states), tuple(overflows))

    def divisions_by_zero(self, state: State) -> Iterator[Overflow]:
        if any(test(state, _NO_ACTION) for test in self._zero_tests):
            yield Overflow(self.agent.name, "division by zero in a condition")


class ExplicitLine:
    """A line of Evolution as functions."""

    def __init__(
        self, line: EvolutionLine, agent: Agent, slots: Mapping[str, int], compiler: _Compiler
    ) -> None:
        self.line = line
        self.agent = agent
        self._slots = slots
        self._compiler = compiler

    @cached_property
    def condition(self) -> Evaluator:
        return self._compiler.function(self.line.condition)

    @cached_property
    def _values(self) -> list[tuple[int, Evaluator]]:
        function = self._compiler.function
        return [(self._slots[target], function(value)) for target, value in self.line.assignments]

    @cached_property
    def zero_tests(self) -> list[Evaluator]:
        return self._compiler.division_tests(self.line.condition)

    def changes(self, state: State, joint: JointAction) -> dict[int, Value] | Overflow:
        """The new values by the place of their variable, or the overflow that prevents them."""
        made: dict[int, Value] = {}
        for slot, evaluate in self._values:
            variable = self.agent.variables[slot]
            try:
                value = evaluate(state, joint)
            except ZeroDivisionError:
                return Overflow(self.agent.name, f"division by zero in the value of {variable.name}")
            if value not in variable.domain:
                what = f"{variable.name} : {variable.domain} would become {shown(value)}"
                return Overflow(self.agent.name, what)
            made[slot] = value if isinstance(value, bool | str) else int(value)
        return made

    def guard_overflows(self, state: State, joint: JointAction) -> Iterator[Overflow]:
        if any(test(state, joint) for test in self.zero_tests):
            yield Overflow(self.agent.name, "division by zero in a condition of Evolution")


def _changed(before: list[Value], changes: tuple[dict[int, Value], ...]) -> tuple[Value, ...]:
    after = list(before)
    for change in changes:
        for slot, value in change.items():
            after[slot] = value
    return tuple(after)
