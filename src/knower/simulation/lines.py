"""The lines of a model behind a step: which of them fired, and what kept others from it."""

from __future__ import annotations

from collections.abc import Iterator

from knower.records import dataclass
from knower.system.evaluation import compiled
from knower.system.explicit import Explicit, ExplicitAgent, Overflow
from knower.system.expressions import Condition, Conj, JointAction, State

_NO_ACTION: JointAction = ()


@dataclass(frozen=True, slots=True)
class FiredLines:
    """Of one agent: lines of its Protocol that allow what it did, and of its Evolution that were taken.

    Both by their numbers, from 0. Where several lines lead to the same values, all of them are told.
    """

    agent: str
    protocol: tuple[int, ...]
    evolution: tuple[int, ...]


def fired_lines(explicit: Explicit, state: State, joint: JointAction, after: State) -> tuple[FiredLines, ...]:
    """The lines behind a step, agent by agent."""
    return tuple(
        FiredLines(
            agent.agent.name,
            tuple(_allowing(explicit, agent, state, action)),
            tuple(_taken(agent, state, joint, _own(explicit, agent, state), _own(explicit, agent, after))),
        )
        for agent, action in zip(explicit.agents, joint, strict=True)
    )


def _own(explicit: Explicit, agent: ExplicitAgent, state: State) -> tuple[object, ...]:
    places = explicit.system.places.variable
    return tuple(state[places[variable.key]] for variable in agent.agent.variables)


def _allowing(explicit: Explicit, agent: ExplicitAgent, state: State, action: str | None) -> Iterator[int]:
    for number, line in enumerate(agent.agent.protocol):
        if action in line.actions and holds(explicit, line.condition, state):
            yield number


def _taken(
    agent: ExplicitAgent,
    state: State,
    joint: JointAction,
    before: tuple[object, ...],
    after: tuple[object, ...],
) -> Iterator[int]:
    """Lines that hold and whose values are those that came. What no line of a block assigns must stay."""
    for block in agent.blocks:
        theirs = {slot for other in agent.blocks if other is not block for slot in _targets(agent, other)}
        for line in block:
            if not line.condition(state, joint):
                continue
            changes = line.changes(state, joint)
            if isinstance(changes, Overflow):
                continue
            wanted = {k: changes.get(k, before[k]) for k in range(len(before)) if k not in theirs}
            if all(after[k] == value for k, value in wanted.items()):
                yield line.line.number


def _targets(agent: ExplicitAgent, block: object) -> set[int]:
    names = [variable.name for variable in agent.agent.variables]
    assert isinstance(block, list)
    return {names.index(target) for line in block for target, _ in line.line.assignments}


def conjuncts(condition: Condition) -> list[Condition]:
    """The parts of a condition that must all hold, as they stand from left to right."""
    found: list[Condition] = []
    todo = [condition]
    while todo:
        item = todo.pop()
        if isinstance(item, Conj):
            todo += (item.right, item.left)
        else:
            found.append(item)
    return found


def holds(explicit: Explicit, condition: Condition, state: State, joint: JointAction = _NO_ACTION) -> bool:
    """Whether a condition holds in a state (and a joint action, if it speaks of one)."""
    return bool(compiled(condition, explicit.system.places)(state, joint))
