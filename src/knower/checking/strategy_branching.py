"""Strategies as functions of state and actions, decided one observation at a time."""

from __future__ import annotations

from collections.abc import Iterable

from knower.functions.protocol import F
from knower.symbolic.system import TransitionSystem


def first_choice(
    system: TransitionSystem[F], players: Iterable[str], states: F, strategy: F
) -> list[F] | None:
    """A choice some player still has in one of the states, or None if all is decided.

    The choice is given as the functions by one of which to narrow the strategy.
    """
    for player in players:
        options = _options(system, player, states, strategy)
        if options is not None:
            return options
    return None


def _options(system: TransitionSystem[F], player: str, states: F, strategy: F) -> list[F] | None:
    space, steps, layout = system.space, system.steps, system.layout
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
    one = system.one(several)
    elsewhere = ~system.indistinguishable_to_all(one, (player,))
    possible = [code for code, where in zip(codes, enabled, strict=True) if one & ~where == space.false]
    return [elsewhere | code for code in possible]
