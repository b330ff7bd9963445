"""Decision tables: each row is possible wherever it applies."""

from __future__ import annotations

from itertools import product
from math import prod

from knower.evidence.judge_claims import Judge
from knower.evidence.judge_steps import Action, Mistake, Steps, require
from knower.system.domains import size
from knower.system.expressions import variables
from knower.verdict.decisions import DecisionRow, DecisionTable, Variable
from knower.verdict.evidence import State, Strategy

#: So many values of what a protocol reads are tried for one row.
_MOST = 100_000


def told(steps: Steps, proof: Strategy, name: str, state: State) -> Action:
    """What the tables tell a member to do in a state; None: nothing."""
    for table in proof.tables:
        if name in table.agents:
            sight = steps.explicit.sees(name, state) if proof.by_observation else state
            deed = table.decide(sight)
            return None if deed is None else deed[table.agents.index(name)]
    return None


def check_tables(judge: Judge, proof: Strategy) -> None:
    """They are of the kind that the reading needs, one for a member, and their rows can be followed."""
    agents = [name for table in proof.tables for name in table.agents]
    require(len(set(agents)) == len(agents), "two decision tables are for one agent")
    require(set(agents) <= set(proof.members), "a decision table for somebody outside the coalition")
    for table in proof.tables:
        require(table.reads_states != proof.by_observation, "a decision table goes by the wrong things")
        require(table.reads_states or len(table.agents) == 1, "agents that see differently share a table")
        require(table.variables == _seen(judge.steps, table), "a decision table is not over what is seen")
        for row in table.rows:
            for name, action in zip(table.agents, row.actions, strict=True):
                if action is not None:
                    _require_enabled(judge, table, row, name, action)


def _seen(steps: Steps, table: DecisionTable) -> tuple[Variable, ...]:
    if table.reads_states:
        return tuple(steps.system.domains)
    return tuple(steps.system.agent_named[table.agents[0]].observes)


def _require_enabled(judge: Judge, table: DecisionTable, row: DecisionRow, name: str, action: str) -> None:
    """Where the conditions hold, whatever else is the case, the protocol allows the action."""
    system, explicit = judge.steps.system, judge.steps.explicit
    read = sorted(variables(*(line.condition for line in system.agent_named[name].protocol)))
    bound = {table.variables[each.place]: each.values for each in row.conditions}
    if prod(len(bound[key]) if key in bound else size(system.domains[key]) for key in read) > _MOST:
        judge.findings.left_open(f"{name} can do {action} wherever it is told to", "too many values to try")
        return
    places = [system.places.variable[key] for key in read]
    state = [domain.values[0] for domain in system.domains.values()]
    for values in product(*(bound.get(key, system.domains[key].values) for key in read)):
        for place, value in zip(places, values, strict=True):
            state[place] = value
        if action not in explicit.enabled(name, tuple(state)):
            raise Mistake(f"a decision table tells {name} to {action} where that is not enabled")
