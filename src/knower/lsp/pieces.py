"""The errors of a text, agent by agent: what was not changed is not read again."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import perf_counter

from knower.errors import Diagnostic, InputError
from knower.lsp.cutting import Cut, Piece
from knower.lsp.kept import Kept, inside, moved, placed
from knower.lsp.survey import Survey
from knower.lsp.symbols import Agent
from knower.model import Model
from knower.records import dataclass
from knower.source import Source, Span

_Errors = tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The errors of a text. If not all of it was read, what was known of the rest before stands in for it."""

    errors: list[Diagnostic]
    is_complete: bool
    #: The agents without errors, by their places in the text.
    sound: frozenset[int]


class Pieces:
    """Errors of the versions of one text, remembered by what they depend on."""

    def __init__(self) -> None:
        self._known: Kept[Piece, _Errors] = Kept()
        #: Of each agent, what was known last.
        self._last: dict[str, _Errors] = {}
        #: How many pieces were read: the others were known.
        self.read = 0

    def errors(self, source: Source, cut: Cut, *, near: int = 0, until: float = inf) -> Found:
        """All errors of a text, as far as they can be told piece by piece.

        What stands near a place is read first, and nothing more once it is so late.
        """
        if not cut.survey.agents:
            return Found(list(_errors(source)), True, frozenset())
        rest = self._of_rest(source, cut)
        by_agent = self._of_agents(cut, near, until)
        agents = cut.survey.agents
        found = [
            placed(error, source, agents[k].extent.start)
            for k, errors in by_agent.items()
            for error in (errors if errors is not None else self._last.get(agents[k].name, ()))
        ]
        unique = {(error.code, error.span, error.message): error for error in [*found, *rest]}
        sound = frozenset(k for k, errors in by_agent.items() if errors == ())
        complete = None not in by_agent.values()
        return Found(sorted(unique.values(), key=lambda error: error.span), complete, sound)

    def _of_agents(self, cut: Cut, near: int, until: float) -> dict[int, _Errors | None]:
        """The errors of each agent; None where it is too late to read it."""
        found: dict[int, _Errors | None] = {}
        for k in sorted(range(len(cut.agents)), key=lambda k: _distance(cut.survey.agents[k], near)):
            if self._is_known(cut, k) or perf_counter() < until or not found:
                found[k] = self._last[cut.survey.agents[k].name] = self._of_agent(cut, k)
            else:
                found[k] = None
        return found

    def _is_known(self, cut: Cut, k: int) -> bool:
        return all(part in self._known for _, part in cut.parts(k))

    def _of_agent(self, cut: Cut, k: int) -> _Errors:
        """Errors are told with all that is declared around them, which their cures may name."""
        agent, parts = cut.survey.agents[k], cut.parts(k)
        found = [(start, self._errors_of(part)) for start, part in parts]
        if len(parts) == 1 and found[0][1]:
            return self._errors_of(cut.declared(agent))
        begin = agent.extent.start
        lines = [cut.survey.text.count("\n", begin, start) if errors else 0 for start, errors in found]
        return tuple(
            moved(error, None, start - begin, more)
            for (start, errors), more in zip(found, lines, strict=True)
            for error in errors
        )

    def _of_rest(self, source: Source, cut: Cut) -> list[Diagnostic]:
        """What stands between and behind the agents, with what agents declare."""
        errors = [cut.rest.placed(error, source) for error in self._errors_of(cut.rest.piece)]
        return [error for error in errors if not _in_agent(cut.survey, error.span)]

    def _errors_of(self, piece: Piece) -> _Errors:
        known = self._known.get(piece)
        return self._known.keep(piece, self._read(piece)) if known is None else known

    def _read(self, piece: Piece) -> _Errors:
        self.read += 1
        return inside(_errors(Source("<piece>", piece.whole)), piece.within)


def _distance(agent: Agent, offset: int) -> int:
    return max(agent.extent.start - offset, offset - agent.extent.end, 0)


def _errors(source: Source) -> _Errors:
    try:
        Model.read(source)
    except InputError as error:
        return tuple(replace(each, source=source) for each in error.diagnostics)
    return ()


def _in_agent(survey: Survey, span: Span) -> bool:
    agent = survey.agent_at(span.start)
    return agent is not None and span.start < agent.extent.end
