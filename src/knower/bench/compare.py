"""The figures of the paper beside ours, as the cells of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knower.bench.prepare import NotYet
from knower.bench.results import Result
from knower.bench.run import Entry, Skipped
from knower.bench.table import MEASURES, Column, Figure, Table
from knower.records import dataclass

_NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Line:
    """The cells of a row; `mark` is `right`, `wrong`, `stopped` or `absent`."""

    cells: tuple[str, ...]
    mark: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table to be shown: headers and lines, and how many of the columns in front are words."""

    title: str
    headers: tuple[str, ...]
    lines: tuple[Line, ...]
    words: int


def compared(table: Table, entries: Sequence[Entry]) -> Sheet:
    """What came of the rows, with the figures of the paper."""
    heads = _heads(table)
    ours = our_measures(table)
    headers = [
        table.axis.label,
        *heads,
        *map(_paper_header, table.columns),
        *map(_our_header, ours),
        "verdict",
    ]
    lines = [_line(entry, table, heads, ours, entries) for entry in entries]
    return Sheet(f"{table.name}: {table.title}", tuple(headers), tuple(lines), 1 + len(heads))


def our_measures(table: Table) -> list[str]:
    """What we measure of a table: what it is about, what its columns are about, what is behind ratios."""
    columns = (column.measure for column in table.columns if column.measure)
    behind = ("cpu", "memory") if table.baseline else ()
    return list(dict.fromkeys([table.measure, *columns, *behind, *table.also]))


def _heads(table: Table) -> list[str]:
    """What tells rows of one size apart."""
    varied = {"case": table.panels, "kind": table.series, "engine": table.engines}
    return [name for name, values in varied.items() if len(values) > 1]


def _paper_header(column: Column) -> str:
    unit = MEASURES[column.measure][1] if column.measure else ""
    return f"{column.name} [{unit}]" if unit else column.name


def _our_header(measure: str) -> str:
    name, unit = MEASURES[measure]
    return f"Knower: {name}" + (f" [{unit}]" if unit else "")


def _line(
    entry: Entry, table: Table, heads: Sequence[str], ours: Sequence[str], entries: Iterable[Entry]
) -> Line:
    row = entry.row
    named = {"case": row.panel, "kind": row.series, "engine": row.engine}
    paper = (column.in_our_unit(row.paper.get(column.name)) for column in table.columns)
    cells = (
        row.label,
        *(named[head] for head in heads),
        *map(shown, paper),
        *(_our_cell(entry, measure, table, entries) for measure in ours),
        _verdict(entry),
    )
    return Line(cells, mark(entry))


def _our_cell(entry: Entry, measure: str, table: Table, entries: Iterable[Entry]) -> str:
    found = entry.measured
    if found is not None and found.at_limit and measure in ("cpu", "memory"):
        return f"> {shown(ours(entry, measure, table, entries))}"
    if found is not None and found.stopped and measure == "check":
        return _NOTHING
    return shown(ours(entry, measure, table, entries))


def ours(entry: Entry, measure: str, table: Table, entries: Iterable[Entry]) -> Figure:
    """What we have measured of a row; a ratio is relative to the same row of the baseline."""
    found = entry.measured
    if found is None:
        return None
    if not measure.endswith(" ratio"):
        figure: Figure = getattr(found, measure)
        return figure
    what = measure.removesuffix(" ratio")
    base = _baseline(entry, table, entries)
    mine, others = getattr(found, what), base and base.measured and getattr(base.measured, what)
    return others / mine if others and mine and base is not entry else None


def _baseline(entry: Entry, table: Table, entries: Iterable[Entry]) -> Entry | None:
    """The row of the baseline with the same label, or its only row."""
    base = [one for one in entries if one.row.series == table.baseline and one.row.panel == entry.row.panel]
    same = [one for one in base if one.row.label == entry.row.label]
    found = same or (base if len(base) == 1 else [])
    return found[0] if found else None


def mark(entry: Entry) -> str:
    """In a word, what became of a row."""
    if entry.measured is None:
        return "absent"
    return "wrong" if entry.wrong else "stopped" if entry.measured.stopped else "right"


def _verdict(entry: Entry) -> str:
    match entry.state:
        case NotYet(reason):
            return f"not yet: {reason}"
        case Skipped(reason):
            return f"skipped: {reason}"
        case Result() as result if result.wrong:
            expected = ", ".join(str(one).lower() for one in result.expected)
            return f"WRONG: {', '.join(result.measured.verdicts)} (expected: {expected})"
        case Result() as result:
            return result.measured.stopped or "right"


def shown(figure: Figure) -> str:
    """A figure with three digits, or all digits before the point."""
    if figure is None:
        return _NOTHING
    if isinstance(figure, str):
        return figure
    if figure >= 100 or figure == int(figure):
        return f"{figure:.3g}" if figure >= 1e9 else f"{figure:.0f}"
    return f"{figure:.3g}"
