"""What was chosen by name, found to be known before anything is done."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

from knower.engine.registry import engines, methods, picks
from knower.errors import UsageError
from knower.functions.registry import available, how_to_get
from knower.options import (
    ENCODINGS,
    EVIDENCE,
    HEURISTICS,
    LIBRARIES,
    MINIMISE,
    NUMBERED_HEURISTICS,
    ORDERS,
    PORTFOLIO,
    REACH,
    REORDER,
    SOLVERS,
    VTREES,
    How,
    Search,
    Tuning,
)

C = TypeVar("C", bound=Enum)


def known(what: str, value: str, values: tuple[str, ...]) -> str:
    """A value of an option, which must be one of some."""
    if value not in values:
        raise UsageError("E605", f"unknown choice `{value}` for {what}", f"one of: {', '.join(values)}")
    return value


def member(kind: type[C], value: str | C, *others: str) -> C:
    """The member of an enumeration that is meant, where others could be meant as well."""
    try:
        return kind(value)
    except ValueError:
        values = ", ".join([*others, *(each.value for each in kind)])
        raise UsageError("E605", f"unknown choice `{value}`", f"one of: {values}") from None


def evidence_named(evidence: str) -> str:
    """How much evidence is wanted, by that name."""
    return known("evidence", evidence, EVIDENCE)


def possible(how: How, portfolio: str = "off") -> How:
    """What was chosen, once everything in it is known, goes together and is here."""
    _require_known(how.tuning, how.search)
    if how.engine not in engines():
        raise UsageError("E603", f"unknown engine `{how.engine}`", f"one of: {', '.join(engines())}")
    known("method", how.search.method, methods())
    if known("portfolio", portfolio, PORTFOLIO) != "off":
        _require_free_hand(how)
    picks(how)
    if how.tuning.order_file is not None and how.tuning.order != "auto":
        raise UsageError("E607", "‹order› and ‹order_file› both say what the order is", "give one of them")
    _require_here(how.tuning)
    return how


def _require_known(tuning: Tuning, search: Search) -> None:
    for what, value, values in (
        ("bdd", tuning.library, LIBRARIES),
        ("order", tuning.order, ORDERS),
        ("reach", tuning.reach, REACH),
        ("reorder", tuning.reorder, REORDER),
        ("vtree", tuning.vtree, VTREES),
        ("minimise", tuning.minimise, MINIMISE),
        ("encoding", search.encoding, ENCODINGS),
        ("solver", search.solver, SOLVERS),
    ):
        known(what, value, values)
    if not _is_heuristic(search.heuristic):
        listed = ", ".join(f"{one}:K" if one in NUMBERED_HEURISTICS else one for one in HEURISTICS)
        raise UsageError("E605", f"unknown choice `{search.heuristic}` for heuristic", f"one of: {listed}")


def _is_heuristic(text: str) -> bool:
    name, _, number = text.partition(":")
    if name in NUMBERED_HEURISTICS:
        return number.isdecimal() and int(number) > 0
    return text in HEURISTICS


def _require_free_hand(how: How) -> None:
    """A portfolio chooses engines and methods by itself; how questions are read it does not."""
    if how.engine != "auto" or how.search.method != methods()[0] or how.given:
        cure = "leave ‹engine›, ‹method› and all that goes with them out"
        raise UsageError("E607", "‹portfolio› chooses engines and methods by itself", cure)


def _require_here(tuning: Tuning) -> None:
    here = available()
    if tuning.library != "auto" and tuning.library not in here:
        raise UsageError("E610", f"{tuning.library} is not installed", how_to_get(tuning.library))
    if tuning.reorder == "on" and ("cudd" not in here or tuning.library == "oxidd"):
        raise UsageError("E610", "only cudd can reorder its variables", how_to_get("cudd"))
