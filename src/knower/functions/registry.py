"""The libraries of decision diagrams: which are here, and how to get the others."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from knower.functions.protocol import Order, Space

#: By preference: the name, the module it needs, how to get it.
_LIBRARIES = {
    "oxidd": ("oxidd", "pip install oxidd"),
    "cudd": ("dd.cudd", "pip install dd (wheels: Linux on x86-64, Python up to 3.13)"),
}


def available() -> tuple[str, ...]:
    """The libraries that can be used here, the preferred one first."""
    return tuple(name for name, (module, _) in _LIBRARIES.items() if _is_installed(module))


def how_to_get(name: str) -> str:
    return _LIBRARIES[name][1]


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of a parent package
        return False


def new_space(
    name: str, order: Order, max_nodes: int | None = None, max_collections: int | None = None
) -> Space[Any]:
    """A space of that library; the bounds apply where the library can be bounded."""
    if name == "oxidd":
        from knower.functions.oxidd import OxiddSpace

        return OxiddSpace(order) if max_nodes is None else OxiddSpace(order, max_nodes, max_collections)
    from knower.functions.cudd import CuddSpace

    return CuddSpace(order)
