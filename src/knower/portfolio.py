"""Several methods side by side, each in a process of its own: the first answer wins, or all are heard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import reduce

from knower.engine.registry import contenders
from knower.errors import UsageError
from knower.execution import Task
from knower.limits import Budget
from knower.reasons import Contradiction, Each, EngineDied, NotYet, Reason, Stopped
from knower.supervision import Supervisor, is_possible, supervisor
from knower.verdict.faults import Faults
from knower.verdict.verdict import CheckResult, Claim, FormulaResult, Verdict
from knower.verdict.warnings import MethodFailed, MethodsDisagree, Warning

#: How long to listen to one of them before it is another's turn, in seconds.
_TURN = 0.02


def side_by_side(task: Task, budget: Budget, *, everybody: bool) -> CheckResult:
    """The answers of the fastest method for each formula; `everybody`: of all, which must agree.

    A contradiction ends the search: one of the methods is wrong, and nothing it says can be relied on.
    """
    if not is_possible():
        cure = "leave ‹portfolio› out, or start it in the main thread of a program"
        raise UsageError("E613", "processes cannot be started here, and methods not run side by side", cure)
    with ExitStack() as running:
        tasks = [replace(task, how=how) for how in contenders(task.how)]
        runs = [running.enter_context(supervisor(each, replace(budget))) for each in tasks]
        while not _is_decided(runs, len(task.queries), everybody):
            try:
                for run in runs:
                    if not run.is_over:
                        run.watch(_TURN)
            except KeyboardInterrupt:
                for run in runs:
                    run.interrupt()
        if all(run.raised is not None for run in runs):
            raise next(run.raised for run in runs if run.raised is not None)
        return _united(task, budget, runs)


def _is_decided(runs: Sequence[Supervisor], formulas: int, everybody: bool) -> bool:
    """Whether nobody need be heard any more."""
    if all(run.is_over for run in runs):
        return True
    claims = [_claims(runs, number, settled=True) for number in range(1, formulas + 1)]
    if everybody:
        return any(map(_is_contradictory, claims))
    return all(claims) if claims else any(map(_has_found_all, runs))


def _has_found_all(run: Supervisor) -> bool:
    """Whether a run without formulas knows all states, or all about the faults it was asked about."""
    told = run.last
    if told is None or told.states is not None:
        return told is not None
    return bool(told.sought) and all(map(told.faults.is_known, told.sought))


def _claims(runs: Sequence[Supervisor], number: int, *, settled: bool = False) -> tuple[Claim, ...]:
    """What those say who have decided a formula; `settled`: and are done with their reasons."""
    return tuple(
        Claim(run.task.label, told)
        for run in runs
        if (told := _told(run, number)) is not None
        and told.verdict is not Verdict.UNKNOWN
        and (not settled or told.left_out != NotYet())
    )


def _told(run: Supervisor, number: int) -> FormulaResult | None:
    """What a run has told of a formula."""
    results = () if run.told is None else run.told.formulas
    return next((result for result in results if result.number == number), None)


def _is_contradictory(claims: Sequence[Claim]) -> bool:
    return len({claim.result.verdict for claim in claims}) > 1


def _united(task: Task, budget: Budget, runs: Sequence[Supervisor]) -> CheckResult:
    numbers = range(1, len(task.queries) + 1)
    claims = {number: _claims(runs, number) for number in numbers}
    told = [run.told for run in runs if run.told is not None]
    wrong: list[Warning] = [_disagreement(k, said) for k, said in claims.items() if _is_contradictory(said)]
    wrong += [MethodFailed(run.task.label, why) for run in runs if (why := _failure(run))]
    warnings = [*(warning for each in told for warning in each.warnings), *wrong]
    winners = dict.fromkeys(said[0].method for said in claims.values() if said)
    return CheckResult(
        task.name,
        "; ".join(winners) or "portfolio",
        next((each.states for each in told if each.states is not None), None),
        tuple(_chosen(task, number, claims[number], runs) for number in numbers),
        _distinct(warnings),
        budget.elapsed,
        any(run.interrupted for run in runs),
        {},
        reduce(Faults.joined, (each.faults for each in told), Faults()),
        task.sought,
    )


def _disagreement(number: int, claims: Sequence[Claim]) -> MethodsDisagree:
    return MethodsDisagree(number, tuple((each.method, each.result.verdict.value) for each in claims))


def _failure(run: Supervisor) -> str | None:
    """What has ended a run that was not told to end."""
    if run.raised is not None:
        return f"{type(run.raised).__name__}: {run.raised}"
    match run.reason:
        case EngineDied(None):
            return "its process ended without a word"
        case EngineDied(signal):
            return f"its process was ended by signal {signal}"
        case _:
            return None


def _distinct(warnings: Iterable[Warning]) -> tuple[Warning, ...]:
    """Of faults of a kind one is enough: methods may find different ones."""
    found: dict[str | Warning, Warning] = {}
    for warning in warnings:
        found.setdefault(warning.code if warning.path is not None else warning, warning)
    return tuple(found.values())


def _chosen(task: Task, number: int, claims: tuple[Claim, ...], runs: Sequence[Supervisor]) -> FormulaResult:
    """The answer with the best reasons; unknown if there is none, or if they contradict each other."""
    if _is_contradictory(claims):
        fault = task.undecided(number, Contradiction())
        return replace(fault, claims=claims)
    if claims:
        return min((claim.result for claim in claims), key=lambda result: result.evidence is None)
    return task.undecided(number, _why_undecided(number, runs))


def _ended(run: Supervisor) -> Reason | None:
    return EngineDied() if run.raised is not None else run.reason


def _why_undecided(number: int, runs: Sequence[Supervisor]) -> Reason:
    """The reason of all, or of each."""
    reasons: dict[Reason, list[str]] = {}
    for run in runs:
        told = _told(run, number)
        reason = _ended(run) if told is None else told.reason
        reasons.setdefault(reason or Stopped(), []).append(run.task.label)
    if len(reasons) == 1:
        return next(iter(reasons))
    return Each(tuple((tuple(who), reason) for reason, who in reasons.items()))
