"""All mistakes of a template, gathered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from knower.errors import Diagnostic, InputError, merged
from knower.source import Source
from knower.templates.mistakes import Mistake


class Reporter:
    """Takes mistakes, and lets the rest go on."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Diagnostic] = []

    def add(self, mistake: Mistake) -> None:
        self.found.append(mistake.diagnostic(self.source))

    @contextmanager
    def mistakes(self) -> Iterator[None]:
        """What is wrong inside is reported, and the rest of it left out."""
        try:
            yield
        except Mistake as mistake:
            self.add(mistake)
        except InputError as error:
            self.found += error.diagnostics

    def check(self) -> None:
        """Raise what was found, if something was."""
        if self.found:
            raise InputError(merged(sorted(self.found, key=lambda each: each.span)))
