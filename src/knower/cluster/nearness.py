"""Which parts of the frontier are nearest to a counterexample: they are explored first."""

from __future__ import annotations

import time
from typing import Generic

from knower.checking.evaluate import Evaluator
from knower.functions.protocol import F
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.linear import invariant
from knower.logic.polarity import polarity
from knower.query.query import Query
from knower.symbolic.model import SymbolicModel

#: So many steps back from the bad states, as long as their diagrams are small and it takes little time.
_STEPS, _NODES, _SECONDS = 8, 10_000, 0.3


def bad_states(model: SymbolicModel[F], query: Query) -> F | None:
    """Where `p` fails, reachable or not, of a formula `AG p` with nothing but propositions in `p`."""
    body = _invariant(query.formula)
    return None if body is None else Evaluator(model.on(model.space.true)).states(f.Not(body))


class Nearness(Generic[F]):
    """How far states are from bad ones; where there are none to go by, nothing is near.

    States on the way need not be reachable: it is a guess.
    """

    def __init__(self, model: SymbolicModel[F], query: Query) -> None:
        self._nothing = model.space.false
        bad = bad_states(model, query)
        self._layers: list[F] = [] if bad is None else _backward(model, bad)

    def distance(self, states: F) -> int:
        """The steps from the nearest of these states, or how far back was looked if none is near."""
        near = (k for k, layer in enumerate(self._layers) if layer & states != self._nothing)
        return next(near, len(self._layers))


def _invariant(root: Formula) -> Formula | None:
    """What a formula says of every state, if it speaks of nothing but propositions."""
    match root:
        case f.AG(body):
            always: Formula | None = body
        case f.A(path):
            always = invariant(path)
        case _:
            always = None
    return always if always is not None and all(polarity(always)) else None


def _backward(model: SymbolicModel[F], bad: F) -> list[F]:
    space, until = model.space, time.perf_counter() + _SECONDS
    layers, met = [bad], bad
    while len(layers) < _STEPS and time.perf_counter() < until and space.size(layers[-1]) < _NODES:
        layers.append(model.relation.pre(layers[-1]) & ~met)
        met = met | layers[-1]
    return layers
