"""`knower simulate`: commands from a terminal, a script or another program, and their replies."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from knower.cli.constants import strategy_option, with_constants
from knower.cli.conventions import (
    LIMIT,
    choice,
    examples,
    limits_of,
    reports_errors,
    say_restriction,
    session,
)
from knower.cli.signals import is_final
from knower.errors import Diagnostic, InputError
from knower.options import MAX_STATES, AtlReading
from knower.source import Source, Span

if TYPE_CHECKING:
    from knower.cli.stepper import Reply, Stepper

#: The readings of ATL that speak of one state of one model.
_READINGS = ["auto", *(each.value for each in AtlReading if each is not AtlReading.UNIFORM_MODELS)]
_EXAMPLES = examples(
    "knower simulate model.ispl",
    'knower simulate model.ispl -c "initial 1" -c "random 5" -c "knows recbit"',
    "knower simulate model.ispl --script walk.txt",
    "echo actions | knower simulate model.ispl --format json",
)


@click.command(epilog=_EXAMPLES)
@click.argument("model")
@click.option("--script", metavar="FILE", help="Do the commands of this file.")
@click.option(
    "--command", "-c", "commands", multiple=True, metavar="COMMAND", help="Do this; may be repeated."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first random walk.")
@choice("--atl", _READINGS, "What a coalition knows and how it plays, in formulas.")
@click.option("--time-limit", type=LIMIT, metavar="SECONDS", help="For each question.")
@click.option("--memory-limit", type=LIMIT, metavar="MB", help="For the whole process.")
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=MAX_STATES,
    show_default=True,
    help="Explicit engine: give up on a question above this number of states.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for people, or a line with a JSON object for each command.",
)
@strategy_option
@reports_errors
@with_constants
def simulate(
    model: str,
    script: str | None,
    commands: tuple[str, ...],
    seed: int,
    atl: str,
    max_states: int,
    style: str,
    **options: Any,
) -> None:
    """Walk through MODEL step by step; `help` lists what can be said.

    Commands come from --script and --command, else from standard input.

    Exit status: 0 done, 2 bad input, 3 some question could not be answered.
    """
    from knower.cli.stepper import Stepper

    scripted = script is not None or bool(commands)
    if model == "-" and not scripted:
        raise click.UsageError("MODEL comes from standard input: give commands with --script or --command")
    reading = None if atl == "auto" else AtlReading(atl)
    limits = limits_of(options, max_states)
    constants, strategy = options.pop("constants"), options.pop("strategy")
    system = session().load(model, constants=constants, strategy=strategy, limits=limits)
    say_restriction(system)
    stepper = Stepper(system, reading, limits, seed)
    speaker = _Speaker(stepper, style)
    speaker.open()
    if not scripted and sys.stdin is not None and sys.stdin.isatty():
        speaker.converse()
    else:
        speaker.perform(_lines(script, commands) if scripted else _lines_of_input())
        sys.exit(3 if stepper.undecided else 0)


class _Line(NamedTuple):
    """A command and where it stands."""

    name: str
    number: int
    text: str

    @property
    def source(self) -> Source:
        """A text that has this line at its number."""
        return Source(self.name, "\n" * (self.number - 1) + self.text)


def _lines(script: str | None, commands: Iterable[str]) -> Iterator[_Line]:
    from knower.sources import read_source

    if script is not None:
        source = read_source(script)
        yield from _numbered(source.name, source.text.split("\n"))
    for number, command in enumerate(commands, start=1):
        yield from _numbered(f"<command {number}>", command.split("\n"))


def _numbered(name: str, lines: Iterable[str]) -> Iterator[_Line]:
    for number, text in enumerate(lines, start=1):
        yield _Line(name, number, text.rstrip())


def _lines_of_input() -> Iterator[_Line]:
    """One by one as they come: whoever writes them may wait for each reply."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return _numbered("<stdin>", sys.stdin or ())


class _Speaker:
    """Says what the stepper replies, as text or as JSON."""

    def __init__(self, stepper: Stepper, style: str) -> None:
        self.stepper = stepper
        self.style = style

    def open(self) -> None:
        """Say where the session begins."""
        reply = self.stepper.open()
        if self.style == "text":
            click.echo(reply.text)

    def perform(self, lines: Iterable[_Line]) -> None:
        """Do all commands; the first mistake ends the program with status 2."""
        for line in lines:
            if _is_comment(line.text):
                continue
            if self.style == "text":
                click.echo(f"{self._prompt}{line.text.strip()}")
            try:
                self._say(self.stepper.run(line.text))
            except InputError as error:
                self._complain(InputError(_placed(found, line) for found in error.diagnostics))
                sys.exit(error.exit_status)
            if self.stepper.finished:
                return

    def converse(self) -> None:
        """Do what is typed until Ctrl-D; Ctrl-C cancels a line or a command, a mistake is only told."""
        with suppress(ImportError):
            import readline  # noqa: F401 - lets `input` remember and edit lines
        with _same_terminal():
            while not self.stepper.finished and self._answers():
                pass

    def _answers(self) -> bool:
        """Answer the next line; False at the end of them."""
        try:
            line = input(self._prompt)
            if not _is_comment(line):
                self._say(self.stepper.run(line))
        except EOFError:
            click.echo()
            return False
        except KeyboardInterrupt as stop:
            if is_final(stop):
                raise
            click.echo("\ninterrupted")
        except InputError as error:
            self._complain(error)
        return True

    @property
    def _prompt(self) -> str:
        number = self.stepper.step_number
        return "> " if number is None else f"{number}> "

    def _say(self, reply: Reply) -> None:
        if self.style == "json":
            click.echo(json.dumps(reply.data))
        elif reply.text:
            click.echo(reply.text)

    def _complain(self, error: InputError) -> None:
        if self.style == "json":
            from knower.report.data import error_data

            click.echo(json.dumps(error_data(error.diagnostics)))
        else:
            click.echo(error, err=True)


@contextmanager
def _same_terminal() -> Iterator[None]:
    """In the end the terminal has the settings it had before, whatever has happened to the line editor."""
    try:
        import termios
    except ImportError:  # not a Unix
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        with suppress(termios.error):  # it is gone
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _is_comment(line: str) -> bool:
    return line.strip().startswith(("--", "#")) or not line.strip()


def _placed(found: Diagnostic, line: _Line) -> Diagnostic:
    """The mistake at its place in the script: in the formula or condition, or the whole line."""
    source = line.source
    start = len(source.text) - len(line.text.lstrip())
    if found.source is None:
        return replace(found, source=source, span=Span(start, len(source.text)))
    inside = source.text.find(found.source.text, start)
    if inside < 0:
        return found
    return replace(found, source=source, span=Span(inside + found.span.start, inside + found.span.end))
