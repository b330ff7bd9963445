"""What people write who come from other tools: each mistake is told where it is, once, with what to write."""

from __future__ import annotations

import pytest

from knower.errors import Diagnostic, InputError
from knower.model import Model
from knower.source import Source

ROBOT = """\
Agent Robot
  Vars:
    pos : 0..3;
    loaded : boolean;
    mode : {idle, busy};
  end Vars
  Actions = {go, stay};
  Protocol:
    pos < 3 : {go, stay};
    Other : {stay};
  end Protocol
  Evolution:
    pos = pos + 1 if Action = go;
  end Evolution
end Agent
Evaluation
  crash if Robot.pos = 3;
  ready if Robot.mode = idle;
end Evaluation
InitStates
  Robot.pos = 0 and Robot.loaded = false and Robot.mode = idle;
end InitStates
Groups
  g = {Robot};
end Groups
Formulae
  AG !crash;
end Formulae
"""
LINE, FORMULA, RANGE = "pos = pos + 1 if Action = go;", "AG !crash;", "pos : 0..3;"
PROTOCOL, START = "pos < 3 : {go, stay};", "Robot.pos = 0 and"


def mistakes(*changes: tuple[str, str]) -> list[Diagnostic]:
    """What is wrong with the model after some changes."""
    text = ROBOT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    try:
        Model.read(Source("robot.ispl", text))
    except InputError as error:
        return list(error.diagnostics)
    return []


def told(*changes: tuple[str, str]) -> tuple[int | None, str]:
    """The line of the only mistake, and the cure."""
    (found,) = mistakes(*changes)
    return found.line, found.cure or ""


def test_the_model_itself_is_fine():
    assert mistakes() == []


@pytest.mark.parametrize("old, new", [
    (LINE, "pos = pos % 3 if Action = go;"),
    (LINE, "loaded = !loaded if Action = go;"),
    (FORMULA, "<Robot, Robot>F crash;"),
    (RANGE, "pos : 0..3 init 0;"),
])  # fmt: skip
def test_what_used_to_be_refused(old, new):
    assert mistakes((old, new)) == []


@pytest.mark.parametrize("old, new, line, cure", [
    # operators
    (FORMULA, "crash => AF ready;", 27, "`->`"),
    (FORMULA, "AG (crash <=> ready);", 27, "`<->`"),
    (FORMULA, "AG (crash iff ready);", 27, "`<->`"),
    (FORMULA, "AG (crash implies ready);", 27, "`->`"),
    (FORMULA, "AG not crash;", 27, "`!`"),
    (FORMULA, "AG (Robot.pos == 3);", 27, "`=`"),
    (LINE, "pos := 1 if Action = go;", 13, "`=`"),
    (LINE, "pos = 1 if Action == go;", 13, "`=`"),
    (LINE, "pos = 1 if loaded is true;", 13, "`=`"),
    (LINE, "pos = 1 if pos =< 2;", 13, "`<=`"),
    (LINE, "pos = 1 if pos /= 2;", 13, "`!=`"),
    (LINE, "pos = 1 if pos ~= 2;", 13, "`!=`"),
    (LINE, "pos = 1 if pos # 2;", 13, "`!=`"),
    (LINE, "pos = 1 if pos ≠ 2;", 13, "`!=`"),
    (LINE, "pos = 1 if not Action = go;", 13, "`!`"),
    (LINE, "pos = 1 if Action = go & pos < 3;", 13, "`and`"),
    (LINE, "pos = 1 if Action = go | pos < 3;", 13, "`or`"),
    (LINE, "pos = 1 if Action = go /\\ pos < 3;", 13, "`and`"),
    (LINE, "pos = 1 if Action = go \\/ pos < 3;", 13, "`or`"),
    (LINE, "pos = 1 if pos \\in {1, 2};", 13, "`x in {a, b}`"),
    (LINE, "pos = pos ** 2 if Action = go;", 13, "`x * x`"),
    (LINE, "pos = pos // 2 if Action = go;", 13, "`/` divides"),
    (LINE, "pos = 1 if 0 < pos < 3;", 13, "`a < b and b < c`"),
    # something between two things
    (LINE, "pos = 1 if Action = go pos < 3;", 13, "`and`"),
    (LINE, "pos = 1, loaded = true if Action = go;", 13, "`and`"),
    (FORMULA, "AG (crash ready);", 27, "`and`"),
    (FORMULA, "AG crash ready;", 27, "`and`"),
    # lines
    (LINE, "Action = go -> pos = pos + 1;", 13, "`x = value if condition;`"),
    (LINE, "if Action = go then pos = pos + 1;", 13, "`x = value if condition;`"),
    (LINE, "[go] pos < 3 -> pos = pos + 1;", 13, "`x = value if condition;`"),
    (LINE, "next(pos) = pos + 1 if Action = go;", 13, "next value"),
    (LINE, "pos' = pos + 1 if Action = go;", 13, "next value"),
    (LINE, "pos++ if Action = go;", 13, "`x = x + 1`"),
    (LINE, "pos += 1 if Action = go;", 13, "`x = x + …`"),
    (LINE, "pos = 1 if Action = go else 2;", 13, "`x = if c then a else b`"),
    (PROTOCOL, "pos < 3 : go, stay;", 9, "`{a, b}`"),
    (START, "init(pos) := 0 and", 21, "`=`"),
    ("crash if", "crash iff", 17, "`name if condition;`"),
    # types
    ("loaded : boolean", "loaded : bool", 4, "`boolean`"),
    (RANGE, "pos : int;", 3, "`x : 0..3;`"),
    (RANGE, "int pos;", 3, "`pos : 0..3;`"),
    ("loaded : boolean", "bool loaded", 4, "`loaded : boolean;`"),
    (RANGE, "pos : [0..3];", 3, "`x : 0..3;`"),
    (RANGE, "pos : {0..3};", 3, "`x : 0..3;`"),
    (RANGE, "pos : 0...3;", 3, "`low..high`"),
    (RANGE, "pos : 0-3;", 3, "`low..high`"),
    (RANGE, "pos : 0..3 = 0;", 3, "`x : 0..3 init 0;`"),
    ("{idle, busy}", '{"idle", "busy"}', 5, "without quotes"),
    ("Robot.loaded = false", "Robot.loaded = FALSE", 21, "`false`"),
    (FORMULA, "AG True;", 27, "`true`"),
    # comments
    ("Actions", "// the actions\n  Actions", 7, "`--`"),
    ("Actions", "/* the actions */\n  Actions", 7, "`--`"),
    ("Actions", "# the actions\n  Actions", 7, "`--`"),
    # sections
    ("Actions = {go, stay}", "Actions: go, stay", 7, "`Actions = {a, b};`"),
    ("Actions = {go, stay}", "Action = {go, stay}", 7, "`Actions = {a, b};`"),
    ("  Vars:", "  VAR", 2, "`Vars … end Vars`"),
    ("Agent Robot", "MODULE Robot", 1, "`Agent Name … end Agent`"),
    ("Formulae\n  AG !crash;\nend Formulae", "SPEC AG !crash;", 26, "`Formulae … end Formulae`"),
    ("Evaluation", "Evaluations", 16, "`Evaluation … end Evaluation`"),
    ("end Protocol", "end", 11, "`end Protocol`"),
    ("  end Evolution\nend Agent", "  end Evolution", 15, ""),
    ("  end Evolution\n", "", 14, "`end Evolution`"),
    # knowledge, paths and coalitions
    (FORMULA, "AG (crash -> knows(Robot, ready));", 27, "`K(agent, formula)`"),
    (FORMULA, "AG (crash -> K Robot ready);", 27, "`K(name, formula)`"),
    (FORMULA, "AG (crash -> K_Robot(ready));", 27, "`K(Robot, formula)`"),
    (FORMULA, "AG (crash -> K[Robot] ready);", 27, "`K(Robot, formula)`"),
    (FORMULA, "C(g, crash);", 27, "`GCK(group, formula)`"),
    (FORMULA, "E(g, crash);", 27, "`GK(group, formula)`"),
    (FORMULA, "D(g, crash);", 27, "`DK(group, formula)`"),
    (FORMULA, "K(crash, ready);", 27, "the agent comes first"),
    (FORMULA, "[]!crash;", 27, "`AG f`"),
    (FORMULA, "<> crash;", 27, "`AF f`"),
    (FORMULA, "A[] crash;", 27, "`AG f`"),
    (FORMULA, "E<> crash;", 27, "`EF f`"),
    (FORMULA, "E[ready U crash];", 27, "`E(p U q)`"),
    (FORMULA, "<<g>>F crash;", 27, "`<group>F f`"),
    (FORMULA, "P>=1 [ F crash ];", 27, "probabilities"),
    (FORMULA, "AGcrash;", 27, "`AG crash`"),
    (FORMULA, "AG (pos < 3);", 27, "`Robot.pos`"),
])  # fmt: skip
def test_foreign_habits(old, new, line, cure):
    where, what = told((old, new))
    assert where == line
    assert cure in what


@pytest.mark.parametrize(
    "old, new", [("Formulae", "Formulas"), ("InitStates", "Init"), ("Evaluation", "Labels")]
)
def test_a_section_with_another_name_is_read_as_what_it_means(old, new):
    changes = (f"{old}\n", f"{new}\n"), (f"end {old}", f"end {new}")
    assert told(*changes)[1] == f"write `{old} … end {old}`"
    assert len(mistakes(*changes, ("Robot.pos = 3;", "Robot.pos == 3;"))) == 2


# -- where it is told --------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [
    RANGE, "Actions = {go, stay};", PROTOCOL, LINE, "crash if Robot.pos = 3;", "g = {Robot};", FORMULA,
])  # fmt: skip
def test_a_missing_semicolon_is_told_of_the_line_that_lacks_it(line):
    number = ROBOT[: ROBOT.index(line)].count("\n") + 1
    (found,) = mistakes((line, line[:-1]))
    assert (found.line, found.cure) == (number, "end the line with `;`")
    assert found.message.startswith("a `;` is missing behind")


def test_the_line_behind_a_missing_semicolon_is_read():
    found = mistakes((LINE, "pos = pos + 1 if Action = go\n    loaded == true if Action = go;"))
    assert [each.line for each in found] == [13, 14]


def test_one_wrong_character_does_not_hide_later_mistakes():
    found = mistakes(
        (PROTOCOL, "pos < 3 § : {go, stay};"), ("crash if", "crash iff"), (FORMULA, "AG (crash =>);")
    )
    assert [(each.code, each.line) for each in found] == [("E101", 9), ("E103", 17), ("E103", 27)]


def test_what_follows_from_a_wrong_character_is_not_told():
    assert [each.code for each in mistakes((PROTOCOL, "pos § 3 : {go, stay};"))] == ["E101"]
    assert [each.code for each in mistakes((RANGE, "3pos : 0..3;"))] == ["E102"]


def test_a_value_that_is_called_like_a_variable_is_read_as_the_variable():
    busy = ("{idle, busy}", "{idle, loaded}")
    message = "`loaded` is read as the variable of agent Robot, not as a value of {idle, loaded}"
    for changed in ((LINE, "mode = loaded if Action = go;"), (LINE, "pos = 1 if mode = loaded;")):
        (found,) = mistakes(busy, changed)
        assert (found.message, found.cure) == (message, "rename the variable or the value")


def test_an_action_may_be_called_like_a_variable():
    assert mistakes(("{go, stay};", "{loaded, stay};"), ("{go, stay}", "{loaded, stay}"),
                    (LINE, "pos = 1 if Action = loaded;")) == []  # fmt: skip


def test_words_of_other_languages_may_be_names():
    names = {"pos": "next", "loaded": "is", "mode": "int", "idle": "iff", "go": "not", "crash": "knows"}
    text = ROBOT
    for old, new in names.items():
        text = text.replace(old, new)
    Model.read(Source("robot.ispl", text))
