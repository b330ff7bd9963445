"""`knower lsp` where its library is not installed."""

from __future__ import annotations

import sys

from click.testing import CliRunner

from knower.cli.main import cli


def test_without_pygls_the_cure_is_told(monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("knower.lsp", "pygls", "lsprotocol"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    monkeypatch.setitem(sys.modules, "pygls", None)
    result = CliRunner().invoke(cli, ["lsp"])
    assert result.exit_code == 2
    assert "E644" in result.stderr and "knower[lsp]" in result.stderr
