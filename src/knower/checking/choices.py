"""Strategies as functions of state and actions, decided one observation at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic

from knower.functions.protocol import F
from knower.symbolic.model import SymbolicModel


@dataclass(frozen=True)
class Choice(Generic[F]):
    """The ways to decide what a player does on one observation: narrow a strategy by one of them."""

    options: tuple[F, ...]


def first_choice(model: SymbolicModel[F], players: Iterable[str], states: F, strategy: F) -> Choice[F] | None:
    """A choice some player still has in one of the states, or None if all is decided."""
    for player in players:
        choice = _choice(model, player, states, strategy)
        if choice is not None:
            return choice
    return None


def _choice(model: SymbolicModel[F], player: str, states: F, strategy: F) -> Choice[F] | None:
    space, steps, layout = model.space, model.steps, model.layout
    allowed = states & steps.players[player] & strategy
    actions = layout.system.agent_named[player].actions
    codes = [steps.action(player, number) for number in range(len(actions))]
    every = space.quantified(layout.actions)
    enabled = [space.and_exists(allowed, code, every) for code in codes]
    some, several = space.false, space.false
    for where in enabled:
        several = several | (some & where)
        some = some | where
    if several == space.false:
        return None
    one = model.one(several)
    elsewhere = ~model.alike(one, (player,))
    options = [code for code, where in zip(codes, enabled, strict=True) if one & ~where == space.false]
    return Choice(tuple(elsewhere | code for code in options))
