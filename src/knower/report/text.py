"""Results as text for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from knower.verdict.overview import ModelInfo
from knower.verdict.trace import GlobalState, Path
from knower.verdict.verdict import CheckResult, FormulaResult, Verdict, Warning

#: Paints a word; `plain` leaves it as it is.
Paint = Callable[[str, str], str]

_COLOURS = {Verdict.TRUE: "green", Verdict.FALSE: "red", Verdict.UNKNOWN: "yellow"}
_WIDTH = 100


def plain(text: str, colour: str) -> str:
    return text


def result_text(result: CheckResult, paint: Paint = plain, *, verbose: bool = False) -> str:
    """A run, formula by formula, with warnings and a summary; `verbose`: and with statistics."""
    lines = [*_result_lines(result, paint), *(_statistics_lines(result) if verbose else ())]
    return "\n".join(lines)


def _statistics_lines(result: CheckResult) -> Iterator[str]:
    for formula in result.formulas:
        yield f"  formula {formula.number}: {formula.seconds:.3f} s"
    for name, value in result.statistics.items():
        yield f"  {name}: {_grouped(value) if isinstance(value, int) else value}"


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _result_lines(result: CheckResult, paint: Paint) -> Iterator[str]:
    states = "states not counted" if result.states is None else _counted(result.states, "reachable state")
    yield f"{result.model}: {states} ({result.engine}, {result.seconds:.2f} s)"
    for formula in result.formulas:
        yield from _formula_lines(formula, paint)
    if not result.formulas:
        yield "  no formulas: give some with --formula"
    for warning in result.warnings:
        yield from _warning_lines(warning, paint)
    yield _summary(result)


def _formula_lines(result: FormulaResult, paint: Paint) -> Iterator[str]:
    word = paint(f"{result.verdict.value.upper():7}", _COLOURS[result.verdict])
    yield f"  {result.number:2}. {word} {_clipped(result.text)}"
    if result.reason:
        yield f"      {'':7} {result.reason}"


def _clipped(text: str) -> str:
    return text if len(text) <= 4 * _WIDTH else text[: 4 * _WIDTH - 1] + "…"


def _warning_lines(warning: Warning, paint: Paint) -> Iterator[str]:
    yield f"{paint('warning', 'yellow')} [{warning.code}]: {warning.message}"
    if warning.path is not None:
        yield from path_lines(warning.path)


def path_lines(path: Path) -> Iterator[str]:
    """A path as a story: the first state whole, then what each step does and changes."""
    yield f"    state 0: {_assignments(path.states[0])}"
    for step, action in enumerate(path.actions, start=1):
        yield f"      {_actions(action)}"
        if step < len(path.states):
            changes = _assignments(_changes(path.states[step - 1], path.states[step]))
            yield f"    state {step}: {changes or 'nothing changes'}"
        else:
            yield "      leads nowhere"


def _assignments(state: GlobalState) -> str:
    pairs = [(f"{agent}.{name}", value) for agent, local in state.items() for name, value in local.items()]
    return ", ".join(f"{name} = {_value(value)}" for name, value in pairs)


def _changes(before: GlobalState, after: GlobalState) -> dict[str, dict[str, bool | int | str]]:
    return {
        agent: {name: value for name, value in local.items() if before[agent][name] != value}
        for agent, local in after.items()
    }


def _actions(action: Mapping[str, str]) -> str:
    return ", ".join(f"{agent}: {name}" for agent, name in action.items()) or "a step"


def _value(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _summary(result: CheckResult) -> str:
    counts = [(verdict, result.verdicts.count(verdict)) for verdict in Verdict]
    said = ", ".join(f"{count} {verdict.value}" for verdict, count in counts if count)
    return f"{_counted(len(result.formulas), 'formula')}" + (f": {said}" if said else "")


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}".replace(",", " ")


def info_text(info: ModelInfo) -> str:
    """What a model consists of, for people."""
    return "\n".join(_info_lines(info))


def _info_lines(info: ModelInfo) -> Iterator[str]:
    yield f"{info.name}: {info.semantics}, {_counted(info.potential_states, 'potential state')}"
    for agent in info.agents:
        yield f"  Agent {agent.name}: {_counted(len(agent.variables), 'variable')}"
        yield from (f"    {variable}" for variable in agent.variables)
        if agent.observes:
            yield f"    sees {', '.join(agent.observes)}"
        yield f"    actions: {', '.join(agent.actions) or 'none'}"
        yield (
            f"    {_counted(agent.protocol_lines, 'protocol line')}, "
            f"{_counted(agent.evolution_lines, 'evolution line')}"
        )
    yield f"  propositions: {', '.join(info.propositions) or 'none'}"
    for name, members in info.groups.items():
        yield f"  group {name} = {{{', '.join(members)}}}"
    if info.fairness:
        yield f"  {_counted(info.fairness, 'fairness constraint')}"
    for number, (text, logic) in enumerate(info.formulas, start=1):
        yield f"  {number:2}. [{logic}] {_clipped(text)}"
