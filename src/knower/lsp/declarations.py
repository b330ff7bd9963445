"""What the sections of a text declare, statement by statement, by what stands before `:`, `=` or `if`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from knower.lsp.symbols import Kind, Section, Symbol
from knower.records import dataclass
from knower.source import Span
from knower.syntax.lexer import PIECES


@dataclass(frozen=True, slots=True)
class _Statement:
    """The pieces of a statement, up to its `;`: texts and where they start."""

    texts: list[str]
    starts: list[int]

    @property
    def extent(self) -> Span:
        return Span(self.starts[0], self.starts[-1] + len(self.texts[-1]))

    def span(self, at: int) -> Span:
        return Span(self.starts[at], self.starts[at] + len(self.texts[at]))


def statements(text: str, extent: Span) -> Iterator[_Statement]:
    """The statements of a section, without its first and last words; comments are left out."""
    texts: list[str] = []
    starts: list[int] = []
    for piece in PIECES.finditer(text, extent.start, extent.end):
        if piece[0].startswith("--"):
            continue
        texts.append(piece[0])
        starts.append(piece.start())
        if piece[0] == ";":
            yield _Statement(texts, starts)
            texts, starts = [], []
    if texts and texts[0] != "end":
        yield _Statement(texts, starts)


def _body(text: str, section: Section) -> Span:
    """A section without its word and colon."""
    start = section.extent.start + len(section.word)
    rest = text[start : start + 80]
    return Span(start + (len(rest) - len(rest.lstrip())) + rest.lstrip().startswith(":"), section.extent.end)


def _is_name(text: str) -> bool:
    return text[0].isalpha() or text[0] == "_"


def _without_for(statement: _Statement) -> tuple[int, str]:
    """Where a line begins behind its `for i : 1..n do`, and that prefix."""
    if statement.texts[0] == "for" and "do" in statement.texts:
        at = statement.texts.index("do") + 1
        return min(at, len(statement.texts) - 1), " ".join(statement.texts[: at - 1])
    return 0, ""


def _variables(text: str, section: Section) -> Iterator[Symbol]:
    for statement in statements(text, _body(text, section)):
        texts = statement.texts
        if len(texts) < 3 or texts[1] != ":" or not _is_name(texts[0]):
            continue
        end = statement.extent.end
        detail = " ".join(text[statement.starts[2] : end].rstrip(";").split())
        yield Symbol(Kind.VARIABLE, texts[0], statement.span(0), statement.extent, section.agent, detail)
        if "{" in texts and "in" not in texts[: texts.index("{")]:
            yield from _members(statement, texts.index("{"), Kind.VALUE, f"{section.agent}.{texts[0]}")


def _members(statement: _Statement, opened: int, kind: Kind, owner: str) -> Iterator[Symbol]:
    """What a set declares: `{a, b(i) | i : 1..n}`."""
    depth = 0
    for at in range(opened, len(statement.texts)):
        text = statement.texts[at]
        depth += (text in "([{") - (text in ")]}")
        if depth == 0 or (depth == 1 and text == "|"):
            return
        if depth == 1 and _is_name(text):
            yield Symbol(kind, text, statement.span(at), statement.span(at), owner)


def _actions(text: str, section: Section) -> Iterator[Symbol]:
    for statement in statements(text, section.extent):
        if "{" in statement.texts:
            yield from _members(statement, statement.texts.index("{"), Kind.ACTION, section.agent)


def _defined(kind: Kind) -> Callable[[str, Section], Iterator[Symbol]]:
    """`Define x = …;` and `Const n = …;`."""

    def read(text: str, section: Section) -> Iterator[Symbol]:
        for statement in statements(text, section.extent):
            texts = statement.texts
            if len(texts) > 3 and _is_name(texts[1]) and texts[2] == "=":
                detail = " ".join(text[statement.starts[3] : statement.extent.end].rstrip(";").split())
                yield Symbol(kind, texts[1], statement.span(1), statement.extent, section.agent, detail)

    return read


def _headed(kind: Kind, sign: str) -> Callable[[str, Section], Iterator[Symbol]]:
    """Lines that begin with what they declare: `p(i) if …`, `g = {…}`, `label : …`."""

    def read(text: str, section: Section) -> Iterator[Symbol]:
        for statement in statements(text, _body(text, section)):
            first, prefix = _without_for(statement)
            texts = statement.texts
            if not _is_name(texts[first]):
                continue
            after = first + 1
            if texts[after : after + 1] == ["("]:
                after = behind_bracket(texts, after)
            if texts[after : after + 1] != [sign]:
                continue
            end = statement.extent.end
            body = text[statement.starts[min(after + 1, len(texts) - 1)] : end].rstrip(";")
            detail = " ".join(f"{body} {prefix}".split())
            yield Symbol(kind, texts[first], statement.span(first), statement.extent, "", detail)

    return read


def behind_bracket(texts: list[str], opened: int) -> int:
    depth = 0
    for at in range(opened, len(texts)):
        depth += (texts[at] in "([{") - (texts[at] in ")]}")
        if depth == 0:
            return at + 1
    return len(texts)


DECLARED: dict[str, Callable[[str, Section], Iterator[Symbol]]] = {
    "Vars": _variables,
    "Obsvars": _variables,
    "Actions": _actions,
    "Define": _defined(Kind.DEFINITION),
    "Const": _defined(Kind.CONSTANT),
    "Evaluation": _headed(Kind.PROPOSITION, "if"),
    "Groups": _headed(Kind.GROUP, "="),
    "Formulae": _headed(Kind.LABEL, ":"),
}


def binders(text: str, start: int, kind: Kind = Kind.BOUND) -> Iterator[Symbol]:
    """What is bound in a piece of text, `i : 1..n, j : {a, b} where …`; `start`: where the piece stands."""
    for found in _BINDER.finditer(text):
        if found[1] is not None:
            span = Span(start + found.start(1), start + found.end(1))
            yield Symbol(kind, found[1], span, span, "", " ".join(found[2].split()))


#: A comment, or a name that is bound: behind a quantifier, `for`, a bar, a bracket, a comma; before a colon.
_BINDER = re.compile(
    r"--[^\n]*|(?:\b(?:forall|exists|sum|count|min|max|for)\s+|[(,|]\s*)([A-Za-z_]\w*)\s*:"
    r"(?![=])\s*(\{[^}]*\}|[^,;(){}|]*?(?=\s*(?:,|;|\(|\)|\}|\||$|\bwhere\b|\bdo\b)))"
)
