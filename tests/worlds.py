"""Random small systems explored, for tests of the reference checkers."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from engines import Asker
from knower.errors import LimitReached, NoInitialState
from knower.limits import Budget
from knower.logic.formula import TRUE
from knower.logic.language import Specification
from knower.options import AtlReading, DeadlockPolicy, Reading
from knower.reference.evaluate import Evaluator
from knower.source import Source
from knower.system.elaborate import elaborate
from strategies import modules, specifications

States = frozenset[int]


def explored(module, on_deadlock: DeadlockPolicy = DeadlockPolicy.WARN) -> Asker:
    """The model of a module, or a discarded example where it has no initial state or is too large."""
    system = elaborate(module, Source("<random>", ""))
    try:
        return Asker("explicit", system, Budget(states=300), Reading(on_deadlock=on_deadlock))
    except (NoInitialState, LimitReached):
        assume(False)
        raise


def fair_worlds(model: Asker, atl: AtlReading = AtlReading.OBJECTIVE) -> Evaluator:
    """The states `S` of a model under its fairness constraints."""
    return model.evaluator(Specification(TRUE), atl)


@st.composite
def worlds(draw: st.DrawFn, *, max_states: int = 24) -> Evaluator:
    """The states of a random system that has some."""
    model = explored(draw(modules(max_states=max_states)))
    found = fair_worlds(model)
    assume(found.universe)
    return found


@st.composite
def questions(draw: st.DrawFn, logic: str, formulas: int = 4):
    """A random model, explored by the reference, and specifications of the logic.

    Several for each system: systems take longer to draw.
    """
    module = draw(modules(max_states=30))
    specs = [draw(specifications(module, logic, depth=3)) for _ in range(formulas)]
    policy = draw(st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP]))
    return explored(module, policy), specs


def state_sets(universe: States) -> st.SearchStrategy[States]:
    return st.frozensets(st.sampled_from(sorted(universe)))
