"""Many lines at once against each by itself, in every step of random systems; how many gates they take."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from systems import SELECTORS, Point, agent, all_joints, all_states, encoding_of, model, systems

from knower.functions.circuit import FALSE, TRUE
from knower.symbolic.encode import Encoding
from knower.system.system import InterpretedSystem
from strategies import cases


@pytest.fixture(autouse=True, scope="module")
def however_few() -> Iterator[None]:
    """Random systems have few lines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("knower.symbolic.cases._FEW_LINES", 0)
        yield


@cases(40)
@given(systems(max_states=12), st.sampled_from(SELECTORS), st.randoms(use_true_random=False))
def test_some_lines_hold_where_one_of_them_does(system, least, dice):
    encoding = encoding_of(system, least)
    blocks = [block for code in encoding.agents for block in code.blocks]
    wanted = [[dice.choice((TRUE, FALSE, encoding.valid)) for _ in block.lines] for block in blocks]
    found = [block.cases.some(which) for block, which in zip(blocks, wanted, strict=True)]
    for where in product(all_states(system), all_joints(system)):
        point = Point(encoding, *where)
        for block, which, some in zip(blocks, wanted, found, strict=True):
            pairs = zip(block.lines, which, strict=True)
            assert point.holds(some) == any(point.holds(line.guard) and literal for line, literal in pairs)


@cases(40)
@given(systems(max_states=12), st.sampled_from(SELECTORS))
def test_lines_told_apart_by_their_tests_never_hold_together(system, least):
    encoding = encoding_of(system, least)
    blocks = [block for code in encoding.agents for block in code.blocks if block.cases.exclusive]
    for where in product(all_states(system), all_joints(system)):
        point = Point(encoding, *where)
        for one, other in (pair for block in blocks for pair in combinations(block.lines, 2)):
            assert not (point.holds(one.guard) and point.holds(other.guard))


def by_state(states: int, seed: int, *, shuffled: bool = False) -> InterpretedSystem:
    """A line for each state and joint action, in order or not."""
    dice, order = random.Random(seed), random.Random(seed + 1)
    lines = []
    for state, one, two in product(range(states), "ab", "ab"):
        tests = [f"s = {state}", f"P.Action = {one}", f"Action = {two}"]
        if shuffled:
            order.shuffle(tests)
        lines.append(f"s = {dice.randrange(states)} if {' and '.join(tests)};")
    if shuffled:
        order.shuffle(lines)
    players = [agent("A", f"s : 0..{states - 1};", " ".join(lines), "a, b"), agent("P", "", "", "a, b")]
    return model(*players, initial="A.s = 0")


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_game_written_state_by_state_is_a_choice_for_each_state_and_bit(shuffled: bool) -> None:
    encoding = Encoding(by_state(100, 1, shuffled=shuffled))
    (block,) = encoding.agents[0].blocks
    before = len(encoding.circuits)
    encoding.becomes(block, ("A", "s"))
    assert block.cases.exclusive
    assert before < 2_000  # a comparison takes 7 bits; no gate for any of the 400 lines
    assert len(encoding.circuits) - before < 7 * 3 * 100 + 100


def test_alternatives_are_told_apart_too() -> None:
    """`s = 0 and (… or …)`: each line stands for several joint actions, as converters print them."""
    lines = """
        s = 1 if s = 0 and ((Action = a and P.Action = a) or (Action = b and P.Action = b));
        s = 2 if s = 0 and (Action = a and P.Action = b or Action = b and P.Action = a);
        s = 0 if s = 1 or s = 2;
    """
    system = model(agent("A", "s : 0..2;", lines, "a, b"), agent("P", "", "", "a, b"), initial="A.s = 0")
    (block,) = Encoding(system).agents[0].blocks
    assert block.cases.exclusive


@pytest.mark.parametrize(
    "lines",
    [
        "x = 1 if x = 0; x = 2 if x = 0;",
        "x = 1 if x = 0; x = 2 if x < 2;",
        "x = 1 if x = 0; x = 2 if y = 0;",
        "x = 1 if x = 0 and y = 1; x = 2 if x = 0;",
    ],
)
def test_lines_that_may_hold_together_are_not_told_apart(lines: str) -> None:
    system = model(agent("A", "x : 0..2; y : 0..2;", lines), initial="A.x = 0 and A.y = 0")
    (block,) = Encoding(system).agents[0].blocks
    assert not block.cases.exclusive
