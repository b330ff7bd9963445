"""What `check` says of models that mean something else than their authors: one line each, as warnings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import knower
from knower.cli.main import cli
from knower.report.words import idle_text, warning_text
from knower.verdict.warnings import Lint, NeverHolds

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ispl"))

CLOCK = """\
Agent Clock
  Vars: hour : 0..2; minute : 0..2; on : boolean; secret : boolean; end Vars
  Actions = {tick, rest};
  Protocol: on = true : {tick}; on = false and hour < 2 : {rest}; end Protocol
  Evolution:
    minute = minute + 1 if Action = tick and minute < 2;
    hour = hour + 1 if Action = tick and hour < 2;
  end Evolution
end Agent
Evaluation late if Clock.hour = 2; on if Clock.on = true; secret if Clock.secret = true; end Evaluation
InitStates Clock.hour = 0 and Clock.on = true; end InitStates
Formulae AG (!on -> late); !on -> secret; AG (on -> EF late); end Formulae
"""
OPEN = "InitStates leaves `Clock.minute` open: it starts with every value"
RIVALS = "where this line (for `hour`) and line 6 (for `minute`) are both enabled, agent Clock takes only one"


def checked(text: str, *formulas: str, **options) -> knower.CheckResult:
    return knower.loads(text).check(*formulas, **options)


def lints(result: knower.CheckResult) -> list[str]:
    return [each.code for each in result.warnings if isinstance(each, Lint | NeverHolds)]


def test_each_is_one_line_with_its_place(tmp_path):
    path = tmp_path / "clock.ispl"
    path.write_text(CLOCK)
    shown = CliRunner().invoke(cli, ["check", str(path), "--evidence", "none"])
    assert shown.exit_code == 0, "lints change no exit status"
    assert [line for line in shown.output.splitlines() if line.startswith("warning")] == [
        f"warning [L115]: line 2: {OPEN}",
        f"warning [L106]: line 7: {RIVALS} of them",
        "warning [antecedent-never-holds]: formula 1: `!on` holds in no reachable state, so what it implies "
        "was never looked at",
        "warning [antecedent-never-holds]: formula 2: `!on` holds in no initial state, so what it implies "
        "was never looked at",
    ]


def test_json_has_their_places_and_formulas(tmp_path):
    path = tmp_path / "clock.ispl"
    path.write_text(CLOCK)
    shown = CliRunner().invoke(cli, ["check", str(path), "--format", "json"])
    warnings = json.loads(shown.output)["warnings"]
    assert [(each["code"], each.get("line"), each.get("formulas")) for each in warnings] == [
        ("L115", 2, None),
        ("L106", 7, None),
        ("antecedent-never-holds", None, [1]),
        ("antecedent-never-holds", None, [2]),
    ]


def test_they_can_be_silenced(tmp_path):
    path = tmp_path / "clock.ispl"
    path.write_text(CLOCK)
    assert "warning" not in CliRunner().invoke(cli, ["check", str(path), "--no-lint"]).output
    assert checked(CLOCK, lint=False).warnings == ()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_good_models_have_none(path):
    assert lints(knower.load(path).check(evidence="none")) == []


# -- open variables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("initial", "expected"),
    [
        ("Clock.hour = 0 and Clock.on = true and Clock.minute = 0", []),
        ("Clock.hour = 0 and Clock.on = true and (Clock.minute = 0 or Clock.minute = 1)", []),
        ("Clock.hour = Clock.minute", []),
        ("Clock.on = true", ["`Clock.hour`, `Clock.minute`"]),
    ],
)
def test_a_variable_is_open_if_it_changes_and_is_not_mentioned(initial, expected):
    """`secret` never changes: a parameter of the model. `rested` remembers an action: it may be anything."""
    text = CLOCK.replace("Clock.hour = 0 and Clock.on = true", initial)
    text = text.replace("hour < 2;", "hour < 2; secret = secret if hour = 2; rested = true if Action = rest;")
    text = text.replace("secret : boolean;", "secret : boolean; rested : boolean;")
    found = [each.message for each in checked(text, "late").warnings if each.code == "L115"]
    assert found == [f"InitStates leaves {names} open: they start with every value" for names in expected]


def test_many_open_variables_are_one_line():
    names = [f"x{k}" for k in range(7)]
    text = f"""
Agent A
  Vars: {" ".join(f"{name} : boolean;" for name in names)} y : 0..0; end Vars
  Actions = {{a}};
  Evolution: {" and ".join(f"{name} = true" for name in [*names])} and y = 0 if x0 = true; end Evolution
end Agent
Evaluation p if A.x0 = true; end Evaluation
InitStates A.x0 = true; end InitStates
"""
    (found,) = checked(text, "p").warnings
    assert found.message == (
        "InitStates leaves `A.x1`, `A.x2`, `A.x3`, `A.x4` and 2 more open: they start with every value"
    )


def test_no_initial_states_at_all_is_said_instead():
    text = CLOCK.replace("InitStates Clock.hour = 0 and Clock.on = true; end InitStates", "")
    found = checked(text, "EF late").warnings
    assert [each.code for each in found if each.code in ("L111", "L115")] == ["L111"]
    assert "line" not in warning_text(next(each for each in found if each.code == "L111"))


# -- protocols ---------------------------------------------------------------------------------------------


def test_a_protocol_that_blocks_is_named_where_there_is_a_deadlock():
    stuck = CLOCK.replace("hour = hour + 1 if", "hour = hour + 1 and on = false if").replace(
        "hour < 2 :", "hour < 1 :"
    )
    found = checked(stuck, "EF late", evidence="none")
    assert found.found("deadlock") is not None
    assert warning_text(found.found("L103")) == (
        "line 4: in the deadlock agent Clock has no enabled action: no Protocol line covers it"
    )


def test_a_protocol_whose_gap_is_not_reachable_is_not_named():
    """`knower lint` shows it: it looks at the text alone."""
    system = knower.loads(CLOCK)
    assert "L103" in [each.code for each in system.lint()]
    assert system.check("EF late").found("L103") is None


def test_a_gap_is_named_where_deadlocks_are_not_known():
    found = checked(CLOCK, "EF late", method="bmc", bound=1)
    assert warning_text(found.found("L103")) == (
        "line 4: agent Clock has no enabled action where on = false, hour = 2: no successor there"
    )


# -- antecedents -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "named"),
    [
        ("AG (!on -> late)", "!on"),
        ("LTL G (!on -> late)", "!on"),
        ("CTL* A G (!on -> late)", "!on"),
        ("AG (late -> on) and AG (!on and late -> secret)", "!on and late"),
        ("AG (K(Clock, !on) -> late)", "K(Clock, !on)"),
        ("AG (late -> on)", None),
        ("AG (false -> late)", None),
        ("EF (!on -> late)", None),
        ("LTL F !on -> G late", None),
    ],
)
def test_which_antecedents_are_looked_at(formula, named):
    found = [each.antecedent for each in checked(CLOCK, formula).warnings if isinstance(each, NeverHolds)]
    assert found == ([] if named is None else [named])


def test_one_antecedent_of_several_formulas_is_one_line():
    (found,) = [
        each for each in checked(CLOCK, "!on -> late", "late", "!on -> on").warnings if each.code[0] == "a"
    ]
    assert found.numbers == (1, 3)
    assert warning_text(found).startswith("formulas 1 and 3: `!on` holds in no initial state")


def test_a_false_formula_says_something():
    assert lints(checked(CLOCK, "AG (on -> late)", lint=True))[2:] == []


# -- vacuity -----------------------------------------------------------------------------------------------


def test_vacuity_names_the_parts_that_never_matter(tmp_path):
    path = tmp_path / "clock.ispl"
    path.write_text(CLOCK)
    asked = ["-f", "AG (on and (late or !late) -> EF late or on)", "-f", "EF late", "-f", "AG late"]
    shown = CliRunner().invoke(
        cli, ["check", str(path), *asked, "--vacuity", "--evidence", "none", "--no-lint"]
    )
    assert shown.output.splitlines()[4:-1] == [
        "vacuity of 1.: AG (on and (late or !late) -> EF late or on)",
        "      `on and (late or !late)` never matters: with true there it is true as well",
        "      `EF late` never matters: with false there it is true as well",
        "      `on` (2. of 2) never matters: with false there it is true as well",
        "vacuity of 2.: EF late",
        "      every part matters",
    ]


def test_vacuity_is_in_json_and_in_python(tmp_path):
    path = tmp_path / "clock.ispl"
    path.write_text(CLOCK)
    shown = CliRunner().invoke(
        cli, ["check", str(path), "-f", "AG (!on -> late)", "--vacuity", "--format", "json"]
    )
    (told,) = json.loads(shown.output)["formulas"]
    idle = [{"part": "late", "instead": False, "number": 1, "among": 1, "instances": 1}]
    assert told["vacuity"] == {"idle": idle, "undecided": 0, "left_out": None}
    (result,) = checked(CLOCK, "AG (!on -> late)", vacuity=True)
    assert [idle_text(each) for each in result.vacuity.idle] == [
        "`late` never matters: with false there it is true as well"
    ]
    assert checked(CLOCK, "AG (!on -> late)")[0].vacuity is None


def test_vacuity_of_false_formulas_and_of_those_without_fair_paths_is_not_asked():
    text = CLOCK.replace("Formulae AG", "Fairness !on; end Fairness Formulae AG")
    assert [each.vacuity for each in checked(text, "AG late", vacuity=True)] == [None]
    assert [each.vacuity for each in checked(CLOCK, "AG late", vacuity=True)] == [None]


def test_operands_of_equivalences_count_both_ways():
    (result,) = checked(CLOCK, "AG ((on -> !late) and (!late -> on)) or AG on", vacuity=True)
    assert [each.text for each in result.vacuity.idle] == ["AG ((on -> !late) and (!late -> on))"]
    (result,) = checked(CLOCK, "AG ((on -> on) and (on -> on))", vacuity=True)
    assert result.vacuity.idle == ()


def test_both_operands_of_xor_are_left_alone():
    (result,) = checked(CLOCK, "AG (on xor !on)", vacuity=True)
    assert result.vacuity.idle == ()


PLAYERS = """
Const n = 3;
Agent Player(i : 1..n)
  Vars: up : boolean init false; end Vars
  Actions = {go, stay};
  Evolution: up = true if Action = go; end Evolution
end Agent
Evaluation for i : 1..n do up(i) if Player(i).up = true; end Evaluation
"""


def test_copies_of_a_quantified_part_are_replaced_together():
    """Each alone never matters, all together do; and the other way round."""
    asked = (
        "AG (exists i : 1..n (up(i) or !up(i)))",
        "AG forall i : 1..n (up(i) -> AG (up(i) or Player(i).up))",
    )
    some, every = checked(PLAYERS, *asked, vacuity=True)
    assert [idle_text(each) for each in some.vacuity.idle] == []
    assert [idle_text(each) for each in every.vacuity.idle] == [
        "`up(1)` (2. of 2), and so for 3 values, never matters: with false there it is true as well",
        "`Player(1).up`, and so for 3 values, never matters: with false there it is true as well",
    ]


def test_quantifiers_inside_of_quantifiers_are_replaced_together():
    asked = "AG forall i : 1..n (forall j : 1..2 (up(i) and up(j) -> up(i)))"
    (result,) = checked(PLAYERS, asked, vacuity=True)
    assert [(each.text, len(each.places)) for each in result.vacuity.idle] == [("up(1)", 6)]


def test_what_an_engine_cannot_decide_is_counted():
    (result,) = checked(CLOCK, "EF (late and EX (on or late))", vacuity=True, method="bmc", bound=3)
    assert result.verdict is knower.Verdict.TRUE
    assert result.vacuity.undecided + len(result.vacuity.idle) > 0


def test_vacuity_needs_one_engine():
    with pytest.raises(knower.InputError, match="vacuity"):
        checked(CLOCK, "EF late", vacuity=True, portfolio="first")


def test_a_lint_of_all_instances_is_one_line(tmp_path):
    path = tmp_path / "m.ispl"
    path.write_text(
        "Agent T(i : 1..3) Vars: x : 0..1 init 0; b : boolean init false; end Vars Actions = {a};\n"
        "Evolution: x = 1 if Action = a;\nb = true if Action = a; end Evolution end Agent\n"
        "Formulae AG T(1).x <= 1; end Formulae\n"
    )
    shown = CliRunner().invoke(cli, ["check", str(path), "--evidence", "none"])
    (line,) = [line for line in shown.output.splitlines() if "L106" in line]
    assert line.endswith("(in T(1) and 2 more)")
