"""What checks have found, beside the formulas of a text: lenses, and verdicts that know their text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lsprotocol import types as lsp

from knower.lsp.declarations import statements
from knower.lsp.survey import Survey
from knower.lsp.symbols import Section
from knower.lsp.text import DocumentText
from knower.records import dataclass
from knower.source import Span
from knower.verdict.verdict import FormulaResult, Verdict

#: So many formulas have a lens of their own, at most; `check all` is for the others.
_MOST = 2000
CHECK, CANCEL, WHY = "knower.check", "knower.cancel", "knower.why"


@dataclass(frozen=True, slots=True)
class Asked:
    """A formula of a text, `number` counted from 1."""

    number: int
    span: Span


@dataclass(frozen=True)
class Verdicts:
    """The results of checks of one text, by the numbers of its formulas."""

    text: str
    results: dict[int, tuple[FormulaResult, ...]]

    def is_stale(self, text: str) -> bool:
        return text != self.text


def formulas(survey: Survey) -> Iterator[Asked]:
    """The formulas of a text, statement by statement."""
    number = 0
    for section in survey.sections:
        if section.word == "Formulae":
            for statement in statements(survey.text, _inside(section)):
                if statement.texts[0] not in ("end", ";"):
                    number += 1
                    yield Asked(number, statement.extent)


def _inside(section: Section) -> Span:
    return Span(section.extent.start + len(section.word), section.extent.end)


def lenses(
    document: DocumentText, survey: Survey, verdicts: Verdicts | None, *, busy: bool, drawn: bool = False
) -> list[lsp.CodeLens]:
    """`check` on all formulas and on each, with what is known of it, unless that is drawn beside it."""
    found: list[lsp.CodeLens] = []
    asked = list(islice(formulas(survey), _MOST))
    for section in survey.sections:
        if section.word == "Formulae" and asked:
            found.append(_lens(document, section.extent, "check all", CHECK, [document.uri, None]))
            if busy:
                found.append(_lens(document, section.extent, "cancel", CANCEL, [document.uri]))
    for item in asked:
        found += _of_formula(document, item, verdicts, drawn)
    return found


def _of_formula(
    document: DocumentText, item: Asked, verdicts: Verdicts | None, drawn: bool
) -> Iterator[lsp.CodeLens]:
    known = () if verdicts is None else verdicts.results.get(item.number, ())
    check = (CHECK, [document.uri, item.number])
    yield _lens(document, item.span, "check", *check)
    if not known or verdicts is None:
        return
    stale = verdicts.is_stale(document.text)
    if not drawn:
        yield _lens(document, item.span, told(known) + " before the last change" * stale, *check)
    if not stale and any(result.evidence is not None for result in known):
        yield _lens(document, item.span, "show why", WHY, [document.uri, item.number])


def _lens(
    document: DocumentText, span: Span, title: str, command: str, arguments: list[object]
) -> lsp.CodeLens:
    at = document.range(Span(span.start, min(span.end, span.start + 1)))
    return lsp.CodeLens(at, lsp.Command(title, command, arguments=arguments))


def told(results: tuple[FormulaResult, ...]) -> str:
    """A verdict in words; of a line that stands for several formulas, how many are what."""
    if len(results) == 1:
        only = results[0]
        fits = "" if only.verdict is only.expected else ", unexpected"
        if only.expected is not Verdict.TRUE and not fits:
            fits = ", as expected"
        return f"{only.verdict.value.upper()}{fits}"
    counts = [(verdict, sum(r.verdict is verdict for r in results)) for verdict in Verdict]
    return ", ".join(f"{count} {verdict.value}" for verdict, count in counts if count)


def data(document: DocumentText, survey: Survey, verdicts: Verdicts | None) -> list[dict[str, object]]:
    """Verdicts for clients that draw them beside the text."""
    if verdicts is None:
        return []
    stale = verdicts.is_stale(document.text)
    found: list[dict[str, object]] = []
    for item in formulas(survey):
        known = verdicts.results.get(item.number, ())
        if known:
            where = document.range(item.span)
            found.append({
                "line": where.end.line,
                "text": told(known),
                "as_expected": all(result.verdict is result.expected for result in known),
                "stale": stale,
                "why": any(result.evidence is not None for result in known),
            })  # fmt: skip
    return found
