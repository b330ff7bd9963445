"""The libraries of decision diagrams, binary and sentential: which are here, and how to get the others."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from knower.functions.protocol import Order, Space
from knower.functions.vtree import Vtree

#: By preference: the package, the module of it that is needed, how to get it.
_LIBRARIES = {
    "oxidd": ("oxidd", "bdd", "pip install oxidd"),
    "cudd": ("dd", "cudd", "pip install 'dd>=0.6' (wheels: Linux on x86-64, Python up to 3.13)"),
}
_SAT = ("pysat", "solvers", "pip install --pre python-sat (the extra `sat`)")
_CLUSTER = ("distributed", "client", "pip install 'dask[distributed]' (the extra `cluster`)")
_SDD = ("pysdd", "sdd", "pip install pysdd (the extra `sdd`)")


@cache
def available() -> tuple[str, ...]:
    """The libraries that can be used here, the preferred one first.

    The environment variable `KNOWER_BDD` can narrow them to those it names (`none` to none).
    """
    wanted = os.environ.get("KNOWER_BDD", "").lower().split() or list(_LIBRARIES)
    return tuple(
        name
        for name, (package, module, _) in _LIBRARIES.items()
        if name in wanted and _is_here(package, module)
    )


def sdd_is_here() -> bool:
    """Whether sentential decision diagrams can be used here."""
    package, module, _ = _SDD
    return _is_here(package, module)


def solver_is_here() -> bool:
    """Whether a SAT solver can be used here."""
    package, module, _ = _SAT
    return _is_here(package, module)


def cluster_is_here() -> bool:
    """Whether work can be shared with other processes."""
    package, module, _ = _CLUSTER
    return _is_here(package, module)


def how_to_get(name: str) -> str:
    return {**_LIBRARIES, "sdd": _SDD, "sat": _SAT, "cluster": _CLUSTER}[name][2]


def _is_here(package: str, module: str) -> bool:
    """Whether a package has a module, found without importing either: that takes long."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec is not None else None
    return any(any(Path(folder).glob(f"{module}.*")) for folder in folders or ())


def new_space(
    name: str, order: Order, max_nodes: int | None = None, max_collections: int | None = None
) -> Space[Any]:
    """A space of that library; the bounds apply where the library can be bounded."""
    if name == "oxidd":
        from knower.functions.oxidd import OxiddSpace

        return OxiddSpace(order) if max_nodes is None else OxiddSpace(order, max_nodes, max_collections)
    if name == "cudd":
        from knower.functions.cudd import CuddSpace

        return CuddSpace(order)
    raise ValueError(f"no library of decision diagrams is called {name!r}; known: {', '.join(_LIBRARIES)}")


def new_sdd_space(vtree: Vtree, minimise: str) -> Space[Any]:
    """A space of sentential decision diagrams."""
    from knower.functions.sdd import SddSpace

    return SddSpace(vtree, minimise)
