"""The types of the wire for the browser's side: TypeScript, made of the JSON schema.

`python -m knower.studio.typescript` prints the file that `studio/src/wire.ts` has to be.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from knower.studio.calls import CALLS, NEWS
from knower.studio.shapes import Schema
from knower.studio.wire import FromBrowser, ToBrowser

_WORDS = {"string": "string", "boolean": "boolean", "integer": "number", "number": "number", "null": "null"}


def wire_schema() -> dict[str, Any]:
    """Everything that goes through the socket, as one JSON schema."""
    schema = Schema()
    for kind in (FromBrowser, ToBrowser):
        schema.of(kind)
    calls = {
        name: {"args": schema.of(each.args), "done": schema.of(each.done)} for name, each in CALLS.items()
    }
    for name, kind in NEWS.items():
        calls[name]["news"] = schema.of(kind)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:knower:studio:1",
        "title": "What Knower Studio and its pages say to each other",
        "calls": calls,
        "$defs": schema.definitions,
    }


def typescript(schema: dict[str, Any]) -> str:
    """A schema as TypeScript: an interface for each object, and one for all calls."""
    return "\n".join(_lines(schema)) + "\n"


def _lines(schema: dict[str, Any]) -> Iterator[str]:
    yield "// Made of the server's JSON schema by `python -m knower.studio.typescript`. Not to be edited."
    for name, shape in sorted(schema["$defs"].items()):
        yield ""
        if shape["description"]:
            yield f"/// {' '.join(shape['description'].split())}"
        yield from _interface(name, shape)
    yield ""
    yield "/// What can be asked of the server: arguments, the answer, and what is told on the way."
    yield "export interface Calls {"
    for name, parts in sorted(schema["calls"].items()):
        news = _type(parts["news"]) if "news" in parts else "never"
        yield f"  {name}: {{ args: {_type(parts['args'])}; done: {_type(parts['done'])}; news: {news} }};"
    yield "}"


def _interface(name: str, shape: dict[str, Any]) -> Iterator[str]:
    yield f"export interface {name} {{"
    for key, value in shape["properties"].items():
        optional = "" if key in shape["required"] else "?"
        yield f"  {key}{optional}: {_type(value)};"
    yield "}"


def _type(shape: dict[str, Any]) -> str:
    if "$ref" in shape:
        return str(shape["$ref"]).rpartition("/")[2]
    if "enum" in shape:
        return " | ".join(json.dumps(each) for each in shape["enum"])
    if "anyOf" in shape:
        return " | ".join(dict.fromkeys(map(_type, shape["anyOf"])))
    if shape["type"] == "array":
        inner = _type(shape["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if shape["type"] == "object":
        return f"Record<string, {_type(shape['additionalProperties'])}>"
    return _WORDS[shape["type"]]


if __name__ == "__main__":
    sys.stdout.write(typescript(wire_schema()))
