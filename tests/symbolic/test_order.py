"""Orders of variables: each has all of them, in the shape its name promises."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from systems import SELECTORS, agent, model, systems

from knower.options import ORDERS as NAMES
from knower.symbolic.encode import Encoding
from knower.symbolic.order import ORDERS, arranged
from strategies import cases

#: Orders in which a bit now and the same bit next stand side by side.
PAIRED = ("interleaved", "interleaved-actions", "replicas", "force")

#: Variables by their number: the Environment's bit 0 1; the bits of `x` 2 3 and 4 5, of `y` 6 7; actions of
#: One 8 9, of Two 10.
SMALL = model(
    agent("Environment", "shared : boolean;", "shared = true if One.Action = b;", actions=""),
    agent("One", "x : 0..3;", "x = x + 1 if Action = a;", actions="a, b, c"),
    agent("Two", "y : boolean;", "y = ~y if One.Action = Action;", actions="a, b"),
)
SHAPES = {
    "interleaved": [(0, 1), (2, 3), (4, 5), (6, 7), (8,), (9,), (10,)],
    "interleaved-actions": [(0, 1), (2, 3), (4, 5), (8,), (9,), (6, 7), (10,)],
    "grouped-actions": [(0, 1), (2, 4, 8, 9, 3, 5), (6, 10, 7)],
    "grouped": [(0, 1), (2, 4, 3, 5, 8, 9), (6, 7, 10)],
}


def flat(order) -> list[int]:
    return list(chain.from_iterable(order))


def test_every_order_can_be_asked_for_by_its_name():
    assert {*NAMES} == {"auto", *ORDERS}


@cases(60)
@given(systems(max_states=100), st.sampled_from(SELECTORS))
def test_orders_are_permutations(system, least):
    encoding = encoding_of(system, least)
    for name in ORDERS:
        order = arranged(name, encoding)
        assert sorted(flat(order)) == list(range(encoding.layout.variables))
        assert all(order), "no group is empty"


@cases(60)
@given(systems(max_states=100), st.sampled_from(SELECTORS))
def test_now_and_next_stand_side_by_side(system, least):
    encoding = encoding_of(system, least)
    for name in PAIRED:
        groups = {tuple(group) for group in arranged(name, encoding)}
        assert {(bit, bit + 1) for bit in encoding.layout.now} <= groups
        assert {(bit,) for bit in encoding.layout.actions} <= groups


@pytest.mark.parametrize("name", SHAPES)
def test_the_orders_of_the_peer(name):
    assert [tuple(group) for group in arranged(name, Encoding(SMALL))] == SHAPES[name]


# -- replicas -------------------------------------------------------------------------------------------

PRISONERS = model(
    agent(
        "Environment",
        "called : {none, p1, p2, p3}; light : boolean; seen2 : boolean; seen1 : boolean;",
        "called = p1 if Action = call1; called = p2 if Action = call2; light = ~light if called = p3;",
        actions="call1, call2, rest",
    ),
    *(agent(f"Prisoner{k}", "been : boolean; count : 0..2;", actions="flip, wait") for k in (2, 1, 3)),
)


def replica(variable: int, encoding: Encoding) -> int:
    """The number of the prisoner a variable is about; 0 for what is shared."""
    for name, bits in encoding.layout.action_bits.items():
        if variable in bits:
            return int(name[-1]) if name[-1].isdigit() else 0
    for (owner, name), field in encoding.layout.fields.items():
        bits = [*field.now, *field.after]
        if field.selects and name == "called" and variable in bits:
            return bits.index(variable) % len(field.bits)  # none, p1, p2, p3
        if variable in bits:
            numbered = owner if owner != "Environment" else name
            return int(numbered[-1]) if numbered[-1].isdigit() else 0
    raise AssertionError(variable)


@pytest.mark.parametrize("least", [3, 100])
def test_indexed_has_what_is_shared_on_top_and_replicas_together(least):
    encoding = Encoding(PRISONERS, least)
    assert (("Environment", "called") in encoding.layout.selectors) == (least == 3)
    numbers = [replica(variable, encoding) for variable in flat(arranged("replicas", encoding))]
    assert numbers == sorted(numbers)
    assert {*numbers} == {0, 1, 2, 3}


def test_indexed_keeps_the_order_declared_within_a_replica():
    """One is as good as another: the actions of each agent before its variables."""
    assert flat(arranged("replicas", Encoding(SMALL))) == [0, 1, 8, 9, 2, 3, 4, 5, 10, 6, 7]


# -- force ---------------------------------------------------------------------------------------------


def crossed(pairs: int) -> Encoding:
    """Each variable of the first half becomes one of the second half: `x0 = x4`, `x1 = x5`, …"""
    names = [f"x{'abcdefgh'[k]}" for k in range(2 * pairs)]
    lines = [f"{names[k]} = {names[pairs + k]} if true;" for k in range(pairs)]
    return Encoding(model(agent("A", " ".join(f"{name} : boolean;" for name in names), " ".join(lines))))


def spans(encoding: Encoding, name: str, pairs: int) -> list[int]:
    """How far apart the two variables of each pair stand."""
    order = flat(arranged(name, encoding))
    return [abs(order.index(2 * k) - order.index(2 * (pairs + k))) for k in range(pairs)]


def test_force_brings_together_what_belongs_together():
    encoding = crossed(4)
    assert spans(encoding, "interleaved", 4) == [8, 8, 8, 8]
    assert sum(spans(encoding, "force", 4)) < 16


def test_force_has_all_actions_on_top():
    order = arranged("force", Encoding(SMALL))
    assert sorted(flat(order[:3])) == [8, 9, 10]
