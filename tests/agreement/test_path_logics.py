"""Path logics: the symbolic engine against the reference, state by state, on random systems."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engines import Asker, computing
from knower.errors import LimitReached
from knower.functions.registry import available
from knower.options import Tuning
from knower.symbolic.decode import Decoder
from strategies import cases
from worlds import questions

LOGICS = ["LTL", "LTLK", "CTL*", "CTL*K", "LDL", "LDLK", "CDL*", "CDL*K", "LTLf", "LDLf", "CDLf*"]
#: Systems, with four formulas each.
SYSTEMS = 24
#: The reference needs long for some formulas; those are left out.
SECONDS = 5


@pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")
@pytest.mark.parametrize("logic", LOGICS)
def test_states_agree(logic):
    @cases(SYSTEMS)
    @given(questions(logic), st.sampled_from(available() or ("none",)))
    def agree(question, library):
        reference, specs = question
        model = Asker("bdd", reference.system, computing(60), reference.reading, Tuning(library))
        decoder, nothing = Decoder(model.model), model.model.space.false
        for spec in specs:
            reference.budget.seconds = reference.budget.elapsed + SECONDS
            try:
                expected = reference.states_where(spec)
            except LimitReached:
                assume(False)
            found = model.states_where(spec)
            where = frozenset(
                number
                for number, state in enumerate(reference.space.states)
                if decoder.code(state) & found != nothing
            )
            assert (where, model.model.system.count(found)) == (expected, len(expected)), spec

    agree()
