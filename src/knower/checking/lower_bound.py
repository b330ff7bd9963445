"""Strategies that a coalition knows to be right: fixpoints over what its members know together.

What is done in a state is done in all that chains of confusion lead to (for one member: all that look the
same), so every such choice is uniform. Jamroga, Knapik, Kurpiewski and Mikulski (Artificial Intelligence 277,
2019) go so from goal to start. Here states do not count that not even full knowledge could save, and a choice
may be kept up from one set of look-alikes to the next until it has led to what is won already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from math import prod
from operator import and_, or_
from typing import Generic

from knower.checking.arena import Arena
from knower.functions.protocol import F
from knower.logic.goal import Goal
from knower.records import dataclass

#: Of more joint actions none is tried: what is found must name one of them.
_JOINT = 256
#: So often it is looked for choices that are kept up; each time something was found.
_KEPT_UP = 64


@dataclass(frozen=True)
class Lower(Generic[F]):
    """States won for sure, and how: a function of state and actions."""

    states: F
    strategy: F


class LowerBound(Generic[F]):
    """What a coalition surely wins without seeing everything; whatever is fair."""

    def __init__(self, arena: Arena[F], players: Sequence[str], goal: Goal[F], upper: F) -> None:
        """`upper`: where full knowledge would do."""
        self.arena = arena
        self.space = arena.space
        self.players = tuple(players)
        self.goal = goal
        self.undecided = upper if goal.soon else upper & goal.hold & ~goal.end

    def found(self) -> Lower[F]:
        if prod(map(len, self._codes_of_each)) > _JOINT:
            return Lower(self.space.false, self.space.true)
        if self.goal.soon:
            strategy = self._one_each(self._agreed(self.arena.sure(self.goal.end), self.undecided))
            return Lower(self._acting(strategy) | self.undecided & self.arena.looped, strategy)
        return self._kept() if self.goal.weak else self._reached()

    def _kept(self) -> Lower[F]:
        """The greatest set inside which a choice keeps that is the same for all its look-alikes."""
        held, before, good = self.undecided, None, self.space.false
        while held != before:
            before = held
            good = self._agreed(self.arena.sure(held | self.goal.end), held)
            held = held & (self._acting(good) | self.arena.looped)
        return Lower(held | self.goal.end, self._one_each(good))

    def _reached(self) -> Lower[F]:
        """Look-alikes are won all at once: by one step, or by one choice that is kept up."""
        won, strategy, left = self.goal.end, self.space.false, _KEPT_UP
        while True:
            open_ = self.undecided & ~won
            good = self._agreed(self.arena.sure(won), open_)
            if good == self.space.false and left:
                good, left = self._first(self._kept_up(won, open_)), left - 1
            if good == self.space.false:
                return Lower(won, strategy)
            strategy = strategy | self._one_each(good)
            won = won | self._acting(good)

    def _kept_up(self, won: F, open_: F) -> F:
        """Choices that lead to what is won by being made again and again, wherever they lead on the way."""
        making, before = open_, None
        while making != before:
            before, leading, last = making, self.space.false, None
            while leading != last:
                last = leading
                leading = making & self.arena.sure(won | leading)
            making = self._agreed(leading, open_)
        return making

    # -- choices --------------------------------------------------------------------------------------------

    def _agreed(self, choices: F, open_: F) -> F:
        """Those that are among the choices in all open states that chains of confusion lead to.

        Deadlocks with a self-loop do not count: any action will do there.
        """
        open_ = open_ & ~self.arena.looped
        wrong, before = open_ & ~choices, None
        system = self.arena.model.system
        while wrong != before:
            before = wrong
            alike = (system.indistinguishable_to_all(wrong, (player,)) for player in self.players)
            wrong = open_ & reduce(or_, alike, wrong)
        return open_ & choices & ~wrong

    def _acting(self, choices: F) -> F:
        """The states with one of the choices."""
        return self.space.exists(choices, self.arena.own)

    @property
    def _codes_of_each(self) -> list[list[F]]:
        steps, agents = self.arena.model.steps, self.arena.model.layout.system.agent_named
        return [[steps.action(name, k) for k in range(len(agents[name].actions))] for name in self.players]

    def _joint(self) -> Iterator[F]:
        """The joint actions, one by one."""
        return (reduce(and_, codes) for codes in product(*self._codes_of_each))

    def _one_each(self, choices: F) -> F:
        """One joint action where there are several: the same for all look-alikes, since they share all."""
        found = self.space.false
        for code in self._joint():
            found = found | (choices & code & ~self._acting(found))
        return found

    def _first(self, choices: F) -> F:
        """All choices of one joint action: what is kept up may go through places where another would be."""
        several = (choices & code for code in self._joint())
        return next((each for each in several if each != self.space.false), self.space.false)
