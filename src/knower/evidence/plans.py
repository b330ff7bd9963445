"""Why a coalition wins, or does not: for each state the sets its choices, or the replies, keep to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from knower.evidence.goals import ProofGoal
from knower.evidence.view import Members, View
from knower.functions.protocol import F
from knower.records import dataclass
from knower.verdict.evidence import State

#: Before the first step of `X`; the goal is open; the goal is broken.
FIRST, OPEN, BROKEN = "first", "open", "broken"
#: What the others remember: how the goal stands, and the number of the constraint they are after.
Memory: TypeAlias = tuple[str, int]
#: Before each operation that may take long.
Step: TypeAlias = Callable[[], None]

ToSet = TypeVar("ToSet", covariant=True)


class Plan(Protocol[ToSet]):
    """A winning coalition's way to choose."""

    #: Whether a choice may lead nowhere.
    may_stop: bool

    def inside(self, state: State) -> ToSet:
        """Where the choice of a winning strategy leads from a state, and nowhere else."""


class Counter(Protocol[ToSet]):
    """The others' way to answer."""

    def target(self, state: State, memory: Memory) -> tuple[ToSet, Memory]:
        """Where to lead from a state, whatever the coalition chooses, and what to remember then."""


def rank(view: View[F], state: State, layers: Sequence[F], *, inside: bool) -> int:
    """The first layer that has (or has not) a state."""
    here = view.only(state)
    return next(k for k, layer in enumerate(layers) if (here & layer != view.nothing) == inside)


# -- every outcome counts -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class SurePlan(Generic[F]):
    """Nearer to the end with each step, or (for a weak goal) for ever inside what can be held."""

    view: View[F]
    layers: Sequence[F]
    goal: ProofGoal[F]

    may_stop = False

    def inside(self, state: State) -> F:
        if self.goal.soon:
            return self.goal.end
        if self.goal.weak:
            return self.layers[-1]
        return self.layers[rank(self.view, state, self.layers, inside=True) - 1]


@dataclass(frozen=True)
class SureCounter(Generic[F]):
    """Away from all the coalition could win, or (for a weak goal) nearer to where it is broken."""

    view: View[F]
    layers: Sequence[F]
    goal: ProofGoal[F]

    def target(self, state: State, memory: Memory) -> tuple[F, Memory]:
        everything = self.view.universe
        if self.goal.soon:
            return everything & ~self.goal.end, (OPEN, 0)
        if not self.goal.weak:
            return everything & ~self.layers[-1], memory
        return everything & ~self.layers[rank(self.view, state, self.layers, inside=False) - 1], memory


# -- only fair outcomes count -------------------------------------------------------------------------------


class Stage(NamedTuple, Generic[F]):
    """States found to be safe from the others: they cannot come to a constraint and then on."""

    safe: F
    constraint: F
    on: F
    reach: F


class Spoiling(Generic[F]):
    """Where the others can bring about an infinite fair outcome inside `stay`, or reach `win`.

    The greatest Z such that from Z they can, for each constraint c, force `win` or (inside
    `stay`) a state of c from which they can force Z again. What each round takes away is kept.
    """

    def __init__(self, view: View[F], members: Members, stay: F, win: F, step: Step) -> None:
        self.view = view
        self.step = step
        self.members = members
        self.stay = stay
        self.win = win
        self.stages: list[Stage[F]] = []
        self.constraints = tuple(view.fairness) or (view.universe,)
        now, before = stay | win, None
        while now != before:
            before = now
            for constraint in self.constraints:
                reach = self.layers(constraint, before)[-1]
                self.stages.append(Stage(now & ~reach, constraint, before, reach))
                now = now & reach
        self.region = now

    def layers(self, constraint: F, on: F) -> list[F]:
        """Where they can force `win`, or a state of a constraint from which they can force `on`."""
        again = self.win | (self.stay & constraint & self.view.opponents_pre(self.members, on))
        layers = [again]
        while True:
            self.step()
            more = again | (self.stay & self.view.opponents_pre(self.members, layers[-1]))
            if more == layers[-1]:
                return layers
            layers.append(more)

    @cached_property
    def ways(self) -> list[list[F]]:
        """For each constraint, how they come to it within the region."""
        return [self.layers(constraint, self.region) for constraint in self.constraints]

    def avoided(self, state: State) -> F:
        """What the coalition has to avoid in a state outside the region."""
        here, nothing = self.view.only(state), self.view.nothing
        for stage in self.stages:
            if here & stage.safe != nothing:
                return stage.on if here & stage.constraint != nothing else stage.reach
        return nothing

    def target(self, state: State, number: int) -> tuple[F, int]:
        """Where the others should lead in the region, on their way to a constraint, and which is next."""
        here, layers = self.view.only(state), self.ways[number]
        if here & layers[0] != self.view.nothing:
            return self.region, (number + 1) % len(self.constraints)
        return layers[rank(self.view, state, layers, inside=True) - 1], number


class FairPlans(Generic[F]):
    """The goal under fairness: broken only where a fair outcome can still be had."""

    def __init__(self, view: View[F], members: Members, goal: ProofGoal[F], step: Step) -> None:
        self.view = view
        self.goal = goal
        self.step = step
        self.fair = Spoiling(view, members, view.universe, view.nothing, step)
        self.broken = self.fair.region & ~goal.end if goal.soon else self.fair.region & ~goal.hold & ~goal.end
        stay = view.nothing if goal.weak or goal.soon else goal.open
        self.open = Spoiling(view, members, stay, self.broken, step)
        self.spoilt = self._spoilt(members)

    def _spoilt(self, members: Members) -> list[F]:
        """For a weak goal: how the others break it, step by step."""
        layers = [self.broken]
        while self.goal.weak:
            self.step()
            more = self.broken | (self.goal.open & self.view.opponents_pre(members, layers[-1]))
            if more == layers[-1]:
                break
            layers.append(more)
        return layers

    may_stop = True  # where no fair outcome need be, there is none

    def inside(self, state: State) -> F:
        return self.view.universe & ~self._avoided(state)

    def _avoided(self, state: State) -> F:
        if self.view.only(state) & self.fair.region == self.view.nothing:
            return self.fair.avoided(state)
        if self.goal.weak or self.goal.soon:
            return self.spoilt[-1]
        return self.open.avoided(state)

    def target(self, state: State, memory: Memory) -> tuple[F, Memory]:
        """Until the goal is broken, that; then any fair outcome."""
        phase, number = memory
        if phase == FIRST:
            return self.broken, (OPEN, 0)
        broken = self.view.only(state) & self.broken != self.view.nothing
        if phase == BROKEN or broken:
            target, number = self.fair.target(state, number if phase == BROKEN else 0)
            return target, (BROKEN, number)
        if self.goal.weak:
            return self.spoilt[rank(self.view, state, self.spoilt, inside=True) - 1], memory
        target, number = self.open.target(state, number)
        return target, (OPEN, number)
