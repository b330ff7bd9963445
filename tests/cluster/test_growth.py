"""Exploring in windows, without any cluster: rounds end with all reachable states, and repeat nothing."""

from __future__ import annotations

import pytest
from clusters import system_of
from hypothesis import assume, given
from hypothesis import strategies as st

from knower.checking.check import BddModel
from knower.cluster.growth import Excursion, SharedGrowth
from knower.cluster.split import inside, split
from knower.errors import NoInitialState
from knower.families import generate
from knower.functions.registry import available
from knower.limits import Budget
from knower.source import Source
from knower.system.elaborate import elaborate
from strategies import cases, modules

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")


def shared(model, parts, layers):
    """All states as found by rounds of excursions of so many layers; and the largest number of rounds."""
    growth, rounds = SharedGrowth(model), 0
    while not growth.is_complete:
        growth.news()
        frontier, known = growth.frontier, growth.reached
        for part in split(model, frontier, parts):
            trip = Excursion(model, part.states, inside(model.space, part.window), known)
            while not trip.is_over and trip.layers < layers:
                trip.step()
            growth.unite(part.states, trip.found, trip.left)
        growth.end_round()
        rounds += 1
    return growth.reached, rounds


@cases(40)
@given(modules(max_states=40), st.integers(1, 4), st.integers(1, 5))
def test_rounds_end_with_all_reachable_states(module, parts, layers):
    try:
        model = BddModel(elaborate(module, Source("<random>", "")), Budget(seconds=10)).model
    except NoInitialState:
        assume(False)
    assert shared(model, parts, layers)[0] == model.reachable


@pytest.mark.parametrize("name", ["prisoners", "train-gate"])
@pytest.mark.parametrize("layers", [1, 3, 1000])
def test_relations_of_one_move_and_of_several(name, layers):
    model = BddModel(system_of(generate(name, n=4)).interpreted, Budget()).model
    assert shared(model, 3, layers)[0] == model.reachable


def test_a_part_that_nobody_came_back_from_stays_in_the_frontier():
    model = BddModel(system_of(generate("train-gate", n=3)).interpreted, Budget()).model
    growth = SharedGrowth(model)
    growth.grow()
    growth.news()
    first, *others = split(model, growth.frontier, 3)
    trip = Excursion(model, first.states, inside(model.space, first.window), growth.reached)
    trip.step()
    growth.unite(first.states, trip.found, trip.left)
    for lost in others:
        assert lost.states & ~growth.frontier == model.space.false
    assert first.states & growth.frontier == model.space.false
