"""Knower: a model checker for multi-agent systems.

>>> import knower
>>> result = knower.load("examples/bit_transmission.ispl").check("AG (ack_received -> bit_received)")

`load` and `loads` give a `System`; `System.check` gives a `CheckResult`; `Builder` makes a model in
Python. Formulas are texts, or values made with `knower.formulas`.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in `typing`, whose import (25 ms) is time in which Ctrl-C is a traceback
if TYPE_CHECKING:
    from knower import formulas
    from knower.builder import AgentBuilder, Builder
    from knower.errors import Diagnostic, InputError, KnowerError, LimitReached
    from knower.formulas import (
        AF,
        AG,
        AU,
        AX,
        DK,
        EF,
        EG,
        EU,
        EX,
        GCK,
        GK,
        Atom,
        CanF,
        CanG,
        CanU,
        CanX,
        Formula,
        Group,
        K,
        atoms,
        specification,
    )  # fmt: skip
    from knower.logic.language import Language, Specification
    from knower.notebook_progress import silent
    from knower.options import AtlReading, DeadlockPolicy, Limits, Reading, Search, Tuning
    from knower.pool.ticket import Ticket
    from knower.report.words import reason_text, warning_text
    from knower.session import Session, System, check, load, loads, parse_formula
    from knower.simulation.graph import GraphTooLarge
    from knower.simulation.walk import Simulation
    from knower.verdict.evidence import Evidence
    from knower.verdict.graph import StateGraph
    from knower.verdict.verdict import CheckResult, FormulaResult, Verdict
    from knower.verdict.warnings import Warning

#: Public name -> the module it lives in; imported on first use, so that start-up stays short.
_PUBLIC = {
    "AgentBuilder": "builder", "Builder": "builder",
    "Diagnostic": "errors", "InputError": "errors", "KnowerError": "errors", "LimitReached": "errors",
    "AF": "formulas", "AG": "formulas", "AU": "formulas", "AX": "formulas", "DK": "formulas",
    "EF": "formulas", "EG": "formulas", "EU": "formulas", "EX": "formulas", "GCK": "formulas",
    "GK": "formulas", "Atom": "formulas", "CanF": "formulas", "CanG": "formulas", "CanU": "formulas",
    "CanX": "formulas", "Formula": "formulas", "Group": "formulas", "K": "formulas", "atoms": "formulas",
    "specification": "formulas",
    "Language": "logic.language", "Specification": "logic.language",
    "silent": "notebook_progress",
    "AtlReading": "options", "DeadlockPolicy": "options", "Limits": "options", "Reading": "options",
    "Search": "options", "Tuning": "options",
    "Ticket": "pool.ticket",
    "reason_text": "report.words", "warning_text": "report.words",
    "Session": "session", "System": "session", "check": "session", "load": "session", "loads": "session",
    "parse_formula": "session",
    "GraphTooLarge": "simulation.graph", "Simulation": "simulation.walk",
    "Evidence": "verdict.evidence", "StateGraph": "verdict.graph",
    "CheckResult": "verdict.verdict", "FormulaResult": "verdict.verdict",
    "Verdict": "verdict.verdict", "Warning": "verdict.warnings",
}  # fmt: skip

__all__ = [
    "AF",
    "AG",
    "AU",
    "AX",
    "DK",
    "EF",
    "EG",
    "EU",
    "EX",
    "GCK",
    "GK",
    "AgentBuilder",
    "AtlReading",
    "Atom",
    "Builder",
    "CanF",
    "CanG",
    "CanU",
    "CanX",
    "CheckResult",
    "DeadlockPolicy",
    "Diagnostic",
    "Evidence",
    "Formula",
    "FormulaResult",
    "GraphTooLarge",
    "Group",
    "InputError",
    "K",
    "KnowerError",
    "Language",
    "LimitReached",
    "Limits",
    "Reading",
    "Search",
    "Session",
    "Simulation",
    "Specification",
    "StateGraph",
    "System",
    "Ticket",
    "Tuning",
    "Verdict",
    "Warning",
    "__version__",
    "atoms",
    "check",
    "formulas",
    "load",
    "loads",
    "parse_formula",
    "reason_text",
    "silent",
    "specification",
    "warning_text",
]  # fmt: skip


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "formulas":
        return import_module("knower.formulas")
    if name in _PUBLIC:
        return getattr(import_module(f"knower.{_PUBLIC[name]}"), name)
    raise AttributeError(f"module 'knower' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
