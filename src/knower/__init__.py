"""Knower: a model checker for multi-agent systems.

>>> import knower
>>> result = knower.load("examples/bit_transmission.ispl").check("AG (ack_received -> bit_received)")

`load` and `loads` give a `System`; `System.check` gives a `CheckResult`; `Builder` makes a model in
Python.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from knower.builder import AgentBuilder, Builder
    from knower.errors import Diagnostic, InputError, KnowerError
    from knower.logic.language import Specification
    from knower.report.words import reason_text, warning_text
    from knower.session import System, check, load, loads, parse_formula
    from knower.verdict.verdict import CheckResult, FormulaResult, Verdict
    from knower.verdict.warnings import Warning

#: Public name -> the module it lives in; imported on first use, so that start-up stays short.
_PUBLIC = {
    "AgentBuilder": "builder", "Builder": "builder",
    "Diagnostic": "errors", "InputError": "errors", "KnowerError": "errors",
    "Specification": "logic.language",
    "reason_text": "report.words", "warning_text": "report.words",
    "System": "session", "check": "session", "load": "session", "loads": "session",
    "parse_formula": "session",
    "CheckResult": "verdict.verdict", "FormulaResult": "verdict.verdict",
    "Verdict": "verdict.verdict", "Warning": "verdict.warnings",
}  # fmt: skip

__all__ = [
    "AgentBuilder", "Builder", "CheckResult", "Diagnostic", "FormulaResult", "InputError", "KnowerError",
    "Specification", "System", "Verdict", "Warning", "__version__", "check", "load", "loads", "parse_formula",
    "reason_text", "warning_text",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name in _PUBLIC:
        return getattr(import_module(f"knower.{_PUBLIC[name]}"), name)
    raise AttributeError(f"module 'knower' has no attribute {name!r}")
