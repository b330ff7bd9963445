"""Models and results as notebooks show them. What is long is cut, and says so."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import log10

from knower.report.notebook_evidence import evidence_parts
from knower.report.page import facts
from knower.report.piece import badge, brief, folded, framed, header, left_out, listed, mono, muted, table
from knower.report.wording import counted
from knower.report.words import reason_text, warning_text
from knower.verdict.faults import Absence, Fault
from knower.verdict.overview import AgentInfo, ModelInfo
from knower.verdict.verdict import CheckResult, FormulaResult, Verdict

#: So many formulas, agents and warnings are shown, and the evidence of so many formulas.
_FORMULAS, _AGENTS, _WARNINGS, _PROVED = 100, 30, 10, 20
#: Characters of evidence after which no more is shown.
_MUCH = 250_000


# -- results ----------------------------------------------------------------------------------------------


def result_html(result: CheckResult) -> str:
    """A run: verdicts, then what was found beside, and evidence to unfold."""
    shown = result.formulas[:_FORMULAS]
    rows = (_verdict_row(formula) for formula in shown)
    verdicts = table(("", "verdict", "formula", "logic", "time"), rows) if shown else ""
    return framed(
        header("Knower", muted(facts(result))),
        verdicts,
        left_out(len(result.formulas) - len(shown), "formula"),
        *(_sought(result, fault) for fault in result.sought),
        *_warnings(result),
        *_folded_evidence([formula for formula in shown if formula.evidence is not None]),
    )


def formula_html(result: FormulaResult) -> str:
    """One verdict, with its evidence."""
    title = f'<span class="kn-muted">{result.number}.</span>{_formula(result)}{muted(result.logic)}'
    evidence = evidence_parts(result.evidence) if result.evidence is not None else ()
    head = f'<div class="kn-head">{badge(result.verdict.value)}{title}</div>'
    return framed(head, *(_remark(warning_text(warning)) for warning in result.warnings), *evidence)


def _verdict_row(result: FormulaResult) -> tuple[str, ...]:
    number = f'<span class="kn-number">{result.number}</span>'
    verdict = badge(result.verdict.value)
    return number, verdict, _formula(result), muted(result.logic), brief(f"{result.seconds:.2f} s")


def _formula(result: FormulaResult) -> str:
    """The text; below it why it is unknown, or has no evidence, and what was expected, unless truth was."""
    why = result.reason or result.left_out
    remarks = [reason_text(why)] if why is not None else []
    if result.expected is not Verdict.TRUE:
        remarks.append(f"expected: {result.expected.value}")
    return f"<span>{mono(result.text)}{''.join(f'<br>{muted(text)}' for text in remarks)}</span>"


def _folded_evidence(proved: list[FormulaResult]) -> Iterator[str]:
    """The evidence of the first formulas, until it is much."""
    size = 0
    for place, result in enumerate(proved):
        if place == _PROVED or size > _MUCH:
            yield left_out(len(proved) - place, "formula with evidence")
            return
        assert result.evidence is not None
        kind = escape(f"{result.number}. {result.evidence.kind}")
        told = folded(f"{kind} · {mono(result.text)}", "".join(evidence_parts(result.evidence)))
        size += len(told)
        yield told


def _sought(result: CheckResult, fault: Fault) -> str:
    match result.faults.of(fault):
        case Absence.PROVED:
            kind, said = "true", f"no {fault.value}"
        case Absence.UNKNOWN:
            kind, said = "unknown", f"{fault.value} not settled"
        case _:
            kind, said = "false", f"{fault.value} found"
    return f'<p class="kn-note">{badge(kind, said)}</p>'


def _warnings(result: CheckResult) -> Iterator[str]:
    for warning in result.warnings[:_WARNINGS]:
        yield _remark(warning_text(warning))
    yield left_out(len(result.warnings) - _WARNINGS, "warning")


def _remark(text: str) -> str:
    return f'<p class="kn-warning">{escape(text)}</p>'


# -- models -----------------------------------------------------------------------------------------------


def system_html(info: ModelInfo) -> str:
    """What a model consists of."""
    values = _roughly(info.potential_states)
    counts = f"{counted(len(info.agents), 'agent')} · {values} combinations of values"
    fairness = f" · {counted(info.fairness, 'fairness constraint')}" if info.fairness else ""
    return framed(
        header(info.name, muted(counts + fairness)),
        table(("agent", "variables", "actions", "sees"), map(_agent_row, info.agents[:_AGENTS])),
        left_out(len(info.agents) - _AGENTS, "agent"),
        _names("propositions", listed(info.propositions)) if info.propositions else "",
        _names("groups", listed([_group(*group) for group in info.groups.items()])) if info.groups else "",
        _formulas(info),
    )


def _roughly(number: int) -> str:
    """A number that may be astronomical."""
    return f"{number:,}".replace(",", " ") if number < 10**7 else f"about 10^{log10(number):.0f}"


def _agent_row(agent: AgentInfo) -> tuple[str, ...]:
    sights = muted("its own") if not agent.observes else _names_only(agent.observes)
    name = f'<span class="kn-title">{escape(agent.name)}</span>'
    return name, _names_only(agent.variables), _names_only(agent.actions), sights


def _names_only(names: tuple[str, ...]) -> str:
    return f'<span class="kn-mono">{listed(names)}</span>'


def _group(name: str, members: tuple[str, ...]) -> str:
    return f"{name} = {{{', '.join(members)}}}"


def _names(what: str, names: str) -> str:
    return f'<p class="kn-note">{escape(what)}: <span class="kn-mono">{names}</span></p>'


def _formulas(info: ModelInfo) -> str:
    if not info.formulas:
        return ""
    rows = [(mono(text), muted(logic)) for text, logic in info.formulas[:_FORMULAS]]
    content = table(("formula", "logic"), rows) + left_out(len(info.formulas) - _FORMULAS, "formula")
    return folded(counted(len(info.formulas), "formula"), content, is_open=len(info.formulas) <= 12)
