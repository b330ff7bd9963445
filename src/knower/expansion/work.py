"""What all parts of an expansion share: names, cases, and what is refused."""

from __future__ import annotations

from knower.constraints.search import Search
from knower.errors import Diagnostic, InputError, merged
from knower.expansion.cases import Splitter
from knower.expansion.gaps import gaps
from knower.expansion.naming import Vocabulary
from knower.expansion.printing import LARGEST
from knower.expansion.tables import Table, TooManyCases
from knower.logic.node import Node
from knower.source import NOWHERE, Source, Span
from knower.system.domains import Domain
from knower.system.expressions import Condition, Expression
from knower.system.system import InterpretedSystem

#: Steps to find out whether an index can leave its range; where that takes more, it is refused.
_EACH, _TOTAL = 20_000, 1 << 40


class Work:
    """One expansion; mistakes are collected, and the work goes on."""

    def __init__(self, system: InterpretedSystem, source: Source) -> None:
        self.system = system
        self.source = source
        self.names = Vocabulary(system)
        self._splitter = Splitter(system)
        self._search = Search(system, each=_EACH, total=_TOTAL)
        self._left = LARGEST
        self._errors: list[Diagnostic] = []

    def condition(self, condition: Condition, span: Span) -> Condition:
        """An equal one of plain comparisons."""
        self._refuse_gaps(condition, span)
        try:
            return self._splitter.condition(condition)
        except TooManyCases:
            raise self.too_large(span) from None

    def values(self, value: Expression, domain: Domain, condition: Condition, span: Span) -> Table:
        """The plain values of an expression that is assigned where a condition holds."""
        self._refuse_gaps(value, span, condition)
        try:
            return self._splitter.values(value, domain)
        except TooManyCases:
            raise self.too_large(span) from None

    def _refuse_gaps(self, root: Node, span: Span, *given: Condition) -> None:
        if any(not self._search.never(*given, gap) for gap in gaps(root)):
            message = "an index may leave its range here, or a divisor be 0: plain ISPL cannot say so"
            cure = "put a condition before it that excludes this: `i <= n and x[i] = 1`"
            self.refuse("E417", message, span, cure)

    def refuse(self, code: str, message: str, span: Span, cure: str | None) -> None:
        self._errors.append(Diagnostic(code, message, None if span == NOWHERE else self.source, span, cure))

    def too_large(self, span: Span) -> InputError:
        self.refuse("E418", "the plain text is larger than 20 MB", span, "choose smaller constants")
        return InputError(merged(self._errors))

    def line(self, text: str, span: Span) -> str:
        """A line of the text, while there is room for it."""
        self._left -= len(text) + 1
        if self._left < 0:
            raise self.too_large(span)
        return text

    def check(self) -> None:
        """Raises `InputError` with all that was refused."""
        if self._errors:
            raise InputError(merged(self._errors))
