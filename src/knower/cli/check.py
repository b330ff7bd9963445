"""`knower check`: decide formulas, and show why."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from knower.cli.conventions import LIMIT, choice, examples, format_option, reports_errors, write_file
from knower.cli.progress import ProgressLine
from knower.errors import UsageError
from knower.options import (
    ENGINES,
    EVIDENCE,
    LIBRARIES,
    MAX_STATES,
    ORDERS,
    REACH,
    REORDER,
    AtlReading,
    DeadlockPolicy,
)

if TYPE_CHECKING:
    from knower.session import System
    from knower.verdict.verdict import CheckResult

_EXAMPLES = examples(
    "knower check model.ispl",
    'knower check model.ispl --formula "AG (recack -> K(Sender, recbit))"',
    'knower check model.ispl --also "LTL G F recbit" --format json',
    'knower check model.ispl --show Sender --eval "K(Sender, recbit)"',
    "knower check model.ispl --html why.html --dot why.dot",
    "knower check model.ispl --deadlock --overflow",
    "knower check game.ispl --atl uniform --time-limit 60",
    "cat model.ispl | knower check -",
)


@click.command(epilog=_EXAMPLES)
@click.argument("model")
@click.option(
    "--formula", "-f", "formulas", multiple=True, metavar="F", help="Check this in place of the file's."
)
@click.option("--also", multiple=True, metavar="F", help="Check this beside the others.")
@click.option("--deadlock", is_flag=True, help="Look for a deadlock in place of the file's formulas.")
@click.option("--overflow", is_flag=True, help="Look for an overflow in place of the file's formulas.")
@choice(
    "--evidence",
    EVIDENCE,
    "How much to look for witnesses, counterexamples and strategies: what is cheap, nothing, everything.",
)
@click.option("--show", metavar="AGENT,…", help="Evidence: only variables and actions of these agents.")
@click.option("--eval", "follow", multiple=True, metavar="F", help="Evidence: follow this formula.")
@click.option("--html", metavar="FILE", help="Evidence: write one page with graphs.")
@click.option("--dot", metavar="FILE", help="Evidence: write graphs for Graphviz.")
@choice(
    "--engine",
    ENGINES,
    "How to search: `bdd` by decision diagrams, `explicit` state by state; `auto` takes what fits.",
)
@choice("--bdd", LIBRARIES, "The library of decision diagrams.")
@choice("--order", ORDERS, "The variable order of the diagrams; `auto` tries several.")
@choice(
    "--reorder",
    REORDER,
    "Improve the order while working (cudd): `on` from the start, `off` never, `auto` when it seems to pay.",
)
@choice("--reach", REACH, "How the reachable states are collected.")
@choice("--atl", (reading.value for reading in AtlReading), "What a coalition knows and how it plays.")
@click.option(
    "--uniform-group", metavar="G", help="With --atl uniform-models: only these agents play uniformly."
)
@click.option("--finite", is_flag=True, help="Read LDL and CDL* on finite traces.")
@choice(
    "--on-deadlock",
    (policy.value for policy in DeadlockPolicy),
    "States without successor: report them, refuse to answer, or add a self-loop.",
)
@click.option("--time-limit", type=LIMIT, metavar="SECONDS", help="For the whole run.")
@click.option("--memory-limit", type=LIMIT, metavar="MB", help="For the whole process.")
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=MAX_STATES,
    show_default=True,
    help="Explicit engine: give up above this number of states.",
)
@click.option("--verbose", "-v", is_flag=True, help="Show statistics: nodes, orders, time per phase.")
@format_option
@reports_errors
def check(model: str, formulas: tuple[str, ...], **options: Any) -> None:
    """Decide the formulas of MODEL (`-` is standard input), and show why.

    Exit status: 0 all true, 1 some false, 3 some unknown and none false, 2 bad input, 130 interrupted.
    """
    from knower.session import load

    started = time.monotonic()
    shape = {name: options.pop(name) for name in ("style", "verbose", "show", "html", "dot")}
    with ProgressLine() as progress:
        system = load(model)
        agents = _agents(system, shape["show"])
        result = system.check(*formulas, progress=progress, since=started, supervise=True, **options)
    for warning in result.warnings:
        if warning.code == "no-fair-initial-state":
            click.echo(f"warning: {warning.message}", err=True)
    _write_graphs(system, result, agents, shape["html"], shape["dot"])
    _report(system, result, agents, shape["style"], verbose=shape["verbose"])
    sys.exit(result.exit_status)


def _agents(system: System, names: str | None) -> tuple[str, ...]:
    """The agents that are named, once they are found to be there."""
    known = system.interpreted.agent_named
    chosen = tuple(name.strip() for name in (names or "").split(",") if name.strip())
    for name in chosen:
        if name not in known:
            raise UsageError("E604", f"unknown agent `{name}`", f"one of: {', '.join(known)}")
    return chosen


def _write_graphs(
    system: System, result: CheckResult, agents: tuple[str, ...], html: str | None, dot: str | None
) -> None:
    propositions = frozenset(system.interpreted.propositions)
    if html is not None:
        from knower.report.page import evidence_page

        write_file(html, evidence_page(result, title=system.name, propositions=propositions))
    if dot is not None:
        from knower.report.dot import evidence_dot

        write_file(dot, evidence_dot(result, propositions=propositions, show=agents))


def _report(
    system: System, result: CheckResult, agents: tuple[str, ...], style: str, *, verbose: bool
) -> None:
    propositions = frozenset(system.interpreted.propositions)
    if style == "json":
        from knower.report.data import result_data, to_json

        click.echo(to_json(result_data(result, verbose=verbose, propositions=propositions)))
        return
    from knower.report.text import result_text

    text = result_text(result, _painter(), verbose=verbose, show=agents, propositions=propositions)
    click.echo(text)


def _painter() -> Callable[[str, str], str]:
    if sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        return lambda text, colour: click.style(text, fg=colour, bold=True)
    return lambda text, colour: text
