"""What is wrong with a template: for which instance, and once for all of them."""

from __future__ import annotations

from knower.errors import Diagnostic
from knower.source import Source, Span
from knower.syntax.naming import Missing


class Mistake(Exception):
    """Something that cannot be worked out, with its place; whoever can go on without it reports it."""

    def __init__(self, code: str, message: str, span: Span, cure: str | None = None) -> None:
        super().__init__(message)
        self.found = (code, message, span, cure)

    def diagnostic(self, source: Source) -> Diagnostic:
        code, message, span, cure = self.found
        return Diagnostic(code, message, source, span, cure)


class OutOfRange(Mistake, Missing):
    """An argument or an index outside its range: no mistake where it is not evaluated."""
