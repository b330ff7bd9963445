"""A system as functions over a space: where it begins, its steps, what agents see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Generic

from knower.errors import NoInitialState
from knower.functions.protocol import F, Quantified, Space
from knower.symbolic.encode import AgentCode, Encoding
from knower.symbolic.layout import Layout
from knower.symbolic.partition import Partition
from knower.symbolic.relation import Relation, RelationFactory
from knower.symbolic.transition_parts import TransitionParts
from knower.system.system import InterpretedSystem


class TransitionSystem(Generic[F]):
    """The same for every set of states it is looked at through: nothing here depends on what is reachable.

    `restrictions` narrow the actions (functions of state and actions). `loops`: a deadlock has a step to
    itself, wherever deadlocks are known.
    """

    def __init__(
        self, steps: TransitionParts[F], *, loops: bool = False, restrictions: Sequence[F] = ()
    ) -> None:
        self.steps = steps
        self.space: Space[F] = steps.space
        self.encoding: Encoding = steps.encoding
        self.layout: Layout = steps.layout
        self.loops = loops
        self.restrictions = tuple(restrictions)
        self.relations = RelationFactory(steps, restrictions)
        self.relation: Relation[F] = self.relations.whole
        self.initial: F = steps.function(self.encoding.initial)
        if self.initial == self.space.false:
            raise NoInitialState("no state satisfies InitStates")
        self._coalitions: dict[tuple[str, ...], Partition[F]] = {}
        self._choices: dict[tuple[str, ...], list[list[Partition[F]]]] = {}
        self._hidden: dict[tuple[str, ...], Quantified] = {}

    @property
    def interpreted(self) -> InterpretedSystem:
        return self.encoding.system

    # -- states -----------------------------------------------------------------------------------------

    def count(self, states: F) -> int:
        """The exact number of states of a set."""
        return self.space.count(states, self.layout.now)

    def one(self, states: F) -> F:
        """Some state of a set that is not empty."""
        now = self.layout.now
        chosen = self.space.pick(states, now)
        assert chosen is not None, "an empty set has no state to pick"
        return self.steps.cube(now, (chosen[bit] for bit in now))

    @cached_property
    def moving(self) -> F:
        """The states that have a successor; reachable or not."""
        return self.relation.pre(self.space.true)

    def label(self, proposition: str) -> F:
        """The states where a proposition holds."""
        return self.steps.function(self.encoding.label(proposition))

    def red(self, agent: str) -> F:
        """The states that an agent is not to be in."""
        return self.steps.function(self._code[agent].red)

    @cached_property
    def _code(self) -> dict[str, AgentCode]:
        return {agent.name: agent for agent in self.encoding.agents}

    # -- coalitions -------------------------------------------------------------------------------------

    def coalition(self, members: Iterable[str]) -> Partition[F]:
        """The steps, with the actions of the members kept."""
        key = tuple(sorted(members))
        if key not in self._coalitions:
            self._coalitions[key] = self.relations.of_coalition(key)
        return self._coalitions[key]

    def choices(self, members: Iterable[str]) -> list[list[Partition[F]]]:
        """The steps by what the members can choose (`RelationFactory.choices_of`)."""
        key = tuple(sorted(members))
        if key not in self._choices:
            self._choices[key] = self.relations.choices_of(key) or [[self.coalition(key)]]
        return self._choices[key]

    # -- observation ------------------------------------------------------------------------------------

    def indistinguishable_to_all(self, states: F, members: Iterable[str]) -> F:
        """The states that *all* members confuse with one of these; reachable or not."""
        key = tuple(sorted(members))
        if key not in self._hidden:
            seen = {bit for name in key for bit in self.layout.seen_by(name)}
            self._hidden[key] = self.space.quantified(bit for bit in self.layout.now if bit not in seen)
        return self.space.exists(states, self._hidden[key])
