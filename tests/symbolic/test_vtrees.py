"""Vtrees: each has all variables, in the shape its name promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, groupby
from math import ceil, log2, sqrt
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from systems import SELECTORS, encoding_of, systems

import knower
from engines import has_sdd
from knower.functions.protocol import Variable
from knower.functions.registry import new_sdd_space
from knower.functions.vtree import Branch, Vtree, leaves, written
from knower.options import ORDERS
from knower.options import VTREES as NAMES
from knower.symbolic.encode import Encoding
from knower.symbolic.order import arranged
from knower.symbolic.vtrees import VTREE, VTREES, planted
from strategies import cases

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ispl"))
BOUNDS: dict[str, Callable[[int], float]] = {
    "agents-log": log2,
    "agents-sqrt": sqrt,
    "agents-2log": lambda n: 2 * log2(n),
    "bounded": log2,
}
#: The order over which a vtree is planted unless another is asked for.
ORDER = "replicas"


@pytest.fixture(params=EXAMPLES, ids=lambda path: path.stem, scope="module")
def encoding(request: pytest.FixtureRequest) -> Encoding:
    return Encoding(knower.load(request.param).interpreted)


# -- looking at trees --------------------------------------------------------------------------------------


def branches(tree: Vtree) -> Iterator[Branch]:
    if isinstance(tree, Branch):
        yield tree
        yield from branches(tree.left)
        yield from branches(tree.right)


def spine(tree: Vtree) -> Iterator[Branch]:
    """From the root to the right, and to the right again."""
    while isinstance(tree, Branch):
        yield tree
        tree = tree.right


def taken_apart(tree: Vtree, count: int) -> list[Vtree]:
    """A right-linear row of so many subtrees."""
    found = []
    for _ in range(count - 1):
        assert isinstance(tree, Branch)
        found.append(tree.left)
        tree = tree.right
    return [*found, tree]


def l_subtrees(tree: Vtree) -> list[list[Variable]]:
    """The variables of the left subtrees along the right spine; those of the leaf at its end."""
    return [list(leaves(part)) for part in taken_apart(tree, 1 + len(list(spine(tree))))]


def is_balanced(tree: Vtree) -> bool:
    sizes = [(len(list(leaves(b.left))), len(list(leaves(b.right)))) for b in branches(tree)]
    return all(left - right in (0, 1) for left, right in sizes)


def is_right_linear(tree: Vtree) -> bool:
    return all(not isinstance(branch.left, Branch) for branch in branches(tree))


# -- what belongs to whom ----------------------------------------------------------------------------------


def in_order(encoding: Encoding, order: str = ORDER) -> list[Variable]:
    return list(chain.from_iterable(arranged(order, encoding)))


def owned(encoding: Encoding) -> dict[str, list[Variable]]:
    """The variables of each agent that has some, now, next and of its actions, in order."""
    layout = encoding.layout
    found = {name: set(bits) for name, bits in layout.action_bits.items()}
    for (agent, _), field in layout.fields.items():
        found[agent] |= {*field.now, *field.after}
    return {name: [v for v in in_order(encoding) if v in mine] for name, mine in found.items() if mine}


# -- all of them -------------------------------------------------------------------------------------------


def test_every_vtree_can_be_asked_for_by_its_name():
    assert {*NAMES} == {"auto", *VTREES}
    assert VTREE in VTREES


@pytest.mark.parametrize("name", VTREES)
def test_every_variable_has_one_leaf(name, encoding):
    for order in ORDERS:
        assert sorted(leaves(planted(name, order, encoding))) == list(range(encoding.layout.variables))


@cases(40)
@given(systems(max_states=100), st.sampled_from(SELECTORS), st.sampled_from(ORDERS))
def test_every_variable_has_one_leaf_in_any_model(system, least, order):
    encoding = encoding_of(system, least)
    assume(encoding.layout.variables)
    for name in VTREES:
        assert sorted(leaves(planted(name, order, encoding))) == list(range(encoding.layout.variables))


@pytest.mark.parametrize("name", VTREES)
def test_the_library_reads_what_is_written(name, encoding):
    if not has_sdd:
        pytest.skip("pysdd is not installed")
    tree = planted(name, "auto", encoding)
    assert new_sdd_space(tree, "off").vtree() == tree
    assert new_sdd_space(tree, "off").order() == list(leaves(tree))


@pytest.mark.parametrize("name", VTREES)
def test_what_is_written(name, encoding):
    """A leaf for each variable, a line for each node, children before their parents."""
    tree = planted(name, "auto", encoding)
    head, *lines = written(tree).splitlines()
    assert head == f"vtree {2 * encoding.layout.variables - 1}" == f"vtree {len(lines)}"
    known: dict[int, Vtree] = {}
    for line in lines:
        kind, number, *rest = line.split()
        found = [int(word) for word in rest]
        known[int(number)] = found[0] - 1 if kind == "L" else Branch(known[found[0]], known[found[1]])
    assert known[len(lines) - 1] == tree


# -- shapes over an order ----------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS[1:])
@pytest.mark.parametrize("name", ["right-linear", "left-linear", "balanced", "bounded"])
def test_leaves_stand_in_the_order_asked_for(name, order, encoding):
    assert list(leaves(planted(name, order, encoding))) == in_order(encoding, order)


@pytest.mark.parametrize("name", VTREES)
def test_the_order_unless_asked_for(name, encoding):
    assert planted(name, "auto", encoding) == planted(name, ORDER, encoding)


def test_right_linear(encoding):
    assert is_right_linear(planted("right-linear", "auto", encoding))


def test_left_linear(encoding):
    tree = planted("left-linear", "auto", encoding)
    assert all(not isinstance(branch.right, Branch) for branch in branches(tree))


def test_balanced(encoding):
    assert is_balanced(planted("balanced", "auto", encoding))


def test_vertical(encoding):
    """The next variable of the order on the left of the rest, then one on the right, and so on."""
    tree, on_the_left = planted("vertical", "auto", encoding), True
    *first, last = in_order(encoding)
    for variable in first:
        assert isinstance(tree, Branch)
        leaf, tree = (tree.left, tree.right) if on_the_left else (tree.right, tree.left)
        assert leaf == variable
        on_the_left = not on_the_left
    assert tree == last


# -- partitions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shape"), [("agents", is_balanced), ("agents-right-linear", is_right_linear)]
)
def test_one_subtree_for_each_agent(name, shape, encoding):
    """The smallest first."""
    agents = list(owned(encoding).values())
    parts = taken_apart(planted(name, "auto", encoding), len(agents))
    assert sorted(list(leaves(part)) for part in parts) == sorted(agents)
    sizes = [len(list(leaves(part))) for part in parts]
    assert sizes == sorted(sizes)
    assert all(map(shape, parts))


@pytest.mark.parametrize("name", BOUNDS)
def test_no_subtree_is_larger_than_its_bound(name, encoding):
    """And none tears now and next apart; the last one is itself a part of the spine, so it may seem to."""
    bound = max(2, ceil(BOUNDS[name](encoding.layout.variables)))
    parts = l_subtrees(planted(name, "auto", encoding))
    assert max(map(len, parts)) <= bound
    inner = {v: k for k, part in enumerate(parts) for v in part if k < len(parts) - bound}
    assert all(inner[v] == inner.get(v ^ 1) for v in inner if v < 2 * encoding.layout.state_bits)


@pytest.mark.parametrize("name", BOUNDS)
def test_bounded_subtrees_are_balanced(name, encoding):
    tree = planted(name, "auto", encoding)
    assert all(is_balanced(branch.left) for branch in spine(tree))


@pytest.mark.parametrize("name", [name for name in BOUNDS if name != "bounded"])
def test_bounded_subtrees_are_of_one_agent(name, encoding):
    owner = {v: agent for agent, mine in owned(encoding).items() for v in mine}
    parts = l_subtrees(planted(name, "auto", encoding))
    assert all(len({owner[v] for v in part}) == 1 for part in parts)
    rows = [agent for agent, _ in groupby(owner[part[0]] for part in parts)]
    assert sorted(rows) == sorted({*owner.values()}), "those of an agent follow each other"


@pytest.mark.parametrize("order", ["auto", "replicas", "force", "interleaved", "interleaved-actions"])
def test_interleaved(order, encoding):
    """The first bit of every agent, now and next; then the second of each that has two; actions last."""
    actions = {*encoding.layout.actions}
    states = [[v for v in mine if v not in actions] for mine in owned(encoding).values()]
    rounds = max(map(len, states)) // 2
    parts = taken_apart(planted("interleaved", order, encoding), rounds + bool(actions))
    *layers, last = [{*leaves(part)} for part in parts] + ([] if actions else [set()])
    assert last == actions
    for number, layer in enumerate(layers):
        here = [[v for v in mine if v in layer] for mine in states]
        assert [len(found) for found in here] == [2 if len(mine) > 2 * number else 0 for mine in states]
        assert all({v ^ 1 for v in found} == {*found} for found in here), "now and next"
    assert all(map(is_balanced, parts))
