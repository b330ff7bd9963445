"""A system as functions over a space: its states, its steps, what agents see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property
from typing import Generic

from knower.errors import NoInitialState
from knower.functions.protocol import F, Quantified, Space
from knower.limits import Budget
from knower.symbolic.encode import AgentCode, Encoding
from knower.symbolic.moves import Move
from knower.symbolic.reach import reachable
from knower.symbolic.relation import Relation, Relations
from knower.symbolic.steps import Steps
from knower.system.system import InterpretedSystem

#: In a part of so many states, cycles are found sooner than the relation of cycles is made.
_FEW = 100


class SymbolicModel(Generic[F]):
    """A system explored, or a part of it. `restrictions` narrow the actions (functions of state and actions).

    `reach`: how the reachable states are collected; `none` leaves that to whoever asks `within`.
    """

    def __init__(
        self,
        steps: Steps[F],
        budget: Budget,
        *,
        reach: str = "auto",
        loop: bool = False,
        restrictions: Sequence[F] = (),
    ) -> None:
        self.steps = steps
        self.space: Space[F] = steps.space
        self.encoding: Encoding = steps.encoding
        self.system: InterpretedSystem = self.encoding.system
        self.layout = self.encoding.layout
        self.budget = budget
        self.restrictions = tuple(restrictions)
        self.relations = Relations(steps, restrictions)
        self.relation: Relation[F] = self.relations.whole()
        self.initial: F = steps.function(self.encoding.initial)
        if self.initial == self.space.false:
            raise NoInitialState("no state satisfies InitStates")
        self.reachable: F = self.initial
        if reach != "none":
            self.reachable = reachable(self.relation, self.initial, self.count, budget, reach)
            self.relation = self.relation.narrowed(self.reachable)
        self._moving: F = self.relation.pre(self.space.true)
        self._loop = loop
        self.is_part = reach == "none"
        if loop:
            self.relation = self.relation.looping(self.deadlocks)
        self._coalitions: dict[tuple[str, ...], Move[F]] = {}
        self._choices: dict[tuple[str, ...], list[list[Move[F]]]] = {}
        self._hidden: dict[tuple[str, ...], Quantified] = {}

    def whole(self, states: F) -> SymbolicModel[F]:
        """The same system with all of its reachable states."""
        whole = self.within(states)
        whole.relation = whole.relation.narrowed(states)
        whole.is_part = False
        return whole

    def within(self, states: F) -> SymbolicModel[F]:
        """The same system with just these of its reachable states: steps that leave them are not taken.

        With loops, only what is a deadlock of the whole system has one.
        """
        part = copy(self)
        for known in ("states", "stuck", "deadlocks"):
            part.__dict__.pop(known, None)
        part.is_part = True
        part.reachable = states
        if self._loop:
            part.relation = self.relation.looping(part.deadlocks)
        return part

    @cached_property
    def deadlocks(self) -> F:
        """The states that have no successor in the whole system."""
        return self.reachable & ~self._moving

    @cached_property
    def stuck(self) -> F:
        """The states from which no step leads to a state of the model."""
        if self.is_part:
            return self.reachable & ~self.relation.pre(self.reachable)
        return self.deadlocks & ~self.relation.looped

    def step(self) -> None:
        """Before each operation that may take long."""
        self.budget.step(lambda: f"{self.space.nodes()} nodes")

    # -- states -----------------------------------------------------------------------------------------

    @cached_property
    def states(self) -> int:
        """The exact number of reachable states."""
        return self.count(self.reachable)

    def count(self, states: F) -> int:
        return self.space.count(states, self.layout.now)

    def one(self, states: F) -> F:
        """Some state of a set that is not empty."""
        now = self.layout.now
        chosen = self.space.pick(states, now)
        assert chosen is not None, "an empty set has no state to pick"
        return self.steps.cube(now, (chosen[bit] for bit in now))

    def label(self, proposition: str) -> F:
        return self.steps.function(self.encoding.label(proposition))

    def red(self, agent: str) -> F:
        return self.steps.function(self._code[agent].red)

    @cached_property
    def _code(self) -> dict[str, AgentCode]:
        return {agent.name: agent for agent in self.encoding.agents}

    # -- steps --------------------------------------------------------------------------------------------

    @property
    def cyclic(self) -> Relation[F]:
        """The steps a cycle can consist of; just all of them in a part with few states."""
        if self.is_part and self.states <= _FEW:
            return self.relation
        return self.relations.cyclic.looping(self.relation.looped)

    def coalition(self, members: Iterable[str]) -> Move[F]:
        """The steps, with the actions of the members kept."""
        key = tuple(sorted(members))
        if key not in self._coalitions:
            self._coalitions[key] = self.relations.of_coalition(key)
        return self._coalitions[key]

    def choices(self, members: Iterable[str]) -> list[list[Move[F]]]:
        """The steps by what the members can choose (`Relations.choices_of`)."""
        key = tuple(sorted(members))
        if key not in self._choices:
            self._choices[key] = self.relations.choices_of(key)
        return self._choices[key]

    # -- observation ----------------------------------------------------------------------------------------

    def alike(self, states: F, members: Iterable[str]) -> F:
        """The states that *all* members confuse with one of these; reachable or not."""
        key = tuple(sorted(members))
        if key not in self._hidden:
            seen = {bit for name in key for bit in self.layout.seen_by(name)}
            self._hidden[key] = self.space.quantified(bit for bit in self.layout.now if bit not in seen)
        return self.space.exists(states, self._hidden[key])
