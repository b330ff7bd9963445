"""Where the others can do too much to try it all: what a goal depends on is tried, or a sample is.

An agent's next values depend on the actions it hears of, and a proposition on a few variables: of a million
joint actions most differ in nothing that matters.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from math import prod
from random import Random
from typing import TypeAlias

from knower.errors import LimitReached
from knower.evidence.judge_steps import Action, Steps, spoken_of
from knower.logic.formula import Formula
from knower.reasons import TooLarge
from knower.system.system import Agent
from knower.verdict.evidence import Joint, State

#: What each agent may do in a state, in their order.
Options: TypeAlias = Sequence[tuple[Action, ...]]

#: So many joint actions are drawn where they are too many.
DRAWN = 1_000


def options_at(steps: Steps, state: State, chosen: Mapping[str, tuple[Action, ...]]) -> Options:
    """What each agent may do in a state, when some choose among these actions."""
    return [chosen.get(name) or steps.options(name, state) for name in steps.names]


def drawn(steps: Steps, state: State, options: Options, most: int = DRAWN) -> set[State]:
    """Some of the states that the joint actions lead to, always the same ones; raises if none is found."""
    chance = Random(0)
    found: set[State] = set()
    for _ in range(DRAWN):
        if len(found) >= most:
            break
        steps.budget.tick()
        joint = tuple([chance.choice(actions) for actions in options])
        parts = [agent.outcomes(state, joint).states for agent in steps.explicit.agents]
        if all(parts):
            found.add(tuple([value for part in parts for value in chance.choice(part)]))
    if not found:
        raise LimitReached(TooLarge("too many steps to follow"))
    return found


def lead_surely(steps: Steps, state: State, options: Options, goal: Formula, most: int) -> bool:
    """Whether all states that joint actions lead to are seen to satisfy a proposition, in so many trials.

    Only agents whose variables it speaks of are looked at, and only actions that they hear of vary. Whether
    the others can move at all is not asked: there may be fewer such states, but not more.
    """
    owners = _owners(steps, goal)
    heard = {name for agent in owners for name in agent.heard}
    pairs = zip(steps.names, options, strict=True)
    tried = [actions if name in heard else actions[:1] for name, actions in pairs]
    if prod(map(len, tried)) > most:
        return False
    return all(_leads_surely(steps, state, joint, owners, goal) for joint in product(*tried))


def _leads_surely(steps: Steps, state: State, joint: Joint, owners: Collection[Agent], goal: Formula) -> bool:
    """The others keep their values: the goal does not speak of them."""
    agents = zip(steps.system.agents, steps.explicit.agents, steps.local, strict=True)
    parts = [
        moves.outcomes(state, joint).states if agent in owners else (state[place],)
        for agent, moves, place in agents
    ]
    for values in product(*parts):
        steps.budget.tick()
        if not steps.holds(goal, tuple([value for part in values for value in part])):
            return False
    return True


def _owners(steps: Steps, goal: Formula) -> list[Agent]:
    """The agents whose variables a proposition depends on."""
    owners = {owner for owner, _ in spoken_of(goal, steps.system)}
    return [agent for agent in steps.system.agents if agent.name in owners]
