"""Questions about single states: what holds there, and what some agents take for possible there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from knower.desk.shelf import Shelf
from knower.engine.protocol import Explored
from knower.engine.registry import explored
from knower.errors import Undecided
from knower.execution import Task
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.language import Language, Specification
from knower.options import Reading
from knower.query.query import Query, query
from knower.reasons import Refused
from knower.system.expressions import State
from knower.system.system import InterpretedSystem
from knower.verdict.moves import Possible

_UNFAIR = Refused("no fair path leads on from this state, and formulas are read at fair states")


def held_at(
    system: InterpretedSystem,
    formulas: Sequence[Specification],
    state: State,
    reading: Reading,
    shelf: Shelf,
    budget: Budget,
) -> tuple[bool, ...]:
    """For each specification, whether it holds at a reachable state; raises `Undecided` at unfair ones."""
    held = []
    for spec in formulas:
        fair = query(Specification(f.TRUE, spec.language), reading, system)
        asked = query(spec, reading, system)
        with _engine_for(asked, system, reading, shelf, budget) as engine:
            if not engine.holds_at(fair, state):
                raise Undecided(_UNFAIR)
            held.append(engine.holds_at(asked, state))
    return tuple(held)


def held_along(
    system: InterpretedSystem,
    formulas: Sequence[Specification],
    states: Sequence[State],
    reading: Reading,
    shelf: Shelf,
    budget: Budget,
) -> tuple[tuple[bool | None, ...], ...]:
    """For each specification, whether it holds at each of some states; None where no fair path leads on.

    A state that comes several times is asked about once.
    """
    held = []
    for spec in formulas:
        fair = query(Specification(f.TRUE, spec.language), reading, system)
        asked = query(spec, reading, system)
        with _engine_for(asked, system, reading, shelf, budget) as engine:
            known: dict[State, bool | None] = {}
            for state in states:
                if state not in known:
                    budget.tick()
                    known[state] = engine.holds_at(asked, state) if engine.holds_at(fair, state) else None
            held.append(tuple(known[state] for state in states))
    return tuple(held)


def considered(
    system: InterpretedSystem,
    members: tuple[str, ...],
    state: State,
    count: int,
    reading: Reading,
    shelf: Shelf,
    budget: Budget,
) -> Possible:
    """The reachable (fair) states that none of the members can tell from a state: so many of them."""
    everywhere = query(Specification(f.TRUE, Language.PLAIN), reading, system)
    with _engine_for(everywhere, system, reading, shelf, budget) as engine:
        alike = engine.where(everywhere).indistinguishable(state, members)
        count_of_all = alike.__len__()  # `len` refuses numbers that states reach
        return Possible(count_of_all, tuple(alike.sample(count)))


@contextmanager
def _engine_for(
    asked: Query, system: InterpretedSystem, reading: Reading, shelf: Shelf, budget: Budget
) -> Iterator[Explored]:
    """An engine that knows the states, as a check would choose it."""
    task = Task("", system, (asked,), reading)
    ((pick, _),) = task.plan
    budget.phase = "exploring states"
    with shelf.engine(pick, task, budget) as engine:
        found = explored(engine, pick)
        assert found is not None, "the engines that offer themselves know all states"
        yield found
