"""Whether some strategy avoids all of some lost plays: the judge's own question to a SAT solver.

Each observation has at least one of its enabled actions; no play has all of its choices. ("At most one" is
not needed: all other clauses are negative.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import reduce
from importlib.util import find_spec
from typing import TypeAlias

from knower.limits import Budget
from knower.verdict.evidence import State

#: A member, what it sees, and what it does.
Choice: TypeAlias = tuple[str, State, str | None]
Choices: TypeAlias = frozenset[Choice]
#: What a member can do on seeing something.
Menu: TypeAlias = dict[tuple[str, State], Sequence[str | None]]
Clause: TypeAlias = frozenset[int]


def open_choices(plays: Iterable[Choices], menu: Menu, budget: Budget) -> set[Choice] | None:
    """Choices, enough for all observations of the plays, that avoid them all; None if there are none."""
    plays = list(plays)
    numbers: dict[Choice, int] = {}
    for (name, seen), actions in menu.items():
        for action in actions:
            numbers[name, seen, action] = len(numbers) + 1
    clauses = [[numbers[*sight, action] for action in actions] for sight, actions in menu.items()]
    clauses += [[-numbers[choice] for choice in choices] for choices in plays]
    chosen = satisfying(clauses, budget)
    return None if chosen is None else {choice for choice, number in numbers.items() if number in chosen}


def satisfying(clauses: Sequence[Sequence[int]], budget: Budget) -> set[int] | None:
    """Literals that satisfy all clauses, none with a literal and its negation; None if there are none."""
    return _solved(clauses) if find_spec("pysat") is not None else searched(clauses, budget)


def _solved(clauses: Sequence[Sequence[int]]) -> set[int] | None:
    from pysat.solvers import Solver  # type: ignore[import-untyped]

    if any(not clause for clause in clauses):
        return None
    with Solver("cadical153", bootstrap_with=clauses) as solver:
        return set(solver.get_model()) if solver.solve() else None


def searched(clauses: Sequence[Sequence[int]], budget: Budget) -> set[int] | None:
    """The same by splitting on a literal of a shortest clause (Davis, Putnam, Logemann, Loveland)."""
    todo: list[tuple[set[int], list[Clause]]] = [(set(), [frozenset(clause) for clause in clauses])]
    while todo:
        budget.tick()
        chosen, left = todo.pop()
        if not left:
            return chosen
        shortest = min(left, key=len)
        taken: set[int] = set()
        for literal in sorted(shortest):
            literals = [*(-each for each in taken), literal]
            todo.append(({*chosen, *literals}, reduce(_assumed, literals, left)))
            taken.add(literal)
    return None


def _assumed(clauses: Collection[Clause], literal: int) -> list[Clause]:
    return [clause - {-literal} for clause in clauses if literal not in clause]
