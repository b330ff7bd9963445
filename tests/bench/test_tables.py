"""The tables that come with Knower are well-formed, and what is wrong with others is said."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import click
import pytest
from tiny_tables import case, table, table_data

import knower
from knower.bench.formulas import BUILDERS, logic_of, questions
from knower.bench.load import from_text, load, names
from knower.bench.prepare import Job, NotYet, missing, prepared
from knower.bench.table import Asked, Row, Value
from knower.cli.check import check
from knower.errors import UsageError
from knower.families import FAMILIES

WANTED = [
    *(f"002-table{k}" for k in range(1, 7)),
    *(f"001-table8.{k}" for k in range(1, 7)),
    *(f"000-table5.{k}" for k in (1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
    *(f"003-table4.{k}" for k in range(1, 20)),
    *(f"004-figure{k}" for k in (2, 3, 4)),
]
every = pytest.mark.parametrize("name", names())


def test_all_tables_are_there() -> None:
    assert set(names()) == set(WANTED)
    assert names().index("000-table5.9") < names().index("000-table5.10")


@every
def test_table_is_well_formed(name: str) -> None:
    found = load(name)
    assert found.name == name
    assert found.rows
    keys = [row.key for row in found.rows]
    assert len(set(keys)) == len(keys)
    assert found.baseline is None or found.baseline in found.series
    for row in found.rows:
        assert missing(row) is None


@every
def test_smallest_rows_can_be_asked(name: str) -> None:
    """Parameters are allowed and formulas make sense, for the smallest row of each case."""
    smallest: dict[tuple[str, str, str], Row] = {}
    for row in load(name).rows:
        kind = (row.panel, row.series, row.family)
        if row.family in FAMILIES and row.size <= smallest.get(kind, row).size:
            smallest[kind] = row
    for row in smallest.values():
        assert _formulas(row.family, tuple(row.parameters.items()), row.asked, row.size) > 1


@cache
def _formulas(
    family: str, parameters: tuple[tuple[str, Value], ...], asked: tuple[Asked, ...], size: int
) -> int:
    """How many formulas are asked, once they are understood."""
    job = prepared(Row(size, "", family, dict(parameters), asked))
    assert isinstance(job, Job)
    return len(knower.loads(job.model).formulae)


@every
def test_parameters_are_allowed(name: str) -> None:
    for row in load(name).rows:
        if row.family in FAMILIES:
            family = FAMILIES[row.family]
            complete = {one.name: row.parameters.get(one.name, one.default) for one in family.parameters}
            assert set(row.parameters) <= set(complete), row.key
            for one in family.parameters:
                assert one.beside(complete).admits(complete[one.name]), row.key


@every
def test_options_are_those_of_check(name: str) -> None:
    known = {option: one for one in check.params for option in one.opts}
    for row in load(name).rows:
        for option, value in row.options.items():
            kind = known[f"--{option}"].type
            assert not isinstance(kind, click.Choice) or value in kind.choices, row.key


def test_figures_of_the_papers() -> None:
    """A few, read off the papers."""
    cells = {
        ("002-table4", "20"): ("MCK", 47937),
        ("002-table5", "250"): ("NuSMV, reordering", "timeout"),
        ("001-table8.1", "specification 1 / LDL / 22"): ("MCMAS-Dynamic", 69.491),
        ("001-table8.2", "spec 4 / 524288"): ("MCMAS-Dynamic", 47158.764),
        ("001-table8.4", "specification 2 / LTL / 70"): ("MCMAS-Dynamic", 482.374),
        ("001-table8.5", "specification 4 / CTL* / 4"): ("MCMAS-Dynamic", "out of memory"),
        ("001-table8.6", "specification 3, window 4 / finite runs / 7"): ("MCMAS-Dynamic", 4967.685),
        ("000-table5.6", "bounded / 3 trains, 20, 10"): ("MCMAS", 84.51),
        ("003-table4.1", "SDD / cryptos9"): ("order 2", 145.313),
    }
    for (name, key), (column, figure) in cells.items():
        row = next(row for row in load(name).rows if row.key == key)
        assert row.paper[column] == figure


# -- what is wrong with a table -----------------------------------------------------------------------


def without(data: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != name}


WRONG = {
    "`title` is missing": without(table_data(), "title"),
    "`measure` cannot be `hours`": table_data(measure="hours"),
    "`log` cannot be 3": table_data(log=3),
    "`also` cannot be `hours`": table_data(also=["clauses", "hours"]),
    "`colour` means nothing here": table_data(colour="red"),
    "axis: `label` is missing": table_data(axis={}),
    "columns[0]: `unit` cannot be `fortnight`": table_data(columns=[{"name": "x", "unit": "fortnight"}]),
    "cases[0]: `rows` is missing": table_data(without(case(), "rows")),
    "cases[0].rows[0]: a row is a list": table_data(case(rows=[7])),
    "must be 1 whole number(s), not 'many'": table_data(case(rows=[["many", 1]])),
    "must be 2 whole number(s)": table_data(case(size=["n", "m"])),
    "2 figures for 1 columns": table_data(case(rows=[[2, 1, 1]])),
    "[1] is no figure": table_data(case(rows=[[2, [1]]])),
    "`builder` cannot be `nested-step`": table_data(case(formulas=[{"builder": "nested-step"}])),
    "formulas[0]: `expected` is missing": table_data(case(formulas=[{"formula": "AG even"}])),
    "an object is wanted here": table_data(case(formulas=["AG even"])),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_wrong_table(message: str) -> None:
    with pytest.raises(UsageError) as caught:
        from_text(json.dumps(WRONG[message]), "mine.json")
    assert message in str(caught.value)
    assert "mine.json" in str(caught.value)


def test_no_json() -> None:
    with pytest.raises(UsageError, match=r"mine\.json: this is not JSON"):
        from_text("{", "mine.json")


def test_unknown_table_and_file() -> None:
    with pytest.raises(UsageError, match="did you mean `002-table4`"):
        load("002-tabel4")
    with pytest.raises(UsageError, match="no such file"):
        load("nowhere.json")


# -- from rows to jobs --------------------------------------------------------------------------------


def test_job_asks_true_first() -> None:
    job = prepared(table().rows[0])
    assert isinstance(job, Job)
    system = knower.loads(job.model)
    assert [str(one) for one in system.formulae] == ["true", "AG EF max"]
    assert job.expected == (True,)
    assert job.arguments == ("--engine", "auto", "--evidence", "none")


def test_all_and_numbered_questions() -> None:
    rows = table(
        case(formulas="all", rows=[[2]]),
        case(series="5", formulas=[{"specification": 5}, {"question": 6}], rows=[[4]]),
    ).rows
    family = FAMILIES["counter"]
    assert len(questions(rows[0], family)) == 6
    assert [logic_of(one.formula) for one in questions(rows[1], family)] == ["CDL*", "CTLK"]


def test_specification_by_logic_and_item() -> None:
    def asked(**specification: Any) -> str:
        row = table(case(family="prisoners", formulas=[specification], rows=[[3]])).rows[0]
        return questions(row, FAMILIES["prisoners"])[0].formula

    assert asked(specification=1, logic="LTL") == "LTL F released"
    assert asked(specification=5, item=2) == "EF executed"
    assert asked(specification=2, logic="CDL*").startswith("CDL* A [tt*] ((announced -> ")
    with pytest.raises(UsageError, match="no specification 9"):
        asked(specification=9)
    with pytest.raises(UsageError, match="no question 7"):
        asked(specification=5, item=7)
    with pytest.raises(UsageError, match="does not ask this in CTL"):
        asked(specification=1, logic="CTL*")


LOGICS = {"nested-steps": ("CTLK", "CTL*", "CDL*"), "good-rounds": ("LTL", "CTL*", "LDL", "CDL*")}


@pytest.mark.parametrize(("name", "logic"), [(name, logic) for name in BUILDERS for logic in LOGICS[name]])
def test_builders_make_formulas(name: str, logic: str) -> None:
    text = (
        "Agent A Vars: x : boolean; end Vars Actions = {go}; Protocol: Other : {go}; end Protocol "
        "Evolution: x = true if Action = go; end Evolution end Agent "
        "Evaluation all_acked if A.x = true; all_work if A.x = true; end Evaluation "
        "InitStates A.x = false; end InitStates"
    )
    system = knower.loads(text)
    for size in (2, 3, 20):
        question = BUILDERS[name](size, logic)
        assert question.expected
        assert logic_of(question.formula) == logic
        assert system.check(question.formula, engine="bdd").exit_status == 0


def test_what_is_not_there_yet() -> None:
    rows = table(
        case(engine="abacus", rows=[[2]]),
        case(series="b", family="unicorns", rows=[[2]]),
    ).rows
    assert [prepared(row) for row in rows] == [NotYet("engine abacus"), NotYet("family unicorns")]
