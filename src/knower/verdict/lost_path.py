"""What engines tell of plays that a coalition loses, before anything is proved of them."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from knower.verdict.evidence import State

#: A member, what it sees, and what it does.
Choice: TypeAlias = tuple[str, State, str]


class LostPath(NamedTuple):
    """The states of a play that a coalition loses, and the choices of its members that lead along it.

    With a `loop`, it is lost for ever; without, by what the choices may lead to from the last state.
    """

    states: tuple[State, ...]
    choices: frozenset[Choice]
    loop: int | None = None
