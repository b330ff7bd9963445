"""Published instances: verdicts and evidence, and how the encodings grow."""

from __future__ import annotations

from itertools import pairwise

import pytest
from bounded_systems import judged, system_of

import knower
from engines import Asker, computing
from knower.errors import Unsupported
from knower.families import generate, instance
from knower.logic import formula as f
from knower.logic.language import Specification
from knower.logic.rewrite import negation_normal_form
from knower.options import Search
from knower.query.closing import closed
from knower.reasons import Searched, TimeLimit
from knower.report.words import reason_text
from knower.sat.context import BmcContext
from knower.sat.frames import Stamps
from knower.sat.question import Question
from knower.verdict.verdict import Verdict

pytest.importorskip("pysat")


@pytest.mark.parametrize(
    ("name", "values", "undecided"),
    [
        ("train-gate", {"n": 2}, 0),
        ("train-gate", {"n": 3, "type": 2}, 0),
        ("byzantine-generals", {"n": 4}, 1),
        ("byzantine-generals", {"n": 4, "fairness": "first"}, 9),
        ("pursuit-evasion", {"n": 4}, 2),
    ],
)
def test_instances(name, values, undecided):
    made = instance(name, **values)
    system = system_of(made.ispl)
    left = 0
    for spec, expected in zip(system.formulae, made.expected, strict=True):
        bound = 12 if system.fairness else None
        model = Asker("sat", system, computing(30), search=Search("sat", bound))
        try:
            found = model.check(spec).verdict
        except Unsupported:
            left += 1
            continue
        left += found is Verdict.UNKNOWN
        assert found in (Verdict.TRUE if expected else Verdict.FALSE, Verdict.UNKNOWN)
        assert expected or found is Verdict.FALSE, "a counterexample is short"
        if not expected:
            assert judged(model.evidence(spec, found), spec, found, model) == "ok"
    assert left <= undecided


def _size(encoding: str, depth: int, steps: int) -> int:
    """The clauses for the second specification of the generals: knowledge so many levels deep."""
    system = system_of(instance("byzantine-generals", n=depth).ispl)
    denied = negation_normal_form(f.Not(closed(system.formulae[1], system)))
    context = BmcContext(Stamps(system), computing(30), (), loops=False, encoding=encoding)
    question = Question(context, denied)
    question.shown(steps)
    return question.frames.clauses.clauses


def test_the_encodings_grow_as_they_should():
    """`huang` is polynomial in the depth of knowledge, the two others are exponential."""
    sizes = {name: [_size(name, depth, 4) for depth in (2, 3, 4, 5)] for name in ("huang", "zbrzezny")}
    growth = {name: [b / a for a, b in pairwise(found)] for name, found in sizes.items()}
    assert growth["huang"] == sorted(growth["huang"], reverse=True), "a level more counts ever less"
    assert growth["huang"][-1] < 1.6
    assert growth["zbrzezny"][-1] > 3
    penczek = [_size("penczek", depth, 2) for depth in (2, 3, 4)]
    assert penczek[2] / penczek[1] > 2 * penczek[1] / penczek[0]
    assert _size("huang", 12, 4) < sizes["zbrzezny"][-1]


def test_longer_paths_make_the_size_grow_quadratically():
    sizes = [_size("huang", 4, steps) for steps in (4, 8, 16)]
    assert sizes[1] < 4.5 * sizes[0]
    assert sizes[2] < 4.5 * sizes[1]
    assert _size("zbrzezny", 4, 16) > 6 * _size("zbrzezny", 4, 8)


def test_statistics():
    system = system_of(instance("train-gate", n=2).ispl)
    model = Asker("sat", system, search=Search(encoding="huang"))
    assert model.check(system.formulae[2]).verdict is Verdict.FALSE
    assert model.states is None
    assert model.warnings == ()
    assert model.statistics["encoding"] == "huang"
    assert model.statistics["bound"] == 7
    assert model.statistics["clauses"] > model.statistics["variables"] > 100
    assert model.statistics["solver calls"] >= 8


def test_true_takes_no_clauses():
    system = system_of(instance("byzantine-generals", n=4).ispl)
    model = Asker("sat", system)
    before = model.statistics["clauses"]
    assert model.check(Specification(f.TRUE)).verdict is Verdict.TRUE
    assert model.statistics["clauses"] == before


def test_a_hard_formula_leaves_time_for_others():
    system = knower.loads(generate("dining-cryptographers", n=7))
    hard, easy = system.interpreted.formulae[6], system.interpreted.formulae[11]
    told = system.check(hard, easy, method="sat", time_limit=6, evidence="none")
    assert [each.verdict.value for each in told] == ["unknown", "false"]
    assert isinstance(told[0].reason, Searched) and told[0].reason.reason == TimeLimit(6)
    assert reason_text(told[0].reason).startswith("time limit of 6 s reached, with paths of ")
