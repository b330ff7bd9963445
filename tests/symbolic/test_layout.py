"""Bits of variables and actions: no two share one, and codes tell values apart."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from systems import SELECTORS, agent, all_states, bits_of, encoding_of, model, systems

from knower.symbolic.layout import Field, Layout
from knower.system.domains import BoolDomain
from knower.system.explicit import Explicit
from strategies import cases

layouts = st.sampled_from(SELECTORS)

#: A type, how many bits it takes, and what is taken off its values first.
TYPES = [
    ("boolean", 1, 0),
    ("{on}", 0, 0),
    ("{on, off}", 1, 0),
    ("{red, amber, green}", 2, 0),
    ("{v1, v2, v3, v4}", 2, 0),
    ("{v1, v2, v3, v4, v5}", 3, 0),
    ("0..0", 0, 0),
    ("3..3", 0, 3),
    ("0..1", 1, 0),
    ("0..7", 3, 0),
    ("1..7", 3, 0),
    ("1..8", 3, 1),
    ("0..8", 4, 0),
    ("100..101", 1, 100),
    ("-1..0", 1, -1),
    ("-4..3", 3, -4),
    ("-9..-2", 3, -9),
    ("0..1048575", 20, 0),
]


def field_of(kind: str) -> Field:
    (field,) = Layout(model(agent("A", f"x : {kind};"))).fields.values()
    return field


@pytest.mark.parametrize(("kind", "bits", "offset"), TYPES)
def test_types_take_as_few_bits_as_they_can(kind, bits, offset):
    field = field_of(kind)
    assert (len(field.bits), field.offset) == (bits, offset)


@pytest.mark.parametrize("kind", [kind for kind, bits, _ in TYPES if bits < 10])
def test_codes_of_one_type(kind):
    field = field_of(kind)
    values = list(field.domain.values)
    assert [field.value(field.code(value)) for value in values] == values
    assert len({field.code(value) for value in values}) == len(values)


def test_the_most_significant_bit_comes_first():
    assert field_of("0..7").code(6) == (True, True, False)
    assert field_of("1..8").code(2) == (False, False, True)
    assert field_of("{red, amber, green}").code("green") == (True, False)


@cases(40)
@given(systems(max_states=200), layouts)
def test_codes_round_trip(system, least):
    for key, field in encoding_of(system, least).layout.fields.items():
        values = list(system.domains[key].values)
        again = [field.value(list(field.code(value))) for value in values]
        assert again == values
        assert [type(value) for value in again] == [type(value) for value in values]
        assert len({field.code(value) for value in values}) == len(values)


@cases(40)
@given(systems(max_states=200), layouts)
def test_a_selector_has_one_bit_per_value(system, least):
    layout = encoding_of(system, least).layout
    for key, field in layout.fields.items():
        assert field.selects == (key in layout.selectors)
        if field.selects:
            assert len(field.bits) == len(field.domain.values) >= least
            assert not isinstance(field.domain, BoolDomain)
            codes = [field.code(value) for value in field.domain.values]
            assert codes == [tuple(k == n for n in range(len(codes))) for k in range(len(codes))]


@cases(40)
@given(systems(max_states=200), layouts)
def test_every_variable_stands_for_one_thing(system, least):
    layout = encoding_of(system, least).layout
    fields = layout.fields.values()
    now = [variable for field in fields for variable in field.now]
    after = [variable for field in fields for variable in field.after]
    actions = [variable for bits in layout.action_bits.values() for variable in bits]
    assert sorted([*now, *after, *actions]) == list(range(layout.variables))
    assert after == [variable + 1 for variable in now]
    assert (layout.now, layout.after, layout.actions) == (tuple(now), tuple(after), tuple(actions))
    assert list(layout.fields) == [variable.key for variable in system.variables]


@cases(40)
@given(systems(), layouts)
def test_actions_have_bits_enough(system, least):
    layout = encoding_of(system, least).layout
    for who in system.agents:
        width, actions = len(layout.action_bits[who.name]), max(len(who.actions), 1)
        assert 1 << width >= actions
        assert width == 0 or 1 << width - 1 < actions


@cases(40)
@given(systems(), layouts)
def test_states_look_alike_iff_the_bits_seen_are_the_same(system, least):
    layout, explicit = encoding_of(system, least).layout, Explicit(system)
    states = [(state, dict(bits_of(layout, state))) for state in all_states(system)]
    for who in system.agents:
        seen = layout.seen_by(who.name)
        for (one, code), (other, other_code) in product(states[:6], states):
            same = all(code[bit] == other_code[bit] for bit in seen)
            assert same == (explicit.sees(who.name, one) == explicit.sees(who.name, other))
