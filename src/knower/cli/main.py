"""The command line: arguments to session to report, and exit statuses.

0: all true (or nothing to complain of); 1: something false (or found by --check, --strict);
2: bad input or usage; 3: unknown; 130: interrupted.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

import click

from knower import __version__
from knower.cli.bench import bench
from knower.cli.check import check
from knower.cli.conventions import examples, format_option, reports_errors, write_file
from knower.cli.export import export
from knower.cli.generate import generate
from knower.cli.simulate import simulate
from knower.errors import Diagnostic, UsageError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="knower")
def cli() -> None:
    """Check what agents do, know, ought to do and can enforce, in models written in ISPL."""


@cli.command(epilog=examples("knower info model.ispl", "knower info model.ispl --format json"))
@click.argument("model")
@format_option
@reports_errors
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
    epilog=examples("knower fmt model.ispl", "knower fmt --check *.ispl", "knower fmt --write *.ispl")
)
@click.argument("models", nargs=-1, required=True)
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit 1 if a file would change.")
@click.option("--write", is_flag=True, help="Change the files in place.")
@reports_errors
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
                write_file(model, text)
                click.echo(f"changed {source.name}", err=True)
        else:
            click.echo(text, nl=False)
    sys.exit(1 if changed else 0)


@cli.command(epilog=examples("knower lint model.ispl", "knower lint --strict *.ispl"))
@click.argument("models", nargs=-1, required=True)
@click.option("--strict", is_flag=True, help="Exit 1 if anything is found.")
@format_option
@reports_errors
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


for command in (check, simulate, export, generate, bench):
    cli.add_command(command)


# -- the terminal -------------------------------------------------------------------------------------


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
