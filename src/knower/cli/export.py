"""`knower export`: the reachable states as a graph or as a decision diagram, to be drawn or processed."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, NoReturn

import click

from knower.cli.constants import with_constants
from knower.cli.conventions import (
    agents_named,
    choice,
    examples,
    limited,
    reports_errors,
    session,
    write_output,
)
from knower.errors import Diagnostic
from knower.options import MINIMISE, ORDERS, VTREES, Limits

if TYPE_CHECKING:
    from knower.session import System
    from knower.verdict.graph import StateGraph

#: What can be written: the states as a graph, or what the engine on sentential diagrams makes of them.
_GRAPHS, _DIAGRAMS = ("dot", "json"), ("vtree", "sdd")

_EXAMPLES = examples(
    "knower export model.ispl | dot -Tsvg > model.svg",
    "knower export model.ispl --show Sender --knowledge -o model.dot",
    "knower export model.ispl --to json --max-states 50000",
    "knower export model.ispl --to vtree --vtree agents-sqrt | dot -Tsvg > vtree.svg",
)


@click.command(epilog=_EXAMPLES)
@click.argument("model")
@choice(
    "--to",
    (*_GRAPHS, *_DIAGRAMS),
    "The graph of the states for Graphviz, or as one JSON object; the vtree, or the states as a "
    "sentential decision diagram, for Graphviz.",
)
@click.option("--output", "-o", metavar="FILE", help="Write to this file, not to standard output.")
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Give up if there are more states, or a hundred times as many steps; or decisions of a diagram.",
)
@click.option("--show", metavar="AGENT,…", help="Only variables and actions of these agents or groups.")
@click.option("--knowledge", is_flag=True, help="Join the states that look alike to an agent.")
@choice("--vtree", VTREES, "With --to vtree or sdd: which variables are decided together.")
@choice("--order", ORDERS, "With --to vtree or sdd: the order of the variables.")
@choice("--minimise", MINIMISE, "With --to vtree or sdd: look for a better vtree.")
@limited
@reports_errors
@with_constants
def export(model: str, to: str, output: str | None, limits: Limits, **options: Any) -> None:
    """Write the reachable states of MODEL (`-` is standard input) and the steps between them.

    Exit status: 0 done, 2 bad input, 3 there are too many states, or a limit was met.
    """
    tuning = {name: options.pop(name) for name in ("vtree", "order", "minimise")}
    within: dict[str, Any] = {"limits": limits, "since": time.monotonic()}
    system = session().load(model, constants=options.pop("constants"), **within)
    if to in _DIAGRAMS:
        write_output(_diagram_text(system, to, options["max_states"], **tuning, **within), output)
        return
    show = None if options["show"] is None else agents_named(system, options["show"])
    graph = _graph(system, max_states=options["max_states"], show=show, **within)
    write_output(_graph_text(graph, to, knowledge=options["knowledge"]), output)


def _diagram_text(system: System, to: str, most: int, **how: Any) -> str:
    """The vtree or the diagram; ends the program with status 3 if that is too large to draw."""
    from knower.report.diagram_dot import sdd_dot, vtree_dot

    diagram = system.diagram(**how)
    if to == "vtree":
        return vtree_dot(diagram)
    count = len(diagram.decisions)
    if count > most:
        _too_large(f"the diagram is too large: {count} decisions", count)
    return sdd_dot(diagram)


def _graph_text(graph: StateGraph, to: str, *, knowledge: bool) -> str:
    from knower.report.data import to_json
    from knower.report.graph_text import graph_data, graph_dot

    if to == "json":
        return to_json(graph_data(graph, knowledge=knowledge)) + "\n"
    return graph_dot(graph, knowledge=knowledge)


def _too_large(what: str, limit: int) -> NoReturn:
    cure = f"raise the limit: --max-states {limit}"
    click.echo(Diagnostic("E629", what, cure=cure).render(), err=True)
    sys.exit(3)


def _graph(system: System, max_states: int, **how: Any) -> StateGraph:
    """The graph; ends the program with status 3 if it is too large."""
    from knower.simulation.graph import GraphTooLarge

    try:
        return system.graph(max_states=max_states, **how)
    except GraphTooLarge as found:
        _too_large(f"the graph is too large: {found}", 10 * max_states)
