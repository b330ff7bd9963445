"""Calls that open models and decide formulas."""

from __future__ import annotations

import asyncio
from math import prod
from typing import Any, Literal

from knower.asking import Options, inquiry
from knower.errors import InputError
from knower.evidence.names import vocabulary_of
from knower.logic.fragment import fragment_of
from knower.messages import Text
from knower.pool.ticket import Order, Ticket
from knower.pool.waiting import settled
from knower.report.why_data import RunData, variables_data
from knower.report.words import idle_text, reason_text, warning_text
from knower.studio import wire
from knower.studio.workbench import KeptRun, Loaded, Tell, Visit, problems_of
from knower.system.domains import BoolDomain, Domain, EnumDomain, size
from knower.verdict.faults import Absence, Fault
from knower.verdict.trace import Path
from knower.verdict.verdict import CheckResult, FormulaResult, Statistics
from knower.verdict.warnings import Warning

#: How often news of a check is told, in seconds; the values of a domain are listed up to so many.
_EVERY, _VALUES = 0.12, 200


async def opened(visit: Visit, args: wire.OpenModel, tell: Tell) -> wire.Opened:
    """Read a text; what is wrong in it is no failure but the answer."""
    text = Text(args["name"], args["text"], tuple(sorted(args["constants"].items())))
    try:
        loaded = await visit.workbench.open(text, id(visit))
    except InputError as error:
        return {"model": text.digest, "problems": problems_of(error), "facts": None}
    return {"model": text.digest, "problems": [], "facts": _facts(loaded)}


def _facts(loaded: Loaded) -> wire.ModelFacts:
    model, known = loaded.model, loaded.model.interpreted
    position = model.source.position
    return {
        "agents": [
            {
                "name": agent.name,
                "actions": list(agent.actions),
                "line": position(decl.span.start).line,
                "variables": [v.name for v in agent.variables],
            }
            for agent, decl in zip(known.agents, model.module.agents, strict=True)
        ],
        "variables": variables_data(vocabulary_of(known)),
        "domains": [_domain(variable.domain) for variable in known.variables],
        "propositions": list(known.propositions),
        "groups": {name: list(members) for name, members in known.groups.items()},
        "formulas": [
            {
                "text": model.print(spec),
                "logic": fragment_of(spec).name,
                "expected": spec.entry.expected or "true",
                "line": position(decl.span.start).line,
            }
            for spec, decl in zip(known.formulae, model.module.formulae, strict=True)
        ],
        "fairness": len(known.fairness),
        "combinations": str(prod(size(variable.domain) for variable in known.variables)),
        "constants": _constants(loaded),
    }


def _constants(loaded: Loaded) -> list[wire.ConstantFacts]:
    vocabulary = loaded.model.vocabulary
    known = {} if vocabulary is None else vocabulary.constants
    return [{"name": name, "value": value, "kind": _kind(value)} for name, value in known.items()]


def _kind(value: str) -> Literal["number", "boolean", "set"]:
    if value in ("true", "false"):
        return "boolean"
    return "set" if value.startswith("{") else "number"


def _domain(domain: Domain) -> wire.Domain:
    kind: Literal["boolean", "enum", "range"] = (
        "boolean" if isinstance(domain, BoolDomain) else "enum" if isinstance(domain, EnumDomain) else "range"
    )
    values = list(domain.values) if size(domain) <= _VALUES else []
    return {"kind": kind, "values": values, "text": str(domain)}


# -- questions --------------------------------------------------------------------------------------------


async def check(visit: Visit, args: wire.Ask, tell: Tell) -> wire.Checked:
    """Decide formulas, and tell how far it is while it lasts."""
    loaded, bench = visit.workbench.loaded(args["model"]), visit.workbench
    asked = inquiry(loaded.text, loaded.outline, args["formulas"] or (), _options(args["options"]))
    limits = bench.limits(args["options"].get("seconds"))
    ticket, begin = bench.session.asked(Order(asked.check, limits, asker=id(visit), progress=True))
    begin()
    await _told_meanwhile(ticket, tell)
    result = ticket.result()
    number = visit.keep(KeptRun(loaded, asked.check, result))
    return _checked(number, result, stopped=ticket.ending is not None)


def _options(given: wire.CheckOptions) -> Options:
    options: Any = {name: value for name, value in given.items() if name != "seconds"}
    if options.get("atl") == "auto":
        del options["atl"]
    made: Options = options
    return made


async def _told_meanwhile(ticket: Ticket, tell: Tell) -> None:
    """Until a check is over; a task that is cancelled cancels the check."""
    over = asyncio.ensure_future(settled(ticket))
    try:
        while not over.done():
            await asyncio.wait([over], timeout=_EVERY)
            if not over.done():
                tell(_running(ticket))
        await over
    finally:
        over.cancel()
        if not ticket.done:
            ticket.cancel()


def _running(ticket: Ticket) -> wire.Running:
    found = ticket.so_far()
    return {
        "phase": ticket.progress or "preparing",
        "seconds": round(ticket.elapsed, 2),
        "figures": _figures(found.statistics),
        "states": None if found.states is None else str(found.states),
        "answers": [_answer(each, pending=True) for each in found],
    }


def _figures(statistics: Statistics) -> dict[str, str | int | float]:
    return {name: _exact(value) for name, value in list(statistics.items())[:60]}


def _exact(value: str | int | float) -> str | int | float:
    """Numbers of states may be larger than JavaScript knows exactly: those go as text."""
    return str(value) if isinstance(value, int) and abs(value) > 2**53 else value


def _checked(number: int, result: CheckResult, *, stopped: bool) -> wire.Checked:
    return {
        "run": number,
        "engine": result.engine,
        "states": None if result.states is None else str(result.states),
        "seconds": round(result.seconds, 3),
        "stopped": stopped,
        "answers": [_answer(each, pending=False) for each in result],
        "notices": [_notice(each) for each in result.warnings],
        "deadlock": _found(result, Fault.DEADLOCK),
        "overflow": _found(result, Fault.OVERFLOW),
        "statistics": _figures(result.statistics),
    }


def _found(result: CheckResult, fault: Fault) -> Literal["found", "none", "unknown"]:
    found = result.faults.of(fault)
    if not isinstance(found, Absence):
        return "found"
    return "none" if found is Absence.PROVED else "unknown"


def _answer(found: FormulaResult, *, pending: bool) -> wire.Answer:
    reason = None if found.reason is None else reason_text(found.reason)
    return {
        "number": found.number,
        "name": found.name,
        "text": found.text,
        "logic": found.logic,
        "verdict": found.verdict.value,
        "expected": found.expected.value,
        "reason": reason,
        "seconds": round(found.seconds, 4),
        "engine": found.engine,
        "atl": None if found.atl is None else found.atl.value,
        "explained": None if found.evidence is None else found.evidence.kind,
        "left_out": None if found.left_out is None else reason_text(found.left_out),
        "pending": pending and found.reason is not None,
        "warnings": [*(warning_text(each) for each in found.warnings), *_idle_parts(found)],
    }


def _idle_parts(found: FormulaResult) -> list[str]:
    """The parts of a true formula that never matter, where they were looked for."""
    return [] if found.vacuity is None else [idle_text(each) for each in found.vacuity.idle]


def _notice(warning: Warning) -> wire.Notice:
    path = warning.path
    return {
        "code": warning.code,
        "message": warning_text(warning),
        "run": None if path is None else _rows(path),
    }


def _rows(path: Path) -> RunData:
    """A path by name as rows; states have all agents and variables, in their order."""
    return {
        "states": [[value for local in state.values() for value in local.values()] for state in path.states],
        "actions": [[action.get(agent) for agent in path.states[0]] for action in path.actions],
        "loop": None,
        "end": None,
    }
