"""Choices by name, found to be known and possible here before a run begins."""

from __future__ import annotations

from dataclasses import replace

from knower.errors import UsageError
from knower.functions.registry import available, cluster_is_here, how_to_get, sdd_is_here, solver_is_here
from knower.options import (
    ENCODINGS,
    ENGINES,
    EVIDENCE,
    HEURISTICS,
    LIBRARIES,
    METHODS,
    MINIMISE,
    NUMBERED_HEURISTICS,
    ORDERS,
    PORTFOLIO,
    REACH,
    REORDER,
    VTREES,
    Search,
    Tuning,
)


def engine_named(engine: str) -> str:
    """The engine of that name."""
    if engine not in ENGINES:
        raise UsageError("E603", f"unknown engine `{engine}`", f"one of: {', '.join(ENGINES)}")
    return engine


def evidence_named(evidence: str) -> str:
    """How much evidence is wanted, by that name."""
    if evidence not in EVIDENCE:
        raise UsageError("E605", f"unknown choice `{evidence}`", f"one of: {', '.join(EVIDENCE)}")
    return evidence


def possible(tuning: Tuning, engine: str) -> Tuning:
    """The choices of the symbolic engines, once they are found to be possible here."""
    for name, value, known in (
        ("bdd", tuning.library, LIBRARIES),
        ("order", tuning.order, ORDERS),
        ("reach", tuning.reach, REACH),
        ("reorder", tuning.reorder, REORDER),
        ("vtree", tuning.vtree, VTREES),
        ("minimise", tuning.minimise, MINIMISE),
    ):
        if value not in known:
            raise UsageError("E605", f"unknown choice `{value}` for {name}", f"one of: {', '.join(known)}")
    here = available()
    if tuning.library != "auto" and tuning.library not in here:
        raise UsageError("E610", f"{tuning.library} is not installed", how_to_get(tuning.library))
    if engine == "bdd" and not here:
        raise UsageError("E610", "no library of decision diagrams is installed", how_to_get("oxidd"))
    if engine == "sdd" and not sdd_is_here():
        raise UsageError("E610", "pysdd is not installed", how_to_get("sdd"))
    if tuning.reorder == "on" and ("cudd" not in here or tuning.library == "oxidd"):
        raise UsageError("E610", "only cudd can reorder its variables", how_to_get("cudd"))
    if engine != "sdd" and (tuning.vtree, tuning.minimise) != ("auto", "off"):
        raise UsageError("E607", "--vtree and --minimise go with --engine sdd only", "add --engine sdd")
    return tuning


def sensible(search: Search, engine: str, reach: str = "auto") -> Search:
    """How far to look, once that is found to make sense."""
    _require_known(search)
    _require_fitting(search, engine, reach)
    if search.method == "sat" and not solver_is_here():
        raise UsageError("E610", "python-sat is not installed", how_to_get("sat"))
    if search.cluster is not None and not cluster_is_here():
        raise UsageError("E610", "dask is not installed", how_to_get("cluster"))
    return search


def _require_known(search: Search) -> None:
    """Whether there is everything by the names that are given."""
    name, _, number = search.heuristic.partition(":")
    numbered = name in NUMBERED_HEURISTICS and number.isdecimal() and int(number) > 0
    if name not in HEURISTICS or (number and not numbered):
        known = ", ".join(f"{one}:K" if one in NUMBERED_HEURISTICS else one for one in HEURISTICS)
        raise UsageError("E605", f"unknown choice `{search.heuristic}` for heuristic", f"one of: {known}")
    for what, value, values in (
        ("method", search.method, METHODS),
        ("encoding", search.encoding, ENCODINGS),
        ("portfolio", search.portfolio, PORTFOLIO),
    ):
        if value not in values:
            raise UsageError("E605", f"unknown choice `{value}` for {what}", f"one of: {', '.join(values)}")


def _require_fitting(search: Search, engine: str, reach: str) -> None:
    """Whether what is given goes together: nothing is left aside in silence."""
    usual, method = Search(), search.method
    if search.portfolio != "off" and (replace(search, portfolio="off") != usual or engine != "auto"):
        cure = "leave --engine, --cluster and all that goes with --method out"
        raise UsageError("E607", "--portfolio chooses engines and methods by itself", cure)
    for is_given, what, methods in (
        (search.bound is not None, "--bound", ("bmc", "sat")),
        (search.heuristic != usual.heuristic, "--heuristic", ("bmc",)),
        (search.encoding != usual.encoding, "--encoding", ("sat",)),
        (search.cluster is not None, "--cluster", ("bmc",)),
        (engine == "explicit", "--engine explicit", ("full",)),
        (engine in ("bdd", "sdd"), f"--engine {engine}", ("full", "bmc")),
        (reach != "auto", "--reach", ("full",)),
    ):
        if is_given and method not in methods:
            named = " or ".join(f"--method {one}" for one in methods)
            raise UsageError("E607", f"{what} does not go with --method {method}", f"it goes with {named}")
