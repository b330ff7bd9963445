"""Results as JSON: one object per run, as `schema.json` beside this file promises."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knower.errors import Diagnostic
from knower.report.diagnostics import SCHEMA, diagnostic_data, error_data, to_json
from knower.report.proof_data import evidence_data
from knower.report.words import reason_text, warning_text
from knower.verdict.faults import Absence, Fault
from knower.verdict.overview import AgentInfo, ModelInfo
from knower.verdict.trace import Path
from knower.verdict.vacuity import Vacuity
from knower.verdict.verdict import CheckResult, Claim, FormulaResult
from knower.verdict.warnings import Lint, NeverHolds, Warning

__all__ = ["SCHEMA", "diagnostic_data", "error_data", "info_data", "lint_data", "result_data", "to_json"]


def result_data(
    result: CheckResult, *, verbose: bool = False, propositions: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """A run as plain data; `verbose`: with statistics.

    `propositions`: those of the model, for the formulas of the evidence to be printed unambiguously.
    """
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "model": result.model,
        "engine": result.engine,
        "states": result.states,
        "warnings": [_warning(warning) for warning in result.warnings],
        "formulas": [_formula(formula, propositions) for formula in result.formulas],
    }
    if result.sought:
        data["sought"] = {fault.value: _is_found(result, fault) for fault in result.sought}
    return {**data, "statistics": dict(result.statistics)} if verbose else data


def _is_found(result: CheckResult, fault: Fault) -> bool | None:
    match result.faults.of(fault):
        case Absence.PROVED:
            return False
        case Absence.UNKNOWN:
            return None
        case _:
            return True


def _formula(result: FormulaResult, propositions: frozenset[str]) -> dict[str, Any]:
    found = result.evidence
    data: dict[str, Any] = {
        "number": result.number,
        "formula": result.text,
        "logic": result.logic,
        "name": result.name,
        "line": result.line,
        "verdict": result.verdict.value,
        "expected": result.expected.value,
        "as_expected": result.as_expected,
        "reason": None if result.reason is None else reason_text(result.reason),
        "seconds": round(result.seconds, 6),
        "evidence": None if found is None else evidence_data(found, propositions),
    }
    if result.because:
        data["because"] = result.because
    if result.engine:
        data["engine"] = result.engine
    if result.atl is not None:
        data["atl"] = result.atl.value
    if result.left_out is not None:
        data["left_out"] = reason_text(result.left_out)
    if result.vacuity is not None:
        data["vacuity"] = _vacuity(result.vacuity)
    if result.claims:
        data["claims"] = [_claim(claim, propositions) for claim in result.claims]
    return data


def _vacuity(found: Vacuity) -> dict[str, Any]:
    idle = [
        {
            "part": each.text,
            "instead": each.instead,
            "number": each.number,
            "among": each.among,
            "instances": len(each.places),
        }
        for each in found.idle
    ]
    why = None if found.left_out is None else reason_text(found.left_out)
    return {"idle": idle, "undecided": found.undecided, "left_out": why}


def _claim(claim: Claim, propositions: frozenset[str]) -> dict[str, Any]:
    return {"method": claim.method, "result": _formula(claim.result, propositions)}


def _warning(warning: Warning) -> dict[str, Any]:
    data: dict[str, Any] = {"code": warning.code, "message": warning_text(warning)}
    if warning.path is not None:
        data["path"] = _path(warning.path)
    if isinstance(warning, Lint) and warning.line is not None:
        data |= {"line": warning.line, "column": warning.column}
    if isinstance(warning, NeverHolds):
        data["formulas"] = list(warning.numbers)
    return data


def _path(path: Path) -> dict[str, Any]:
    return {"states": list(path.states), "actions": list(path.actions)}


def lint_data(models: list[str], findings: Iterable[Diagnostic]) -> dict[str, Any]:
    return {"schema": SCHEMA, "models": models, "findings": [diagnostic_data(found) for found in findings]}


def info_data(info: ModelInfo) -> dict[str, Any]:
    """What a model consists of, as plain data."""
    return {
        "schema": SCHEMA,
        "model": info.name,
        "semantics": info.semantics,
        "agents": [_agent(agent) for agent in info.agents],
        "propositions": list(info.propositions),
        "groups": {group: list(members) for group, members in info.groups.items()},
        "fairness": info.fairness,
        "formulas": [{"formula": text, "logic": logic} for text, logic in info.formulas],
        "potential_states": info.potential_states,
    }


def _agent(agent: AgentInfo) -> dict[str, Any]:
    return {
        "name": agent.name,
        "variables": list(agent.variables),
        "actions": list(agent.actions),
        "observes": list(agent.observes),
        "protocol_lines": agent.protocol_lines,
        "evolution_lines": agent.evolution_lines,
    }
