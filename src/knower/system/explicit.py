"""The reference semantics, docs/language.md as functions.

States are tuples of values, joint actions tuples of action names. Nothing here is clever but one
thing: what an agent may do and become depends only on what it observes and on the actions it
reads, so both are remembered by that. Every line is looked at; `compiled_steps` looks at few of them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, product
from typing import Any, NamedTuple, TypeAlias

from knower.limits import Budget
from knower.logic.node import Node
from knower.records import dataclass
from knower.system.domains import Value, shown
from knower.system.evaluation import Evaluator, Fault, compiled, fault_in
from knower.system.expressions import ActionOf, JointAction, NoValue, State, is_partial, variables
from knower.system.search import Unknown, combinations, solutions
from knower.system.system import Agent, EvolutionLine, InterpretedSystem, conditional_values

#: What an agent sees of a state.
Observation: TypeAlias = tuple[Value, ...]
#: The actions each agent chooses from, in the order of `InterpretedSystem.agents`.
Options: TypeAlias = Sequence[tuple[str | None, ...]]

_NO_ACTION: JointAction = ()


@dataclass(frozen=True, slots=True)
class Overflow:
    """An assignment outside its domain, or something without a value: a division by zero, say."""

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
        self._initial_faults = compiler.faults(system.initial)
        #: What others have found out by these steps, for those who come after them.
        self.remembered: dict[Hashable, Any] = {}

    @cached_property
    def _label_faults(self) -> list[tuple[str, Fault]]:
        return [
            (f"proposition {name}", fault)
            for name, condition in self.system.looked_at.items()
            for fault in self._compiler.faults(condition)
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

    def initial_faults(self, state: State) -> Iterator[Overflow]:
        """What has no value in the condition of InitStates, at a state that satisfies it."""
        for fault in self._initial_faults:
            if (what := fault(state, _NO_ACTION)) is not None:
                yield Overflow("", f"{what} in InitStates")

    def faults(self, state: State) -> Iterator[Overflow]:
        """What has no value in the conditions of protocols, red states and propositions."""
        for agent in self.agents:
            yield from agent.faults(state)
        for where, fault in self._label_faults:
            if (what := fault(state, _NO_ACTION)) is not None:
                yield Overflow("", f"{what} in {where}")

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

    def faults(self, *roots: Node) -> list[Fault]:
        """For each condition, and each condition in a value, that may come to something without a value."""
        if not self.system.is_partial:
            return []
        return [fault_in(root, self.system.places) for root in roots if is_partial(root)]


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
    def _read(self) -> list[int]:
        """What the protocol may read: what the agent sees; more if it follows a strategy by state."""
        places = self._compiler.system.places.variable
        read = {places[key] for key in variables(*(line.condition for line in self.agent.protocol))}
        return self._places if read <= set(self._places) else sorted(read)

    @cached_property
    def _protocol(self) -> list[tuple[Evaluator, tuple[str, ...]]]:
        return [(self._compiler.function(line.condition), line.actions) for line in self.agent.protocol]

    @cached_property
    def _listens(self) -> list[int]:
        seats = self._compiler.system.places.agent
        return sorted(seats[name] for name in self.agent.heard)

    @cached_property
    def _faults(self) -> list[Fault]:
        return self._compiler.faults(*(line.condition for line in self.agent.protocol), self.agent.red)

    @cached_property
    def partial(self) -> list[list[ExplicitLine]]:
        """For each block the lines whose conditions may come to no value, enabled or not."""
        if not self._compiler.system.is_partial:
            return [[] for _ in self.blocks]
        return [[line for line in block if line.guard_faults] for block in self.blocks]

    def sees(self, state: State) -> Observation:
        return tuple([state[place] for place in self._places])

    def enabled(self, state: State) -> tuple[str, ...]:
        """The union over the lines whose condition holds."""
        seen = tuple([state[place] for place in self._read])
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
        for partial, lines in zip(self.partial, enabled, strict=True):
            overflows += [o for line in partial for o in line.guard_overflows(state, joint)]
            if not lines:
                continue
            overflows += [o for line in lines for o in line.value_overflows(state, joint)]
            changes = [line.changes(state, joint) for line in lines]
            overflows += [change for change in changes if isinstance(change, Overflow)]
            options.append([change for change in changes if not isinstance(change, Overflow)])
        states = dict.fromkeys(_changed(before, picked) for picked in product(*options))
        return Outcomes(tuple(states), tuple(overflows))

    def faults(self, state: State) -> Iterator[Overflow]:
        found = filter(None, (fault(state, _NO_ACTION) for fault in self._faults))
        for what in islice(found, 1):  # `Other` repeats what the lines before it say
            yield Overflow(self.agent.name, f"{what} in a condition")


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
    def guard_faults(self) -> list[Fault]:
        return self._compiler.faults(self.line.condition)

    @cached_property
    def _value_faults(self) -> list[Fault]:
        return self._compiler.faults(*conditional_values(self.line))

    def changes(self, state: State, joint: JointAction) -> dict[int, Value] | Overflow:
        """The new values by the place of their variable, or the overflow that prevents them."""
        made: dict[int, Value] = {}
        for slot, evaluate in self._values:
            variable = self.agent.variables[slot]
            try:
                value = evaluate(state, joint)
            except NoValue as none:
                return Overflow(self.agent.name, f"{none} in the value of {variable.name}")
            if value not in variable.domain:
                what = f"{variable.name} : {variable.domain} would become {shown(value)}"
                return Overflow(self.agent.name, what)
            made[slot] = value if isinstance(value, bool | str) else int(value)
        return made

    def guard_overflows(self, state: State, joint: JointAction) -> Iterator[Overflow]:
        for fault in self.guard_faults:
            if (what := fault(state, joint)) is not None:
                yield Overflow(self.agent.name, f"{what} in a condition of Evolution")

    def value_overflows(self, state: State, joint: JointAction) -> Iterator[Overflow]:
        """Those of conditions in values: they are false then, and the line is taken all the same."""
        for fault in self._value_faults:
            if (what := fault(state, joint)) is not None:
                yield Overflow(self.agent.name, f"{what} in a condition of a value")


def _changed(before: list[Value], changes: tuple[dict[int, Value], ...]) -> tuple[Value, ...]:
    after = list(before)
    for change in changes:
        for slot, value in change.items():
            after[slot] = value
    return tuple(after)
