"""The reachable states of a system, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from itertools import product
from typing import Protocol

from knower.limits import Budget
from knower.logic.formula import Does
from knower.options import DeadlockPolicy
from knower.records import dataclass
from knower.system.explicit import Explicit, Move, Options
from knower.system.expressions import JointAction, State
from knower.verdict.trace import Path

#: The moves of so many states are remembered: each coalition looks at all of them.
_FEW = 1000


class Steps(Protocol):
    """A step function: the transcribed one of `Explicit`, or a compiled one."""

    def options(self, state: State) -> Options:
        """The actions enabled for each agent."""

    def moves(self, state: State, options: Options) -> Iterator[Move]:
        """What follows from the joint actions of some options, by the first joint action of each move."""


@dataclass(frozen=True)
class ModelFault:
    """A state from which something went wrong, and the joint action that did it, if one did."""

    state: int
    what: str
    joint: JointAction | None = None


@dataclass
class StateSpace:
    """Reachable states by number, in breadth-first order, with the way to each."""

    explicit: Explicit
    steps: Steps
    #: Which actions are considered in a state.
    options: Callable[[State], Options]
    states: list[State] = field(default_factory=list)
    successors: list[tuple[int, ...]] = field(default_factory=list)
    initial: tuple[int, ...] = ()
    number: dict[State, int] = field(default_factory=dict, repr=False)
    parents: list[tuple[int, JointAction] | None] = field(default_factory=list, repr=False)
    deadlock: ModelFault | None = None
    overflow: ModelFault | None = None
    looped: set[int] = field(default_factory=set, repr=False)
    _moves: dict[int, list[tuple[Move, tuple[int, ...]]]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.states)

    def moves(self, number: int) -> Iterable[tuple[Move, tuple[int, ...]]]:
        """Joint actions with the states they can lead to; those that lead nowhere too."""
        if len(self.states) > _FEW:
            return self._moves_from(number)
        if number not in self._moves:
            self._moves[number] = list(self._moves_from(number))
        return self._moves[number]

    def _moves_from(self, number: int) -> Iterator[tuple[Move, tuple[int, ...]]]:
        state = self.states[number]
        for move in self.steps.moves(state, self.options(state)):
            yield move, tuple([self.number[after] for after in move.successors()])

    def steps_by(self, number: int, asked: frozenset[Does]) -> dict[frozenset[Does], set[int]]:
        """The successors of a state, by which of some statements are true of the step there.

        In a deadlock that was given a self-loop, everybody may do anything.
        """
        if number in self.looped:
            agents = self.explicit.system.agents
            return {doing: {number} for doing in self._done([agent.actions for agent in agents], asked)}
        found: dict[frozenset[Does], set[int]] = {}
        for move, after in self.moves(number):
            for doing in self._done(move.options, asked):
                found.setdefault(doing, set()).update(after)
        return found

    def _done(self, options: Options, asked: frozenset[Does]) -> Iterator[frozenset[Does]]:
        """What of the statements can be true together where everybody has some options."""
        seats = sorted({self.explicit.seat[item.agent] for item in asked})
        by_seat = [[item for item in asked if self.explicit.seat[item.agent] == seat] for seat in seats]
        choices = [
            {frozenset(item for item in here if item.action == action) for action in options[seat]}
            for seat, here in zip(seats, by_seat, strict=True)
        ]
        for parts in product(*choices):
            yield frozenset().union(*parts)

    def coalition_moves(self, number: int, members: tuple[str, ...]) -> dict[JointAction, set[int]]:
        """What the members can choose together, with all states the others may then lead to.

        In a deadlock that was given a self-loop, every choice leads back.
        """
        seats = [self.explicit.seat[name] for name in members]
        if number in self.looped:
            return {choice: {number} for choice in self._all_choices(members)}
        options = self.options(self.states[number])
        if not all(options):
            return {}
        found: dict[JointAction, set[int]]
        found = {choice: set() for choice in product(*(options[seat] for seat in seats))}
        for move, after in self.moves(number):
            for choice in product(*(move.options[seat] for seat in seats)):
                found[choice].update(after)
        return found

    def _all_choices(self, members: tuple[str, ...]) -> Iterator[JointAction]:
        agents = self.explicit.system.agent_named
        yield from product(*(agents[name].actions or (None,) for name in members))

    def path_to(self, fault: ModelFault) -> Path:
        """A shortest path from an initial state to where something goes wrong."""
        numbers, joints = [fault.state], [] if fault.joint is None else [fault.joint]
        while (parent := self.parents[numbers[-1]]) is not None:
            numbers.append(parent[0])
            joints.append(parent[1])
        joints = joints[1:][::-1] + joints[:1] if fault.joint is not None else joints[::-1]
        return Path(
            tuple(self.explicit.named_state(self.states[n]) for n in reversed(numbers)),
            tuple(self.explicit.named_action(joint) for joint in joints),
        )


def explore(
    explicit: Explicit,
    budget: Budget,
    on_deadlock: DeadlockPolicy = DeadlockPolicy.WARN,
    *,
    steps: Steps | None = None,
    options: Callable[[State], Options] | None = None,
) -> StateSpace:
    """All reachable states, breadth first, by the steps of `explicit` or others that mean the same.

    `options` restricts the actions considered.
    """
    steps = steps or explicit
    space = StateSpace(explicit, steps, options or steps.options)
    with budget.gauged(lambda: {"states visited": len(space.states)}):
        _explored(space, budget, on_deadlock)
    return space


def _explored(space: StateSpace, budget: Budget, on_deadlock: DeadlockPolicy) -> None:
    explicit = space.explicit
    for state in explicit.initial_states(budget):
        budget.tick()
        at = _number(space, state, None, budget)
        for wrong in explicit.initial_faults(state):
            space.overflow = space.overflow or ModelFault(at, str(wrong))
    space.initial = tuple(range(len(space.states)))
    at = 0
    while at < len(space.states):
        after = _expand(space, at, budget)
        if not after:
            space.deadlock = space.deadlock or ModelFault(at, "deadlock")
            if on_deadlock is DeadlockPolicy.LOOP:
                space.looped.add(at)
                after = (at,)
        space.successors.append(after)
        at += 1


def _expand(space: StateSpace, at: int, budget: Budget) -> tuple[int, ...]:
    """The numbers of the successors of a state; notes the first overflow."""
    state = space.states[at]
    after: dict[int, None] = {}
    for wrong in space.explicit.faults(state):
        space.overflow = space.overflow or ModelFault(at, str(wrong))
    for move in space.steps.moves(state, space.options(state)):
        budget.tick()
        if space.overflow is None and (overflows := move.overflows()):
            space.overflow = ModelFault(at, str(overflows[0]), move.joint)
        for following in move.successors():
            budget.tick()
            after[_number(space, following, (at, move), budget)] = None
    return tuple(after)


def _number(space: StateSpace, state: State, parent: tuple[int, Move] | None, budget: Budget) -> int:
    found = space.number.get(state)
    if found is None:
        budget.check_states(len(space.states) + 1)
        found = space.number[state] = len(space.states)
        space.states.append(state)
        space.parents.append(None if parent is None else (parent[0], parent[1].joint))
    return found
