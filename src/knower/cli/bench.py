"""`knower bench`: repeat the experiments of the papers, and set the figures side by side."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from knower.cli.bench_display import Watch, show_sheet
from knower.cli.conventions import LIMIT, examples, reports_errors
from knower.errors import UsageError
from knower.files import write_file
from knower.records import dataclass

if TYPE_CHECKING:
    from knower.bench.run import Entry, Plan
    from knower.bench.table import Table

_EXAMPLES = examples(
    "knower bench --list",
    "knower bench 002-table4",
    "knower bench 001-table8.2 --max-size 1024 --limit 60",
    "knower bench 003-table4.1 --format markdown",
    "knower bench --report tables.md",
)
_INTERRUPTED = 130


def _sizes(ctx: click.Context, parameter: click.Parameter, text: str | None) -> tuple[int, ...]:
    """Whole numbers between commas."""
    words = [word.strip() for word in (text or "").split(",") if word.strip()]
    if not all(word.isdigit() for word in words):
        raise click.BadParameter(f"{text!r} is not a list of whole numbers", ctx, parameter)
    return tuple(map(int, words))


@click.command(epilog=_EXAMPLES)
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@click.option("--list", "wants_list", is_flag=True, help="Show all tables.")
@click.option(
    "--limit", type=LIMIT, default=300.0, show_default=True, metavar="SECONDS", help="For each run."
)
@click.option(
    "--memory-limit", type=LIMIT, default=4096.0, show_default=True, metavar="MB", help="For each run."
)
@click.option("--sizes", callback=_sizes, metavar="N,…", help="Only rows of these sizes.")
@click.option("--max-size", type=int, metavar="N", help="No rows of larger sizes.")
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Take the fastest of so many runs.",
)
@click.option("--again", is_flag=True, help="Measure what has been measured, too.")
@click.option(
    "--output", default="bench-results", show_default=True, metavar="DIR", help="Where results are kept."
)
@click.option("--report", metavar="FILE", help="Measure nothing; write what is known into this page.")
@click.option(
    "--format", "style", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True,
    help="Text for people, a table of Markdown, or JSON.",
)  # fmt: skip
@reports_errors
def bench(tables: tuple[str, ...], wants_list: bool, report: str | None, style: str, **options: Any) -> None:
    """Repeat the experiment of a TABLE of the papers, with the paper's figures beside ours.

    TABLE is a name that --list shows, or a file like those. Results are kept: what is interrupted can be
    continued by the same command. Rows that need what Knower does not have yet are shown as such.

    Exit status: 0 all verdicts are right, 1 one is wrong, 2 bad input, 130 interrupted.
    """
    if wants_list:
        _show_list()
    elif report is not None:
        _write_report(Path(report), Path(options["output"]), tables)
    elif not tables:
        raise UsageError("E600", "no table is named", "`knower bench --list` shows all tables")
    else:
        sys.exit(_run(tables, Path(options.pop("output")), style, options))


# -- running ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Outcome:
    """A table, what came of its rows so far, and whether it was interrupted."""

    table: Table
    entries: Sequence[Entry]
    interrupted: bool


def _run(names: Sequence[str], folder: Path, style: str, options: dict[str, Any]) -> int:
    """Run the tables one after the other; the exit status."""
    from knower.bench.load import load

    status = 0
    plan = _plan(**options)
    for table in [load(name) for name in names]:
        outcome = _measured(table, plan, folder)
        _show(outcome, style)
        _draw(table, folder)
        status |= any(entry.wrong for entry in outcome.entries)
        if outcome.interrupted:
            _say(f"interrupted: the results so far are kept in {folder}; the same command goes on from here")
            return _INTERRUPTED
    return status


def _plan(
    limit: float, memory_limit: float, sizes: tuple[int, ...], max_size: int | None, repeat: int, again: bool
) -> Plan:
    from knower import __version__
    from knower.bench.measure import Limits
    from knower.bench.run import Plan

    return Plan(__version__, Limits(limit, memory_limit), repeat, again, sizes, max_size)


def _measured(table: Table, plan: Plan, folder: Path) -> _Outcome:
    from knower.bench.results import Store
    from knower.bench.run import chosen, run

    entries: list[Entry] = []
    with Watch(table.name, len(chosen(table, plan))) as watch:
        try:
            for entry in run(table, plan, Store(folder, table.name), watch.begin):
                entries.append(entry)
                watch.end()
        except KeyboardInterrupt:
            return _Outcome(table, entries, True)
    return _Outcome(table, entries, False)


# -- showing ------------------------------------------------------------------------------------------


def _show(outcome: _Outcome, style: str) -> None:
    from knower.bench.compare import compared
    from knower.bench.show import as_data, as_markdown

    table, entries = outcome.table, outcome.entries
    if style == "json":
        from knower.report.data import to_json

        click.echo(to_json(as_data(table, entries)))
        return
    sheet = compared(table, entries)
    if style == "markdown":
        click.echo(f"### {sheet.title}\n\n{as_markdown(sheet)}")
    else:
        show_sheet(sheet)
    click.echo(f"\nAfter {table.source}.{f' {table.note}' if table.note else ''}")
    wrong = [entry.row.key for entry in entries if entry.wrong]
    if wrong:
        _say(click.style(f"WRONG VERDICTS in {table.name}: {'; '.join(wrong)}", fg="red", bold=True))


def _draw(table: Table, folder: Path) -> None:
    """All results that are kept of a table, beside all figures of the paper."""
    from knower.bench import plot
    from knower.bench.results import Store
    from knower.bench.run import kept

    if not plot.is_possible():
        _say(f"no picture: matplotlib is not installed ({plot.HOW_TO_GET})")
        return
    paths = plot.draw(table, kept(table, Store(folder, table.name)), folder)
    _say(f"wrote {' and '.join(map(str, paths))}" if paths else "no picture: nothing has been measured")


def _say(text: str) -> None:
    """Beside the result: on standard error."""
    click.echo(text, err=True)


def _show_list() -> None:
    from knower.bench.load import load, names

    for name in names():
        table = load(name)
        absent = sum(_is_absent(row) for row in table.rows)
        note = f", {absent} not yet" if absent else ""
        click.echo(f"{name:14} {table.title} ({len(table.rows)} rows{note})")


def _is_absent(row: Any) -> bool:
    from knower.bench.prepare import missing

    return missing(row) is not None


def _write_report(page: Path, folder: Path, chosen: Sequence[str]) -> None:
    from knower.bench.load import load, names
    from knower.bench.report import put_into, report
    from knower.bench.results import Store
    from knower.bench.run import kept

    tables = [load(name) for name in chosen or names()]
    found = [(table, kept(table, Store(folder, table.name))) for table in tables]
    if not any(entry.measured for _, entries in found for entry in entries):
        raise UsageError("E601", f"there are no results in {folder}", "`knower bench TABLE` makes some")
    before = page.read_text(encoding="utf-8") if page.exists() else ""
    write_file(page, put_into(before, report(found, folder, page)))
