"""The lints that change verdicts, as a check finds them: with little effort, and as one line each.

Most models need no search for them, and then it is not even imported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice

from knower.errors import Diagnostic
from knower.source import NOWHERE, Source, Span
from knower.syntax import tree
from knower.system.domains import Value, size
from knower.system.explicit import Explicit
from knower.system.expressions import (
    Compare,
    Condition,
    Conj,
    Literal,
    State,
    Var,
    actors,
    chained,
    variables,
)
from knower.system.findings import Key
from knower.system.system import Agent, EvolutionLine, InterpretedSystem, Variable

#: Steps of the search that a check spends on one kind of lint. Measured: 1 to 60 ms, and 0.2 s for a hundred
#: prisoners (400 lines of 100 agents), which are read in 0.1 s and checked in many seconds.
_STEPS = 20_000
#: So many open variables are named.
_NAMED = 4
#: Of so many lines it is looked whether they plainly exclude each other: 2,000 pairs, 1 ms.
_FEW_LINES = 64


def misleading(module: tree.Module, system: InterpretedSystem, source: Source) -> list[Diagnostic]:
    """Open variables, and the first rivals among the lines of each agent."""
    with_history = frozenset[Key]().union(*map(histories, system.agents))
    found = [*no_initial_states(module, source), *open_variables(module, system, source, with_history)]
    if not system.single_assignment and any(map(_may_have_rivals, system.agents)):
        from knower.constraints.search import Search
        from knower.system.lint_agents import agent_lints

        for agent in agent_lints(module, system, source, Search(system, total=_STEPS)):
            found += islice(agent.of_rivals(most=1), 1)
    return found


def blocking(module: tree.Module, system: InterpretedSystem, source: Source) -> list[Diagnostic]:
    """The protocols that may be why there are deadlocks."""
    from knower.constraints.search import Search
    from knower.system.lint_agents import agent_lints

    agents = agent_lints(module, system, source, Search(system, total=_STEPS))
    return [gap for agent in agents for gap in agent.of_gaps()]


def blocked(
    module: tree.Module, system: InterpretedSystem, source: Source, state: State
) -> Iterator[Diagnostic]:
    """The protocols that are why a state is a deadlock: one finding, at the first."""
    explicit = Explicit(system)
    stuck = [
        (agent.name, Span(decl.protocol[0].span.start, decl.protocol[-1].span.end))
        for agent, decl in zip(system.agents, module.agents, strict=True)
        if agent.actions and decl.protocol and not explicit.enabled(agent.name, state)
    ]
    if stuck:
        names = ", ".join(name for name, _ in stuck[:_NAMED]) + " …" * (len(stuck) > _NAMED)
        who = f"agent {names} has" if len(stuck) == 1 else f"agents {names} have"
        message = f"in the deadlock {who} no enabled action: no Protocol line covers it"
        yield Diagnostic(
            "L103", message, source, stuck[0][1], "add an `Other` line, or cover that local state"
        )


# -- rivals -----------------------------------------------------------------------------------------------


def _may_have_rivals(agent: Agent) -> bool:
    """Whether lines for different variables may be enabled together, after a short look."""
    lines = [line for block in agent.evolution for line in block.lines]
    if len(lines) > _FEW_LINES:
        return len({_targets(line) for line in lines}) > 1
    pairs = combinations([(_targets(line), _asked(line.condition)) for line in lines], 2)
    return any(one != other and not _are_apart(this, that) for (one, this), (other, that) in pairs)


def _targets(line: EvolutionLine) -> frozenset[str]:
    return frozenset(target for target, _ in line.assignments)


def _asked(condition: Condition) -> Mapping[object, Value]:
    """The values that a conjunction asks for: `x = 1 and Action = a`."""
    parts: Sequence[object] = chained(condition) if isinstance(condition, Conj) else (condition,)
    return {
        part.left: part.right.value
        for part in parts
        if isinstance(part, Compare) and part.operator == "=" and isinstance(part.right, Literal)
    }


def _are_apart(one: Mapping[object, Value], other: Mapping[object, Value]) -> bool:
    return any(item in other and other[item] != value for item, value in one.items())


# -- initial states ---------------------------------------------------------------------------------------


def no_initial_states(module: tree.Module, source: Source) -> Iterator[Diagnostic]:
    if module.initial is None:
        message = "there are no InitStates: every state is initial"
        yield Diagnostic("L111", message, source, NOWHERE, "add `InitStates … end InitStates`")


def open_variables(
    module: tree.Module, system: InterpretedSystem, source: Source, with_history: frozenset[Key]
) -> Iterator[Diagnostic]:
    """One finding for all of them, at the first."""
    found = list(_forgotten(system, with_history)) if module.initial is not None else []
    if not found:
        return
    named = ", ".join(f"`{variable}`" for variable in found[:_NAMED])
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    starts = "it starts" if len(found) == 1 else "they start"
    message = f"InitStates leaves {named}{more} open: {starts} with every value"
    cure = f"say how to start; what is mentioned is meant: `({found[0]} = … or {found[0]} = …)`"
    yield Diagnostic("L115", message, source, _declared_at(module, found[0]), cure)


def _forgotten(system: InterpretedSystem, with_history: frozenset[Key]) -> Iterator[Variable]:
    """The variables that have a history, a choice of values, and are not mentioned in InitStates."""
    mentioned = variables(system.initial)
    for variable in system.variables:
        if variable.key in with_history and variable.key not in mentioned and size(variable.domain) > 1:
            yield variable


def histories(agent: Agent) -> frozenset[Key]:
    """The variables that become something that depends on more than their agent's own action.

    One that never changes is a parameter; `x = x` is written only because a line must stand there. One that
    remembers what its agent did last (`line = dead if Action = lose`) may have been anything before.
    """
    own, found = frozenset([agent.name]), set[str]()
    for line in (line for block in agent.evolution for line in block.lines):
        for target, value in line.assignments:
            reads = (line.condition, value)
            if target not in found and value != Var(agent.name, target):
                if variables(*reads) or not actors(*reads) <= own:
                    found.add(target)
    return frozenset((agent.name, name) for name in found)


def _declared_at(module: tree.Module, variable: Variable) -> Span:
    decls = (decl for decl in module.agents if decl.name.text == variable.owner)
    names = (each.name for decl in decls for each in (*decl.obsvars, *decl.vars))
    return next(name.span for name in names if name.text == variable.name)
