"""The reachable states of a system, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

from knower.limits import Budget
from knower.options import DeadlockPolicy
from knower.system.explicit import Explicit, Overflow
from knower.system.expressions import JointAction, State
from knower.verdict.trace import Path

#: Which joint actions are considered in a state.
Choices = Callable[[State], Iterator[JointAction]]


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
    choices: Choices
    states: list[State] = field(default_factory=list)
    successors: list[tuple[int, ...]] = field(default_factory=list)
    initial: tuple[int, ...] = ()
    number: dict[State, int] = field(default_factory=dict, repr=False)
    parents: list[tuple[int, JointAction] | None] = field(default_factory=list, repr=False)
    deadlock: ModelFault | None = None
    overflow: ModelFault | None = None
    looped: set[int] = field(default_factory=set, repr=False)

    def __len__(self) -> int:
        return len(self.states)

    def moves(self, number: int) -> Iterator[tuple[JointAction, tuple[int, ...]]]:
        """Each joint action with the states it can lead to; those that lead nowhere too."""
        state = self.states[number]
        for joint in self.choices(state):
            yield joint, tuple(self.number[after] for after in self.explicit.successors(state, joint))

    def coalition_moves(self, number: int, members: tuple[str, ...]) -> dict[JointAction, set[int]]:
        """What the members can choose together, with all states the others may then lead to.

        In a deadlock that was given a self-loop, every choice leads back.
        """
        seats = [self.explicit.seat[name] for name in members]
        if number in self.looped:
            return {choice: {number} for choice in self._all_choices(members)}
        found: dict[JointAction, set[int]] = {}
        for joint, after in self.moves(number):
            found.setdefault(tuple(joint[seat] for seat in seats), set()).update(after)
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
    choices: Choices | None = None,
) -> StateSpace:
    """All reachable states, breadth first. `choices` restricts the joint actions considered."""
    space = StateSpace(explicit, choices or explicit.joint_actions)
    for state in explicit.initial_states(budget):
        budget.tick()
        at = _number(space, state, None, budget)
        for wrong in explicit.initial_divisions_by_zero(state):
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
    return space


def _expand(space: StateSpace, at: int, budget: Budget) -> tuple[int, ...]:
    """The numbers of the successors of a state; notes the first overflow."""
    explicit, state = space.explicit, space.states[at]
    after: dict[int, None] = {}
    for wrong in explicit.divisions_by_zero(state):
        space.overflow = space.overflow or ModelFault(at, str(wrong))
    for joint in space.choices(state):
        budget.tick()
        if space.overflow is None:
            _note_overflow(space, at, joint, next(explicit.overflows(state, joint), None))
        for following in explicit.successors(state, joint):
            budget.tick()
            after[_number(space, following, (at, joint), budget)] = None
    return tuple(after)


def _note_overflow(space: StateSpace, at: int, joint: JointAction, overflow: Overflow | None) -> None:
    if overflow is not None:
        space.overflow = ModelFault(at, str(overflow), joint)


def _number(space: StateSpace, state: State, parent: tuple[int, JointAction] | None, budget: Budget) -> int:
    found = space.number.get(state)
    if found is None:
        budget.check_states(len(space.states) + 1)
        found = space.number[state] = len(space.states)
        space.states.append(state)
        space.parents.append(parent)
    return found
