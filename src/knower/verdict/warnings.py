"""What makes verdicts misleading: plain values, put into words by `report`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeAlias

from knower.logic.formula import Group
from knower.records import dataclass
from knower.verdict.trace import Path


@dataclass(frozen=True, slots=True)
class Deadlock:
    """A reachable state has no successor; the path leads there, unless it was too long to look for.

    `uniform`: in the uniform model that makes a formula true.
    """

    path: Path | None
    uniform: bool = False
    code: ClassVar[str] = "deadlock"


@dataclass(frozen=True, slots=True)
class Overflow:
    """A value outside its domain, or a division by zero, in words."""

    what: str
    path: Path | None
    code: ClassVar[str] = "overflow"


@dataclass(frozen=True, slots=True)
class NoFairInitialState:
    """No initial state has a fair path, so every formula is true; `uniform`: in the model that was chosen."""

    uniform: bool = False
    path: ClassVar[None] = None
    code: ClassVar[str] = "no-fair-initial-state"


@dataclass(frozen=True, slots=True)
class VacuousStrategy:
    """A coalition can prevent every fair outcome from some state, and then wins whatever it wants."""

    group: Group
    path: ClassVar[None] = None
    code: ClassVar[str] = "vacuous-strategy"


@dataclass(frozen=True, slots=True)
class FiniteIgnored:
    """Finite traces were asked for, and a formula is in a language that has no such reading."""

    language: str
    path: ClassVar[None] = None
    code: ClassVar[str] = "finite-ignored"


@dataclass(frozen=True, slots=True)
class FairnessIgnored:
    """Finite traces are not fair or unfair."""

    path: ClassVar[None] = None
    code: ClassVar[str] = "fairness-ignored"


@dataclass(frozen=True, slots=True)
class MethodFailed:
    """One of several methods has not come to its end."""

    method: str
    why: str
    path: ClassVar[None] = None
    code: ClassVar[str] = "method-failed"


@dataclass(frozen=True, slots=True)
class ModelsLost:
    """A worker had to be killed, and with it what it knew of other models: they are explored anew."""

    models: tuple[str, ...]
    path: ClassVar[None] = None
    code: ClassVar[str] = "models-lost"


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A cluster could do no more, for a reason: the rest was done without it."""

    why: str
    path: ClassVar[None] = None
    code: ClassVar[str] = "cluster-lost"


@dataclass(frozen=True, slots=True)
class MethodsDisagree:
    """What methods say of the formula of a number: one of them is wrong."""

    number: int
    said: tuple[tuple[str, str], ...]
    path: ClassVar[None] = None
    code: ClassVar[str] = "contradiction"


@dataclass(frozen=True, slots=True)
class NoLibrary:
    """No decision diagrams: the slow engine answers."""

    path: ClassVar[None] = None
    code: ClassVar[str] = "no-bdd-library"


@dataclass(frozen=True, slots=True)
class Lint:
    """Something in the text of the model that changes verdicts and is seldom meant; `code`: the lint's."""

    code: str
    message: str
    line: int | None = None
    column: int | None = None
    path: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class NeverHolds:
    """The antecedent of an implication in the formulas of some numbers, which is true for that reason alone.

    `at_start`: it is asked of initial states only, and holds in none of those. `fair`: only states with a
    fair path were looked at.
    """

    numbers: tuple[int, ...]
    antecedent: str
    at_start: bool = False
    fair: bool = False
    path: ClassVar[None] = None
    code: ClassVar[str] = "antecedent-never-holds"


Warning: TypeAlias = (  # noqa: A001 - the word of the report; never shadowed where the builtin is used
    Deadlock
    | Overflow
    | NoFairInitialState
    | VacuousStrategy
    | FiniteIgnored
    | FairnessIgnored
    | MethodFailed
    | ModelsLost
    | LeftAlone
    | MethodsDisagree
    | NoLibrary
    | Lint
    | NeverHolds
)


def distinct(warnings: Iterable[Warning]) -> tuple[Warning, ...]:
    """Each once, in order; those with paths cannot be hashed."""
    found: list[Warning] = []
    for warning in warnings:
        if warning not in found:
            found.append(warning)
    return tuple(found)
