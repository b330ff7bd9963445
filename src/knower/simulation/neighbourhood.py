"""States and steps around a state, or from the beginning: all there are if they are few, else the nearest."""

from __future__ import annotations

from collections.abc import Iterable

from knower.records import dataclass
from knower.system.compiled_steps import CompiledSteps
from knower.system.explicit import Explicit
from knower.system.expressions import JointAction, State

#: Of the steps of a state so many are looked at: more cannot be drawn.
_STEPS = 400


@dataclass(frozen=True)
class Neighbourhood:
    """States in the order they are met, and the steps between them, each with its joint actions.

    `complete`: there are no other reachable states, and no other steps.
    """

    states: tuple[State, ...]
    steps: dict[tuple[int, int], list[JointAction]]
    complete: bool


def neighbourhood(explicit: Explicit, starts: Iterable[State], most: int) -> Neighbourhood:
    """Breadth first from some states, until there are so many."""
    compiled, number, complete = CompiledSteps(explicit), dict[State, int](), True
    for state in starts:
        if len(number) >= most:
            complete = False
            break
        number.setdefault(state, len(number))
    steps: dict[tuple[int, int], list[JointAction]] = {}
    todo = list(number)
    for state in todo:  # grows on the way
        count = 0
        for joint in compiled.joint_actions(state):
            for after in compiled.successors(state, joint):
                count += 1
                if after not in number and len(number) < most:
                    number[after] = len(number)
                    todo.append(after)
                if after in number:
                    steps.setdefault((number[state], number[after]), []).append(joint)
                else:
                    complete = False
            if count > _STEPS:
                complete = False
                break
    return Neighbourhood(tuple(number), steps, complete)
