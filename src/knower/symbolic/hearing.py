"""In which order agents stand that hear each other's actions: who hears many, above those it hears.

What an agent becomes depends on its own state and on the actions it hears. With its state on top, each state
asks for a few actions of others. Below them, everything it might ask for has to be remembered at once: one of
seven agents that hears four others had a relation of 35,336 nodes at the bottom, and of 850 on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import prod
from typing import TypeAlias

from knower.functions.circuit import Literal
from knower.symbolic.encode import Encoding
from knower.symbolic.layout import Key

#: How many actions of the second agent the first one hears.
Hearing: TypeAlias = Mapping[tuple[str, str], int]

#: An agent and an action of it.
Taken: TypeAlias = tuple[str, str]

#: With fewer agents there is nothing to choose; with more, a look at all places of all of them takes long.
_LEAST, _MOST = 3, 30
#: So few are improved from several beginnings, in 2 ms each.
_FEW = 8
#: How much better an order has to be than the declared one, whose neighbours often belong together.
_MUCH = 4
#: How often all agents are looked at; seven of them were in place after two.
_ROUNDS = 10


def by_hearing(encoding: Encoding, agents: Sequence[str]) -> list[str]:
    """Some agents from the top down; as they are given unless another order is much better."""
    if not _LEAST <= len(agents) <= _MOST:
        return list(agents)
    hearing = _hearing(encoding, frozenset(agents))
    begun = [_improved(order, hearing) for order in _beginnings(agents, hearing)]
    found = min(begun, key=lambda order: _measure(order, hearing))
    return found if _MUCH * _remembered(found, hearing) <= _remembered(agents, hearing) else list(agents)


def alike(encoding: Encoding) -> list[frozenset[Key]]:
    """The variables of each agent that hear the same actions of others."""
    found: dict[tuple[str, frozenset[Taken]], set[Key]] = {}
    for (agent, name), actions in _heard(encoding).items():
        others = frozenset(each for each in actions if each[0] != agent)
        if others:
            found.setdefault((agent, others), set()).add((agent, name))
    return [frozenset(keys) for keys in found.values()]


def together(keys: Sequence[Key], tied: Iterable[frozenset[Key]]) -> list[Key]:
    """Variables in the order given, but each with those it is tied to where the first of them stands."""
    place = {key: k for k, key in enumerate(keys)}
    mine = [tie for tie in tied if tie <= place.keys()]
    first = {key: min(place[other] for other in tie) for tie in mine for key in tie}
    return sorted(keys, key=lambda key: first.get(key, place[key]))


def _hearing(encoding: Encoding, agents: frozenset[str]) -> Hearing:
    found: dict[tuple[str, str], set[str]] = {}
    for (agent, _), actions in _heard(encoding).items():
        for name, action in actions:
            if {agent, name} <= agents and agent != name:
                found.setdefault((agent, name), set()).add(action)
    return {pair: len(actions) for pair, actions in found.items()}


def _heard(encoding: Encoding) -> dict[Key, set[Taken]]:
    """The actions that decide what becomes of each variable."""
    action_of, support = encoding.conditions.action_of_input, encoding.circuits.support

    @cache
    def spoken_of(literal: Literal) -> frozenset[Taken]:
        return frozenset(action_of[number] for number in support(literal) if number in action_of)

    found: dict[Key, set[Taken]] = {}
    for block in (block for agent in encoding.agents for block in agent.blocks):
        for line, products in zip(block.lines, block.cases.products, strict=True):
            actions = {each for product in products for literal in product for each in spoken_of(literal)}
            for key in line.values:
                found.setdefault(key, set()).update(actions)
    return found


def _beginnings(agents: Sequence[str], hearing: Hearing) -> list[list[str]]:
    """One order, and of few agents the same with each of them on top."""
    found = _from_below(agents, hearing)
    return [found, *([top, *(own for own in found if own != top)] for top in agents if len(agents) <= _FEW)]


def _from_below(agents: Sequence[str], hearing: Hearing) -> list[str]:
    """The lowest is who has to remember least of all others, then likewise of those that are left."""
    left, found = list(agents), list[str]()
    while left:
        lowest = min(reversed(left), key=lambda own: _asked(own, left, hearing))
        left.remove(lowest)
        found.insert(0, lowest)
    return found


def _improved(agents: list[str], hearing: Hearing) -> list[str]:
    """Each agent moved where it is best, as long as that helps."""
    for _ in range(_ROUNDS):
        before = agents
        for agent in before:
            others = [other for other in agents if other != agent]
            places = [[*others[:k], agent, *others[k:]] for k in range(len(agents))]
            agents = min([agents, *places], key=lambda order: _measure(order, hearing))
        if agents == before:
            break
    return agents


def _measure(agents: Sequence[str], hearing: Hearing) -> tuple[int, int]:
    """What has to be remembered in all; then how far those are apart that hear each other."""
    place = {agent: k for k, agent in enumerate(agents)}
    apart = sum(count * abs(place[own] - place[other]) for (own, other), count in hearing.items())
    return _remembered(agents, hearing), apart


def _remembered(agents: Sequence[str], hearing: Hearing) -> int:
    return sum(_asked(agent, agents[:k], hearing) for k, agent in enumerate(agents))


def _asked(own: str, above: Sequence[str], hearing: Hearing) -> int:
    """The combinations of actions heard of the agents above, none of them among what is heard."""
    return prod(1 + hearing.get((own, other), 0) for other in above)
