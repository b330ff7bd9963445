"""What comes about whatever anybody does: `<nobody>` is the quantifier `A`, in every reading."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knower
from engines import Asker, computing
from knower.errors import LimitReached, NoInitialState
from knower.functions.registry import available
from knower.logic import formula as f
from knower.logic.language import Specification
from knower.options import AtlReading, DeadlockPolicy, Reading, Tuning
from knower.source import Source
from knower.syntax.tree import GroupDecl, Identifier, Module
from knower.system.elaborate import elaborate
from strategies import cases, modules, specifications

NOBODY = (GroupDecl(Identifier("nobody"), ()),)
READINGS = list(AtlReading)


def _with_nobody(groups: tuple) -> tuple:
    names = {group.name.text for group in NOBODY}
    return (*(group for group in groups if group.name.text not in names), *NOBODY)


@st.composite
def questions(draw: st.DrawFn, fairness: bool) -> tuple[Module, list[Specification]]:
    """A random model with an empty group, and questions about what it can enforce."""
    drawn = draw(modules(max_states=24, fairness=fairness))
    module = replace(drawn, groups=_with_nobody(drawn.groups))  # fairness may speak of the others
    specs = [draw(specifications(module, "CTLK", depth=2)) for _ in range(2)]
    one, other = (spec.body for spec in specs)
    asked = [
        f.CanX("nobody", one),
        f.CanF("nobody", one),
        f.CanG("nobody", one),
        f.CanU("nobody", one, other),
    ]
    return module, [Specification(body) for body in asked]


def universal(spec: Specification) -> Specification:
    """The same of all paths."""
    match spec.body:
        case f.CanX(_, sub):
            return Specification(f.AX(sub))
        case f.CanF(_, sub):
            return Specification(f.AF(sub))
        case f.CanG(_, sub):
            return Specification(f.AG(sub))
        case f.CanU(_, left, right):
            return Specification(f.AU(left, right))
    raise AssertionError(f"{spec.body} is not strategic")


def explicit(module: Module, reading: Reading) -> Asker:
    try:
        return Asker("explicit", elaborate(module, Source("<random>", "")), computing(5), reading)
    except (NoInitialState, LimitReached):
        assume(False)
        raise


@pytest.mark.parametrize("fairness", [False, True], ids=["plain", "fair"])
@pytest.mark.parametrize("atl", READINGS, ids=lambda atl: atl.value)
def test_engines_agree(atl: AtlReading, fairness: bool) -> None:
    if not available():
        pytest.skip("no library of decision diagrams is installed")

    @cases(8 if atl is AtlReading.UNIFORM_MODELS else 20)
    @given(questions(fairness), st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP]))
    def agree(question: tuple[Module, list[Specification]], policy: DeadlockPolicy) -> None:
        module, specs = question
        reading = Reading(atl, policy)
        slow = explicit(module, reading)
        fast = Asker("bdd", slow.system, computing(20), reading, Tuning())
        for spec in specs:
            try:
                found, expected = fast.check(spec), slow.check(spec)
            except LimitReached:
                assume(False)
            assert (found.verdict, found.reason) == (expected.verdict, expected.reason)
            if atl is not AtlReading.UNIFORM_MODELS:  # those warn of the model that was found
                assert found.warnings == expected.warnings

    agree()


@pytest.mark.parametrize(
    ("atl", "fairness"),
    [
        (AtlReading.OBJECTIVE, False),
        (AtlReading.OBJECTIVE_FAIR, False),
        (AtlReading.OBJECTIVE_FAIR, True),
        (AtlReading.UNIFORM, False),
        (AtlReading.UNIFORM, True),
    ],
)
def test_it_is_the_quantifier_over_all_paths(atl: AtlReading, fairness: bool) -> None:
    """Where no path ends: an outcome that stops is lost, and a path that stops is none."""

    @cases(30)
    @given(questions(fairness))
    def same(question: tuple[Module, list[Specification]]) -> None:
        module, specs = question
        model = explicit(module, Reading(atl, DeadlockPolicy.LOOP))
        for spec in specs:
            assert model.states_where(spec) == model.states_where(universal(spec))
            assert not model.evaluator(spec).is_vacuous(())

    same()


COIN = """
Agent Environment Vars: side : {head, tail}; end Vars Actions = {turn, leave};
  Evolution: side = tail if Action = turn; end Evolution end Agent
Agent Player Actions = {watch}; end Agent
Evaluation head if Environment.side = head; tail if Environment.side = tail; end Evaluation
InitStates Environment.side = head; end InitStates
Groups nobody = {}; end Groups
"""


@pytest.mark.parametrize("engine", ["explicit", "bdd"])
@pytest.mark.parametrize("atl", [atl.value for atl in AtlReading if atl is not AtlReading.UNIFORM_MODELS])
def test_evidence_for_nobody_stands_up(atl: str, engine: str) -> None:
    if engine == "bdd" and not available():
        pytest.skip("no library of decision diagrams is installed")
    asked = [
        "<nobody>X (head or tail)",
        "<nobody>F tail",
        "<nobody>G (tail -> <nobody>G tail)",
        "<nobody>X tail",
    ]
    result = knower.loads(COIN).check(*asked, atl=atl, engine=engine, evidence="all")
    assert [formula.verdict.value for formula in result.formulas] == ["true", "false", "true", "false"]
    for formula in result.formulas:
        assert formula.evidence is not None
        assert formula.evidence.replay is not None
        assert formula.evidence.replay.status == "ok"


def test_what_the_sat_solver_does_not_decide_it_refuses() -> None:
    (answer,) = knower.loads(COIN).check("<nobody>F tail", method="sat").formulas
    assert answer.verdict.value == "unknown"
    assert answer.reason is not None
    assert "strategies" in knower.reason_text(answer.reason)
