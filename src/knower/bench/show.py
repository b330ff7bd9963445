"""A compared table as text, as Markdown and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from knower.bench.compare import Sheet, mark
from knower.bench.prepare import NotYet
from knower.bench.results import Result
from knower.bench.run import Entry
from knower.bench.table import Table


def as_text(sheet: Sheet) -> str:
    """Columns of equal width; a wrong row is marked."""
    rows = [sheet.headers, *(line.cells for line in sheet.lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_aligned(row, widths, sheet.words) for row in rows]
    rule = "  ".join("-" * width for width in widths)
    marked = [
        f"{text}   <<<<<" if line.mark == "wrong" else text
        for text, line in zip(lines[1:], sheet.lines, strict=True)
    ]
    return "\n".join([sheet.title, "", lines[0], rule, *marked])


def _aligned(cells: Sequence[str], widths: Sequence[int], words: int) -> str:
    """Words to the left, figures to the right; the verdict is words again."""
    last = len(cells) - 1
    padded = (
        cell.ljust(width) if at < words or at == last else cell.rjust(width)
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(padded).rstrip()


def as_markdown(sheet: Sheet) -> str:
    """A table of Markdown; a wrong row is bold."""
    last = len(sheet.headers) - 1
    rule = ("---" if at < sheet.words or at == last else "---:" for at in range(last + 1))
    body = (
        [f"**{cell}**" for cell in line.cells] if line.mark == "wrong" else line.cells for line in sheet.lines
    )
    return "\n".join(_piped(row) for row in (sheet.headers, tuple(rule), *body))


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def as_data(table: Table, entries: Sequence[Entry]) -> dict[str, Any]:
    """All that is known, for programs."""
    columns = [asdict(column) for column in table.columns]
    return {
        "table": table.name,
        "title": table.title,
        "source": table.source,
        "note": table.note,
        "measure": table.measure,
        "columns": columns,
        "rows": [_row_data(entry) for entry in entries],
    }


def _row_data(entry: Entry) -> dict[str, Any]:
    row = entry.row
    data: dict[str, Any] = {
        "label": row.label,
        "size": row.size,
        "panel": row.panel,
        "series": row.series,
        "family": row.family,
        "parameters": dict(row.parameters),
        "engine": row.engine,
        "paper": dict(row.paper),
        "outcome": mark(entry),
    }
    if isinstance(entry.state, Result):
        data["measured"] = asdict(entry.state.measured)
        data["expected"] = list(entry.state.expected)
    else:
        data["outcome"] = "not yet" if isinstance(entry.state, NotYet) else "skipped"
        data["reason"] = entry.state.reason
    return data
