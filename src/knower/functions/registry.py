"""The libraries of decision diagrams, binary and sentential: which are here, and how to get the others."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from knower.functions.addresses import can_address
from knower.functions.protocol import Order, Space
from knower.functions.vtree import Vtree
from knower.records import dataclass


@dataclass(frozen=True, slots=True)
class Library:
    """Something that may be installed: the package, the module of it that is needed, how to get it.

    `any_of`: it is here if one of these is. `addresses`: it cannot begin without so many bytes of them.
    """

    name: str
    package: str = ""
    module: str = ""
    cure: str = ""
    any_of: tuple[Library, ...] = ()
    addresses: int = 0


OXIDD = Library("oxidd", "oxidd", "bdd", "pip install oxidd", addresses=5 << 28)
CUDD = Library("cudd", "dd", "cudd", "pip install 'dd>=0.6' (wheels: Linux on x86-64, Python up to 3.13)")
#: By preference.
_LIBRARIES = (OXIDD, CUDD)
BDD = Library("a library of decision diagrams", cure=OXIDD.cure, any_of=_LIBRARIES)
PYSDD = Library("pysdd", "pysdd", "sdd", "pip install pysdd (the extra `sdd`)")
PYSAT = Library("python-sat", "pysat", "solvers", "pip install --pre python-sat (the extra `sat`)")
DASK = Library("dask", "distributed", "client", "pip install 'dask[distributed]' (the extra `cluster`)")


@cache
def available() -> tuple[str, ...]:
    """The libraries of binary decision diagrams that can be used here, the preferred one first.

    One that has no room to begin (`ulimit -v`) comes last.
    The environment variable `KNOWER_BDD` can narrow them to those it names (`none` to none).
    """
    known = [library.name for library in _LIBRARIES]
    wanted = os.environ.get("KNOWER_BDD", "").lower().split() or known
    found = [lib for lib in _LIBRARIES if lib.name in wanted and _has_module(lib)]
    return tuple(lib.name for lib in sorted(found, key=lambda lib: not can_address(lib.addresses)))


def is_here(library: Library) -> bool:
    """Whether a library can be used here."""
    if library.any_of:
        return any(map(is_here, library.any_of))
    return library.name in available() if library in _LIBRARIES else _has_module(library)


def how_to_get(name: str) -> str:
    """The cure where a library of binary decision diagrams is missing."""
    return next(library.cure for library in _LIBRARIES if library.name == name)


def _has_module(library: Library) -> bool:
    """Whether a package has a module, found without importing either: that takes long."""
    spec = find_spec(library.package)
    folders = spec.submodule_search_locations if spec is not None else None
    return any(any(Path(folder).glob(f"{library.module}.*")) for folder in folders or ())


def new_space(
    name: str,
    order: Order,
    max_nodes: int | None = None,
    max_collections: int | None = None,
    threads: int = 1,
) -> Space[Any]:
    """A space of that library; bounds and threads apply where the library knows them."""
    if name == "oxidd":
        from knower.functions.oxidd import OxiddSpace

        if max_nodes is None:
            return OxiddSpace(order, threads=threads)
        return OxiddSpace(order, max_nodes, max_collections, threads)
    if name == "cudd":
        from knower.functions.cudd import CuddSpace

        return CuddSpace(order)
    known = ", ".join(library.name for library in _LIBRARIES)
    raise ValueError(f"no library of decision diagrams is called {name!r}; known: {known}")


def new_sdd_space(vtree: Vtree, minimise: str) -> Space[Any]:
    """A space of sentential decision diagrams."""
    from knower.functions.sdd import SddSpace

    return SddSpace(vtree, minimise)
