"""All places of a text that mean one thing.

A text of megabytes has a name in a hundred thousand places. Most of them stand in sections where a name can
mean one thing only: those are found by one look at the section.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from knower.lsp.reading import Reading
from knower.lsp.symbols import ENVIRONMENT, Kind, Section, Symbol
from knower.source import Span

#: The large sections, which declare nothing.
_LARGE = ("Protocol", "Evolution", "RedStates")
#: What an agent has for itself; what it can name without saying whose it is.
_OWN = (Kind.VARIABLE, Kind.DEFINITION, Kind.PARAMETER)
_COMMON = (Kind.AGENT, Kind.VALUE, Kind.ACTION, Kind.CONSTANT)
#: What ends a clause, which is looked for so far around a place; clauses without brackets, sets and comments.
_CUT, _NEAR, _PLAIN = re.compile(r";|\b(?:if|and|or)\b"), 40, re.compile(r"[\w\s.=!<>+*]*\Z")
#: A statement is searched for the name of an agent so far around a place, at most.
_FAR = 2000


def occurrences(reading: Reading, symbol: Symbol, within: Span | None = None) -> list[Span]:
    """All places that mean a symbol, its declaration among them; or those of a part of the text."""
    scope = _scope(reading, symbol)
    if within is not None:
        scope = Span(max(scope.start, within.start), min(scope.end, within.end))
    return list(_Search(reading, symbol).within(scope))


def whole_word(name: str) -> re.Pattern[str]:
    """A name that is no part of a longer one; patterns that begin with letters are found fastest."""
    return re.compile(rf"{name}(?<!\w{name})(?!\w)")


def _scope(reading: Reading, symbol: Symbol) -> Span:
    """Where a name can be meant at all."""
    if symbol.kind is Kind.PARAMETER:
        agent = reading.survey.agent_at(symbol.span.start)
        if agent is not None:
            return agent.extent
    if symbol.kind is Kind.BOUND:
        statement = reading.statement(symbol.span.start)
        if statement is not None:
            return statement.line.extent
    return Span(0, len(reading.text))


class _Search:
    """One symbol is looked for."""

    def __init__(self, reading: Reading, symbol: Symbol) -> None:
        self._reading = reading
        self._text = reading.text
        self._symbol = symbol
        self._word = whole_word(symbol.name)
        self._behind_dot = re.compile(rf"\.\s*({symbol.name})(?!\w)")
        self._bound = re.compile(rf"{self._word.pattern}\s*:")
        self._kinds = Counter(each.kind for each in reading.survey.named.get(symbol.name, ()))
        agents = reading.survey.agents
        self._own = next((agent.extent for agent in agents if agent.name == symbol.owner), Span(0, 0))

    def within(self, scope: Span) -> Iterator[Span]:
        at = scope.start
        for section in self._reading.survey.sections_in(scope):
            start, end = max(section.extent.start, at), min(section.extent.end, scope.end)
            if section.word in _LARGE and section.agent and not self._is_bound(section):
                yield from self._one_by_one(self._places(at, start))
                settled = self._is_settled(section.agent)
                yield from (self._settled if settled else self._by_clauses)(section, start, end)
                at = end
        yield from self._one_by_one(self._places(at, scope.end))

    def _places(self, start: int, end: int) -> Iterator[Span]:
        """Where the name stands outside of comments and quotes."""
        is_prose = self._reading.is_prose
        for found in self._word.finditer(self._text, start, end):
            if not is_prose(found.start()):
                yield Span(*found.span())

    def _is_bound(self, section: Section) -> bool:
        """Whether a quantifier or the like may bind the name."""
        if self._symbol.kind is Kind.BOUND:
            return True
        return self._bound.search(self._text, section.extent.start, section.extent.end) is not None

    # -- sections where a name means one thing ------------------------------------------------------------

    def _is_settled(self, agent: str) -> bool:
        """Whether the name, not behind a dot, means one thing at most in an agent, whatever is around it."""
        if self._kinds[Kind.VALUE] > 1 or self._kinds[Kind.ACTION] > 1:
            return False
        meant = self._meant(agent)
        return len(meant) < 2 and not any(s.kind is Kind.ACTION and s.owner != agent for s in meant)

    def _meant(self, agent: str) -> list[Symbol]:
        """What the name can mean inside of an agent, not behind a dot."""
        named = self._reading.survey.by_role(self._symbol.name)
        possible = [(kind, agent) for kind in _OWN] + [(kind, None) for kind in _COMMON]
        return [named[role] for role in possible if role in named]

    def _settled(self, section: Section, start: int, end: int) -> Iterator[Span]:
        """The places in such a section; those behind a dot are looked at one by one."""
        dotted = [Span(*found.span(1)) for found in self._behind_dot.finditer(self._text, start, end)]
        others = [place for place in dotted if not self._reading.is_prose(place.start)]
        if self._symbol not in self._meant(section.agent):
            yield from self._one_by_one(others)
        elif not others:
            yield from self._places(start, end)
        else:
            meant = {place: self._means(place) for place in others}
            yield from (place for place in self._places(start, end) if meant.get(place, True))

    # -- elsewhere ----------------------------------------------------------------------------------------

    def _by_clauses(self, section: Section, start: int, end: int) -> Iterator[Span]:
        """In an Evolution a name means the same wherever its clause (up to `and`, `if` …) is the same."""
        known: dict[tuple[str, str], bool] = {}
        for place in filter(self._may_be_meant, self._places(start, end)):
            clause = self._clause(place) if section.word == "Evolution" else None
            means = None if clause is None else known.get(clause)
            if means is None:
                means = self._means(place)
            if clause is not None:
                known[clause] = means
            if means:
                yield place

    def _clause(self, place: Span) -> tuple[str, str] | None:
        """What stands before and behind a place in its clause; None where brackets count, or more."""
        before = _CUT.split(self._text[max(0, place.start - _NEAR) : place.start])
        behind = _CUT.split(self._text[place.end : place.end + _NEAR], maxsplit=1)
        if len(before) < 2 or len(behind) < 2 or not _PLAIN.match(before[-1] + behind[0]):
            return None
        return before[-1], behind[0]

    def _one_by_one(self, places: Iterable[Span]) -> Iterator[Span]:
        return (place for place in places if self._may_be_meant(place) and self._means(place))

    def _means(self, place: Span) -> bool:
        return self._reading.meaning(place) == self._symbol

    def _may_be_meant(self, place: Span) -> bool:
        """A quick look: inside of the agent that owns something; elsewhere, where that agent is named."""
        symbol = self._symbol
        if symbol.kind not in (Kind.VARIABLE, Kind.DEFINITION, Kind.ACTION):
            return True
        if self._own.start <= place.start < self._own.end:
            return True
        if symbol.owner == ENVIRONMENT and symbol.kind is Kind.VARIABLE:
            return True
        first = self._text.rfind(";", max(0, place.start - _FAR), place.start) + 1
        end = self._text.find(";", place.end, place.end + _FAR)
        if first == 0 or end < 0:  # a long statement
            return True
        return symbol.owner in self._text[first:end]
