"""One step of a system as circuits: of the state now, the actions, and the state next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations

from knower.errors import unsupported
from knower.functions.circuit import FALSE, TRUE, Circuits, Literal
from knower.records import dataclass
from knower.symbolic.encode import AgentCode, BlockCode, Encoding, LineCode
from knower.symbolic.layout import Key

#: A circuit that tells whether a state has a successor may have so many gates.
_MOST_GATES = 200_000


@dataclass(frozen=True)
class Relation:
    """The steps of an encoding. The inputs of actions are those of `Conditions.action_input`."""

    encoding: Encoding

    @property
    def circuits(self) -> Circuits:
        return self.encoding.circuits

    @cached_property
    def step(self) -> tuple[Literal, ...]:
        """What must be true of a step: everybody acts as they may, and becomes what follows."""
        return tuple(self._parts())

    def _parts(self) -> Iterator[Literal]:
        for agent in self.encoding.agents:
            yield from self._acts(agent)
            for block in agent.blocks:
                yield self._moves(block)
            yield self.same(agent.idle)

    @property
    def acts(self) -> Iterator[Literal]:
        """What must be true of actions: everybody acts as they may."""
        return (part for agent in self.encoding.agents for part in self._acts(agent))

    def _acts(self, agent: AgentCode) -> Iterator[Literal]:
        """Exactly one action is taken, one that is enabled; without actions there is no choice."""
        if not agent.enabled:
            return
        taken = {action: self._taken(agent.name, action) for action in agent.enabled}
        yield self.circuits.any(taken.values())
        for one, other in combinations(taken.values(), 2):
            yield self.circuits.conj(one, other) ^ 1
        for action, enabled in agent.enabled.items():
            yield self.circuits.disj(taken[action] ^ 1, enabled)

    def _taken(self, agent: str, action: str) -> Literal:
        return self.encoding.conditions.action_input(agent, action)

    def same(self, keys: Iterable[Key]) -> Literal:
        """These variables keep their values."""
        fields = [self.encoding.layout.fields[key] for key in keys]
        pairs = [pair for field in fields for pair in zip(field.now, field.after, strict=True)]
        circuits = self.circuits
        return circuits.all(circuits.same(*map(circuits.input, pair)) for pair in pairs)

    def _moves(self, block: BlockCode) -> Literal:
        """One enabled line is taken; with none enabled nothing changes."""
        circuits = self.circuits
        idle = circuits.any(line.guard for line in block.lines) ^ 1
        options = [self._taken_line(block, line) for line in block.lines]
        return circuits.any([*options, circuits.conj(idle, self.same(block.targets))])

    def _taken_line(self, block: BlockCode, line: LineCode) -> Literal:
        circuits = self.circuits
        parts = [_fits(circuits, line), self.same(key for key in block.targets if key not in line.values)]
        for key, value in line.values.items():
            after = [circuits.input(bit) for bit in self.encoding.layout.fields[key].after]
            parts += map(circuits.same, after, value.code)
        return circuits.all(parts)

    # -- overflows --------------------------------------------------------------------------------------

    @cached_property
    def fault(self) -> Literal:
        """A value leaves its domain by actions that may be taken, or something has no value."""
        circuits, agents = self.circuits, self.encoding.agents
        acts = circuits.all(self.acts)
        steps = circuits.any(part for agent in agents for part in self._step_faults(agent))
        in_states = [*(agent.state_fault for agent in agents), *self.encoding.label_faults.values()]
        at_start = circuits.conj(self.encoding.initial, self.encoding.initial_fault)
        return circuits.any([at_start, *in_states, circuits.conj(acts, steps)])

    def _step_faults(self, agent: AgentCode) -> Iterator[Literal]:
        yield agent.step_fault
        for line in (line for block in agent.blocks for line in block.lines):
            yield self.circuits.conj(line.guard, _overflow(self.circuits, line))

    # -- deadlocks --------------------------------------------------------------------------------------

    @cached_property
    def stuck(self) -> Literal:
        """The valid state has no successor: the actions are quantified, agent by agent."""
        parts = [*self._needed()]
        for agent in self.encoding.agents:
            if agent.enabled:
                parts = self._quantified(parts, agent)
        return self.circuits.all(parts) ^ 1

    def _needed(self) -> Iterator[Literal]:
        """What actions must fulfil so that there is a next state."""
        for agent in self.encoding.agents:
            for action, enabled in agent.enabled.items():
                yield self.circuits.disj(self._taken(agent.name, action) ^ 1, enabled)
            for block in agent.blocks:
                idle = self.circuits.any(line.guard for line in block.lines) ^ 1
                yield self.circuits.any([idle, *(_fits(self.circuits, line) for line in block.lines)])

    def _quantified(self, parts: list[Literal], agent: AgentCode) -> list[Literal]:
        """The parts when the agent takes one of its actions."""
        circuits = self.circuits
        inputs = {
            action: circuits.gate(self._taken(agent.name, action) >> 1)[1][0] for action in agent.enabled
        }
        touched = [part for part in parts if not circuits.support(part).isdisjoint(inputs.values())]
        options: list[Literal] = []
        for action in agent.enabled:
            chosen = {number: TRUE if other == action else FALSE for other, number in inputs.items()}
            options.append(circuits.all(substituted(circuits, part, chosen) for part in touched))
            if len(circuits) > _MOST_GATES:
                raise unsupported("there are too many joint actions to tell deadlocks")
        return [*(part for part in parts if part not in touched), circuits.any(options)]


def _fits(circuits: Circuits, line: LineCode) -> Literal:
    """The line is enabled and leads to values within their domains."""
    return circuits.conj(line.guard, _overflow(circuits, line) ^ 1)


def _overflow(circuits: Circuits, line: LineCode) -> Literal:
    return circuits.any(value.overflow for value in line.values.values())


def substituted(circuits: Circuits, root: Literal, values: dict[int, Literal]) -> Literal:
    """The circuit with literals for some of its inputs."""
    done: dict[int, Literal] = {0: FALSE}
    todo = [root >> 1]
    while todo:
        place = todo[-1]
        kind, operands = circuits.gate(place)
        missing = [] if kind == "input" else [o >> 1 for o in operands if o >> 1 not in done]
        if place in done or missing:
            todo += missing
            if place in done:
                todo.pop()
            continue
        below = [] if kind == "input" else [done[o >> 1] ^ (o & 1) for o in operands]
        done[place] = _rebuilt(circuits, place, kind, below, values)
    return done[root >> 1] ^ (root & 1)


def _rebuilt(
    circuits: Circuits, place: int, kind: str, below: list[Literal], values: dict[int, Literal]
) -> Literal:
    match kind:
        case "input":
            return values.get(circuits.gate(place)[1][0], 2 * place)
        case "and":
            return circuits.conj(*below)
        case "xor":
            return circuits.xor(*below)
        case _:
            return circuits.ite(*below)
