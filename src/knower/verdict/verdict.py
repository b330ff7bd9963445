"""The answer: verdicts, warnings and the result of a whole run, as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import Enum
from typing import Any, TypeAlias, cast

from knower.logic.language import Specification
from knower.options import AtlReading
from knower.reasons import Reason
from knower.records import dataclass
from knower.verdict.certificate import Invariant
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Absence, Fault, Faults
from knower.verdict.shown import Shown, shown
from knower.verdict.vacuity import Vacuity
from knower.verdict.warnings import Warning

#: What an engine chose and how large things are.
Statistics: TypeAlias = Mapping[str, str | int | float]


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
    """A verdict; when it is unknown, why; and what makes it misleading."""

    verdict: Verdict
    reason: Reason | None = None
    warnings: tuple[Warning, ...] = ()
    #: The invariants a proof rests on.
    certificates: tuple[Invariant, ...] = ()


def unknown(reason: Reason) -> Answer:
    """That something is not known, for a reason."""
    return Answer(Verdict.UNKNOWN, reason)


def decided(holds: bool, *warnings: Warning) -> Answer:
    """That a formula is true or false."""
    return Answer(Verdict.TRUE if holds else Verdict.FALSE, None, warnings)


@dataclass(frozen=True, slots=True)
class FormulaResult(Shown):
    """What was found about one formula. As a condition it is its verdict."""

    _html = "notebook:formula_html"

    number: int
    text: str
    #: None where a limit was met before it was read.
    specification: Specification | None = field(repr=False)
    logic: str
    verdict: Verdict
    reason: Reason | None = None
    seconds: float = 0.0
    evidence: Evidence | None = None
    #: Why there is no evidence although there could be some.
    left_out: Reason | None = None
    #: What each method says, if they contradict each other.
    claims: tuple[Claim, ...] = ()
    #: The engine that has decided it, or tried to.
    engine: str = ""
    warnings: tuple[Warning, ...] = ()
    #: How strategic operators were read, where that makes a difference.
    atl: AtlReading | None = None
    #: Which of its parts never matter, where that was asked and it is true.
    vacuity: Vacuity | None = field(default=None, kw_only=True)
    #: What the verdict ought to be, as the file says or as everybody hopes.
    expected: Verdict = field(default=Verdict.TRUE, kw_only=True)
    #: What the file calls it; whether it says what is expected, and why; on which line it stands.
    name: str | None = field(default=None, kw_only=True)
    stated: bool = field(default=False, kw_only=True)
    because: str = field(default="", kw_only=True)
    line: int | None = field(default=None, kw_only=True)

    @property
    def as_expected(self) -> bool:
        return self.verdict is self.expected

    def __bool__(self) -> bool:
        return bool(self.verdict)

    def __repr__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        return f"<{self.number}. {self.text}: {self.verdict.value}{why}>"


@dataclass(frozen=True, slots=True)
class Claim:
    """What one of several methods says of a formula."""

    method: str
    result: FormulaResult


@dataclass(frozen=True, slots=True)
class CheckResult(Shown):
    """What a run found. Iterating it gives the formulas' results, in order.

    As a condition it says whether all that was asked is so: every formula true, no fault that was sought.
    """

    _html = "notebook:result_html"

    model: str
    engine: str
    states: int | None
    formulas: tuple[FormulaResult, ...]
    warnings: tuple[Warning, ...] = ()
    seconds: float = 0.0
    interrupted: bool = False
    statistics: Statistics = field(default_factory=dict)
    faults: Faults = field(default_factory=Faults)
    #: Which faults were asked about.
    sought: tuple[Fault, ...] = ()

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
    def as_expected(self) -> bool:
        """Whether every verdict is the expected one."""
        return all(result.as_expected for result in self.formulas)

    def __bool__(self) -> bool:
        """False if something is false or found; raises if something is unknown, or nothing was asked."""
        about = {fault: self.faults.of(fault) for fault in self.sought}
        if Verdict.FALSE in self.verdicts or any(not isinstance(each, Absence) for each in about.values()):
            return False
        unknown = [f"formula {result.number}" for result in self if result.verdict is Verdict.UNKNOWN]
        unknown += [f"{fault.value}" for fault, found in about.items() if found is Absence.UNKNOWN]
        if unknown:
            raise ValueError(f"unknown, neither true nor false: {', '.join(unknown)}")
        if not about and not self.formulas:
            raise ValueError("nothing was asked, so the result is neither true nor false")
        return True

    @property
    def exit_status(self) -> int:
        """0: all as expected; 1: some verdict is another; 3: some unknown, and none that; 130: interrupted.

        A formula is expected to be true unless the file says otherwise. A fault that was asked about and
        found is like something false.
        """
        if self.interrupted:
            return 130
        about = [self.faults.of(fault) for fault in self.sought]
        others = [result.verdict for result in self.formulas if not result.as_expected]
        if any(each is not Verdict.UNKNOWN for each in others) or any(
            not isinstance(a, Absence) for a in about
        ):
            return 1
        return 3 if others or Absence.UNKNOWN in about else 0

    def found(self, code: str) -> Warning | None:
        """The warning of a kind, if there is one."""
        return next((warning for warning in self.warnings if warning.code == code), None)

    def to_dict(self) -> dict[str, Any]:
        """The run as plain data, just as JSON has it."""
        return cast("dict[str, Any]", shown("data:result_data", self, verbose=True))

    def to_json(self) -> str:
        """The run as the command line writes it with statistics; its schema is that of JSON reports."""
        return cast(str, shown("data:to_json", self.to_dict()))

    def to_html(self) -> str:
        """The run as a page of its own, with a drawing of each evidence."""
        return cast(str, shown("page:evidence_page", self, title=self.model))

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with a row for each formula; pandas is needed for this only."""
        return shown("frame:result_frame", self)

    def __repr__(self) -> str:
        states = "unknown number of" if self.states is None else str(self.states)
        lines = [f"<CheckResult {self.model}: {states} states, engine {self.engine}"]
        lines += [f"  {result.number}. {result.text}: {result.verdict.value}" for result in self.formulas]
        lines += [f"  warning: {warning.code}" for warning in self.warnings]
        return "\n".join(lines) + ">"
