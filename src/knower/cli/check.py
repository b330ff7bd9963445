"""`knower check`: decide formulas, and show why."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from knower.cli.constants import constants_option, strategy_option, sweep
from knower.cli.conventions import (
    LIMIT,
    Sectioned,
    agents_named,
    choice,
    examples,
    format_option,
    reports_errors,
    say_restriction,
    session,
)  # fmt: skip
from knower.cli.progress import ProgressLine
from knower.engine.registry import engines, methods
from knower.errors import UsageError
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
    SOLVERS,
    VTREES,
    AtlReading,
    DeadlockPolicy,
    Limits,
)

if TYPE_CHECKING:
    from knower.session import Session, System
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
    "knower check model.ispl -D n=5 -f safe",
    "knower check model.ispl -D n=2..6",
    "knower check *.ispl --results done.jsonl",
    "knower check model.ispl --portfolio --cluster local:4",
    "knower check game.ispl --atl uniform --time-limit 60",
    "cat model.ispl | knower check -",
)


_SECTIONS = {
    "What to ask": (
        "formulas", "also", "constants", "strategy", "deadlock", "overflow", "vacuity", "lint",
        "atl", "uniform_group", "finite", "on_deadlock",
    ),
    "What to show": ("evidence", "show", "follow", "html", "dot", "save_strategy", "verbose", "style"),
    "How to search": ("engine", "method", "portfolio", "jobs", "cluster", "results"),
    "Limits": ("time_limit", "memory_limit"),
    "Engines bdd and sdd": (
        "bdd", "order", "order_file", "save_order", "reorder", "reach", "cluster_threshold",
        "vtree", "minimise",
    ),
    "Engine explicit": ("max_states",),
    "Methods bmc, sat and pdr": ("bound", "heuristic", "encoding", "solver"),
}  # fmt: skip


@click.command(cls=Sectioned, sections=_SECTIONS, epilog=_EXAMPLES)
@click.argument("models", nargs=-1, required=True, metavar="MODEL…")
@click.option(
    "--formula",
    "-f",
    "formulas",
    multiple=True,
    metavar="F",
    help="Check this, or the file's formula of this name or number; repeatable.",
)
@constants_option("Give a constant another value, or several: `n=2..6` is a run for each; repeatable.")
@strategy_option
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
@click.option(
    "--save-strategy", metavar="FILE", help="Write the first strategy that shows a verdict, for `--with`."
)
@click.option(
    "--vacuity", is_flag=True, help="Of true formulas: which parts never matter, whatever stands there."
)
@click.option(
    "--no-lint", "lint", flag_value=False, default=True, help="Do not warn of what is legal but seldom meant."
)
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
    "solver (`sat`), or for a proof (`pdr`).",
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
    help="Spread a portfolio, several models or values of constants, or with bmc the states of one model; "
    "`local:N` starts N workers, tcp://HOST:PORT or tls://HOST:PORT joins a scheduler of dask.",
)
@click.option(
    "--results",
    metavar="FILE",
    help="Of several runs: write each to this file when it is over; what stands there is not done again.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="Use so many cores: for large diagrams of oxidd, or for the methods of a portfolio.",
)
@choice("--encoding", ENCODINGS, "sat: how formulas become clauses.")
@choice("--solver", SOLVERS, "sat, pdr: the SAT solver, if it passes a test at first use.")
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
def check(models: tuple[str, ...], formulas: tuple[str, ...], cluster: str | None, **options: Any) -> None:
    """Decide the formulas of each MODEL (`-` is standard input), and show why.

    Exit status: 0 all as expected (true, unless the file says otherwise), 1 some not, 3 some unknown and none
    of those, 2 bad input, 130 interrupted.
    """
    started = time.monotonic()
    given, jobs = list(sweep(options.pop("constants"))), options.pop("jobs")
    options["since"] = started
    is_single = len(given) == 1 and len(models) == 1 and options["results"] is None
    is_spread = cluster is not None and (options["portfolio"] != "off" or not is_single)
    workers, width = _workers(is_single, jobs, options, cluster if is_spread else None)
    if is_single:
        del options["results"]
        options.update(cluster=None if is_spread else cluster)
        _check_once(workers, models[0], formulas, given[0], options)
    else:
        from knower.cli.several import check_several

        check_several(workers, width, models, given, formulas, options)


def _workers(
    is_single: bool, jobs: int | None, options: dict[str, Any], where: str | None
) -> tuple[Session, int]:
    """Who works, and how many runs there are at a time: on a cluster, if one is named."""
    methods = len(PORTFOLIO) if options["portfolio"] != "off" else 1
    if where is not None:
        from knower.session import Session

        found = Session(cluster=where, threads=1)
        return found, found.cores
    runs = 1 if is_single else jobs or 1
    return session(max(methods, runs), jobs), runs


def _check_once(
    workers: Session,
    model: str,
    formulas: tuple[str, ...],
    constants: dict[str, str],
    options: dict[str, Any],
) -> NoReturn:
    from knower.report.words import warning_text  # while the worker makes itself ready

    limits = Limits(options["time_limit"], options["memory_limit"])
    with ProgressLine() as progress:
        system = workers.load(
            model,
            constants=constants,
            strategy=options.pop("strategy"),
            limits=limits,
            since=options["since"],
        )
        shape = _Shape(system, options)
        result = system.check(*formulas, progress=progress, **options)
    for warning in result.warnings:
        if warning.code == "no-fair-initial-state":
            click.echo(f"warning: {warning_text(warning)}", err=True)
    say_restriction(system)
    shape.write_order(result)
    shape.write_strategy(system, result)
    shape.write_graphs(result)  # before the report: if a file cannot be written, JSON is the error alone
    click.echo(shape.report(result))
    sys.exit(result.exit_status)


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
        self.strategy: str | None = options.pop("save_strategy")
        options["save_order"] = self.order is not None
        self.agents = agents_named(system, options.pop("show"))
        self.whole = options["evidence"] == "all"

    def write_order(self, result: CheckResult) -> None:
        """As far as there is one: a run that was stopped early may have none."""
        names = str(result.statistics.get("variable order", "")).split()
        if self.order is not None and names:
            write_file(self.order, "\n".join([f"-- variable order of {self.name}", *names, ""]))

    def write_strategy(self, system: System, result: CheckResult) -> None:
        if self.strategy is None:
            return
        from knower.report.data import to_json
        from knower.report.strategy_data import saved_strategy, strategy_of

        for each in result:
            found = strategy_of(each.evidence)
            if found is not None and each.evidence is not None:
                digest = system.describe().digest
                data = saved_strategy(found, each.evidence.vocabulary, each.text, digest)
                write_file(self.strategy, to_json(data) + "\n")
                return
        raise UsageError(
            "E619", "no verdict is shown by a strategy", "ask for what a coalition can do: `<g>F p`"
        )

    def write_graphs(self, result: CheckResult) -> None:
        if self.html is not None:
            from knower.report.page import evidence_page
            from knower.report.why_page import why_page

            title = Path(self.name).name
            page = why_page(result, title=title, propositions=self.propositions)
            page = page or evidence_page(
                result, title=title, propositions=self.propositions, whole=self.whole
            )
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
