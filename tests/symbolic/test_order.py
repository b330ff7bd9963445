"""Orders of variables: each has all of them, in the shape its name promises."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from systems import SELECTORS, agent, encoding_of, model, systems

from knower.options import ORDERS as NAMES
from knower.symbolic.encode import Encoding
from knower.symbolic.order import ORDERS, arranged
from knower.symbolic.replicas import Replicas
from knower.symbolic.selectors import selectors
from knower.system.system import InterpretedSystem
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


# -- replicas ------------------------------------------------------------------------------------------

PRISONERS = model(
    agent(
        "Environment",
        "called : {none, p1, p2, p3}; light : boolean; seen2 : boolean; seen1 : boolean;",
        "called = p1 if Action = call1; called = p2 if Action = call2; light = ~light if called = p3;",
        actions="call1, call2, rest",
    ),
    *(agent(f"Prisoner{k}", "been : boolean; count : 0..2;", actions="flip, wait") for k in (2, 1, 3)),
)
CALLED = ("Environment", "called")


def replica(variable: int, encoding: Encoding) -> int:
    """The number of the prisoner a variable is about; 0 for what is shared."""
    for name, bits in encoding.layout.action_bits.items():
        if variable in bits:
            return numbered(name)
    for (owner, name), field in encoding.layout.fields.items():
        bits = [*field.now, *field.after]
        if variable in bits:
            return bits.index(variable) % 4 if field.selects else numbered(name) or numbered(owner)
    raise AssertionError(variable)


def numbered(name: str) -> int:
    return int(name[-1]) if name[-1].isdigit() else 0


@pytest.mark.parametrize("one_bit_each", [frozenset(), frozenset({CALLED})], ids=["binary", "selector"])
def test_what_is_shared_is_on_top_and_replicas_stay_together(one_bit_each):
    """The values `none p1 p2 p3` of a selector stand with the prisoners they name."""
    encoding = Encoding(PRISONERS, one_bit_each)
    numbers = [replica(variable, encoding) for variable in flat(arranged("replicas", encoding))]
    assert numbers == sorted(numbers)
    assert {*numbers} == {0, 1, 2, 3}


def test_within_a_replica_actions_come_first():
    """Of the last prisoner: his action, been, the two bits of his count."""
    encoding = Encoding(PRISONERS, frozenset())
    (action,), fields = encoding.layout.action_bits["Prisoner3"], encoding.layout.fields
    been, count = fields["Prisoner3", "been"].now, fields["Prisoner3", "count"].now
    states = [variable for bit in (*been, *count) for variable in (bit, bit + 1)]
    assert flat(arranged("replicas", encoding))[-7:] == [action, *states]


def test_agents_of_the_same_shape_are_replicas():
    """Without numbers in their names; the other agent is shared."""
    names = ("Ann", "Bea", "Cid")
    system = model(
        agent("Ann", "x : boolean;", actions=""),
        agent("Other", "y : boolean;", actions=""),
        *(agent(name, "x : boolean;", actions="") for name in names[1:]),
    )
    assert Replicas(system).of_agent.keys() == {*names}
    assert flat(arranged("replicas", Encoding(system))) == [2, 3, 0, 1, 4, 5, 6, 7]


def test_two_agents_of_the_same_shape_are_not_yet_replicas():
    system = model(*(agent(name, "x : boolean;") for name in ("Ann", "Bea")))
    assert Replicas(system).of_agent == {}


def muddy(sees: Callable[[int, int], bool]) -> InterpretedSystem:
    """Three children and their foreheads `mud_a mud_b mud_c`: who sees whose."""
    foreheads = ("mud_a", "mud_b", "mud_c")

    def child(number: int) -> str:
        seen = [name for k, name in enumerate(foreheads) if sees(number, k)]
        return agent(f"Child{number}", "wonders : boolean;", sections=f"Lobsvars = {{{', '.join(seen)}}};")

    variables = "clock : 0..1; " + " ".join(f"{name} : boolean;" for name in foreheads)
    return model(agent("Environment", variables, actions=""), *map(child, range(3)))


@pytest.mark.parametrize("sees", [lambda k, n: k == n, lambda k, n: k != n], ids=["only own", "all but own"])
def test_variables_belong_to_the_replica_that_alone_sees_them_or_does_not(sees):
    replicas = Replicas(muddy(sees))
    mine = [replicas.of_variable(("Environment", name)) for name in ("mud_a", "mud_b", "mud_c", "clock")]
    assert mine == [0, 1, 2, None]


def test_selectors_name_replicas():
    """At least eight values, half of them names of replicas, and nothing calculated."""
    values = ", ".join(f"p{k}" for k in range(1, 9))
    variables = f"called : {{{values}}}; last : {{{values}}}; number : 1..8; few : 1..7;"
    idle = agent("Environment", variables, actions="")
    busy = agent("Environment", variables, "number = number + 1 if last = p8;", actions="")
    many = [agent(f"Prisoner{k}", "been : boolean;") for k in range(1, 9)]
    assert selectors(model(idle, *many)) == {("Environment", name) for name in ("called", "last", "number")}
    assert selectors(model(busy, *many)) == {("Environment", name) for name in ("called", "last")}
    assert selectors(model(idle, *many[:3])) == set()


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
