"""What a coalition is to enforce, and the moves it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Generic

from knower.evidence.view import Members, View
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.formula import Formula, Strategic
from knower.logic.goal import Goal
from knower.records import dataclass
from knower.verdict.evidence import Joint, State

#: So many choices are tried one by one before all are looked at together.
_FIRST_CHOICES = 64


@dataclass(frozen=True)
class ProofGoal(Generic[F]):
    """What is to be enforced, as in `logic.goal`, and what has to be proved of it.

    The formulas behind the sets are those that have to be proved: `F` has none to hold, `G` none to
    reach.
    """

    hold: F
    end: F
    holding: Formula | None = None
    ending: Formula | None = None
    weak: bool = False
    soon: bool = False

    @property
    def sets(self) -> Goal[F]:
        """Without what has to be proved: the goal as engines know it."""
        return Goal(self.hold, self.end, self.weak, self.soon)

    @property
    def open(self) -> F:
        """Where nothing is decided yet."""
        return self.hold & ~self.end


def goal_of(view: View[F], formula: Strategic) -> ProofGoal[F]:
    match formula:
        case f.CanX(_, sub):
            return ProofGoal(view.universe, view.where(sub), None, sub, soon=True)
        case f.CanF(_, sub):
            return ProofGoal(view.universe, view.where(sub), None, sub)
        case f.CanG(_, sub):
            return ProofGoal(view.where(sub), view.nothing, sub, None, weak=True)
        case f.CanU(_, left, right):
            return ProofGoal(view.where(left), view.where(right), left, right)


@dataclass(frozen=True)
class Table(Generic[F]):
    """What the members of a coalition can do, state by state."""

    view: View[F]
    members: Members

    def choices(self, state: State) -> Iterable[Joint]:
        return self.view.choices(state, self.members)

    def outcomes(self, state: State, choice: Joint) -> F:
        return self.view.outcomes(state, self.members, choice)

    def choice(self, state: State, inside: F, *, may_stop: bool) -> Joint | None:
        """A choice that leads into a set and nowhere else (or nowhere at all, if it may); None without one.

        The first of them where one is found soon: that is what a reader expects.
        """
        for choice in islice(self.choices(state), _FIRST_CHOICES):
            outcomes = self.outcomes(state, choice)
            if outcomes & ~inside == self.view.nothing and (may_stop or outcomes != self.view.nothing):
                return choice
        return self.view.choice_into(state, self.members, inside, may_stop=may_stop)

    def states(self, some: F) -> Iterator[State]:
        """The states of a set, one by one."""
        while some != self.view.nothing:
            state = self.view.one(some)
            yield state
            some = some & ~self.view.only(state)
