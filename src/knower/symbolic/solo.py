"""Moves of one agent at a time: it takes an action, what listens to that action moves, all else stays.

They are some of the steps of a system, never others. Taken level by level, each level closed under the ones
below it before it is taken again, they lead to sets of states that know nothing of how many steps it took:
breadth first, an attacker who may tell each of four agents each of five keys needs a diagram that counts who
has been told (220,000 nodes after 16 steps, and growing); level by level it has at most 7,000.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Generic, TypeAlias

from knower.functions.protocol import F
from knower.symbolic.encode import Encoding, LineCode
from knower.symbolic.layout import Key
from knower.symbolic.partition import Partition
from knower.symbolic.relation import RelationFactory

#: An agent and an action of it.
_Taken: TypeAlias = tuple[str, str]


class Outgrown(Exception):
    """The states found level by level need a larger diagram than was allowed."""


class SoloMoves(Generic[F]):
    """The moves by level: what few move above what many do, such as the line that all talk over."""

    def __init__(self, relations: RelationFactory[F]) -> None:
        self._space = relations.space
        place = {variable: k for k, variable in enumerate(self._space.order())}
        moves = _moves(relations)
        shared = Counter(bit for move in moves for bit in move.spec.moved)
        levels: dict[tuple[int, int], list[Partition[F]]] = {}
        for move in moves:
            own = min(move.spec.moved, key=lambda bit: (shared[bit], place[bit]))
            levels.setdefault((-shared[own], -place[own]), []).append(move)
        self.levels = [levels[level] for level in sorted(levels)]

    def reached_from(self, states: F, post: Callable[[Partition[F], F], F], most_nodes: int) -> F:
        """All states that the moves lead to; raises `Outgrown` above so many nodes."""
        level, stable = 0, list[F | None]([None] * len(self.levels))
        while level < len(self.levels):
            if states == stable[level]:
                level += 1
                continue
            found = states
            for move in self.levels[level]:
                found = found | post(move, found)
            if found == states:
                stable[level] = states
                level += 1
                continue
            if self._space.size(found) > most_nodes:
                raise Outgrown
            states, level = found, 0
        return states


def _moves(relations: RelationFactory[F]) -> list[Partition[F]]:
    """One for the actions of an agent that the same variables listen to."""
    steps, space = relations.steps, relations.space
    frozen = {change.targets: relations.kept(change, change.targets) for change in steps.changes}
    found: list[Partition[F]] = []
    for heard, actions in _by_listeners(steps.encoding).items():
        moving = [change for change in steps.changes if heard[1].intersection(change.targets)]
        still = [frozen[change.targets] for change in steps.changes if change not in moving]
        takes = reduce(or_, (steps.taken(*action) for action in actions))
        move = relations.part([takes, *still], moving)
        if move.spec.moved and space.false not in move.clusters:
            found.append(move)
    return found


def _by_listeners(encoding: Encoding) -> dict[tuple[str, frozenset[Key]], list[_Taken]]:
    """Actions by their agent and the variables that listen to them."""
    listeners: dict[_Taken, set[Key]] = {}
    for agent in encoding.agents:
        for block in agent.blocks:
            for line in block.lines:
                for action in _heard(encoding, line):
                    listeners.setdefault(action, set()).update(line.values)
    found: dict[tuple[str, frozenset[Key]], list[_Taken]] = {}
    for action, keys in listeners.items():
        found.setdefault((action[0], frozenset(keys)), []).append(action)
    return found


def _heard(encoding: Encoding, line: LineCode) -> Iterable[_Taken]:
    """The actions that a line of Evolution speaks of."""
    literals = [line.guard, *(bit for value in line.values.values() for bit in value.code)]
    inputs = sorted({n for literal in literals for n in encoding.circuits.support(literal)})
    action_of = encoding.conditions.action_of_input
    return [action_of[number] for number in inputs if number in action_of]
