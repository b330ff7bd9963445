"""What a run tells while it is under way: each event is news only, and a `Tally` adds them up.

Planned      which questions are asked, and who will answer them
Progress     how far the present piece of work is, in words and figures
Noticed      what makes verdicts misleading, beside faults
ModelSeen    what is known of the model itself: states, faults, sizes
Decided      the answer to one question
Explained    its evidence, or why there is none
Weighed      which parts of a true formula never matter
Finished     that no more will come
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import TypeAlias, assert_never

from knower.reasons import NotYet, Reason
from knower.records import dataclass
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Fault, Faults
from knower.verdict.vacuity import Vacuity
from knower.verdict.verdict import CheckResult, FormulaResult, Statistics, Verdict
from knower.verdict.warnings import Warning, distinct


@dataclass(frozen=True, slots=True)
class Planned:
    """The run begins. Each of the `formulas` is undecided yet."""

    model: str
    engine: str
    formulas: tuple[FormulaResult, ...] = ()
    sought: tuple[Fault, ...] = ()
    warnings: tuple[Warning, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """What is done at the moment, and how large things were after so many seconds, as far as is known."""

    text: str
    statistics: Statistics = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something about the text of the model, or about formulas that are decided."""

    warnings: tuple[Warning, ...]


@dataclass(frozen=True, slots=True)
class ModelSeen:
    states: int | None
    faults: Faults
    statistics: Statistics


@dataclass(frozen=True, slots=True)
class Decided:
    """The questions of some numbers, which are equal, are answered. `left_out`: why without evidence yet."""

    numbers: tuple[int, ...]
    verdict: Verdict
    reason: Reason | None = None
    seconds: float = 0.0
    engine: str = ""
    warnings: tuple[Warning, ...] = ()
    left_out: Reason | None = None


@dataclass(frozen=True, slots=True)
class Explained:
    """What shows an answer; evidence that is wrong takes it back."""

    numbers: tuple[int, ...]
    evidence: Evidence | None = None
    left_out: Reason | None = None
    mistake: Reason | None = None


@dataclass(frozen=True, slots=True)
class Weighed:
    """It was looked for parts of a true formula that never matter."""

    numbers: tuple[int, ...]
    vacuity: Vacuity


@dataclass(frozen=True, slots=True)
class Finished:
    """The run is over. `reason`: why some questions have no answer, if it was stopped."""

    seconds: float
    interrupted: bool = False
    reason: Reason | None = None


Event: TypeAlias = Planned | Progress | Noticed | ModelSeen | Decided | Explained | Weighed | Finished
#: Hears of every event.
Tell: TypeAlias = Callable[[Event], None]


@dataclass(slots=True)
class Tally:
    """A result as it grows, event by event."""

    planned: Planned = field(default_factory=lambda: Planned("", ""))
    formulas: dict[int, FormulaResult] = field(default_factory=dict)
    seen: ModelSeen = field(default_factory=lambda: ModelSeen(None, Faults(), {}))
    noticed: tuple[Warning, ...] = ()
    #: What was told since of a run that goes on, or was killed.
    latest: Progress | None = None
    #: The last words of a run that is over.
    finished: Finished | None = None

    def take(self, event: Event) -> None:
        match event:
            case Planned():
                self.planned = event
            case Progress():
                self.latest = event
            case Noticed():
                self.noticed += event.warnings
            case ModelSeen():
                self.seen, self.latest = event, None
            case Decided():
                self.formulas |= {number: self._decided(number, event) for number in event.numbers}
            case Explained():
                self.formulas |= {number: self._explained(number, event) for number in event.numbers}
            case Weighed(numbers, found):
                self.formulas |= {number: replace(self.formulas[number], vacuity=found) for number in numbers}
            case Finished():
                self.finished = event
            case _:
                assert_never(event)

    def _decided(self, number: int, event: Decided) -> FormulaResult:
        asked = self.planned.formulas[number - 1]
        return replace(
            asked,
            verdict=event.verdict,
            reason=event.reason,
            seconds=event.seconds,
            engine=event.engine,
            warnings=(*asked.warnings, *event.warnings),
            left_out=event.left_out,
        )

    def _explained(self, number: int, event: Explained) -> FormulaResult:
        found = replace(self.formulas[number], evidence=event.evidence, left_out=event.left_out)
        if event.mistake is None:
            return found
        return replace(found, verdict=Verdict.UNKNOWN, reason=event.mistake)

    @property
    def _statistics(self) -> Statistics:
        """The last that are known; where nobody could tell those of the end, they say of when they are."""
        if self.latest is None or not self.latest.statistics:
            return self.seen.statistics
        of_when = {"seconds when measured": round(self.latest.seconds, 3)}
        return {**self.seen.statistics, **self.latest.statistics, **of_when}

    def result(self, seconds: float = 0.0, reason: Reason | None = None) -> CheckResult:
        """All questions; those that are open have a reason: that of the end, or the one given."""
        over = self.finished or Finished(seconds, reason=reason or NotYet())
        why = over.reason or NotYet()
        results = tuple(
            self.formulas[each.number] if each.number in self.formulas else replace(each, reason=why)
            for each in self.planned.formulas
        )
        told = (warning for result in results for warning in result.warnings)
        return CheckResult(
            self.planned.model,
            self.planned.engine,
            self.seen.states,
            results,
            distinct((*self.planned.warnings, *self.seen.faults.found, *told, *self.noticed)),
            over.seconds,
            over.interrupted,
            self._statistics,
            self.seen.faults,
            self.planned.sought,
        )
