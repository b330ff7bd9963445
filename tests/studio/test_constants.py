"""Constants with other values, and experiments with many."""

from __future__ import annotations

from pathlib import Path

from studio.studios import Page, Studio, Talk
from studio.test_browser import checked, opened
from studio.test_questions import conforms

LIGHTS = """Const n = 2 where n >= 2;
Agent Light(i : 1..n)
  Vars: on : boolean init false; end Vars
  Actions = {flip, wait};
  Protocol: Other : {flip, wait}; end Protocol
  Evolution: on = !on if Action = flip; end Evolution
end Agent
Evaluation for i : 1..n do lit(i) if Light(i).on = true; end Evaluation
Formulae
  all : EF (forall i : 1..n (lit(i)));
  for i : 1..n do never(i) : AG !lit(i) expect false;
end Formulae"""


def test_a_model_is_opened_with_other_constants(talk: Talk):
    read = talk.ask("open", name="l.ispl", text=LIGHTS, constants={"n": "3"})
    conforms("open", read)
    assert read["facts"]["constants"] == [{"name": "n", "value": "3", "kind": "number"}]
    assert [each["expected"] for each in read["facts"]["formulas"]] == ["true", "false", "false", "false"]
    done = talk.ask("check", model=read["model"], formulas=None, options={"vacuity": True})
    assert done["states"] == "8" and [each["name"] for each in done["answers"]][:2] == ["all", "never(1)"]
    for wrong in ({"n": "1"}, {"m": "3"}, {"n": "true"}, {"n": "("}):
        read = talk.ask("open", name="l.ispl", text=LIGHTS, constants=wrong)
        assert read["facts"] is None and read["problems"], wrong


def test_another_value_is_checked_again(page: Page, models: Path, studio: Studio):
    (models / "lights.ispl").write_text(LIGHTS)
    opened(page, studio, "lights.ispl")
    checked(page)
    page.wait_text(".facts", "4 reachable states")
    field = page.one(".constant input[type=text]")
    field.clear()
    field.send_keys("3\n")
    page.wait_text(".facts", "8 reachable states")
    assert not any("expected" in each for each in page.texts(".formula-facts"))
    field = page.one(".constant input[type=text]")
    field.clear()
    field.send_keys("1\n")
    page.wait_text(".constants .note", "n")
    page.press("As in the text")
    page.wait_text(".facts", "4 reachable states")


def test_an_experiment_is_a_table_a_plot_and_a_file(page: Page, models: Path, studio: Studio):
    (models / "lights.ispl").write_text(LIGHTS)
    opened(page, studio, "lights.ispl")
    page.one('.experiments input[placeholder="2..4"]').send_keys("1..4\n")
    page.wait(lambda: len(page.all(".experiments tbody tr")) == 4, "four runs")
    page.wait(lambda: not [each for each in page.texts(".experiments button") if each == "Stop"], "the end")
    rows = [row.split("\t") for row in page.texts(".experiments tbody tr")]
    assert [row[:4] for row in rows[1:]] == [
        ["2", "4", "true", "false"],
        ["3", "8", "true", "false"],
        ["4", "16", "true", "false"],
    ]
    assert "n" in rows[0][-1]  # where n >= 2
    assert len(page.all(".plot circle")) == 6
    assert page.complaints() == []
