"""Findings as plain data; imports next to nothing, so that errors can be told when little works."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knower.errors import Diagnostic

SCHEMA = 1


def error_data(errors: Iterable[Diagnostic]) -> dict[str, Any]:
    """Bad input as plain data."""
    return {"schema": SCHEMA, "errors": [diagnostic_data(error) for error in errors]}


def diagnostic_data(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code,
        "message": found.message,
        "file": found.file,
        "line": found.line,
        "column": found.column,
        "cure": found.cure,
    }


def to_json(data: dict[str, Any]) -> str:
    import json  # most runs need none

    return json.dumps(data, indent=2)
