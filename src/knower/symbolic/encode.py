"""A system as circuits: protocols, evolutions, initial states, propositions, overflows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from knower.functions.circuit import FALSE, TRUE, Circuits, Literal
from knower.logic.node import Node
from knower.records import dataclass
from knower.symbolic.cases import Cases, Products
from knower.symbolic.conditions import Assigned, Conditions
from knower.symbolic.layout import Key, Layout
from knower.symbolic.selectors import selectors
from knower.system.explicit import Explicit
from knower.system.expressions import Condition
from knower.system.system import Agent, Block, EvolutionLine, InterpretedSystem, conditional_values


@dataclass(frozen=True)
class LineCode:
    """A line of Evolution: when it is enabled and what it assigns."""

    conditions: Conditions
    condition: Condition
    values: dict[Key, Assigned]

    @cached_property
    def guard(self) -> Literal:
        return self.conditions.condition(self.condition)


@dataclass(frozen=True)
class BlockCode:
    """Lines of which one enabled one is taken; `targets` are the variables they are about.

    `cases` tell where some of the lines are enabled, without looking at each by itself.
    """

    lines: tuple[LineCode, ...]
    targets: tuple[Key, ...]
    cases: Cases


@dataclass(frozen=True)
class AgentCode:
    """One agent: where each action is enabled, what it becomes, and where something has no value.

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
        self._products = Products(self.conditions)
        self._becomes: dict[tuple[int, Key], Assigned] = {}  # by the `id` of blocks, which `agents` keeps

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
    def gates(self) -> int:
        """How many the agents need at least."""
        return len(self.circuits) if self.agents else 0

    @cached_property
    def initial(self) -> Literal:
        """InitStates; with valid codes only."""
        return self.circuits.conj(self.valid, self.conditions.condition(self.system.initial))

    @cached_property
    def valid(self) -> Literal:
        return self.circuits.all(self.validity)

    @cached_property
    def validity(self) -> tuple[Literal, ...]:
        """For each variable some of whose codes stand for no value: where its bits spell one."""
        found = map(self.conditions.valid, self.layout.fields.values())
        return tuple(valid for valid in found if valid != TRUE)

    @cached_property
    def initial_fault(self) -> Literal:
        return self._fault(self.system.initial)

    @cached_property
    def label_faults(self) -> dict[str, Literal]:
        """Where propositions come to something without a value."""
        fault = self._fault
        return {name: fault(condition) for name, condition in self.system.looked_at.items()}

    def label(self, proposition: str) -> Literal:
        return self.conditions.condition(self.system.propositions[proposition])

    def becomes(self, block: BlockCode, key: Key) -> Assigned:
        """What a variable becomes where at most one line is enabled: what that assigns, else as it is."""
        known = id(block), key
        if known not in self._becomes:
            self._becomes[known] = self._determined(block, key)
        return self._becomes[known]

    def _determined(self, block: BlockCode, key: Key) -> Assigned:
        some, circuits = block.cases.some, self.circuits
        given = [line.values.get(key) for line in block.lines]
        kept = some(FALSE if value is None else TRUE for value in given) ^ 1
        code = []
        for place, now in enumerate(map(circuits.input, self.layout.fields[key].now)):
            becomes = some(FALSE if value is None else value.code[place] for value in given)
            code.append(circuits.disj(becomes, circuits.conj(kept, now)))
        return Assigned(tuple(code), some(FALSE if value is None else value.overflow for value in given))

    def _fault(self, *roots: Node) -> Literal:
        """Where some of the conditions of the system come to something without a value."""
        return self.conditions.fault(*roots) if self.system.is_partial else FALSE

    def _step_fault(self, agent: Agent) -> Literal:
        """The same in guards, and in conditions of the values of lines that are enabled."""
        if not self.system.is_partial:
            return FALSE
        lines = [line for block in agent.evolution for line in block.lines]
        found = [self.conditions.fault(line.condition) for line in lines]
        for line in lines:
            fault = self.conditions.fault(*conditional_values(line))
            found.append(self.circuits.conj(self.conditions.condition(line.condition), fault))
        return self.circuits.any(found)

    def _agent(self, agent: Agent) -> AgentCode:
        blocks = tuple(self._block(agent, block) for block in agent.evolution)
        moved = {key for block in blocks for key in block.targets}
        protocol = [line.condition for line in agent.protocol]
        return AgentCode(
            agent.name,
            self._enabled(agent),
            blocks,
            tuple(variable.key for variable in agent.variables if variable.key not in moved),
            self.conditions.condition(agent.red),
            self._fault(*protocol, agent.red),
            self._step_fault(agent),
        )

    def _enabled(self, agent: Agent) -> dict[str, Literal]:
        cases = self._cases([line.condition for line in agent.protocol])
        enables = [frozenset(line.actions) for line in agent.protocol]
        return {
            action: cases.some(TRUE if action in actions else FALSE for actions in enables)
            for action in agent.actions
        }

    def _block(self, agent: Agent, block: Block) -> BlockCode:
        assigned = {target for line in block.lines for target, _ in line.assignments}
        targets = tuple(variable.key for variable in agent.variables if variable.name in assigned)
        cases = self._cases([line.condition for line in block.lines])
        return BlockCode(tuple(self._line(agent, line) for line in block.lines), targets, cases)

    def _cases(self, lines: Iterable[Condition]) -> Cases:
        return Cases(tuple(lines), self._products)

    def _line(self, agent: Agent, line: EvolutionLine) -> LineCode:
        values = {
            (agent.name, target): self.conditions.assigned(self.layout.fields[agent.name, target], value)
            for target, value in line.assignments
        }
        return LineCode(self.conditions, line.condition, values)
