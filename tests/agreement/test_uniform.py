"""Uniform strategies, found by counterexamples, against every strategy tried: games of hidden positions.

Positions follow each other at random, so plays have cycles, dead ends and several ways on; each player sees
one or two signs of the position, or nothing. Some games have a fairness constraint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knower
from engines import Asker
from knower.errors import LimitReached
from knower.functions.registry import PYSAT, available, is_here
from knower.limits import Budget
from knower.options import AtlReading, DeadlockPolicy, Reading
from strategies import cases

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")

SIGNS = ["sign", "hue", "sign", "hue", "position", ""]


def game(dice: Random, *, fair: bool) -> str:
    """A random game as a text."""
    players = [f"P{number}" for number in range(1, dice.choice([3, 4, 4]))]
    positions = range(dice.choice([5, 6, 8]))
    signs = [f"sign = {dice.choice('xyz')} and hue = {dice.choice(['red', 'blue'])}" for _ in positions]
    lines = ["Agent Environment", "  Vars: position : 0..7; sign : {x, y, z}; hue : {red, blue}; end Vars"]
    lines += ["  Actions = {none};", "  Protocol: Other : {none}; end Protocol", "  Evolution:"]
    lines += _moves(players, positions, signs, dice)
    lines += ["  end Evolution", "end Agent"]
    for name in players:
        lines += _player(name, dice)
    lines += ["Evaluation", *(f"  {name} if {_some(positions, dice)};" for name in "pqr"), "end Evaluation"]
    starts = [_start(position, signs) for position in dice.sample(positions, dice.choice([1, 2]))]
    lines += [
        f"InitStates ({' or '.join(starts)}) and " + " and ".join(f"{n}.idle = 0" for n in players) + ";"
    ]
    lines += ["end InitStates", f"Groups all = {{{', '.join(players)}}}; two = {{P1, P2}}; end Groups"]
    lines += ["Fairness r; end Fairness"] if fair else []
    return "\n".join([*lines, "Formulae true; end Formulae"])


def _moves(players: Sequence[str], positions: range, signs: Sequence[str], dice: Random) -> Iterator[str]:
    for position in positions:
        for joint in product("ab", repeat=len(players)):
            acts = " and ".join(f"{who}.Action = {act}" for who, act in zip(players, joint, strict=True))
            for _ in range(dice.choice([0, *[1] * 16, 2, 2])):
                to = dice.choice(positions)
                yield f"    position = {to} and {signs[to]} if position = {position} and {acts};"


def _player(name: str, dice: Random) -> list[str]:
    lines = [f"Agent {name}", f"  Lobsvars = {{{dice.choice(SIGNS)}}};", "  Vars: idle : 0..0; end Vars"]
    lines += ["  Actions = {a, b};", "  Protocol: Other : {a, b}; end Protocol", "  Evolution: end Evolution"]
    return [*lines, "end Agent"]


def _some(positions: range, dice: Random) -> str:
    chosen = [position for position in positions if dice.random() < 0.4] or [0]
    return " or ".join(f"Environment.position = {position}" for position in chosen)


def _start(position: int, signs: Sequence[str]) -> str:
    seen = signs[position].replace("sign", "Environment.sign").replace("hue", "Environment.hue")
    return f"(Environment.position = {position} and {seen})"


FORMULAS = [
    "<{g}>X {p}",
    "<{g}>F {p}",
    "<{g}>G {p}",
    "<{g}>(r U {p})",
    "<{g}>F (<{h}>X {p})",
    "AG (q -> <{g}>F {p})",
]


@pytest.mark.parametrize("fair", [False, True])
@pytest.mark.parametrize("shape", FORMULAS)
def test_what_uniform_strategies_can_do(shape, fair):
    if not is_here(PYSAT):
        pytest.skip("python-sat is not installed")
    groups, propositions = st.sampled_from(["P1", "P2", "two", "all"]), st.sampled_from(["p", "q", "!q", "r"])
    policies = st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP])

    @cases(10)
    @given(st.randoms(use_true_random=False), groups, groups, propositions, policies)
    def agree(dice, g, h, p, policy):
        system = knower.loads(game(dice, fair=fair))
        reading = Reading(atl=AtlReading.UNIFORM, on_deadlock=policy)
        spec = system.parse(shape.format(g=g, h=h, p=p))
        reference = Asker("explicit", system.interpreted, Budget(seconds=10), reading)
        model = Asker("bdd", system.interpreted, Budget(seconds=60), reading)
        try:
            expected = [reference.holds_at(spec, state) for state in reference.space.states]
        except LimitReached:
            assume(False)
        assert model.check(spec).verdict is reference.check(spec).verdict
        assert [model.holds_at(spec, state) for state in reference.space.states] == expected

    agree()
