"""What agents know (docs/logics.md), over the states `S` of a model."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from knower.reference.space import StateSpace

States = frozenset[int]


class Confusion:
    """Who cannot tell which states of `S` apart."""

    def __init__(self, space: StateSpace, universe: States) -> None:
        self.space = space
        self.universe = universe
        self._classes: dict[tuple[str, ...], dict[int, States]] = {}

    def classes(self, members: tuple[str, ...]) -> dict[int, States]:
        """For each state of `S` those that *all* members confuse with it (itself among them)."""
        if members not in self._classes:
            by_view: dict[Hashable, set[int]] = {}
            for number in self.universe:
                state = self.space.states[number]
                view = tuple(self.space.explicit.sees(name, state) for name in members)
                by_view.setdefault(view, set()).add(number)
            frozen = [frozenset(alike) for alike in by_view.values()]
            self._classes[members] = {number: alike for alike in frozen for number in alike}
        return self._classes[members]

    def somebody(self, members: Iterable[str], number: int) -> States:
        """A state and those that some member confuses with it."""
        return frozenset([number]).union(*(self.classes((name,))[number] for name in members))

    def knows(self, agent: str, fact: States) -> States:
        """`K`: `fact` holds in every state the agent confuses with this one."""
        return self.distributed((agent,), fact)

    def distributed(self, members: tuple[str, ...], fact: States) -> States:
        """`DK`: in every state that all members confuse with this one."""
        classes = self.classes(members)
        return frozenset(number for number in self.universe if classes[number] <= fact)

    def everybody(self, members: Sequence[str], fact: States) -> States:
        """`GK`: each member knows."""
        return frozenset.intersection(*(self.knows(agent, fact) for agent in members))

    def common(self, members: Sequence[str], fact: States) -> States:
        """`GCK`: `fact` holds wherever chains of confusion lead."""
        return self.universe - self.reached(members, self.universe - fact)

    def reached(self, members: Iterable[str], start: States) -> States:
        """The states connected with `start` by the transitive closure of the members' confusion."""
        relations = [self.classes((agent,)) for agent in members]
        found, todo = set(start), list(start)
        while todo:
            number = todo.pop()
            for relation in relations:
                fresh = relation[number] - found
                found |= fresh
                todo += fresh
        return frozenset(found)
