"""Diagrams as bytes: what arrives in another space is what was sent."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knower.functions.registry import available, new_space
from knower.functions.table import TableSpace
from knower.functions.transport import packed, packed_as_nodes, unpacked
from strategies import cases

SIZE = 5
ALL = range(SIZE)
SPACES = ("table", *available())

tables = st.integers(0, 2 ** (2**SIZE) - 1)
orders = st.permutations(list(ALL))


def space_of(name, order):
    groups = [[variable] for variable in order]
    return TableSpace(groups) if name == "table" else new_space(name, groups, 1 << 16)


def function(space, table):
    """The function whose values are the bits of a number."""
    found = space.false
    for place, values in enumerate(product([False, True], repeat=SIZE)):
        if table >> place & 1:
            cube = space.true
            for variable, value in zip(ALL, values, strict=True):
                cube = cube & (space.var(variable) if value else ~space.var(variable))
            found = found | cube
    return found


@pytest.mark.parametrize("name", SPACES)
def test_functions_arrive_in_a_space_of_the_same_order(name):
    @cases(15)
    @given(st.lists(tables, min_size=1, max_size=3), orders)
    def arrive(chosen, order):
        here, there = space_of(name, order), space_of(name, order)
        data = packed(here, [function(here, table) for table in chosen])
        assert unpacked(there, data) == [function(there, table) for table in chosen]

    arrive()


@pytest.mark.parametrize("name", SPACES)
@pytest.mark.parametrize("other", SPACES)
def test_lists_of_nodes_are_read_by_every_library_in_every_order(name, other):
    @cases(10)
    @given(st.lists(tables, min_size=1, max_size=3), orders, orders)
    def arrive(chosen, order, another):
        here, there = space_of(name, order), space_of(other, another)
        data = packed_as_nodes(here, [function(here, table) for table in chosen])
        assert unpacked(there, data) == [function(there, table) for table in chosen]

    arrive()


@pytest.mark.parametrize("name", SPACES)
def test_constants_arrive(name):
    here, there = space_of(name, ALL), space_of(name, ALL)
    assert unpacked(there, packed(here, [here.true, here.false])) == [there.true, there.false]


@pytest.mark.skipif("oxidd" not in available(), reason="oxidd is not installed")
def test_another_order_is_refused_before_the_library_gives_up():
    here, there = space_of("oxidd", ALL), space_of("oxidd", reversed(ALL))
    with pytest.raises(ValueError, match="another order"):
        unpacked(there, packed(here, [here.var(0) & here.var(1)]))


@pytest.mark.parametrize("name", SPACES)
def test_what_functions_share_is_sent_once(name):
    here = space_of(name, ALL)
    large = function(here, 0x0123_4567)
    assert len(packed_as_nodes(here, [large] * 10)) < 2 * len(packed_as_nodes(here, [large]))
