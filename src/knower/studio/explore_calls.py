"""Calls of the simulator: where one can begin and go, why not elsewhere, and who knows what on the way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import cast

from knower.errors import InputError, Undecided
from knower.messages import Begin, Consider
from knower.records import dataclass
from knower.report.why_data import RunData
from knower.simulation.lines import conjuncts, holds
from knower.simulation.views import members
from knower.simulation.walk import Simulation
from knower.source import NOWHERE
from knower.studio import wire_explore
from knower.studio.why_calls import source_line
from knower.studio.workbench import Loaded, Tell, Visit, questions, refused, simulation
from knower.syntax import tree
from knower.syntax.places import located
from knower.system.expressions import Condition, JointAction, State
from knower.verdict.moves import Possible

#: So many states, joint actions and successors are listed; a walk has no more steps.
_STATES, _MOVES, _SUCCESSORS, _STEPS = 60, 120, 12, 1_000


async def begin(visit: Visit, args: wire_explore.Begin, tell: Tell) -> wire_explore.States:
    """The first initial states, of those that satisfy a condition."""
    loaded = visit.workbench.loaded(args["model"])
    found = await visit.call(Begin(loaded.text, args["where"], 0, _STATES + 1))
    states = cast("tuple[State, ...]", found)
    count = str(len(states)) if len(states) <= _STATES else None
    return {"states": [list(state) for state in states[:_STATES]], "count": count}


async def look(visit: Visit, args: wire_explore.Look, tell: Tell) -> wire_explore.Situation:
    """What can be done at a state."""
    loaded = visit.workbench.loaded(args["model"])
    state = loaded.state(args["state"])
    return await visit.aside(lambda: _situation(at(visit, loaded, state), {}))


async def moves(visit: Visit, args: wire_explore.Moves, tell: Tell) -> wire_explore.Situation:
    """The same, of the joint actions in which some agents do this."""
    loaded = visit.workbench.loaded(args["model"])
    state = loaded.state(args["state"])
    return await visit.aside(lambda: _situation(at(visit, loaded, state), args["only"]))


def at(visit: Visit, loaded: Loaded, state: State) -> Simulation:
    """A simulation that stands at a state, however it came there."""
    return simulation(loaded, visit.workbench)._along((state,), ())


def _situation(walk: Simulation, only: dict[str, str]) -> wire_explore.Situation:
    agents = zip(walk.system.agents, walk.choices, strict=True)
    choices: list[wire_explore.AgentChoices] = [
        {
            "agent": agent.name,
            "enabled": [action for action in enabled if action is not None],
            "disabled": [action for action in agent.actions if action not in enabled],
        }
        for agent, enabled in agents
    ]
    return {
        "initial": walk.is_initial(walk.state),
        "propositions": list(walk.propositions),
        "choices": choices,
        "ways": str(walk.ways),
        "moves": list(_moves(walk, only)),
    }


def _moves(walk: Simulation, only: dict[str, str]) -> Iterator[wire_explore.MoveData]:
    for move in islice(walk.moves(only), _MOVES):
        yield {
            "action": [move.action.get(agent.name) for agent in walk.system.agents],
            "states": [list(state) for state in walk.successors(move, _SUCCESSORS)],
            "count": str(move.successors),
            "trouble": move.trouble,
        }


async def walk(visit: Visit, args: wire_explore.Walk, tell: Tell) -> wire_explore.Walked:
    """Some random steps."""
    loaded, given = visit.workbench.loaded(args["model"]), args["state"]
    begun = simulation(loaded, visit.workbench) if given is None else at(visit, loaded, loaded.state(given))
    steps = max(0, min(args["steps"], _STEPS))
    made = await visit.aside(lambda: begun.random(steps, args["seed"]))
    run: RunData = {
        "states": [list(state) for state in made.states],
        "actions": [list(joint) for joint in made.joints],
        "loop": None,
        "end": None,
    }
    return {"run": run}


# -- why not ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Line:
    """A line as it is written and as it is meant."""

    section: str
    written: tree.ProtocolLine | tree.EvolutionLine
    condition: Condition


async def why_not(visit: Visit, args: wire_explore.AskWhyNot, tell: Tell) -> wire_explore.WhyNot:
    """The lines that could have done something, with the parts of their conditions that fail."""
    loaded = visit.workbench.loaded(args["model"])
    state, action = loaded.state(args["state"]), args["action"]
    joint = () if action is None else loaded.joint(action)
    lines = _lines(loaded, args["agent"], args["wanted"], evolution=action is not None)
    return {"lines": await visit.aside(lambda: [_reason(loaded, args, line, state, joint) for line in lines])}


def _lines(loaded: Loaded, agent: str, wanted: str | None, *, evolution: bool) -> list[_Line]:
    names = list(loaded.model.interpreted.agent_named)
    if agent not in names:
        raise refused("input", f"unknown agent {agent}")
    place = names.index(agent)
    meant, written = loaded.model.interpreted.agents[place], loaded.model.module.agents[place]
    if evolution:
        lines = {line.number: line for block in meant.evolution for line in block.lines}
        return [_Line("Evolution", written.evolution[k], lines[k].condition) for k in sorted(lines)]
    pairs = zip(written.protocol, meant.protocol, strict=True)
    return [_Line("Protocol", decl, line.condition) for decl, line in pairs if wanted in line.actions]


def _reason(
    loaded: Loaded, args: wire_explore.AskWhyNot, line: _Line, state: State, joint: JointAction
) -> wire_explore.LineReason:
    explicit = loaded.explicit
    parts = conjuncts(line.condition)
    texts = _texts(loaded, line)
    if len(texts) != len(parts):  # `Other`, which is written without its condition
        parts, texts = [line.condition], ["Other: no line above applies"]
    told: list[wire_explore.Conjunct] = [
        {"text": text, "holds": holds(explicit, part, state, joint)}
        for text, part in zip(texts, parts, strict=True)
    ]
    return {
        "line": source_line(loaded, args["agent"], line.section, line.written),
        "holds": all(each["holds"] for each in told),
        "conjuncts": told,
    }


def _texts(loaded: Loaded, line: _Line) -> list[str]:
    """The parts of a condition as they are written."""
    phrase = line.written.condition
    if phrase is None:
        return []
    found = located(phrase)
    todo, spans = [found.expr], []
    while todo:
        item = todo.pop()
        if isinstance(item, tree.Infix) and item.operator == "and":
            todo += (item.right, item.left)
        else:
            spans.append(found.span(item))
    text = loaded.model.source.text
    return [] if NOWHERE in spans else [" ".join(text[span.start : span.end].split()) for span in spans]


# -- what is known ------------------------------------------------------------------------------------------


async def possible(visit: Visit, args: wire_explore.AskPossible, tell: Tell) -> wire_explore.States:
    """The reachable states that none of the agents can tell from this one."""
    loaded = visit.workbench.loaded(args["model"])
    names = members(loaded.model.interpreted, args["agents"])
    found = await visit.call(Consider(loaded.text, names, loaded.state(args["state"]), _STATES))
    alike = cast("Possible", found)
    return {"states": [list(state) for state in alike.states], "count": str(alike.count)}


async def known(visit: Visit, args: wire_explore.AskKnown, tell: Tell) -> wire_explore.Knowns:
    """What holds at a state, and how each agent stands to it."""
    loaded = visit.workbench.loaded(args["model"])
    state = loaded.state(args["state"])
    asked = args["formulas"][:_STATES]
    return {"known": await visit.aside(lambda: [_known(visit, loaded, text, state) for text in asked])}


def _known(visit: Visit, loaded: Loaded, text: str, state: State) -> wire_explore.Known:
    about = questions(loaded, visit.workbench)
    try:
        spec = loaded.model.parse(text)
        stances = {agent: stance.value for agent, stance in about.stances(spec, state).items()}
        return {"text": text, "holds": about.holds(spec, state), "stances": stances, "problem": None}
    except InputError as error:
        return {"text": text, "holds": None, "stances": {}, "problem": error.diagnostics[0].message}
    except Undecided as reason:
        return {"text": text, "holds": None, "stances": {}, "problem": str(reason)}
