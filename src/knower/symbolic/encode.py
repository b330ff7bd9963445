"""A system as circuits: protocols, evolutions, initial states, propositions, overflows."""

from __future__ import annotations

from functools import cached_property

from knower.functions.circuit import FALSE, Circuits, Literal
from knower.records import dataclass
from knower.symbolic.conditions import Assigned, Conditions
from knower.symbolic.layout import Key, Layout
from knower.symbolic.selectors import selectors
from knower.system.explicit import Explicit
from knower.system.expressions import Condition
from knower.system.system import Agent, Block, EvolutionLine, InterpretedSystem


@dataclass(frozen=True)
class LineCode:
    """A line of Evolution: when it is enabled and what it assigns."""

    guard: Literal
    values: dict[Key, Assigned]


@dataclass(frozen=True)
class BlockCode:
    """Lines of which one enabled one is taken; `targets` are the variables they are about."""

    lines: tuple[LineCode, ...]
    targets: tuple[Key, ...]


@dataclass(frozen=True)
class AgentCode:
    """One agent: where each action is enabled, what it becomes, and where something divides by zero.

    `state_fault` is of the protocol and the red states, `step_fault` of the lines of Evolution; `idle`
    are the variables that no line assigns.
    """

    name: str
    enabled: dict[str, Literal]
    blocks: tuple[BlockCode, ...]
    idle: tuple[Key, ...]
    red: Literal
    state_fault: Literal
    step_fault: Literal


class Encoding:
    """All circuits of a system."""

    def __init__(self, system: InterpretedSystem, one_bit_each: frozenset[Key] | None = None) -> None:
        self.system = system
        self.layout = Layout(system, selectors(system) if one_bit_each is None else one_bit_each)
        self.conditions = Conditions(self.layout)

    def adopt(self, system: InterpretedSystem) -> None:
        """Propositions of another system with the same agents and initial states."""
        self.system = system
        for made in ("label_faults", "explicit"):
            self.__dict__.pop(made, None)

    @cached_property
    def explicit(self) -> Explicit:
        """The step function of the system, for those who look at single states."""
        return Explicit(self.system)

    @property
    def circuits(self) -> Circuits:
        return self.conditions.circuits

    @cached_property
    def agents(self) -> tuple[AgentCode, ...]:
        return tuple(self._agent(agent) for agent in self.system.agents)

    @cached_property
    def initial(self) -> Literal:
        """InitStates; with valid codes only."""
        return self.circuits.conj(self.valid, self.conditions.condition(self.system.initial))

    @cached_property
    def valid(self) -> Literal:
        return self.circuits.all(self.conditions.valid(field) for field in self.layout.fields.values())

    @cached_property
    def initial_fault(self) -> Literal:
        return self._zero_division(self.system.initial)

    @cached_property
    def label_faults(self) -> dict[str, Literal]:
        """Where propositions divide by zero."""
        zero = self._zero_division
        return {name: zero(condition) for name, condition in self.system.propositions.items()}

    def label(self, proposition: str) -> Literal:
        return self.conditions.condition(self.system.propositions[proposition])

    def _zero_division(self, *conditions: Condition) -> Literal:
        """Where some of the conditions of the system divide by zero."""
        return self.conditions.zero_division(*conditions) if self.system.divides else FALSE

    def _agent(self, agent: Agent) -> AgentCode:
        blocks = tuple(self._block(agent, block) for block in agent.evolution)
        moved = {key for block in blocks for key in block.targets}
        protocol = [line.condition for line in agent.protocol]
        lines = [line.condition for block in agent.evolution for line in block.lines]
        return AgentCode(
            agent.name,
            self._enabled(agent),
            blocks,
            tuple(variable.key for variable in agent.variables if variable.key not in moved),
            self.conditions.condition(agent.red),
            self._zero_division(*protocol, agent.red),
            self._zero_division(*lines),
        )

    def _enabled(self, agent: Agent) -> dict[str, Literal]:
        lines = [(self.conditions.condition(line.condition), line.actions) for line in agent.protocol]
        return {
            action: self.circuits.any(holds for holds, actions in lines if action in actions)
            for action in agent.actions
        }

    def _block(self, agent: Agent, block: Block) -> BlockCode:
        assigned = {target for line in block.lines for target, _ in line.assignments}
        targets = tuple(variable.key for variable in agent.variables if variable.name in assigned)
        return BlockCode(tuple(self._line(agent, line) for line in block.lines), targets)

    def _line(self, agent: Agent, line: EvolutionLine) -> LineCode:
        values = {
            (agent.name, target): self.conditions.assigned(self.layout.fields[agent.name, target], value)
            for target, value in line.assignments
        }
        return LineCode(self.conditions.condition(line.condition), values)
