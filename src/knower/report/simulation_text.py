"""What a simulation shows, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from knower.report.wording import actions_text, assignments, changes, value_text
from knower.verdict.moves import Move, Stance
from knower.verdict.trace import GlobalState, Path

#: More steps than this at once are not told one by one.
_STORY = 20


def _flat(state: GlobalState) -> dict[str, bool | int | str]:
    return {f"{agent}.{name}": value for agent, local in state.items() for name, value in local.items()}


def state_text(step: int, state: GlobalState, propositions: Sequence[str]) -> str:
    """A whole state, an agent a line, and what is true there."""
    locals_ = [f"  {agent}: {_row(values)}" for agent, values in state.items() if values]
    return "\n".join([f"state {step}", *locals_, f"  true: {', '.join(propositions) or 'nothing'}"])


def view_text(state: GlobalState) -> str:
    """The part of a state that somebody sees."""
    return "\n".join(f"  {name} = {value_text(value)}" for name, value in _flat(state).items()) or "  nothing"


# -- lists to choose from -------------------------------------------------------------------------


def states_text(states: Sequence[GlobalState]) -> str:
    """Numbered states; what all of them have in common is said once."""
    rows = [_flat(state) for state in states]
    shared = _common(rows)
    lines = [f"  all: {_row(shared)}"] if shared else []
    for number, row in enumerate(rows, start=1):
        own = {name: value for name, value in row.items() if name not in shared}
        lines.append(f"{number:3}. {_row(own)}")
    return "\n".join(lines)


def _row(row: Mapping[str, bool | int | str]) -> str:
    return ", ".join(f"{name} = {value_text(value)}" for name, value in row.items())


def _common(rows: Sequence[Mapping[str, bool | int | str]]) -> dict[str, bool | int | str]:
    """What all rows agree on; nothing for a row alone, which is shown whole."""
    if len(rows) < 2:
        return {}
    return {name: v for name, v in rows[0].items() if all(row.get(name) == v for row in rows)}


def moves_text(moves: Sequence[Move]) -> str:
    """Numbered joint actions; what the agents do in all of them is said once."""
    shared = _common([move.action for move in moves])
    lines = [f"  all: {actions_text({k: str(v) for k, v in shared.items()})}"] if shared else []
    for move in moves:
        own = {agent: action for agent, action in move.action.items() if agent not in shared}
        lines.append(f"{move.number:3}. {actions_text(own)}{_leads_to(move)}")
    return "\n".join(lines)


def _leads_to(move: Move) -> str:
    trouble = f"; {move.trouble}" if move.trouble else ""
    if move.successors == 1:
        return trouble
    return f"  ({move.successors} successors{trouble})" if move.successors else f"  (leads nowhere{trouble})"


def successors_text(move: Move, here: GlobalState, states: Sequence[GlobalState]) -> str:
    """Where a joint action leads: numbered, each by what changes."""
    lines = [f"{n:3}. {difference_text(here, state)}" for n, state in enumerate(states, start=1)]
    if not lines:
        lines = [f"  leads nowhere: {move.trouble or 'no successor'}"]
    return "\n".join([f"  {actions_text(move.action)}", *lines])


# -- the way so far -------------------------------------------------------------------------------


def steps_text(path: Path, begun: int = 0) -> str:
    """The steps of a path after the first so many: what was done and what changed."""
    last = len(path.actions)
    if last - begun > _STORY:
        return f"{last - begun} steps; `history` tells them all\n{steps_text(path, last - 1)}"
    return "\n".join(line for step in range(begun, last) for line in _step_lines(path, step))


def _step_lines(path: Path, step: int) -> Iterator[str]:
    yield f"  {actions_text(path.actions[step])}"
    yield f"state {step + 1}: {difference_text(path.states[step], path.states[step + 1])}"


def difference_text(before: GlobalState, after: GlobalState) -> str:
    """The new values of what a step changes, in one line."""
    return assignments(changes(before, after)) or "nothing changes"


def story_text(path: Path) -> str:
    """A whole path: the first state, then step by step what was done and what changed."""
    lines = [line for step in range(len(path.actions)) for line in _step_lines(path, step)]
    return "\n".join([f"state 0: {assignments(path.states[0])}", *lines])


def changes_text(before: GlobalState, after: GlobalState) -> str:
    """What a step changed: `Sender.bit: zero -> one`."""
    old, new = _flat(before), _flat(changes(before, after))
    return (
        "\n".join(f"  {n}: {value_text(old[n])} -> {value_text(v)}" for n, v in new.items())
        or "  nothing changes"
    )


def stances_text(stances: Mapping[str, Stance]) -> str:
    """For each agent, how it stands to a formula."""
    width = max(map(len, stances))
    return "\n".join(f"  {agent:{width}}  {stance.value}" for agent, stance in stances.items())
