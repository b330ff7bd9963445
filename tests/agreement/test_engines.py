"""The symbolic engine against the reference, state by state, on random systems and formulas."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engines import Asker, computing
from knower.checking.evaluate import Evaluator
from knower.errors import LimitReached
from knower.functions.registry import available, new_space
from knower.logic.formula import members_of
from knower.options import ORDERS, REACH, AtlReading, DeadlockPolicy, Reading, Tuning
from knower.symbolic.decode import Decoder
from knower.symbolic.encode import Encoding
from knower.symbolic.exploration import explored
from knower.symbolic.model import SymbolicModel
from knower.symbolic.order import arranged
from knower.symbolic.selectors import compared_with_fixed_values
from knower.symbolic.system import TransitionSystem
from knower.symbolic.transition_parts import TransitionParts
from strategies import cases
from worlds import fair_worlds, questions

LIBRARIES = available()
LOGICS = ["CTL", "CTLK", "CTLKO", "ATL", "ATLK"]
#: The readings of ATL differ in its formulas only.
QUESTIONS = [(logic, "objective") for logic in LOGICS] + [
    (logic, reading) for logic in ("ATL", "ATLK") for reading in ("objective-fair", "uniform")
]
#: Systems, with four formulas each: at least 200 pairs of both for each logic.
SYSTEMS = 30
#: The reference needs long for some questions; those are left out. Uniform models can be too many.
SECONDS, SECONDS_FOR_MODELS = 20, 2


@st.composite
def ways(draw: st.DrawFn) -> Tuning:
    """How the symbolic engine works: no choice may change an answer."""
    order = draw(st.sampled_from(ORDERS[1:]))
    return Tuning(draw(st.sampled_from(LIBRARIES)), order, draw(st.sampled_from(REACH)))


def symbolic(reference: Asker, way: Tuning, least_selector: int, split: bool) -> SymbolicModel:
    """`split`: by the actions of an agent, if there is one with a choice."""
    encoding = Encoding(reference.system, compared_with_fixed_values(reference.system, least_selector))
    space = new_space(way.library, arranged(way.order, encoding), max_nodes=1 << 16)
    loop = reference.reading.on_deadlock is DeadlockPolicy.LOOP
    share = 2.0 if split else 0.0
    with patch.multiple("knower.symbolic.relation", _LEAST_SPLIT=2, _SMALL_SHARE=share):
        system = TransitionSystem(TransitionParts(encoding, space), loops=loop)
    return explored(system, computing(60), way.reach)


def where(model: SymbolicModel, states, reference: Asker) -> frozenset[int]:
    """A symbolic set of states by the reference's numbers; checks that it holds no others."""
    decoder = Decoder(model)
    nothing = model.space.false
    found = frozenset(
        number
        for number, state in enumerate(reference.space.states)
        if decoder.code(state) & states != nothing
    )
    assert model.system.count(states) == len(found)
    return found


def worlds_of(model: SymbolicModel, reference: Asker, atl: AtlReading) -> Evaluator:
    plain = Evaluator(model, atl)
    constraints = [plain.states(each.formula) for each in reference.setting.fairness]
    return Evaluator(model, atl, constraints)


def compare(spec, reference: Asker, expected, found: Evaluator) -> None:
    """One formula, state by state; then in the initial states, for which there are short cuts."""
    asked = reference.query(spec)
    reference.budget.seconds = reference.budget.elapsed + SECONDS
    found.model.budget.seconds = found.model.budget.elapsed + 3 * SECONDS
    try:
        answer, states = expected.states(asked.formula), found.states(asked.formula)
    except LimitReached:  # uniform strategies under fairness can be too many for either
        assume(False)
    assert where(found.model, states, reference) == answer
    for members in map(members_of, asked.coalitions):
        assert found.strategies.is_vacuous(members) == expected.is_vacuous(members)
    initial = frozenset(reference.space.initial) & expected.universe
    assert found.holds(asked.formula) == (initial <= answer)


@pytest.mark.parametrize(("logic", "reading"), QUESTIONS)
def test_states_agree(logic, reading):
    atl = AtlReading(reading)

    @cases(SYSTEMS)
    @given(questions(logic), ways(), st.sampled_from([3, 8]), st.booleans())
    def agree(question, way, least_selector, split):
        reference, specs = question
        expected = fair_worlds(reference, atl)
        model = symbolic(reference, way, least_selector, split)
        assert where(model, model.reachable, reference) == frozenset(range(len(reference.space)))
        found = worlds_of(model, reference, atl)
        assert where(model, found.universe, reference) == expected.universe
        for spec in specs:
            compare(spec, reference, expected, found)

    agree()


@pytest.mark.parametrize("library", LIBRARIES)
def test_verdicts_and_warnings_agree(library):
    """Whole runs, uniform models among them; paths to what goes wrong are equally short."""

    @cases(SYSTEMS)
    @given(st.sampled_from(LOGICS).flatmap(questions), st.sampled_from(list(AtlReading)), st.data())
    def agree(question, atl, data):
        reference, specs = question
        reading = Reading(atl, data.draw(st.sampled_from(list(DeadlockPolicy))))
        seconds = SECONDS_FOR_MODELS if atl is AtlReading.UNIFORM_MODELS else SECONDS
        slow = Asker("explicit", reference.system, computing(seconds), reading)
        fast = Asker("bdd", reference.system, computing(3 * seconds), reading, Tuning(library))
        for spec in specs:
            try:
                expected, answer = slow.check(spec), fast.check(spec)
            except LimitReached:
                assume(False)
            assert (answer.verdict, answer.reason) == (expected.verdict, expected.reason)
            if atl is not AtlReading.UNIFORM_MODELS:  # those warn of the model that was found
                assert answer.warnings == expected.warnings
        assert fast.states == slow.states
        if atl is not AtlReading.UNIFORM_MODELS:
            assert _kinds(fast) == _kinds(slow)

    agree()


def _kinds(model: Asker) -> Counter:
    """What is warned of, and how long the paths there are."""
    return Counter((w.code, None if w.path is None else len(w.path)) for w in model.warnings)
