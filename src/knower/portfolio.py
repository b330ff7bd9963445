"""Several methods side by side, each in a process of its own: the first answer wins, or all are heard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace

from knower.errors import UsageError
from knower.execution import NOT_YET, Task
from knower.functions.registry import available, solver_is_here
from knower.limits import Budget
from knower.options import Search
from knower.supervision import Supervisor, is_possible, supervisor
from knower.verdict import notices
from knower.verdict.verdict import CheckResult, Claim, FormulaResult, Verdict, Warning

#: How long to listen to one of them before it is another's turn, in seconds.
_TURN = 0.02


def contenders(task: Task) -> tuple[Task, ...]:
    """The task by each method that is here."""
    found: list[Task] = []
    if available():
        found += [replace(task, engine="bdd"), replace(task, engine="bdd", search=Search("bmc"))]
    else:
        found.append(replace(task, engine="explicit"))
    if solver_is_here():
        found.append(replace(task, search=Search("sat")))
    return tuple(found)


def side_by_side(task: Task, budget: Budget, *, everybody: bool) -> CheckResult:
    """The answers of the fastest method for each formula; `everybody`: of all, which must agree.

    A contradiction ends the search: one of the methods is wrong, and nothing it says can be relied on.
    """
    if not is_possible():
        cure = "leave the portfolio out, or start it in the main thread of a program"
        raise UsageError("E613", "processes cannot be started here, and methods not run side by side", cure)
    with ExitStack() as running:
        runs = [running.enter_context(supervisor(each, replace(budget))) for each in contenders(task)]
        while not _is_decided(runs, len(task.specs), everybody):
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
    """Whether a run without formulas knows all states, or all missteps that were asked about."""
    told = run.last
    if told is None or told.states is not None:
        return told is not None
    return bool(told.sought) and all(told.found(code) for code in told.sought)


def _claims(runs: Sequence[Supervisor], number: int, *, settled: bool = False) -> tuple[Claim, ...]:
    """What those say who have decided a formula; `settled`: and are done with their reasons."""
    return tuple(
        Claim(run.task.label, told[number - 1])
        for run in runs
        if len(told := _told(run)) >= number
        and told[number - 1].verdict is not Verdict.UNKNOWN
        and (not settled or told[number - 1].left_out != NOT_YET)
    )


def _told(run: Supervisor) -> tuple[FormulaResult, ...]:
    return () if run.told is None else run.told.formulas


def _is_contradictory(claims: Sequence[Claim]) -> bool:
    return len({claim.result.verdict for claim in claims}) > 1


def _united(task: Task, budget: Budget, runs: Sequence[Supervisor]) -> CheckResult:
    numbers = range(1, len(task.specs) + 1)
    claims = {number: _claims(runs, number) for number in numbers}
    told = [run.told for run in runs if run.told is not None]
    faults = [notices.contradiction(k, said) for k, said in claims.items() if _is_contradictory(said)]
    faults += [notices.failed(run.task.label, why) for run in runs if (why := _failure(run))]
    warnings = [*(warning for each in told for warning in each.warnings), *faults]
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
        task.sought,
    )


def _failure(run: Supervisor) -> str | None:
    """What has ended a run that was not told to end."""
    if run.raised is not None:
        return f"{type(run.raised).__name__}: {run.raised}"
    return run.reason if run.has_died else None


def _distinct(warnings: Iterable[Warning]) -> tuple[Warning, ...]:
    """Of missteps of a kind one is enough: methods may find different ones."""
    found: dict[str, Warning] = {}
    for warning in warnings:
        found.setdefault(warning.code if warning.path is not None else warning.message, warning)
    return tuple(found.values())


def _chosen(task: Task, number: int, claims: tuple[Claim, ...], runs: Sequence[Supervisor]) -> FormulaResult:
    """The answer with the best reasons; unknown if there is none, or if they contradict each other."""
    if _is_contradictory(claims):
        fault = task.undecided(number, "the methods contradict each other, which is a fault")
        return replace(fault, claims=claims)
    if claims:
        return min((claim.result for claim in claims), key=lambda result: result.evidence is None)
    return task.undecided(number, _why_undecided(number, runs))


def _why_undecided(number: int, runs: Sequence[Supervisor]) -> str:
    """The reason of all, or of each."""
    reasons: dict[str, list[str]] = {}
    for run in runs:
        told = _told(run)
        reason = told[number - 1].reason if len(told) >= number else _failure(run) or run.reason
        reasons.setdefault(reason or "stopped", []).append(run.task.label)
    if len(reasons) == 1:
        return next(iter(reasons))
    return "; ".join(f"{' and '.join(who)}: {reason}" for reason, who in reasons.items())
