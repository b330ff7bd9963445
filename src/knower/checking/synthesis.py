"""Uniform strategies by counterexamples: a solver proposes choices, lost plays refute them.

The solver knows a literal for each action at each observation that was met. It proposes a strategy; plays
are followed from all states the coalition holds possible. What they meet for the first time is decided on the
way. A play that is lost becomes a clause: not all the choices it relies on. When no play is lost the strategy
wins; when the clauses contradict each other there is none.

A play is lost as soon as not even full knowledge could save it: every strategy that makes its choices leads
there, and none wins from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import Generic

from knower.checking.arena import Arena
from knower.checking.observations import Strategy
from knower.checking.proposals import Proposals
from knower.functions.protocol import F
from knower.logic.goal import Goal
from knower.records import dataclass
from knower.symbolic.model import SymbolicModel

#: So many lost plays are looked for in a round.
_PLAYS = 24


@dataclass(frozen=True, eq=False)
class LostPlay(Generic[F]):
    """States from the first on, each with the choices made there; `loop`: where the last one leads back to."""

    states: tuple[F, ...]
    choices: frozenset[int]
    loop: int | None = None


class Synthesis(Generic[F]):
    """One goal of one coalition, without fairness; for any set of states to start from."""

    def __init__(self, model: SymbolicModel[F], arena: Arena[F], players: Sequence[str], goal: Goal[F]) -> None:
        self.model = model
        self.space = model.space
        self.arena = arena
        self.universe = arena.universe
        self.goal = goal
        self.players = tuple(players)
        self.upper = arena.won(goal)
        self.open = self.space.false if goal.soon else self.upper & goal.hold & ~goal.end
        self.good = arena.sure(goal.end if goal.soon else self.upper)
        self.plays: list[LostPlay[F]] = []
        self.rounds = 0

    def strategy(self, start: F) -> F | None:
        """A strategy (a function of state and actions) that wins from all of these states, if there is one."""
        if start & ~self.upper != self.space.false:
            return None
        search = _Search(self, start)
        return search.found()


class _Search(Generic[F]):
    """The plays from one set of states."""

    def __init__(self, game: Synthesis[F], start: F) -> None:
        self.game = game
        self.space = game.space
        self.start = start
        self.proposals = Proposals()
        self.strategy = Strategy(game.model, game.players, self.proposals)
        self.steps = game.arena.steps
        self.own = game.arena.own
        self.looped = game.arena.looped

    def found(self) -> F | None:
        while self.proposals.accepts():
            self.game.model.step()
            self.game.rounds += 1
            self.strategy.follow(self.proposals.chosen)
            lost = list(self._lost())
            if not lost:
                return self.strategy.function
            for play in lost:
                self.game.plays.append(play)
                self.proposals.refute(play.choices)
        return None

    # -- following plays ------------------------------------------------------------------------------------

    def _lost(self) -> Iterator[LostPlay[F]]:
        """Some lost plays under the strategy; none if it wins."""
        layers: list[F] = []
        fresh = seen = self.start
        lost = 0
        while fresh != self.space.false and lost < _PLAYS:
            self.game.model.step()
            layers.append(fresh)
            acting = (fresh if self.game.goal.soon else fresh & self.game.open) & ~self.looped
            self.strategy.decide(acting, self.game.good)
            wrong = acting & ~self._acting(acting & self.strategy.function & self.game.good)
            for play in islice(self._ways_to(wrong, layers), _PLAYS - lost):
                yield play
                lost += 1
            if self.game.goal.soon:
                return
            fresh = self._post(fresh & self.game.open & ~wrong) & ~seen
            seen = seen | fresh
        if not lost and not self.game.goal.weak:
            yield from self._endless(layers, seen)

    def _acting(self, choices: F) -> F:
        return self.space.exists(choices, self.own)

    def _post(self, states: F) -> F:
        after = self.steps.post(states & self.strategy.function)
        return self._acting(after) & self.game.universe | self.looped & states

    # -- lost plays -----------------------------------------------------------------------------------------

    def _ways_to(self, wrong: F, layers: Sequence[F]) -> Iterator[LostPlay[F]]:
        """Plays to some of these states, which are in the last layer: one for each way to look at them."""
        while wrong != self.space.false:
            last = self.game.model.system.one(wrong)
            states, choices = self._way(last, layers)
            choices |= set(self.strategy.relied_on(last, ~self.game.good))
            yield LostPlay(tuple(states), frozenset(choices))
            wrong = wrong & ~self.game.model.system.indistinguishable_to_all(last, self.game.players)

    def _way(self, last: F, layers: Sequence[F]) -> tuple[list[F], set[int]]:
        """A shortest way to a state of the last layer, and the choices on it."""
        states, choices = [last], set[int]()
        for layer in reversed(layers[:-1]):
            leading = layer & self.game.open & self.steps.pre(states[0]) & self.strategy.function
            one = self.game.model.system.one(self._acting(leading))
            choices |= self._relied_on(one, states[0])
            states.insert(0, one)
        return states, choices

    def _relied_on(self, before: F, after: F) -> set[int]:
        """The choices without which a step might not be possible."""
        if before & self.looped != self.space.false:
            return set()
        return set(self.strategy.relied_on(before, self.steps.pre(after)))

    # -- plays without end ------------------------------------------------------------------------------------

    def _endless(self, layers: Sequence[F], seen: F) -> Iterator[LostPlay[F]]:
        """Plays that never reach the goal."""
        staying = self._staying(seen & self.game.open)
        for _ in range(_PLAYS):
            if staying == self.space.false:
                return
            play = self._lasso(layers, staying)
            yield play
            staying = self._staying(staying & ~reduce(or_, play.states[play.loop :]))

    def _staying(self, among: F) -> F:
        """The greatest set from all of whose states the strategy may lead back into it."""
        strategy = self.strategy.function
        while True:
            self.game.model.step()
            left = among & (self._acting(self.steps.pre(among) & strategy) | self.looped)
            if left == among:
                return left
            among = left

    def _lasso(self, layers: Sequence[F], staying: F) -> LostPlay[F]:
        """A play into a cycle, of states that can stay for ever."""
        cycle = self._cycle(next(layer & staying for layer in layers if layer & staying != self.space.false), staying)
        depth = next(k for k, layer in enumerate(layers) if layer & cycle[0] != self.space.false)
        states, choices = self._way(cycle[0], layers[: depth + 1])
        for before, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            choices |= self._relied_on(before, after)
        return LostPlay((*states, *cycle[1:]), frozenset(choices), len(states) - 1)

    def _cycle(self, begin: F, staying: F) -> list[F]:
        """Step by step, until a state comes again."""
        system = self.game.model.system
        walk = [system.one(begin)]
        while True:
            after = self._post(walk[-1]) & staying
            for place, state in enumerate(walk):
                if state & after != self.space.false:
                    return walk[place:]
            walk.append(system.one(after))
