"""The command line: arguments to session to report, and exit statuses.

0: all true (or nothing to complain of); 1: something false (or found by --check, --strict);
2: bad input or usage; 3: unknown; 129, 130, 143: ended by a signal; 141: nobody reads the output.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from knower import __version__
from knower.cli.constants import with_constants
from knower.cli.conventions import Program, examples, format_option, limited, reports_errors, session
from knower.cli.shortage import shortage
from knower.cli.signals import INTERRUPTED, is_behind, is_caught
from knower.cli.streams import OutputFailed, OutputLost, is_output_fresh
from knower.errors import Diagnostic, UsageError
from knower.files import write_file
from knower.options import Limits
from knower.report.diagnostics import error_data, to_json

#: Commands with a module of their own, named like them.
_LARGE = ("bench", "check", "expand", "export", "generate", "lsp", "simulate", "studio")


class Commands(click.Group):
    """Commands of which the large ones are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_LARGE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _LARGE:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(f"knower.cli.{cmd_name}"), cmd_name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="knower")
def cli() -> None:
    """Check what agents do, know, ought to do and can enforce, in models written in ISPL."""


@cli.command(epilog=examples("knower info model.ispl", "knower info model.ispl -D n=5 --format json"))
@click.argument("model")
@limited
@format_option
@reports_errors
@with_constants
def info(model: str, style: str, limits: Limits, constants: dict[str, str]) -> None:
    """Show what MODEL consists of: agents, variables, formulas and their logics."""
    since = time.monotonic()
    found = session().load(model, constants=constants, limits=limits, since=since).describe(limits, since)
    if style == "json":
        from knower.report.data import info_data, to_json

        click.echo(to_json(info_data(found)))
    else:
        from knower.report.text import info_text

        click.echo(info_text(found))


@cli.command(
    epilog=examples("knower fmt model.ispl", "knower fmt --check *.ispl", "knower fmt --write *.ispl")
)
@click.argument("models", nargs=-1, required=True)
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit 1 if a file would change.")
@click.option("--write", is_flag=True, help="Change the files in place.")
@limited
@reports_errors
def fmt(models: tuple[str, ...], only_check: bool, write: bool, limits: Limits) -> None:
    """Lay out MODELS in the canonical way, keeping every comment; print the result."""
    from knower.sources import read_source

    if only_check and write:
        raise UsageError("E606", "--check and --write exclude each other")
    changed, since = 0, time.monotonic()
    for model in models:
        source = read_source(model)
        text = session().formatted(source, limits, since)
        if only_check:
            changed += text != source.text
            if text != source.text:
                click.echo(f"would change {source.name}", err=True)
        elif write and model != "-":
            if text != source.text:
                write_file(model, text)
                click.echo(f"changed {source.name}", err=True)
        else:
            click.echo(text, nl=False)
    sys.exit(1 if changed else 0)


@cli.command(epilog=examples("knower lint model.ispl", "knower lint --strict *.ispl"))
@click.argument("models", nargs=-1, required=True)
@click.option("--strict", is_flag=True, help="Exit 1 if anything is found.")
@limited
@format_option
@reports_errors
@with_constants
def lint(
    models: tuple[str, ...], strict: bool, style: str, limits: Limits, constants: dict[str, str]
) -> None:
    """Look in MODELS for what is legal but looks like a mistake."""
    from knower.report.data import lint_data, to_json

    since = time.monotonic()
    within: dict[str, Any] = {"constants": constants, "limits": limits, "since": since}
    systems = [session().load(model, **within) for model in models]
    findings = [found for system in systems for found in system.lint(limits, since)]
    if style == "json":
        click.echo(to_json(lint_data([system.name for system in systems], findings)))
    else:
        for found in findings:
            click.echo(found.render("lint"))
        click.echo(f"{len(findings)} findings" if len(findings) != 1 else "1 finding")
    sys.exit(1 if strict and findings else 0)


# -- the end ------------------------------------------------------------------------------------------

_LOST_READER = 141
#: Given back when there is no memory left, so that this can be said.
_RESERVE = [bytes(1 << 20)]


def main() -> None:
    """Run the command that is typed, and end the program."""
    sys.exit(run())


def run() -> int:
    """Run the command that is typed; the exit status, whatever happens."""
    sys.set_int_max_str_digits(0)  # counts of states may be long
    try:
        status = _invoked()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except (click.Abort, KeyboardInterrupt):
        return _interrupted()
    except OutputLost:
        return INTERRUPTED if is_caught() else _LOST_READER
    except OutputFailed as error:
        if is_caught():
            return INTERRUPTED  # of a terminal that was closed
        trouble = Diagnostic("E609", f"cannot write the output: {error}")
    except BaseException as error:
        if is_behind(error):
            return _interrupted()
        _RESERVE.clear()
        trouble = shortage(error) or unexpected(error)
    # Only here, where what was computed is let go together with the exception.
    return told(trouble)


def _interrupted() -> int:
    if wants_json() and is_output_fresh():
        told(Diagnostic("E636", "interrupted before there was anything to report"))
    return INTERRUPTED


def _invoked() -> int:
    """Run the command; the status it ends with."""
    try:
        status = cli(standalone_mode=False, obj=Program())
    except SystemExit as end:
        status = end.code
    except click.ClickException as error:
        error.show()
        if wants_json():
            _show_as_json(Diagnostic("E600", error.format_message()))
        return error.exit_code
    return status if isinstance(status, int) else 0


def unexpected(error: BaseException) -> Diagnostic:
    """What was not foreseen: by the system's words, or else, a fault of ours, with its traceback."""
    if isinstance(error, OSError):
        return Diagnostic("E632", f"the system refuses: {error}")
    import traceback

    traceback.print_exception(error)
    cure = "please report it, with the lines above and the model"
    return Diagnostic("E639", f"a fault of Knower: {type(error).__name__}", cure=cure)


def told(trouble: Diagnostic) -> int:
    """Say what has gone wrong, as JSON if that was asked for and nothing is said yet; the exit status."""
    with suppress(OutputLost, OutputFailed):
        if wants_json() and is_output_fresh():
            _show_as_json(trouble)
        else:
            click.echo(trouble.render(), err=True)
    return 2


def _show_as_json(trouble: Diagnostic) -> None:
    click.echo(to_json(error_data([trouble])))


def wants_json() -> bool:
    """Whether the command line, which may not have been understood, asks for JSON."""
    arguments = " ".join(sys.argv[1:])
    return "--format json" in arguments or "--format=json" in arguments
