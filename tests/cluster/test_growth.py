"""Exploring in windows, without any cluster: rounds end with all reachable states, and repeat nothing."""

from __future__ import annotations

import pytest
from clusters import system_of
from hypothesis import assume, given
from hypothesis import strategies as st

from engines import Asker
from knower.cluster.growth import Excursion, SharedGrowth
from knower.cluster.split import inside, split
from knower.errors import NoInitialState
from knower.families import generate
from knower.functions.registry import available
from knower.limits import Budget
from knower.source import Source
from knower.symbolic.exploration import Exploration
from knower.system.elaborate import elaborate
from strategies import cases, modules

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")


def alone(model):
    """Who has explored nothing yet."""
    return SharedGrowth(Exploration(model.system, Budget()))


def excursion(model, growth, part, layers):
    """Its window, what was found and what was left."""
    window = inside(model.space, part.window)
    trip = Excursion(model, part.states, window, growth.reached)
    while not trip.is_over and trip.layers < layers:
        trip.step()
    return window, trip.found, trip.left


def shared(model, parts, layers):
    """All states as found by rounds of excursions of so many layers; and the number of rounds."""
    growth = alone(model)
    while not growth.complete:
        round_ = split(model.system, growth.frontier, parts)
        growth.hear([excursion(model, growth, part, layers) for part in round_])
    return growth.reached, growth.depth


@pytest.fixture(scope="module")
def trains():
    return Asker("bdd", system_of(generate("train-gate", n=3)).interpreted, Budget()).model


@cases(40)
@given(modules(max_states=40), st.integers(1, 4), st.integers(1, 5))
def test_rounds_end_with_all_reachable_states(module, parts, layers):
    try:
        model = Asker("bdd", elaborate(module, Source("<random>", "")), Budget(seconds=10)).model
    except NoInitialState:
        assume(False)
    assert shared(model, parts, layers)[0] == model.reachable


@pytest.mark.parametrize("name", ["prisoners", "train-gate"])
@pytest.mark.parametrize("layers", [1, 3, 1000])
def test_relations_of_one_move_and_of_several(name, layers):
    model = Asker("bdd", system_of(generate(name, n=4)).interpreted, Budget()).model
    assert shared(model, 3, layers)[0] == model.reachable


def test_a_part_that_nobody_came_back_from_stays_in_the_frontier(trains):
    growth = alone(trains)
    growth.advance()
    first, *others = split(trains.system, growth.frontier, 3)
    growth.hear([excursion(trains, growth, first, 1)])
    for lost in others:
        assert lost.states & ~growth.frontier == trains.space.false
    assert first.states & growth.frontier == trains.space.false


def test_an_excursion_that_was_stopped_before_it_began_changes_nothing(trains):
    growth = alone(trains)
    growth.advance()
    before = growth.reached, growth.frontier
    growth.hear([excursion(trains, growth, part, 0) for part in split(trains.system, growth.frontier, 3)])
    assert (growth.reached, growth.frontier) == before


def test_who_hears_the_same_knows_the_same(trains):
    """News of whom was alone for a while, and of rounds."""
    teller, hearer = alone(trains), alone(trains)
    assert teller.news() is None
    for layers in (1, 3):
        teller.advance()
        found, left = teller.news()
        hearer.hear([(trains.space.true, found, left)])
        round_ = [
            excursion(trains, teller, part, layers) for part in split(trains.system, teller.frontier, 2)
        ]
        for growth in (teller, hearer):
            growth.hear(round_)
        assert teller.news() is None
        assert (hearer.reached, hearer.frontier) == (teller.reached, teller.frontier)
