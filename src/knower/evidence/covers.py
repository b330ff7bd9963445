"""Which of some lost plays are needed to leave no strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knower.evidence.ways import Clock
from knower.functions.covers import covering
from knower.functions.solvers import is_installed
from knower.verdict.evidence import State
from knower.verdict.lost_path import Choice


def needed(
    plays: Sequence[frozenset[Choice]],
    menu: Mapping[tuple[str, State], Sequence[str]],
    efforts: Sequence[tuple[int, ...]],
    clock: Clock,
) -> list[int]:
    """The places of plays that suffice: none of them can be left out, and those of more effort go first.

    All of them without a solver. `menu`: what there is to choose from.
    """
    if not is_installed():
        return list(range(len(plays)))
    numbers: dict[Choice, int] = {}
    for (name, seen), actions in menu.items():
        for action in actions:
            numbers[name, seen, action] = len(numbers) + 1
    groups = [[numbers[name, seen, action] for action in actions] for (name, seen), actions in menu.items()]
    refuted = [[numbers[choice] for choice in choices] for choices in plays]
    left = sorted(range(len(plays)), key=lambda place: efforts[place])
    kept: list[int] = []
    with covering(groups, refuted, clock.check) as cover:
        while left:
            clock.check()
            tried = left.pop()
            core = cover.core((*kept, *left))
            if core is None:
                kept.append(tried)
            else:
                left = [place for place in left if place in {*core}]
    return sorted(kept)
