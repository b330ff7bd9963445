"""`knower generate`: a command for each family of models, made from what the family says of itself."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from knower.cli.conventions import limit_options, limited, reports_errors, write_output
from knower.cli.watch import watched
from knower.errors import InputError
from knower.options import Limits

if TYPE_CHECKING:
    from knower.families import Family, Parameter


class _Families(click.Group):
    """The families as commands; they are imported when one is wanted, so that start-up stays short."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from knower.families import FAMILIES

        return list(FAMILIES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        from knower.families import FAMILIES

        return _command(FAMILIES[name]) if name in FAMILIES else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        from knower.families import family

        family(args[0])
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Bad input becomes a message and exit status 2."""
        try:
            return super().invoke(ctx)
        except InputError as error:
            click.echo("\n".join(found.render() for found in error.diagnostics), err=True)
            sys.exit(error.exit_status)


def _command(family: Family) -> click.Command:
    """The command that writes down a member of the family."""

    @limited
    @reports_errors
    def write(output: str | None, limits: Limits, **values: Any) -> None:
        with watched(limits):
            write_output(family.instance(**values).ispl, output)

    lines = [f"  knower generate {family.name} {example}".rstrip() for example in ("", *family.examples)]
    return click.Command(
        family.name,
        callback=write,
        params=[*map(_option, family.parameters), _output(), *limit_options()],
        help=f"Write a model in ISPL: {family.description}.\n\nAfter {family.source}.",
        short_help=family.description,
        epilog="\n".join(["\b", "Examples:", *lines]),
    )


def _option(parameter: Parameter) -> click.Option:
    return click.Option(
        [f"--{parameter.name}"],
        type=int if isinstance(parameter.default, int) else str,
        default=parameter.default,
        show_default=True,
        help=f"{parameter.help.capitalize()}; {parameter.allowed}.",
    )


def _output() -> click.Option:
    return click.Option(
        ["--output", "-o"], metavar="FILE", help="Write to this file, not to standard output."
    )


def _list(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """Print the families with their parameters, and be done."""
    if not wanted:
        return
    from knower.families import FAMILIES

    click.echo("\n\n".join(_described(family) for family in FAMILIES.values()))
    ctx.exit()


def _described(family: Family) -> str:
    width = max(len(one.name) for one in family.parameters)
    lines = [
        f"  --{one.name:{width}}  {one.help}; {one.allowed} [default: {one.default}]"
        for one in family.parameters
    ]
    return "\n".join([f"{family.name}: {family.description}", *lines])


_EXAMPLES = """
\b
Examples:
  knower generate --list
  knower generate prisoners --n 5 > prisoners.ispl
  knower generate train-gate --help
  knower generate counter --n 64 | knower check -
"""


@click.group(cls=_Families, subcommand_metavar="FAMILY [OPTIONS]", epilog=_EXAMPLES)
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="Show all families and their parameters.",
)
def generate() -> None:
    """Write a model of a FAMILY, with the verdicts to be expected beside its formulas."""
