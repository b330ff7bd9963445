"""The answer: verdicts, warnings and the result of a whole run, as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from knower.logic.language import Specification
from knower.verdict.evidence import Evidence
from knower.verdict.trace import Path


class Verdict(Enum):
    """Three answers. `UNKNOWN` always comes with a reason."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        """True only for `TRUE`; asking an unknown verdict is a mistake."""
        if self is Verdict.UNKNOWN:
            raise ValueError("the verdict is unknown: neither true nor false")
        return self is Verdict.TRUE


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict and, when it is unknown, why."""

    verdict: Verdict
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Warning:  # noqa: A001 - the word of the report; never shadowed where the builtin is used
    """Something that makes verdicts misleading; with the path that leads there."""

    code: str
    message: str
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class FormulaResult:
    """What was found about one formula."""

    number: int
    text: str
    specification: Specification = field(repr=False)
    logic: str
    verdict: Verdict
    reason: str | None = None
    seconds: float = 0.0
    evidence: Evidence | None = None
    #: Why there is no evidence although there could be some.
    left_out: str | None = None
    #: What each method says, if they contradict each other.
    claims: tuple[Claim, ...] = ()

    def __repr__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        return f"<{self.number}. {self.text}: {self.verdict.value}{why}>"


@dataclass(frozen=True, slots=True)
class Claim:
    """What one of several methods says of a formula."""

    method: str
    result: FormulaResult


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a run found. Iterating it gives the formulas' results, in order."""

    model: str
    engine: str
    states: int | None
    formulas: tuple[FormulaResult, ...]
    warnings: tuple[Warning, ...] = ()
    seconds: float = 0.0
    interrupted: bool = False
    statistics: Mapping[str, str | int | float] = field(default_factory=dict)
    #: Which missteps were asked about: `deadlock`, `overflow`.
    sought: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[FormulaResult]:
        return iter(self.formulas)

    def __getitem__(self, place: int) -> FormulaResult:
        return self.formulas[place]

    def __len__(self) -> int:
        return len(self.formulas)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return tuple(result.verdict for result in self.formulas)

    @property
    def holds(self) -> bool:
        """Whether every formula is true."""
        return all(result.verdict is Verdict.TRUE for result in self.formulas)

    @property
    def exit_status(self) -> int:
        """0: all true; 1: some false; 3: some unknown and none false; 130: interrupted.

        A misstep that was asked about and found is like something false.
        """
        if self.interrupted:
            return 130
        if Verdict.FALSE in self.verdicts or any(self.found(code) for code in self.sought):
            return 1
        unsure = Verdict.UNKNOWN in self.verdicts or (self.sought and self.states is None)
        return 3 if unsure else 0

    def found(self, code: str) -> Warning | None:
        """The warning of a misstep, if there is one."""
        return next((warning for warning in self.warnings if warning.code == code), None)

    def __repr__(self) -> str:
        states = "unknown number of" if self.states is None else str(self.states)
        lines = [f"<CheckResult {self.model}: {states} states, engine {self.engine}"]
        lines += [f"  {result.number}. {result.text}: {result.verdict.value}" for result in self.formulas]
        lines += [f"  warning: {warning.message}" for warning in self.warnings]
        return "\n".join(lines) + ">"
