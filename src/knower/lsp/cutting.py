"""A text cut into pieces that can be read by themselves.

Nothing that is wrong inside an agent depends on the evolutions of others. So an agent is read between what it
needs of the others, and what is behind the agents is read with their declarations.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from zlib import crc32

from knower.errors import Diagnostic
from knower.lsp.kept import moved
from knower.lsp.survey import Survey
from knower.lsp.symbols import Agent
from knower.records import dataclass
from knower.source import Source, Span

#: What others need not know of an agent, as a rule.
_PRIVATE = ("Protocol", "Evolution", "RedStates")
#: What they need not know of one whose variables they do not name.
_UNSEEN = (*_PRIVATE, "Vars", "Obsvars", "Lobsvars")
#: What agents need not know of the model.
_BEHIND = ("Evaluation", "InitStates", "Groups", "Fairness", "Formulae")
#: `A.x`, `A(i).x`: whose what is spoken of.
_MENTION = re.compile(r"(\w+)\s*(?:\([^()]*\)\s*)?\.\s*(\w+)")
#: A longer Evolution is read in parts of so many lines, on average: 32 take 5 ms.
_LONG, _LINES = 10_000, 32
#: A line that ends a statement, and has no comment.
_WHOLE_LINE = re.compile(r"(?m)^(?:(?!--)[^\n])*;[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that is read by itself, between what it needs of the rest."""

    before: str
    text: str
    after: str

    @property
    def whole(self) -> str:
        return self.before + self.text + self.after

    @property
    def within(self) -> Span:
        return Span(len(self.before), len(self.before) + len(self.text))


class Cut:
    """The pieces of a text."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey

    @cached_property
    def agents(self) -> list[Piece]:
        """Each agent with no more around it than it speaks of."""
        return [self._around(agent, _unneeded(mentioned)) for agent, mentioned in self._mentions]

    @cached_property
    def heard(self) -> list[Piece]:
        """The same with the protocols of those whose actions are spoken of: what lints depend on."""
        return [self._around(agent, _unheard(mentioned)) for agent, mentioned in self._mentions]

    def parts(self, k: int) -> list[tuple[int, Piece]]:
        """The pieces of an agent, with where they start: of a long Evolution, some lines at a time."""
        agent, piece = self.survey.agents[k], self.agents[k]
        long = [
            s
            for s in self.survey.sections_in(agent.extent)
            if s.word == "Evolution" and _length(s.extent) > _LONG
        ]
        if len(long) != 1:
            return [(agent.extent.start, piece)]
        first = long[0].extent.start
        head = piece.before + "".join(self._shown(Span(agent.extent.start, first), lambda _: _PRIVATE))
        starts = [agent.extent.start, *self._breaks(long[0].extent), agent.extent.end]
        found: list[tuple[int, Piece]] = []
        for start, end in pairwise(starts):
            before = piece.before if start == agent.extent.start else f"{head}Evolution:\n"
            after = piece.after if end == agent.extent.end else f"\nend Evolution\nend Agent{piece.after}"
            found.append((start, Piece(before, self.survey.text[start:end], after)))
        return found

    def _breaks(self, extent: Span) -> Iterator[int]:
        """Behind some lines of a section, chosen by what stands there: an edit moves no other break."""
        for line in _WHOLE_LINE.finditer(self.survey.text, extent.start, extent.end):
            if crc32(line[0].encode()) % _LINES == 0:
                yield line.end()

    def declared(self, agent: Agent) -> Piece:
        """An agent with all that others declare around it: more to learn from where there is an error."""
        return self._around(agent, lambda _: _PRIVATE)

    @cached_property
    def rest(self) -> Excerpt:
        return Excerpt(self.survey)

    @cached_property
    def _mentions(self) -> list[tuple[Agent, set[tuple[str, str]]]]:
        """Whose what each agent speaks of; what all agents define is spoken of by all."""
        text = self.survey.text
        defined = [s.extent for s in self.survey.sections if s.agent and s.word == "Define"]
        common = {name for extent in defined for name in _MENTION.findall(text, *extent[:2])}
        definers = {(s.agent, "") for s in self.survey.sections if s.agent and s.word == "Define"}
        return [
            (agent, {*_MENTION.findall(text, *agent.extent[:2]), *common, *definers})
            for agent in self.survey.agents
        ]

    def _around(self, agent: Agent, left_out: Callable[[str], tuple[str, ...]]) -> Piece:
        before = "".join(self._shown(Span(0, agent.extent.start), left_out))
        after = "\n" + "".join(self._shown(Span(agent.extent.end, len(self.survey.text)), left_out))
        return Piece(before, self.survey.text[agent.extent.start : agent.extent.end], after)

    def _shown(self, within: Span, left_out: Callable[[str], tuple[str, ...]]) -> Iterator[str]:
        """A part of a text without some sections, and without comments, so that they do not count."""
        at = within.start
        for section in self.survey.sections_in(within):
            if section.word in (left_out(section.agent) if section.agent else _BEHIND):
                yield self._plain(at, section.extent.start)
                at = max(at, section.extent.end)
        yield self._plain(at, within.end)

    def _plain(self, start: int, end: int) -> str:
        known = self._without_comments.get((start, end))
        if known is None:
            known = self._without_comments[start, end] = _without_comments(self.survey.text[start:end])
        return known

    @cached_property
    def _without_comments(self) -> dict[tuple[int, int], str]:
        """Parts of the text that many pieces have around them."""
        return {}


def _unneeded(mentioned: set[tuple[str, str]]) -> Callable[[str], tuple[str, ...]]:
    named = {owner for owner, name in mentioned if name != "Action"} | {"Environment"}
    return lambda owner: _PRIVATE if owner in named else _UNSEEN


def _unheard(mentioned: set[tuple[str, str]]) -> Callable[[str], tuple[str, ...]]:
    heard = {owner for owner, name in mentioned if name == "Action"}
    unneeded = _unneeded(mentioned)
    return lambda owner: _PRIVATE[1:] if owner in heard else unneeded(owner)


def _length(extent: Span) -> int:
    return extent.end - extent.start


def _without_comments(text: str) -> str:
    """Without empty lines, too: they do not count either."""
    lines = (line.partition("--")[0].strip() for line in text.split("\n"))
    return "".join(f"{line}\n" for line in lines if line)


class Excerpt:
    """A text without protocols and evolutions, whose lengths do not count then."""

    def __init__(self, survey: Survey) -> None:
        parts: list[str] = []
        #: Where parts of the excerpt start, and by how many characters and lines they stand further on.
        self._starts, self._shifts = [0], [(0, 0)]
        at = length = lines = 0
        for section in survey.sections:
            if section.agent and section.word in _PRIVATE:
                start, end = section.extent.start, section.extent.end
                parts.append(survey.text[at:start])
                length, lines = length + start - at, lines + survey.text.count("\n", start, end)
                at = end
                self._starts.append(length)
                self._shifts.append((at - length, lines))
        self.text = "".join([*parts, survey.text[at:]])

    @property
    def piece(self) -> Piece:
        return Piece("", self.text, "")

    def placed(self, found: Diagnostic, source: Source) -> Diagnostic:
        """A finding of the excerpt, where it stands in the text."""
        return moved(found, source, *self._shifts[bisect_right(self._starts, found.span.start) - 1])
