"""Evidence for a verdict: found over an engine's states, followed where asked, and checked by the judge."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from knower.errors import LimitReached, WrongEvidence
from knower.evidence.explain import Limits, explained
from knower.evidence.follow import Value, by_sight, by_view, followed
from knower.evidence.judge_steps import Bounds
from knower.evidence.replay import replay
from knower.evidence.view import View
from knower.evidence.ways import TooLong
from knower.logic.formula import Formula
from knower.options import Reading
from knower.query.query import Query
from knower.reasons import TooLarge
from knower.records import dataclass
from knower.system.explicit import Explicit
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.verdict import Verdict

#: The judge has at least such a part of the time for finding and judging: what was found late is judged too.
_LEAST_PART = 3


@dataclass(frozen=True)
class EvidenceBudget:
    """How much evidence is wanted, how much the judge may do for a ruling, and how long both may take.

    `most`: no more can be had, and the time is for the judge alone.
    """

    limits: Limits
    bounds: Bounds
    seconds: float | None
    most: bool = False


def evidence_budget(evidence: str, seconds: float) -> EvidenceBudget:
    """`auto`: what a person would want, in so many seconds; `all`: as much as can be had."""
    if evidence == "all":
        limits = Limits(states=20_000, rows=10_000, proofs=1_000, cases=100, depth=200, operators=3_000)
        return EvidenceBudget(limits, Bounds(200_000, 1_000_000), 60.0, most=True)
    return EvidenceBudget(Limits(seconds=seconds), Bounds(2_000, 10_000), seconds)


class Justification:
    """The search for what shows one verdict, and the judgement of what is found."""

    def __init__(
        self, query: Query, verdict: Verdict, budget: EvidenceBudget, follow: Sequence[Query] = ()
    ) -> None:
        self.query = query
        self.verdict = verdict
        self.budget = budget
        self.follow = follow
        self._explicit: Explicit | None = None
        self._bounds = budget.bounds
        self._began = time.thread_time()

    def over(self, view: View[Any]) -> Evidence | None:
        """Evidence in the states of a view; None where there is nothing to show."""
        query, limits = self.query, self.budget.limits
        self._explicit = view.explicit
        if view.count(view.reachable) > self._bounds.states:
            self._bounds = replace(self._bounds, states=0)
        try:
            found = explained(view, query.setting, query.formula, self.verdict, limits)
        except TooLong as reason:
            raise self._cut_short(reason) from None
        if found is None:
            return None
        return self._with(found, lambda formula: by_view(view, formula))

    def _with(self, found: Evidence, value: Callable[[Formula], Value]) -> Evidence:
        """Evidence along which the formulas are followed that somebody wants to."""
        if not self.follow:
            return found
        seen = (followed(each.text, found, value(each.formula)) for each in self.follow)
        return replace(found, followed=tuple(seen))

    @property
    def _seconds_left(self) -> float | None:
        """For the judge: what the search has not used, and a part of all in any case."""
        whole = self.budget.seconds
        if whole is None or self.budget.most:
            return whole
        return max(whole - (time.thread_time() - self._began), whole / _LEAST_PART)

    def _cut_short(self, limit: TooLong) -> LimitReached:
        return LimitReached(TooLarge(limit.what, optional=not self.budget.most))

    def checked(self, found: Evidence, system: InterpretedSystem, reading: Reading) -> Evidence:
        """Evidence with what the judge says of it; raises `WrongEvidence` if it does not stand up.

        An engine that has shown no view has found it by itself: formulas are followed as far as can be seen.
        """
        explicit = self._explicit or Explicit(system)
        if self._explicit is None:
            found = self._with(found, lambda formula: by_sight(explicit, formula))
        replayed = replay(
            found,
            self.query.asked,
            self.verdict,
            system,
            reading,
            bounds=self._bounds,
            seconds=self._seconds_left,
            explicit=explicit,
        )
        if replayed.mistakes:
            raise WrongEvidence(replayed.mistakes[0])
        return replace(found, replay=replayed)
