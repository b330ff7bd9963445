"""Strategies that were saved: read again, and a model restricted to one.

A file holds decision tables, the states the strategy starts from, and a digest of the model it is of.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from knower.errors import Diagnostic, InputError
from knower.records import dataclass
from knower.source import Source
from knower.system.explicit import Explicit
from knower.system.expressions import Compare, Conj, Disj, Literal, Negation, State, Truth, Var
from knower.system.expressions import Condition as Guard
from knower.system.system import Agent, InterpretedSystem, ProtocolLine
from knower.verdict.decisions import Condition, DecisionRow, DecisionTable, Value, Variable

FORMAT = "knower-strategy-1"


@dataclass(frozen=True)
class SavedStrategy:
    """What members do from some states, in the model of this digest, to bring about a formula."""

    model: str
    formula: str
    members: tuple[str, ...]
    starts: tuple[Mapping[str, Mapping[str, Value]], ...]
    tables: tuple[DecisionTable, ...]

    @property
    def told(self) -> str:
        """Who goes by what to which end."""
        by = "the whole state" if any(table.reads_states for table in self.tables) else "what each sees"
        return f"the strategy of {', '.join(self.members)} for {self.formula}, by {by}"


def read_strategy(source: Source) -> SavedStrategy:
    """A strategy as it was saved; raises `InputError` if the text is none."""
    try:
        data = json.loads(source.text)
        if data["format"] != FORMAT:
            raise ValueError(f"its format is {data['format']!r}, not {FORMAT!r}")
        tables = tuple(map(_table, data["tables"]))
        members = tuple(map(str, data["members"]))
        return SavedStrategy(str(data["model"]), str(data["formula"]), members, tuple(data["starts"]), tables)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise _unreadable(source, error) from None


def _unreadable(source: Source, error: Exception) -> InputError:
    what = f"no {error} in it" if isinstance(error, KeyError) else str(error)
    cure = "a check saves one that shows what a coalition can do"
    return InputError([Diagnostic("E617", f"this is no saved strategy: {what}", source, cure=cure)])


def _table(data: Any) -> DecisionTable:
    agents = tuple(map(str, data["agents"]))
    variables = tuple((str(owner), str(name)) for owner, name in data["variables"])
    rows = tuple(_row(row, agents, variables) for row in data["rows"])
    return DecisionTable(agents, variables, rows, bool(data["reads_states"]))


def _row(data: Any, agents: Sequence[str], variables: Sequence[Variable]) -> DecisionRow:
    pairs = [(variables.index((owner, name)), tuple(values))
             for owner, local in data["conditions"].items() for name, values in local.items()]  # fmt: skip
    actions = tuple(data["actions"].get(agent) for agent in agents)
    return DecisionRow(tuple(Condition(place, values) for place, values in pairs), actions)


# -- a model restricted to one ------------------------------------------------------------------------------


def restricted(
    system: InterpretedSystem, digest: str, saved: SavedStrategy, source: Source
) -> InterpretedSystem:
    """The model in which the members follow the strategy, from the initial states that it starts from."""
    if saved.model != digest:
        message = f"this strategy is of another model: of {saved.model}, and this one is {digest}"
        cure = "agents, variables, lines and InitStates must be the same, and constants too"
        raise InputError([Diagnostic("E618", message, source, cure=cure)])
    try:
        starts = list(_starts(system, saved))
        tables = {name: table for table in saved.tables for name in table.agents}
        agents = tuple(_following(agent, tables.get(agent.name), system) for agent in system.agents)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unreadable(source, error) from None
    return replace(
        system,
        agents=agents,
        initial=Conj(system.initial, _any(_is_state(system, state) for state in starts)),
    )


def _starts(system: InterpretedSystem, saved: SavedStrategy) -> Iterable[State]:
    """Those of the states it starts from that are initial."""
    explicit = Explicit(system)
    for named in saved.starts:
        state = tuple(named[variable.owner][variable.name] for variable in system.variables)
        if not system.has_values(state):
            raise ValueError("a start has a value outside of its domain")
        if explicit.is_initial(state):
            yield state


def _is_state(system: InterpretedSystem, state: State) -> Guard:
    pairs = zip(system.variables, state, strict=True)
    return _all(_equal(variable.key, value) for variable, value in pairs)


def _following(agent: Agent, table: DecisionTable | None, system: InterpretedSystem) -> Agent:
    """The agent does what the first row says that applies; where none does, what it always may."""
    if table is None:
        return agent
    place, lines, silent = table.agents.index(agent.name), list[ProtocolLine](), _true()
    for row in table.rows:
        action = row.actions[place]
        applies = _applies(row, table, system)
        if action is not None:
            enabled = _any(line.condition for line in agent.protocol if _known(action, agent) in line.actions)
            lines.append(ProtocolLine(Conj(Conj(silent, applies), enabled), (action,)))
            silent = Conj(silent, Negation(applies))
    lines += [ProtocolLine(Conj(silent, line.condition), line.actions) for line in agent.protocol]
    return replace(agent, protocol=tuple(lines))


def _known(action: str, agent: Agent) -> str:
    if action not in agent.actions:
        raise ValueError(f"{agent.name} has no action {action}")
    return action


def _applies(row: DecisionRow, table: DecisionTable, system: InterpretedSystem) -> Guard:
    for each in row.conditions:
        key = table.variables[each.place]
        if not all(value in system.domains[key] for value in each.values):
            raise ValueError(f"a value outside of the domain of {'.'.join(key)}")
    return _all(
        _any(_equal(table.variables[each.place], value) for value in each.values) for each in row.conditions
    )


def _equal(key: Variable, value: Value) -> Guard:
    return Compare("=", Var(*key), Literal(value))


def _true() -> Guard:
    return Truth(True)


def _false() -> Guard:
    return Truth(False)


def _all(conditions: Iterable[Guard]) -> Guard:
    return reduce(Conj, conditions, _true())


def _any(conditions: Iterable[Guard]) -> Guard:
    return reduce(Disj, conditions, _false())
