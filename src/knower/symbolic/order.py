"""Variable orders by name: which bits stand near which.

The first four are those of Lomuscio, Qu and Raimondi (2015, section 4.1.1). `replicas` is ours: models
consist of replicas (child 1, child 2, …) and of what they share; what is shared goes to the top, and
everything about one replica stays together. `force` lets variables that decide each other attract each
other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import TypeAlias

from knower.functions.protocol import Order, Variable
from knower.symbolic.encode import Encoding
from knower.symbolic.hearing import alike, by_hearing, together
from knower.symbolic.layout import Key, Layout
from knower.symbolic.replicas import Replicas, number_in

#: How often `force` moves the variables, and how often in vain.
_MOVES, _PATIENCE = 60, 8

#: A state bit or an agent's action bits, as they stand together.
Group: TypeAlias = tuple[Variable, ...]


def arranged(name: str, encoding: Encoding) -> Order:
    """The variables in the order of that name, grouped as they should stay."""
    return ORDERS[name](encoding)


def _pairs(layout: Layout, key: Key) -> list[Group]:
    field = layout.fields[key]
    return list(zip(field.now, field.after, strict=True))


def _of(layout: Layout, agent: str) -> list[Key]:
    return [variable.key for variable in layout.system.agent_named[agent].variables]


def _actions(layout: Layout, agent: str) -> list[Group]:
    return [(bit,) for bit in layout.action_bits[agent]]


def interleaved(encoding: Encoding) -> Order:
    """Now and next in turn, all actions at the end."""
    layout = encoding.layout
    states = [pair for key in layout.fields for pair in _pairs(layout, key)]
    return states + [(bit,) for bit in layout.actions]


def interleaved_actions(encoding: Encoding) -> Order:
    """Now and next in turn, each agent's actions after its variables: the peer's default."""
    layout = encoding.layout
    return [
        group
        for agent in layout.system.agents
        for group in [*_states(layout, agent.name), *_actions(layout, agent.name)]
    ]


def _states(layout: Layout, agent: str) -> list[Group]:
    return [pair for key in _of(layout, agent) for pair in _pairs(layout, key)]


def grouped_actions(encoding: Encoding) -> Order:
    """Agent by agent: all variables now, the actions, all variables next."""
    return _blocks(encoding, lambda now, actions, after: (*now, *actions, *after))


def grouped(encoding: Encoding) -> Order:
    """Agent by agent: all variables now, all next, the actions."""
    return _blocks(encoding, lambda now, actions, after: (*now, *after, *actions))


def _blocks(encoding: Encoding, join: Callable[[Group, Group, Group], Group]) -> Order:
    layout = encoding.layout
    blocks: list[Group] = []
    for agent in layout.system.agents:
        fields = [layout.fields[key] for key in _of(layout, agent.name)]
        now = tuple(bit for field in fields for bit in field.now)
        after = tuple(bit for field in fields for bit in field.after)
        blocks.append(join(now, layout.action_bits[agent.name], after))
    return [block for block in blocks if block]


# -- ours -------------------------------------------------------------------------------------------


def replicas(encoding: Encoding) -> Order:
    """What is shared on top, then replica by replica."""
    places = sorted(_numbered(encoding), key=lambda item: (item[0] is not None, item[0] or 0))
    return [group for _, group in places]


def _numbered(encoding: Encoding) -> list[tuple[int | None, Group]]:
    """Each group of bits with the number of the replica it belongs to; agents without by whom they hear."""
    layout = encoding.layout
    known = Replicas(layout.system)
    names = [agent.name for agent in layout.system.agents]
    shared = by_hearing(encoding, [name for name in names if name not in known.of_agent])
    tied = alike(encoding)
    found: list[tuple[int | None, Group]] = []
    for name in [*shared, *(name for name in names if name in known.of_agent)]:
        own = known.of_agent.get(name)
        found += [(own, group) for group in _actions(layout, name)]
        for key in together(_of(layout, name), tied):
            field, pairs = layout.fields[key], _pairs(layout, key)
            if field.selects:
                values = [number_in(str(value)) for value in field.domain.values]
                found += list(zip(values, pairs, strict=True))
            else:
                found += [(known.of_variable(key), pair) for pair in pairs]
    return found


def force(encoding: Encoding) -> Order:
    """Variables that decide each other side by side (FORCE: centres of gravity, again and again)."""
    layout = encoding.layout
    keys = _attracted(list(layout.fields), _ties(encoding))
    found: list[Group] = []
    for agent in dict.fromkeys(key[0] for key in keys):
        found += _actions(layout, agent)
    placed = {bit for group in found for bit in group}
    found += [(bit,) for bit in layout.actions if bit not in placed]
    return found + [pair for key in keys for pair in _pairs(layout, key)]


def _ties(encoding: Encoding) -> list[frozenset[Key]]:
    """For each protocol, and each line and variable it assigns, the variables that decide it (and itself).

    And the variables of an agent that hear the same actions of others, for they change together.
    Line by line: a counter that each of many lines may raise ties together what each line compares, not all
    that any of them does.
    """
    read = _Reading(encoding)
    ties: dict[int, None] = {}
    for agent in encoding.agents:
        ties[read.by(agent.enabled.values())] = None
        for block in agent.blocks:
            for line, products in zip(block.lines, block.cases.products, strict=True):
                tested = read.by(literal for product in products for literal in product)
                for target, value in line.values.items():
                    ties[tested | read.by(value.code) | read.mask[target]] = None
    return [tie for tie in [*map(read.keys, ties), *alike(encoding)] if len(tie) > 1]


class _Reading:
    """The variables that circuits read, as sets of bits; most circuits are met in many lines."""

    def __init__(self, encoding: Encoding) -> None:
        fields = encoding.layout.fields
        self.mask = {key: 1 << place for place, key in enumerate(fields)}
        self._support = encoding.circuits.support
        self._owner = {bit: self.mask[key] for key, field in fields.items() for bit in field.now}
        self._known: dict[int, int] = {}

    def by(self, literals: Iterable[int]) -> int:
        """What some of the literals read."""
        known, found = self._known, 0
        for literal in literals:
            if literal not in known:
                inputs = self._support(literal)
                known[literal] = reduce(or_, (self._owner.get(bit, 0) for bit in inputs), 0)
            found |= known[literal]
        return found

    def keys(self, found: int) -> frozenset[Key]:
        return frozenset(key for key, mask in self.mask.items() if mask & found)


def _attracted(keys: list[Key], ties: Sequence[frozenset[Key]]) -> list[Key]:
    place = {key: float(k) for k, key in enumerate(keys)}
    held: dict[Key, list[int]] = {key: [] for key in keys}
    for number, tie in enumerate(ties):
        for key in tie:
            held[key].append(number)
    best, shortest, vain = keys, _length(place, ties), 0
    for _ in range(_MOVES):
        centres = [sum(place[key] for key in tie) / len(tie) for tie in ties]
        pull = {k: sum(centres[t] for t in held[k]) / len(held[k]) if held[k] else place[k] for k in keys}
        keys = sorted(keys, key=lambda key: (pull[key], place[key]))
        place = {key: float(k) for k, key in enumerate(keys)}
        length = _length(place, ties)
        best, shortest, vain = (keys, length, 0) if length < shortest else (best, shortest, vain + 1)
        if vain > _PATIENCE:
            break
    return best


def _length(place: dict[Key, float], ties: Sequence[frozenset[Key]]) -> float:
    return sum(max(place[key] for key in tie) - min(place[key] for key in tie) for tie in ties)


ORDERS: dict[str, Callable[[Encoding], Order]] = {
    "interleaved": interleaved,
    "interleaved-actions": interleaved_actions,
    "grouped-actions": grouped_actions,
    "grouped": grouped,
    "replicas": replicas,
    "force": force,
}
