"""How values, states and actions are said in words, in every report for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from knower.verdict.trace import GlobalState


def value_text(value: bool | int | str) -> str:
    """A value as ISPL writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def assignments(state: GlobalState) -> str:
    """`Agent.variable = value`, for all variables of a state or of a part of one."""
    pairs = [(f"{agent}.{name}", value) for agent, local in state.items() for name, value in local.items()]
    return ", ".join(f"{name} = {value_text(value)}" for name, value in pairs)


def changes(before: GlobalState, after: GlobalState) -> dict[str, dict[str, bool | int | str]]:
    """The part of a state that differs from another one."""
    return {
        agent: {name: value for name, value in local.items() if before[agent][name] != value}
        for agent, local in after.items()
    }


def actions_text(action: Mapping[str, str]) -> str:
    """Who does what."""
    return ", ".join(f"{agent}: {name}" for agent, name in action.items()) or "a step"


def counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}".replace(",", " ")


def listed(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def indented(lines: Iterable[str], by: int = 2) -> Iterator[str]:
    return (" " * by + line for line in lines)
