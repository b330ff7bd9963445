"""Shapes of JSON, taken from type annotations: as a schema for others, and to judge what comes in.

Understood are `str int float bool None`, `Literal`, `list`, `dict[str, …]`, unions, and `TypedDict`.
"""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NotRequired,
    TypeGuard,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}


class Misshapen(ValueError):
    """Data that is not of the shape asked for; the message says where."""


class Schema:
    """Definitions of all classes met, for one document."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of a type; classes are defined once and referred to."""
        if is_typeddict(kind):
            self._define(kind)
            return {"$ref": f"#/$defs/{kind.__name__}"}
        if kind in _PLAIN:
            return {"type": _PLAIN[kind]}
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Literal:
            return {"enum": list(inner)}
        if origin is list:
            return {"type": "array", "items": self.of(inner[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(each) for each in inner]}
        raise TypeError(f"no shape for {kind!r}")

    def _define(self, kind: Any) -> None:
        if kind.__name__ in self.definitions:
            return
        made: dict[str, Any] = {"type": "object", "description": kind.__doc__ or ""}
        self.definitions[kind.__name__] = made
        fields = _fields(kind)
        made["properties"] = {name: self.of(each) for name, (each, _) in fields.items()}
        made["required"] = sorted(name for name, (_, needed) in fields.items() if needed)
        made["additionalProperties"] = False


@cache
def _fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The types of a class's fields, and whether they must be there."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        name: (get_args(hint)[0], False) if get_origin(hint) is NotRequired else (hint, True)
        for name, hint in hints.items()
    }


def require(kind: Any, data: object, where: str = "") -> None:
    """Raises `Misshapen` unless the data has the shape of a type."""
    if is_typeddict(kind):
        _require_object(kind, data, where)
        return
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list and _is_list(data):
        for place, each in enumerate(data):
            require(inner[0], each, f"{where}[{place}]")
    elif origin is dict and _is_object(data):
        for name, each in data.items():
            require(inner[1], each, f"{where}.{name}")
    elif origin in (Union, UnionType):
        if not any(_fits(each, data, where) for each in inner):
            raise Misshapen(f"{where or 'the message'} is of no shape that is allowed here")
    elif not _is_plain(kind, data):
        raise Misshapen(f"{where or 'the message'} is not what is expected here")


def _is_plain(kind: Any, data: object) -> bool:
    if get_origin(kind) is Literal:
        return any(data == each and type(data) is type(each) for each in get_args(kind))
    if kind is float:
        return isinstance(data, int | float) and not isinstance(data, bool)
    return isinstance(kind, type) and type(data) is kind


def _require_object(kind: Any, data: object, where: str) -> None:
    if not _is_object(data):
        raise Misshapen(f"{where or 'the message'} is not an object")
    fields = _fields(kind)
    for name, (_, needed) in fields.items():
        if needed and name not in data:
            raise Misshapen(f"{where}.{name} is missing")
    for name, each in data.items():
        if name not in fields:
            raise Misshapen(f"{where}.{name} is not known")
        require(fields[name][0], each, f"{where}.{name}")


def _fits(kind: Any, data: object, where: str) -> bool:
    try:
        require(kind, data, where)
    except Misshapen:
        return False
    return True


def _is_list(data: object) -> TypeGuard[list[object]]:
    return isinstance(data, list)


def _is_object(data: object) -> TypeGuard[dict[str, object]]:
    return isinstance(data, dict)
