"""What the words of a text mean, word by word: in which section they stand and what stands around them.

A word is looked up by its own statement alone, so that a single one of a text of megabytes is found at once.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

from knower.lsp.declarations import behind_bracket, binders
from knower.lsp.roles import roles
from knower.lsp.statement import Line, Statement, is_compared
from knower.lsp.survey import Survey
from knower.lsp.symbols import Kind, Symbol
from knower.lsp.words import is_name, is_of_word
from knower.source import Span
from knower.syntax.lexer import PIECES

#: A comment, or what stands in quotes.
_PROSE = re.compile(r'--[^\n]*|"[^"\n]*"')
#: A statement is looked at so many characters before and behind a word, at most.
_FAR = 100_000


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
        while start and is_of_word(self.text[start - 1]):
            start -= 1
        while end < len(self.text) and is_of_word(self.text[end]):
            end += 1
        return Span(start, end) if start < end and not self.text[start].isdigit() else None

    def sign_at(self, offset: int) -> Span | None:
        """The sign that an offset is in."""
        statement = self.statement(offset)
        if statement is None or statement.at < 0:
            return None
        start = statement.line.starts[statement.at]
        end = start + len(statement.text(0))
        return Span(start, end) if offset < end and not is_name(statement.text(0)) else None

    def is_coalition(self, sign: Span) -> bool:
        """Whether `<` or `>` stands at agents, as in `<g> F p`: not between numbers, nor at a program."""
        statement = self.statement(sign.start)
        if statement is None:
            return False
        texts, at = statement.texts, statement.at
        opened = at if texts[at] == "<" else max((k for k in range(at) if texts[k] == "<"), default=-1)
        if opened < 0 or ">" not in texts[opened:] or is_compared(texts, opened - 1):
            return False
        closed = texts.index(">", opened)
        kinds = {Kind.AGENT, Kind.GROUP}
        inside = [text for text in texts[opened + 1 : closed] if is_name(text)]
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
        starts, ends = self._prose
        at = bisect_left(starts, offset) - 1
        if at < 0:
            return False
        return offset < ends[at] or (offset == ends[at] and self.text[starts[at]] == "-")

    @cached_property
    def _prose(self) -> tuple[list[int], list[int]]:
        """Where comments and quotes start and end."""
        spans = [found.span() for found in _PROSE.finditer(self.text)]
        return [start for start, _ in spans], [end for _, end in spans]

    def statement(self, offset: int) -> Statement | None:
        """The statement that a place stands in, inside of its section."""
        line = self._line
        if line is None or not line.extent.start <= offset < line.extent.end:
            section = self.survey.section_at(offset)
            extent = section.extent if section else self._outside(offset)
            first = self._boundary(offset, max(extent.start, offset - _FAR))
            line = self._line = self._pieces(first, min(extent.end, offset + _FAR))
        return Statement(line, bisect_right(line.starts, offset) - 1) if line.texts else None

    def _outside(self, offset: int) -> Span:
        """What is around a place between sections: it reaches into none of them."""
        agent, between = self.survey.agent_at(offset), self.survey.between_sections(offset)
        extent = agent.extent if agent else Span(max(0, offset - 2000), len(self.text))
        return Span(max(extent.start, between.start), min(extent.end, between.end))

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
        """What a word is the name of."""
        declared = self.survey.declared.get(word.start)
        if declared is not None:
            return declared
        name = self.text[word.start : word.end]
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
        meant = self.survey.by_role(name)
        if not meant:
            return None
        section, agent = self.survey.section_at(word.start), self.survey.agent_at(word.start)
        possible = roles(statement, section.word if section else "", agent.name if agent else "")
        return next((meant[role] for role in possible if role in meant), None)
