"""The order in which moves are chained."""

from __future__ import annotations

import pytest
from systems import LIBRARIES, space_for, system_of

from knower.families import generate
from knower.limits import Budget
from knower.symbolic.chaining import in_turn
from knower.symbolic.encode import Encoding
from knower.symbolic.exploration import Exploration
from knower.symbolic.system import TransitionSystem
from knower.symbolic.transition_parts import TransitionParts


def prisoners(library: str, number: int) -> TransitionSystem:
    encoding = Encoding(system_of(generate("prisoners", n=number)))
    return TransitionSystem(TransitionParts(encoding, space_for(encoding, library, "replicas")))


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_sweep_visits_everybody(library):
    """A visit is a call and a question. A sweep of all calls before all questions would be one visit."""
    exploration = Exploration(prisoners(library, 12), Budget())
    while not exploration.complete:
        exploration.advance()
    assert exploration.strategy == "chained"
    assert exploration.depth <= 15  # the counter counts once in a sweep


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_move_is_lost(library):
    system = prisoners(library, 4)
    moves = list(system.relation.partitions)
    again = in_turn(system.space, moves[::-1])
    assert len(again) == len(moves) > 2 and set(again) == set(moves)
