"""Checks that an editor asks for: one at a time for each document, told as they go, cancelled when asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from knower.logic.language import Specification
from knower.lsp.survey import Survey
from knower.lsp.text import DocumentText
from knower.lsp.threads import beside
from knower.lsp.verdicts import Asked, Verdicts, formulas
from knower.pool.ticket import Ticket
from knower.pool.waiting import settled
from knower.session import Session, System
from knower.verdict.verdict import CheckResult, FormulaResult

#: How often it is told how far a check is, in seconds.
_EVERY = 0.2


class Inquiry:
    """The checks of one document."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ticket: Ticket | None = None
        self._asked = self._running = 0
        self.verdicts: Verdicts | None = None
        self.result: CheckResult | None = None
        self.propositions: frozenset[str] = frozenset()

    @property
    def busy(self) -> bool:
        return self._running > 0

    def cancel(self) -> None:
        """Stop what was asked last, also while its model is still being read."""
        self._asked += 1
        if self._ticket is not None:
            self._ticket.cancel()

    async def ask(
        self, document: DocumentText, name: str, number: int | None, tell: Callable[[str], None]
    ) -> CheckResult | None:
        """Check one formula, or all; `tell` hears how far it is. None if it was cancelled before it began.

        Raises `KnowerError` for a wrong text.
        """
        self._running += 1
        try:
            return await self._ask(document, name, number, tell)
        finally:
            self._running -= 1

    async def _ask(
        self, document: DocumentText, name: str, number: int | None, tell: Callable[[str], None]
    ) -> CheckResult | None:
        self.cancel()
        asked, text = self._asked, document.text
        system, chosen = await beside(lambda: self._read(text, name, number))
        self.propositions = frozenset(system.outline.propositions)
        if asked != self._asked:
            return None
        self._ticket = ticket = system.submit(
            *(spec for _, spec in chosen), asker=document.uri, replaces=("lsp", document.uri)
        )
        await _followed(ticket, tell)
        result = ticket.result()
        self.result = result
        self._learn(text, [at for at, _ in chosen], result)
        return result

    def _read(
        self, text: str, name: str, number: int | None
    ) -> tuple[System, list[tuple[int, Specification]]]:
        """The model, and the formulas that are meant, each with the number of its statement."""
        system = self._session.loads(text, name)
        statements = list(formulas(Survey(text)))
        found = [(_statement_of(spec, statements), spec) for spec in system.interpreted.formulae]
        return system, [(at, spec) for at, spec in found if number in (None, at)]

    def _learn(self, text: str, numbers: list[int], result: CheckResult) -> None:
        """Verdicts of the same text stay; those of another are over."""
        known = dict(self.verdicts.results) if self.verdicts and self.verdicts.text == text else {}
        fresh: dict[int, list[FormulaResult]] = {}
        for number, found in zip(numbers, result.formulas, strict=False):
            fresh.setdefault(number, []).append(found)
        known.update({number: tuple(results) for number, results in fresh.items()})
        self.verdicts = Verdicts(text, known)


def _statement_of(spec: Specification, statements: list[Asked]) -> int:
    """The number of the statement that a formula stands in; 0 if that is not known."""
    start = spec.span.start if spec.span is not None else -1
    return next((asked.number for asked in statements if asked.span.start <= start < asked.span.end), 0)


async def _followed(ticket: Ticket, tell: Callable[[str], None]) -> None:
    """Tell now and then how far a ticket is, until it is over."""
    over = asyncio.ensure_future(settled(ticket))
    while not over.done():
        await asyncio.wait([over], timeout=_EVERY)
        if ticket.progress:
            tell(ticket.progress)
