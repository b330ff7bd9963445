"""The reachable states: the three loops of 002 algorithm 10, and chaining."""

from __future__ import annotations

from knower.functions.protocol import F
from knower.limits import Budget
from knower.symbolic.relation import Relation


def reachable(relation: Relation[F], initial: F, budget: Budget, method: str = "auto") -> F:
    """All states that steps of the relation lead to from the initial ones.

    `auto` chains the moves of a relation that has several, and else goes breadth first.
    """
    if method == "auto":
        method = "chained" if len(relation.moves) > 1 else "frontier"
    match method:
        case "whole":
            return _whole(relation, initial, budget)
        case "layer":
            return _layer(relation, initial, budget)
        case "frontier":
            return _frontier(relation, initial, budget)
        case _:
            return _chained(relation, initial, budget)


def _whole(relation: Relation[F], initial: F, budget: Budget) -> F:
    """The image of everything reached so far, again and again."""
    before, reached = relation.space.false, initial
    while before != reached:
        budget.step()
        before, reached = reached, reached | relation.post(reached)
    return reached


def _layer(relation: Relation[F], initial: F, budget: Budget) -> F:
    """The image of the last image."""
    before, reached, layer = relation.space.false, initial, initial
    while before != reached:
        budget.step()
        layer = relation.post(layer)
        before, reached = reached, reached | layer
    return reached


def _frontier(relation: Relation[F], initial: F, budget: Budget) -> F:
    """The image of what was new in the last step: breadth first."""
    reached, fresh = initial, initial
    while fresh != relation.space.false:
        budget.step()
        fresh = relation.post(fresh) & ~reached
        reached = reached | fresh
    return reached


def _chained(relation: Relation[F], initial: F, budget: Budget) -> F:
    """Each move starts from what the moves before it have reached."""
    before, reached = relation.space.false, initial
    while before != reached:
        before = reached
        for move in relation.moves:
            budget.step()
            reached = reached | move.post(reached)
    return reached
