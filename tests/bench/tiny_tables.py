"""Small tables for tests, as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from knower.bench.load import from_text
from knower.bench.measure import Limits, Measured
from knower.bench.results import Result
from knower.bench.run import Entry
from knower.bench.table import Row, Table

LIMITS = Limits(60, 2000)


def case(**changes: Any) -> dict[str, Any]:
    """Two small counters, with a figure of a paper for the first."""
    counters = {
        "family": "counter",
        "size": "n",
        "formulas": [{"formula": "AG EF max", "expected": True}],
        "rows": [[2, 0.5], [4]],
    }
    return counters | changes


def slow_case() -> dict[str, Any]:
    """A row that takes long: many states, one after the other."""
    return case(series="slow", engine="explicit", rows=[[999_998]])


def table_data(*cases: dict[str, Any], **changes: Any) -> dict[str, Any]:
    data = {
        "name": "tiny",
        "title": "Tiny counters",
        "source": "nobody",
        "measure": "cpu",
        "axis": {"label": "values"},
        "columns": [{"name": "Abacus", "measure": "cpu"}],
        "cases": list(cases or [case()]),
    }
    return data | changes


def table(*cases: dict[str, Any], **changes: Any) -> Table:
    return from_text(json.dumps(table_data(*cases, **changes)), "tiny.json")


def table_file(folder: Path, *cases: dict[str, Any], **changes: Any) -> str:
    path = folder / "tiny.json"
    path.write_text(json.dumps(table_data(*cases, **changes)), encoding="utf-8")
    return str(path)


def result(row: Row, cpu: float = 0.25, verdicts: tuple[str, ...] = ("true",), **more: Any) -> Result:
    """An invented result of a row, of which `true` is expected."""
    found = Measured(verdicts, cpu=cpu, wall=cpu, memory=30.0, model=0.1, check=0.01, states=4, **more)
    return Result(row.key, "0", "1.0", LIMITS, (True,), found)


def entries(of: Table, **more: Any) -> list[Entry]:
    return [Entry(row, result(row, **more)) for row in of.rows]
