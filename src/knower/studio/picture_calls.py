"""Calls that make pictures: reachable states, worlds and announcements, plays of strategies."""

from __future__ import annotations

from itertools import product
from typing import cast

from knower.logic import formula as f
from knower.logic.language import Language, Specification
from knower.messages import Begin, HoldAlong
from knower.simulation.announcing import Worlds
from knower.simulation.neighbourhood import Neighbourhood, neighbourhood
from knower.studio import wire, wire_explore
from knower.studio.workbench import Loaded, Tell, Visit, refused
from knower.system.explicit import Explicit
from knower.system.expressions import JointAction, State
from knower.verdict.evidence import Strategy, everything

#: So many states are drawn, initial ones among them; an arrow says so many joint actions.
_MOST, _ACTIONS = 400, 6


async def graph(visit: Visit, args: wire_explore.AskGraph, tell: Tell) -> wire_explore.GraphData:
    """All reachable states if they are few, else those nearest to a state or to the beginning."""
    loaded = visit.workbench.loaded(args["model"])
    most = max(2, min(args["most"], _MOST))
    given = args["around"]
    if given is None:
        starts = cast("tuple[State, ...]", await visit.call(Begin(loaded.text, "", 0, most + 1)))
    else:
        starts = (loaded.state(given),)
    found = await visit.aside(lambda: neighbourhood(loaded.explicit, starts, most))
    fair = await _fair(visit, loaded, found)
    initial = [loaded.explicit.is_initial(state) for state in found.states]
    return _data(found, initial, fair, found.complete and given is None)


def _data(
    found: Neighbourhood, initial: list[bool], fair: list[bool], complete: bool
) -> wire_explore.GraphData:
    edges: list[wire_explore.EdgeData] = [
        {
            "source": source,
            "target": target,
            "actions": [list(joint) for joint in joints[:_ACTIONS]],
            "count": len(joints),
        }
        for (source, target), joints in found.steps.items()
    ]
    states = [list(state) for state in found.states]
    return {"states": states, "initial": initial, "fair": fair, "edges": edges, "complete": complete}


async def _fair(visit: Visit, loaded: Loaded, found: Neighbourhood) -> list[bool]:
    """Which states have a fair path; all of them without Fairness."""
    if not loaded.model.interpreted.fairness:
        return [True] * len(found.states)
    true = Specification(f.TRUE, Language.PLAIN)
    held = await visit.call(HoldAlong(loaded.text, (true,), found.states))
    return [each is not None for each in cast("tuple[tuple[bool | None, ...], ...]", held)[0]]


async def announce(visit: Visit, args: wire_explore.Announce, tell: Tell) -> wire_explore.Announced:
    """The worlds that are left after some announcements, and where something holds then."""
    loaded = visit.workbench.loaded(args["model"])
    states = [loaded.state(values) for values in args["states"]]
    if len(states) > _MOST:
        raise refused("refused", "too many worlds to announce anything in")
    return await visit.aside(lambda: _announced(loaded, states, args))


def _announced(loaded: Loaded, states: list[State], args: wire_explore.Announce) -> wire_explore.Announced:
    worlds = Worlds(loaded.explicit, states)
    left = []
    for text in args["said"]:
        if worlds.left:  # where no world is left, nothing is evaluated
            worlds = worlds.announced(_body(loaded, text))
        left.append(len(worlds.left))
    asked = args["asked"].strip()
    holds = sorted(worlds.where(_body(loaded, asked))) if asked and worlds.left else []
    return {"left": sorted(worlds.left), "counts": left, "holds": holds}


def _body(loaded: Loaded, text: str) -> f.Formula:
    spec = loaded.model.parse(text)
    if spec.language is not Language.PLAIN:
        raise refused("input", "an announcement says nothing of paths")
    return spec.body


# -- plays --------------------------------------------------------------------------------------------------


async def play(visit: Visit, args: wire.AskWhy, tell: Tell) -> wire_explore.GraphData:
    """A strategy that shows a verdict, as a graph: what its members do, and all that can come of it."""
    run = visit.run(args["run"])
    evidence = next((each.evidence for each in run.result if each.number == args["number"]), None)
    proofs = [] if evidence is None else [part for case in evidence.cases for part in everything(case.proof)]
    strategy = next((proof for proof in proofs if isinstance(proof, Strategy)), None)
    if strategy is None:
        raise refused("refused", "no strategy shows this verdict")
    return await visit.aside(lambda: _played(run.loaded, strategy))


def _played(loaded: Loaded, strategy: Strategy) -> wire_explore.GraphData:
    explicit, chosen = loaded.explicit, _Chosen(loaded.explicit, strategy)
    number = {state: place for place, state in enumerate(strategy.starts[:_MOST])}
    steps: dict[tuple[int, int], list[JointAction]] = {}
    todo, complete = list(number), len(strategy.starts) <= _MOST
    for state in todo:  # grows on the way
        for joint in product(*chosen.options(state)):
            for after in explicit.successors(state, joint):
                if after not in number and len(number) < _MOST:
                    number[after] = len(number)
                    todo.append(after)
                complete = complete and after in number
                if after in number:
                    steps.setdefault((number[state], number[after]), []).append(joint)
    found = Neighbourhood(tuple(number), steps, complete)
    return _data(found, [state in strategy.starts for state in found.states], [True] * len(number), complete)


class _Chosen:
    """What a strategy leaves open: one action for its members where it says something, all for the others."""

    def __init__(self, explicit: Explicit, strategy: Strategy) -> None:
        self.explicit = explicit
        self.strategy = strategy
        self.rows = {
            (agent, row.sees): action
            for row in strategy.rows
            for agent, action in zip(row.agents, row.actions, strict=True)
        }

    def options(self, state: State) -> list[tuple[str | None, ...]]:
        """For each agent what it may do; nothing where the strategy has done its work."""
        told = {agent: self._told(agent, state) for agent in self.strategy.members}
        names = self.explicit.system.agent_named
        if any(names[agent].actions and action is None for agent, action in told.items()):
            return [()]
        enabled = zip(names, self.explicit.options(state), strict=True)
        return [tuple(has) if told.get(name) is None else (told[name],) for name, has in enabled]

    def _told(self, agent: str, state: State) -> str | None:
        seen = self.explicit.sees(agent, state) if self.strategy.by_observation else state
        return self.rows.get((agent, seen))
