"""`knower expand`: a model as plain ISPL, for MCMAS and other readers of it."""

from __future__ import annotations

import time
from typing import Any

import click

from knower.cli.constants import with_constants
from knower.cli.conventions import examples, limited, reports_errors, session, write_output
from knower.options import Limits

_EXAMPLES = examples(
    "knower expand model.ispl > plain.ispl",
    "knower expand model.ispl -D n=4 -o model_4.ispl",
    "knower generate muddy-children | knower expand -",
)


@click.command(epilog=_EXAMPLES)
@click.argument("model")
@click.option("--output", "-o", metavar="FILE", help="Write to this file, not to standard output.")
@limited
@reports_errors
@with_constants
def expand(model: str, output: str | None, limits: Limits, constants: dict[str, str]) -> None:
    """Write MODEL (`-` is standard input) as plain ISPL, as MCMAS 1.3.0 reads it.

    It has the same states, and the same verdicts for the formulas kept. New names are listed at the top;
    formulas that MCMAS lacks are comments. Exit status: 0 done, 2 bad input, or there is no such text:
    an index may leave its range, or it is larger than 20 MB.
    """
    within: dict[str, Any] = {"limits": limits, "since": time.monotonic()}
    write_output(session().load(model, constants=constants, **within).expanded(**within), output)
