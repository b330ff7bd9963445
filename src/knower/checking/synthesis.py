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
from itertools import islice, pairwise
from operator import or_
from typing import Generic

from knower.checking.arena import Arena
from knower.checking.observations import Choice, Hint, Strategy
from knower.checking.outcomes import Outcomes
from knower.checking.proposals import Proposals, contradicting
from knower.functions.protocol import F
from knower.logic.goal import Goal
from knower.records import dataclass

#: So many lost plays are looked for in a round.
_PLAYS = 24
#: Of so many searches that failed the lost plays are kept for who asks why.
_KEPT = 4
#: Where full knowledge needs more steps, it is not asked which choices lead nearer.
_FAR = 100


@dataclass(frozen=True, eq=False)
class LostPlay(Generic[F]):
    """The states of a play, and the choices that lead along it; `loop`: the last leads back there.

    Without a loop the choices in the last state lead to what not even full knowledge could save, or nowhere.
    """

    states: tuple[F, ...]
    choices: frozenset[int]
    loop: int | None = None


@dataclass(frozen=True, eq=False)
class Defeat(Generic[F]):
    """Lost plays that leave no strategy, and what the literals of their choices stand for."""

    plays: tuple[LostPlay[F], ...]
    choices: dict[int, Choice[F]]


class Synthesis(Generic[F]):
    """One goal of one coalition; for any set of states to start from."""

    def __init__(
        self, arena: Arena[F], players: Sequence[str], goal: Goal[F], upper: F, fairness: Sequence[F]
    ) -> None:
        """`upper`: where full knowledge would do."""
        self.arena = arena
        self.space = arena.space
        self.players = tuple(players)
        self.goal = goal
        self.fairness = tuple(fairness)
        self.upper = upper
        self.undecided = upper if goal.soon else upper & goal.hold & ~goal.end
        self.good = arena.sure(self._wanted)
        self.hints = tuple(self._nearer)
        self._failed: dict[F, _Search[F]] = {}
        #: Of all searches: observations that lost plays have gone through, and lost plays.
        self.met = self.lost = 0

    @property
    def _nearer(self) -> Iterator[Hint[F]]:
        """What leads nearer to the end with full knowledge; nothing where that is far."""
        if self.goal.weak or self.goal.soon or self.fairness:
            return
        layers = self.arena.layers(self.goal)
        if len(layers) <= _FAR:
            steps = [now & ~before & self.arena.sure(before) for before, now in pairwise(layers)]
            yield Hint(reduce(or_, steps, self.space.false), self.undecided)

    @property
    def _wanted(self) -> F:
        """Where a choice must lead; a step into a state from which nothing is fair may lead anywhere."""
        if self.goal.soon:
            return self.arena.universe if self.fairness else self.goal.end
        return self.upper

    def strategy(self, start: F) -> F | None:
        """A strategy (a function of state and actions) that wins from all of these, if there is one."""
        if start & ~self.upper != self.space.false:
            return None
        search = _Search(self, start)
        found = search.found()
        self.met += len(search.strategy.menus())
        self.lost += len(search.lost)
        if found is None:
            self._failed[start] = search
            if len(self._failed) > _KEPT:
                del self._failed[next(iter(self._failed))]
        return found

    def wins_at_once(self, start: F) -> bool:
        """Whether the first strategy that comes to mind wins from all of these, look-alikes or not."""
        return start & ~self.upper == self.space.false and _Search(self, start).wins_at_once()

    def defeat(self, start: F) -> Defeat[F]:
        """Why there is none, where full knowledge would do."""
        if start not in self._failed:
            found = self.strategy(start)
            assert found is None, "every strategy loses"
        return self._failed[start].defeat()


class _Search(Generic[F]):
    """The plays from one set of states."""

    def __init__(self, game: Synthesis[F], start: F) -> None:
        self.game = game
        self.space = game.space
        self.start = start
        self.looped = game.arena.looped
        self.proposals = Proposals(game.arena.model.budget.check)
        self.strategy = Strategy(game.arena.model, game.players, self.proposals)
        self.lost: list[LostPlay[F]] = []

    def wins_at_once(self) -> bool:
        return next(self._lost(), None) is None

    def found(self) -> F | None:
        while self.proposals.accepts():
            self.game.arena.model.budget.step(self._progress)
            self.strategy.follow(self.proposals.chosen)
            lost = list(islice(self._lost(), _PLAYS))
            if not lost:
                return self.strategy.function
            for play in lost:
                self.proposals.refute(play.choices)
            self.lost += lost
        return None

    def _progress(self) -> str:
        return f"{len(self.lost)} lost plays through {len(self.strategy.menus())} observations"

    def defeat(self) -> Defeat[F]:
        """The lost plays that matter."""
        refuted = [play.choices for play in self.lost]
        places = contradicting(self.strategy.menus(), refuted, self.game.arena.model.budget.check)
        return Defeat(tuple(self.lost[place] for place in places), self.strategy.choices())

    @property
    def outcomes(self) -> Outcomes[F]:
        return Outcomes(self.game.arena, self.strategy.function, self.game.fairness)

    # -- following plays ------------------------------------------------------------------------------------

    def _lost(self) -> Iterator[LostPlay[F]]:
        """Lost plays under the strategy, the shortest first; none if it wins."""
        layers, through, is_lost = [self.start], list[F](), False
        seen = self.space.false if self.game.goal.soon else self.start
        while layers[-1] != self.space.false and not (self.game.goal.soon and through):
            acting = layers[-1] & self.game.undecided
            wrong = self._wrong(acting & ~self.looped)
            for play in self._ways_to(wrong, through):
                yield play
                is_lost = True
            through.append(acting & ~wrong)
            layers.append(self._after(through[-1]) & ~seen)
            seen = seen | layers[-1]
        if not is_lost:
            yield from self._unfinished(layers, through, seen)

    def _wrong(self, acting: F) -> F:
        """Where what is chosen may lead to what not even full knowledge could save, or nowhere."""
        good = self.game.good
        self.strategy.decide(acting, *self.game.hints, Hint(good, acting))
        return acting & ~self.space.exists(acting & self.strategy.function & good, self.game.arena.own)

    def _after(self, states: F) -> F:
        self.game.arena.model.step()
        return self.outcomes.post(states)

    def _unfinished(self, layers: list[F], through: list[F], seen: F) -> Iterator[LostPlay[F]]:
        """Plays that are lost only because they never end: in doubt for ever, or broken where that counts."""
        goal = self.game.goal
        if not goal.weak and not goal.soon:
            yield from self._endless(layers, through, seen & self.game.undecided)
        if self.game.fairness:
            met = layers[1] if goal.soon else seen
            broken = met & ~goal.end & (self.space.true if goal.soon else ~goal.hold)
            yield from self._endless_from(broken, layers, through)

    def _endless_from(self, broken: F, layers: list[F], through: list[F]) -> Iterator[LostPlay[F]]:
        """With fairness, a play that is broken is lost only if it goes on fairly for ever."""
        fresh, seen = broken, broken
        while fresh != self.space.false:
            self.strategy.decide(fresh & ~self.looped)
            fresh = self._after(fresh) & ~seen
            seen = seen | fresh
        lost = broken & self.outcomes.staying(seen)
        if lost != self.space.false:
            # The goal of one step is not broken where the play begins, though it may come back there.
            before = [self.space.false] if self.game.goal.soon else [layers[0] & lost]
            yield from self._endless([*before, *(layer & lost for layer in layers[1:])], through, seen)

    # -- lost plays -----------------------------------------------------------------------------------------

    def _ways_to(self, wrong: F, through: Sequence[F]) -> Iterator[LostPlay[F]]:
        """Plays to some of these states: one for each way to look at them."""
        system = self.game.arena.model.system
        while wrong != self.space.false:
            states = self.outcomes.way(through, system.one(wrong))
            choices = self._relied_on(states)
            choices |= set(self.strategy.relied_on(states[-1], ~self.game.good))
            yield LostPlay(tuple(states), frozenset(choices))
            wrong = wrong & ~system.indistinguishable_to_all(states[-1], self.game.players)

    def _endless(self, layers: list[F], through: list[F], among: F) -> Iterator[LostPlay[F]]:
        """Plays that come from a layer to stay among some states for ever; their cycles are apart."""
        staying = self.outcomes.staying(among)
        while staying != self.space.false:
            depth = next((k for k, layer in enumerate(layers) if layer & staying != self.space.false), None)
            if depth is None:
                return
            play = self._lasso(layers, through, depth, staying)
            yield play
            staying = self.outcomes.staying(staying & ~reduce(or_, play.states[play.loop :]))

    def _lasso(self, layers: list[F], through: list[F], depth: int, staying: F) -> LostPlay[F]:
        """A play that stays for ever from a layer on."""
        outcomes, system = self.outcomes, self.game.arena.model.system
        entry = system.one(layers[depth] & staying)
        cycle = outcomes.cycle(entry, staying)
        stem = outcomes.way(through[:depth], entry)
        if cycle[0] != entry:
            stem += outcomes.way_to(entry, cycle[0], staying) or []
        choices = self._relied_on([*stem, *cycle[1:], cycle[0]])
        return LostPlay((*stem, *cycle[1:]), frozenset(choices), len(stem) - 1)

    def _relied_on(self, states: Sequence[F]) -> set[int]:
        """The choices without which one of the steps might not be possible."""
        found, steps = set[int](), self.game.arena.steps
        for before, after in pairwise(states):
            if before & self.looped == self.space.false:
                found.update(self.strategy.relied_on(before, steps.pre(after)))
        return found
