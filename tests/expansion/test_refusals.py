"""What has no plain text, and what a plain text is called."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from expansion.plain_ispl import body, check_same, read
from knower.cli.main import cli
from knower.errors import InputError
from templates.written_out import text


def refused(model: str) -> list[tuple[str, int | None]]:
    with pytest.raises(InputError) as caught:
        read(model).expanded()
    return [(each.code, each.line) for each in caught.value.diagnostics]


ARRAY = "i : 0..3;\n x : array 1..2 of 0..3;"


@pytest.mark.parametrize(
    "evolution",
    [
        "i = 1 if x[i] = 2;",
        "i = x[i] if i < 3;",
        "x[i] = 1 if i >= 1;",
        "i = 3 % i if i < 3;",
        "i = 1 if 3 % i = 0;",
        "i = min(3 / i, 1) if i < 2;",
    ],
)
def test_an_index_that_may_leave_its_range_is_refused_at_its_line(evolution):
    model = text(variables=ARRAY, evolution=f"\n\n{evolution}")
    line = model.split(evolution)[0].count("\n") + 1
    assert refused(model) == [("E417", line)]


@pytest.mark.parametrize(
    "evolution",
    [
        "i = 1 if i >= 1 and i <= 2 and x[i] = 2;",
        "i = x[i] if i in 1..2;",
        "x[i] = 1 if i > 0 and i < 3;",
        "i = 3 % i if i > 0;",
        "i = 1 if i = 0 or 3 % i = 0;",
        "i = if i = 0 then 1 else 3 % i if true;",
        "i = 1 if 3 / i = 1;",
        "x[i % 2 + 1] = (i + x[1]) mod 4 if true;",
    ],
)
def test_one_that_stays_there_is_not(evolution):
    model = read(text(variables=ARRAY, evolution=evolution, end="InitStates A.x[1] = 0; end InitStates"))
    check_same(model, model.expanded())


def test_an_array_element_of_another_instance_names_the_instance():
    agent = "Agent Cell(k : 1..2) Vars: i : 0..3; x : array 1..2 of boolean; end Vars Actions = {a};"
    model = f"{agent} Evolution: i = k if x[i]; end Evolution end Agent"
    with pytest.raises(InputError) as caught:
        read(model).expanded()
    (found,) = caught.value.diagnostics
    assert "Cell(1) and 1 more" in found.message


def test_a_text_of_more_than_20_megabytes_is_refused():
    model = text(variables="x : 0..900000;", evolution="\nx = x % 2 if true;")
    assert refused(model)[0][0] == "E418"


def test_fairness_that_mcmas_lacks_is_refused_and_duals_are_written_out():
    end = "Evaluation p if A.x = 1; end Evaluation\nFairness {0}; end Fairness\nFormulae EG p; end Formulae"
    assert refused(text(end=end.format("LDL <tt*>p")))[0][0] == "E419"
    model = read(text(evolution="x = 1 if true;", end=end.format("M(A, p) or A(p R M(A, !p))")))
    assert check_same(model, model.expanded()) == 1


# -- names -----------------------------------------------------------------------------------------------

CLASHES = """
Agent K
  Vars: x_1 : boolean; x : array -1..1 of boolean; U : 0..1; red : {go, x_m1, A}; end Vars
  Actions = {go, x_m1, red, call};
  Protocol: Other : {go, x_m1, red, call}; end Protocol
  Evolution:
    x[1] = true if Action = go and x_1 = false;
    x[-1] = true and red = x_m1 if Action = x_m1;
    U = 1 and red = A if Action = red;
  end Evolution
end Agent
Agent K_(i : 1..2) Actions = {call(1), call_1}; end Agent
Evaluation p if K.x[1]; true if K.U = 1; K_1 if K.red = A; end Evaluation
InitStates !K.x_1 and !K.x[-1] and !K.x[0] and !K.x[1] and K.U = 0 and K.red = go; end InitStates
Groups K_1 = {K_(1)}; G = {K, K_(2)}; end Groups
Formulae
  EF (p and true);
  <K_1>F p or <G>X true;
  GK({K, K_(1)}, K.x[0] -> K.red = A) -> AG K.x[-1] != K.x[0];
  <>F p;
end Formulae
"""


def test_names_that_clash_are_told_apart():
    model = read(CLASHES)
    expanded = model.expanded()
    assert check_same(model, expanded) == 4
    names = dict(line.split()[1:] for line in expanded.splitlines() if line.startswith("--   "))
    assert names["K_"] == "K"
    assert names["x_1_"] == "x[1]"
    assert names["x_m1_"] == "x[-1]"
    assert names["U_"] == "U"
    assert names["true_"] == "true"
    assert "!=" not in body(expanded)


def test_the_command_writes_a_file(tmp_path):
    target = tmp_path / "plain.ispl"
    model = "Const n = 2; Agent Cell(i : 1..n) Vars: x : 0..n init 0; end Vars Actions = {a}; end Agent"
    done = CliRunner().invoke(cli, ["expand", "-", "-D", "n=3", "-o", str(target)], input=model)
    assert (done.exit_code, done.output) == (0, "")
    assert "Agent Cell_3" in target.read_text()
    swept = CliRunner().invoke(cli, ["expand", "-", "-D", "n=3..4"], input=model)
    assert swept.exit_code == 2
