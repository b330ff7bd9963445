"""`knower check` of several models, or with several values of constants: side by side, as they come."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click

from knower.errors import UsageError

if TYPE_CHECKING:
    from knower.batch import Batch, Job, Outcome
    from knower.session import Session

#: Options that show one run.
_OF_ONE = ("html", "dot", "save_order", "save_strategy", "show")


def check_several(
    workers: Session,
    width: int,
    models: Sequence[str],
    given: Sequence[dict[str, str]],
    formulas: Sequence[str],
    options: dict[str, Any],
) -> NoReturn:
    """A run for each model and choice of constants, and one table without what is shown of single runs."""
    from knower.batch import Batch, Results
    from knower.report.sweep import line_text, sweep_data, sweep_status, sweep_text

    jobs = _jobs(models, given, options)
    style, verbose, file = (options.pop(name) for name in ("style", "verbose", "results"))
    results = Results(file)
    asked = (formulas, {name: value for name, value in options.items() if name != "since"})
    rows = {job: results.known[job.key(*asked)] for job in jobs if job.key(*asked) in results.known}
    batch = Batch(workers, width, formulas, options)
    told = style == "text" and sys.stdout.isatty()
    interrupted = False
    with LiveTable(batch) as look:
        try:
            for outcome in batch.outcomes([job for job in jobs if job not in rows], look):
                row = rows[outcome.job] = _row(outcome, verbose=verbose)
                results.add(outcome.job.key(*asked), row)
                if told:
                    look.clear()
                    click.echo(line_text(row))
        except KeyboardInterrupt:
            interrupted = True
    found = [rows[job] for job in jobs if job in rows]
    if not found:
        raise KeyboardInterrupt
    if style == "json":
        from knower.report.diagnostics import to_json

        click.echo(to_json(sweep_data(found)))
    else:
        click.echo(sweep_text(found))
    sys.exit(130 if interrupted else sweep_status(found))


def _jobs(models: Sequence[str], given: Sequence[dict[str, str]], options: dict[str, Any]) -> list[Job]:
    from knower.batch import Job
    from knower.sources import read_source

    if not given:
        raise UsageError("E606", "a range of constants is empty", "write `-D n=2..6`, the smaller one first")
    if "-" in models:
        raise UsageError("E606", "standard input is read once", "name a file for several runs")
    for name in _OF_ONE:
        if options.pop(name) is not None:
            flag = f"--{name.replace('_', '-')}"
            raise UsageError("E606", f"{flag} shows one run, and these are {len(models) * len(given)}")
    if options["evidence"] == "auto":
        options["evidence"] = "none"
    sources, strategy = [read_source(model) for model in models], options.pop("strategy")
    followed = None if strategy is None else read_source(strategy)
    return [Job(source, tuple(constants.items()), followed) for source in sources for constants in given]


def _row(outcome: Outcome, *, verbose: bool) -> dict[str, Any]:
    from knower.report.sweep import run_data

    found = outcome.result if outcome.result is not None else outcome.left or outcome.errors
    constants = dict(outcome.job.constants)
    return run_data(
        outcome.job.source.name, constants, found, outcome.seconds, outcome.where, verbose=verbose
    )


class LiveTable:
    """Who does what at present, on standard error if that is a terminal, and wiped away at the end."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._lines = 0
        self._is_shown = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> LiveTable:
        return self

    def __call__(self) -> None:
        if self._is_shown:
            lines = [_line(*each) for each in self._batch.session.at_work()]
            self.clear()
            sys.stderr.write("".join(f"{line}\n" for line in lines))
            sys.stderr.flush()
            self._lines = len(lines)

    def clear(self) -> None:
        if self._lines:
            sys.stderr.write(f"\033[{self._lines}A\033[J")
            sys.stderr.flush()
            self._lines = 0

    def __exit__(self, *_: object) -> None:
        self.clear()


def _line(where: str, ticket: Any) -> str:
    """Cut to one line of a terminal."""
    import shutil

    text = ticket.order.what.model
    given = " ".join(f"{name}={value}" for name, value in text.constants)
    width = shutil.get_terminal_size().columns - 1
    return f"  {where:<24} {text.name} {given} {ticket.elapsed:5.0f} s  {ticket.progress}"[:width]
