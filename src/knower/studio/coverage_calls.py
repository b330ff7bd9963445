"""The call that says which lines and actions of a model never come to anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from knower.messages import Begin
from knower.simulation.coverage import Coverage, coverage
from knower.simulation.neighbourhood import neighbourhood
from knower.source import Span
from knower.studio import wire_explore
from knower.studio.why_calls import source_line
from knower.studio.workbench import Loaded, Tell, Visit
from knower.syntax.tree import Placed
from knower.system.expressions import State

#: So many states are looked at: about a second for a model with a few agents.
_MOST = 2_000


async def covered(visit: Visit, args: wire_explore.AskCoverage, tell: Tell) -> wire_explore.CoverageData:
    """Lines that fire in no state that was looked at, and actions that are done in none."""
    loaded = visit.workbench.loaded(args["model"])
    starts = cast("tuple[State, ...]", await visit.call(Begin(loaded.text, "", 0, _MOST + 1)))
    return await visit.aside(lambda: _covered(loaded, starts))


def _covered(loaded: Loaded, starts: tuple[State, ...]) -> wire_explore.CoverageData:
    found = neighbourhood(loaded.explicit, starts, _MOST)
    known = coverage(loaded.explicit, found)
    system = loaded.model.interpreted
    idle: list[wire_explore.IdleAction] = [
        {"agent": agent.name, "action": action}
        for agent, done in zip(system.agents, known.actions, strict=True)
        for action in agent.actions
        if action not in done
    ]
    lines = [source_line(loaded, agent, section, line) for agent, section, line in _idle_lines(loaded, known)]
    return {"states": len(found.states), "complete": found.complete, "lines": lines, "actions": idle}


def _idle_lines(loaded: Loaded, known: Coverage) -> Iterator[tuple[str, str, Placed]]:
    """Lines that no agent they are written for has used: agents of one template share theirs."""
    used: set[Span] = set()
    idle: dict[Span, tuple[str, str, Placed]] = {}
    for place, decl in enumerate(loaded.model.module.agents):
        name = loaded.model.interpreted.agents[place].name
        for section, lines, fired in (
            ("Protocol", decl.protocol, known.protocol[place]),
            ("Evolution", decl.evolution, known.evolution[place]),
        ):
            for number, line in enumerate(lines):
                if number in fired:
                    used.add(line.span)
                else:
                    idle.setdefault(line.span, (name, section, line))
    yield from (line for span, line in idle.items() if span not in used)
