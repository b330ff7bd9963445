"""A run as a table of pandas, a row for each formula."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from knower.errors import UsageError
from knower.report.words import reason_text
from knower.verdict.verdict import CheckResult, FormulaResult

_COLUMNS = ["number", "formula", "logic", "verdict", "expected", "reason", "engine", "seconds", "evidence"]


def result_frame(result: CheckResult) -> Any:
    """The table; raises `UsageError` where pandas is not installed."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise UsageError("E610", "pandas is not installed", "pip install pandas") from None
    return pandas.DataFrame(list(map(_row, result)), columns=_COLUMNS)


def _row(result: FormulaResult) -> list[object]:
    reason = None if result.reason is None else reason_text(result.reason)
    evidence = None if result.evidence is None else result.evidence.kind
    verdict, expected = result.verdict.value, result.expected.value
    first = [result.number, result.text, result.logic, verdict, expected]
    return [*first, reason, result.engine, result.seconds, evidence]
