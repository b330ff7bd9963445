"""What a text declares, found without a parser: so that broken texts have an outline, too.

Sections are told by their words. What is inside of protocols and evolutions, most of a large text, is not
looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

from knower.lsp.declarations import DECLARED, binders
from knower.lsp.symbols import Agent, Kind, Role, Section, Symbol
from knower.source import Span
from knower.syntax.lexer import PIECES

#: A comment, a text in quotes, or a word of structure.
_STRUCTURE = re.compile(
    r"--[^\n]*|\"[^\"\n]*\"|(?<![\w.])(?:Agent|Vars|Obsvars|Lobsvars|Actions|RedStates|Protocol|Evolution|Define"
    r"|Evaluation|InitStates|Groups|Fairness|Formulae|Semantics|Const|end)(?!\w)"
)
_NAME = re.compile(r"\s*([A-Za-z_]\w*)")
_AGENT_SECTIONS = ("Vars", "Obsvars", "Lobsvars", "Actions", "RedStates", "Protocol", "Evolution", "Define")
_TOP_SECTIONS = ("Evaluation", "InitStates", "Groups", "Fairness", "Formulae", "Semantics", "Const")
#: Sections of one line.
_LINES = ("Lobsvars", "Actions", "Define", "Semantics", "Const")
_NO_AGENTS = ("if", "and", "or")


class Survey:
    """The agents, sections and declared names of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.agents: list[Agent] = []
        self.sections: list[Section] = []
        _Scan(text, self).run()
        self._by_role: dict[str, dict[Role, Symbol]] = {}
        self._agent_starts = [agent.extent.start for agent in self.agents]
        self._section_starts = [section.extent.start for section in self.sections]

    @cached_property
    def symbols(self) -> list[Symbol]:
        """All that is declared, in the order of the text."""
        found = [symbol for agent in self.agents for symbol in self._of_head(agent)]
        for section in self.sections:
            read = DECLARED.get(section.word)
            if read is not None:
                found += read(self.text, section)
        return sorted(found, key=lambda symbol: symbol.span)

    @cached_property
    def named(self) -> dict[str, list[Symbol]]:
        """What each name may be the name of."""
        found: dict[str, list[Symbol]] = {}
        for symbol in self.symbols:
            found.setdefault(symbol.name, []).append(symbol)
        return found

    @cached_property
    def declared(self) -> dict[int, Symbol]:
        """What is declared, by the places of its names."""
        return {symbol.span.start: symbol for symbol in reversed(self.symbols)}

    def by_role(self, name: str) -> dict[Role, Symbol]:
        """What a name may be the name of: of each kind and owner, and of each kind, the first."""
        known = self._by_role.get(name)
        if known is None:
            known = self._by_role[name] = {}
            for symbol in self.named.get(name, ()):
                known.setdefault((symbol.kind, symbol.owner), symbol)
                known.setdefault((symbol.kind, None), symbol)
        return known

    @cached_property
    def parameters(self) -> dict[str, list[Symbol]]:
        """The parameters of each agent that has some."""
        found: dict[str, list[Symbol]] = {}
        for symbol in self.symbols:
            if symbol.kind is Kind.PARAMETER:
                found.setdefault(symbol.owner, []).append(symbol)
        return found

    def of(self, kind: Kind, owner: str | None = None) -> list[Symbol]:
        """The symbols of a kind; of one owner, or of all."""
        return [s for s in self.symbols if s.kind is kind and owner in (None, s.owner)]

    def agent_at(self, offset: int) -> Agent | None:
        at = bisect_right(self._agent_starts, offset) - 1
        return self.agents[at] if at >= 0 and offset <= self.agents[at].extent.end else None

    def section_at(self, offset: int) -> Section | None:
        at = bisect_right(self._section_starts, offset) - 1
        return self.sections[at] if at >= 0 and offset <= self.sections[at].extent.end else None

    def between_sections(self, offset: int) -> Span:
        """The part of the text between the sections before and behind a place that stands in none."""
        at = bisect_right(self._section_starts, offset)
        end = self._section_starts[at] if at < len(self.sections) else len(self.text)
        return Span(self.sections[at - 1].extent.end if at else 0, end)

    def sections_in(self, within: Span) -> list[Section]:
        """The sections that stand in a part of the text, or reach into it."""
        first = bisect_left(self._section_starts, within.start)
        if first and self.sections[first - 1].extent.end > within.start:
            first -= 1
        return self.sections[first : bisect_left(self._section_starts, within.end)]

    def _of_head(self, agent: Agent) -> Iterator[Symbol]:
        """An agent and its parameters, `Agent Child(i : 1..n)`."""
        after = agent.span.end
        parameters = ""
        if self.text[after : after + 40].lstrip().startswith("("):
            start = self.text.index("(", after)
            end = _closing(self.text, start)
            parameters = self.text[start:end]
            for bound in binders(parameters, start, Kind.PARAMETER):
                yield Symbol(Kind.PARAMETER, bound.name, bound.span, bound.extent, agent.name, bound.detail)
        yield Symbol(Kind.AGENT, agent.name, agent.span, agent.extent, "", parameters)


class _Scan:
    """One pass over the words of structure."""

    def __init__(self, text: str, survey: Survey) -> None:
        self.text = text
        self.survey = survey
        self.agent: tuple[str, Span, int] | None = None
        self.section: tuple[str, int] | None = None

    def run(self) -> None:
        behind = 0
        for found in _STRUCTURE.finditer(self.text):
            word = found[0]
            if found.start() < behind or word[0] in '-"':
                continue
            behind = self._met(word, found.start(), found.end()) or behind
        self._close_agent(len(self.text))

    def _met(self, word: str, start: int, end: int) -> int | None:
        """One word of structure; where to go on, if not right behind it."""
        if word == "end":
            return self._ended(start, end)
        if word == "Agent":
            name = _NAME.match(self.text, end)
            if name is None or name[1] in _NO_AGENTS or (self.section and not self._begins_line(start)):
                return None
            self._close_agent(start)
            self.agent = (name[1], Span(*name.span(1)), start)
            return name.end()
        return self._opened(word, start, end)

    def _opened(self, word: str, start: int, end: int) -> int | None:
        after = self.text[end : end + 80].lstrip()[:1]
        if word in _LINES and (self.section is None or self._begins_line(start)):
            if word not in ("Define", "Const") and after != "=":
                return None
            return self._line(word, start)
        if self.section is not None and not (self._begins_line(start) and after == ":"):
            if word not in _TOP_SECTIONS or not self._begins_line(start) or after in ("=", ":", ";", ""):
                return None
        if word in _TOP_SECTIONS:
            self._close_agent(start)
        elif self.agent is None:
            return None
        self._close_section(start)
        self.section = (word, start)
        return None

    def _line(self, word: str, start: int) -> int:
        """A section of one line, up to its `;`, or to the next line that begins a section."""
        self._close_section(start)
        if word in _TOP_SECTIONS:
            self._close_agent(start)
        end = _line_end(self.text, start)
        self.survey.sections.append(Section(word, Span(start, end), self._agent_name()))
        return end

    def _ended(self, start: int, end: int) -> int | None:
        name = _NAME.match(self.text, end)
        if name is None:
            return None
        if name[1] == "Agent":
            self._close_agent(name.end())
        elif self.section is not None and (name[1] == self.section[0] or name[1] in _SECTION_WORDS):
            self._close_section(name.end())
        else:
            return None
        return name.end()

    def _close_section(self, end: int) -> None:
        if self.section is not None:
            word, start = self.section
            self.survey.sections.append(Section(word, Span(start, end), self._agent_name()))
            self.section = None

    def _close_agent(self, end: int) -> None:
        self._close_section(end)
        if self.agent is not None:
            name, span, start = self.agent
            self.survey.agents.append(Agent(name, span, Span(start, end)))
            self.agent = None

    def _agent_name(self) -> str:
        return self.agent[0] if self.agent else ""

    def _begins_line(self, at: int) -> bool:
        return not self.text[self.text.rfind("\n", 0, at) + 1 : at].strip()


_SECTION_WORDS = (*_AGENT_SECTIONS, *_TOP_SECTIONS)


def _line_end(text: str, start: int) -> int:
    """Behind the `;` of a line; before whatever begins a section, if there is none."""
    for piece in PIECES.finditer(text, start + 1):
        if piece[0] == ";":
            return piece.end()
        if piece[0] in ("end", "Agent", *_SECTION_WORDS) and "\n" in text[start : piece.start()]:
            return piece.start()
    return len(text)


def _closing(text: str, start: int) -> int:
    """Behind the bracket that closes the one at `start`, in the same statement."""
    depth = 0
    for piece in PIECES.finditer(text, start):
        depth += (piece[0] in "([{") - (piece[0] in ")]}")
        if depth == 0 or piece[0] == ";":
            return piece.end()
    return len(text)
