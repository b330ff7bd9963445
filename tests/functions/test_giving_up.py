"""Operations that meet a bound say so, and attempts go on elsewhere."""

from __future__ import annotations

import random

import pytest

from engines import Asker
from knower import loads
from knower.families import generate
from knower.functions.protocol import NoRoom
from knower.functions.registry import available, new_space
from knower.logic.language import Language
from knower.options import Tuning
from knower.reasons import OutOfMemory
from knower.report.words import reason_text
from knower.symbolic import order_search
from knower.verdict.verdict import Verdict
from sessions import forked_by_default

needs_cudd = pytest.mark.skipif("cudd" not in available(), reason="cudd is not installed")
needs_oxidd = pytest.mark.skipif("oxidd" not in available(), reason="oxidd is not installed")
VARIABLES = 120


def clauses(space, seed):
    """A conjunction of random clauses, which grows beyond all bounds."""
    draw = random.Random(seed)
    total = space.true
    while True:
        a, b, c = (space.var(variable) for variable in draw.sample(range(VARIABLES), 3))
        yield total
        total = total & (a | b | ~c)


OPERATIONS = {
    "and": lambda space, f, g: f & g,
    "or": lambda space, f, g: f | g,
    "xor": lambda space, f, g: space.xor(f, g),
    "ite": lambda space, f, g: space.ite(f, g, ~g),
    "exists": lambda space, f, g: space.exists(f, space.quantified(range(0, VARIABLES, 3))),
    "forall": lambda space, f, g: space.forall(f, space.quantified(range(0, VARIABLES, 3))),
    "and_exists": lambda space, f, g: space.and_exists(f, g, space.quantified(range(0, VARIABLES, 3))),
    "rename": lambda space, f, g: space.rename(f, space.renaming({v: v + 1 for v in range(0, VARIABLES, 2)})),
}


@needs_cudd
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_limit_of_time_is_recognised(operation):
    space = new_space("cudd", [(variable,) for variable in range(VARIABLES)])
    assert space.limit(0.3)
    with pytest.raises(NoRoom), space.working():
        for f, g in zip(clauses(space, 1), clauses(space, 2), strict=False):
            OPERATIONS[operation](space, f, g)
    assert space.limit(None)
    assert space.var(0) & space.var(1) != space.false


@needs_oxidd
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_limit_of_nodes_is_recognised(operation):
    space = new_space("oxidd", [(variable,) for variable in range(VARIABLES)], 1 << 12)
    with pytest.raises(NoRoom), space.working():
        for f, g in zip(clauses(space, 1), clauses(space, 2), strict=False):
            OPERATIONS[operation](space, f, g)


@needs_oxidd
def test_a_space_has_room_for_its_variables_at_least():
    with pytest.raises(NoRoom):
        new_space("oxidd", [(variable,) for variable in range(VARIABLES)], 16)


# -- what is none of a space's business ------------------------------------------------------------------

#: What other code may raise meanwhile, in the words of the libraries even.
FOREIGN = [MemoryError(), MemoryError("all nodes are in use"), ValueError("NULL"), RuntimeError("NULL")]


@pytest.mark.parametrize("library", available())
@pytest.mark.parametrize("error", FOREIGN, ids=repr)
def test_errors_of_others_pass_as_they_are(library, error):
    space = new_space(library, [(0,), (1,)])
    with pytest.raises(type(error)) as caught, space.working():
        raise error
    assert caught.value is error


@needs_cudd
def test_what_is_asked_wrongly_is_not_taken_for_giving_up():
    space = new_space("cudd", [(0,), (1,)])
    with pytest.raises(ValueError, match="v7"), space.working():
        space.exists(space.var(0), space.quantified([7]))


@pytest.mark.parametrize("library", available())
@pytest.mark.parametrize("error", FOREIGN, ids=repr)
def test_only_want_of_room_makes_the_engine_begin_again(library, error):
    """A judge, say, that runs out of memory would do so again."""
    system = loads(generate("prisoners", n=3)).interpreted
    model = Asker("bdd", system, tuning=Tuning(library))
    attempts, calls = model.statistics["attempts"], []

    def judged(view):
        calls.append(view)
        raise error

    with pytest.raises(type(error)) as caught:
        model.evidence(system.formulae[0], Verdict.TRUE, judged)
    assert caught.value is error
    assert (len(calls), model.statistics["attempts"]) == (1, attempts)


# -- beginning again -------------------------------------------------------------------------------------


@needs_oxidd
@pytest.mark.parametrize("calls", [3, 30, 100, 300])
def test_an_attempt_that_is_given_up_is_made_again_with_more_room(monkeypatch, calls):
    """Wherever the room ends: while exploring, looking for overflows, or deciding a formula."""
    system = loads(generate("prisoners", n=3))
    formulas = [spec for spec in system.interpreted.formulae if spec.language is Language.PLAIN]
    plain = Asker("bdd", system.interpreted, tuning=Tuning("oxidd"))
    expected = [plain.warnings, *(plain.check(spec) for spec in formulas)]
    space_of_oxidd = type(plain.model.space)
    left, honest = [calls], space_of_oxidd.and_exists

    def bounded(space, *arguments):
        left[0] -= 1
        if left[0] == 0:
            raise NoRoom
        return honest(space, *arguments)

    monkeypatch.setattr(space_of_oxidd, "and_exists", bounded)
    model = Asker("bdd", system.interpreted, tuning=Tuning("oxidd"))
    assert [model.warnings, *(model.check(spec) for spec in formulas)] == expected
    assert left[0] < 0, "the bound was met"
    assert model.statistics["attempts"] == 2


@needs_oxidd
def test_when_nothing_is_left_it_is_said(monkeypatch):
    monkeypatch.setattr(order_search, "_ROOMS", (order_search.NodeBudget(1 << 7),))
    monkeypatch.setattr(order_search, "_LARGE_ROOM", order_search.NodeBudget(1 << 8))
    monkeypatch.setattr(order_search, "_LAST_ROOM", order_search.NodeBudget(1 << 9))
    with forked_by_default():
        result = loads(generate("train-gate", n=3)).check("AG true", bdd="oxidd")
    assert [(each.verdict.value, each.reason) for each in result] == [("unknown", OutOfMemory())]
    assert reason_text(result[0].reason) == "out of memory"
