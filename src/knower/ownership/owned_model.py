"""A model whose states are owned by several, as the algorithms of `checking` see a model.

The clauses of the operators are theirs: the same for one process and for many.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, cast

from knower.checking.evaluate import Evaluator
from knower.cluster.split import split
from knower.functions.protocol import Space
from knower.functions.registry import new_space
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.fold import fold
from knower.logic.formula import Formula
from knower.ownership.network import Network
from knower.ownership.owner import Owner
from knower.ownership.sets import OwnedSet, OwnedSets
from knower.query.query import Query
from knower.reasons import Refused
from knower.symbolic.encode import Encoding
from knower.symbolic.exploration import Exploration
from knower.symbolic.order import arranged
from knower.symbolic.system import TransitionSystem
from knower.symbolic.transition_parts import TransitionParts
from knower.system.system import InterpretedSystem

#: Windows are chosen when this many nodes are reached, or all is; by fewer, all bits look alike.
_TELLING = 500


def refuses(query: Query) -> Refused | None:
    """Why owners do not decide a question: those of CTL and knowledge they do."""
    if query.finite or _asks_more(query.formula) or any(_asks_more(c.formula) for c in query.fairness):
        return Refused("owners decide CTL, knowledge and obligations, not paths or strategies")
    return None


def _asks_more(root: Formula) -> bool:
    return fold(root, lambda item, below: isinstance(item, f.A | f.E | f.Strategic) or any(below))


class OwnedModel:
    """A transition system seen through the reachable states, which several own."""

    is_part = False

    def __init__(self, network: Network, budget: Budget, *, loops: bool) -> None:
        self.network = network
        self.budget = budget
        self.loops = loops
        network.reach()
        self.space = OwnedSets(network)
        self.reachable = self.space.known("reached")
        self.initial = self.space.known("initial")
        self.system = _OwnedSystem(self.space)

    def step(self) -> None:
        """Before each operation that may take long."""
        self.budget.step(lambda: f"{self.space.nodes()} nodes of {len(self.network.owners)} owners")

    @property
    def states(self) -> int:
        return self.space.count(self.reachable)

    @cached_property
    def deadlocks(self) -> OwnedSet:
        return self.reachable & ~self.space.known("moving")

    @property
    def stuck(self) -> OwnedSet:
        return self.space.false if self.loops else self.deadlocks

    @cached_property
    def relation(self) -> OwnedRelation:
        return OwnedRelation(self.space, self.deadlocks if self.loops else self.space.false)

    @property
    def cyclic(self) -> OwnedRelation:
        return self.relation

    def simplified(self, states: OwnedSet) -> OwnedSet:
        """Just those that are reachable: owners hold no others."""
        return states & self.reachable

    def agree(self, one: OwnedSet, other: OwnedSet) -> bool:
        return one == other

    def evaluator(self, query: Query) -> Evaluator[OwnedSet]:
        """What holds where."""
        model = cast("Any", self)
        constraints = [Evaluator[OwnedSet](model).states(each.formula) for each in query.fairness]
        return Evaluator(model, fairness=constraints)


class OwnedRelation:
    """Steps backwards, across owners."""

    def __init__(self, space: OwnedSets, looped: OwnedSet) -> None:
        self.space = space
        self.looped = looped
        self.partitions = (self,)

    def pre(self, states: OwnedSet) -> OwnedSet:
        return self.space.before(states) | (self.looped & states)


class _OwnedSystem:
    """Of a transition system what evaluation asks for."""

    def __init__(self, space: OwnedSets) -> None:
        self.space = space

    def count(self, states: OwnedSet) -> int:
        return self.space.count(states)

    def label(self, proposition: str) -> OwnedSet:
        return self.space.known("label", proposition)

    def red(self, agent: str) -> OwnedSet:
        return self.space.known("red", agent)

    def indistinguishable_to_all(self, states: OwnedSet, members: Iterable[str]) -> OwnedSet:
        return self.space.alike(states, tuple(members))


def owned_model(
    system: InterpretedSystem,
    owners: int,
    *,
    library: str,
    order: str = "interleaved",
    budget: Budget | None = None,
    loops: bool = False,
    telling: int = _TELLING,
    nodes: int | None = None,
) -> OwnedModel:
    """A model that is owned by so many, in spaces of their own, with room for so many nodes."""
    budget = budget or Budget()
    systems = [_system(system, library, order, nodes, loops=loops) for _ in range(owners)]
    windows = [part.window for part in split(systems[0], _sample(systems[0], budget, telling), owners)]
    made = [Owner(place, windows, systems[place]) for place in range(len(windows))]
    return OwnedModel(Network(made), budget, loops=loops)


def _system(
    system: InterpretedSystem, library: str, order: str, nodes: int | None, *, loops: bool
) -> TransitionSystem[Any]:
    encoding = Encoding(system)
    space: Space[Any] = new_space(library, arranged(order, encoding), max_nodes=nodes)
    return TransitionSystem(TransitionParts(encoding, space), loops=loops)


def _sample(system: TransitionSystem[Any], budget: Budget, telling: int) -> Any:
    """The first states, as many as tell how the others will be spread."""
    found = Exploration(system, budget)
    while not found.complete and system.space.size(found.reached) < telling:
        found.advance()
    return found.reached
