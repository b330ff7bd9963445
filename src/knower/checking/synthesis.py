"""Uniform strategies by counterexamples: a solver proposes choices, lost plays refute them.

The solver knows a literal for each action at each observation that was met. It proposes a strategy; plays
are followed from all states the coalition holds possible. What they meet for the first time is decided on the
way. A play that is lost becomes a clause: not all the choices it relies on. When no play is lost the strategy
wins; when the clauses contradict each other there is none.

A play is lost as soon as not even full knowledge could save it: every strategy that makes its choices leads
there, and none wins from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Generic

from knower.checking.arena import Arena
from knower.checking.observations import Met, Observations
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
        self.met = Observations(game.model, game.players)
        self.proposals = Proposals()
        self.steps = game.arena.steps
        self.own = game.arena.own
        self.looped = game.arena.looped

    def found(self) -> F | None:
        while self.proposals.accepts():
            self.game.model.step()
            self.game.rounds += 1
            self.met.choose(self.proposals.chosen)
            lost = list(self._lost())
            if not lost:
                return self.met.strategy
            for play in lost:
                self.game.plays.append(play)
                self.proposals.refute(play.choices)
        return None

    # -- following plays ------------------------------------------------------------------------------------

    def _lost(self) -> Iterator[LostPlay[F]]:
        layers: list[F] = []
        fresh, seen = self.start, self.start
        lost = 0
        while fresh != self.space.false:
            self.game.model.step()
            layers.append(fresh)
            acting = fresh if self.game.goal.soon else fresh & self.game.open
            acting = acting & ~self.looped
            self._meet(acting)
            wrong = acting & ~self._acting(acting & self.met.strategy & self.game.good)
            for play in self._ways_to(wrong, layers):
                yield play
                lost += 1
                if lost >= _PLAYS:
                    return
            if self.game.goal.soon:
                return
            fresh = self._post(acting & ~wrong) & ~seen
            seen = seen | fresh
        if not lost and not self.game.goal.weak:
            yield from self._endless(layers, seen)

    def _meet(self, acting: F) -> None:
        """Decide what is met for the first time: an action that is good wherever it is met, if there is one."""
        for observation in self.met.fresh(acting):
            literals = [self.proposals.literal() for _ in observation.actions]
            place = self._best(observation, acting)
            self.met.add(observation, literals, place)
            self.proposals.require(literals, literals[place])

    def _best(self, observation: Met[F], acting: F) -> int:
        here = acting & observation.states
        best, least = 0, None
        for place, code in enumerate(observation.codes):
            wrong = here & ~self._acting(here & code & self.game.good)
            if wrong == self.space.false:
                return place
            size = self.space.size(wrong)
            if least is None or size < least:
                best, least = place, size
        return best

    def _acting(self, choices: F) -> F:
        return self.space.exists(choices, self.own)

    def _post(self, states: F) -> F:
        after = self.steps.post(states & self.met.strategy)
        return self._acting(after) & self.game.universe | self.looped & states

    # -- lost plays -----------------------------------------------------------------------------------------

    def _ways_to(self, wrong: F, layers: Sequence[F]) -> Iterator[LostPlay[F]]:
        """Plays to some of these states, which are in the last layer: one for each way to look at them."""
        while wrong != self.space.false:
            last = self.game.model.system.one(wrong)
            states, choices = self._way(last, layers)
            yield LostPlay(tuple(states), frozenset(choices | self.met.literals_at(last)))
            wrong = wrong & ~self.game.model.system.indistinguishable_to_all(last, self.game.players)

    def _way(self, last: F, layers: Sequence[F]) -> tuple[list[F], set[int]]:
        """A shortest way to a state of the last layer, and the choices on it."""
        states, choices = [last], set[int]()
        for layer in reversed(layers[:-1]):
            before = self._acting(layer & self.game.open & self.steps.pre(states[0]) & self.met.strategy)
            one = self.game.model.system.one(before)
            choices |= self._relevant(one, states[0])
            states.insert(0, one)
        return states, choices

    def _relevant(self, before: F, after: F) -> set[int]:
        """The choices without which a step might not be possible."""
        if before & self.looped != self.space.false:
            return set()
        leading = before & self.steps.pre(after)
        found = set[int]()
        kept = before
        for player in self.game.players:
            observation = self.met.at(player, before)
            if observation is None:
                continue
            chosen = observation.code
            others = [code for code in observation.codes if code != chosen]
            free = all(self._possible(leading, kept, player, code) for code in others)
            if not free:
                found.add(observation.literal)
                kept = kept & chosen
        return found

    def _possible(self, leading: F, kept: F, player: str, code: F) -> bool:
        """Whether the step stays possible by another action of a player, whatever the members not kept do."""
        if len(self.game.players) > 1:
            return False
        return leading & kept & code != self.space.false

    # -- plays without end ------------------------------------------------------------------------------------

    def _endless(self, layers: Sequence[F], seen: F) -> Iterator[LostPlay[F]]:
        """Plays that never reach the goal."""
        staying = self._staying(seen & self.game.open)
        lost = 0
        while staying != self.space.false and lost < _PLAYS:
            play = self._lasso(layers, staying)
            yield play
            lost += 1
            staying = self._staying(staying & ~reduce(or_, play.states[play.loop :]))

    def _staying(self, among: F) -> F:
        """The greatest set from all of whose states the strategy may lead back into it."""
        strategy = self.met.strategy
        while True:
            self.game.model.step()
            left = among & (self._acting(self.steps.pre(among) & strategy) | self.looped)
            if left == among:
                return left
            among = left

    def _lasso(self, layers: Sequence[F], staying: F) -> LostPlay[F]:
        """From the first layer that can stay for ever: step by step, until a state comes again."""
        depth = next(k for k, layer in enumerate(layers) if layer & staying != self.space.false)
        system = self.game.model.system
        now = system.one(layers[depth] & staying)
        walk = [now]
        while True:
            after = self._post(now) & staying
            again = next((k for k, state in enumerate(walk) if state & after != self.space.false), None)
            if again is not None:
                break
            now = system.one(after)
            walk.append(now)
        begin = walk[again]
        depth = next(k for k, layer in enumerate(layers) if layer & begin != self.space.false)
        states, choices = self._way(begin, layers[: depth + 1])
        cycle = walk[again:]
        for before, behind in zip(cycle, [*cycle[1:], begin], strict=True):
            choices |= self._relevant(before, behind)
        return LostPlay((*states, *cycle[1:]), frozenset(choices), len(states) - 1)
