"""A coalition's choices in a model: what it can force, what the others can."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import accumulate
from operator import and_, or_
from typing import Generic, TypeAlias

from knower.checking.temporal import Paths
from knower.functions.protocol import F
from knower.logic.goal import Goal
from knower.symbolic.partition import Partition

Members: TypeAlias = tuple[str, ...]
#: The partitions of one choice of the members, or of several whose actions are kept.
Choice: TypeAlias = Sequence[Partition[F]]

#: Candidates that are so many times smaller than what is undecided are asked where they lead before all that
#: is undecided is asked who leads there.
_FEW = 8
#: The rounds of a fixpoint are kept for who asks how it came about: so many nodes for each one of `S`, or so
#: many in all if that is more.
_ROOM, _LEAST_ROOM = 4, 20_000


class Arena(Generic[F]):
    """The coalition's choices inside `S`. A `limit` (of state and actions) narrows them.

    A choice is a function of state and actions of members; its outcomes are all states of `S` it may lead to.
    """

    def __init__(self, paths: Paths[F], members: Members, limit: F | None = None) -> None:
        self.model = paths.model
        self.space = paths.model.space
        self.universe = paths.universe
        self.members = members
        self.limit = self.space.true if limit is None else limit
        bits = self.model.system.relations.coalition_bits(members)
        self.own = self.space.quantified(bits)
        self.looped = self.model.relation.looped
        self._kept: dict[Goal[F], list[F]] = {}

    @property
    def steps(self) -> Partition[F]:
        """The steps, with the actions of the members."""
        return self.model.coalition(self.members)

    @cached_property
    def _choices(self) -> list[Choice[F]]:
        is_free = self.limit == self.space.true
        return list(self.model.choices(self.members)) if is_free else [[self.steps]]

    # -- single steps ---------------------------------------------------------------------------------------

    def sure(self, states: F) -> F:
        """The choices (with the state) that lead into a set and nowhere else in `S`."""
        self.model.step()
        some = self.limit & self.universe & self.steps.pre(states & self.universe)
        return some & ~self.steps.pre(self.universe & ~states)

    def force(self, states: F) -> F:
        """`pre(Γ, X)`: some choice of Γ leads into X and cannot lead into `S` outside X."""
        inside = states & self.universe
        return self.looped & inside | self._forced(inside, inside, self.universe)

    def _forced(self, fresh: F, found: F, among: F) -> F:
        """Where of `among` a choice leads into `fresh`, and nowhere but into `found`, which has it inside."""
        reached = self.space.false
        undecided = self.universe & ~found
        for choice in self._choices:
            self.model.step()
            leading = _pre(choice, fresh) & among & self.limit
            leading = leading & ~_pre(choice, self._missed(choice, leading, undecided))
            reached = reached | self.space.exists(leading, self.own)
        return reached

    def _missed(self, choice: Choice[F], leading: F, undecided: F) -> F:
        """Undecided states, all that some choices may lead to among them."""
        if _FEW * self.space.size(leading) > self.space.size(undecided):
            return undecided
        after = reduce(or_, (partition.post(leading) for partition in choice))
        return undecided & self.space.exists(after, self.own)

    def opponents_pre(self, states: F) -> F:
        """States where whatever Γ chooses, the others can lead into X."""
        self.model.step()
        escape = self._available & ~self.steps.pre(states & self.universe)
        return self._without(escape) | self.looped & states & self.universe

    def _without(self, choices: F) -> F:
        """Where Γ can choose something, but none of these."""
        return self._acting & ~self.space.exists(choices, self.own)

    @cached_property
    def _available(self) -> F:
        """What Γ may choose where everybody can choose something; with or without successor."""
        steps, layout = self.model.steps, self.model.layout
        others = self.space.quantified(
            bit for name in steps.players if name not in self.members for bit in layout.action_bits[name]
        )
        guards = reduce(and_, self.model.system.relations.guards, self.universe)
        return self.space.exists(guards, others) & self.limit

    @cached_property
    def _acting(self) -> F:
        return self.space.exists(self._available, self.own)

    # -- fixpoints ------------------------------------------------------------------------------------------

    def won(self, goal: Goal[F]) -> F:
        """The least (weak: greatest) Z with Z = end or (hold and pre(Γ, Z)); soon: pre(Γ, end)."""
        if goal.soon:
            return self.force(goal.end)
        return reduce(_next_layer(goal), self._changes(goal), _first_layer(goal))

    def layers(self, goal: Goal[F]) -> list[F]:
        """What is won, round by round: growing, or shrinking if the goal is weak. Not for a goal of one step.

        Whoever has asked for what is won has them at once, if they were small enough to be kept.
        """
        return list(accumulate(self._changes(goal), _next_layer(goal), initial=_first_layer(goal)))

    def _changes(self, goal: Goal[F]) -> Iterator[F]:
        """What each round adds to what is won, or takes away from it if the goal is weak."""
        if goal in self._kept:
            yield from self._kept[goal]
            return
        kept, room = list[F](), max(_ROOM * self.space.size(self.universe), _LEAST_ROOM)
        for change in self._lost(goal) if goal.weak else self._gained(goal):
            room -= self.space.size(change)
            kept = [*kept, change] if room > 0 else []
            yield change
        if room > 0:
            self._kept[goal] = kept

    def _gained(self, goal: Goal[F]) -> Iterator[F]:
        """A choice that is good at last leads to something the last round has found."""
        found = fresh = goal.end
        while (fresh := self._forced(fresh, found, goal.hold & ~found)) != self.space.false:
            yield fresh
            found = found | fresh

    def _lost(self, goal: Goal[F]) -> Iterator[F]:
        """A choice is good until it leads to something that a round has taken away."""
        left = _first_layer(goal)
        fresh = self.universe & ~left
        good = [_pre(choice, self.universe) & left & self.limit for choice in self._choices]
        while True:
            self.model.step()
            good = [now & ~_pre(choice, fresh) for now, choice in zip(good, self._choices, strict=True)]
            holding = reduce(or_, (self.space.exists(now, self.own) for now in good), goal.end | self.looped)
            if (fresh := left & ~holding) == self.space.false:
                return
            yield fresh
            left = left & ~fresh

    def opponents_reach(self, stay: F, win: F) -> F:
        """The least Z with Z = win or (stay and opponents_pre(Z))."""
        found = fresh = win
        open_ = self._available & stay
        while fresh != self.space.false:
            self.model.step()
            open_ = open_ & ~self.steps.pre(fresh)
            fresh = stay & self._without(open_) & ~found
            found = found | fresh
        return found


def _pre(choice: Choice[F], states: F) -> F:
    """The choices that may lead into a set."""
    return reduce(or_, (partition.pre(states) for partition in choice))


def _first_layer(goal: Goal[F]) -> F:
    return goal.hold | goal.end if goal.weak else goal.end


def _next_layer(goal: Goal[F]) -> Callable[[F, F], F]:
    """From a layer and what changes to the next one."""
    return (lambda layer, lost: layer & ~lost) if goal.weak else or_
