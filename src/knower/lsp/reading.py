"""What the words of a text mean, word by word: in which section they stand and what stands around them.

A word is looked up by its own statement alone, so that a single one of a text of megabytes is found at once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from knower.logic.language import Language
from knower.lsp.declarations import behind_bracket, binders
from knower.lsp.survey import Survey
from knower.lsp.symbols import Kind, Section, Symbol
from knower.records import dataclass
from knower.source import Span
from knower.syntax.lexer import PIECES
from knower.syntax.operators import CALLS, RESERVED

#: Words with a meaning of their own in conditions and formulas.
OPERATORS = frozenset({
    "and", "or", "xor", "if", "then", "else", "in", "mod", "forall", "exists", "sum", "count", "min", "max",
    "abs", "where", "for", "do", "array", "of", "init", "expect", "boolean", "true", "false", "Other",
    "Action", "end",
})  # fmt: skip
#: Words that are operators in formulas.
FORMULA_WORDS = RESERVED | frozenset(CALLS) | {language.value.rstrip("*") for language in Language} - {""}
_ENVIRONMENT = "Environment"
_BEFORE_OPERANDS = OPERATORS | FORMULA_WORDS | {"Formulae", "Fairness"}
_COMPARISONS = ("=", "!=", "<>", "in")


@dataclass(frozen=True, slots=True)
class Line:
    """The pieces of a statement, from one `;` (or the start of the section) to the next; what they bind."""

    extent: Span
    texts: list[str]
    starts: list[int]
    bound: dict[str, Symbol]


@dataclass(frozen=True, slots=True)
class Statement:
    """A word among the pieces of its statement."""

    line: Line
    at: int

    @property
    def texts(self) -> list[str]:
        return self.line.texts

    def text(self, offset: int) -> str:
        """The piece so many places from the word; empty outside."""
        place = self.at + offset
        return self.texts[place] if 0 <= place < len(self.texts) else ""


class Reading:
    """What words of one version of a text mean."""

    def __init__(self, text: str, survey: Survey | None = None) -> None:
        self.text = text
        self.survey = survey or Survey(text)
        self._line: Line | None = None

    # -- words ------------------------------------------------------------------------------------------

    def word_at(self, offset: int) -> Span | None:
        """The word that an offset is inside of, or right behind."""
        start = end = offset
        while start and _is_word(self.text[start - 1]):
            start -= 1
        while end < len(self.text) and _is_word(self.text[end]):
            end += 1
        return Span(start, end) if start < end and not self.text[start].isdigit() else None

    def sign_at(self, offset: int) -> Span | None:
        """The sign that an offset is in."""
        statement = self.statement(offset)
        if statement is None or statement.at < 0:
            return None
        start = statement.line.starts[statement.at]
        end = start + len(statement.text(0))
        return Span(start, end) if offset < end and not _is_name(statement.text(0)) else None

    def is_coalition(self, sign: Span) -> bool:
        """Whether `<` or `>` stands at agents, as in `<g> F p`: not between numbers, nor at a program."""
        statement = self.statement(sign.start)
        if statement is None:
            return False
        texts, at = statement.texts, statement.at
        opened = at if texts[at] == "<" else max((k for k in range(at) if texts[k] == "<"), default=-1)
        if opened < 0 or ">" not in texts[opened:] or (opened and _ends_operand(texts[opened - 1])):
            return False
        closed = texts.index(">", opened)
        kinds = {Kind.AGENT, Kind.GROUP}
        inside = [text for text in texts[opened + 1 : closed] if _is_name(text)]
        return all(any(s.kind in kinds for s in self.survey.named.get(name, ())) for name in inside)

    def arguments(self, word: Span) -> list[str]:
        """What stands in the brackets behind a name: `Child(2)`."""
        statement = self.statement(word.start)
        if statement is None or statement.text(1) != "(":
            return []
        opened = statement.at + 1
        closed = behind_bracket(statement.texts, opened) - 1
        starts = statement.line.starts
        inside = self.text[starts[opened] + 1 : starts[min(closed, len(starts) - 1)]]
        return [" ".join(part.split()) for part in inside.split(",")]

    def is_prose(self, offset: int) -> bool:
        """Whether a place is in a comment, or inside quotes."""
        line = self.text.rfind("\n", 0, offset) + 1
        if "--" not in (before := self.text[line : offset + 1]) and '"' not in before:
            return False
        for piece in PIECES.finditer(self.text, line):
            if piece.start() >= offset:
                return False
            if piece[0].startswith("--"):
                return True
            if piece[0][0] == '"' and offset < piece.end():
                return True
        return False

    def statement(self, offset: int) -> Statement | None:
        """The statement that a place stands in, inside of its section."""
        line = self._line
        if line is None or not line.extent.start <= offset < line.extent.end:
            section = self.survey.section_at(offset)
            extent = section.extent if section else self._outside(offset)
            line = self._line = self._pieces(self._boundary(offset, extent.start), extent.end)
        return Statement(line, bisect_right(line.starts, offset) - 1) if line.texts else None

    def _outside(self, offset: int) -> Span:
        agent = self.survey.agent_at(offset)
        return agent.extent if agent else Span(max(0, offset - 2000), len(self.text))

    def _boundary(self, offset: int, start: int) -> int:
        """Behind the last `;` that is not in a comment."""
        at = offset
        while (at := self.text.rfind(";", start, at)) >= 0:
            if not self.is_prose(at):
                return at + 1
        return start

    def _pieces(self, first: int, end: int) -> Line:
        """The pieces from a place to the next `;`."""
        texts: list[str] = []
        starts: list[int] = []
        for piece in PIECES.finditer(self.text, first, end):
            if piece[0][:2] == "--":
                continue
            texts.append(piece[0])
            starts.append(piece.start())
            if piece[0] == ";":
                end = piece.end()
                break
        bound = binders(self.text[first:end], first) if ":" in texts else ()
        return Line(Span(first, end), texts, starts, {symbol.name: symbol for symbol in bound})

    # -- meanings ---------------------------------------------------------------------------------------

    def symbol_at(self, offset: int) -> Symbol | None:
        """What the word at a place is the name of."""
        word = self.word_at(offset)
        if word is None or self.is_prose(word.start):
            return None
        return self.meaning(word)

    def meaning(self, word: Span) -> Symbol | None:
        name = self.text[word.start : word.end]
        for symbol in self.survey.named.get(name, ()):
            if symbol.span == word:
                return symbol
        statement = self.statement(word.start)
        if statement is None:
            return None
        return self._bound(name, word, statement) or self._used(name, word, statement)

    def _bound(self, name: str, word: Span, statement: Statement) -> Symbol | None:
        """A parameter, or what a quantifier, a `for` or a comprehension of this statement binds."""
        if name in statement.line.bound:
            return statement.line.bound[name]
        agent = self.survey.agent_at(word.start)
        parameters = self.survey.parameters.get(agent.name, ()) if agent else ()
        return next((symbol for symbol in parameters if symbol.name == name), None)

    def _used(self, name: str, word: Span, statement: Statement) -> Symbol | None:
        section = self.survey.section_at(word.start)
        candidates = self.survey.named.get(name, [])
        if not candidates:
            return None
        for kind, owner in self._roles(name, statement, section, self._reader(word.start)):
            for symbol in candidates:
                if symbol.kind is kind and (owner is None or symbol.owner == owner):
                    return symbol
        return None

    def _reader(self, offset: int) -> str:
        agent = self.survey.agent_at(offset)
        return agent.name if agent else ""

    def _roles(
        self, name: str, statement: Statement, section: Section | None, agent: str
    ) -> Iterator[tuple[Kind, str | None]]:
        """What a name may be where it stands, the likeliest first."""
        word = section.word if section else ""
        before = statement.text(-1)
        if before == ".":
            owner = owner_before(statement)
            yield from ((Kind.VARIABLE, owner), (Kind.DEFINITION, owner))
            return
        if is_followed_by_dot(statement):
            yield Kind.AGENT, None
        compared = self._compared(statement, agent)
        if compared is not None:
            yield from compared
        if agent:
            yield from self._of_agent(word, statement, agent)
        else:
            yield from _of_model(word, statement)
        yield Kind.CONSTANT, None

    def _of_agent(self, word: str, statement: Statement, agent: str) -> Iterator[tuple[Kind, str | None]]:
        if word == "Lobsvars":
            yield Kind.VARIABLE, _ENVIRONMENT
        if word == "Protocol" and _in_actions(statement):
            yield Kind.ACTION, agent
        yield from ((Kind.VARIABLE, agent), (Kind.DEFINITION, agent))
        yield from ((Kind.AGENT, None), (Kind.VALUE, None), (Kind.ACTION, agent))

    def _compared(self, statement: Statement, agent: str) -> list[tuple[Kind, str | None]] | None:
        """What a name is that is compared with a variable or an action."""
        other = self.compared_with(statement, agent)
        if other is None:
            return None
        owner, variable = other
        if variable == "Action":
            return [(Kind.ACTION, owner), *self._variables_first(agent), (Kind.CONSTANT, None)]
        return [*self._variables_first(agent), (Kind.VALUE, f"{owner}.{variable}"), (Kind.CONSTANT, None)]

    @staticmethod
    def _variables_first(agent: str) -> list[tuple[Kind, str | None]]:
        return [(Kind.VARIABLE, agent), (Kind.DEFINITION, agent)] if agent else []

    def compared_with(self, statement: Statement, agent: str) -> tuple[str, str] | None:
        """The variable (owner, name) on the other side of the comparison, or before the set, of a word."""
        at = statement.at - 1
        if statement.texts[at : at + 1] and statement.texts[at] in ("{", ","):
            opened = _opening(statement.texts, at)
            at = opened - 1 if opened is not None and opened and statement.texts[opened - 1] == "in" else -1
        if at >= 1 and statement.texts[at] in _COMPARISONS:
            return self._reference(statement.texts, at - 1, agent)
        after = statement.at + 1
        if statement.texts[after : after + 1] and statement.texts[after] in _COMPARISONS[:3]:
            return _reference_from(statement.texts, after + 1, agent)
        return None

    @staticmethod
    def _reference(texts: list[str], last: int, agent: str) -> tuple[str, str] | None:
        """`x`, `x[e]`, `A.x`, `A(i).x[e]` that ends at a piece."""
        if texts[last] == "]":
            opened = _opening(texts, last)
            last = -1 if opened is None else opened - 1
        if last < 0 or not _is_name(texts[last]):
            return None
        if last >= 2 and texts[last - 1] == ".":
            return _owner_at(texts, last - 2), texts[last]
        return agent, texts[last]

    # -- all places of a name -----------------------------------------------------------------------------

    def occurrences(self, symbol: Symbol, within: Span | None = None) -> list[Span]:
        """All places that mean a symbol, its declaration among them; or those of a part of the text."""
        word = re.compile(rf"(?<!\w){re.escape(symbol.name)}(?!\w)")
        scope = self._scope(symbol)
        start, end = scope[:2] if within is None else (max(scope[0], within[0]), min(scope[1], within[1]))
        places = [Span(*found.span()) for found in word.finditer(self.text, start, end)]
        if symbol.kind in (Kind.VARIABLE, Kind.DEFINITION, Kind.ACTION):
            places = list(self._spoken_of(symbol, places))
        return [place for place in places if not self.is_prose(place.start) and self.meaning(place) == symbol]

    def _spoken_of(self, symbol: Symbol, places: list[Span]) -> Iterator[Span]:
        """The places inside of the agent that owns something, and elsewhere those that name that agent, too.

        A quick look: a text of megabytes has a name in a hundred thousand places.
        """
        own = next((agent.extent for agent in self.survey.agents if agent.name == symbol.owner), Span(0, 0))
        is_seen = symbol.owner == _ENVIRONMENT
        for place in places:
            if own.start <= place.start < own.end or (is_seen and symbol.kind is Kind.VARIABLE):
                yield place
                continue
            first, end = self.text.rfind(";", 0, place.start) + 1, self.text.find(";", place.end)
            if symbol.owner in self.text[first : end if end >= 0 else len(self.text)]:
                yield place

    def _scope(self, symbol: Symbol) -> Span:
        """Where a name can be meant at all."""
        if symbol.kind is Kind.PARAMETER:
            agent = self.survey.agent_at(symbol.span.start)
            return agent.extent if agent else Span(0, len(self.text))
        if symbol.kind is Kind.BOUND:
            statement = self.statement(symbol.span.start)
            if statement is not None:
                return statement.line.extent
        return Span(0, len(self.text))


def _of_model(word: str, statement: Statement) -> Iterator[tuple[Kind, str | None]]:
    """What a name outside of agents may be."""
    if word == "Groups":
        yield Kind.AGENT, None
    if word in ("Formulae", "Fairness"):
        if is_of_agents(statement):
            yield from ((Kind.GROUP, None), (Kind.AGENT, None))
        yield from ((Kind.PROPOSITION, None), (Kind.GROUP, None), (Kind.AGENT, None))
    yield Kind.VALUE, None


def is_of_agents(statement: Statement) -> bool:
    """Whether a word stands where a formula names agents or groups: `K(i, …`, `GK({i, …`, `<i, …`."""
    texts, at = statement.texts, statement.at - 1
    while at >= 0 and (texts[at] in (",", "{", ")") or _is_name(texts[at]) or texts[at].isdigit()):
        if texts[at] == ")":
            opened = _opening(texts, at)
            if opened is None:
                return False
            at = opened - 1
            continue
        if _is_name(texts[at]) and at and texts[at - 1] not in (",", "{", "(", "<"):
            return False
        at -= 1
    if at < 0:
        return False
    if texts[at] == "<":
        return True
    if texts[at] != "(" or at < 1 or texts[at - 1] not in CALLS:
        return False
    return "," not in texts[at : statement.at] or "{" in texts[at : statement.at]


def is_followed_by_dot(statement: Statement) -> bool:
    """`A.x`, `A(i).x`."""
    after = statement.at + 1
    if statement.texts[after : after + 1] == ["("]:
        after = behind_bracket(statement.texts, after)
    return statement.texts[after : after + 1] == ["."]


def owner_before(statement: Statement) -> str:
    """The agent before the dot before a word."""
    return _owner_at(statement.texts, statement.at - 2)


def _owner_at(texts: list[str], last: int) -> str:
    """The name of the reference that ends at a piece: `A`, `A(i)`."""
    if last >= 0 and texts[last] == ")":
        opened = _opening(texts, last)
        last = -1 if opened is None else opened - 1
    return texts[last] if last >= 0 else ""


def _reference_from(texts: list[str], first: int, agent: str) -> tuple[str, str] | None:
    """`x`, `A.x`, `A(i).x` that starts at a piece."""
    if first >= len(texts) or not _is_name(texts[first]):
        return None
    name, at = texts[first], first + 1
    while at < len(texts) and texts[at] == "(":
        while at < len(texts) and texts[at] != ")":
            at += 1
        at += 1
    if texts[at : at + 1] == ["."] and at + 1 < len(texts):
        return name, texts[at + 1]
    return agent, name


def _in_actions(statement: Statement) -> bool:
    """Whether a word stands behind the colon of a protocol line, inside the braces."""
    opened = _opening(statement.texts, statement.at - 1)
    return opened is not None and opened > 0 and statement.texts[opened - 1] == ":"


def _opening(texts: list[str], last: int) -> int | None:
    """The bracket that is open before, or closed at, a piece."""
    depth = 1 if last >= 0 and texts[last] not in tuple(")]}") else 0
    for at in range(last, -1, -1):
        if texts[at] in tuple(")]}"):
            depth += 1
        elif texts[at] in tuple("([{"):
            depth -= 1
            if depth == 0:
                return at
    return None


def _is_name(text: str) -> bool:
    return text[:1].isalpha() or text[:1] == "_"


def _ends_operand(text: str) -> bool:
    """Whether what follows is compared with something: `x < 3`."""
    return text in (")", "]") or (text[:1].isalnum() and text not in _BEFORE_OPERANDS)


def _is_word(char: str) -> bool:
    return char == "_" or (char.isalnum() and char.isascii())
