"""The engine `sdd` against the reference: random systems, the examples, and integers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knower
from engines import Asker, computing, has_sdd
from knower.errors import LimitReached
from knower.options import MINIMISE, ORDERS, VTREES, AtlReading, DeadlockPolicy, Tuning
from knower.symbolic.decode import Decoder
from knower.symbolic.layout import Layout
from strategies import cases, modules, specifications
from worlds import explored

pytestmark = pytest.mark.skipif(not has_sdd, reason="pysdd is not installed")

QUESTIONS = [
    *((logic, "objective") for logic in ("CTLK", "CTLKO", "ATLK", "LTL", "LDLK", "CDL*K", "LDLf")),
    *(("ATLK", reading) for reading in ("uniform", "objective-fair")),
]
#: Systems, with three formulas each.
SYSTEMS = 12
#: The reference needs long for some formulas; those are left out.
SECONDS = 5
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ispl"))


@pytest.fixture(autouse=True, scope="module")
def restless() -> Iterator[None]:
    """Garbage is collected, and a better vtree looked for, in small models too."""
    with patch.multiple("knower.functions.sdd", _MUCH_GARBAGE=200, _SMALL=20, _GROWTH=1.3):
        yield


def ways() -> st.SearchStrategy[Tuning]:
    """How the engine works: no choice may change an answer."""
    chosen = {"order": ORDERS, "vtree": VTREES, "minimise": MINIMISE}
    return st.builds(Tuning, **{name: st.sampled_from(known) for name, known in chosen.items()})


@st.composite
def questions(draw: st.DrawFn, logic: str, fairness: bool | None = None):
    """A random model, explored by the reference, and specifications of the logic."""
    module = draw(modules(max_states=30, fairness=fairness))
    specs = [draw(specifications(module, logic, depth=3)) for _ in range(3)]
    reference = explored(module, draw(st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP])))
    assume(Layout(reference.system).variables)
    return reference, specs


def compared(reference: Asker, specs, atl: AtlReading, way: Tuning) -> None:
    """State by state."""
    reading = replace(reference.reading, atl=atl)
    found = Asker("sdd", reference.system, computing(60), reading, way)
    assert found.states == len(reference.space.states)
    decoder, nothing = Decoder(found.model), found.model.space.false
    codes = [decoder.code(state) for state in reference.space.states]
    for spec in specs:
        reference.budget.seconds = reference.budget.elapsed + SECONDS
        try:
            expected = reference.states_where(spec, atl)
        except LimitReached:
            assume(False)
        states = found.states_where(spec)
        where = {number for number, code in enumerate(codes) if code & states != nothing}
        assert (where, found.model.system.count(states)) == (expected, len(expected)), spec


@pytest.mark.parametrize(("logic", "reading"), QUESTIONS)
def test_states_agree(logic, reading):
    @cases(SYSTEMS)
    @given(questions(logic), ways())
    def agree(question, way):
        compared(*question, AtlReading(reading), way)

    agree()


@pytest.mark.parametrize("logic", ["CTLK", "LTL", "CDL*K", "ATLK"])
def test_states_agree_under_fairness(logic):
    @cases(SYSTEMS // 2)
    @given(questions(logic, fairness=True), ways())
    def agree(question, way):
        compared(*question, AtlReading.OBJECTIVE, way)

    agree()


@pytest.mark.parametrize("logic", ["PLAIN", "EVERYTHING"])
def test_answers_and_warnings_agree(logic):
    """Whole runs; paths to what goes wrong are equally short."""

    @cases(SYSTEMS)
    @given(questions(logic), ways())
    def agree(question, way):
        reference, specs = question
        slow = Asker("explicit", reference.system, computing(SECONDS), reference.reading)
        fast = Asker("sdd", reference.system, computing(60), reference.reading, way)
        for spec in specs:
            try:
                expected = slow.check(spec)
            except LimitReached:
                assume(False)
            assert fast.check(spec) == expected
        assert [(w.code, w.path and len(w.path)) for w in fast.warnings] == [
            (w.code, w.path and len(w.path)) for w in slow.warnings
        ]

    agree()


# -- examples ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("minimise", MINIMISE)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path, minimise):
    """The other engines find what the comments of the examples expect; this one finds the same."""
    system = knower.load(path)
    expected = system.check(evidence="none")
    found = system.check(engine="sdd", minimise=minimise, evidence="none")
    assert (found.engine, found.states) == ("sdd", expected.states)
    assert [each.verdict for each in found] == [each.verdict for each in expected]
    assert found.warnings == expected.warnings


@pytest.mark.parametrize("vtree", VTREES)
def test_every_vtree(vtree):
    system = knower.load(Path(__file__).parents[2] / "examples" / "bit_transmission.ispl")
    expected = system.check(engine="explicit", evidence="none")
    found = system.check(engine="sdd", vtree=vtree, evidence="none")
    assert [each.verdict for each in found] == [each.verdict for each in expected]
    assert found.states == expected.states


# -- integers ----------------------------------------------------------------------------------------------

#: Sums, differences, products and comparisons, over ranges of any length that begin anywhere.
NUMBERS = """
Agent Left
  Vars: x : 0..10; low : -3..4; end Vars
  Actions = {up, down, rest};
  Protocol: x < 10 and low < 4 : {up, rest}; x > 2 : {down, rest}; Other : {rest}; end Protocol
  Evolution:
    x = x + 1 and low = low + 1 if Action = up;
    x = x - 2 if Action = down and Right.Action = copy;
    low = x - 5 if Action = rest and x >= 2 and x <= 9;
  end Evolution
end Agent
Agent Right
  Vars: y : 5..12; end Vars
  Actions = {copy, wait};
  Evolution: y = y + 1 if Action = wait and y < 12; y = 5 if Action = copy and y * 2 > 20; end Evolution
end Agent
Evaluation
  equal if Left.x = Right.y;
  above if Left.x + Left.low > Right.y;
  far if Right.y - Left.x >= 2 * Left.low + 6;
  deep if Left.low < 0 - 2;
end Evaluation
InitStates Left.x = 0 and Left.low = 0 and Right.y = 5; end InitStates
Formulae
  EF equal; AG (equal -> !above); EF deep; AG (far -> K(Left, !above)); EF (above and K(Right, !deep));
  AG EF equal; LTL G F far; LTL F (above or far); EF (equal and EX far); AG (deep -> AX !above);
end Formulae
"""


@pytest.mark.parametrize("vtree", ["auto", "right-linear", "balanced", "agents"])
def test_integers(vtree):
    system = knower.loads(NUMBERS)
    expected = system.check(engine="explicit", evidence="none")
    found = system.check(engine="sdd", vtree=vtree, evidence="none")
    assert {each.verdict.value for each in expected} == {"true", "false"}
    assert [each.verdict for each in found] == [each.verdict for each in expected]
    assert found.states == expected.states
    assert [w.code for w in found.warnings] == [w.code for w in expected.warnings]


def test_numbers_beyond_their_range_are_told():
    system = knower.loads(NUMBERS.replace("Action = wait and y < 12", "Action = wait"))
    expected, found = (system.check(engine=engine, evidence="none") for engine in ("explicit", "sdd"))
    assert [w.code for w in expected.warnings] == ["overflow"] == [w.code for w in found.warnings]
    assert [each.verdict for each in found] == [each.verdict for each in expected]
