"""`uniform`: one action per observation. Bounds decide most states; the rest is searched.

What the coalition cannot do with full knowledge it cannot do without. Where its members know together what
to do, it can. Between the two, strategies are tried: the play is followed from all
states the coalition holds possible, and only observations it meets are decided, one at a time. A
partial strategy is dropped as soon as full knowledge could not save it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, reduce
from operator import or_
from typing import Generic

from knower.checking.arena import Arena, Members
from knower.checking.fair_game import FairGame
from knower.checking.knowledge import Knowledge
from knower.checking.lower_bound import Lower, LowerBound
from knower.checking.strategy_branching import first_choice
from knower.checking.synthesis import Defeat, Synthesis
from knower.checking.temporal import Paths
from knower.functions.protocol import F
from knower.functions.solvers import is_installed
from knower.logic.goal import Goal
from knower.symbolic.relation import RelationFactory


class Uniform(Generic[F]):
    """One question: where the members have a uniform strategy for the goal."""

    def __init__(
        self,
        paths: Paths[F],
        knowledge: Knowledge[F],
        members: Members,
        goal: Goal[F],
    ) -> None:
        self.paths = paths
        self.knowledge = knowledge
        self.model = paths.model
        self.space = paths.model.space
        self.members = members
        self.goal = goal
        self.arena = Arena(paths, members)
        self.players = [name for name in members if name in self.model.steps.players]

    def won(self, among: F) -> F:
        """Those of some states (and maybe others) from all of whose look-alikes one strategy wins."""
        universe = self.arena.universe
        hopeless = self.knowledge.indistinguishable_to_some(self.members, universe & ~self._upper)
        doubtful = self.knowledge.indistinguishable_to_some(self.members, universe & ~self.lower().states)
        won = universe & ~doubtful
        if self._is_exact:
            return won
        open_ = universe & among & ~hopeless & doubtful
        if self._one_wins(open_):
            return won | open_
        while open_ != self.space.false:
            self.model.step()
            alike = universe & self.model.system.indistinguishable_to_all(
                self.model.system.one(open_), self.members
            )
            if self._search(self.knowledge.indistinguishable_to_some(self.members, alike)) is not None:
                won = won | alike
            open_ = open_ & ~alike
        return won

    def _one_wins(self, states: F) -> bool:
        """Whether one strategy is found at once that wins from all of these and their look-alikes."""
        if states == self.space.false or not is_installed():
            return False
        return self._synthesis.wins_at_once(self.knowledge.indistinguishable_to_some(self.members, states))

    def strategy(self, state: F) -> F | None:
        """A strategy (a function of state and actions) that wins from all look-alikes of a state."""
        start = self.knowledge.indistinguishable_to_some(self.members, state)
        lower = self.lower()
        if start & ~lower.states == self.space.false:
            return lower.strategy
        return self._search(start)

    def effort(self) -> tuple[int, int]:
        """Observations met and clauses learnt, as far as something was searched for."""
        synthesis: Synthesis[F] | None = self.__dict__.get("_synthesis")
        return (0, 0) if synthesis is None else (synthesis.met, synthesis.lost)

    def defeat(self, state: F) -> Defeat[F] | None:
        """Why there is none where full knowledge would do; None without a solver."""
        start = self.knowledge.indistinguishable_to_some(self.members, state)
        return self._synthesis.defeat(start) if is_installed() else None

    # -- bounds -------------------------------------------------------------------------------------------

    def upper(self, arena: Arena[F]) -> F:
        """Where full knowledge (and, with fairness, any memory) would do."""
        if self.paths.fairness:
            return FairGame(arena, self.paths.fairness).won(self.goal)
        return arena.won(self.goal)

    @cached_property
    def _upper(self) -> F:
        return self.upper(self.arena)

    def lower(self) -> Lower[F]:
        """Where the players know together what to do. Without a player there is one strategy, and nothing to
        know for it."""
        if not self.players:
            return Lower(self._upper, self.space.true)
        return self._lower

    @cached_property
    def _lower(self) -> Lower[F]:
        return LowerBound(self.arena, self.players, self.goal, self._upper).found()

    @property
    def _is_exact(self) -> bool:
        """Whether the lower bound is all there is: one player, one step."""
        is_single = len(self.players) == 1 and self.arena.looped == self.space.false
        return self.goal.soon and is_single and not self.paths.fairness

    # -- search -------------------------------------------------------------------------------------------

    @cached_property
    def _synthesis(self) -> Synthesis[F]:
        return Synthesis(self.arena, self.players, self.goal, self._upper, self.paths.fairness)

    def _search(self, start: F) -> F | None:
        """A strategy (a function of state and actions) that wins from the states, if there is one."""
        if is_installed():
            return self._synthesis.strategy(start)
        todo = [self.space.true]
        while todo:
            self.model.step()
            strategy = todo.pop()
            arena = Arena(self.paths, self.members, strategy)
            if start & ~self.upper(arena) != self.space.false:
                continue
            play = Play(self, strategy)
            options = play.first_choice(start)
            if options is not None:
                todo += [strategy & option for option in options]
            elif play.wins(start):
                return strategy
        return None


class Play(Generic[F]):
    """What can happen under a (partial) strategy: undecided choices may all be taken."""

    def __init__(self, game: Uniform[F], strategy: F) -> None:
        model = game.model
        relations = RelationFactory(model.steps, (*model.system.restrictions, strategy))
        self.game = game
        self.strategy = strategy
        self.space = model.space
        self.universe = game.arena.universe
        self.relation = relations.whole.looping(model.relation.looped)
        self._relations = relations

    # -- the states met -----------------------------------------------------------------------------------

    def first_choice(self, start: F) -> list[F] | None:
        """A choice still to be made, as early in the play as possible."""
        for acting in self._layers(start):
            found = first_choice(self.game.model.system, self.game.players, acting, self.strategy)
            if found is not None:
                return found
        return None

    def _layers(self, start: F) -> Iterator[F]:
        """The states in which the members act, as they are met.

        Once the goal is reached nothing matters; once it is broken, only with fairness.
        """
        game = self.game
        broken = self.space.false
        if game.goal.soon:
            yield start
            if not game.paths.fairness:
                return
            start = self._post(start)
        for open_ in self._met(start, game.goal.hold & ~game.goal.end):
            yield open_ & ~game.goal.end & (game.goal.hold if not game.paths.fairness else self.universe)
            broken = broken | (open_ & ~game.goal.hold & ~game.goal.end)
        if game.paths.fairness:
            yield from self._met(self._post(broken), self.universe)

    def _met(self, start: F, through: F) -> Iterator[F]:
        """States met by going on from those of `through`, layer by layer."""
        met, fresh = start, start
        while fresh != self.space.false:
            self.game.model.step()
            yield fresh
            fresh = self._post(fresh & through) & ~met
            met = met | fresh

    def _post(self, states: F) -> F:
        return self.relation.post(states) & self.universe

    # -- when all is decided --------------------------------------------------------------------------------

    def wins(self, start: F) -> bool:
        """Whether all fair outcomes satisfy the goal, and there is a way on wherever it is undecided."""
        game, goal = self.game, self.game.goal
        if not game.paths.fairness:
            return True  # one choice everywhere: full knowledge, which suffices, is no more
        begin = self._post(start) if game.goal.soon else start
        open_ = reduce(or_, self._met(begin, goal.hold & ~goal.end), self.space.false)
        undecided = start if goal.soon else open_ & goal.hold & ~goal.end
        if undecided & ~self.relation.pre(self.universe) != self.space.false:
            return False
        cyclic = self._relations.cyclic.looping(self.relation.looped)
        paths = Paths(game.model, self.universe, game.paths.fairness, self.relation, cyclic)
        broken = open_ & ~goal.hold & ~goal.end
        if broken & paths.always(self.universe) != self.space.false:
            return False
        return goal.weak or self.universe & paths.always(open_ & goal.hold & ~goal.end) == self.space.false
