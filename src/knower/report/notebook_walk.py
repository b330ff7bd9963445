"""A walk through a model as notebooks show it: a row for each step, what it changed marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from knower.report.piece import cut, framed, header, listed, muted, note
from knower.report.view import LONG
from knower.report.wording import actions_text, counted, value_text
from knower.verdict.trace import GlobalState, Path

#: More variables than this are shown only if they change on the way, and of those no more than this.
_COLUMNS, _MOST = 16, 30
_Key = tuple[str, str]


def walk_html(path: Path, propositions: Sequence[str] = (), ways: int | None = None) -> str:
    """The path so far; what is true at its end, and in how many ways it can go on."""
    if not path.states:
        return framed(header("Simulation", muted("before the start")))
    columns, hidden = _columns(path)
    rows = "".join(_rows(path, columns))
    on = "" if ways is None else f" · {counted(ways, 'joint action')} enabled"
    return framed(
        header("Simulation", muted(f"after {counted(len(path.actions), 'step')}{on}")),
        f'<table class="kn-table kn-path"><thead>{_head(columns)}</thead><tbody>{rows}</tbody></table>',
        f'<p class="kn-note">true here: <span class="kn-mono">{listed(propositions)}</span></p>',
        note(f"{counted(hidden, 'more variable')}, not shown") if hidden else "",
    )


def _columns(path: Path) -> tuple[list[_Key], int]:
    """The variables shown, and how many are not."""
    every = [(agent, name) for agent, local in path.states[0].items() for name in local]
    if len(every) <= _COLUMNS:
        return every, 0
    first = path.states[0]
    moving = [(a, n) for a, n in every if any(state[a][n] != first[a][n] for state in path.states)]
    shown = (moving or every[:_COLUMNS])[:_MOST]
    return shown, len(every) - len(shown)


def _head(columns: Sequence[_Key]) -> str:
    """Two rows: whose variables they are, and their names."""
    owners = dict.fromkeys(agent for agent, _ in columns)
    spans = "".join(
        f'<th class="kn-agent kn-first" colspan="{sum(a == agent for a, _ in columns)}">{cut(agent, 40)}</th>'
        for agent in owners
    )
    names = "".join(
        f"<th{_first(columns, place)}>{cut(name, 40)}</th>" for place, (_, name) in enumerate(columns)
    )
    agents = f'<tr><th class="kn-agent" colspan="2"></th>{spans}</tr>'
    return f"{agents}<tr><th>step</th><th>who does what</th>{names}</tr>"


def _first(columns: Sequence[_Key], place: int, more: str = "") -> str:
    """The class of a cell: a line stands before the first variable of an agent."""
    begins = place == 0 or columns[place - 1][0] != columns[place][0]
    words = " ".join(filter(None, ("kn-first" if begins else "", more)))
    return f' class="{words}"' if words else ""


def _rows(path: Path, columns: Sequence[_Key]) -> Iterator[str]:
    """The states in order; of a long path not the middle."""
    count, half = len(path.states), LONG // 2
    for step in range(count):
        if count <= LONG or step < half or step >= count - half:
            yield _row(path, step, columns)
        elif step == half:
            words = f"… {counted(count - 2 * half, 'step')} …"
            yield f'<tr><td class="kn-muted" colspan="{len(columns) + 2}">{words}</td></tr>'


def _row(path: Path, step: int, columns: Sequence[_Key]) -> str:
    state = path.states[step]
    before = path.states[step - 1] if step else state
    done = cut(actions_text(path.actions[step - 1]), 120) if step else muted("at the start")
    cells = "".join(_cell(state, before, columns, place) for place in range(len(columns)))
    return f'<tr><td class="kn-number">{step}</td><td class="kn-done kn-mono">{done}</td>{cells}</tr>'


def _cell(state: GlobalState, before: GlobalState, columns: Sequence[_Key], place: int) -> str:
    agent, name = columns[place]
    value, changed = state[agent][name], state[agent][name] != before[agent][name]
    mark = _first(columns, place, "kn-mono kn-changed" if changed else "kn-mono")
    return f"<td{mark}>{escape(value_text(value))}</td>"
