"""Who there is when parameters have values: agents with their variables and actions, and what names mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from itertools import product

from knower.records import dataclass
from knower.source import Source
from knower.syntax.template import AgentTemplate, DefineDecl
from knower.syntax.tree import Phrase
from knower.templates.values import Environment, Value, element, spelt


@dataclass(frozen=True)
class Declared:
    """A variable, or an array of them: one range for each index.

    `values`: those of an enumeration. `bounds`: of a number.
    """

    name: str
    ranges: tuple[tuple[Value, ...], ...] = ()
    values: frozenset[str] = frozenset()
    bounds: tuple[int, int] | None = None

    @cached_property
    def elements(self) -> tuple[str, ...]:
        """The names of all variables that it declares."""
        if not self.ranges:
            return (self.name,)
        return tuple(element(self.name, indices) for indices in product(*self.ranges))


@dataclass
class Member:
    """An agent: `Child(2)`, with the values of its parameters."""

    name: str
    decl: AgentTemplate
    env: Environment
    variables: dict[str, Declared] = field(default_factory=dict)
    actions: tuple[str, ...] = ()

    @property
    def instance(self) -> str:
        """What is said of mistakes in it; an agent without parameters says nothing."""
        return f"in {self.name}" if self.decl.parameters else ""

    @cached_property
    def defines(self) -> Mapping[str, DefineDecl]:
        return {define.name.text: define for define in self.decl.defines}

    def means(self, name: str) -> str | None:
        """What a bare name is in this agent, in words; None if it is nothing."""
        if name in self.variables:
            return "a variable"
        return "a Define" if name in self.defines else None


@dataclass
class World:
    """All agents of a model, by their names, and those of a template by their arguments."""

    source: Source
    constants: Environment
    families: dict[str, dict[tuple[Value, ...], Member]] = field(default_factory=dict)
    #: The conditions of propositions, for terms in formulas; and all names without arguments.
    propositions: dict[str, Phrase] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    #: How many parameters agents have.
    arity: dict[str, int] = field(default_factory=dict)

    @property
    def instances(self) -> frozenset[str]:
        """The names of propositions that have arguments."""
        return frozenset(name.partition("(")[0] for name in self.propositions if "(" in name)

    @property
    def members(self) -> list[Member]:
        return [member for family in self.families.values() for member in family.values()]

    @cached_property
    def called(self) -> dict[str, Member]:
        """All agents by their names, once they have been met."""
        return {member.name: member for member in self.members}

    @cached_property
    def values(self) -> frozenset[str]:
        """All values of enumerations, and all actions."""
        found = [each.values for member in self.members for each in member.variables.values()]
        return frozenset().union(*found, *(member.actions for member in self.members))

    def member(self, name: str) -> Member | None:
        """The agent of a name without parameters."""
        return self.families.get(name, {}).get(())


def described(env: Environment, outer: Environment, instance: str) -> str:
    """An instance in words: the agent, and the names that are bound inside of it."""
    bound = [f"{name} = {spelt(value)}" for name, value in env.items() if name not in outer]
    return " ".join(filter(None, [instance, f"for {', '.join(bound)}" if bound else ""]))
