"""`parse(print(t)) == t`, for random trees, for real models, and for trees of any depth."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from math import prod
from pathlib import Path

import pytest
from hypothesis import given
from old_style import as_drawn, old_style

from knower.logic import formula as f
from knower.logic.fold import depth
from knower.logic.language import Language, Specification
from knower.source import Source
from knower.syntax.conditions import parse_expression
from knower.syntax.formulas import parse_formula
from knower.syntax.ispl import parse_ispl
from knower.syntax.lexer import END, Tokens
from knower.syntax.printing import print_expression, print_module, print_specification
from knower.syntax.tree import (
    AgentDecl,
    Assignment,
    EvolutionLine,
    Expr,
    Identifier,
    Module,
    Names,
    Phrase,
    SemanticsDecl,
)
from knower.system.elaborate import elaborate
from knower.system.explicit import Explicit
from strategies import (
    ENVIRONMENT,
    LOGICS,
    RAW_NAMES,
    cases,
    expressions,
    modules,
    names_of,
    raw_modules,
    raw_specifications,
    size,
    specifications,
)

HOME = Path(__file__).parents[2]
SHARED = HOME.parent / "shared"
#: Python's own stack holds a thousand calls.
DEEP, DEEPER = 2_500, 10_000


def read(text: str) -> Module:
    """The module of a text without templates; `if`, `min`, `max`, `abs` are as random modules have them."""
    return as_drawn(parse_ispl(Source("<text>", text)))


def read_expression(text: str) -> Expr:
    tokens = Tokens(Source("<text>", text))
    phrase, at = parse_expression(tokens, 0)
    assert tokens.kinds[at] == END
    return phrase.expr


def read_specification(text: str, names: Names | None = None) -> Specification:
    return parse_formula(text, names).specification


# -- random modules: a thousand in five tests ---------------------------------------------------------


@cases(250)
@given(modules())
def test_random_modules_come_back(module: Module) -> None:
    assert read(print_module(module)) == module


@cases(250)
@given(modules())
def test_old_style_modules_come_back(module: Module) -> None:
    """No word of them is new: they are read as plain ISPL."""
    old = old_style(module)
    assert parse_ispl(Source("<text>", print_module(old))) == old


@cases(100)
@given(modules(fairness=True, formulae=("PLAIN", "EVERYTHING", "LDLfK"), depth=3))
def test_random_questions_come_back(module: Module) -> None:
    assert read(print_module(module)) == module


def test_random_modules_make_sense() -> None:
    """They elaborate and are small; almost all have an initial state; no feature never turns up."""
    seen: dict[str, int] = {}

    @cases(200)
    @given(modules(max_states=60))
    def look(module: Module) -> None:
        assert read(print_module(module)) == module
        assert _states(module) <= 60
        for feature, present in _features(module).items():
            seen[feature] = seen.get(feature, 0) + present

    look()
    assert seen["an initial state"] >= 0.9 * seen["a module"]
    assert [feature for feature, times in seen.items() if times == 0] == []


def _states(module: Module) -> int:
    """The product of all domains."""
    variables = [v for agent in module.agents for v in (*agent.obsvars, *agent.vars)]
    return prod(size(variable.type) for variable in variables)


def _features(module: Module) -> dict[str, bool]:
    initial = list(Explicit(elaborate(module, Source("<random>", ""))).initial_states())
    agents, text = module.agents, print_module(module)
    protocols = [agent.protocol for agent in agents]
    return {
        "a module": True,
        "an initial state": len(initial) > 0,
        "several initial states": len(initial) > 1,
        "Environment": any(agent.name.text == ENVIRONMENT for agent in agents),
        "no Environment": all(agent.name.text != ENVIRONMENT for agent in agents),
        "Obsvars": any(agent.obsvars for agent in agents),
        "Lobsvars": any(agent.lobsvars for agent in agents),
        "RedStates": any(agent.red for agent in agents),
        "Other": any(lines and lines[-1].condition is None for lines in protocols),
        "no Other": any(lines and lines[-1].condition is not None for lines in protocols),
        "no Protocol": () in protocols,
        "SingleAssignment": module.semantics == SemanticsDecl("SingleAssignment"),
        "several assignments": any(line.assignments[1:] for agent in agents for line in agent.evolution),
        "Fairness": bool(module.fairness),
        "a quotient": " / " in text,
        "bits": any(operator in text for operator in ("~", " & ", " ^ ", " | ")),
        "the action of another": any(f"{agent.name.text}.Action" in text for agent in agents),
        "a negative number": "-1" in text,
        "two groups": len(module.groups) == 2,
    }


@cases(100)
@given(raw_modules())
def test_modules_that_mean_nothing_come_back(module: Module) -> None:
    """All the grammar allows, with reserved words for names."""
    assert read(print_module(module)) == module


@cases(100)
@given(expressions(2), expressions(2))
def test_assignments_come_back(value: Expr, guard: Expr) -> None:
    """`x = (y = z)` is a mistake of types, not of grammar."""
    line = EvolutionLine((Assignment(Identifier("x"), Phrase(value)),), Phrase(guard))
    module = Module(agents=(AgentDecl(Identifier("A"), evolution=(line,)),))
    assert read(print_module(module)) == module


# -- random expressions and formulas ----------------------------------------------------------------


@cases(150)
@given(expressions())
def test_expressions_come_back(expression: Expr) -> None:
    assert read_expression(print_expression(expression)) == expression


SAMPLE = read("""
    Agent Environment Vars: x : boolean; end Vars end Agent
    Agent Alice Vars: x : boolean; end Vars end Agent
    Evaluation p if Alice.x = true; q if Environment.x = true; end Evaluation
    Groups g = {Alice}; all = {Environment, Alice}; end Groups
""")


@pytest.mark.parametrize("logic", LOGICS)
def test_formulas_of_every_logic_come_back(logic: str) -> None:
    @cases(40)
    @given(specifications(SAMPLE, logic, depth=5))
    def check(spec: Specification) -> None:
        assert read_specification(print_specification(spec), names_of(SAMPLE)) == spec

    check()


@pytest.mark.parametrize("language", Language, ids=lambda language: language.name)
def test_all_formulas_come_back(language: Language) -> None:
    """All the parser accepts behind a prefix, with reserved words for names."""

    @cases(60)
    @given(raw_specifications(language))
    def check(spec: Specification) -> None:
        text = print_specification(spec, RAW_NAMES.propositions)
        assert read_specification(text, RAW_NAMES) == spec

    check()


# -- real models ---------------------------------------------------------------------------------


def _models(place: Path, pattern: str) -> list[Path]:
    """The models of a place."""
    return sorted(place.glob(pattern)) if place.is_dir() else []


@pytest.mark.parametrize(
    ("place", "pattern"),
    [
        (HOME / "examples", "*.ispl"),
        (SHARED / "corpus" / "models", "*.ispl"),
        (SHARED / "bench", "**/*.ispl"),
    ],
    ids=["examples", "corpus", "bench"],
)
def test_real_models_come_back(place: Path, pattern: str) -> None:
    models = _models(place, pattern)
    if not models:
        pytest.skip(f"no models in {os.path.relpath(place, HOME)}")
    for path in models:
        module = parse_ispl(Source(path.name, path.read_text(encoding="utf-8")))
        again = read(print_module(module))
        assert again == module, path.name


# -- depth and size ---------------------------------------------------------------------------------

Nested = Callable[[int], str]

NESTED: dict[str, Nested] = {
    "AG": lambda n: "AG " * n + "p",
    "not": lambda n: "!(" * n + "p" + ")" * n,
    "K": lambda n: "K(i, " * n + "p" + ")" * n,
    "diamonds": lambda n: "LDL " + "<p>" * n + "p",
    "stars": lambda n: "LDL <" + "(" * n + "p" + ")*" * n + ">p",
    "implies to the right": lambda n: "p -> " * n + "p",
    "and to the left": lambda n: "p" + " and p" * n,
}
MORE_NESTED: dict[str, Nested] = {
    "bare not": lambda n: "!" * n + "p",
    "coalition": lambda n: "<g>X " * n + "p",
    "coalition until": lambda n: "<g>(p U " * n + "p" + ")" * n,
    "CTL until": lambda n: "A(p U " * n + "p" + ")" * n,
    "until to the left": lambda n: "E(" * n + "p" + " U p)" * n,
    "quantifiers": lambda n: "CTL* " + "A(G(" * n + "p" + "))" * n,
    "until": lambda n: "LTL " + "p U " * n + "p",
    "implies to the left": lambda n: "(" * n + "p" + " -> p)" * n,
    "and to the right": lambda n: "p and (" * n + "p" + ")" * n,
    "boxes": lambda n: "LDL " + "[p*]" * n + "p",
    "sequence": lambda n: "LDL <" + "p;" * n + "p>p",
    "choice to the right": lambda n: "LDL <" + "p+(" * n + "p" + ")" * n + ">p",
    "tests": lambda n: "LDL " + "<" * n + "p" + ">p?" * (n - 1) + ">p",
    "tests under stars": lambda n: "LDL " + "<(" * n + "p" + "?)*>p" * n,
    "knowledge in tests": lambda n: "CDL* " + "E <K(i, " * n + "p" + ")?>p" * n,
}
CONDITIONS: dict[str, Nested] = {
    "not": lambda n: "!(" * n + "x = 1" + ")" * n,
    "bare not": lambda n: "!" * n + "x = 1",
    "and to the left": lambda n: "x = 1" + " and x = 1" * n,
    "and to the right": lambda n: "x = 1 and (" * n + "x = 1" + ")" * n,
    "minus": lambda n: "-(" * n + "x" + ")" * n + " = 1",
    "plus": lambda n: "x+(" * n + "x" + ")" * n + " = 1",
    "bits": lambda n: "~" * n + "x = true",
    "parentheses": lambda n: "(" * n + "x = 1 and x = 1" + ")" * n,
}


def check_deep(text: str, least: int) -> None:
    """The formula is read, printed, hashed, compared and pickled without Python's own stack."""
    spec = read_specification(text)
    assert depth(spec.body) >= least
    again = read_specification(print_specification(spec))
    assert again == spec
    assert again != Specification(f.Not(spec.body), spec.language)
    assert hash(again) == hash(spec)
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert len(repr(spec)) > least


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_very_deep_formulas(text: Nested) -> None:
    check_deep(text(DEEPER), DEEPER)


@pytest.mark.parametrize("text", MORE_NESTED.values(), ids=MORE_NESTED)
def test_deep_formulas(text: Nested) -> None:
    check_deep(text(DEEP), DEEP)


@pytest.mark.parametrize("text", CONDITIONS.values(), ids=CONDITIONS)
def test_deep_conditions(text: Nested) -> None:
    tree = read_expression(text(DEEP))
    assert read_expression(print_expression(tree)) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree
    module = read(f"Agent A Evolution: x = 1 if {text(DEEP)}; end Evolution end Agent")
    assert read(print_module(module)) == module


def test_a_model_of_five_megabytes() -> None:
    count = 9_000
    agents = "".join(_agent(number) for number in range(count))
    text = f"{agents}Evaluation p if A0.x = 1; end Evaluation Formulae AG p; end Formulae"
    assert len(text) > 5_000_000
    module = read(text)
    assert len(module.agents) == count
    assert len(module.agents[-1].evolution) == 4


def _agent(number: int) -> str:
    others = [(number + k) % 100 for k in range(1, 5)]
    lines = "".join(
        f"    x = {k} if x = {k - 1} and A{other}.Action = a;  -- as soon as the other has gone\n"
        for k, other in enumerate(others, start=1)
    )
    return (
        f"-- The agent number {number} counts how often its neighbours have gone before it.\n"
        f"Agent A{number}\n  Vars:\n    x : 0..4;\n    mood : {{low, middle, high}};\n  end Vars\n"
        "  Actions = {a, b};\n  Protocol:\n    x = 0 : {a};\n    Other : {a, b};\n  end Protocol\n"
        f"  Evolution:\n{lines}  end Evolution\nend Agent\n\n"
    )
