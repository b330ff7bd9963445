"""What commands have in common: examples, limits, formats, and what becomes of errors."""

from __future__ import annotations

import gc
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from knower.errors import Diagnostic, InputError, LimitReached, UsageError, did_you_mean
from knower.files import write_file
from knower.options import MAX_STATES, Limits

if TYPE_CHECKING:
    from knower.session import Session, System

F = TypeVar("F", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """The end of a help text."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


class Sectioned(click.Command):
    """A command whose help lists options in sections: headline -> the names of parameters."""

    def __init__(self, *args: Any, sections: Mapping[str, Iterable[str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.sections = {title: tuple(names) for title, names in sections.items()}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The sections, then what is in none of them."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        records = {option.name: option.get_help_record(ctx) for option in options}
        for title, names in self.sections.items():
            found = [record for name in names if (record := records.pop(name)) is not None]
            with formatter.section(title):
                formatter.write_dl(found)
        rest = [record for record in records.values() if record is not None]
        if rest:
            with formatter.section("Others"):
                formatter.write_dl(rest)


class _Limit(click.FloatRange):
    """A number from 0 up; not-a-number is no limit but a slip."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


LIMIT = _Limit(min=0)


def choice(flag: str, values: Iterable[str], explained: str) -> Callable[[F], F]:
    """An option with a few values, of which the first is the default."""
    known = list(values)
    return click.option(flag, type=click.Choice(known), default=known[0], show_default=True, help=explained)


def format_option(command: F) -> F:
    """`--format`: as text, or as JSON."""
    option = click.option(
        "--format",
        "style",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Text for people, or one JSON object.",
    )
    return option(command)


def reports_errors(command: F) -> F:
    """Bad input becomes a message (or JSON) and exit status 2, a limit 3; never a traceback."""

    @wraps(command)
    def wrapped(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
        except InputError as error:
            show_errors(error.spelt(as_flag), options.get("style", "text"))
            sys.exit(error.exit_status)
        except LimitReached as limit:
            from knower.report.words import reason_text

            unread = Diagnostic("E633", reason_text(limit.reason), cure="raise the limit")
            show_errors([unread], options.get("style", "text"))
            sys.exit(3)

    return wrapped  # type: ignore[return-value]


def as_flag(option: str, value: str) -> str:
    """An option as it is typed."""
    return f"--{option.replace('_', '-')} {value}".rstrip()


def show_errors(errors: Iterable[Diagnostic], style: str) -> None:
    """On standard error, or as JSON on standard output."""
    if style == "json":
        from knower.report.diagnostics import error_data, to_json

        click.echo(to_json(error_data(errors)))
    else:
        click.echo("\n".join(error.render() for error in errors), err=True)


class Program:
    """The command line as a process of its own: its workers are forked, once, when a command needs them."""

    def __init__(self) -> None:
        self._session: Session | None = None

    def session(self, workers: int, cores: int | None = None) -> Session:
        from knower.session import Session

        if self._session is None:
            self._session = Session.of_command_line(workers, cores)
            gc.enable()  # it was off while the program was loaded
        return self._session


def session(workers: int = 1, cores: int | None = None) -> Session:
    """Of this program; where commands are called by another one, the session it uses.

    `cores`: how many its workers or their threads may use, if somebody has said so.
    """
    program = click.get_current_context().find_root().obj
    if isinstance(program, Program):
        return program.session(workers, cores)
    from knower.session import usual_session

    return usual_session()


# -- limits -------------------------------------------------------------------------------------------


def limits_of(options: dict[str, Any], states: int | None = MAX_STATES) -> Limits:
    """The values of `--time-limit` and `--memory-limit`, which are taken from the options."""
    return Limits(options.pop("time_limit"), options.pop("memory_limit"), states)


def limited(command: F) -> F:
    """Adds `--time-limit` and `--memory-limit`: the command is given them as `limits`."""

    @wraps(command)
    def wrapped(*args: Any, **options: Any) -> None:
        command(*args, limits=limits_of(options), **options)

    more = list(reversed(limit_options()))  # as click keeps those of decorators
    wrapped.__click_params__ = [*getattr(command, "__click_params__", ()), *more]  # type: ignore[attr-defined]
    return wrapped  # type: ignore[return-value]


def limit_options() -> list[click.Option]:
    """`--time-limit` and `--memory-limit`."""
    return [
        click.Option(["--time-limit"], type=LIMIT, metavar="SECONDS", help="For the whole run."),
        click.Option(["--memory-limit"], type=LIMIT, metavar="MB", help="For the whole process."),
    ]


def agents_named(system: System, names: str | None) -> tuple[str, ...]:
    """The agents in a list of agents and groups, once they are found to be there."""
    known = system.outline
    chosen: dict[str, None] = {}
    for name in (name.strip() for name in (names or "").split(",")):
        if name and name not in known.groups and name not in known.agents:
            cure = did_you_mean(name, [*known.agents, *known.groups])
            raise UsageError("E604", f"unknown agent or group `{name}`", cure)
        chosen |= dict.fromkeys(known.groups.get(name, (name,)) if name else ())
    return tuple(chosen)


def say_restriction(system: System) -> None:
    """That a model is restricted to a strategy, and what that leaves out."""
    if system.outline.restriction:
        click.echo(f"note: restricted to {system.outline.restriction}", err=True)
        click.echo("      initial states that it does not start from are excluded", err=True)


def write_output(text: str, path: str | None) -> None:
    """To a file, or else to standard output."""
    if path in (None, "/dev/stdout"):
        click.echo(text, nl=False)
    else:
        write_file(str(path), text)
