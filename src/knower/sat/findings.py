"""What was found about questions, kept for those who ask for evidence."""

from __future__ import annotations

from collections.abc import Callable

from knower.evidence.names import vocabulary_of
from knower.query.query import Query
from knower.records import dataclass
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Case, Evidence
from knower.verdict.verdict import Answer, Verdict


@dataclass(frozen=True)
class Finding:
    """What was found about a formula: an answer, with a case of its negation or cases of itself.

    `others`: the initial states where it was shown too, beside those of the cases.
    """

    answer: Answer
    cases: tuple[Case, ...] = ()
    others: int = 0

    @property
    def verdict(self) -> Verdict:
        return self.answer.verdict


class Findings:
    """The findings of one engine, by question; what was forgotten is looked for again."""

    def __init__(self, system: InterpretedSystem, answer: Callable[[Query], Answer]) -> None:
        self._system = system
        self._answer = answer
        self._found: dict[Query, Finding] = {}

    def keep(self, query: Query, found: Finding) -> Answer:
        self._found[query] = found
        return found.answer

    def of(self, query: Query) -> Finding:
        """What was found for the answer to a question."""
        return self._found[query]

    def evidence(self, query: Query, verdict: Verdict) -> Evidence | None:
        """The cases that show a verdict; None if there are none."""
        if query not in self._found:
            self._answer(query)
        found = self._found.get(query)
        if found is None or not found.cases:
            return None
        kind = "counterexample" if verdict is Verdict.FALSE else "witness"
        return Evidence(kind, vocabulary_of(self._system), found.cases, found.others)

    def forget(self) -> None:
        self._found.clear()
