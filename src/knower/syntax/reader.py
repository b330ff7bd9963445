"""Reading a text section by section: the token that is next, mistakes, and where to go on after one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from knower.errors import Diagnostic, InputError
from knower.syntax.conditions import ExpressionParser, expected
from knower.syntax.foreign_syntax import foreign_condition
from knower.syntax.lexer import END, NAME, NUMBER, Tokens
from knower.syntax.tree import Identifier, Phrase, Place

T = TypeVar("T")
#: Says how something is written, of which a token is not the beginning.
Cure: TypeAlias = Callable[[Tokens, int], str | None]

#: What may end a section, in place of another line of it: `end`, a new `Agent`, the end of the text.
_LAST_WORDS = ("end", "Agent", "")
#: Sections without an `end`.
_ONE_LINE = ("Actions", "Lobsvars", "Const", "Agent")
_WRITTEN = {
    "Actions": "write `Actions = {a, b};`",
    "Lobsvars": "write `Lobsvars = {x, y};`",
    "Const": "write `Const n = 3;`",
    "Agent": "write `Agent Name … end Agent`",
}
#: What follows `Agent` where it is the name of a variable.
_NO_AGENTS = ("if", "and", "or")


class Reader:
    """A text, the token that is next, and the mistakes found so far."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.at = 0
        self.expressions = ExpressionParser(tokens)
        self.terms = self.expressions.terms
        self.errors: list[Diagnostic] = []
        #: Sections that were begun with another word, which may end them, too.
        self._spelt: dict[str, str] = {}

    # -- sections ----------------------------------------------------------------------------------

    def section(self, word: str, line: Callable[[], T]) -> tuple[T, ...]:
        """`Word [:] line* end Word`."""
        texts = self.tokens.texts
        self.at += 1
        self.at += self.kind == ":"
        lines: list[T] = []
        while texts[self.at] not in _LAST_WORDS or not self._is_over():
            try:
                lines.append(line())
            except InputError as error:
                self.errors += error.diagnostics
                self.recover()
        self.end(word)
        return tuple(lines)

    def _is_over(self) -> bool:
        """Whether a section ends at one of `_LAST_WORDS`, with its own `end` or without."""
        if self.text != "Agent":
            return True
        return self.tokens.kinds[self.at + 1] == NAME and self.tokens.texts[self.at + 1] not in _NO_AGENTS

    def condition_section(self, word: str) -> Phrase | None:
        """A section of one condition; several lines are an error, none is an empty section."""

        def line() -> Phrase:
            condition = self.condition()
            if self.text != "end":
                self.take(";")
            return condition

        first = self.at
        conditions = self.section(word, line)
        if len(conditions) > 1:
            span = self.tokens.span(first)
            message = f"{word} holds one condition, here are {len(conditions)}"
            cure = "join them with `and` or `or`"
            self.errors.append(Diagnostic("E402", message, self.tokens.source, span, cure))
        return conditions[0] if conditions else None

    def begun_as(self, section: str) -> bool:
        """Report a word that means a section; it is read as that one, if it has an end."""
        word, texts = self.text, self.tokens.texts
        cure = _WRITTEN.get(section, f"write `{section} … end {section}`")
        self.errors += expected(self.tokens, self.at, f"`{section}`", cure).diagnostics
        self._spelt[section] = word
        ends = [place for place in range(self.at, len(texts) - 1) if texts[place] == "end"]
        return any(texts[place + 1] in (section, word) for place in ends) or section in _ONE_LINE

    def skip_section(self, word: str) -> None:
        texts, last = self.tokens.texts, len(self.tokens.texts) - 1
        names = (word, self._spelt.get(word, word))
        try:
            self.at = texts.index("end", self.at)
            while texts[self.at + 1] not in names:
                self.at = texts.index("end", self.at + 1)
        except ValueError:  # there is no such end
            self.at = last
        self.at = min(self.at + 2, last)

    def skip_unknown(self, word: str) -> None:
        """Go on behind `end Word` if there is one in this agent, else behind the next `;`."""
        texts, at = self.tokens.texts, self.at
        while at + 1 < len(texts) and texts[at : at + 2] not in (["end", word], ["end", "Agent"]):
            at += 1
        if texts[at : at + 2] == ["end", word]:
            self.at = at + 2
        else:
            self.recover()

    def ends(self, word: str) -> bool:
        texts, at = self.tokens.texts, self.at
        if texts[at] != "end":
            return False
        return texts[at + 1] == word or texts[at + 1] == self._spelt.get(word, word)  # the last is none

    def end(self, word: str) -> None:
        if self.ends(word):
            self.at += 2
            return
        is_end = self.text == "end"
        cure = f"write `end {word}`" if is_end else None
        self.errors += expected(self.tokens, self.at, f"`end {word}`", cure).diagnostics
        if is_end and not self._is_end_of_agent():
            self.at += 1 + (self.tokens.kinds[self.at + 1] == NAME and not self._begins_line(self.at + 1))

    def _is_end_of_agent(self) -> bool:
        """Whether it is the agent that ends here, whose section has no end of its own."""
        return self.tokens.texts[self.at + 1] == "Agent"

    def _begins_line(self, at: int) -> bool:
        """Whether a token is the first of its line."""
        position = self.tokens.source.position
        return at == 0 or position(self.tokens.starts[at]).line > position(self.tokens.starts[at - 1]).line

    def guarded(self, part: Callable[[], T], instead: T) -> T:
        try:
            return part()
        except InputError as error:
            self.errors += error.diagnostics
            self.recover()
            return instead

    def recover(self) -> None:
        """Go on behind the next `;`, or before the next `end`."""
        while self.kind not in (";", END) and self.text != "end":
            self.at += 1
        self.at += self.kind == ";"

    # -- tokens ------------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        return self.tokens.kinds[self.at]

    @property
    def text(self) -> str:
        return self.tokens.texts[self.at]

    def take(self, text: str, cure: Cure | None = None) -> None:
        if self.tokens.texts[self.at] != text:
            told = cure(self.tokens, self.at) if cure is not None else None
            if text == ";":
                self._end_of_line(told)
                return
            raise expected(self.tokens, self.at, f"`{text}`", told)
        self.at += 1

    def _end_of_line(self, cure: str | None) -> None:
        """A `;` that is missing at the end of a line is told there, and the next line is read as one."""
        tokens, at = self.tokens, self.at
        if at and (self._begins_line(at) or self.text == "end"):
            message = f"a `;` is missing behind `{tokens.texts[at - 1]}`"
            self.errors.append(
                Diagnostic("E103", message, tokens.source, tokens.span(at - 1), "end the line with `;`")
            )
            return
        if cure is None and self.kind in (NAME, NUMBER, "(", "!"):
            cure = foreign_condition(tokens, at) or "join conditions with `and` or `or`"
        raise expected(tokens, at, "an operator or `;`", cure)

    def identifier(self) -> Identifier:
        tokens, at = self.tokens, self.at
        if tokens.kinds[at] != NAME:
            raise expected(tokens, at, "a name")
        self.at = at + 1
        return Identifier(tokens.texts[at], (tokens, at, at))

    def since(self, first: int) -> Place:
        """The tokens from `first` on that have been read."""
        return self.tokens, first, self.at - 1

    def condition(self) -> Phrase:
        condition, self.at = self.expressions.parse(self.at)
        return condition

    def note(self, word: str, seen: set[str]) -> None:
        """Report a section that was seen before."""
        if word in seen:
            message, span = f"the section {word} stands here a second time", self.tokens.span(self.at)
            self.errors.append(Diagnostic("E401", message, self.tokens.source, span, "merge the two"))
        seen.add(word)
