"""The command line: arguments to session to report, and exit statuses.

0: all true (or nothing to complain of); 1: something false (or found by --check, --strict);
2: bad input or usage; 3: unknown; 130: interrupted.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterable
from functools import wraps
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TypeVar

import click

from knower import __version__
from knower.cli.generate import generate
from knower.cli.progress import ProgressLine
from knower.errors import Diagnostic, InputError, UsageError
from knower.options import ENGINES, LIBRARIES, MAX_STATES, ORDERS, REACH, REORDER, AtlReading, DeadlockPolicy

F = TypeVar("F", bound=Callable[..., Any])

_CHECK_EXAMPLES = """
\b
Examples:
  knower check model.ispl
  knower check model.ispl --formula "AG (recack -> K(Sender, recbit))"
  knower check model.ispl --also "LTL G F recbit" --format json
  knower check game.ispl --atl uniform --time-limit 60
  cat model.ispl | knower check -
"""


def _examples(*lines: str) -> str:
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


class _Limit(click.FloatRange):
    """A number from 0 up; not-a-number is no limit but a slip."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


_LIMIT = _Limit(min=0)


def _format_option(command: F) -> F:
    option = click.option(
        "--format",
        "style",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Text for people, or one JSON object.",
    )
    return option(command)


def _choice(flag: str, values: Iterable[str], explained: str) -> Callable[[F], F]:
    """An option with a few values, of which the first is the default."""
    known = list(values)
    return click.option(flag, type=click.Choice(known), default=known[0], show_default=True, help=explained)


def _reports_errors(command: F) -> F:
    """Bad input becomes a message (or JSON) and exit status 2, never a traceback."""

    @wraps(command)
    def wrapped(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
        except InputError as error:
            _show(error.diagnostics, options.get("style", "text"))
            sys.exit(error.exit_status)

    return wrapped  # type: ignore[return-value]


def _show(errors: tuple[Diagnostic, ...], style: str) -> None:
    if style == "json":
        from knower.report.data import error_data, to_json

        click.echo(to_json(error_data(errors)))
    else:
        click.echo("\n".join(error.render() for error in errors), err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="knower")
def cli() -> None:
    """Check what agents do, know, ought to do and can enforce, in models written in ISPL."""


@cli.command(epilog=_CHECK_EXAMPLES)
@click.argument("model")
@click.option(
    "--formula", "-f", "formulas", multiple=True, metavar="F", help="Check this in place of the file's."
)
@click.option("--also", multiple=True, metavar="F", help="Check this beside the others.")
@_choice(
    "--engine",
    ENGINES,
    "How to search: `bdd` by decision diagrams, `explicit` state by state; `auto` takes what fits.",
)
@_choice("--bdd", LIBRARIES, "The library of decision diagrams.")
@_choice("--order", ORDERS, "The variable order of the diagrams; `auto` tries several.")
@_choice(
    "--reorder",
    REORDER,
    "Improve the order while working (cudd): `on` from the start, `off` never, `auto` when it seems to pay.",
)
@_choice("--reach", REACH, "How the reachable states are collected.")
@_choice("--atl", (reading.value for reading in AtlReading), "What a coalition knows and how it plays.")
@click.option(
    "--uniform-group", metavar="G", help="With --atl uniform-models: only these agents play uniformly."
)
@click.option("--finite", is_flag=True, help="Read LDL and CDL* on finite traces.")
@_choice(
    "--on-deadlock",
    (policy.value for policy in DeadlockPolicy),
    "States without successor: report them, refuse to answer, or add a self-loop.",
)
@click.option("--time-limit", type=_LIMIT, metavar="SECONDS", help="For the whole run.")
@click.option("--memory-limit", type=_LIMIT, metavar="MB", help="For the whole process.")
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=MAX_STATES,
    show_default=True,
    help="Explicit engine: give up above this number of states.",
)
@click.option("--verbose", "-v", is_flag=True, help="Show statistics: nodes, orders, time per phase.")
@_format_option
@_reports_errors
def check(model: str, style: str, formulas: tuple[str, ...], verbose: bool, **options: Any) -> None:
    """Decide the formulas of MODEL (`-` is standard input).

    Exit status: 0 all true, 1 some false, 3 some unknown and none false, 2 bad input, 130 interrupted.
    """
    from knower.session import load

    started = time.monotonic()
    with ProgressLine() as progress:
        result = load(model).check(*formulas, progress=progress, since=started, supervise=True, **options)
    for warning in result.warnings:
        if warning.code == "no-fair-initial-state":
            click.echo(f"warning: {warning.message}", err=True)
    if style == "json":
        from knower.report.data import result_data, to_json

        click.echo(to_json(result_data(result, verbose=verbose)))
    else:
        from knower.report.text import result_text

        click.echo(result_text(result, _painter(), verbose=verbose))
    sys.exit(result.exit_status)


@cli.command(epilog=_examples("knower info model.ispl", "knower info model.ispl --format json"))
@click.argument("model")
@_format_option
@_reports_errors
def info(model: str, style: str) -> None:
    """Show what MODEL consists of: agents, variables, formulas and their logics."""
    from knower.session import load

    found = load(model).info
    if style == "json":
        from knower.report.data import info_data, to_json

        click.echo(to_json(info_data(found)))
    else:
        from knower.report.text import info_text

        click.echo(info_text(found))


@cli.command(
    epilog=_examples("knower fmt model.ispl", "knower fmt --check *.ispl", "knower fmt --write *.ispl")
)
@click.argument("models", nargs=-1, required=True)
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit 1 if a file would change.")
@click.option("--write", is_flag=True, help="Change the files in place.")
@_reports_errors
def fmt(models: tuple[str, ...], only_check: bool, write: bool) -> None:
    """Lay out MODELS in the canonical way, keeping every comment; print the result."""
    from knower.session import formatted

    if only_check and write:
        raise UsageError("E606", "--check and --write exclude each other")
    changed = 0
    for model in models:
        source, text = formatted(model)
        if only_check:
            changed += text != source.text
            if text != source.text:
                click.echo(f"would change {source.name}", err=True)
        elif write and model != "-":
            if text != source.text:
                _write(model, text)
                click.echo(f"changed {source.name}", err=True)
        else:
            click.echo(text, nl=False)
    sys.exit(1 if changed else 0)


def _write(path: str, text: str) -> None:
    """Replace a file, or leave it as it is if the new text cannot be written."""
    target = Path(path).resolve()
    draft = target.with_name(target.name + ".tmp~")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.chmod(target.stat().st_mode)
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise UsageError("E608", f"cannot write {path}: {error.strerror}") from None


@cli.command(epilog=_examples("knower lint model.ispl", "knower lint --strict *.ispl"))
@click.argument("models", nargs=-1, required=True)
@click.option("--strict", is_flag=True, help="Exit 1 if anything is found.")
@_format_option
@_reports_errors
def lint(models: tuple[str, ...], strict: bool, style: str) -> None:
    """Look in MODELS for what is legal but looks like a mistake."""
    from knower.report.data import lint_data, to_json
    from knower.session import load

    systems = [load(model) for model in models]
    findings = [found for system in systems for found in system.lint()]
    if style == "json":
        click.echo(to_json(lint_data([system.name for system in systems], findings)))
    else:
        for found in findings:
            click.echo(found.render("lint"))
        click.echo(f"{len(findings)} findings" if len(findings) != 1 else "1 finding")
    sys.exit(1 if strict and findings else 0)


cli.add_command(generate)


# -- the terminal -------------------------------------------------------------------------------------


def _painter() -> Callable[[str, str], str]:
    if sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        return lambda text, colour: click.style(text, fg=colour, bold=True)
    return lambda text, colour: text


def _show_usage_error(error: click.ClickException) -> None:
    """On standard error, and as JSON where that was asked for."""
    error.show()
    arguments = " ".join(sys.argv[1:])
    if "--format json" in arguments or "--format=json" in arguments:
        from knower.report.data import error_data, to_json

        click.echo(to_json(error_data([Diagnostic("E600", error.format_message())])))


def main() -> None:
    """The entry point; Ctrl-C outside a check ends quietly with 130."""
    sys.set_int_max_str_digits(0)  # counts of states may be long
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli(standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        _show_usage_error(error)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        _abandon_output()
        sys.exit(1)
    except OSError as error:
        click.echo(Diagnostic("E609", f"cannot write the output: {error.strerror}").render(), err=True)
        _abandon_output()
        sys.exit(2)


def _abandon_output() -> None:
    """Nobody reads it or it cannot be written: let no later flush complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
