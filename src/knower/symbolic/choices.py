"""Codes for the actions an agent chooses from.

Actions that are never enabled together may share a code: the state tells them apart. An agent with 68
actions of which a state allows four at most has two bits to choose by, not seven, and nobody has to
quantify the others at every step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic

from knower.functions.protocol import F, Space, Variable
from knower.records import dataclass

#: Codes are shared if that leaves at most this share of the bits; where they are shared, whatever listens to
#: an action depends on when it is enabled. A warden who calls one of n prisoners would save one bit of many.
_WORTH_WHILE = 0.5
#: The largest condition that listeners are made to depend on: ten times what protocols by state have (2 to 10
#: nodes), far below those that compare sums.
_SMALL = 100


@dataclass(frozen=True)
class Choice(Generic[F]):
    """What one agent chooses: the bits it chooses by, and the code of each action.

    `shared`: some codes stand for several actions, of which the state allows one.
    """

    bits: tuple[Variable, ...]
    codes: Mapping[str, int]
    shared: bool

    def values(self, action: str) -> tuple[bool, ...]:
        """The bits of an action, the most significant first."""
        width = len(self.bits)
        return tuple(bool(self.codes[action] >> place & 1) for place in reversed(range(width)))


def choice_among(
    space: Space[F], enabled: Mapping[str, F], valid: F, bits: Sequence[Variable]
) -> Choice[F] | None:
    """The codes of actions by when they are enabled (in valid states); None if there is never a choice."""
    colours = _coloured(space, {action: where & valid for action, where in enabled.items()})
    most = max(colours.values(), default=0)
    width = most.bit_length()
    if width == 0:
        return None
    if width <= _WORTH_WHILE * len(bits) and all(space.size(where) <= _SMALL for where in enabled.values()):
        return Choice(tuple(bits[:width]), colours, shared=True)
    return Choice(tuple(bits), {action: number for number, action in enumerate(enabled)}, shared=False)


def _coloured(space: Space[F], enabled: Mapping[str, F]) -> dict[str, int]:
    """Numbers for the actions, different for those that may be enabled together; each the least possible."""
    taken: list[F] = []  # where some action of each number is enabled
    least: dict[F, int] = {}  # of actions that are enabled in the same states
    colours: dict[str, int] = {}
    for action, where in enabled.items():
        number = least.get(where, 0)
        while number < len(taken) and taken[number] & where != space.false:
            number += 1
        if number == len(taken):
            taken.append(space.false)
        taken[number] = taken[number] | where
        colours[action], least[where] = number, number
    return colours
