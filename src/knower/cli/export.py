"""`knower export`: the graph of the reachable states, to be drawn or processed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from knower.cli.conventions import (
    agents_named,
    choice,
    examples,
    reports_errors,
    write_output,
)
from knower.errors import Diagnostic, NoInitialState

if TYPE_CHECKING:
    from knower.session import System
    from knower.verdict.graph import StateGraph

_EXAMPLES = examples(
    "knower export model.ispl | dot -Tsvg > model.svg",
    "knower export model.ispl --show Sender --knowledge -o model.dot",
    "knower export model.ispl --to json --max-states 50000",
)


@click.command(epilog=_EXAMPLES)
@click.argument("model")
@choice("--to", ("dot", "json"), "The language of Graphviz, or one JSON object.")
@click.option("--output", "-o", metavar="FILE", help="Write to this file, not to standard output.")
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Give up if there are more states, or a hundred times as many steps.",
)
@click.option("--show", metavar="AGENT,…", help="Only variables and actions of these agents or groups.")
@click.option("--knowledge", is_flag=True, help="Join the states that look alike to an agent.")
@reports_errors
def export(
    model: str, to: str, output: str | None, max_states: int, show: str | None, knowledge: bool
) -> None:
    """Write the reachable states of MODEL (`-` is standard input) and the steps between them.

    Exit status: 0 done, 2 bad input, 3 there are too many states.
    """
    from knower.report.data import to_json
    from knower.report.graph_text import graph_data, graph_dot
    from knower.session import load

    graph = _graph(load(model), max_states, show)
    if to == "json":
        text = to_json(graph_data(graph, knowledge=knowledge)) + "\n"
    else:
        text = graph_dot(graph, knowledge=knowledge)
    write_output(text, output)


def _graph(system: System, max_states: int, show: str | None) -> StateGraph:
    """The graph; ends the program with status 3 if it is too large."""
    from knower.simulation.graph import GraphTooLarge, state_graph

    names = None if show is None else agents_named(system, show)
    try:
        return state_graph(system.interpreted, system.name, max_states=max_states, show=names)
    except GraphTooLarge as found:
        cure = f"raise the limit: --max-states {10 * max_states}"
        click.echo(Diagnostic("E629", f"the graph is too large: {found}", cure=cure).render(), err=True)
        sys.exit(3)
    except NoInitialState as error:
        raise system.no_initial_state(error) from None
