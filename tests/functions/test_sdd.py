"""What is peculiar to sentential decision diagrams: garbage, better vtrees, and their kinship with BDDs."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from spaces import SHAPES, alone, conjunction, function_of, sdd_space_of, space_of

from engines import has_sdd
from knower.functions.copying import Copier
from knower.functions.protocol import Described, Space, Variable
from knower.functions.registry import available
from knower.functions.table import TableSpace
from knower.functions.vtree import Branch, Vtree, balanced, leaves, right_linear, vertical
from knower.limits import resident_megabytes

pytestmark = pytest.mark.skipif(not has_sdd, reason="pysdd is not installed")

#: Long tests are so many times as long.
FACTOR = max(1.0, float(os.environ.get("KNOWER_EXAMPLES", "1")))


def grown(space: Space[Any], seed: int, variables: int, steps: int = 40) -> list[Any]:
    """Random functions of the variables, the same in every space."""
    draw = random.Random(seed)
    found = [space.var(v) for v in range(variables)]
    for _ in range(steps):
        one, two, three = (draw.choice(found) for _ in range(3))
        made = (one & two, one | ~two, space.xor(one, two), space.ite(one, two, ~three))
        found.append(draw.choice(made))
    return found


def random_vtree(draw: random.Random, variables: Sequence[Variable]) -> Vtree:
    """Any vtree over the variables, in any order."""
    trees: list[Vtree] = draw.sample(list(variables), len(variables))
    while len(trees) > 1:
        place = draw.randrange(len(trees) - 1)
        trees[place : place + 2] = [Branch(trees[place], trees[place + 1])]
    return trees[0]


def parts(tree: Vtree) -> list[set[Variable]]:
    """The variables of the left subtrees along the right spine, and of the leaf at its end."""
    found = []
    while isinstance(tree, Branch):
        found.append({*leaves(tree.left)})
        tree = tree.right
    return [*found, {*leaves(tree)}]


# -- vtrees ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_a_vtree_is_planted_as_it_is_written(seed):
    draw = random.Random(seed)
    tree = random_vtree(draw, range(draw.randint(1, 40)))
    space = sdd_space_of(tree)
    assert space.vtree() == tree
    assert space.order() == list(leaves(tree))


def test_a_deep_vtree_is_planted():
    for tree in (right_linear(range(3000)), vertical(range(3000))):
        found = sdd_space_of(tree).vtree()
        assert list(leaves(found)) == list(leaves(tree))


@pytest.mark.parametrize("shape", SHAPES)
def test_more_variables_come_last(shape):
    """What was made before, prepared sets and renamings among it, is good after it."""
    space = space_of(shape, alone(range(4)))
    f = function_of(space, 0x1234, 4)
    exchange, two = space.renaming({0: 3}), space.quantified([0, 1])
    assert space.extend(3) == [4, 5, 6]
    assert space.order() == list(range(7))
    assert f == function_of(space, 0x1234, 4)
    assert (space.count(f, range(4)), space.count(f, range(7))) == (5, 5 << 3)
    assert space.count(f & space.var(6), range(7)) == 5 << 2
    assert space.rename(space.var(0) & space.var(5), exchange) == space.var(3) & space.var(5)
    assert space.exists(f & space.var(4), two) == space.exists(f, two) & space.var(4)
    assert space.pick(f & ~space.var(4) & space.var(6), range(7))[6]


def test_functions_of_two_spaces_are_different():
    """The library mixes them in silence: that they differ is all the warning there is."""
    one, two = (sdd_space_of(balanced(range(3))) for _ in range(2))
    assert one.var(0) == one.var(0) != two.var(0)
    assert (one.true, one.false) != (two.true, two.false)


# -- exchanging variables ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_variables_are_exchanged_in_any_vtree(seed):
    draw, variables = random.Random(seed), range(8)
    space, table = sdd_space_of(random_vtree(draw, variables)), TableSpace(alone(variables))
    mixed = draw.sample(variables, 8)
    pairs = dict(zip(mixed[:3], mixed[3:6], strict=True))
    there, here = space.renaming(pairs), table.renaming(pairs)
    copy = Copier(space, table, {v: v for v in variables})
    for f, same in zip(grown(space, seed, 8), grown(table, seed, 8), strict=True):
        renamed = space.rename(f, there)
        assert copy(renamed) == table.rename(same, here)
        assert space.rename(renamed, there) == f


# -- garbage -----------------------------------------------------------------------------------------------


def churned(space: Any, rounds: int) -> Iterator[Any]:
    """Functions made and let go, by four operations in a round or five."""
    draw, variables = random.Random(6), len(space.order())
    bits = [space.var(v) for v in range(variables)]
    bits += [~bit for bit in bits]
    few, held = space.quantified(range(0, variables, 6)), draw.sample(bits, 20)
    for turn in range(rounds):
        one, two = draw.choice(bits), draw.choice(bits)
        made = draw.choice(held)
        made = made & (one | two) if turn % 2 else made | one & two
        made = space.and_exists(made, draw.choice(held) | two, few) if turn % 4 == 0 else ~made
        constant = made in (space.true, space.false)
        held[draw.randrange(len(held))] = one if constant or space.size(made) > 80 else made
        yield made


def test_nothing_leaks():
    """160 000 operations, a million with KNOWER_EXAMPLES=6: as much is held at the end as at the start."""
    space = sdd_space_of(balanced(range(24)))
    warm, all_rounds = 15_000, round(40_000 * FACTOR)
    for part in (warm, all_rounds - warm):
        before = resident_megabytes()
        most = max(space.nodes() for _ in churned(space, part))
        assert 100_000 < most < 150_000, "garbage is collected when there is much of it"
    assert resident_megabytes() - before < 30
    space._manager.garbage_collect()
    assert space.nodes() == 0


def test_garbage_is_collected_without_a_search_for_vtrees(monkeypatch):
    monkeypatch.setattr("knower.functions.sdd._MUCH_GARBAGE", 1000)
    tree = balanced(range(24))
    space = sdd_space_of(tree, "off")
    assert max(space.nodes() for _ in churned(space, 2000)) < 3000
    assert (space.minimisations, space.vtree()) == (0, tree)


@pytest.mark.parametrize("minimise", ["off", "auto", "l-subtrees"])
def test_what_is_held_survives_the_collections(monkeypatch, minimise):
    monkeypatch.setattr("knower.functions.sdd._MUCH_GARBAGE", 100)
    space, table = sdd_space_of(balanced(range(12)), minimise), TableSpace(alone(range(12)))
    held = grown(space, 7, 12)
    for _ in churned(space, 500):
        pass
    copy = Copier(space, table, {v: v for v in range(12)})
    assert [copy(f) for f in held] == grown(table, 7, 12)
    assert held == grown(space, 7, 12)


def test_functions_may_outlive_their_space():
    """And the end of the program, whatever is let go first then."""
    lines = [
        "import gc",
        "from knower.functions.registry import new_sdd_space",
        "from knower.functions.vtree import balanced",
        "def made(minimise):",
        "    space = new_sdd_space(balanced(range(6)), minimise)",
        "    f = space.xor(space.var(0), space.var(5)) & space.var(3)",
        "    space.minimise()",
        "    return f",
        "kept = [made(minimise) for minimise in ('off', 'auto', 'l-subtrees')]",
        "gc.collect()",
        "for f in kept: print(f & ~f != f, f | ~f != f, f & f == f)",
        "space = new_sdd_space(balanced(range(6)), 'off')",
        "cycle = [space, space.var(1) & space.var(2)]; cycle.append(cycle)",
        "import sys; sys.kept = space.var(3) | space.var(4)",
    ]
    ended = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.split() == ["True"] * 9


# -- better vtrees -----------------------------------------------------------------------------------------


def row(variables: Sequence[Variable], length: int) -> Vtree:
    """Balanced subtrees of some length along a right spine."""
    return right_linear([balanced(variables[k : k + length]) for k in range(0, len(variables), length)])


def far_pairs(space: Space[Any], half: int) -> Any:
    """Each variable of the first half like one of the second: better side by side in the vtree."""
    return conjunction(space, (~space.xor(space.var(v), space.var(v + half)) for v in range(half)))


@pytest.mark.parametrize("minimise", ["auto", "l-subtrees"])
@pytest.mark.parametrize("seed", range(6))
def test_a_better_vtree_changes_no_function(minimise, seed):
    draw, variables = random.Random(seed), range(12)
    tree = draw.choice((random_vtree(draw, variables), row(draw.sample(variables, 12), 4)))
    space, table = sdd_space_of(tree, minimise), TableSpace(alone(variables))
    held, same = grown(space, seed, 12), grown(table, seed, 12)
    exchange, few = space.renaming({0: 1, 2: 3}), space.quantified([4, 5, 6])
    others = [(space.rename(f, exchange), space.exists(f, few)) for f in held]
    space.minimise()
    assert space.minimisations >= 1
    assert sorted(leaves(space.vtree())) == list(variables)
    assert held == grown(space, seed, 12)
    copy = Copier(space, table, {v: v for v in variables})
    assert [copy(f) for f in held] == same
    assert [space.count(f, variables) for f in held] == [table.count(f, variables) for f in same]
    assert [(space.rename(f, exchange), space.exists(f, few)) for f in held] == others


@pytest.mark.parametrize("minimise", ["auto", "l-subtrees"])
def test_a_better_vtree_is_better(minimise):
    order = [v for k in (0, 4) for v in (*range(k, k + 4), *range(k + 8, k + 12))]
    space = sdd_space_of(row(order, 8), minimise)
    before, f = space.vtree(), far_pairs(space, 8)
    size = space.size(f)
    space.minimise()
    assert space.size(f) < size
    assert space.vtree() != before


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("length", [2, 3, 5])
def test_l_subtrees_keep_their_variables(seed, length):
    variables = random.Random(seed).sample(range(15), 15)
    space = sdd_space_of(row(variables, length), "l-subtrees")
    held, before = grown(space, seed, 15), parts(space.vtree())
    for _ in range(2):
        space.minimise()
        assert parts(space.vtree()) == before
    assert held == grown(space, seed, 15)


def test_anywhere_means_that_parts_are_not_kept():
    space = sdd_space_of(row(range(12), 3), "auto")
    before, f = parts(space.vtree()), far_pairs(space, 6)
    space.minimise()
    assert parts(space.vtree()) != before
    assert f == far_pairs(space, 6)


@pytest.mark.parametrize(("minimise", "often"), [("off", False), ("auto", True), ("l-subtrees", True)])
def test_vtrees_are_looked_for_as_diagrams_grow(minimise, often):
    space = sdd_space_of(row(range(24), 6), minimise)
    held = [f for turn, f in enumerate(churned(space, 800)) if turn % 5 == 0]
    assert (space.minimisations > 0) == often
    assert isinstance(space, Described)
    assert space.details() == {"minimise": minimise, "minimisations": space.minimisations}
    assert held


# -- with a right-linear vtree -----------------------------------------------------------------------------


def shared_with_bdds(space: Any, function: Any) -> int:
    """The nodes that an ordered BDD has too: decisions, and literals that are not just primes."""
    subs = [sub for _, _, elements in space.decisions(function) for _, sub in elements]
    literals = {node for node in (function, *subs) if node.is_literal()}
    return sum(1 for _ in space.decisions(function)) + len(literals)


@pytest.mark.skipif("oxidd" not in available(), reason="oxidd is not installed")
@pytest.mark.parametrize("variables", range(3, 13))
def test_right_linear_diagrams_are_ordered_bdds(variables):
    """Nodes of the BDD = decision nodes + literals that are a sub, or all there is, + constants.

    A decision `{(x, high), (~x, low)}` is the BDD's node `x ? high : low`; those with two constants
    for sides are trimmed to the literals `x` and `~x`. The literals that are primes only are the tests on
    variables, which are no nodes of a BDD. OxiDD counts the constants too: two, or one for a constant.
    """
    order = alone(random.Random(variables).sample(range(variables), variables))
    sdd, bdd = space_of("sdd-right-linear", order), space_of("oxidd", order)
    for seed in range(40):
        for f, same in zip(grown(sdd, seed, variables), grown(bdd, seed, variables), strict=True):
            constants = 1 if f in (sdd.true, sdd.false) else 2
            assert bdd.size(same) == shared_with_bdds(sdd, f) + constants
            assert f.size() == 2 * sum(1 for _ in sdd.decisions(f)), "two elements each"
