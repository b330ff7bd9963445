"""Results as conditions, as data and as tables."""

from __future__ import annotations

import json
import sys
from types import ModuleType

import pytest

import knower
from knower.errors import UsageError
from knower.logic.formula import Atom
from knower.logic.language import Specification
from knower.reasons import StateLimit
from knower.verdict.faults import Absence, Fault, Faults
from knower.verdict.trace import Path
from knower.verdict.verdict import CheckResult, FormulaResult, Verdict
from knower.verdict.warnings import Deadlock

TRUE, FALSE, UNKNOWN = Verdict.TRUE, Verdict.FALSE, Verdict.UNKNOWN
DEADLOCK = Deadlock(Path(({},)))


def formula(number: int, verdict: Verdict, expected: Verdict = TRUE) -> FormulaResult:
    spec = Specification(Atom("p"))
    reason = StateLimit(3) if verdict is UNKNOWN else None
    return FormulaResult(number, "p", spec, "CTL", verdict, reason, expected=expected)


def result(*verdicts: Verdict, sought: tuple[Fault, ...] = (), faults: Faults | None = None) -> CheckResult:
    formulas = tuple(formula(k, verdict) for k, verdict in enumerate(verdicts, start=1))
    return CheckResult("model", "bdd", 3, formulas, sought=sought, faults=faults or Faults())


@pytest.mark.parametrize(
    ("verdicts", "holds"),
    [((TRUE,), True), ((TRUE, TRUE), True), ((TRUE, FALSE), False), ((UNKNOWN, FALSE), False)],
)
def test_a_result_is_true_if_all_is(verdicts, holds):
    assert bool(result(*verdicts)) is holds


def test_what_is_unknown_is_neither():
    with pytest.raises(ValueError, match="unknown, neither true nor false: formula 2"):
        bool(result(TRUE, UNKNOWN))


def test_what_was_not_asked_is_neither():
    with pytest.raises(ValueError, match="nothing was asked"):
        bool(result())


def test_faults_that_are_sought_count():
    sought = (Fault.DEADLOCK,)
    assert bool(result(sought=sought, faults=Faults(Absence.PROVED)))
    assert not bool(result(sought=sought, faults=Faults(DEADLOCK)))
    assert not bool(result(TRUE, sought=sought, faults=Faults(DEADLOCK)))
    assert not bool(result(UNKNOWN, sought=sought, faults=Faults(DEADLOCK)))
    assert not bool(result(FALSE, sought=sought, faults=Faults()))
    with pytest.raises(ValueError, match="unknown, neither true nor false: deadlock"):
        bool(result(TRUE, sought=sought, faults=Faults(Absence.UNKNOWN)))


def test_faults_nobody_sought_do_not_count():
    assert bool(result(TRUE, faults=Faults(DEADLOCK)))


def test_one_formula_is_its_verdict():
    assert formula(1, TRUE)
    assert not formula(1, FALSE)
    with pytest.raises(ValueError, match="neither true nor false"):
        bool(formula(1, UNKNOWN))


def test_an_assertion_fails_on_what_is_false():
    system = knower.load("examples/bit_transmission.ispl")
    assert system.check("AG (ack_received -> bit_received)")
    assert not system.check("AF bit_received")


def test_expectations_are_not_verdicts():
    as_hoped = CheckResult("m", "bdd", 1, (formula(1, FALSE, expected=FALSE), formula(2, TRUE)))
    assert as_hoped.as_expected
    assert not bool(as_hoped)
    assert not CheckResult("m", "bdd", 1, (formula(1, TRUE, expected=FALSE),)).as_expected
    assert not CheckResult("m", "bdd", 1, (formula(1, UNKNOWN),)).as_expected


# -- as data ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checked():
    return knower.load("examples/bit_transmission.ispl").check("AG bit_received", "EF bit_received")


def test_plain_data(checked):
    data = checked.to_dict()
    assert [each["verdict"] for each in data["formulas"]] == ["false", "true"]
    assert json.loads(checked.to_json()) == json.loads(json.dumps(data))
    assert checked[0].evidence.to_dict() == data["formulas"][0]["evidence"]


def test_a_page(checked):
    page = checked.to_html()
    assert page.startswith("<!doctype html>")
    assert "AG bit_received" in page


class Frame:
    """What is asked of pandas."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns


def test_a_table_of_pandas(checked, monkeypatch):
    pandas = ModuleType("pandas")
    pandas.DataFrame = Frame
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    table = checked.to_pandas()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [row["verdict"] for row in rows] == ["false", "true"]
    assert rows[0] | {"seconds": 0} == {
        "number": 1, "formula": "AG bit_received", "logic": "CTL", "verdict": "false", "expected": "true",
        "reason": None, "engine": "bitset", "seconds": 0, "evidence": "counterexample",
    }  # fmt: skip


def test_pandas_is_named_where_it_is_missing(checked, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="pip install pandas"):
        checked.to_pandas()
