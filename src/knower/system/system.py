"""An interpreted system: agents with private state, public actions, protocols and evolutions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import TypeGuard

from knower.logic.fold import subformulas
from knower.logic.formula import Atom, Green, Red
from knower.logic.language import Specification
from knower.records import dataclass
from knower.system.domains import Domain
from knower.system.expressions import (
    Condition,
    Conj,
    Expression,
    Literal,
    Places,
    State,
    Truth,
    Var,
    actors,
    is_partial,
    none_of,
)  # fmt: skip

ENVIRONMENT = "Environment"


@dataclass(frozen=True, slots=True)
class Variable:
    owner: str
    name: str
    domain: Domain

    @property
    def key(self) -> tuple[str, str]:
        return self.owner, self.name

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}"


@dataclass(frozen=True, slots=True)
class ProtocolLine:
    """The actions enabled where the condition holds; `Other` has its complement spelt out."""

    condition: Condition
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvolutionLine:
    """A guarded simultaneous assignment; `number` counts the agent's lines from 0."""

    assignments: tuple[tuple[str, Expression], ...]
    condition: Condition
    number: int = 0


def conditional_values(line: EvolutionLine) -> list[Expression]:
    """The values a line assigns that have conditions in them."""
    values = [value for _, value in line.assignments if not isinstance(value, Literal | Var)]
    return [value for value in values if any(isinstance(item, Condition) for item in subformulas(value))]


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of which one enabled one is taken; with none enabled, nothing changes.

    MultiAssignment is one block per agent, SingleAssignment one block per variable. Blocks act
    independently and at once, so both semantics are the same from here on.
    """

    lines: tuple[EvolutionLine, ...]


@dataclass(frozen=True)
class Agent:
    """One agent. `observes` lists what it sees: its own variables, all Obsvars, its Lobsvars."""

    name: str
    variables: tuple[Variable, ...]
    observes: tuple[tuple[str, str], ...]
    actions: tuple[str, ...]
    protocol: tuple[ProtocolLine, ...]
    evolution: tuple[Block, ...]
    red: Condition = Truth(False)

    @cached_property
    def heard(self) -> frozenset[str]:
        """The agents whose actions its evolution reads, in guards or in values."""
        lines = [line for block in self.evolution for line in block.lines]
        values = [value for line in lines for _, value in line.assignments]
        return actors(*(line.condition for line in lines), *values)

    def __repr__(self) -> str:
        return f"Agent({self.name}: {len(self.variables)} variables, {len(self.actions)} actions)"


@dataclass(frozen=True)
class InterpretedSystem:
    """What a model means, independent of its text and of any engine."""

    agents: tuple[Agent, ...]
    initial: Condition
    propositions: Mapping[str, Condition]
    groups: Mapping[str, tuple[str, ...]]
    fairness: tuple[Specification, ...] = ()
    formulae: tuple[Specification, ...] = ()
    single_assignment: bool = False
    #: Propositions that are conditions written in formulas: they are named by their text.
    unnamed: frozenset[str] = frozenset()
    #: Where those are looked at, if what stands before them in formulas keeps them from being everywhere.
    guards: Mapping[str, Condition] = field(default_factory=dict)

    @property
    def declared(self) -> tuple[str, ...]:
        """The propositions of Evaluation."""
        return tuple(name for name in self.propositions if name not in self.unnamed)

    @property
    def labelling(self) -> tuple[Mapping[str, Condition], Mapping[str, Condition]]:
        """What propositions mean, and where they are looked at."""
        return self.propositions, self.guards

    @cached_property
    def looked_at(self) -> Mapping[str, Condition]:
        """Propositions with what guards them before: for those who search for what has no value."""
        guards = self.guards
        return {
            name: Conj(guards[name], condition) if name in guards else condition
            for name, condition in self.propositions.items()
        }

    def with_conditions(
        self, conditions: Mapping[str, Condition], asked: Iterable[Specification] = ()
    ) -> InterpretedSystem:
        """The same with conditions that formulas speak of, by their text; `asked`: formulas of no file."""
        made = self
        if conditions:
            more = {**self.propositions, **conditions}
            made = replace(self, propositions=more, unnamed=self.unnamed.union(conditions))
        guards = made._guards(asked)
        return made if guards == made.guards else replace(made, guards=guards)

    def _guards(self, asked: Iterable[Specification]) -> Mapping[str, Condition]:
        if not self._partial:
            return {}
        from knower.system.reached import reached  # not needed by most runs

        specs = (*self.fairness, *self.formulae, *asked)
        return reached((spec.body for spec in specs), self._partial, self._meaning)

    @cached_property
    def _partial(self) -> frozenset[str]:
        """The conditions of formulas that may come to something without a value."""
        return frozenset(name for name in self.unnamed if is_partial(self.propositions[name]))

    def _meaning(self, item: Atom | Green | Red) -> Condition:
        match item:
            case Atom(name):
                return self.propositions[name]
            case Red(agent):
                return self.agent_named[agent].red
            case Green(agent):
                return none_of(self.agent_named[agent].red)

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """All variables, agent by agent: the order of the values in a state."""
        return tuple(variable for agent in self.agents for variable in agent.variables)

    def has_values(self, state: object) -> TypeGuard[State]:
        """Whether something has a value for each variable, in its domain: a state, reachable or not."""
        variables = self.variables
        if not isinstance(state, tuple) or len(state) != len(variables):
            return False
        return all(value in variable.domain for value, variable in zip(state, variables, strict=True))

    @cached_property
    def domains(self) -> Mapping[tuple[str, str], Domain]:
        return {variable.key: variable.domain for variable in self.variables}

    @cached_property
    def places(self) -> Places:
        """Where each variable stands in a state, and each agent in a joint action."""
        return Places(
            {variable.key: place for place, variable in enumerate(self.variables)},
            {agent.name: place for place, agent in enumerate(self.agents)},
        )

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions: of initial states, propositions, red states, protocols and evolutions."""
        found = [self.initial, *self.propositions.values()]
        for agent in self.agents:
            found += [agent.red, *(line.condition for line in agent.protocol)]
            found += [line.condition for block in agent.evolution for line in block.lines]
        return tuple(found)

    @cached_property
    def is_partial(self) -> bool:
        """Whether some condition may come to something without a value; in hardly any model one does."""
        lines = [line for agent in self.agents for block in agent.evolution for line in block.lines]
        values = [value for line in lines for value in conditional_values(line)]
        return is_partial(*self.conditions, *values)

    @cached_property
    def agent_named(self) -> Mapping[str, Agent]:
        return {agent.name: agent for agent in self.agents}

    def members(self, group: str) -> tuple[str, ...]:
        """The agents of a group; an agent's name is the group of that agent alone."""
        if group in self.groups:
            return tuple(dict.fromkeys(self.groups[group]))
        return (self.agent_named[group].name,)

    def __repr__(self) -> str:
        names = ", ".join(agent.name for agent in self.agents)
        return f"InterpretedSystem({names}: {len(self.variables)} variables)"
