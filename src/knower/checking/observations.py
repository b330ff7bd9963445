"""What the players of a coalition do on what they see: a strategy that is made and changed piece by piece.

Most observations are decided many at a time, by what looks good where they are met. Those that a lost play
has gone through are `Contested`: a solver decides them from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property, reduce
from operator import or_
from typing import Generic, NamedTuple

from knower.checking.proposals import Proposals
from knower.functions.protocol import F
from knower.records import dataclass
from knower.symbolic.model import SymbolicModel


@dataclass(frozen=True, eq=False)
class Choice(Generic[F]):
    """What a player does (the number of an action) on seeing what it sees in some states."""

    player: str
    states: F
    number: int


@dataclass(eq=False)
class Contested(Generic[F]):
    """An observation of a player: the states that look like this, and a literal for each action there."""

    states: F
    literals: dict[int, int]
    action: int

    @property
    def literal(self) -> int:
        """What is chosen."""
        return self.literals[self.action]


class Hint(NamedTuple, Generic[F]):
    """What is good (a function of state and actions); an action helps that is, in all of these states where
    it is seen."""

    choices: F
    states: F


class Policy(Generic[F]):
    """One player's actions by what it sees, as far as they are decided."""

    def __init__(self, model: SymbolicModel[F], player: str) -> None:
        layout, space = model.layout, model.space
        actions = layout.system.agent_named[player].actions
        self.player = player
        self._model = model
        self._space = space
        self._seen = layout.seen_by(player)
        self._unseen = space.quantified(bit for bit in layout.now if bit not in frozenset(self._seen))
        self.enabled = model.steps.players[player]
        self._codes = [model.steps.action(player, number) for number in range(len(actions))]
        self._chosen = [space.false for _ in actions]
        self._decided = space.false
        self._contested: dict[tuple[bool, ...], Contested[F]] = {}
        self._function: F | None = None

    @property
    def function(self) -> F:
        """Of state and actions: what is decided is done, all else is free."""
        if self._function is None:
            pairs = zip(self._chosen, self._codes, strict=True)
            taken = [where & code for where, code in pairs if where != self._space.false]
            self._function = reduce(or_, taken, ~self._decided)
        return self._function

    def decide(self, states: F, *hints: Hint[F]) -> None:
        """Decide what is seen in these states for the first time: by the first hint that helps."""
        fresh = self._alike(states & ~self._decided)
        if fresh == self._space.false:
            return
        left = fresh
        for hint in hints:
            for number in range(len(self._codes)):
                good = self._where(number, hint.choices & self.enabled)
                bad = self._alike(fresh & hint.states & ~good)
                left = left & ~self._choose(number, left & ~bad)
        for number in range(len(self._codes)):
            left = left & ~self._choose(number, left & self._where(number, self.enabled))
        self._decided = self._decided | fresh
        self._function = None

    def _choose(self, number: int, observations: F) -> F:
        self._chosen[number] = self._chosen[number] | observations
        return observations

    def _where(self, number: int, choices: F) -> F:
        """Where an action is among the choices."""
        return self._space.exists(choices & self._codes[number], self._every)

    @cached_property
    def _every(self) -> object:
        return self._space.quantified(self._model.layout.actions)

    def _alike(self, states: F) -> F:
        return self._space.exists(states, self._unseen)

    # -- what lost plays have gone through ------------------------------------------------------------------

    @property
    def contested(self) -> Iterable[Contested[F]]:
        return self._contested.values()

    def at(self, state: F, proposals: Proposals) -> Contested[F] | None:
        """What is seen in one state, from now on decided by proposals; None where nothing can be done."""
        return self._contested_at(self._sight(state), proposals)

    def sights(self, states: F, proposals: Proposals) -> Iterator[Contested[F]]:
        """All that is seen in some states, where something can be done."""
        while states != self._space.false:
            key = self._sight(states)
            met = self._contested_at(key, proposals)
            if met is not None:
                yield met
            states = states & ~self._model.steps.cube(self._seen, key)

    def _sight(self, states: F) -> tuple[bool, ...]:
        """What is seen in one of some states."""
        picked = self._space.pick(states, self._seen)
        assert picked is not None, "there is a state"
        return tuple([picked[bit] for bit in self._seen])

    def _contested_at(self, key: tuple[bool, ...], proposals: Proposals) -> Contested[F] | None:
        if key not in self._contested:
            states = self._model.steps.cube(self._seen, key)
            allowed = states & self.enabled
            able = [k for k, code in enumerate(self._codes) if allowed & code != self._space.false]
            if not able:
                return None
            literals = {number: proposals.literal() for number in able}
            action = next(k for k in able if self._chosen[k] & states != self._space.false)
            self._contested[key] = Contested(states, literals, action)
            proposals.require(list(literals.values()), literals[action])
        return self._contested[key]

    def follow(self, chosen: Set[int]) -> None:
        """Do what is proposed; what is chosen stays chosen as long as it may."""
        for each in self._contested.values():
            if each.literal not in chosen:
                self._chosen[each.action] = self._chosen[each.action] & ~each.states
                each.action = next(number for number, literal in each.literals.items() if literal in chosen)
                self._chosen[each.action] = self._chosen[each.action] | each.states
                self._function = None


class Strategy(Generic[F]):
    """The policies of all players of a coalition."""

    def __init__(self, model: SymbolicModel[F], players: Sequence[str], proposals: Proposals) -> None:
        self._space = model.space
        self._proposals = proposals
        self._policies = [Policy(model, player) for player in players]

    @property
    def function(self) -> F:
        return reduce(lambda done, policy: done & policy.function, self._policies, self._space.true)

    def decide(self, states: F, *hints: Hint[F]) -> None:
        """Decide what any player sees in these states for the first time."""
        for policy in self._policies:
            policy.decide(states, *hints)
            hints = tuple(Hint(hint.choices & policy.function, hint.states) for hint in hints)

    def follow(self, chosen: Set[int]) -> None:
        for policy in self._policies:
            policy.follow(chosen)

    def choices(self) -> dict[int, Choice[F]]:
        """What each literal stands for."""
        return {
            literal: Choice(policy.player, each.states, number)
            for policy in self._policies
            for each in policy.contested
            for number, literal in each.literals.items()
        }

    def menus(self) -> list[list[int]]:
        """The literals one of which is chosen, for each observation."""
        return [list(each.literals.values()) for policy in self._policies for each in policy.contested]

    def made_in(self, states: F) -> Iterator[int]:
        """All choices in some states, where there is one."""
        for policy in self._policies:
            for met in policy.sights(states, self._proposals):
                if len(met.literals) > 1:
                    yield met.literal

    def relied_on(self, state: F, outcome: F) -> Iterator[int]:
        """The choices in one state without which something (a function of actions) might not come about."""
        seen = [(policy, policy.at(state, self._proposals)) for policy in self._policies]
        free = reduce(lambda done, policy: done & policy.enabled, self._policies, state)
        fixed = [policy.function if met else self._space.true for policy, met in seen]
        for place, (_, met) in enumerate(seen):
            if met is None:
                continue
            others = reduce(lambda done, each: done & each, [*fixed[:place], *fixed[place + 1 :]], free)
            if others & ~outcome == self._space.false:
                fixed[place] = self._space.true
            else:
                yield met.literal
