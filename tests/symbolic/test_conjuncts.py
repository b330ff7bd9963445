"""Conjunctions of many conditions: the same functions, however they are written, and small on the way."""

from __future__ import annotations

import random
from functools import reduce
from itertools import combinations
from operator import and_

import pytest
from hypothesis import given
from hypothesis import strategies as st
from systems import agent, model

from knower.functions.circuit import Built, Circuits, Literal
from knower.functions.registry import available, new_space
from knower.functions.table import Table, TableSpace
from knower.symbolic.conjuncts import Conjoiner, Conjunctions, bands
from knower.symbolic.encode import Encoding
from knower.symbolic.order import arranged
from knower.symbolic.system import TransitionSystem
from knower.symbolic.transition_parts import TransitionParts

needs_diagrams = pytest.mark.skipif(not available(), reason="no library of decision diagrams")


# -- conjunctions taken apart ----------------------------------------------------------------------------


def test_a_conjunction_is_taken_apart() -> None:
    circuits = Circuits()
    inputs = [circuits.input(number) for number in range(7)]
    assert sorted(circuits.conjuncts(circuits.all(inputs) >> 1)) == inputs


def test_what_others_use_too_is_not_taken_apart() -> None:
    circuits = Circuits()
    a, b, c, d = (circuits.input(number) for number in range(4))
    shared = circuits.conj(a, b)
    one, other = circuits.conj(shared, c), circuits.conj(shared, d)
    assert sorted(circuits.conjuncts(one >> 1)) == sorted([shared, c])
    assert sorted(circuits.conjuncts(other >> 1)) == sorted([shared, d])


def test_nor_is_what_is_negated() -> None:
    circuits = Circuits()
    a, b, c = (circuits.input(number) for number in range(3))
    either = circuits.disj(a, b)
    assert sorted(circuits.conjuncts(circuits.conj(either, c) >> 1)) == sorted([either, c])


# -- the same functions ------------------------------------------------------------------------------------


def _items() -> st.SearchStrategy[list[tuple[int, int]]]:
    return st.lists(st.tuples(st.integers(0, 7), st.integers(0, 255)), min_size=1, max_size=12)


@given(_items())
def test_a_product_is_the_conjunction_whatever_the_masks(items: list[tuple[int, int]]) -> None:
    space = TableSpace([range(3)])
    functions = [Table(space, bits) for _, bits in items]
    found = Conjoiner(space).product((mask, f) for (mask, _), f in zip(items, functions, strict=True))
    assert found == reduce(and_, functions)


def _random_literals(circuits: Circuits, dice: random.Random, inputs: int) -> list[Literal]:
    literals = [circuits.input(number) for number in range(inputs)]
    for _ in range(30):
        some = [dice.choice(literals) ^ dice.randrange(2) for _ in range(dice.randint(2, 6))]
        literals.append(circuits.all(some) if dice.random() < 0.8 else circuits.xor(*some[:2]))
    return literals


@pytest.mark.parametrize("seed", range(20))
def test_scheduled_or_not_circuits_are_the_same_functions(seed: int) -> None:
    circuits, space = Circuits(), TableSpace([range(5)])
    literals = _random_literals(circuits, random.Random(seed), 5)
    conjoined = Conjunctions(circuits, Conjoiner(space), lambda number: 1 << number, ())
    plain = Built(circuits, space, space.var)
    scheduled = Built(circuits, space, space.var, conjoined)
    assert scheduled.functions(literals) == plain.functions(literals)


# -- what variables belong to --------------------------------------------------------------------------------


def test_the_bits_of_a_variable_have_one_mask_and_the_top_one_the_least() -> None:
    encoding = Encoding(model(agent("A", "x : 0..9; y : boolean;", "x = 1 if y = true;", "a, b")))
    order = [v for group in arranged("interleaved", encoding) for v in group]
    masks, fields = bands(encoding.layout, order), encoding.layout.fields
    x, y = fields["A", "x"], fields["A", "y"]
    assert {masks[bit] for bit in (*x.now, *x.after)} == {1}
    assert {masks[bit] for bit in (*y.now, *y.after)} == {2}
    assert {masks[bit] for bit in encoding.layout.action_bits["A"]} == {4}


# -- small on the way --------------------------------------------------------------------------------------


def _all_differ(count: int, seed: int | None = None, where: str = "initial") -> TransitionParts[object]:
    """Variables with ten values, of which each differs from all others; written in any order."""
    names = [f"x{k}" for k in range(count)]
    pairs = [(a, b) for a, b in combinations(names, 2)]
    if seed is not None:
        dice = random.Random(seed)
        dice.shuffle(pairs)
        pairs = [pair if dice.random() < 0.5 else pair[::-1] for pair in pairs]
    variables = "".join(f"{name} : 0..9; " for name in names)
    owner = "A." if where != "guard" else ""
    differ = " and ".join(f"{owner}{a} != {owner}{b}" for a, b in pairs)
    system = model(
        agent("A", variables, f"x0 = 0 if {differ};" if where == "guard" else "x0 = 0 if x0 = 1;"),
        initial=differ if where == "initial" else "A.x0 = 0",
        evaluation=f"differ if {differ};" if where == "label" else "",
    )
    encoding = Encoding(system)
    return TransitionParts(encoding, new_space("oxidd", arranged("interleaved", encoding), 1 << 18))


needs_oxidd = pytest.mark.skipif("oxidd" not in available(), reason="counts nodes of OxiDD")


@needs_oxidd
@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_ten_variables_that_all_differ_are_never_larger_than_in_the_end(seed: int | None) -> None:
    steps = _all_differ(10, seed)
    initial = TransitionSystem(steps).initial
    assert steps.space.count(initial, steps.layout.now) == 3_628_800
    assert steps.joiner.peak <= steps.space.size(initial)


@needs_oxidd
@pytest.mark.parametrize("where", ["guard", "label"])
def test_where_nothing_else_says_so_codes_without_a_value_are_left_out_of_what_is_large(where: str) -> None:
    """Sixteen codes for ten values: ten that all differ would have a few hundred thousand nodes."""
    steps = _all_differ(10, where=where)
    if where == "label":
        found = steps.function(steps.encoding.label("differ"))
        assert steps.space.count(found, steps.layout.now) == 3_628_800
    assert steps.joiner.peak < 20_000


@needs_diagrams
def test_small_conditions_mean_what_they_say_at_every_code() -> None:
    encoding = Encoding(
        model(agent("A", "x : 0..2; y : 0..2;"), evaluation="p if A.x != A.y and A.x != 1 and A.y != 0;")
    )
    for library in available():
        steps = TransitionParts(encoding, new_space(library, arranged("interleaved", encoding)))
        plain = Built(encoding.circuits, steps.space, steps.space.var)
        assert steps.function(encoding.label("p")) == plain.function(encoding.label("p"))
