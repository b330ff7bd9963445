"""Owners against the reference, on random systems and formulas: wherever states are, answers are the same."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engines import Asker
from knower.errors import LimitReached
from knower.functions.registry import available
from knower.options import DeadlockPolicy
from knower.ownership.owned_model import OwnedModel, owned_model, refuses
from knower.verdict.verdict import Verdict
from strategies import cases
from worlds import questions

LIBRARIES = available()
pytestmark = pytest.mark.skipif(not LIBRARIES, reason="no library of decision diagrams is installed")


def owned(reference: Asker, owners: int, library: str) -> OwnedModel:
    """The same system, with windows chosen at once: owners have something of it, however small it is."""
    loops = reference.reading.on_deadlock is DeadlockPolicy.LOOP
    return owned_model(reference.system, owners, library=library, loops=loops, telling=1, nodes=1 << 12)


@pytest.mark.parametrize("logic", ["CTL", "CTLK", "CTLKO"])
def test_owners_agree_with_the_reference(logic):
    told: Counter[object] = Counter()

    @cases(12)
    @given(questions(logic), st.integers(1, 4), st.sampled_from(LIBRARIES))
    def agrees(asked, owners, library):
        reference, specs = asked
        model = owned(reference, owners, library)
        assert model.states == reference.states
        told["owners"] += len(model.network.owners) > 1
        for spec in specs:
            query = reference.query(spec)
            assert refuses(query) is None
            try:
                expected = reference.states_where(spec)
            except LimitReached:
                assume(False)
            evaluator = model.evaluator(query)
            assert model.space.count(evaluator.states(query.formula)) == len(expected)
            assert evaluator.holds(query.formula) == (reference.check(spec).verdict is Verdict.TRUE)
            told["pairs"] += 1

    agrees()
    assert told["owners"] and told["pairs"]
