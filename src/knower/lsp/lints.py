"""The lints of a text, agent by agent, found by a worker: what was not changed is not looked at again."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import cast

from knower.errors import Diagnostic, InputError, LimitReached, merged
from knower.lsp.cutting import Cut, Piece
from knower.lsp.kept import Kept, inside, placed
from knower.lsp.threads import beside
from knower.messages import Call, LintAgents, LintModel, Text
from knower.options import Limits
from knower.records import dataclass
from knower.session import Session
from knower.source import Source
from knower.system.findings import AgentFindings, Key

#: A piece is looked at for mistakes so long at most, in seconds.
_LOOK = Limits(30)
_NAME = "<piece>"
_Findings = tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Rest:
    """What lints of no agent depend on: the text without agents' own parts, and what is known of those."""

    text: str
    reads: frozenset[Key]
    with_history: frozenset[Key]


class Lints:
    """Lints of the versions of one text, remembered by what they depend on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._agents: Kept[Piece, AgentFindings] = Kept()
        self._rests: Kept[_Rest, _Findings] = Kept()
        #: How many pieces were looked at: the others were known.
        self.looks = 0

    def known(self, source: Source, cut: Cut, sound: Collection[int]) -> list[Diagnostic]:
        """What is known of a text now; `sound`: which of its agents have no errors."""
        found = [
            placed(each, source, cut.survey.agents[k].extent.start)
            for k in sound
            for each in self._of_agent(cut, k).findings
        ]
        rest = self._rest(cut, sound)
        for each in (self._rests.get(rest) or ()) if rest is not None else ():
            found.append(cut.rest.placed(each, source))
        return sorted(found, key=lambda each: (each.span, each.code))

    def _of_agent(self, cut: Cut, k: int) -> AgentFindings:
        return self._agents.get(cut.heard[k]) or _NOTHING

    async def look(self, cut: Cut, sound: Collection[int], *, all_of_it: bool) -> None:
        """Have all looked at that is not known; what is no agent's own only if all is without errors."""
        for k in sorted(sound):
            if cut.heard[k] not in self._agents:
                await self._look_at(cut.heard[k])
        rest = self._rest(cut, sound) if all_of_it else None
        if rest is not None and rest not in self._rests:
            agents = (AgentFindings((), rest.reads, rest.with_history),)
            found = await self._asked(LintModel(Text(_NAME, rest.text), agents))
            if found is not None:
                findings = tuple(cast("list[Diagnostic]", found))
                self._rests.keep(rest, inside(findings, cut.rest.piece.within))

    async def _look_at(self, piece: Piece) -> None:
        found = await self._asked(LintAgents(Text(_NAME, piece.whole), piece.within))
        if found is not None:
            self._agents.keep(piece, _joined(cast("list[AgentFindings]", found), piece))

    async def _asked(self, call: Call) -> object:
        """The answer of a worker; None where a limit is met, or the session is over."""
        self.looks += 1
        try:
            return await beside(lambda: self._session.call(call, _LOOK))
        except (InputError, LimitReached, RuntimeError):
            return None

    def _rest(self, cut: Cut, sound: Collection[int]) -> _Rest | None:
        """What is known of the agents together; None if one is missing."""
        known = [self._agents.get(cut.heard[k]) for k in range(len(cut.heard)) if k in sound]
        agents = [each for each in known if each is not None]
        if len(agents) < len(cut.heard):
            return None
        return _Rest(cut.rest.text, _union(a.reads for a in agents), _union(a.with_history for a in agents))


_NOTHING = AgentFindings((), frozenset(), frozenset())


def _joined(instances: list[AgentFindings], piece: Piece) -> AgentFindings:
    """What was found in all instances of an agent, as one."""
    return AgentFindings(
        inside(tuple(merged(each for agent in instances for each in agent.findings)), piece.within),
        _union(agent.reads for agent in instances),
        _union(agent.with_history for agent in instances),
    )


def _union(sets: Iterable[frozenset[Key]]) -> frozenset[Key]:
    return frozenset[Key]().union(*sets)
