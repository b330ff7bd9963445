"""`knower check`: decide formulas, and show why."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from knower.cli.conventions import (
    LIMIT,
    Sectioned,
    agents_named,
    choice,
    examples,
    format_option,
    reports_errors,
    session,
)  # fmt: skip
from knower.cli.progress import ProgressLine
from knower.engine.registry import engines, methods
from knower.files import write_file
from knower.options import (
    CLUSTER_THRESHOLD,
    ENCODINGS,
    EVIDENCE,
    LIBRARIES,
    MAX_STATES,
    MINIMISE,
    ORDERS,
    PORTFOLIO,
    REACH,
    REORDER,
    VTREES,
    AtlReading,
    DeadlockPolicy,
    Limits,
)

if TYPE_CHECKING:
    from knower.session import System
    from knower.verdict.verdict import CheckResult

_EXAMPLES = examples(
    "knower check model.ispl",
    'knower check model.ispl --formula "AG (recack -> K(Sender, recbit))"',
    'knower check model.ispl --also "LTL G F recbit" --format json',
    "knower check model.ispl --save-order my.order",
    "knower check model.ispl --order-file my.order",
    'knower check model.ispl --show Sender --eval "K(Sender, recbit)"',
    "knower check model.ispl --html why.html --dot why.dot",
    "knower check model.ispl --deadlock --overflow",
    "knower check game.ispl --atl uniform --time-limit 60",
    "cat model.ispl | knower check -",
)


_SECTIONS = {
    "What to ask": (
        "formulas", "also", "deadlock", "overflow", "atl", "uniform_group", "finite", "on_deadlock",
    ),
    "What to show": ("evidence", "show", "follow", "html", "dot", "verbose", "style"),
    "How to search": ("engine", "method", "portfolio", "jobs"),
    "Limits": ("time_limit", "memory_limit"),
    "Engines bdd and sdd": (
        "bdd", "order", "order_file", "save_order", "reorder", "reach", "cluster_threshold",
        "vtree", "minimise",
    ),
    "Engine explicit": ("max_states",),
    "Methods bmc and sat": ("bound", "heuristic", "cluster", "encoding"),
}  # fmt: skip


@click.command(cls=Sectioned, sections=_SECTIONS, epilog=_EXAMPLES)
@click.argument("model")
@click.option(
    "--formula", "-f", "formulas", multiple=True, metavar="F", help="Check this, not the file's; repeatable."
)
@click.option("--also", multiple=True, metavar="F", help="Check this beside the others; repeatable.")
@click.option(
    "--deadlock",
    is_flag=True,
    help="Look for a deadlock, not at the file's formulas; exit status 1 if found.",
)
@click.option("--overflow", is_flag=True, help="Look for an overflow likewise.")
@choice(
    "--evidence",
    EVIDENCE,
    "Reasons for verdicts: `auto` shows what is cheap to find, `all` everything, `none` nothing.",
)
@click.option("--show", metavar="AGENT,…", help="Evidence: only variables and actions of these agents.")
@click.option(
    "--eval", "follow", multiple=True, metavar="F", help="Evidence: say where this holds; repeatable."
)
@click.option("--html", metavar="FILE", help="Evidence: write a page with drawings to this file.")
@click.option("--dot", metavar="FILE", help="Evidence: write graphs for Graphviz to this file.")
@choice(
    "--engine",
    engines(),
    "How to search: `bdd` by binary, `sdd` by sentential decision diagrams, `explicit` state by state; "
    "`auto` takes what fits.",
)
@choice("--bdd", LIBRARIES, "bdd: the library of decision diagrams.")
@choice("--order", ORDERS, "The variable order of the diagrams; `auto` tries several.")
@click.option(
    "--order-file", metavar="FILE", help="bdd: this order; a line `Agent.x` or `Agent.Action` for each."
)
@click.option("--save-order", metavar="FILE", help="Write the order that was good in the end to this file.")
@choice(
    "--reorder",
    REORDER,
    "bdd: improve the order while working (cudd): from the start, never, or when it seems to pay.",
)
@click.option(
    "--cluster-threshold",
    type=click.IntRange(min=0),
    default=CLUSTER_THRESHOLD,
    show_default=True,
    metavar="NODES",
    help="Join parts of the transition relation up to this size.",
)
@choice("--vtree", VTREES, "sdd: which variables are decided together.")
@choice("--minimise", MINIMISE, "sdd: look for a better vtree while working, anywhere or inside parts.")
@choice(
    "--method",
    methods(),
    "How far to look: at all states, or only until formulas are decided, by diagrams (`bmc`) or by a SAT "
    "solver (`sat`).",
)
@click.option("--bound", type=click.IntRange(min=0), metavar="K", help="Give up after so many steps.")
@click.option(
    "--heuristic",
    metavar="NAME",
    default="adaptive",
    show_default=True,
    help="bmc: when to look; adaptive, every:K, growth, share, one-shot:K.",
)
@click.option(
    "--portfolio",
    type=click.Choice(PORTFOLIO),
    is_flag=False,
    flag_value="first",
    default="off",
    show_default=True,
    help="Several methods side by side: the first answer wins, or with `all` every one is heard.",
)
@click.option(
    "--cluster",
    metavar="WHERE",
    help="bmc: share the work; `local:N` starts N workers, tcp://HOST:PORT joins a scheduler.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="Use so many cores: for large diagrams of oxidd, or for the methods of a portfolio.",
)
@choice("--encoding", ENCODINGS, "sat: how formulas become clauses.")
@choice("--reach", REACH, "How all reachable states are collected.")
@choice(
    "--atl",
    ("auto", *(reading.value for reading in AtlReading)),
    "What a coalition knows and how it plays; `auto`: objective-fair where there is Fairness.",
)
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
    help="Give up above this number of states.",
)
@click.option("--verbose", "-v", is_flag=True, help="Show statistics: nodes, orders, time per phase.")
@format_option
@reports_errors
def check(model: str, formulas: tuple[str, ...], **options: Any) -> None:
    """Decide the formulas of MODEL (`-` is standard input), and show why.

    Exit status: 0 all true, 1 some false, 3 some unknown and none false, 2 bad input, 130 interrupted.
    """
    started = time.monotonic()
    _use_cores(options.pop("jobs"), by_methods=options["portfolio"] != "off")
    workers = session(len(PORTFOLIO) if options["portfolio"] != "off" else 1)
    from knower.report.words import warning_text  # while the worker makes itself ready

    limits = Limits(options["time_limit"], options["memory_limit"])
    with ProgressLine() as progress:
        system = workers.load(model, limits=limits, since=started)
        shape = _Shape(system, options)
        result = system.check(*formulas, progress=progress, since=started, **options)
    for warning in result.warnings:
        if warning.code == "no-fair-initial-state":
            click.echo(f"warning: {warning_text(warning)}", err=True)
    shape.write_order(result)
    shape.write_graphs(result)  # before the report: if a file cannot be written, JSON is the error alone
    click.echo(shape.report(result))
    sys.exit(result.exit_status)


def _use_cores(jobs: int | None, *, by_methods: bool) -> None:
    """Said in the environment, for workers that are begun from now on; never more than there are."""
    from knower.session import usual_cores

    if jobs is not None:
        os.environ["KNOWER_CORES"] = str(jobs)
        os.environ["KNOWER_THREADS"] = str(1 if by_methods else usual_cores())


class _Shape:
    """How a result is to be shown; takes the options that say so from the others."""

    def __init__(self, system: System, options: dict[str, Any]) -> None:
        self.name = system.name
        self.propositions = frozenset(system.outline.propositions)
        self.style: str = options.pop("style")
        self.verbose: bool = options.pop("verbose")
        self.html: str | None = options.pop("html")
        self.dot: str | None = options.pop("dot")
        self.order: str | None = options.pop("save_order")
        options["save_order"] = self.order is not None
        self.agents = agents_named(system, options.pop("show"))
        self.whole = options["evidence"] == "all"

    def write_order(self, result: CheckResult) -> None:
        """As far as there is one: a run that was stopped early may have none."""
        names = str(result.statistics.get("variable order", "")).split()
        if self.order is not None and names:
            write_file(self.order, "\n".join([f"-- variable order of {self.name}", *names, ""]))

    def write_graphs(self, result: CheckResult) -> None:
        if self.html is not None:
            from knower.report.page import evidence_page

            page = evidence_page(result, title=self.name, propositions=self.propositions, whole=self.whole)
            write_file(self.html, page)
        if self.dot is not None:
            from knower.report.dot import evidence_dot

            graphs = evidence_dot(result, propositions=self.propositions, show=self.agents, whole=self.whole)
            write_file(self.dot, graphs)

    def report(self, result: CheckResult) -> str:
        if self.style == "json":
            from knower.report.data import result_data, to_json

            return to_json(result_data(result, verbose=self.verbose, propositions=self.propositions))
        from knower.report.text import result_text

        return result_text(
            result,
            _painter(),
            verbose=self.verbose,
            show=self.agents,
            whole=self.whole,
            propositions=self.propositions,
        )


def _painter() -> Callable[[str, str], str]:
    if sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        return lambda text, colour: click.style(text, fg=colour, bold=True)
    return lambda text, colour: text
