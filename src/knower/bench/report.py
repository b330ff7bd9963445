"""What was measured, as a part of a page: what the papers could not do, pictures and tables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from knower.bench.compare import compared, ours
from knower.bench.results import Result
from knower.bench.run import Entry
from knower.bench.show import as_markdown
from knower.bench.table import Column, Table

BEGIN, END = "<!-- tables of the papers -->", "<!-- end of the tables of the papers -->"
#: Rows on which both need less than this say nothing: Python has hardly started.
_WORTH_COMPARING = 1.0
_INTRODUCTION = """Each table was measured by `knower bench TABLE`, every run in a process of its own.
The figures of the papers are those they print, from other machines and other years: read them as orders of
magnitude."""


def report(tables: Sequence[tuple[Table, Sequence[Entry]]], pictures: Path, page: Path) -> str:
    """Sections for the tables with results, the page's name being needed for links to the pictures."""
    with_results = [(table, entries) for table, entries in tables if any(one.measured for one in entries)]
    parts = [BEGIN, "## The tables of the papers", _INTRODUCTION, *_summary(with_results)]
    for table, entries in with_results:
        parts += _section(table, entries, pictures, page)
    return "\n\n".join([*parts, END]) + "\n"


def put_into(text: str, part: str) -> str:
    """The page with this part in place of the one it has; at the end if it has none."""
    head, begin, rest = text.partition(BEGIN)
    if not begin:
        return f"{text.rstrip()}\n\n{part}" if text.strip() else part
    return f"{head}{part.rstrip()}{rest.partition(END)[2]}"


def _summary(tables: Sequence[tuple[Table, Sequence[Entry]]]) -> Iterator[str]:
    found = [(table, feats(table, entries)) for table, entries in tables]
    lines = [f"* {table.title} ({table.name}): {'; '.join(told)}." for table, told in found if told]
    if lines:
        yield "### What we can do that the papers could not"
        yield "\n".join(lines)


def _section(table: Table, entries: Sequence[Entry], pictures: Path, page: Path) -> Iterator[str]:
    yield f"### {table.name}: {table.title}"
    yield f"After {table.source}.{f' {table.note}' if table.note else ''}{_speed(table, entries)}"
    names = [table.name, *(f"{table.name}-{measure}" for measure in table.also)]
    drawn = [path for name in names if (path := pictures / f"{name}.svg").exists()]
    links = [f"![{table.title}]({_relative(path, page)})" for path in drawn]
    yield from links
    if table.columns or not links:  # curves of a paper have no figures that ours could stand beside
        yield as_markdown(compared(table, [entry for entry in entries if entry.measured]))


def _relative(path: Path, page: Path) -> str:
    return os.path.relpath(path, page.parent).replace(os.sep, "/")


def feats(table: Table, entries: Sequence[Entry]) -> list[str]:
    """What came out right here where a tool of the paper failed, or beyond the sizes of the paper."""
    right = [one for one in entries if isinstance(one.state, Result) and not one.wrong and not _stopped(one)]
    failures = [
        f"{_where(one)} in {_seconds(one)} (paper: {reason})"
        for one in right
        for reason in _failures(table, one)
    ]
    beyond = [
        f"{_where(one)} in {_seconds(one)} (not in the paper)" for one in _beyond(table, entries, right)
    ]
    return [*_longest(failures), *_longest(beyond)]


def _failures(table: Table, entry: Entry) -> Iterator[str]:
    """Why all tools of the paper failed on the row; nothing if one of them did not."""
    figures = [entry.row.paper.get(column.name) for column in _main_columns(table)]
    words = [figure for figure in figures if isinstance(figure, str)]
    if words and not any(isinstance(figure, (int, float)) for figure in figures):
        yield ", ".join(dict.fromkeys(words))


def _beyond(table: Table, entries: Sequence[Entry], right: Sequence[Entry]) -> Iterator[Entry]:
    """The largest row of each case that is larger than all the paper has figures for."""
    if table.axis.names:
        return
    for case in dict.fromkeys((one.row.panel, one.row.series) for one in right):
        sizes = [one.row.size for one in entries if _case(one) == case and any(one.row.paper.values())]
        larger = [one for one in right if _case(one) == case and sizes and one.row.size > max(sizes)]
        if larger:
            yield max(larger, key=lambda one: one.row.size)


def _case(entry: Entry) -> tuple[str, str]:
    return entry.row.panel, entry.row.series


def _longest(told: Sequence[str], most: int = 4) -> list[str]:
    """The last few: tables run from small to large."""
    return list(told[-most:])


def _speed(table: Table, entries: Sequence[Entry]) -> str:
    """How often faster, in the median, where the paper needed time worth speaking of."""
    factors = [factor for column in _main_columns(table) for factor in _factors(table, column, entries)]
    if not factors or table.measure not in ("cpu", "check", "model"):
        return ""
    factor = f"{median(factors):.3g}"
    what = "time for the formula" if table.measure == "check" else "time"
    return f" Where the paper needs a second or more, the median factor of its {what} to ours is {factor}."


def _factors(table: Table, column: Column, entries: Sequence[Entry]) -> Iterator[float]:
    for entry in entries:
        paper = column.in_our_unit(entry.row.paper.get(column.name))
        mine = None if _stopped(entry) else ours(entry, table.measure, table, entries)
        if isinstance(paper, (int, float)) and isinstance(mine, (int, float)) and mine > 0:
            if paper >= _WORTH_COMPARING:
                yield paper / mine


def _main_columns(table: Table) -> list[Column]:
    return [column for column in table.columns if column.measure == table.measure and column.drawn]


def _stopped(entry: Entry) -> bool:
    return entry.measured is None or bool(entry.measured.stopped)


def _where(entry: Entry) -> str:
    row = entry.row
    return (
        f"{row.label} ({', '.join(filter(None, (row.panel, row.series)))})"
        if row.panel or row.series
        else row.label
    )


def _seconds(entry: Entry) -> str:
    return f"{entry.measured.cpu:.1f} s" if entry.measured else ""
