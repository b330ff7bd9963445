"""Random games of hidden positions, as texts.

Positions follow each other at random, so plays have cycles, dead ends and several ways on; each player sees
one or two signs of the position, or nothing, and may do less on seeing one. Some steps overflow; some games
have a fairness constraint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

SIGNS = ["sign", "hue", "sign", "hue", "position", ""]
VALUES = {"sign": "x", "hue": "red", "position": "1", "": ""}


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
            if dice.random() < 0.04:  # no successor
                yield f"    position = position + 9 if position = {position} and {acts};"
                continue
            for _ in range(dice.choice([0, *[1] * 16, 2, 2])):
                to = dice.choice(positions)
                yield f"    position = {to} and {signs[to]} if position = {position} and {acts};"


def _player(name: str, dice: Random) -> list[str]:
    sees = dice.choice(SIGNS)
    lines = [f"Agent {name}", f"  Lobsvars = {{{sees}}};", "  Vars: idle : 0..0; end Vars"]
    less = f"Environment.{sees} = {VALUES[sees]} : {{{dice.choice(['a', 'b', ''])}}};"
    fewer = less if sees and dice.random() < 0.3 else ""
    lines += ["  Actions = {a, b};", f"  Protocol: {fewer} Other : {{a, b}}; end Protocol"]
    return [*lines, "  Evolution: end Evolution", "end Agent"]


def _some(positions: range, dice: Random) -> str:
    chosen = [position for position in positions if dice.random() < 0.4] or [0]
    return " or ".join(f"Environment.position = {position}" for position in chosen)


def _start(position: int, signs: Sequence[str]) -> str:
    seen = signs[position].replace("sign", "Environment.sign").replace("hue", "Environment.hue")
    return f"(Environment.position = {position} and {seen})"
