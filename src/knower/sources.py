"""The text of a model, from a file or standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from knower.errors import Diagnostic, InputError, UsageError
from knower.source import Source, Span


def read_source(path: str | Path) -> Source:
    """The text of a file (`-`: standard input), not yet parsed."""
    return Source("<stdin>" if str(path) == "-" else str(path), _decoded(str(path), _bytes(str(path))))


def _bytes(path: str) -> bytes:
    if path == "-":
        if sys.stdin is None:
            raise UsageError("E602", "standard input is closed")
        return sys.stdin.buffer.read()
    if not path:
        raise UsageError("E601", "no such file: the path is empty", "name an .ispl file")
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise UsageError("E601", f"no such file: {path}") from None
    except IsADirectoryError:
        raise UsageError("E602", f"{path} is a directory", "name an .ispl file") from None
    except OSError as error:
        raise UsageError("E602", f"cannot read {path}: {error.strerror}") from None


def _decoded(path: str, data: bytes) -> str:
    """UTF-8; other bytes can stand in comments only, so Latin-1 does for them."""
    if b"\0" in data:
        at = data.index(b"\0")
        source = Source("<stdin>" if path == "-" else path, data.decode("latin-1"))
        message, cure = "a binary file, not ISPL text", "name an .ispl file"
        raise InputError([Diagnostic("E107", message, source, Span(at, at + 1), cure)])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
