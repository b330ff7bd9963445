"""The reachable states of a small system, numbered breadth first, and the moves between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from itertools import product
from typing import TypeAlias

from knower.bitset.bits import Bits
from knower.errors import LimitReached
from knower.limits import Budget
from knower.reasons import TooLarge
from knower.records import dataclass
from knower.system.compiled_steps import CompiledSteps
from knower.system.explicit import Explicit, Move, Options
from knower.system.expressions import JointAction, State
from knower.verdict.trace import Path

#: Every set of states has a bit for each, and there are sets for every state: 10,000 take 25 megabytes.
_MOST_STATES = 10_000

Members: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelFault:
    """A state from which something goes wrong, and the joint action that does it, if one does."""

    state: int
    what: str
    joint: JointAction | None = None


@dataclass
class NumberedStates:
    """States by number, with where their moves lead; `looped`: deadlocks that have a step to themselves."""

    explicit: Explicit
    steps: CompiledSteps
    states: list[State] = field(default_factory=list)
    number: dict[State, int] = field(default_factory=dict, repr=False)
    initial: Bits = 0
    successors: list[Bits] = field(default_factory=list)
    #: For each state joint actions, as one of each agent's options, and the states they can lead to.
    moves: list[list[tuple[Options, Bits]]] = field(default_factory=list, repr=False)
    parents: list[tuple[int, JointAction] | None] = field(default_factory=list, repr=False)
    deadlock: ModelFault | None = None
    overflow: ModelFault | None = None
    looped: Bits = 0

    def __len__(self) -> int:
        return len(self.states)

    @property
    def all(self) -> Bits:
        return (1 << len(self.states)) - 1

    def options(self, state: State) -> Options:
        """The enabled actions of each agent."""
        return self.steps.options(state)

    def outcomes(self, number: int, members: Members) -> dict[JointAction, Bits]:
        """What the members can choose together, with all states the others may then lead to.

        In a deadlock that has a step to itself, every choice leads back.
        """
        if self.looped >> number & 1:
            agents = self.explicit.system.agent_named
            every = product(*(agents[name].actions or (None,) for name in members))
            return dict.fromkeys(every, 1 << number)
        seats = [self.explicit.seat[name] for name in members]
        found: dict[JointAction, Bits] = {}
        for options, after in self.moves[number]:
            for choice in product(*[options[seat] for seat in seats]):
                found[choice] = found.get(choice, 0) | after
        return found

    def path_to(self, state: int, joint: JointAction | None = None) -> Path:
        """A shortest path from an initial state to a state, and what is done there at last, if anything."""
        numbers, joints = [state], [] if joint is None else [joint]
        while (parent := self.parents[numbers[-1]]) is not None:
            numbers.append(parent[0])
            joints.append(parent[1])
        done = joints[::-1] if joint is None else [*joints[:0:-1], joint]
        return Path(
            tuple(self.explicit.named_state(self.states[n]) for n in reversed(numbers)),
            tuple(self.explicit.named_action(each) for each in done),
        )


def explored(explicit: Explicit, budget: Budget, *, loops: bool) -> NumberedStates:
    """All reachable states; `loops`: deadlocks have a step to themselves."""
    space = NumberedStates(explicit, CompiledSteps(explicit))
    with budget.gauged(lambda: {"states visited": len(space)}):
        for state in explicit.initial_states(budget):
            budget.tick()
            at = _number(space, state, None)
            _note(space, at, explicit.initial_faults(state))
        space.initial = space.all
        for state in space.states:  # grows while it is read
            budget.tick()
            _expand(space, state, loops=loops)
    return space


def _expand(space: NumberedStates, state: State, *, loops: bool) -> None:
    """The moves of the first state that has none yet."""
    at, successors = len(space.moves), 0
    _note(space, at, space.explicit.faults(state))
    moves: list[tuple[Options, Bits]] = []
    for move in space.steps.moves(state, space.options(state)):
        after = _after(space, at, move)
        moves.append((move.options, after))
        successors |= after
    if not successors:
        space.deadlock = space.deadlock or ModelFault(at, "deadlock")
        if loops:
            successors = 1 << at
            space.looped |= successors
    space.moves.append(moves)
    space.successors.append(successors)


def _after(space: NumberedStates, at: int, move: Move) -> Bits:
    """Where a move leads; notes the first overflow."""
    if space.overflow is None and (wrong := move.overflows()):
        space.overflow = ModelFault(at, str(wrong[0]), move.joint)
    found, number = 0, space.number
    for state in move.successors():
        known = number.get(state)
        found |= 1 << (_number(space, state, (at, move.joint)) if known is None else known)
    return found


def _note(space: NumberedStates, at: int, wrong: Iterable[object]) -> None:
    for what in wrong:
        space.overflow = space.overflow or ModelFault(at, str(what))


def _number(space: NumberedStates, state: State, parent: tuple[int, JointAction] | None) -> int:
    """The number of a state that is met for the first time."""
    found = space.number[state] = len(space.states)
    if found >= _MOST_STATES:
        raise LimitReached(TooLarge(f"more than {_MOST_STATES} states"))
    space.states.append(state)
    space.parents.append(parent)
    return found
