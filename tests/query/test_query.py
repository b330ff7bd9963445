"""Questions as values: which are one, what a part of the states may decide, what their words call for."""

from __future__ import annotations

import pytest

import knower
from knower import System
from knower.engine.registry import every_pick
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.formula import Group
from knower.logic.polarity import NEITHER, Polarity
from knower.options import AtlReading, DeadlockPolicy, Reading
from knower.query.closing import closed
from knower.query.query import Query, queries, query
from knower.query.setting import Constraint, setting
from knower.verdict.verdict import Verdict
from knower.verdict.warnings import FairnessIgnored, FiniteIgnored

UNIVERSAL, EXISTENTIAL, BOTH = Polarity(True, False), Polarity(False, True), Polarity(True, True)
P = f.Atom("p")


def counter(fairness: str = "", formulae: str = "") -> System:
    """A counts to 2 and B looks on; p holds at the end."""
    return knower.loads(f"""
Agent A
  Vars: x : 0..2; end Vars
  Actions = {{go, stay}};
  Evolution: x = x + 1 if Action = go and x < 2; end Evolution
end Agent
Agent B end Agent
Evaluation p if A.x = 2; end Evaluation
InitStates A.x = 0; end InitStates
Groups both = {{A, B}}; pair = {{A, B}}; end Groups
Fairness {fairness} end Fairness
Formulae {formulae} end Formulae
""")


def asked(text: str, system: System | None = None, **reading: object) -> Query:
    system = system or counter()
    return query(system.parse(text), Reading(**reading), system.interpreted)  # type: ignore[arg-type]


# -- which questions are one -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<both>F p", "<pair>F p"),
        ("<both>(true U p)", "<pair>(true U p)"),
        ("GCK(both, p)", "GCK(pair, p)"),
        ("<A>F DK(both, p)", "<A>F DK(pair, p)"),
        ("LTL G p", "CTL* A G p"),
        ("LTL G p", "CDL* A G p"),
        ("LTL K(A, F p)", "CTL* A K(A, A F p)"),
        ("AG p", "CTL* AG p"),
    ],
)
def test_names_and_words_make_no_difference(one, other):
    first, second = asked(one), asked(other)
    assert first == second and hash(first) == hash(second)
    assert {first: "known"}[second] == "known"
    assert (first.text, second.text) == (one, other), "each is told as it was asked"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AG p", "EF p"),
        ("<both>F p", "<A>F p"),
        ("GK(both, p)", "GCK(both, p)"),
        ("AG p", "LTL G p"),  # differ where there are deadlocks
        ("LTL G p", "LTLf G p"),
        ("LTL p", "p"),
    ],
)
def test_what_may_differ_is_asked_twice(one, other):
    assert asked(one) != asked(other)


@pytest.mark.parametrize("reading", [{"atl": AtlReading.UNIFORM}, {"on_deadlock": DeadlockPolicy.LOOP}])
def test_how_it_is_read_belongs_to_a_question(reading):
    assert asked("AG p") != asked("AG p", **reading)


def test_what_is_for_who_asks_does_not_count():
    system = counter(formulae="LTL G p;")
    (in_file,) = queries(system.interpreted.formulae, Reading(), system.interpreted)
    assert in_file.span is not None and asked("LTL G p", system).span is None
    assert in_file == asked("LTL G p", system)
    finite = asked("LDLf <tt*>p"), asked("LDL <tt*>p", finite=True)
    assert finite[0] == finite[1]
    assert [each.text for each in finite] == ["LDLf <true*>p"] * 2
    assert finite[0].asked != finite[1].asked and finite[0].read == finite[1].read


def test_equal_questions_are_decided_once():
    system = counter()
    result = system.check("<both>F p", "AG p", "<pair>F p", "<both>F p", engine="explicit")
    assert [each.text for each in result] == ["<both>F p", "AG p", "<pair>F p", "<both>F p"]
    assert [each.number for each in result] == [1, 2, 3, 4]
    assert result.verdicts == (Verdict.TRUE, Verdict.FALSE, Verdict.TRUE, Verdict.TRUE)
    first, _, *others = result
    assert all(each.evidence is first.evidence for each in others), "told once"


# -- what is decided ---------------------------------------------------------------------------------------


def test_groups_are_their_members():
    system = counter()
    formula = closed(system.parse("<both>(p U GCK(pair, p)) and DK(A, p)"), system.interpreted)
    groups = [item.group for item in subformulas(formula) if isinstance(item, f.OfGroup | f.CanU)]
    assert {(group.members, group.name) for group in groups} == {
        (("A", "B"), "both"),
        (("A", "B"), "pair"),
        (("A",), "A"),
    }


def test_coalitions_are_told_once_each():
    assert asked("<both>F p and <pair>G p and <A>X GCK(both, p)").coalitions == (
        Group(("A", "B")),
        Group(("A",)),
    )
    assert asked("GCK(both, p)").coalitions == ()


def test_what_evidence_has_to_show():
    question = asked("LTL G p")
    assert question.shown(Verdict.TRUE) == f.A(f.G(P))
    assert question.shown(Verdict.FALSE) == f.Not(f.A(f.G(P)))


def test_the_logic_is_that_of_the_words_as_they_are_read():
    assert asked("AG K(A, p)").logic == "CTLK"
    assert asked("LDL <tt*>p").logic == "LDL"
    assert asked("LDL <tt*>p", finite=True).logic == "LDLf"


# -- what a part of the states decides ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "early"),
    [
        ("p", BOTH),
        ("AG p", UNIVERSAL),
        ("EF M(B, p)", EXISTENTIAL),
        ("AG EF p", NEITHER),
        ("<A>F p", NEITHER),
        ("LTL F p", UNIVERSAL),
        ("LTLf F p", UNIVERSAL),
    ],
)
def test_a_part_decides_by_polarity(text, early):
    question = asked(text)
    assert question.early == early
    assert question.decides_early is any(early)


@pytest.mark.parametrize("text", ["p", "AG p", "EF p", "LTL F p", "LTLf F p"])
def test_what_only_the_whole_can_tell(text):
    """Whether there is a deadlock, and whether another uniform model is better."""
    assert asked(text, on_deadlock=DeadlockPolicy.FAIL).early == NEITHER
    assert asked(text, atl=AtlReading.UNIFORM_MODELS).early == NEITHER
    assert asked(text, on_deadlock=DeadlockPolicy.LOOP).early == asked(text).early != NEITHER


@pytest.mark.parametrize("fairness", ["p;", "EF p;", "p; CTL* E G F p;", "M(B, p);"])
def test_fairness_that_lasts_leaves_a_part_its_say(fairness):
    assert asked("AG p", counter(fairness)).early == UNIVERSAL


@pytest.mark.parametrize("fairness", ["AF p;", "p; LTL F p;", "K(B, p);", "<A>X p;", "AG EF p;"])
def test_fairness_that_may_change_lets_a_part_decide_nothing(fairness):
    """What seems fair in a part may not be fair in the whole."""
    assert asked("AG p", counter(fairness)).early == NEITHER
    assert asked("p", counter(fairness)).early == NEITHER
    assert asked("LTLf G p", counter(fairness)).early == UNIVERSAL, "finite traces know no fairness"


# -- what its words call for -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "finite", "notices"),
    [
        ("LTL F p", True, (FiniteIgnored("LTL"),)),
        ("CTL* E F p", True, (FiniteIgnored("CTL*"),)),
        ("AG p", True, ()),
        ("LDL <tt*>p", True, ()),
        ("LTLf F p", True, ()),
        ("LTL F p", False, ()),
    ],
)
def test_a_reading_that_does_not_apply_is_noticed(text, finite, notices):
    assert asked(text, finite=finite).notices == notices


@pytest.mark.parametrize(
    ("text", "finite", "notices"),
    [
        ("LTLf F p", False, (FairnessIgnored(),)),
        ("LDL <tt*>p", True, (FairnessIgnored(),)),
        ("LDL <tt*>p", False, ()),
        ("LTL F p", True, (FiniteIgnored("LTL"),)),
        ("AG p", True, ()),
    ],
)
def test_fairness_that_does_not_count_is_noticed(text, finite, notices):
    question = asked(text, counter("p;"), finite=finite)
    assert question.notices == notices
    assert question.fairness == (() if question.finite else question.setting.fairness)
    assert len(question.setting.fairness) == 1


def test_notices_stay_with_their_formulas():
    result = counter("p;").check("AG p", "LTLf F p", "LTL F p", finite=True, evidence="none")
    assert [each.warnings for each in result] == [(), (FairnessIgnored(),), (FiniteIgnored("LTL"),)]
    assert result.warnings == (FairnessIgnored(), FiniteIgnored("LTL"))


# -- where it is asked -------------------------------------------------------------------------------------


def test_formulas_of_a_file_know_their_place():
    system = counter(formulae="AG p; -- a remark\n  LTL G (p ->\n    F p);\n\n<both>F p;")
    found = queries(system.interpreted.formulae, Reading(), system.interpreted)
    text = system.source.text
    assert [text[each.span.start : each.span.end] for each in found] == [
        "AG p",
        "LTL G (p ->\n    F p)",
        "<both>F p",
    ]
    lines = [system.source.position(each.span.start).line for each in found]
    assert lines == sorted(set(lines))


# -- how it is read ----------------------------------------------------------------------------------------


def test_a_reading_is_resolved_for_a_system():
    plain, fair = counter(), counter("p;")
    assert Reading().atl is None
    assert setting(Reading(), plain.interpreted).atl is AtlReading.OBJECTIVE
    assert setting(Reading(), fair.interpreted).atl is AtlReading.OBJECTIVE_FAIR
    for atl in AtlReading:
        for system in (plain, fair):
            assert setting(Reading(atl), system.interpreted).atl is atl


def test_who_acts_uniformly_is_resolved():
    system = counter().interpreted
    models = AtlReading.UNIFORM_MODELS
    assert setting(Reading(models), system).players == ("A", "B")
    assert setting(Reading(models, uniform_group="A"), system).players == ("A",)
    assert setting(Reading(models, uniform_group="pair"), system).players == ("A", "B")
    assert setting(Reading(AtlReading.UNIFORM), system).players == (), "there it makes no difference"


def test_fairness_is_read_as_formulas_are():
    system = counter("p; LDL <tt*>p; CDL* E <tt>p; LTLf F p; GCK(both, p);").interpreted
    infinite, finite = (setting(Reading(finite=finite), system) for finite in (False, True))
    assert [each.finite for each in infinite.fairness] == [False, False, False, True, False]
    assert [each.finite for each in finite.fairness] == [False, True, True, True, False]
    assert [each.formula for each in infinite.fairness] == [each.formula for each in finite.fairness]
    assert infinite.fairness[0] == Constraint(P, finite=False)
    assert infinite.fairness[3] == Constraint(f.A(f.F(P)), finite=True)
    assert infinite.fairness[4] == Constraint(f.GCK(Group(("A", "B")), P), finite=False)
    assert infinite != finite


@pytest.mark.parametrize("policy", DeadlockPolicy)
def test_what_becomes_of_deadlocks(policy):
    found = setting(Reading(on_deadlock=policy), counter().interpreted)
    assert found.loops is (policy is DeadlockPolicy.LOOP)
    assert found.refuses_deadlocks is (policy is DeadlockPolicy.FAIL)


def test_the_reading_of_atl_is_told_where_it_makes_a_difference():
    fair = counter("p;")
    assert asked("<A>F p", fair).atl is AtlReading.OBJECTIVE_FAIR
    assert asked("<A>F p", fair, atl=AtlReading.UNIFORM).atl is AtlReading.UNIFORM
    assert asked("AF p", fair).atl is None
    assert asked("<A>F p").atl is None


# -- who decides it ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["AG p", "<A>F p", "LDLf <tt*>p", "CDL* A <tt*>p"])
def test_every_complete_engine_takes_every_question(text):
    for pick in every_pick():
        if pick.row.complete and pick.row.explored:
            assert pick.refuses(asked(text)) is None, pick.name
