"""Which of some lost plays are needed to leave no strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from knower.evidence.ways import Clock
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
    if find_spec("pysat") is None:
        return list(range(len(plays)))
    from pysat.solvers import Solver  # type: ignore[import-untyped]

    numbers: dict[Choice, int] = {}
    for (name, seen), actions in menu.items():
        for action in actions:
            numbers[name, seen, action] = len(numbers) + 1
    top = len(numbers) + 1
    with Solver("minisat22") as solver:
        for (name, seen), actions in menu.items():
            solver.add_clause([numbers[name, seen, action] for action in actions])
        for place, choices in enumerate(plays):
            solver.add_clause([-(top + place), *(-numbers[choice] for choice in choices)])
        left = sorted(range(len(plays)), key=lambda place: efforts[place])
        kept: list[int] = []
        while left:
            clock.check()
            tried = left.pop()
            if solver.solve(assumptions=[top + place for place in (*kept, *left)]):
                kept.append(tried)
            else:
                core = {literal - top for literal in solver.get_core() or ()}
                left = [place for place in left if place in core]
        return sorted(kept)
