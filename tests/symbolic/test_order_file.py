"""Orders as text: written and read again, and what is said of a wrong one."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from systems import agent, model, systems

from knower.errors import InputError
from knower.functions.registry import available
from knower.options import ORDERS, Tuning
from knower.source import Source
from knower.symbolic.encode import Encoding
from knower.symbolic.order import arranged
from knower.symbolic.order_file import names_in, order_in
from knower.symbolic.order_search import OrderSearch
from knower.system.system import InterpretedSystem

#: Variables by their number: the Environment's bit 0 1; the bits of `x` 2 3 and 4 5, of `y` 6 7; actions of
#: One 8 9, of Two 10.
SMALL = model(
    agent("Environment", "shared : boolean;", "shared = true if One.Action = b;", actions=""),
    agent("One", "x : 0..3;", "x = x + 1 if Action = a;", actions="a, b, c"),
    agent("Two", "y : boolean;", "y = ~y if One.Action = Action;", actions="a, b"),
)
LAYOUT = Encoding(SMALL).layout
WHOLE = """\
-- what is shared

Two.y      -- by both
One.x[1]
One.Action
One.x[0]
Environment.shared
Two.Action
"""


def read(text: str) -> list[tuple[int, ...]]:
    return [tuple(group) for group in order_in(Source("my.order", text), LAYOUT)]


def wrong(text: str) -> list[tuple[int, int, str, str | None]]:
    with pytest.raises(InputError) as caught:
        read(text)
    found = caught.value.diagnostics
    assert {each.code for each in found} == {"E614"}
    return [(each.line, each.column, each.message, each.cure) for each in found]


def test_lines_are_variables_from_the_top_down():
    assert read(WHOLE) == [(6, 7), (4, 5), (8,), (9,), (2, 3), (0, 1), (10,)]


def test_bits_are_named_where_they_do_not_stand_together():
    order = list(chain.from_iterable(read(WHOLE)))
    expected = "Two.y One.x[1] One.Action One.x[0] Environment.shared Two.Action"
    assert names_in(order, LAYOUT) == tuple(expected.split())


def test_a_name_that_is_not_known_is_shown_with_one_that_is():
    assert wrong(WHOLE.replace("Two.y ", "  Two.z ")) == [
        (3, 3, "the model has no variable `Two.z`", "did you mean `Two.y`?")
    ]


def test_a_name_may_stand_once():
    assert wrong(WHOLE + "One.x\n") == [(9, 1, "`One.x` has a place already", "leave one of them out")]


def test_every_variable_has_a_place():
    assert wrong(WHOLE.replace("One.x[0]", "").replace("Two.Action", "")) == [
        (9, 1, "no place for One.x, Two.Action", "add a line for each")
    ]


@given(systems())
def test_what_is_written_is_read_again(system: InterpretedSystem):
    """Of every order, with now and next side by side."""
    encoding = Encoding(system)
    for name in ORDERS[1:]:
        names = names_in(chain.from_iterable(arranged(name, encoding)), encoding.layout)
        order = order_in(Source("it", "\n".join(names)), encoding.layout)
        assert sorted(chain.from_iterable(order)) == list(range(encoding.layout.variables))
        assert names_in(chain.from_iterable(order), encoding.layout) == names


@pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")
def test_the_order_of_a_file_is_the_one_that_is_taken():
    search = OrderSearch(Encoding(SMALL), Tuning(order_file=Source("my.order", WHOLE)))
    order = search.made(lambda parts, _: parts.space.order())
    assert order == list(chain.from_iterable(read(WHOLE)))
    assert search.attempt is not None and search.attempt.order == "file"
