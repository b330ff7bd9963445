"""`knower studio`: the workbench in the browser."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

import click

from knower.cli.conventions import LIMIT, examples, reports_errors
from knower.errors import UsageError
from knower.options import Limits

_EXAMPLES = examples(
    "knower studio",
    "knower studio model.ispl",
    "knower studio models/ --no-browser --port 8765",
    "knower studio --origin http://localhost:9000",
    "knower studio --stop",
)


@click.command(epilog=_EXAMPLES)
@click.argument("place", metavar="[FILE|FOLDER]", default=".")
@click.option("--port", type=click.IntRange(1, 65535), help="Listen on this port; else the one of last time.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--origin", metavar="URL", help="Admit pages of this origin too: of a port that is forwarded.")
@click.option("--stop", is_flag=True, help="End the server that runs, and forget its port and token.")
@click.option("--time-limit", type=LIMIT, metavar="SECONDS", default=600, show_default=True,
              help="For each question.")  # fmt: skip
@click.option("--memory-limit", type=LIMIT, metavar="MB", help="For each worker.")
@reports_errors
def studio(
    place: str,
    port: int | None,
    no_browser: bool,
    origin: str | None,
    stop: bool,
    time_limit: float,
    memory_limit: float | None,
) -> None:
    """Open the workbench in the browser, for the models of FOLDER (the current one).

    The server listens on this machine only, and lets in who has the token of the address it prints. It writes
    only to model files of the folder. It ends with Ctrl-C, or with `knower studio --stop`.
    """
    serving = _serving()
    if stop:
        click.echo("stopped" if serving.stop_running() else "no studio was running")
        return
    from knower.session import Session
    from knower.studio.manners import House, admitted_origin

    serving.require_assets()
    root, first = serving.site_of(Path(place))
    found = serving.running()
    if found is not None:
        cure = "`knower studio --stop` ends it"
        raise UsageError("E641", f"a studio is running already, at {found.address}", cure)

    def begun(house: House) -> None:
        click.echo(f"Knower Studio of {root}\n  {house.address}\nCtrl-C ends it.")
        if not no_browser:
            serving.open_browser(house)

    limits = Limits(time_limit, memory_limit)
    admitted = None if origin is None else admitted_origin(origin)
    serving.serve(serving.Site(root, first, port, admitted, limits), Session(), begun)


def _serving() -> ModuleType:
    """The server's module, or what is missing for it."""
    try:
        return import_module("knower.studio.serving")
    except ImportError as error:
        cure = "pip install 'knower[studio]'"
        raise UsageError("E642", f"Knower Studio needs {error.name}", cure) from None
