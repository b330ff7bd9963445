"""Names, types and sections: what is refused, with which code, where and with which cure."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import knower
from knower import InputError, load, loads
from knower.cli.main import cli, main
from knower.errors import Diagnostic, as_keyword
from knower.session import System
from knower.system.domains import BoolDomain, EnumDomain, RangeDomain
from knower.system.system import InterpretedSystem

# -- models with a marked place -----------------------------------------------------------------------


def model(
    *,
    top: str = "",
    variables: str = "x : 0..3; light : {red, green}; on : boolean;",
    extra: str = "",
    protocol: str = "Other : {go, wait};",
    evolution: str = "",
    evaluation: str = "p if A.x = 1; q if A.x = 2;",
    initial: str = "A.x = 0;",
    groups: str = "g = {A, Environment}; none = {};",
    fairness: str = "",
    formulae: str = "",
) -> str:
    """An Environment that shows `seen`, shows `listed` to A and hides `hidden`; agents A and B."""
    return f"""{top}
Agent Environment
  Obsvars: seen : boolean; end Obsvars
  Vars: hidden : boolean; listed : boolean; end Vars
  Actions = {{tick}};
end Agent
Agent A
  Vars: {variables} end Vars
  Lobsvars = {{listed}};
  {extra}
  Actions = {{go, wait}};
  Protocol: {protocol} end Protocol
  Evolution: {evolution} end Evolution
end Agent
Agent B
  Vars: other : boolean; end Vars
  Actions = {{nod}};
end Agent
Agent Idle
end Agent
Evaluation {evaluation} end Evaluation
InitStates {initial} end InitStates
Groups {groups} end Groups
Fairness {fairness} end Fairness
Formulae {formulae} end Formulae
"""


def errors(text: str) -> list[Diagnostic]:
    with pytest.raises(InputError) as caught:
        loads(text, "test.ispl").check()
    return list(caught.value.diagnostics)


def unmarked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its marks `@`, and the lines and columns the marks stood before."""
    places = []
    while "@" in text:
        before, text = text.split("@", 1)[0], text.replace("@", "", 1)
        places.append((before.count("\n") + 1, len(before) - before.rfind("\n")))
    return text, places


def the_error(text: str) -> Diagnostic:
    """The only error, which must stand at the mark."""
    plain, places = unmarked(text)
    (found,) = errors(plain)
    assert [(found.line, found.column)] == places, found.render()
    return found


# -- every code once, with its place --------------------------------------------------------------------

ERRORS: list[tuple[str, str]] = [
    ("E100", "@  \n\n"),
    ("E101", model(protocol="x @# 1 : {go};")),
    ("E101", model(initial='A.x = @" and A.on = true;')),
    ("E102", model(variables="@2nd : boolean;", evaluation="", initial="")),
    ("E103", model(variables="x @0..3;", evaluation="", initial="")),
    ("E103", model(evolution="x = 1 if x = 1 @then x = 2;")),
    ("E103", model(protocol="(x = 1 @: {go};")),
    ("E103", model(formulae="AG (p and @;")),
    ("E103", "@Agents A end Agents"),
    ("E104", model(variables=f"x : 0..@{'9' * 101};")),
    ("E105", model(evolution="x = 1 if 0 @< x < 3;")),
    ("E106", model(evolution="@B.other = true if x = 1;")),
    ("E201", model(evolution="x = 1 if @C.Action = go;")),
    ("E201", model(evaluation="p if @C.x = 1;")),
    ("E201", model(groups="g = {A, @C};")),
    ("E201", model(formulae="K(@C, p);")),
    ("E201", model(formulae="@C.GreenStates;")),
    ("E201", "Agent A Lobsvars = {@x}; Vars: y : boolean; end Vars end Agent"),
    ("E202", model(evolution="@y = 1 if x = 1;")),
    ("E202", model(evolution="x = 1 if @lihgt = red;")),
    ("E202", model(initial="@A.y = 1;")),
    ("E202", model().replace("{listed}", "{@lsted}")),
    ("E203", model(evolution="x = 1 if Action = @stop;")),
    ("E203", model(evolution="light = @blue if x = 1;")),
    ("E204", model(protocol="@B.other = true : {go};")),
    ("E205", model(protocol="@Action = go : {go};")),
    ("E206", model(evolution="x = 1 if @Idle.Action = go;")),
    ("E207", model(variables="x : 0..3; @Action : boolean;")),
    ("E207", model(variables="x : 0..3; bit : {@true, maybe};")),
    ("E208", model(protocol="Other : {go, @stop};")),
    ("E209", model(formulae="GCK(@h, p);")),
    ("E301", model(evolution="x = 1 if @x + 1;")),
    ("E301", model(evolution="x = 1 if @light;")),
    ("E302", model(evolution="x = 1 if @x = true;")),
    ("E302", model(evolution="x = @on + 1 if x = 0;")),
    ("E302", model(evolution="on = @x & on if x = 0;")),
    ("E303", model(evolution="x = @true if x = 1;")),
    ("E303", model(evolution="on = @x if x = 1;")),
    ("E304", model(variables="x : 0..3; l : {a, b}; m : {b, c};", evolution="x = 1 if @l = m;")),
    ("E304", model(variables="x : 0..3; l : {a, b}; m : {b, c};", evolution="l = @m if x = 1;")),
    ("E305", model(protocol="@light < red : {go};")),
    ("E305", model(protocol="@on >= true : {go};")),
    ("E306", model(protocol="light = @wait : {go};")),
    ("E306", model(evolution="x = @red if x = 1;")),
    ("E307", model(variables="x : @3..0;")),
    ("E307", model(variables="x : 0..3; e : @{};")),
    ("E401", model() + "@Groups end Groups"),
    ("E401", model(extra="@Vars: z : boolean; end Vars")),
    ("E402", model(initial="A.x = 1; A.x = 2;").replace("InitStates A", "@InitStates A")),
    ("E402", model(extra="@RedStates: x = 1; x = 2; end RedStates")),
    ("E403", "@-- nothing\nEvaluation end Evaluation"),
    ("E404", model(variables="x : 0..3; @x : boolean;", evaluation="", initial="")),
    ("E404", model(variables="x : 0..3; l : {a, b, @a};")),
    ("E404", model(evaluation="p if A.x = 1; @p if A.x = 2;")),
    ("E404", model(groups="g = {A}; @g = {B};")),
    ("E404", model() + "Agent @Idle end Agent"),
    ("E404", model().replace("{nod}", "{nod, @nod}")),
    ("E405", model().replace("Vars: other", "Obsvars: @shown : boolean; end Obsvars Vars: other")),
    ("E405", model().replace("Actions = {tick}", "Lobsvars = {@hidden}; Actions = {tick}")),
    ("E406", model(protocol="@Other : {go}; x = 1 : {wait};")),
    ("E407", model(evolution="x = 1 and @x = 2 if x = 0;")),
    ("E407", model(evolution="x = 1 and on = true and @x = 1 if x = 0;")),
    ("E408", model(top="Semantics = SA;", evolution="@x = 1 and on = true if x = 0;")),
    ("E409", model(formulae="GK(@none, p);")),
    ("E409", model(fairness="MDK(@none, p);")),
    ("E410", model(initial="@A.x = 0 and A.x = 1;")),
    ("E210", model(protocol="exists @x : 1..2 (A.x = 1) : {go};")),
    ("E211", model(variables="x : 0..@n;")),
    ("E211", model(variables="x : @bool;")),
    ("E212", model(evolution="x = 1 if @B(1).Action = nod;")),
    ("E213", model(evolution="x = 1 if @x[1] = 2;")),
    ("E308", model(top="Const c = true;", variables="x : 0..@c;")),
    ("E309", model(variables="x : 0..3; a : array 1..2 of boolean;", evolution="x = 1 if @a[3];")),
    ("E310", model(evolution="x = @min i : 1..0 (i) if x = 0;")),
    ("E411", model(top="Const n = 3 where @n > 3;")),
    ("E412", model(protocol="@for i : 1..0 do x = i : {go};")),
    ("E416", model(extra="Define @d = d = true;", protocol="d : {go}; Other : {wait};")),
    ("E501", model(formulae="AG @r;")),
    ("E501", model(fairness="@r;")),
    ("E502", model(formulae="AG @A.greenstates;")),
    ("E503", model(formulae="@<p>q;")),
    ("E503", model(formulae="AG @[p]q;")),
    ("E504", model(formulae="@F p;")),
    ("E504", model(formulae="AG @(X p);")),
    ("E505", model(evaluation="g if A.x = 1; p if A.x = 2;", formulae="LDL @<g>F p;")),
    ("E506", model(formulae="LDL <@(p*)?>q;")),
    ("E507", model(formulae="LDL <@K(A, p)>q;")),
    ("E508", model(formulae="LDL <@p and q>q;")),
    ("E510", model(formulae="AG @A.Action = go;")),
]  # fmt: skip


@pytest.mark.parametrize("code, text", ERRORS, ids=[f"{code}-{k}" for k, (code, _) in enumerate(ERRORS)])
def test_the_code_and_the_place(code: str, text: str) -> None:
    assert the_error(text).code == code


def codes_in_source() -> set[str]:
    """Every error code that stands in the source, but those of usage."""
    files = Path(knower.__file__).parent.rglob("*.py")
    found = {code for file in files for code in re.findall(r'"(E\d{3})"', file.read_text())}
    return {code for code in found if code < "E6"}


def test_every_code_is_in_the_table() -> None:
    """Binary files and formulas built in Python have no text to point at; they are tested elsewhere.

    So are models that are too large, and what plain ISPL lacks.
    """
    assert codes_in_source() - {"E107", "E415", "E417", "E418", "E419", "E509"} == {
        code for code, _ in ERRORS
    }


# -- files and options that cannot be used ----------------------------------------------------------------


def refused(path: Path) -> Diagnostic:
    with pytest.raises(InputError) as caught:
        load(path)
    (found,) = caught.value.diagnostics
    return found


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    absent = refused(tmp_path / "absent.ispl")
    assert (absent.code, absent.message) == ("E601", f"no such file: {tmp_path / 'absent.ispl'}")
    folder = refused(tmp_path)
    assert (folder.code, folder.cure) == ("E602", "name an .ispl file")
    binary = tmp_path / "binary.ispl"
    binary.write_bytes(b"Agent A\nend\0Agent")
    found = refused(binary)
    assert (found.code, found.message) == ("E107", "a binary file, not ISPL text")
    assert (found.file, found.line, found.column) == (str(binary), 2, 4)
    assert [d.line for d in (absent, folder)] == [None, None]


@pytest.mark.parametrize(
    "code, message, cure, options",
    [
        ("E603", "unknown engine `bdd2`", "one of: auto, bdd, sdd, bitset, explicit", {"engine": "bdd2"}),
        ("E604", "unknown or empty group `none`", "name a group or an agent of the model",
         {"atl": "uniform-models", "uniform_group": "none"}),
        ("E604", "unknown or empty group `h`", "name a group or an agent of the model",
         {"atl": "uniform-models", "uniform_group": "h"}),
        ("E607", '`uniform_group` goes with `atl="uniform-models"` only', 'add `atl="uniform-models"`',
         {"uniform_group": "A"}),
        ("E605", "unknown choice `fair`", "one of: auto, objective, objective-fair, uniform, uniform-models",
         {"atl": "fair"}),
        ("E605", "unknown choice `stop`", "one of: warn, fail, loop", {"on_deadlock": "stop"}),
    ],
)  # fmt: skip
def test_options_that_mean_nothing(code: str, message: str, cure: str, options: dict[str, str]) -> None:
    with pytest.raises(InputError) as caught:
        loads(model()).check("p", **options)  # type: ignore[arg-type]
    (found,) = (each.spelt(as_keyword) for each in caught.value.diagnostics)
    assert (found.code, found.message, found.cure) == (code, message, cure)
    assert f"error[{code}]: {message}\n  help: {cure}" == str(caught.value)


def test_formatting_cannot_both_check_and_write() -> None:
    result = CliRunner().invoke(cli, ["fmt", "--check", "--write", "model.ispl"])
    assert result.exit_code == 2
    assert "error[E606]: --check and --write exclude each other" in result.output


def test_unknown_options(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["knower", "check", "model.ispl", "--nonsense", "--format", "json"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    (found,) = json.loads(capsys.readouterr().out)["errors"]
    assert (found["code"], found["line"]) == ("E600", None)
    assert "--nonsense" in found["message"]


# -- messages and cures -------------------------------------------------------------------------------------

SENDER = """Agent Sender
  Vars: state : {s0, s1}; end Vars
  Actions = {send};
  Protocol: @stat = s0 : {send}; end Protocol
end Agent
"""


def test_a_misspelt_variable() -> None:
    found = the_error(SENDER)
    assert found.code == "E202"
    assert found.message == "unknown variable `stat` in agent Sender"
    assert found.cure == "did you mean `state`?"
    assert found.render().splitlines() == [
        "test.ispl:4:13: error[E202]: unknown variable `stat` in agent Sender",
        "4 |   Protocol: stat = s0 : {send}; end Protocol",
        "  |             ^^^^",
        "  help: did you mean `state`?",
    ]


@pytest.mark.parametrize(
    "text",
    [
        SENDER.replace("{s0, s1}", "0..1").replace("s0", "0"),
        SENDER.replace("{s0, s1}", "boolean").replace("s0", "true"),
        SENDER.replace("stat = s0", "stat + 1 = 2").replace("{s0, s1}", "0..1"),
    ],
    ids=["number", "boolean", "sum"],
)
def test_a_misspelt_variable_beside_something_else_than_a_value(text: str) -> None:
    """The code may be another one where it could be a value, the cure is the same."""
    found = the_error(text)
    assert "`stat`" in found.message
    assert found.cure == "did you mean `state`?"
    assert "the other side" not in found.message


MESSAGES: list[tuple[str, str, str | None]] = [
    (model(protocol="@B.other = true : {go};"), "agent A cannot see `B.other` in its Protocol",
     "other agents are seen only by their actions: use `B.Action` in Evolution"),
    (model(evolution="x = 1 if @Environment.hidden = true;"),
     "agent A cannot see `Environment.hidden` in its Evolution",
     "declare `hidden` in Obsvars, or `Lobsvars = {hidden};` in agent A"),
    (model(protocol="@Action = go : {go};"), "actions cannot be read in Protocol",
     "conditions here speak of states; remember the action in a variable"),
    (model(variables="x : @3..0;"), "the range 3..0 is empty", "write `0..3`"),
    (model(evolution="x = 1 if @x;"), "a number stands where a condition is expected",
     "compare it with something"),
    (model(variables="x : 0..3; l : {a, b}; m : {b, c};", evolution="x = 1 if @l = m;"),
     "cannot compare values of {a, b} with values of {b, c}", "one enumeration must include the other"),
    (model(evolution="light = @blue if x = 1;"),
     "unknown name `blue`: neither a variable here nor a value of `light`",
     "known: `green`, `light`, `on`, `red`, `x`"),
    (model(evolution="light = @gren if x = 1;"),
     "unknown name `gren`: neither a variable here nor a value of `light`", "did you mean `green`?"),
    (model(protocol="light = @go : {go};"), "`go` is not a value of `light` : {red, green}",
     "known: `green`, `red`"),
    (model(protocol="Other : {@got};"), "unknown action `got` of agent A", "did you mean `go`?"),
    (model(formulae="AG @P;"), "unknown proposition `P`", "did you mean `p`?"),
    (model(formulae="K(@g, p);"), "unknown agent `g`", "known: `A`, `B`, `Environment`, `Idle`"),
    (model(formulae="GK(@none, p);"), "the group `none` is empty", "add members, or name an agent"),
    (model(formulae="AG @A.x;"), "a number stands where a condition is expected",
     "compare it with something"),
    (model(formulae="AG @A.greenStates;"), "`A.greenStates` is not a proposition",
     "did you mean `GreenStates`?"),
    (model(formulae="@F p;"), "a path formula stands where a state formula is expected",
     "write `AG`, `AF`, …, a quantifier `A` or `E`, or the prefix `LTL`"),
    (model(evolution="x = 1 and @x = 2 if x = 0;"), "`x` is assigned twice in one line", "keep one"),
    (model(top="Semantics = SA;", evolution="@x = 1 and on = true if x = 0;"),
     "SingleAssignment allows one assignment a line",
     "split the line, or use `Semantics = MultiAssignment;`"),
    (model(initial="@A.x = 0 and A.x = 1;"), "no state satisfies InitStates", "weaken the condition"),
    (model(initial="@x = 0;"), "unknown variable `x` in InitStates", "write `A.x`"),
    ("Agent A Vars: x : 0..1; end Vars Protocol: @Environment.y = 1 : {}; end Protocol end Agent",
     "unknown agent `Environment`", "this model has no Agent Environment"),
]  # fmt: skip


@pytest.mark.parametrize("text, message, cure", MESSAGES, ids=[message[:40] for _, message, _ in MESSAGES])
def test_the_message_and_the_cure(text: str, message: str, cure: str | None) -> None:
    found = the_error(text)
    assert (found.message, found.cure) == (message, cure)


def test_a_bare_observable_variable_is_told_its_full_name() -> None:
    assert the_error(model(protocol="@seen = true : {go};")).cure == "write `Environment.seen`"


# -- all errors at once -----------------------------------------------------------------------------------


def test_all_errors_are_reported_in_the_order_of_the_text() -> None:
    text, places = unmarked(
        model(
            variables="x : @3..0; light : {red, @red}; @x : boolean;",
            extra="RedStates: @y = red; end RedStates",
            protocol="@B.other = true : {@stop};",
            evolution="@z = 1 if @Environment.hidden = true;\n  x = @light if @B.other = true;",
            evaluation="p if @A.y = 1; @p if @A.Action = go;",
            initial="@C.x = 1;",
            groups="g = {@C};",
            fairness="@r;",
            formulae="K(@C, @s) and GK(@h, p);",
        )
    )
    found = errors(text)
    assert [(error.line, error.column) for error in found] == places
    assert [error.code for error in found] == [
        "E307", "E404", "E404", "E202", "E204", "E208", "E202", "E204", "E303", "E204",
        "E202", "E404", "E205", "E201", "E201", "E501", "E201", "E501", "E209",
    ]  # fmt: skip


def test_twin_agents_do_not_hide_other_errors_or_their_order() -> None:
    """What stands inside the twins may be left out: nobody knows which of the two is meant."""
    text, places = unmarked(
        "Agent A end Agent\nAgent @A end Agent\nAgent B Vars: x : @3..0; end Vars end Agent\n"
    )
    assert [(error.line, error.column) for error in errors(text)] == places


def test_a_mistake_is_reported_wherever_it_stands() -> None:
    """Names are resolved once, but only those that are right."""
    evaluation = "p if A.nix = 1; q if A.nix = 1; r if A.x = blue and A.x = blue;"
    assert [error.code for error in errors(model(evaluation=evaluation))] == ["E202", "E202", "E203", "E203"]


def test_one_mistake_is_reported_once() -> None:
    found = the_error(model(evolution="x = 1 if (@B.other = true or x = 1) and !(x = 2);"))
    assert found.code == "E204"
    the_error(model(evolution="x = @B.other + 1 if x = 1;"))


def test_all_syntax_errors_are_reported_in_the_order_of_the_text() -> None:
    """Sections may come in any order, and formulas are read last."""
    text, places = unmarked(
        "Formulae AG (p @; end Formulae\n"
        "Agent A\n  Vars: x @0..3; y : boolean; end Vars\n  Actions = {a @b};\n"
        "  Protocol: y = @: {a}; end Protocol\nend Agent\n"
        "Groups g = @A; end Groups\n"
    )
    found = errors(text)
    assert [(error.line, error.column) for error in found] == places
    assert {error.code for error in found} == {"E103"}


def test_all_errors_of_one_formula_are_reported_in_its_order() -> None:
    with pytest.raises(InputError) as caught:
        loads(model()).parse("<h>(r U K(C, s)) and GK(none, p)")
    found = caught.value.diagnostics
    assert [(error.code, error.line, error.column) for error in found] == [
        ("E209", 1, 2), ("E501", 1, 5), ("E201", 1, 11), ("E501", 1, 14), ("E409", 1, 25),
    ]  # fmt: skip
    assert {error.file for error in found} == {"<formula>"}


def test_the_message_of_the_exception_is_all_of_them() -> None:
    with pytest.raises(InputError) as caught:
        loads(model(evaluation="p if A.y = 1; q if A.z = 1;"))
    assert str(caught.value).count("error[E202]") == 2
    assert caught.value.exit_status == 2


# -- who may read what ------------------------------------------------------------------------------------

STATE, ACTION, HIDDEN = "state", "action", "hidden"
#: What agent A can name, and of which kind it is to A.
READABLE: list[tuple[str, str]] = [
    ("x = 1", STATE),
    ("Environment.seen = true", STATE),
    ("Environment.listed = true", STATE),
    ("Environment.hidden = true", HIDDEN),
    ("B.other = true", HIDDEN),
    ("Action = go", ACTION),
    ("A.Action = go", ACTION),
    ("B.Action = nod", ACTION),
    ("Environment.Action = tick", ACTION),
]
SECTIONS: dict[str, dict[str, str | None]] = {
    "Protocol": {STATE: None, ACTION: "E205", HIDDEN: "E204"},
    "RedStates": {STATE: None, ACTION: "E205", HIDDEN: "E204"},
    "Evolution": {STATE: None, ACTION: None, HIDDEN: "E204"},
}


def in_section(section: str, condition: str) -> str:
    match section:
        case "Protocol":
            return model(protocol=f"{condition} : {{go}};")
        case "RedStates":
            return model(extra=f"RedStates: {condition}; end RedStates")
        case "Evolution":
            return model(evolution=f"x = 1 if {condition};")
        case "Evaluation":
            return model(evaluation=f"p if {condition};")
        case _:
            return model(initial=f"{condition};")


def complaint(text: str) -> str | None:
    """The code of the only error, or None if there is none."""
    plain, _ = unmarked(text)
    try:
        loads(plain)
    except InputError as error:
        (found,) = error.diagnostics
        return found.code
    return None


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("condition, kind", READABLE)
def test_what_an_agent_may_read(section: str, condition: str, kind: str) -> None:
    assert complaint(in_section(section, condition)) == SECTIONS[section][kind]


@pytest.mark.parametrize("section", ["Evaluation", "InitStates"])
@pytest.mark.parametrize(
    "condition, code",
    [
        ("A.x = 1", None),
        ("B.other = true", None),
        ("Environment.seen = true", None),
        ("Environment.hidden = true", None),
        ("A.light = red", None),
        ("A.Action = go", "E205"),
        ("Environment.Action = tick", "E205"),
        ("Idle.Action = tick", "E205"),
        ("x = 1", "E202"),
        ("light = red", "E202"),
        ("C.x = 1", "E201"),
        ("A.other = true", "E202"),
    ],
)
def test_what_the_global_sections_may_read(section: str, condition: str, code: str | None) -> None:
    assert complaint(in_section(section, condition)) == code


@pytest.mark.parametrize(
    "who, condition, code",
    [
        ("B", "Environment.listed = true", "E204"),  # A's Lobsvars are not B's
        ("B", "Environment.seen = true", None),
        ("B", "A.Action = go", None),
        ("Environment", "hidden = listed", None),
        ("Environment", "seen = true", None),
        ("Environment", "A.x = 1", "E204"),
        ("Environment", "A.Action = go", None),
        ("Idle", "Environment.seen = true", None),
        ("Idle", "Idle.Action = go", "E206"),
        ("Idle", "Action = go", "E206"),
    ],
)
def test_what_the_others_may_read(who: str, condition: str, code: str | None) -> None:
    assigned = {"B": "other", "Environment": "hidden", "Idle": "busy"}[who]
    text = model().replace("Agent Idle\n", "Agent Idle\n  Vars: busy : boolean; end Vars\n")
    head, rest = text.split(f"Agent {who}\n")
    body, tail = rest.split("end Agent", 1)
    lines = f"  Evolution: {assigned} = true if {condition}; end Evolution\n"
    assert complaint(f"{head}Agent {who}\n{body}{lines}end Agent{tail}") == code


@pytest.mark.parametrize(
    "formula, code",
    [
        ("p and !q", None),
        ("A.GreenStates -> B.RedStates", None),
        ("Environment.GreenStates or Idle.RedStates", None),
        ("A.x", "E301"),
        ("A.x = 1", None),
        ("A.on", None),
        ("A.Action", "E205"),
        ("x", "E501"),
        ("C.GreenStates", "E201"),
        ("g.GreenStates", "E201"),
    ],
)
@pytest.mark.parametrize("section", ["fairness", "formulae"])
def test_what_formulas_may_read(section: str, formula: str, code: str | None) -> None:
    assert complaint(model(**{section: f"{formula};"})) == code


def test_without_an_environment_its_variables_are_unknown() -> None:
    alone = "Agent A Vars: x : boolean; end Vars {} end Agent Evaluation p if {}; end Evaluation"
    assert complaint(alone.format("", "A.x = true")) is None
    assert complaint(alone.format("", "Environment.x = true")) == "E201"
    assert (
        complaint(alone.format("Evolution: x = true if Environment.x = true; end Evolution", "true"))
        == "E201"
    )
    assert (
        complaint(alone.format("Evolution: x = true if Environment.Action = a; end Evolution", "true"))
        == "E201"
    )


def test_values_read_what_guards_read() -> None:
    assert complaint(model(evolution="on = Environment.seen if x = 1;")) is None
    assert complaint(model(evolution="on = Environment.hidden if x = 1;")) == "E204"
    assert complaint(model(evolution="on = B.other if x = 1;")) == "E204"


# -- types --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition, code",
    [
        ("light = red", None),
        ("red = light", None),
        ("light != red", None),
        ("light <> red", None),
        ("light < red", "E305"),
        ("on <= true", "E305"),
        ("on = light", "E302"),
        ("on = 1", "E302"),
        ("x = light", "E302"),
        ("x = red", "E306"),
        ("on = red", "E306"),
        ("light = go", "E306"),
        ("Action = red", "E306"),
        ("light = B.Action", "E304"),
        ("Action = B.Action", "E304"),
        ("-on = 1", "E302"),
        ("~x = true", "E302"),
        ("x & on = true", "E302"),
        ("light + 1 = 2", "E302"),
        ("!x", "E302"),
        ("!on", None),
        ("(x = 1) = on", None),
        ("(x = 1) = (on = true)", None),
        ("(x = 1) < on", "E305"),
        ("(x = 1) + 1 = 2", "E302"),
        ("x and x = 1", "E302"),
        ("on", None),
        ("on & on", None),
        ("on & (x = 1)", None),
        ("x + 1", "E301"),
        ("light", "E301"),
    ],
)
def test_types_of_conditions(condition: str, code: str | None) -> None:
    assert complaint(model(evolution=f"x = 1 if {condition};")) == code


@pytest.mark.parametrize(
    "assignment, code",
    [
        ("x = x*2 - 1", None),
        ("x = 9", None),  # legal: it overflows when it is taken
        ("x = 1/0", None),
        ("on = ~on", None),
        ("on = true", None),
        ("light = red", None),
        ("light = light", None),
        ("x = on", "E303"),
        ("on = x", "E303"),
        ("on = 1", "E303"),
        ("light = on", "E303"),
        ("light = x", "E303"),
        ("light = Action", "E304"),
        ("light = go", "E306"),
        ("light = purple", "E203"),
        ("x = red", "E306"),
        ("y = 1", "E202"),
        ("seen = true", "E202"),  # the Environment's, not A's
    ],
)
def test_types_of_assignments(assignment: str, code: str | None) -> None:
    assert complaint(model(evolution=f"{assignment} if x = 0;")) == code


@pytest.mark.parametrize(
    "left, right, code",
    [
        ("{a, b}", "{a, b}", None),
        ("{a, b}", "{b, a}", None),
        ("{a, b}", "{a, b, c}", None),
        ("{a, b, c}", "{c}", None),
        ("{a, b}", "{b, c}", "E304"),
        ("{a}", "{b}", "E304"),
    ],
)
def test_enumerations_meet_when_one_includes_the_other(left: str, right: str, code: str | None) -> None:
    variables = f"x : 0..3; l : {left}; r : {right};"
    assert complaint(model(variables=variables, protocol="l = r : {go};")) == code
    assert complaint(model(variables=variables, protocol="r != l : {go};")) == code
    assert complaint(model(variables=variables, evolution="l = r if x = 1;")) == code


@pytest.mark.parametrize(
    "domain, code",
    [("0..0", None), ("-3..-1", None), ("-1..1", None), ("1..0", "E307"), ("-1..-2", "E307"), ("{}", "E307")],
)
def test_domains(domain: str, code: str | None) -> None:
    assert complaint(model(variables=f"x : 0..3; y : {domain};")) == code


def test_single_assignment_allows_one_assignment_a_line() -> None:
    two, twice = "x = 1 and on = true if x = 0;", "x = 1 and x = 2 if x = 0;"
    assert complaint(model(evolution=two)) is None
    assert complaint(model(top="Semantics = SingleAssignment;", evolution=two)) == "E408"
    assert complaint(model(evolution=twice)) == "E407"
    assert "E407" in [error.code for error in errors(model(top="Semantics = SA;", evolution=twice))]


# -- groups -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operator", ["GK({}, p)", "GCK({}, p)", "DK({}, p)", "MGK({}, p)", "MDK({}, p)"])
@pytest.mark.parametrize(
    "who, code", [("g", None), ("A", None), ("Environment", None), ("none", "E409"), ("h", "E209")]
)
def test_groups_in_formulas(operator: str, who: str, code: str | None) -> None:
    """A group, then an agent; an empty group knows nothing, and is an error."""
    assert complaint(model(formulae=operator.format(who) + ";")) == code


@pytest.mark.parametrize("operator", ["<{}>X p", "<{}>F p", "<{}>G p", "<{}>(p U q)"])
@pytest.mark.parametrize(
    "who, code", [("g", None), ("A", None), ("Environment", None), ("none", None), ("h", "E209")]
)
def test_coalitions_in_formulas(operator: str, who: str, code: str | None) -> None:
    """A coalition may be empty: what comes about whatever anybody does."""
    assert complaint(model(formulae=operator.format(who) + ";")) == code
    assert complaint(model(fairness=operator.format(who) + ";")) == code


@pytest.mark.parametrize("operator", ["K({}, p)", "M({}, p)", "O({}, p)", "P({}, p)"])
@pytest.mark.parametrize(
    "who, code", [("A", None), ("Environment", None), ("g", "E201"), ("none", "E201"), ("C", "E201")]
)
def test_agents_in_formulas(operator: str, who: str, code: str | None) -> None:
    assert complaint(model(formulae=operator.format(who) + ";")) == code


def test_an_empty_group_hides_the_agent_of_its_name() -> None:
    named = model(groups="A = {};", formulae="K(A, p);")
    assert complaint(named) is None
    assert complaint(named.replace("K(A", "GK(A")) == "E409"


def test_members_are_agents_not_groups() -> None:
    assert complaint(model(groups="g = {A}; h = {g};")) == "E201"


# -- the typed system ---------------------------------------------------------------------------------------


def interpreted(text: str) -> InterpretedSystem:
    return loads(text).interpreted


def test_variables_come_agent_by_agent_obsvars_first() -> None:
    system = interpreted(model())
    assert [str(variable) for variable in system.variables] == [
        "Environment.seen", "Environment.hidden", "Environment.listed", "A.x", "A.light", "A.on", "B.other",
    ]  # fmt: skip
    assert system.domains["A", "x"] == RangeDomain(0, 3)
    assert system.domains["A", "light"] == EnumDomain(("red", "green"))
    assert system.domains["B", "other"] == BoolDomain()


def test_observations_are_own_variables_obsvars_and_lobsvars() -> None:
    seen = {agent.name: set(agent.observes) for agent in interpreted(model()).agents}
    env = {("Environment", "seen"), ("Environment", "hidden"), ("Environment", "listed")}
    assert seen["Environment"] == env
    assert seen["A"] == {
        ("A", "x"),
        ("A", "light"),
        ("A", "on"),
        ("Environment", "seen"),
        ("Environment", "listed"),
    }
    assert seen["B"] == {("B", "other"), ("Environment", "seen")}
    assert seen["Idle"] == {("Environment", "seen")}


def test_what_is_observed_twice_is_seen_once() -> None:
    """Lobsvars may name an Obsvar; the observation does not change."""
    (agent,) = [a for a in interpreted(model().replace("{listed}", "{listed, seen}")).agents if a.name == "A"]
    assert len(agent.observes) == len(set(agent.observes)) == 5


def test_members_of_groups() -> None:
    system = interpreted(model(groups="g = {B, A, B}; B = {A, Environment}; none = {};"))
    assert system.members("g") == ("B", "A")
    assert system.members("B") == ("A", "Environment")
    assert system.members("A") == ("A",)
    assert system.members("Idle") == ("Idle",)


def test_empty_sections_may_be_left_out() -> None:
    system = interpreted("Agent A end Agent")
    assert (system.variables, dict(system.propositions), dict(system.groups)) == ((), {}, {})
    assert (system.fairness, system.formulae) == ((), ())
    result = loads("Agent A end Agent").check("AG true")
    assert (result.states, result.holds) == (1, True)


RESERVED = """
Agent K
  Vars: A : boolean; X : {U, F, E}; end Vars
  Actions = {G, AG};
  Protocol: A = true : {G}; Other : {AG}; end Protocol
  Evolution: X = F if Action = G and X = U; A = true if Action = AG; end Evolution
end Agent
Evaluation F if K.X = F; U if K.X = U; EX if K.A = true; end Evaluation
InitStates K.X = U and K.A = true; end InitStates
Groups G = {K}; end Groups
Formulae U; AX F; K(K, U); GK(G, EX); <G>X F; LTL U U F; EX and !F; AG EX; AG (EX); end Formulae
"""


def test_reserved_words_are_names_where_nothing_else_can_stand() -> None:
    assert loads(RESERVED).check().holds


def test_reprs() -> None:
    system = interpreted(model())
    assert repr(system) == "InterpretedSystem(Environment, A, B, Idle: 7 variables)"
    assert repr(system.agent_named["A"]) == "Agent(A: 3 variables, 2 actions)"


def test_semantics_by_each_name() -> None:
    def single(word: str) -> bool:
        return interpreted(model(top=f"Semantics = {word};")).single_assignment

    assert [single(word) for word in ("MultiAssignment", "MA", "SingleAssignment", "SA")] == [
        False,
        False,
        True,
        True,
    ]
    assert not interpreted(model()).single_assignment
    assert the_error(model(top="Semantics = @Simultaneous;")).code == "E103"


def test_a_system_is_elaborated_when_it_is_loaded() -> None:
    assert isinstance(loads(model()), System)
    with pytest.raises(InputError):
        loads(model(formulae="AG nothing;"))
