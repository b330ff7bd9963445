"""What of a model ever happens: lines that fire and actions that are done, in the states that were met."""

from __future__ import annotations

from knower.records import dataclass
from knower.simulation.lines import fired_lines
from knower.simulation.neighbourhood import Neighbourhood
from knower.system.explicit import Explicit


@dataclass(frozen=True)
class Coverage:
    """Of each agent, by its place: the lines of Protocol and Evolution that fired, and what it did."""

    protocol: tuple[frozenset[int], ...]
    evolution: tuple[frozenset[int], ...]
    actions: tuple[frozenset[str], ...]


def coverage(explicit: Explicit, found: Neighbourhood) -> Coverage:
    """What fires in the steps that were met. Only of a complete neighbourhood is the rest never."""
    count = len(explicit.system.agents)
    protocol: list[set[int]] = [set() for _ in range(count)]
    evolution: list[set[int]] = [set() for _ in range(count)]
    actions: list[set[str]] = [set() for _ in range(count)]
    for (source, target), joints in found.steps.items():
        for joint in joints:
            lines = fired_lines(explicit, found.states[source], joint, found.states[target])
            for place, (fired, action) in enumerate(zip(lines, joint, strict=True)):
                protocol[place].update(fired.protocol)
                evolution[place].update(fired.evolution)
                actions[place].update(() if action is None else (action,))
    return Coverage(
        tuple(map(frozenset, protocol)), tuple(map(frozenset, evolution)), tuple(map(frozenset, actions))
    )
