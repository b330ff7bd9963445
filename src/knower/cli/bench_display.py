"""How `knower bench` looks: with rich on a terminal where it is installed, and plain elsewhere."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from knower.bench.compare import Sheet
    from knower.bench.table import Row

_STYLES = {"right": "", "wrong": "bold white on red", "stopped": "yellow", "absent": "dim"}


def _is_rich(stream: Any) -> bool:
    """Whether somebody looks at the stream, and rich is there."""
    return stream is not None and stream.isatty() and find_spec("rich") is not None


def show_sheet(sheet: Sheet) -> None:
    """A compared table, on standard output."""
    if _is_rich(sys.stdout):
        _show_rich(sheet)
    else:
        from knower.bench.show import as_text

        click.echo(as_text(sheet))


def _show_rich(sheet: Sheet) -> None:
    from rich.console import Console
    from rich.table import Table as Grid

    grid = Grid(title=sheet.title, title_justify="left")
    last = len(sheet.headers) - 1
    for at, header in enumerate(sheet.headers):
        grid.add_column(
            header, justify="left" if at < sheet.words or at == last else "right", overflow="fold"
        )
    for line in sheet.lines:
        grid.add_row(*line.cells, style=_STYLES[line.mark])
    Console(markup=False).print(grid)


class Watch:
    """How far a table is: a bar on standard error while it is entered, if that is a terminal."""

    def __init__(self, name: str, total: int) -> None:
        self._name, self._total = name, total
        self._bar: Any = None

    def __enter__(self) -> Watch:
        if _is_rich(sys.stderr):
            self._bar = _bar()
            self._bar.start()
            self._task = self._bar.add_task(self._name, total=self._total, row="")
        return self

    def begin(self, row: Row) -> None:
        """A row is about to be measured."""
        if self._bar is not None:
            self._bar.update(self._task, row=row.key)

    def end(self) -> None:
        """A row is done."""
        if self._bar is not None:
            self._bar.advance(self._task)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    shape = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[row]}"),
    )
    return Progress(*shape, console=Console(stderr=True), transient=True)
