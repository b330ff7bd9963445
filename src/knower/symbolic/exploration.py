"""The reachable states, step by step: as Lomuscio, Qu and Raimondi (2015, algorithm 10), and by chaining."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic

from knower.functions.protocol import F, NoRoom, Space
from knower.limits import Budget
from knower.symbolic.closure import DEEP, by_squaring
from knower.symbolic.model import SymbolicModel
from knower.symbolic.partition import Partition
from knower.symbolic.relation import Relation
from knower.symbolic.solo import Outgrown, SoloMoves
from knower.symbolic.system import TransitionSystem

#: The ways that are left for a closure at great depth.
_SQUARED = ("frontier", "chained")
#: Breadth first, a frontier of so many nodes that is as large as all that is reached is a sign of counting.
#: So many players are needed for one to move while another stays.
_LARGE_FRONTIER, _LIKE_ALL, _PLAYERS = 10_000, 0.8, 2
#: By so many bits a set is split whose successors have no room at once. A key exchange of 5e9 states (3,837
#: nodes) fills a room of 2^23 nodes; in 650 pieces, by the message on its way, it takes 14 s.
_SPLIT = 14


def explored(system: TransitionSystem[F], budget: Budget, strategy: str = "auto") -> SymbolicModel[F]:
    """The system with all states that its steps lead to from the initial ones."""
    exploration = Exploration(system, budget, strategy)
    while not exploration.complete:
        exploration.advance()
    return exploration.model


def pieces(space: Space[F], states: F, variables: Sequence[F]) -> Iterator[F]:
    """A set by the values of some variables; those that are not empty."""
    todo = [(states, 0)]
    while todo:
        part, depth = todo.pop()
        if depth == len(variables):
            yield part
            continue
        sides = (part & variables[depth], part & ~variables[depth])
        todo += [(side, depth + 1) for side in sides if side != space.false]


class Exploration(Generic[F]):
    """The states that are reached in `depth` steps; `complete` if they are all there are.

    The strategy says what the successors are taken of:

        whole      everything reached so far
        layer      the last successors
        frontier   what was new in the last step: breadth first
        chained    by each move, of what the moves before it have reached; that may go further than a step

    `auto` chains the moves of a relation that has several, and else goes breadth first; where that seems to
    count steps, agents are moved one by one for once (`SoloMoves`), as far as that leads.
    """

    def __init__(self, system: TransitionSystem[F], budget: Budget, strategy: str = "auto") -> None:
        several = len(system.relation.partitions) > 1
        self.system = system
        self.strategy = ("chained" if several else "frontier") if strategy == "auto" else strategy
        self.reached: F = system.initial
        self.depth = 0
        self.complete = False
        self._may_go_solo = not several and strategy == "auto" and len(system.steps.players) >= _PLAYERS
        self._budget = budget
        self._before: F = system.space.false  # what was reached a step ago
        self._last: F = system.initial  # what was found in the last step

    @property
    def model(self) -> SymbolicModel[F]:
        """The system, seen through what is reached."""
        return SymbolicModel(self.system, self.reached, self._budget, is_part=not self.complete)

    @property
    def frontier(self) -> F:
        """The states some successors of which may be unknown."""
        return self._last if self.strategy == "frontier" else self.reached & ~self._before

    def advance(self) -> None:
        """One step further; at great depth, all the way at once if that is possible.

        Who is stopped by a limit on the way can go on later: what was found by then is part of the frontier.
        """
        before = self.reached
        with self._budget.gauged(self.figures):
            self._take_step()
        self._before = before
        self.depth += 1
        self.complete = self.reached == before
        if self._may_go_solo and not self.complete and self._seems_to_count():
            self._may_go_solo = False
            self._go_solo()
        if self.depth == DEEP and self.strategy in _SQUARED and not self.complete:
            self._squared()

    def figures(self) -> dict[str, str | int | float]:
        """How far it has come."""
        space = self.system.space
        return {
            "library": space.name,
            "state bits": self.system.layout.state_bits,
            "reachable nodes": space.size(self.reached),
            "nodes held": space.nodes(),
            "depth": self.depth,
            "states visited": self.system.count(self.reached),
        }

    def learn(self, reached: F, frontier: F) -> None:
        """Take over what is reached, and what of it is still to be explored: others went a step further."""
        self.reached, self._before, self._last = reached, reached & ~frontier, frontier
        self.depth += 1
        self.complete = frontier == self.system.space.false

    def _take_step(self) -> None:
        relation = self.system.relation
        match self.strategy:
            case "whole":
                self.reached = self.reached | self._post(relation, self.reached)
            case "layer":
                self._last = self._post(relation, self._last)
                self.reached = self.reached | self._last
            case "frontier":
                self._last = self._post(relation, self._last) & ~self.reached
                self.reached = self.reached | self._last
            case _:
                for partition in relation.partitions:
                    self.reached = self.reached | self._post(partition, self.reached)

    def _seems_to_count(self) -> bool:
        frontier = self.system.space.size(self._last)
        return frontier > _LARGE_FRONTIER and frontier > _LIKE_ALL * self.system.space.size(self.reached)

    def _go_solo(self) -> None:
        """From the beginning, one agent at a time; what that leads to is taken if its diagram is smaller."""
        space, most = self.system.space, self.system.space.size(self.reached)
        try:
            with space.working():
                moves = SoloMoves(self.system.relations)
                found = moves.reached_from(self.system.initial, self._post, most)
        except (Outgrown, NoRoom):
            return
        self.reached = self._last = self.reached | found
        try:
            with space.working():
                self._last = self._post(self.system.relation, self.reached) & ~self.reached
        except NoRoom:
            self._last = self._beyond_in_pieces()
        self.reached = self.reached | self._last
        self.complete = self._last == space.false

    def _beyond_in_pieces(self) -> F:
        """What one step leads to from all that is reached, which has no room at once."""
        space, now = self.system.space, frozenset(self.system.layout.now)
        top = [space.var(variable) for variable in space.order() if variable in now][:_SPLIT]
        found = space.false
        for piece in pieces(space, self.reached, top):
            found = found | self._post(self.system.relation, piece) & ~self.reached
        return found

    def _squared(self) -> None:
        relation, everywhere, reached = self.system.relation, self.system.space.true, self.reached
        whole = by_squaring(relation, everywhere, lambda steps: steps.reached_from(reached))
        if whole is not None:
            self.reached = self._before = whole
            self._last, self.complete = self.system.space.false, True

    def _post(self, steps: Relation[F] | Partition[F], states: F) -> F:
        """The successors of states, after a look at all limits."""
        system, reached = self.system, self.reached
        self._budget.step(lambda: f"{system.count(reached)} states, {system.space.size(reached)} nodes")
        return steps.post(states)
