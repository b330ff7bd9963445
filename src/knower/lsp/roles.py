"""What a name may be where it stands, the likeliest first: kinds of things, and whose they are."""

from __future__ import annotations

from collections.abc import Iterator

from knower.lsp.statement import (
    Statement,
    compared_with,
    is_followed_by_dot,
    is_in_actions,
    is_of_agents,
    owner_before,
)
from knower.lsp.symbols import ENVIRONMENT, Kind, Role


def roles(statement: Statement, section: str, agent: str) -> Iterator[Role]:
    """`section`: its word; `agent`: whose it is. Both are empty outside."""
    if statement.text(-1) == ".":
        owner = owner_before(statement)
        yield from ((Kind.VARIABLE, owner), (Kind.DEFINITION, owner))
        return
    if is_followed_by_dot(statement):
        yield Kind.AGENT, None
    yield from _compared(statement, agent)
    if agent:
        yield from _of_agent(section, statement, agent)
    else:
        yield from _of_model(section, statement)
    yield Kind.CONSTANT, None


def _compared(statement: Statement, agent: str) -> Iterator[Role]:
    """What a name is that is compared with a variable or an action."""
    other = compared_with(statement, agent)
    if other is None:
        return
    owner, variable = other
    if variable == "Action":
        yield Kind.ACTION, owner
    if agent:
        yield from ((Kind.VARIABLE, agent), (Kind.DEFINITION, agent))
    if variable != "Action":
        yield Kind.VALUE, f"{owner}.{variable}"
    yield Kind.CONSTANT, None


def _of_agent(section: str, statement: Statement, agent: str) -> Iterator[Role]:
    if section == "Lobsvars":
        yield Kind.VARIABLE, ENVIRONMENT
    if section == "Protocol" and is_in_actions(statement):
        yield Kind.ACTION, agent
    yield from ((Kind.VARIABLE, agent), (Kind.DEFINITION, agent))
    yield from ((Kind.AGENT, None), (Kind.VALUE, None), (Kind.ACTION, agent))


def _of_model(section: str, statement: Statement) -> Iterator[Role]:
    """What a name outside of agents may be."""
    if section == "Groups":
        yield Kind.AGENT, None
    if section in ("Formulae", "Fairness"):
        if is_of_agents(statement):
            yield from ((Kind.GROUP, None), (Kind.AGENT, None))
        yield from ((Kind.PROPOSITION, None), (Kind.GROUP, None), (Kind.AGENT, None))
    yield Kind.VALUE, None
