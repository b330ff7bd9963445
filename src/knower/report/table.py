"""Strategies, and why there is none, as tables in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from knower.report.view import LONG, View
from knower.report.wording import actions_text, counted, listed, value_text
from knower.verdict.decisions import Condition, DecisionRow, DecisionTable, Value
from knower.verdict.evidence import Joint, Refusal, Reply, Row, Strategy, Turn
from knower.verdict.trace import GlobalState

_GAP = "  "


def table_of_strategy(strategy: Strategy, view: View) -> Iterator[str]:
    """What the members do, in few rows if they are known."""
    if tables := in_few_rows(strategy):
        yield from _in_few_rows(strategy, tables, view)
    elif not strategy.rows:
        yield "nothing has to be done"
    elif strategy.by_observation:
        yield from tables_by_agent(strategy.rows, view)
    else:
        yield from table_by_state(strategy.rows, view)


def _in_few_rows(strategy: Strategy, tables: tuple[DecisionTable, ...], view: View) -> Iterator[str]:
    for table in tables:
        if table.reads_states or view.shows(table.agents[0]):
            yield from decision_table(table, view)
    met = counted(len(strategy.rows), "observation" if strategy.by_observation else "state")
    yield f"(for {met} that can be met; where no row applies, anything enabled will do)"
    if not strategy.by_observation:
        yield "(the members go by all variables, seen or not)"


def tables_by_agent(rows: Sequence[Row], view: View) -> Iterator[str]:
    """What each agent does on seeing something."""
    for agent in dict.fromkeys(row.agents[0] for row in rows):
        if view.shows(agent):
            yield from table_by_observation(agent, [row for row in rows if row.agents[0] == agent], view)


def table_by_state(rows: Sequence[Row], view: View) -> Iterator[str]:
    """What the members do in each state: the variables that tell the states apart, then the actions.

    Rows that differ only in what is not shown are one row, if the same is done there.
    """
    columns = _columns([view.state(row.sees) for row in rows])
    members = [agent for agent in rows[0].agents if view.shows(agent)] or list(rows[0].agents)
    header = [*map(_dotted, columns), *(f"{member} does" for member in members)]
    groups: dict[tuple[str, ...], dict[tuple[str, ...], Row]] = {}
    for row in rows:
        values = tuple(_values(view.state(row.sees), columns))
        groups.setdefault(values, {}).setdefault(_deeds(row, members), row)
    cells = [[*values, *deeds] for values, alike in groups.items() for deeds in alike]
    yield from _aligned(header, cells, view)
    hidden = dict.fromkeys(name for alike in groups.values() for name in _differing(alike.values(), view))
    if hidden:
        yield f"(rows that look the same differ in {listed(list(hidden))}, not shown)"


def _deeds(row: Row, members: list[str]) -> tuple[str, ...]:
    does = dict(zip(row.agents, row.actions, strict=True))
    return tuple(does[member] or "–" for member in members)


def _differing(rows: Iterable[Row], view: View) -> Iterator[str]:
    """The variables that tell some states apart, shown or not."""
    return map(_dotted, _columns([view.vocabulary.state(row.sees) for row in rows], drop_all=True))


def table_by_observation(agent: str, rows: Sequence[Row], view: View) -> Iterator[str]:
    """What one agent does on seeing something."""
    seen = [view.vocabulary.observation(agent, row.sees) for row in rows]
    columns = _columns(seen)
    cells = [[*_values(named, columns), row.actions[0] or "–"] for named, row in zip(seen, rows, strict=True)]
    yield from _aligned([*map(_dotted, columns), f"{agent} does"], cells, view)


def in_few_rows(strategy: Strategy) -> tuple[DecisionTable, ...]:
    """The decision tables of a strategy, if they are shorter than what is done case by case."""
    is_shorter = sum(len(table.rows) for table in strategy.tables) < len(strategy.rows)
    return strategy.tables if is_shorter else ()


def decision_table(table: DecisionTable, view: View) -> Iterator[str]:
    """What some agents do: the variables it depends on, then the actions."""
    members = [agent for agent in table.agents if view.shows(agent)] or list(table.agents)
    places = sorted({condition.place for row in table.rows for condition in row.conditions})
    header = [*(_dotted(table.variables[place]) for place in places), *(f"{name} does" for name in members)]
    if not places:
        header.insert(0, "")
    cells = [[*_conditions(row, places), *_told(row, table, members)] for row in table.rows]
    yield from _aligned(header, cells, view)


def condition_text(condition: Condition, table: DecisionTable) -> str:
    """`Agent.variable = a or b`."""
    return f"{_dotted(table.variables[condition.place])} = {_one_of(condition.values)}"


def _conditions(row: DecisionRow, places: list[int]) -> list[str]:
    values = {condition.place: condition.values for condition in row.conditions}
    if not places:
        return ["always"]
    return [_one_of(values[place]) if place in values else "any" for place in places]


def _told(row: DecisionRow, table: DecisionTable, members: list[str]) -> list[str]:
    does = dict(zip(table.agents, row.actions, strict=True))
    return [does[member] or "–" for member in members]


def _one_of(values: tuple[Value, ...]) -> str:
    """`a`, `a or b`, `a, b or c`, `1..4`."""
    first, last = values[0], values[-1]
    if len(values) > 2 and type(first) is int and type(last) is int and last - first == len(values) - 1:
        return f"{first}..{last}"
    *most, last = map(value_text, values)
    return f"{', '.join(most)} or {last}" if most else last


def table_of_turns(refusal: Refusal, view: View) -> Iterator[str]:
    """Turn by turn: the state, what the coalition may choose, and the answer to each choice."""
    columns = _columns([view.state(turn.state) for turn in refusal.turns], drop_all=True)
    header = ["turn", *map(_dotted, columns), *_reply_header(refusal.members), "leads to"]
    cells = []
    for number, turn in enumerate(refusal.turns):
        values = [str(number), *_values(view.state(turn.state), columns)]
        for reply_cells in _reply_cells(turn, refusal.members, view):
            cells.append([*values, *reply_cells])
            values = [""] * len(values)  # said once per turn
    yield from _aligned(header, cells, view)


def _reply_header(members: tuple[str, ...]) -> list[str]:
    if not members:
        return ["everybody does"]
    return [f"{members[0]} does" if len(members) == 1 else "they do", "the others answer"]


def _reply_cells(turn: Turn, members: tuple[str, ...], view: View) -> Iterator[list[str]]:
    nothing = ["–"] * len(_reply_header(members))
    if turn.over:
        yield [*nothing, "the goal is out of reach"]
    elif not turn.replies:
        yield [*nothing, "nowhere"]
    for reply in turn.replies:
        choice = [_choice(reply.choice, members, view)] if members else []
        yield [*choice, _answer(reply, members, view), _leads_to(reply)]


def chosen(choice: Joint, members: tuple[str, ...], view: View) -> dict[str, str]:
    """A choice by name; it is given for the members alone, or for all agents."""
    agents = members if len(choice) == len(members) else view.vocabulary.agents
    pairs = zip(agents, choice, strict=True)
    return {agent: action for agent, action in pairs if action is not None and agent in members}


def _choice(choice: Joint, members: tuple[str, ...], view: View) -> str:
    named = chosen(choice, members, view)
    if not named:
        return "–"
    return next(iter(named.values())) if len(members) == 1 else actions_text(named)


def _answer(reply: Reply, members: tuple[str, ...], view: View) -> str:
    if reply.joint is None:
        return "–"
    answer = {agent: act for agent, act in view.action(reply.joint).items() if agent not in members}
    return actions_text(answer) if answer else "–"


def _leads_to(reply: Reply) -> str:
    return "nowhere" if reply.then is None else f"turn {reply.then}"


def _columns(states: Sequence[GlobalState], *, drop_all: bool = False) -> list[tuple[str, str]]:
    """The variables that are not the same everywhere; if all are: all of them, or none."""
    everything = [(agent, name) for agent, local in states[0].items() for name in local]
    telling = [(a, n) for a, n in everything if any(s[a][n] != states[0][a][n] for s in states)]
    return telling if telling or drop_all else everything


def _dotted(column: tuple[str, str]) -> str:
    return ".".join(column)


def _values(state: GlobalState, columns: Iterable[tuple[str, str]]) -> list[str]:
    return [value_text(state[agent][name]) for agent, name in columns]


def _aligned(header: list[str], rows: list[list[str]], view: View) -> Iterator[str]:
    """Columns as wide as what stands in them; a long table without its end."""
    shown = rows if view.whole else rows[:LONG]
    widths = [max(map(len, column)) for column in zip(header, *shown, strict=True)]
    for row in (header, *shown):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield _GAP.join(cells).rstrip()
    if len(rows) > len(shown):
        yield f"… {len(rows) - len(shown)} more rows …"
