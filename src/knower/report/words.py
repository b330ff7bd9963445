"""Reasons and warnings in words, for people at a terminal: options are named as they are typed there."""

from __future__ import annotations

from typing import assert_never

from knower import reasons as r
from knower.report.wording import listed
from knower.verdict import warnings as w
from knower.verdict.evidence import Unreplayed
from knower.verdict.trace import Path
from knower.verdict.vacuity import Idle

_DISAGREE = "the methods contradict each other, which is a fault"


def reason_text(reason: r.Reason) -> str:
    """Why something is not known."""
    match reason:
        case r.NoCounterexample(steps):
            return f"no counterexample with up to {_steps(steps)}"
        case r.NoWitness(steps):
            return f"no witness with up to {_steps(steps)}"
        case r.NeedsAllStates(steps):
            return f"this needs all states, and after {_steps(steps)} there are more"
        case r.TimeLimit() | r.TimeShare() | r.MemoryLimit() | r.StateLimit() | r.OutOfMemory() | r.TooDeep():
            return _limit_text(reason)
        case r.TooLarge(what, optional):
            return f"{what}; --evidence all goes further" if optional else what
        case r.Refused(why, instead):
            return why if not instead else f"{why}; {_engines(instead)} can"
        case r.HasDeadlock(uniform):
            what = "only uniform models with a deadlock" if uniform else "the model has a deadlock"
            return f"{what} (--on-deadlock fail)"
        case r.OperandsApart():
            return "each operand is false, but perhaps in different states"
        case r.NoSingleCause(of):
            how = "; the engine bdd with knower[sat] shows how" if of == "strategy" else ""
            return f"every {of} fails, but each in its own way{how}"
        case r.Interrupted() | r.Stopped() | r.NotYet() | r.EngineDied():
            return _end_text(reason)
        case r.WorkersLost(why):
            return why
        case r.WrongProof(mistake):
            return f"the evidence does not stand up, which is a fault: {mistake}"
        case r.Contradiction():
            return _DISAGREE
        case r.Searched(inner, steps):
            return f"{reason_text(inner)}, with paths of {_steps(steps)}"
        case r.Each(parts):
            return "; ".join(f"{' and '.join(who)}: {reason_text(why)}" for who, why in parts)
        case _:
            assert_never(reason)


def unreplayed_text(claim: Unreplayed) -> str:
    """What the judge could not check, and why; its own bounds are not the user's options."""
    match claim.why:
        case r.StateLimit(states):
            return f"{claim.what}: more than {states} states"
        case r.TimeLimit():
            return f"{claim.what}: there is no time left for it"
        case str(why):
            return f"{claim.what}: {why}"
        case reason:
            return f"{claim.what}: {reason_text(reason)}"


def _steps(count: int) -> str:
    return f"{count} step" if count == 1 else f"{count} steps"


def _limit_text(
    reason: r.TimeLimit | r.TimeShare | r.MemoryLimit | r.StateLimit | r.OutOfMemory | r.TooDeep,
) -> str:
    match reason:
        case r.TimeLimit(seconds):
            return f"time limit of {seconds:g} s reached"
        case r.TimeShare():
            return "a share of the time limit is used up"
        case r.MemoryLimit(megabytes):
            return f"memory limit of {megabytes:g} MB reached"
        case r.StateLimit(states):
            return f"more than {states} states (--max-states)"
        case r.OutOfMemory(whom):
            return f"{whom} is out of memory" if whom else "out of memory"
        case r.TooDeep():
            return "a condition or formula is nested too deeply"


def _end_text(reason: r.Interrupted | r.Stopped | r.NotYet | r.EngineDied) -> str:
    match reason:
        case r.Interrupted():
            return "interrupted"
        case r.Stopped():
            return "stopped"
        case r.NotYet():
            return "the run ended before it was found"
        case r.EngineDied(signal):
            return f"the engine died ({'without a word' if signal is None else f'signal {signal}'})"


def _engines(names: tuple[str, ...]) -> str:
    return f"the engine{'s' * (len(names) > 1)} {listed(names)}"


def warning_text(warning: w.Warning) -> str:
    """What makes verdicts misleading."""
    match warning:
        case w.Deadlock(_, uniform=True):
            return "deadlock: the uniform model that makes a formula true has one"
        case w.Deadlock(path):
            return f"deadlock: {_lead(path)} without successor"
        case w.Overflow(what):
            return f"overflow: {what}"
        case w.NoFairInitialState(uniform):
            where = "in a uniform model " if uniform else ""
            return f"{where}no initial state has a fair path: every formula is true"
        case w.VacuousStrategy(group):
            return f"<{group}> can prevent every fair outcome from some state: it then wins vacuously"
        case w.FiniteIgnored(language):
            return f"--finite leaves {language} alone: write LTLf or CDLf* for finite traces"
        case w.FairnessIgnored():
            return "finite traces are not fair or unfair: Fairness is ignored for them"
        case w.ModelsLost(models):
            return f"the process was killed; what it knew of other models is lost: {', '.join(models)}"
        case w.LeftAlone(why):
            return f"{why}: the rest was done by this process alone"
        case w.MethodFailed(method, why):
            return f"{method} has failed: {why}"
        case w.MethodsDisagree(number, said):
            sides = ", ".join(f"{method} says {verdict}" for method, verdict in said)
            return f"formula {number}: {sides}; this is a fault, please report it"
        case w.NoLibrary():
            return (
                "no library of decision diagrams is installed, states are explored one by one: "
                "pip install oxidd"
            )
        case w.Lint(_, message, line):
            return message if line is None else f"line {line}: {message}"
        case w.NeverHolds():
            return _never_holds_text(warning)
        case _:
            assert_never(warning)


def idle_text(idle: Idle) -> str:
    """That a part of a formula never matters."""
    which = f" ({idle.number}. of {idle.among})" if idle.among > 1 else ""
    if len(idle.places) > 1:
        which += f", and so for {len(idle.places)} values,"
    return f"`{idle.text}`{which} never matters: with {str(idle.instead).lower()} there it is true as well"


def _never_holds_text(warning: w.NeverHolds) -> str:
    plural = "s" * (len(warning.numbers) > 1)
    about = f"formula{plural} {listed(tuple(map(str, warning.numbers)))}"
    where = f"in no {'fair ' * warning.fair}{'initial' if warning.at_start else 'reachable'} state"
    return f"{about}: `{warning.antecedent}` holds {where}, so what it implies was never looked at"


def _lead(path: Path | None) -> str:
    steps = None if path is None else len(path) - 1
    match steps:
        case None:
            return "a reachable state is"
        case 0:
            return "an initial state is"
        case 1:
            return "1 step leads to a state"
        case _:
            return f"{steps} steps lead to a state"
