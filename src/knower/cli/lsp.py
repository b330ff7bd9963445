"""`knower lsp`: the language server, for editors that start it themselves."""

from __future__ import annotations

import click

from knower.cli.conventions import examples, reports_errors
from knower.errors import UsageError


@click.command(epilog=examples("knower lsp"))
@reports_errors
def lsp() -> None:
    """Serve an editor: the language server protocol on standard input and output.

    docs/editors.md says how editors are told of it.
    """
    try:
        from knower.lsp.server import make_server
    except ModuleNotFoundError as missing:
        if missing.name not in ("pygls", "lsprotocol"):
            raise
        raise UsageError(
            "E644", "the language server needs pygls", "install it: pip install 'knower[lsp]'"
        ) from None
    from knower.session import Session

    with Session() as session:
        make_server(session).start_io()
