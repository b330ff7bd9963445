"""A transition system seen through a set of its states: all that are reachable, or a part of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from functools import cached_property
from typing import Generic

from knower.functions.protocol import F, Space
from knower.limits import Budget
from knower.records import dataclass
from knower.symbolic.layout import Layout
from knower.symbolic.narrowing import starting_in
from knower.symbolic.partition import Partition
from knower.symbolic.relation import Relation
from knower.symbolic.system import TransitionSystem
from knower.symbolic.transition_parts import TransitionParts

#: In a part of so many states, cycles are found sooner than the relation of cycles is made.
_FEW = 100


@dataclass(frozen=True, eq=False)
class SymbolicModel(Generic[F]):
    """The states are reachable ones, and there are no others: steps that leave them are not taken.

    `is_part`: some reachable states may be missing. The budget is that of all work on the model.
    """

    system: TransitionSystem[F]
    reachable: F
    budget: Budget
    is_part: bool
    _coalitions: dict[tuple[str, ...], Partition[F]] = field(default_factory=dict, init=False, repr=False)

    def on(self, states: F) -> SymbolicModel[F]:
        """The same system seen through just these of its reachable states."""
        return replace(self, reachable=states, is_part=True)

    def step(self) -> None:
        """Before each operation that may take long."""
        self.budget.step(lambda: f"{self.space.nodes()} nodes")

    # -- the system -------------------------------------------------------------------------------------

    @property
    def space(self) -> Space[F]:
        return self.system.space

    @property
    def steps(self) -> TransitionParts[F]:
        return self.system.steps

    @property
    def layout(self) -> Layout:
        return self.system.layout

    @property
    def initial(self) -> F:
        return self.system.initial

    # -- states -----------------------------------------------------------------------------------------

    @cached_property
    def states(self) -> int:
        """The exact number of states."""
        return self.system.count(self.reachable)

    @cached_property
    def deadlocks(self) -> F:
        """The states that have no successor in the whole system."""
        is_narrow = self._narrowed is not self.system.relation
        return self.reachable & ~(self._narrowed.pre(self.space.true) if is_narrow else self.system.moving)

    @cached_property
    def stuck(self) -> F:
        """The states from which no step leads to a state of the model."""
        if self.is_part:
            return self.reachable & ~self.relation.pre(self.reachable)
        return self.deadlocks & ~self.relation.looped

    def simplified(self, states: F) -> F:
        """A set with the same states of the model, as the smaller diagram: unreachable ones may be in it.

        They do not matter, since no step leads from a whole model to them; steps that leave a part are not to
        be taken. In a Go-Back-N of 3e7 states, those where something is missing are a diagram of 159,000
        nodes, and of 5 with unreachable ones; their predecessors took 7 s and 0.01 s.
        """
        inside = states & self.reachable
        return inside if self.is_part or self.space.size(inside) <= self.space.size(states) else states

    def agree(self, one: F, other: F) -> bool:
        """Whether two sets have the same states of the model."""
        return one == other or one & self.reachable == other & self.reachable

    # -- steps ------------------------------------------------------------------------------------------

    @cached_property
    def relation(self) -> Relation[F]:
        """The steps from the states of the model; only what is a deadlock of the whole system has a loop."""
        return self._narrowed.looping(self.deadlocks) if self.system.loops else self._narrowed

    @cached_property
    def _narrowed(self) -> Relation[F]:
        """The relation as it needs to be from these states on; a part is looked at too shortly for that."""
        return self.system.relation if self.is_part else self.system.relation.narrowed(self.reachable)

    @cached_property
    def joined(self) -> Relation[F]:
        """The same joined with the states of the model, where that is small."""
        return self.relation if self.is_part else self.relation.starting_in(self.reachable)

    @cached_property
    def cyclic(self) -> Relation[F]:
        """The steps a cycle can consist of; just all of them in a part with few states."""
        if self.is_part and self.states <= _FEW:
            return self.relation
        return self.system.relations.cyclic.looping(self.relation.looped)

    # -- coalitions -------------------------------------------------------------------------------------

    def coalition(self, members: Iterable[str]) -> Partition[F]:
        """The steps from the states of the model, with the actions of the members kept."""
        key = tuple(sorted(members))
        if key not in self._coalitions:
            self._coalitions[key] = self._starting_here(self.system.coalition(key))
        return self._coalitions[key]

    def choices(self, members: Iterable[str]) -> list[list[Partition[F]]]:
        """The same by what the members can choose (`RelationFactory.choices_of`)."""
        key = tuple(sorted(members))
        choices = self.system.choices(key)
        return choices if len(choices) > 1 or len(choices[0]) > 1 else [[self.coalition(key)]]

    def _starting_here(self, steps: Partition[F]) -> Partition[F]:
        """Narrowed to the states of the model; a part is looked at too shortly for that."""
        if self.is_part:
            return steps
        self.step()
        return Partition(self.space, starting_in(self.space, steps.spec, self.reachable))
