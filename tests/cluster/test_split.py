"""Splitting: parts that meet nowhere, together are all, and are of like size."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from operator import or_

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Asker
from knower.cluster.split import inside, split
from knower.families import generate
from knower.functions.registry import available
from knower.limits import Budget
from knower.source import Source
from knower.syntax.ispl import parse_ispl
from knower.system.elaborate import elaborate
from strategies import cases

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")


@pytest.fixture(scope="module")
def model():
    """Three trains: a model of some hundred states."""
    source = Source("trains.ispl", generate("train-gate", n=3, type=3))
    return Asker("bdd", elaborate(parse_ispl(source), source), Budget()).model


def some(model, numbers):
    """A set of reachable states: those on which a few bits have these values."""
    window = [(model.layout.now[place % len(model.layout.now)], value) for place, value in numbers]
    return model.reachable & ~inside(model.space, tuple(dict(window).items()))


@cases(25)
@given(st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=4), st.integers(1, 9))
def test_parts_are_a_partition(model, numbers, wanted):
    states = some(model, numbers)
    if states == model.space.false:
        return
    parts = split(model.system, states, wanted)
    assert 1 <= len(parts) <= wanted
    assert reduce(or_, (part.states for part in parts)) == states
    for one, other in combinations(parts, 2):
        assert inside(model.space, one.window) & inside(model.space, other.window) == model.space.false
    for part in parts:
        assert part.states == states & inside(model.space, part.window)
        assert part.count == model.system.count(part.states) > 0


def test_windows_are_everything(model):
    windows = [inside(model.space, part.window) for part in split(model.system, model.reachable, 5)]
    assert reduce(or_, windows) == model.space.true


@pytest.mark.parametrize("wanted", [2, 3, 4, 8])
def test_parts_are_balanced(model, wanted):
    parts = split(model.system, model.reachable, wanted)
    assert len(parts) == wanted
    assert max(part.count for part in parts) <= 3 * model.states / wanted
    largest = max(model.space.size(part.states) for part in parts)
    assert wanted > 4 or largest < model.space.size(model.reachable)


def test_one_state_is_not_split(model):
    assert len(split(model.system, model.system.one(model.reachable), 4)) == 1
