"""Formulas followed along evidence: where they hold, where they fail, and where nobody can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from knower.evidence.view import View
from knower.functions.protocol import F
from knower.logic.formula import Formula
from knower.logic.kinds import is_propositional
from knower.logic.polarity import polarity
from knower.system.explicit import Explicit
from knower.system.propositions import holds_in
from knower.verdict.evidence import Evidence, Followed, State, everything, states

#: Whether a formula holds at a state; None where that is not known.
Value: TypeAlias = Callable[[State], bool | None]


def followed(text: str, found: Evidence, value: Value) -> Followed:
    """A formula at all states the evidence speaks of."""
    values = {state: value(state) for state in _states(found)}
    return Followed(
        text,
        frozenset(state for state, holds in values.items() if holds),
        frozenset(state for state, holds in values.items() if holds is None),
    )


def by_view(view: View[F], root: Formula) -> Value:
    """As an engine says. What it says of a part of the model must be true of the whole."""
    where, known = view.where(root), polarity(root)

    def value(state: State) -> bool | None:
        holds = view.only(state) & where != view.nothing
        stands = not view.is_part or (known.existential if holds else known.universal)
        return holds if stands else None

    return value


def by_sight(explicit: Explicit, root: Formula) -> Value:
    """As can be seen by looking at the state."""
    if not is_propositional(root):
        return lambda state: None
    return lambda state: holds_in(root, explicit, state)


def _states(found: Evidence) -> Iterator[State]:
    for case in found.cases:
        yield from case.run.states
        for proof in everything(case.proof):
            yield from states(proof)
