"""Agents in the order of whom they hear: who hears many stands above them."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from systems import LIBRARIES, agent, model

from knower.functions.registry import new_space
from knower.symbolic.encode import Encoding
from knower.symbolic.hearing import _improved, _measure, alike, by_hearing, together
from knower.symbolic.order import arranged
from knower.symbolic.transition_parts import TransitionParts
from strategies import cases

SPEAKERS = ("Ann", "Bea", "Cid", "Dan")
ACTIONS = ("a", "b", "c", "d")
#: Nobody hears another, but the hub hears each action of everybody, in a state of its own.
TOLD = [(speaker, action) for speaker in SPEAKERS for action in ACTIONS]


def hub() -> str:
    lines = [f"at = {k + 1} if at = {k} and {who}.Action = {act};" for k, (who, act) in enumerate(TOLD)]
    return agent("Hub", f"at : 0..{len(TOLD)};", " ".join(lines))


def speakers() -> list[str]:
    return [
        agent(name, f"own{name} : boolean;", f"own{name} = true if Action = b;", actions=", ".join(ACTIONS))
        for name in SPEAKERS
    ]


def test_who_hears_all_others_is_on_top():
    encoding = Encoding(model(*speakers(), hub()))
    names = [agent.name for agent in encoding.system.agents]
    assert by_hearing(encoding, names)[0] == "Hub"
    assert arranged("replicas", encoding)[0][0] in [
        *encoding.layout.action_bits["Hub"],
        encoding.layout.fields["Hub", "at"].now[0],
    ]


def test_then_its_steps_are_small():
    """Below the others, 5 possibilities of each of four speakers have to be remembered: 625."""
    encoding = Encoding(model(*speakers(), hub()))
    sizes = []
    for name in ("replicas", "interleaved-actions"):
        space = new_space(LIBRARIES[0], arranged(name, encoding))
        parts = TransitionParts(encoding, space)
        sizes.append(max(space.size(change.relation) for change in parts.changes))
    assert sizes[0] * 2 < sizes[1]


def test_the_declared_order_is_kept_where_nobody_hears_much():
    encoding = Encoding(model(*speakers()))
    names = [agent.name for agent in encoding.system.agents]
    assert by_hearing(encoding, names) == names


def test_two_agents_are_left_as_they_are():
    ann = agent("Ann", "x : boolean;", "x = true if Bea.Action = b;", actions="a, b")
    bea = agent("Bea", "y : boolean;", actions="a, b")
    assert by_hearing(Encoding(model(bea, ann)), ["Bea", "Ann"]) == ["Bea", "Ann"]


@cases(40)
@given(st.dictionaries(st.tuples(*2 * [st.sampled_from(SPEAKERS)]), st.integers(1, 20)))
def test_moving_agents_never_makes_it_worse(hearing):
    told = {pair: count for pair, count in hearing.items() if pair[0] != pair[1]}
    for order in map(list, permutations(SPEAKERS)):
        assert _measure(_improved(order, told), told) <= _measure(order, told)


def test_variables_that_hear_the_same_stand_together():
    """What is known of a key, and what it is locked with."""
    names = ("k1_known", "k2_known", "k1_lock", "k2_lock")
    lines = [f"{name} = true if Ann.Action = {name[:2]};" for name in names]
    bea = agent("Bea", " ".join(f"{name} : boolean;" for name in names), " ".join(lines))
    encoding = Encoding(model(agent("Ann", "x : boolean;", actions="k1, k2, rest"), bea))
    keys = [("Bea", name) for name in names]
    expected = [keys[k] for k in (0, 2, 1, 3)]
    assert together(keys, alike(encoding)) == expected
    assert together(keys, []) == keys
