"""Results as text for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knower.report.story import evidence_lines, path_lines
from knower.report.wording import counted
from knower.report.words import idle_text, reason_text, warning_text
from knower.verdict.faults import Absence, Fault
from knower.verdict.overview import ModelInfo
from knower.verdict.verdict import CheckResult, FormulaResult, Verdict
from knower.verdict.warnings import Warning

#: Paints a word; `plain` leaves it as it is.
Paint = Callable[[str, str], str]

_COLOURS = {Verdict.TRUE: "green", Verdict.FALSE: "red", Verdict.UNKNOWN: "yellow"}
_WIDTH = 100


def plain(text: str, colour: str) -> str:
    return text


def result_text(
    result: CheckResult,
    paint: Paint = plain,
    *,
    verbose: bool = False,
    show: tuple[str, ...] = (),
    whole: bool = False,
    propositions: frozenset[str] = frozenset(),
) -> str:
    """A run: verdicts, evidence, warnings and a summary; `verbose`: and with statistics.

    `show`, `whole` and `propositions` are as in `story.evidence_lines`.
    """
    lines = list(_verdict_lines(result, paint))
    for formula in result.formulas:
        lines += _evidence_lines(formula, show, propositions, whole=whole)
    lines += [line for formula in result.formulas for line in _vacuity_lines(formula)]
    lines += [line for fault in result.sought for line in _sought_lines(result, fault)]
    lines += [line for warning in result.warnings for line in _warning_lines(warning, paint)]
    if result.formulas or not result.sought:
        lines.append(_summary(result))
    return "\n".join([*lines, *(_statistics_lines(result) if verbose else ())])


def _statistics_lines(result: CheckResult) -> Iterator[str]:
    for formula in result.formulas:
        yield f"  formula {formula.number}: {formula.seconds:.3f} s"
    for name, value in result.statistics.items():
        yield f"  {name}: {_grouped(value) if isinstance(value, int) else value}"


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _verdict_lines(result: CheckResult, paint: Paint) -> Iterator[str]:
    states = "states not counted" if result.states is None else counted(result.states, "reachable state")
    yield f"{result.model}: {states} ({result.engine}, {result.seconds:.2f} s)"
    stated = any(formula.stated for formula in result.formulas)
    for formula in result.formulas:
        yield from _formula_lines(formula, paint, stated=stated)
    if not result.formulas and not result.sought:
        yield "  no formulas: give some with --formula"


def _formula_lines(result: FormulaResult, paint: Paint, *, stated: bool) -> Iterator[str]:
    """The verdict of one; `stated`: the file says of some what it expects."""
    word = paint(f"{result.verdict.value.upper():7}", _COLOURS[result.verdict])
    name = "" if result.name is None else f"{result.name} : "
    reading = "" if result.atl is None else f"   ({result.atl.value})"
    yield f"  {result.number:2}. {word} {name}{_clipped(result.text)}{reading}"
    if stated and (result.stated or not result.as_expected):
        yield f"      {'':7} {_expectation(result, paint)}"
    if result.reason is not None:
        yield f"      {'':7} {reason_text(result.reason)}"


def _expectation(result: FormulaResult, paint: Paint) -> str:
    """Whether the verdict is as the file says that it ought to be."""
    why = f": {result.because}" if result.because else ""
    if result.as_expected:
        return f"as expected{why}"
    return f"{paint('UNEXPECTED', 'red')}, {result.expected.value} was expected{why}"


def _evidence_lines(
    result: FormulaResult, show: tuple[str, ...], propositions: frozenset[str], *, whole: bool
) -> Iterator[str]:
    for claim in result.claims:
        yield f"{claim.method} claims that {result.number}. is {claim.result.verdict.value}"
        yield from _evidence_lines(claim.result, show, propositions, whole=whole)
    if result.evidence is None and result.left_out is None:
        return
    yield f"why {result.number}. is {result.verdict.value}: {_clipped(result.text)}"
    if result.evidence is not None:
        yield from evidence_lines(result.evidence, propositions, show=show, whole=whole)
    elif result.left_out is not None:
        yield f"      left out: {reason_text(result.left_out)}"


def _vacuity_lines(result: FormulaResult) -> Iterator[str]:
    found = result.vacuity
    if found is None:
        return
    yield f"vacuity of {result.number}.: {_clipped(result.text)}"
    yield from (f"      {idle_text(idle)}" for idle in found.idle)
    if found.left_out is not None:
        yield f"      left out: {reason_text(found.left_out)}"
    elif found.undecided:
        yield f"      not known of {counted(found.undecided, 'part')}"
    elif not found.idle:
        yield "      every part matters"


def _sought_lines(result: CheckResult, fault: Fault) -> Iterator[str]:
    """That there is no fault of a kind, or none is known; one that was found has its warning."""
    match result.faults.of(fault):
        case Absence.PROVED:
            yield f"{fault.value}: none"
        case Absence.UNKNOWN:
            yield f"{fault.value}: unknown, not all states were reached"


def _clipped(text: str) -> str:
    return text if len(text) <= 4 * _WIDTH else text[: 4 * _WIDTH - 1] + "…"


def _warning_lines(warning: Warning, paint: Paint) -> Iterator[str]:
    yield f"{paint('warning', 'yellow')} [{warning.code}]: {warning_text(warning)}"
    if warning.path is not None:
        yield from path_lines(warning.path)


def _summary(result: CheckResult) -> str:
    counts = [(verdict, result.verdicts.count(verdict)) for verdict in Verdict]
    said = ", ".join(f"{count} {verdict.value}" for verdict, count in counts if count)
    others = sum(not formula.as_expected for formula in result.formulas)
    if any(formula.stated for formula in result.formulas):
        said += f"; {f'{others} UNEXPECTED' if others else 'all as expected'}"
    return f"{counted(len(result.formulas), 'formula')}" + (f": {said}" if said else "")


def info_text(info: ModelInfo) -> str:
    """What a model consists of, for people."""
    return "\n".join(_info_lines(info))


def _info_lines(info: ModelInfo) -> Iterator[str]:
    yield f"{info.name}: {info.semantics}, {counted(info.potential_states, 'potential state')}"
    for agent in info.agents:
        yield f"  Agent {agent.name}: {counted(len(agent.variables), 'variable')}"
        yield from (f"    {variable}" for variable in agent.variables)
        if agent.observes:
            yield f"    sees {', '.join(agent.observes)}"
        yield f"    actions: {', '.join(agent.actions) or 'none'}"
        yield (
            f"    {counted(agent.protocol_lines, 'protocol line')}, "
            f"{counted(agent.evolution_lines, 'evolution line')}"
        )
    yield f"  propositions: {', '.join(info.propositions) or 'none'}"
    for name, members in info.groups.items():
        yield f"  group {name} = {{{', '.join(members)}}}"
    if info.fairness:
        yield f"  {counted(info.fairness, 'fairness constraint')}"
    for number, (text, logic) in enumerate(info.formulas, start=1):
        yield f"  {number:2}. [{logic}] {_clipped(text)}"
