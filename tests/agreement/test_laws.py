"""Laws that tie one logic to another, on random systems and formulas of every logic."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from knower.errors import LimitReached
from knower.logic import formula as f
from knower.logic.fold import rewrite, subformulas
from knower.logic.language import Language, Specification
from knower.logic.rewrite import negation_normal_form, quantified
from knower.model import Model
from knower.options import AtlReading, DeadlockPolicy
from knower.reference.evaluate import Evaluator
from knower.source import Source
from knower.syntax.formulas import parse_formula
from knower.syntax.printing import print_module, print_specification
from strategies import cases, modules, names_of, specifications
from worlds import explored

LOGICS = [
    "CTL", "CTLK", "CTLKO", "ATL", "ATLK", "LTL", "LTLK", "CTL*", "CTL*K", "LDL", "LDLK", "CDL*", "CDL*K",
    "LTLf", "LDLf", "CDLf*",
]  # fmt: skip
INFINITE = [logic for logic in LOGICS if "f" not in logic]


@st.composite
def questions(draw: st.DrawFn, logic: str, on_deadlock: DeadlockPolicy = DeadlockPolicy.WARN):
    """A random module, its model and a specification of the logic."""
    module = draw(modules(max_states=30))
    spec = draw(specifications(module, logic, depth=3))
    return module, explored(module, on_deadlock), spec


def _states(model, spec: Specification) -> tuple[frozenset[int], Evaluator]:
    here = model.evaluator(spec, AtlReading.OBJECTIVE)
    model.budget.seconds = model.budget.elapsed + 20
    try:
        return here.states(model.query(spec).formula), here
    except LimitReached:
        assume(False)
        raise


@pytest.mark.parametrize("logic", LOGICS)
def test_a_printed_model_and_formula_mean_the_same(logic):
    @cases(30)
    @given(questions(logic))
    def law(question):
        module, model, spec = question
        again = Model.read(Source("<again>", print_module(module))).module
        text = print_specification(spec, names_of(module).propositions)
        spec_again = parse_formula(text, names_of(again)).specification
        assert spec_again == spec
        other = explored(again)
        assert other.space.states == model.space.states
        assert _states(other, spec_again)[0] == _states(model, spec)[0]

    law()


@pytest.mark.parametrize("logic", LOGICS)
def test_negation_and_normal_form(logic):
    @cases(30)
    @given(questions(logic))
    def law(question):
        _, model, spec = question
        found, here = _states(model, spec)
        state_formula = quantified(spec.body, linear=spec.language.linear)
        language = Language.CDLF_STAR if spec.language.finite else Language.CDL_STAR
        negated, _ = _states(model, Specification(f.Not(state_formula), language))
        assert negated == here.universe - found
        normal = negation_normal_form(state_formula, finite=spec.language.finite)
        assert _states(model, Specification(normal, language))[0] == found

    law()


_AS_PATHS = {
    f.EX: lambda a: f.E(f.X(a)), f.AX: lambda a: f.A(f.X(a)),
    f.EF: lambda a: f.E(f.F(a)), f.AF: lambda a: f.A(f.F(a)),
    f.EG: lambda a: f.E(f.G(a)), f.AG: lambda a: f.A(f.G(a)),
    f.EU: lambda a, b: f.E(f.U(a, b)), f.AU: lambda a, b: f.A(f.U(a, b)),
    f.ER: lambda a, b: f.E(f.R(a, b)), f.AR: lambda a, b: f.A(f.R(a, b)),
    f.EW: lambda a, b: f.E(f.W(a, b)), f.AW: lambda a, b: f.A(f.W(a, b)),
}  # fmt: skip


@pytest.mark.parametrize("logic", ["CTL", "CTLK", "CTLKO"])
def test_without_deadlocks_ctl_is_ctl_star(logic):
    """With self-loops in deadlocks every state has an infinite path, and `AG` is `A G`."""

    @cases(80)
    @given(questions(logic, DeadlockPolicy.LOOP))
    def law(question):
        _, model, spec = question
        assert spec.language is Language.PLAIN

        def as_paths(item):
            return _AS_PATHS[type(item)](*item.children) if type(item) in _AS_PATHS else item

        star = Specification(rewrite(spec.body, as_paths), Language.CTL_STAR)
        assert _states(model, spec)[0] == _states(model, star)[0]

    law()


@pytest.mark.parametrize("logic", ["ATL", "ATLK"])
def test_everybody_together_can_what_some_path_does(logic):
    """Without fairness and overflow of choice: what a coalition can force, some path does."""

    @cases(50)
    @given(questions(logic, DeadlockPolicy.LOOP))
    def law(question):
        _, model, spec = question
        assume(not model.system.fairness)

        def weaker(item):
            match item:
                case f.CanX(_, sub):
                    return f.EX(sub)
                case f.CanF(_, sub):
                    return f.EF(sub)
                case f.CanG(_, sub):
                    return f.EG(sub)
                case f.CanU(_, left, right):
                    return f.EU(left, right)
                case _:
                    return item

        for item in _coalitions(spec.body):
            able, _ = _states(model, Specification(item, spec.language))
            possible, _ = _states(model, Specification(weaker(item), spec.language))
            assert able <= possible

    law()


def _coalitions(body):
    return [item for item in subformulas(body) if isinstance(item, f.Strategic)]


@pytest.mark.parametrize("logic", INFINITE)
def test_a_renaming_of_agents_changes_nothing(logic):
    """Verdicts do not depend on the order in which agents are declared."""

    @cases(40)
    @given(questions(logic))
    def law(question):
        module, model, spec = question
        turned = explored(replace(module, agents=module.agents[::-1]))
        assert len(turned.space) == len(model.space)
        mine = len(_states(model, spec)[0])
        assert len(_states(turned, spec)[0]) == mine

    law()
