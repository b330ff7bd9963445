"""Several methods side by side, each in a process of its own: the first answer wins, or all are heard."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

from knower.execution import Task
from knower.functions.registry import available, solver_is_here
from knower.limits import Budget
from knower.options import Search
from knower.supervision import Supervisor, supervisor
from knower.verdict import notices
from knower.verdict.verdict import CheckResult, FormulaResult, Verdict, Warning

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
    """The answers of the fastest method for each formula; `everybody`: of all, which must agree."""
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
    numbers = range(1, formulas + 1)
    return not everybody and all(any(_has_settled(run, number) for run in runs) for number in numbers)


def _has_settled(run: Supervisor, number: int) -> bool:
    """Whether a run has decided a formula, and is done with its reasons."""
    told = _told(run)
    if told is None or len(told.formulas) < number:
        return False
    decided = told.formulas[number - 1].verdict is not Verdict.UNKNOWN
    return decided and (run.is_over or len(told.formulas) > number)


def _told(run: Supervisor) -> CheckResult | None:
    return run.last or run.so_far


def _definite(runs: Sequence[Supervisor]) -> dict[int, list[tuple[str, FormulaResult]]]:
    """Who has decided which formula."""
    found: dict[int, list[tuple[str, FormulaResult]]] = {}
    for run in runs:
        told = _told(run)
        for result in told.formulas if told is not None else ():
            if result.verdict is not Verdict.UNKNOWN:
                found.setdefault(result.number, []).append((run.task.label, result))
    return found


def _united(task: Task, budget: Budget, runs: Sequence[Supervisor]) -> CheckResult:
    decided = _definite(runs)
    told = [result for run in runs if (result := _told(run)) is not None]
    numbers = range(1, len(task.specs) + 1)
    results = tuple(_chosen(task, number, decided.get(number, []), runs) for number in numbers)
    warnings: dict[str, Warning] = {w.message: w for each in told for w in each.warnings}
    for number, answers in decided.items():
        if len({result.verdict for _, result in answers}) > 1:
            warning = notices.contradiction(number, [(who, result.verdict.value) for who, result in answers])
            warnings[warning.message] = warning
    winners = dict.fromkeys(answers[0][0] for answers in decided.values())
    return CheckResult(
        task.name,
        " and ".join(winners) or "portfolio",
        next((each.states for each in told if each.states is not None), None),
        results,
        tuple(warnings.values()),
        budget.elapsed,
        any(run.interrupted for run in runs),
        {},
        task.sought,
    )


def _chosen(
    task: Task, number: int, answers: Sequence[tuple[str, FormulaResult]], runs: Sequence[Supervisor]
) -> FormulaResult:
    """The answer with the best reasons; unknown if there is none, or if they contradict each other."""
    verdicts = {result.verdict for _, result in answers}
    if len(verdicts) > 1:
        sides = ", ".join(f"{who} says {result.verdict.value}" for who, result in answers)
        return task.undecided(number, f"the methods contradict each other, which is a fault: {sides}")
    if answers:
        return min((result for _, result in answers), key=lambda result: result.evidence is None)
    reasons = dict.fromkeys(
        f"{run.task.label}: {told.formulas[number - 1].reason}"
        for run in runs
        if (told := _told(run)) is not None and len(told.formulas) >= number
    )
    return task.undecided(number, "; ".join(reasons) or "stopped")
