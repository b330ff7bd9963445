"""Who does what on a path: sentence by sentence on a small model, by every engine."""

from __future__ import annotations

import pytest

import knower
from engines import Asker, has_solver
from knower.errors import InputError
from knower.formulas import AG, A, Atom, F, G, K, X
from knower.logic.formula import Does
from knower.model import Model
from knower.options import DeadlockPolicy, Reading
from knower.source import Source
from knower.verdict.verdict import Verdict

#: From 0, `up` leads to 1 and `down` stays; from 1 only `up` is possible, to 2, which has no successor.
TEXT = """
Agent A
  Vars: x : 0..2; end Vars
  Actions = {up, down};
  Protocol: x = 0 : {up, down}; x = 1 : {up}; x = 2 : {}; end Protocol
  Evolution: x = x + 1 if Action = up; end Evolution
end Agent
Agent B
  Vars: seen : boolean; end Vars
  Actions = {look, wait};
  Evolution: seen = true if Action = look; end Evolution
end Agent
Evaluation top if A.x = 2; end Evaluation
InitStates A.x = 0 and B.seen = false; end InitStates
"""
ENGINES = ["explicit", "bdd", *(["sat"] if has_solver else [])]

#: Formulas, what they are with deadlocks as they are, and with self-loops in their place.
ASKED: list[tuple[str, bool, bool]] = [
    # "true at position i iff the step from i to i+1 has that action"; a step into a deadlock is on no path
    ("CTL* E A.Action = down", True, True),
    ("CTL* E A.Action = up", False, True),
    ("LTL G A.Action = down", True, False),
    ("LTL A.Action = down -> X A.x = 0", True, True),
    ("CTL* E (B.Action = look and X (B.seen and B.Action = wait))", True, True),
    # "its negation, as every negation, is the complement"
    ("LTL A.Action = up or A.Action != up", True, True),
    ("CTL* E (A.Action = up and !(A.Action = up))", False, False),
    ("CTL* E (B.Action = look and B.Action = wait)", False, False),
    # in the self-loop of a deadlock everybody may do anything
    ("CTL* E F (A.x = 2 and A.Action = down and X A.Action = up)", False, True),
    ("CTL* E F (A.x = 2 and A.Action != down and A.Action != up)", False, False),
    # letters
    ("CDL* E <(A.Action = down and B.Action = wait)*;(B.Action = look)>B.seen", True, True),
    ("LDL [(B.Action = look)]B.seen", True, True),
    ("LDL [tt*;(B.Action = wait)]!B.seen", False, False),
    # finite traces: "false at the last position"
    ("CDLf* E (A.Action = up and X (A.Action = up and top))", False, False),
    ("CDLf* E X X (A.Action = up and top)", False, True),
    ("CDLf* E <(A.Action = up);(A.Action = up)>top", True, True),
    ("LTLf A.Action = up or A.Action = down", False, False),
    ("LTLf G (A.Action = up -> X true)", True, True),
    ("CDLf* E (!(A.Action = up) and !(A.Action = down))", True, True),
    # "an argument of `K` that speaks of actions is read with `A` in front"
    ("CTL* K(A, A.Action = down)", True, False),
    ("CTL* K(B, A.Action = up)", False, False),
]


@pytest.fixture(scope="module")
def model() -> Model:
    return Model.read(Source("actions.ispl", TEXT))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text, plain, looped", ASKED, ids=[text for text, _, _ in ASKED])
def test_by_every_engine(model: Model, engine: str, text: str, plain: bool, looped: bool) -> None:
    for policy, expected in ((DeadlockPolicy.WARN, plain), (DeadlockPolicy.LOOP, looped)):
        spec = model.parse(text)
        asker = Asker(engine, model.asked([spec]), reading=Reading(on_deadlock=policy))
        found = asker.answer(spec).verdict
        if engine != "sat" or found is not Verdict.UNKNOWN:
            assert (found is Verdict.TRUE) is expected, policy


@pytest.mark.parametrize("engine", ["explicit", "bdd"])
@pytest.mark.parametrize("text, plain, looped", ASKED, ids=[text for text, _, _ in ASKED])
def test_evidence_is_judged(engine: str, text: str, plain: bool, looped: bool) -> None:
    for policy in ("warn", "loop"):
        result = knower.loads(TEXT).check(text, engine=engine, on_deadlock=policy)
        found = result[0].evidence
        assert found is None or found.replay.status == "ok"


def test_in_a_state_formula_it_is_refused_with_a_cure(model: Model) -> None:
    for text in ("AG A.Action = up", "K(A, A.Action = up)", "A.Action = up", "EF (top and A.Action != up)"):
        with pytest.raises(InputError) as caught:
            model.parse(text)
        (found,) = caught.value.diagnostics
        assert (found.code, found.cure) == ("E510", "say it of a path: `CTL* E (A.Action = up and X p)`")
    with pytest.raises(InputError) as caught:
        knower.loads(TEXT).check(AG(Does("A", "up")))
    assert [found.code for found in caught.value.diagnostics] == ["E510"]


def test_names_are_looked_up(model: Model) -> None:
    for text, code in (("LTL F C.Action = up", "E201"), ("LTL F A.Action = jump", "E208")):
        with pytest.raises(InputError) as caught:
            model.parse(text)
        assert [found.code for found in caught.value.diagnostics] == [code]


def test_built_in_python() -> None:
    system = knower.loads(TEXT)
    assert system.check(G(Does("A", "down")))
    assert not system.check(K("B", A(F(Does("A", "up") & X(Atom("top"))))))


# -- conditions in formulas -----------------------------------------------------------------------------

CONDITIONS = [
    ("EF A.x = 2", True),
    ("AG (A.x + 1 <= 3 and A.x % 2 != 3)", True),
    ("AG (B.seen -> K(B, B.seen))", True),
    ("EF (A.x = 1 and !B.seen)", True),
    ("AG A.x < 2", False),
    ("LTL G A.x < 1", True),
    ("AG A.x in {0, 1}", False),
    ("<A, B>F A.x = 2", True),
    ("GK({A, B}, A.x = 0)", False),
    ("<>X A.x = 0", False),
]


@pytest.mark.parametrize("engine", ["explicit", "bdd"])
def test_conditions_of_free_questions(engine: str) -> None:
    system = knower.loads(TEXT)
    result = system.check(*[text for text, _ in CONDITIONS], engine=engine)
    assert [bool(each) for each in result] == [expected for _, expected in CONDITIONS]
    assert all(each.evidence is None or each.evidence.replay.status == "ok" for each in result)
    assert system.info.propositions == ("top",)


def test_conditions_are_told_of_at_states() -> None:
    walk = knower.loads(TEXT).simulate().begin()
    assert walk.holds("A.x = 0")
    assert walk.holds("EF A.x = 2")
    assert walk.propositions == ()


def test_conditions_that_mean_nothing() -> None:
    for text, code in (("AG A.y = 1", "E202"), ("AG A.x = up", "E306"), ("AG A.x", "E301")):
        with pytest.raises(InputError) as caught:
            knower.loads(TEXT).check(text)
        assert [found.code for found in caught.value.diagnostics] == [code]


def test_what_has_no_value_in_a_question_is_reported() -> None:
    result = knower.loads(TEXT).check("EF 4 / A.x = 2")
    assert result
    assert [warning.what for warning in result.warnings if warning.code == "overflow"] == [
        "division by zero in proposition 4 / A.x = 2"
    ]
