"""What a coalition can enforce: the readings (docs/logics.md) that look at one model."""

from __future__ import annotations

from typing import Generic

from knower.checking.arena import Arena, Members
from knower.checking.fair_game import FairGame
from knower.checking.knowledge import Knowledge
from knower.checking.temporal import Paths
from knower.checking.uniform import Uniform
from knower.functions.protocol import F
from knower.logic.goal import Goal
from knower.options import AtlReading


class Strategies(Generic[F]):
    """The strategic operators under one reading."""

    def __init__(self, paths: Paths[F], knowledge: Knowledge[F], atl: AtlReading) -> None:
        self.paths = paths
        self.knowledge = knowledge
        self.atl = atl
        self._arenas: dict[Members, Arena[F]] = {}
        self._fair_games: dict[Members, FairGame[F]] = {}
        self._searches: dict[tuple[Members, Goal[F]], Uniform[F]] = {}

    def arena(self, members: Members) -> Arena[F]:
        if members not in self._arenas:
            self._arenas[members] = Arena(self.paths, members)
        return self._arenas[members]

    def fair_game(self, members: Members) -> FairGame[F]:
        if members not in self._fair_games:
            self._fair_games[members] = FairGame(self.arena(members), self.paths.fairness)
        return self._fair_games[members]

    def enforce(self, members: Members, goal: Goal[F], among: F) -> F:
        """Where of some states (others may be told, too) the coalition can bring about the goal."""
        match self.atl:
            case AtlReading.OBJECTIVE | AtlReading.UNIFORM_MODELS:
                return self.arena(members).won(goal)
            case AtlReading.OBJECTIVE_FAIR:
                return self.fair_game(members).won(goal)
            case AtlReading.UNIFORM:
                return self.uniform(members, goal).won(among)

    def uniform(self, members: Members, goal: Goal[F]) -> Uniform[F]:
        """The search for strategies that act on observations."""
        key = members, goal
        if key not in self._searches:
            self._searches[key] = Uniform(self.paths, self.knowledge, members, goal)
        return self._searches[key]

    def figures(self) -> dict[str, int]:
        """What searches for uniform strategies took, if there were any."""
        efforts = [search.effort() for search in self._searches.values()]
        observations, clauses = (sum(effort[k] for effort in efforts) for k in (0, 1))
        return {"observations met": observations, "clauses": clauses} if efforts else {}

    def is_vacuous(self, members: Members) -> bool:
        """Whether the coalition can prevent every fair outcome from some state, and so win what it wants.

        Who cannot do that with full knowledge cannot without.
        """
        match self.atl:
            case AtlReading.OBJECTIVE | AtlReading.UNIFORM_MODELS:
                return False
            case AtlReading.OBJECTIVE_FAIR:
                return self._can_prevent_all(members)
            case AtlReading.UNIFORM:
                if not self.paths.fairness or not self._can_prevent_all(members):
                    return False
                nothing = self.paths.model.space.false
                never = Goal(nothing, nothing, soon=True)
                return self.enforce(members, never, self.paths.universe) != nothing

    def _can_prevent_all(self, members: Members) -> bool:
        return self.fair_game(members).outcomes != self.paths.universe
