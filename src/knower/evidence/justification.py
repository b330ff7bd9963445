"""Evidence for a verdict: found over an engine's states, followed where asked, and checked by the judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from knower.errors import LimitReached, WrongEvidence
from knower.evidence.explain import Limits, explained
from knower.evidence.follow import by_sight, by_view, followed
from knower.evidence.replay import replay
from knower.evidence.view import View
from knower.evidence.ways import TooLong
from knower.options import Reading
from knower.query.query import Query
from knower.reasons import TooLarge
from knower.records import dataclass
from knower.system.explicit import Explicit
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.verdict import Verdict


@dataclass(frozen=True)
class EvidenceBudget:
    """How much evidence is wanted, and how much the judge may do for it. `most`: no more can be had."""

    limits: Limits
    replayed_states: int
    replayed_seconds: float | None
    most: bool = False


def evidence_budget(evidence: str, seconds: float) -> EvidenceBudget:
    """`auto`: what a person would want, in so many seconds; `all`: as much as can be had."""
    if evidence == "all":
        limits = Limits(states=20_000, rows=10_000, proofs=1_000, cases=100, depth=200, operators=3_000)
        return EvidenceBudget(limits, 200_000, 60.0, most=True)
    return EvidenceBudget(Limits(seconds=seconds), 2_000, seconds)


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
        self._replayed_states = budget.replayed_states

    def over(self, view: View[Any]) -> Evidence | None:
        """Evidence in the states of a view; None where there is nothing to show."""
        query, limits = self.query, self.budget.limits
        self._explicit = view.explicit
        if view.count(view.reachable) > self.budget.replayed_states:
            self._replayed_states = 0
        try:
            found = explained(view, query.setting, query.formula, self.verdict, limits)
        except TooLong as reason:
            raise self._cut_short(reason) from None
        if found is None:
            return None
        seen = (followed(each.text, found, by_view(view, each.formula)) for each in self.follow)
        return replace(found, followed=tuple(seen))

    def _cut_short(self, limit: TooLong) -> LimitReached:
        return LimitReached(TooLarge(limit.what, optional=not self.budget.most))

    def checked(self, found: Evidence, system: InterpretedSystem, reading: Reading) -> Evidence:
        """Evidence with what the judge says of it; raises `WrongEvidence` if it does not stand up.

        An engine that has shown no view has found it by itself: formulas are followed as far as can be seen.
        """
        explicit = self._explicit or Explicit(system)
        if self._explicit is None:
            seen = (followed(each.text, found, by_sight(explicit, each.formula)) for each in self.follow)
            found = replace(found, followed=tuple(seen))
        replayed = replay(
            found,
            self.query.asked,
            self.verdict,
            system,
            reading,
            max_states=self._replayed_states,
            seconds=self.budget.replayed_seconds,
            explicit=explicit,
        )
        if replayed.mistakes:
            raise WrongEvidence(replayed.mistakes[0])
        return replace(found, replay=replayed)
