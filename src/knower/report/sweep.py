"""Several runs, of one model with other constants each or of several models: one table.

A run is plain data, as it would be alone, with its constants, its exit status, and how long it took: so it
can be read again from a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from knower.errors import Diagnostic
from knower.reasons import Reason
from knower.report.data import SCHEMA, result_data
from knower.report.diagnostics import diagnostic_data
from knower.report.wording import counted
from knower.report.words import reason_text
from knower.verdict.verdict import CheckResult, Verdict

Row: TypeAlias = dict[str, Any]


def run_data(
    model: str,
    constants: Mapping[str, str],
    found: CheckResult | Sequence[Diagnostic] | Reason,
    seconds: float,
    where: str = "",
    *,
    verbose: bool = False,
) -> Row:
    """One run: its result, what is wrong with it, or why there is nothing."""
    told: Row = {"constants": dict(constants), "seconds": round(seconds, 3), "where": where}
    if isinstance(found, CheckResult):
        return {**told, "status": found.exit_status, **result_data(found, verbose=verbose)}
    if isinstance(found, Sequence):
        return {**told, "model": model, "status": 2, "errors": [diagnostic_data(each) for each in found]}
    return {**told, "model": model, "status": 3, "reason": reason_text(found)}


def sweep_data(rows: Sequence[Row]) -> Row:
    """All runs as plain data."""
    return {"schema": SCHEMA, "model": rows[0]["model"], "runs": list(rows)}


def sweep_text(rows: Sequence[Row]) -> str:
    """A line for each run: of one model by formulas of one name, of several how many are true or false."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    cells = _of_one(rows) if len(models) == 1 else _of_several(rows)
    widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
    lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in cells]
    title = models[0] if len(models) == 1 else f"{len(models)} models"
    wrong = [f"  {_title(row)}: {error['message']}" for row in rows for error in row.get("errors", ())]
    wrong += [f"  {_title(row)}: {row['reason']}" for row in rows if "reason" in row]
    return "\n".join([f"{title}:", *(f"  {line}" for line in lines), *wrong, _summary(rows)])


def line_text(row: Row) -> str:
    """One run as soon as it is over."""
    where = f" ({row['where']})" if row["where"] else ""
    return f"{_title(row)}: {_counts(row)}, {row['seconds']:.2f} s{where}"


def _title(row: Row) -> str:
    return " ".join([row["model"], *(f"{name}={value}" for name, value in row["constants"].items())])


def _of_one(rows: Sequence[Row]) -> list[list[str]]:
    columns = list(dict.fromkeys(key for row in rows for key in _by_name(row)))
    header = [*rows[0]["constants"], "states", *columns, "seconds"]
    return [header, *([*_cells(row, columns)] for row in rows)]


def _of_several(rows: Sequence[Row]) -> list[list[str]]:
    header = ["model", "states", "verdicts", "seconds"]
    return [header, *([_title(row), _states(row), _counts(row), f"{row['seconds']:.2f}"] for row in rows)]


def _cells(row: Row, columns: list[str]) -> Iterator[str]:
    yield from row["constants"].values()
    yield _states(row)
    found = _by_name(row)
    yield from (_verdicts(found.get(column, ())) for column in columns)
    yield f"{row['seconds']:.2f}"


def _states(row: Row) -> str:
    return "?" if row.get("states") is None else str(row["states"])


def _formulas(row: Row) -> Sequence[Row]:
    found: Sequence[Row] = row.get("formulas", ())
    return found


def _by_name(row: Row) -> dict[str, list[Row]]:
    """The formulas that are called alike but for their arguments; others by their number."""
    found: dict[str, list[Row]] = {}
    for formula in _formulas(row):
        name = formula["name"]
        key = f"#{formula['number']}" if name is None else name.partition("(")[0]
        found.setdefault(key, []).append(formula)
    return found


def _counts(row: Row) -> str:
    """How many formulas are true, false, unknown."""
    if "errors" in row:
        return "error"
    counts = [
        (verdict.value, sum(each["verdict"] == verdict.value for each in _formulas(row)))
        for verdict in Verdict
    ]
    said = ", ".join(f"{count} {word}" for word, count in counts if count) or "–"
    return said if all(each["as_expected"] for each in _formulas(row)) else f"{said}!"


def _verdicts(formulas: Sequence[Row]) -> str:
    if not formulas:
        return "–"
    counts = [
        (verdict.value, sum(each["verdict"] == verdict.value for each in formulas)) for verdict in Verdict
    ]
    said = [(word, count) for word, count in counts if count]
    alike = said[0][0] if len(said) == 1 else ", ".join(f"{count} {word}" for word, count in said)
    return alike if all(each["as_expected"] for each in formulas) else f"{alike}!"


def _said(formulas: Sequence[Row]) -> list[tuple[str, int]]:
    """How often each verdict was given, if it was."""
    counts = Counter(each["verdict"] for each in formulas)
    return [(verdict.value, counts[verdict.value]) for verdict in Verdict if counts[verdict.value]]


def _summary(rows: Sequence[Row]) -> str:
    others = [(row, each) for row in rows for each in _formulas(row) if not each["as_expected"]]
    failed = [row for row in rows if row["status"] == 2]
    wrong = f", {len(failed)} with errors" if failed else ""
    if not others:
        return f"{counted(len(rows), 'run')}{wrong}: all as expected"
    row, first = others[0]
    given = ", ".join(f"{name} = {value}" for name, value in row["constants"].items())
    which = first["name"] or f"formula {first['number']}"
    of_it = f" with {given}" if given else f" of {row['model']}"
    marked = f"{counted(len(rows), 'run')}{wrong}: {len(others)} UNEXPECTED (!), first {which}{of_it}: "
    return marked + f"{first['verdict']}, {first['expected']} was expected"


def sweep_status(rows: Sequence[Row]) -> int:
    """The exit status of all runs: interrupted, bad input, something unexpected, something unknown."""
    found = [row["status"] for row in rows]
    return next((status for status in (130, 2, 1, 3) if status in found), 0)
