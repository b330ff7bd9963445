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


def sensible(search: Search, engine: str) -> Search:
    """How far to look, once that is found to make sense."""
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
    bounded = replace(search, portfolio="off", cluster=None)
    if search.method == "full" and bounded != Search():
        cure = "add --method bmc or --method sat"
        raise UsageError("E607", "--bound, --heuristic and --encoding go with a bounded method", cure)
    if search.method == "sat" and not solver_is_here():
        raise UsageError("E610", "python-sat is not installed", how_to_get("sat"))
    if search.cluster is not None:
        if search.method != "bmc":
            raise UsageError("E607", "--cluster goes with --method bmc only", "add --method bmc")
        if not cluster_is_here():
            raise UsageError("E610", "dask is not installed", how_to_get("cluster"))
    if search.portfolio != "off" and (bounded != Search() or search.cluster or engine != "auto"):
        cure = "leave --engine, --method and --cluster out"
        raise UsageError("E607", "--portfolio chooses engines and methods by itself", cure)
    if search.method != "full" and engine == "explicit":
        raise UsageError("E607", "the engine explicit has no bounded method", "leave --engine out")
    return search
