"""One suite for every space: all functions of three variables against bit operations on numbers."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest
from spaces import (
    DEPTHS,
    DIAGRAMS,
    ORDERED,
    SHAPES,
    SPACES,
    alone,
    conjunction,
    disjunction,
    function_of,
    parity,
    row_of,
    space_of,
)

from knower.functions.copying import Copier
from knower.functions.protocol import NoRoom, Order, Reorderable, Space
from knower.functions.registry import available, new_space

VARIABLES = (0, 1, 2)
ROWS = range(8)
ALL = range(256)
SUBSETS = [subset for length in range(4) for subset in combinations(VARIABLES, length)]
ORDERS: list[Order] = [alone(VARIABLES), [[1], [2, 0]]]
PAIRS = [(a, b) for a in ALL for b in ALL]


# -- truth tables as numbers -----------------------------------------------------------------------


def where(holds: Callable[[int], Any], rows: int = 8) -> int:
    return sum(1 << row for row in range(rows) if holds(row))


def cofactor(table: int, variable: int, value: bool) -> int:
    bit = 1 << variable
    return where(lambda row: table >> (row | bit if value else row & ~bit) & 1)


def some(table: int, subset: tuple[int, ...]) -> int:
    for variable in subset:
        table = cofactor(table, variable, False) | cofactor(table, variable, True)
    return table


def every(table: int, subset: tuple[int, ...]) -> int:
    return 255 ^ some(255 ^ table, subset)


def exchanged(table: int, pairs: dict[int, int], variables: int) -> int:
    """The table with the variables of each pair exchanged."""
    other = {**pairs, **{after: before for before, after in pairs.items()}}

    def moved(row: int) -> int:
        return sum((row >> other.get(v, v) & 1) << v for v in range(variables))

    return where(lambda row: table >> moved(row) & 1, 1 << variables)


def needed(table: int) -> set[int]:
    """The variables that a function depends on."""
    return {v for v in VARIABLES if cofactor(table, v, False) != cofactor(table, v, True)}


# -- all functions of a space ----------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """A space and its 256 functions: `functions[t]` has the truth table `t`, `tables` is the way back."""

    space: Space[Any]
    order: Order
    functions: list[Any]
    tables: dict[Any, int]


@pytest.fixture(scope="module", params=SPACES)
def library(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module", params=ORDERS, ids=str)
def world(library: str, request: pytest.FixtureRequest) -> World:
    space = space_of(library, request.param)
    functions = [function_of(space, table, 3) for table in ALL]
    return World(space, request.param, functions, {f: table for table, f in enumerate(functions)})


def test_there_are_256_different_functions(world):
    assert len(world.tables) == 256
    assert all((world.functions[a] == world.functions[b]) == (a == b) for a, b in PAIRS)


def test_equal_functions_are_equal_however_they_are_made(world):
    """By rows that are false instead of rows that are true."""
    space = world.space
    for table in ALL:
        false_rows = (~row_of(space, row, 3) for row in reversed(ROWS) if not table >> row & 1)
        again = conjunction(space, false_rows)
        assert again == world.functions[table]
        assert hash(again) == hash(world.functions[table])


def test_constants_and_variables(world):
    space, tables = world.space, world.tables
    assert (tables[space.false], tables[space.true]) == (0, 255)
    assert [tables[space.var(v)] for v in VARIABLES] == [0b10101010, 0b11001100, 0b11110000]


def test_not(world):
    assert [world.tables[~f] for f in world.functions] == [255 ^ table for table in ALL]


def test_and(world):
    made, tables = world.functions, world.tables
    assert all(tables[made[a] & made[b]] == a & b for a, b in PAIRS)


def test_or(world):
    made, tables = world.functions, world.tables
    assert all(tables[made[a] | made[b]] == a | b for a, b in PAIRS)


def test_xor(world):
    made, tables, space = world.functions, world.tables, world.space
    assert all(tables[space.xor(made[a], made[b])] == a ^ b for a, b in PAIRS)


def test_ite(world):
    draw = random.Random(1)
    for _ in range(10_000):
        a, b, c = (draw.randrange(256) for _ in range(3))
        found = world.space.ite(world.functions[a], world.functions[b], world.functions[c])
        assert world.tables[found] == a & b | ~a & c & 255


@pytest.mark.parametrize("subset", SUBSETS)
def test_quantification(world, subset):
    space = world.space
    prepared = space.quantified(subset)
    for table, f in enumerate(world.functions):
        assert world.tables[space.exists(f, prepared)] == some(table, subset)
        assert world.tables[space.forall(f, prepared)] == every(table, subset)


@pytest.mark.parametrize("subset", SUBSETS)
def test_and_exists(world, subset):
    space = world.space
    prepared = space.quantified(subset)
    for a, b in random.Random(2).sample(PAIRS, 1000):
        found = space.and_exists(world.functions[a], world.functions[b], prepared)
        assert world.tables[found] == some(a & b, subset)


def test_variables_to_quantify_may_come_from_an_iterator(world):
    space = world.space
    prepared = space.quantified(v for v in (2, 0))
    for table in (1, 77, 200):  # used more than once
        assert world.tables[space.exists(world.functions[table], prepared)] == some(table, (0, 2))


@pytest.mark.parametrize("pairs", [{}, {0: 1}, {2: 1}, {0: 2}], ids=str)
def test_renaming_exchanges_two_variables(world, pairs):
    space = world.space
    exchange = space.renaming(pairs)
    for table, f in enumerate(world.functions):
        assert world.tables[space.rename(f, exchange)] == exchanged(table, pairs, 3)


def test_count(world):
    for table, f in enumerate(world.functions):
        for subset in (subset for subset in SUBSETS if needed(table) <= {*subset}):
            assert world.space.count(f, subset) == table.bit_count() >> (3 - len(subset))


def test_pick(world):
    for table, f in enumerate(world.functions):
        for subset in (subset for subset in SUBSETS if needed(table) <= {*subset}):
            found = world.space.pick(f, subset)
            if table == 0:
                assert found is None
                continue
            assert found.keys() == {*subset}
            assert all(type(value) is bool for value in found.values())
            assert table >> sum(1 << v for v, value in found.items() if value) & 1


def test_support(world):
    for table, f in enumerate(world.functions):
        assert world.space.support(f) == needed(table)


def test_branches(world):
    """Shannon: a function is one thing where a variable is false, another where it is true."""
    space, tables = world.space, world.tables
    for table in ALL[1:-1]:
        variable, low, high = space.branches(world.functions[table])
        assert variable in needed(table)
        assert tables[low] == cofactor(table, variable, False)
        assert tables[high] == cofactor(table, variable, True)
        assert space.ite(space.var(variable), high, low) == world.functions[table]


def test_simplified_functions_agree_where_one_cares(world):
    made, tables, space = world.functions, world.tables, world.space
    assert all(tables[space.simplify(made[a], made[b]) & made[b]] == a & b for a, b in PAIRS)


def test_order(world):
    assert world.space.order() == [variable for group in world.order for variable in group]


def test_sizes(world):
    assert all(world.space.size(f) > 0 for f in world.functions)
    assert world.space.nodes() >= world.space.size(parity(world.space, map(world.space.var, VARIABLES)))


# -- more variables ----------------------------------------------------------------------------------

NOW_AND_NEXT: list[Order] = [alone(range(6)), [[0, 1], [2, 3], [4, 5]], [[4, 2, 0], [5, 3, 1]]]


def random_tables(rows: int) -> Iterator[int]:
    draw = random.Random(3)
    for _ in range(20):
        yield draw.getrandbits(rows)


@pytest.mark.parametrize("order", NOW_AND_NEXT, ids=str)
def test_renaming_exchanges_two_blocks(library, order):
    space = space_of(library, order)
    pairs = {0: 1, 2: 3, 4: 5}
    exchange = space.renaming(pairs)
    for table in random_tables(64):
        f = function_of(space, table, 6)
        renamed = space.rename(f, exchange)
        assert renamed == function_of(space, exchanged(table, pairs, 6), 6)
        assert space.rename(renamed, exchange) == f


def test_a_function_of_one_block_becomes_one_of_the_other(library):
    space = space_of(library, [[0, 1], [2, 3], [4, 5]])
    exchange = space.renaming({0: 1, 2: 3, 4: 5})
    now = space.ite(space.var(0), space.var(2), ~space.var(4))
    assert space.rename(now, exchange) == space.ite(space.var(1), space.var(3), ~space.var(5))


def test_sizes_tell_large_from_small(library):
    space = space_of(library, alone(range(10)))
    assert space.size(parity(space, map(space.var, range(10)))) >= 10


@pytest.mark.parametrize("name", DIAGRAMS)
def test_nodes_grow_with_what_is_held(name):
    space = space_of(name, alone(range(12)))
    before = space.nodes()
    held = [function_of(space, table, 6) for table in random_tables(64)]
    assert space.nodes() - before >= max(map(space.size, held))


def test_a_space_without_variables(library):
    if library in SHAPES:
        pytest.skip("a vtree has a variable at least")
    space = space_of(library, [])
    nothing = space.quantified([])
    assert (space.count(space.true, []), space.count(space.false, [])) == (1, 0)
    assert (space.pick(space.true, []), space.pick(space.false, [])) == ({}, None)
    assert space.exists(space.true, nothing) == space.forall(space.true, nothing) == space.true
    assert space.and_exists(space.true, space.false, nothing) == space.false
    assert space.rename(space.true, space.renaming({})) == space.true
    assert space.order() == []


# -- two spaces ----------------------------------------------------------------------------------------

#: Where the variables of one space are found in another, which has more of them and another order.
ABROAD, ABROAD_ORDER = {0: 3, 1: 0, 2: 1}, [[2, 1], [3], [0]]


def abroad(table: int) -> int:
    """The table of a function in the other space."""
    return where(lambda row: table >> sum((row >> ABROAD[v] & 1) << v for v in VARIABLES) & 1, 16)


@pytest.mark.parametrize("other", SPACES)
def test_functions_are_carried_from_space_to_space(world, other):
    target = space_of(other, ABROAD_ORDER)
    there = Copier(world.space, target, ABROAD)
    back = Copier(target, world.space, {after: before for before, after in ABROAD.items()})
    for table in random.Random(5).sample(ALL, len(ALL)):
        copy = there(world.functions[table])
        assert copy == function_of(target, abroad(table), 4)
        assert there(world.functions[table]) == copy
        assert back(copy) == world.functions[table]


@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_deep_diagram_is_carried_over(name):
    depth = DEPTHS[name]
    source, target = space_of(name, alone(range(depth))), space_of(name, alone(range(depth)))
    odd = parity(source, map(source.var, reversed(range(depth))))
    copied = Copier(source, target, {v: v for v in range(depth)})(odd)
    assert copied == parity(target, map(target.var, reversed(range(depth))))


def test_a_variable_that_has_no_number_abroad_is_missed(library):
    source, target = space_of(library, alone(VARIABLES)), space_of(library, alone(VARIABLES))
    copy = Copier(source, target, {0: 0, 1: 1})
    assert copy(source.var(0) & source.var(1)) == target.var(0) & target.var(1)
    with pytest.raises(KeyError):
        copy(source.var(2))


MIXTURES: dict[str, Callable[[Space[Any], Any, Any], Any]] = {
    "and": lambda space, own, foreign: own & foreign,
    "or": lambda space, own, foreign: own | foreign,
    "xor": lambda space, own, foreign: space.xor(own, foreign),
    "ite": lambda space, own, foreign: space.ite(own, foreign, space.true),
    "and_exists": lambda space, own, foreign: space.and_exists(own, foreign, space.quantified([0])),
}


@pytest.mark.parametrize("mix", MIXTURES)
@pytest.mark.parametrize("name", ["table", "cudd"])
def test_functions_of_two_spaces_cannot_be_mixed(name, mix):
    space, other = space_of(name, alone(VARIABLES)), space_of(name, alone(VARIABLES))
    with pytest.raises(ValueError, match=r"space|manager"):
        MIXTURES[mix](space, space.var(0), other.var(1))


def test_functions_of_two_oxidd_spaces_are_never_mixed_in_silence():
    """OxiDD ends the process: the attempt is made in another one."""
    if "oxidd" not in available():
        pytest.skip("oxidd is not installed")
    lines = [
        "from knower.functions.oxidd import OxiddSpace",
        "one, two = OxiddSpace([[0], [1]], 1 << 10), OxiddSpace([[0], [1]], 1 << 10)",
        "one.var(0) & one.var(1)",
        "print('so far', flush=True)",
        "one.var(0) & two.var(1)",
        "print('mixed', flush=True)",
    ]
    ended = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert ended.stdout.split("\n") == ["so far", ""]
    assert ended.returncode != 0


# -- bounds --------------------------------------------------------------------------------------------


def paired(space: Space[Any], pairs: int) -> Any:
    """`x0 & xn | x1 & x(n+1) | …`: two to the power of `pairs` nodes if all first members come first."""
    return disjunction(space, (space.var(k) & space.var(pairs + k) for k in range(pairs)))


def test_a_bounded_space_raises_and_keeps_what_it_has():
    space = space_of("oxidd", alone(range(60)), max_nodes=3000)
    small = paired(space, 4)
    with pytest.raises(NoRoom), space.working():
        paired(space, 30)
    assert space.count(small, range(8)) == 256 - 3**4
    assert space.support(small) == {*range(8)}
    assert small & space.true == small != space.true


ROOM = 4000


def swept(max_collections: int | None) -> Any:
    """A space that may collect its garbage so often."""
    if "oxidd" not in available():
        pytest.skip("oxidd is not installed")
    return new_space("oxidd", alone(range(20)), ROOM, max_collections)


def made_until_full(space: Space[Any], share: float) -> list[Any]:
    """Different functions that fill a share of the room; all nodes are part of one of them."""
    draw, made = random.Random(4), list[Any]()
    while space.nodes() < share * ROOM:
        bits = (space.var(v) if draw.random() < 0.5 else ~space.var(v) for v in reversed(range(20)))
        made.append(conjunction(space, bits))
    return made


@pytest.mark.parametrize("max_collections", [None, 3])
def test_what_nobody_holds_makes_room(max_collections):
    space = swept(max_collections)
    x, y, nothing = space.var(0), space.var(1), space.quantified([])
    for _ in range(3):
        made_until_full(space, 0.9)
        assert space.and_exists(x, y, nothing) == x & y
        assert space.nodes() < ROOM / 10


def test_a_space_gives_up_after_too_many_collections():
    space = swept(1)
    x, y, nothing = space.var(0), space.var(1), space.quantified([])
    held = made_until_full(space, 0.3)
    made_until_full(space, 0.9)
    assert space.and_exists(x, y, nothing) == x & y
    made_until_full(space, 0.9)
    with pytest.raises(NoRoom):
        space.and_exists(x, y, nothing)
    assert held


def test_a_space_gives_up_where_collecting_does_not_help():
    space = swept(None)
    held = made_until_full(space, 0.9)
    with pytest.raises(NoRoom):
        space.and_exists(space.var(0), space.var(1), space.quantified([]))
    assert all(space.count(f, range(20)) == 1 for f in held)


class Remembered:
    """What can be made again."""

    def __init__(self, functions: list[Any]) -> None:
        self.functions = functions

    def forget(self) -> None:
        self.functions.clear()


def test_what_can_be_made_again_is_let_go_before_there_is_no_room():
    space = swept(None)
    remembered = Remembered(made_until_full(space, 0.4))
    space.when_full(remembered.forget)
    made_until_full(space, 0.9)
    space.make_room()
    assert remembered.functions, "garbage was enough"
    remembered.functions += made_until_full(space, 0.9)
    space.make_room()
    assert not remembered.functions
    assert space.nodes() < ROOM / 10


@pytest.mark.parametrize("name", ORDERED)
def test_a_good_order_fits_where_a_bad_one_does_not(name):
    """The order is used, not only told."""
    bad = space_of(name, alone(range(20)))
    good = space_of(name, alone(v for k in range(10) for v in (k, 10 + k)))
    assert bad.size(paired(bad, 10)) > 1000
    assert good.size(paired(good, 10)) < 50


# -- reordering ----------------------------------------------------------------------------------------

#: Groups that stay together, in an order that is bad for `pairwise_equal`.
GROUPS = [[2 * k, 2 * k + 1] for k in range(12)]
HALF, WHOLE = 12, range(24)


def pairwise_equal(space: Space[Any]) -> Any:
    """Group `k` is like group `k + 6`: needs these two side by side."""
    far = [(v, v + HALF) for v in range(HALF)]
    return conjunction(space, (~space.xor(space.var(a), space.var(b)) for a, b in far))


def assert_grouped(space: Space[Any]) -> None:
    order = space.order()
    assert sorted(order) == list(WHOLE)
    places = {variable: place for place, variable in enumerate(order)}
    assert all(abs(places[a] - places[b]) == 1 for a, b in GROUPS)


def reorderable() -> Any:
    space = space_of("cudd", GROUPS)
    assert isinstance(space, Reorderable)
    return space


def test_only_cudd_improves_its_order():
    assert reorderable().reorderings == 0
    assert not isinstance(space_of("oxidd", GROUPS), Reorderable)
    assert not isinstance(space_of("table", alone(VARIABLES)), Reorderable)


def test_reordering_keeps_meanings_and_groups():
    space = reorderable()
    f = pairwise_equal(space)
    small = [function_of(space, table, 4) for table in random_tables(16)]
    before = space.size(f)
    space.reorder()
    assert space.reorderings == 1
    assert space.size(f) < before / 10
    assert_grouped(space)
    assert space.order() != list(WHOLE)
    assert f == pairwise_equal(space)
    assert small == [function_of(space, table, 4) for table in random_tables(16)]
    assert space.count(f, WHOLE) == 1 << HALF


def test_what_was_prepared_before_a_reordering_is_good_after_it():
    space = reorderable()
    f = pairwise_equal(space)
    exchange = space.renaming({v: v + 1 for v in WHOLE[::2]})
    lower = space.quantified(range(HALF))
    space.reorder()
    assert space.rename(f, exchange) == f
    assert space.exists(f, lower) == space.true
    assert space.support(f) == {*WHOLE}
    assert space.pick(f & space.var(3), WHOLE)[3 + HALF]


def test_reordering_by_itself():
    space = reorderable()
    space.reorder_when(1000)
    f = pairwise_equal(space)
    assert space.reorderings > 0
    assert_grouped(space)
    assert space.count(f, WHOLE) == 1 << HALF


def test_no_reordering_unless_asked_for():
    space = reorderable()
    space.reorder_when(1000)
    space.reorder_when(None)
    pairwise_equal(space)
    assert space.reorderings == 0
    assert space.order() == list(WHOLE)


# -- counts and depths beyond machine numbers --------------------------------------------------------------


@pytest.mark.parametrize("name", DIAGRAMS)
@pytest.mark.parametrize("variables", [51, 52, 53, 54, 62, 63, 64, 1100])
def test_counts_are_exact(name, variables):
    variables = min(variables, DEPTHS[name])
    space = space_of(name, alone(range(variables)))
    bits = [space.var(v) for v in reversed(range(variables))]
    whole, some_bit, odd = conjunction(space, bits), disjunction(space, bits), parity(space, bits)
    everything = 1 << variables
    assert space.count(some_bit, range(variables)) == everything - 1
    assert space.count(~whole, range(variables)) == everything - 1
    assert space.count(whole, range(variables)) == space.count(~some_bit, range(variables)) == 1
    assert space.count(odd, range(variables)) == everything // 2
    assert space.count(odd & some_bit & ~bits[0], range(variables)) == everything // 4
    assert space.count(space.true, range(variables)) == everything
    assert space.count(space.false, range(variables)) == 0


@pytest.mark.parametrize("name", DIAGRAMS)
@pytest.mark.parametrize("now", [26, 60])
def test_counts_over_some_of_the_variables(name, now):
    """Variables now (even) and next (odd): sets of states do not depend on the latter."""
    space = space_of(name, [[2 * k, 2 * k + 1] for k in range(now)])
    states = disjunction(space, (space.var(2 * k) for k in range(now)))
    assert space.count(states, range(0, 2 * now, 2)) == (1 << now) - 1
    assert space.count(states, range(2 * now)) == ((1 << now) - 1) << now


@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_deep_diagram(name):
    depth = DEPTHS[name]
    space = space_of(name, alone(range(depth)))
    bits = [space.var(v) for v in reversed(range(depth))]
    odd = parity(space, bits)
    assert space.size(odd) >= depth
    assert space.count(odd, range(depth)) == 1 << depth - 1
    assert space.count(conjunction(space, bits), range(depth)) == 1
    assert space.support(odd) == {*range(depth)}
    assert sum(space.pick(odd, range(depth)).values()) % 2 == 1
    assert space.exists(odd, space.quantified(range(depth))) == space.true


# -- parities of disjoint sets of variables -----------------------------------------------------------------


@pytest.mark.parametrize("name", DIAGRAMS)
def test_parities_of_disjoint_sets_are_joined_quickly(name):
    """Exponential in OxiDD's diagrams with complement edges, when their cache is small."""
    sets, length = 4, 40
    space = space_of(name, [range(k, sets * length, length) for k in range(length)])
    rows = (range(sets * length)[k * length : (k + 1) * length] for k in range(sets))
    whole = conjunction(space, (parity(space, map(space.var, row)) for row in rows))
    assert space.count(whole, range(sets * length)) == 1 << sets * (length - 1)


@pytest.mark.parametrize("name", DIAGRAMS)
def test_what_dining_cryptographers_say(name):
    """Each of 40 says whether his two coins differ, or the opposite if he paid: three bits for each."""
    agents = 40
    space = space_of(name, alone(range(3 * agents)))
    coin = [space.var(3 * k) for k in range(agents)]
    paid = [space.var(3 * k + 1) for k in range(agents)]
    said = [space.var(3 * k + 2) for k in range(agents)]
    right = conjunction(
        space, (~parity(space, (coin[k], coin[k - 1], paid[k], said[k])) for k in range(agents))
    )
    assert space.count(right, range(3 * agents)) == 1 << 2 * agents
    as_many = ~parity(space, [*paid, *said])
    assert right & as_many == right
