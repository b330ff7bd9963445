"""What commands have in common: examples, limits, formats, and what becomes of errors."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from knower.errors import Diagnostic, InputError, UsageError, did_you_mean

if TYPE_CHECKING:
    from knower.session import System

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
    """Bad input becomes a message (or JSON) and exit status 2, never a traceback."""

    @wraps(command)
    def wrapped(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
        except InputError as error:
            show_errors(error.spelt(as_flag), options.get("style", "text"))
            sys.exit(error.exit_status)

    return wrapped  # type: ignore[return-value]


def as_flag(option: str, value: str) -> str:
    """An option as it is typed."""
    return f"--{option.replace('_', '-')} {value}".rstrip()


def show_errors(errors: Iterable[Diagnostic], style: str) -> None:
    """On standard error, or as JSON on standard output."""
    if style == "json":
        from knower.report.data import error_data, to_json

        click.echo(to_json(error_data(errors)))
    else:
        click.echo("\n".join(error.render() for error in errors), err=True)


def agents_named(system: System, names: str | None) -> tuple[str, ...]:
    """The agents in a list of agents and groups, once they are found to be there."""
    known = system.interpreted
    chosen: dict[str, None] = {}
    for name in (name.strip() for name in (names or "").split(",")):
        if name and name not in known.groups and name not in known.agent_named:
            cure = did_you_mean(name, [*known.agent_named, *known.groups])
            raise UsageError("E604", f"unknown agent or group `{name}`", cure)
        chosen |= dict.fromkeys(known.members(name) if name else ())
    return tuple(chosen)


def write_output(text: str, path: str | None) -> None:
    """To a file, or else to standard output."""
    if path is None:
        click.echo(text, nl=False)
    else:
        write_file(path, text)


def write_file(path: str, text: str) -> None:
    """Make or replace a file, or leave it as it is if the new text cannot be written."""
    target = Path(path).resolve()
    draft = target.with_name(target.name + ".tmp~")
    try:
        draft.write_text(text, encoding="utf-8")
        if target.exists():
            draft.chmod(target.stat().st_mode)
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise UsageError("E608", f"cannot write {path}: {error.strerror}") from None
