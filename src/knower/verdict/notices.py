"""The warnings an engine can give, in the words all engines share."""

from __future__ import annotations

from collections.abc import Iterable

from knower.verdict.trace import Path
from knower.verdict.verdict import Claim, Warning


def deadlock(path: Path | None) -> Warning:
    """Some reachable state has no successor; the path leads there, unless it was too long to look for."""
    lead = "a reachable state is" if path is None else _lead(len(path) - 1)
    return Warning("deadlock", f"deadlock: {lead} without successor", path)


def _lead(steps: int) -> str:
    if steps == 0:
        return "an initial state is"
    return "1 step leads to a state" if steps == 1 else f"{steps} steps lead to a state"


def uniform_deadlock(path: Path | None) -> Warning:
    message = "deadlock: the uniform model that makes a formula true has one"
    return Warning("deadlock", message, path)


def overflow(what: str, path: Path | None) -> Warning:
    """A value outside its domain, or a division by zero."""
    return Warning("overflow", f"overflow: {what}", path)


def no_fair_initial_state(*, uniform: bool) -> Warning:
    where = "in a uniform model " if uniform else ""
    message = f"{where}no initial state has a fair path: every formula is true"
    return Warning("no-fair-initial-state", message)


def vacuous_strategy(group: str) -> Warning:
    message = f"<{group}> can prevent every fair outcome from some state: it then wins vacuously"
    return Warning("vacuous-strategy", message)


def finite_ignored(language: str) -> Warning:
    """`--finite` was asked for, and a formula is in a language it does not touch."""
    message = f"--finite leaves {language} alone: write LTLf or CDLf* for finite traces"
    return Warning("finite-ignored", message)


def fairness_ignored() -> Warning:
    message = "finite traces are not fair or unfair: Fairness is ignored for them"
    return Warning("fairness-ignored", message)


def failed(method: str, why: str) -> Warning:
    """One of several methods has not come to its end."""
    return Warning("method-failed", f"{method} has failed: {why}")


def contradiction(number: int, claims: Iterable[Claim]) -> Warning:
    """Two methods do not agree: one of them is wrong."""
    sides = ", ".join(f"{claim.method} says {claim.result.verdict.value}" for claim in claims)
    return Warning("contradiction", f"formula {number}: {sides}; this is a fault, please report it")


def no_library() -> Warning:
    """No decision diagrams: the slow engine answers."""
    message = (
        "no library of decision diagrams is installed, states are explored one by one: pip install oxidd"
    )
    return Warning("no-bdd-library", message)
