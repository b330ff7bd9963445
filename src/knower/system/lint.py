"""What is allowed but seldom meant: findings that do not stop a model from being checked.

| code | finding |
|---|---|
| L101 | a Protocol line whose condition is never true, or an `Other` line that nothing is left for |
| L102 | an action that no Protocol line with a satisfiable condition enables |
| L103 | a local state in which the Protocol enables no action, so that it has no successor |
| L104 | an assignment whose value can lie outside the domain, or divide by zero |
| L105 | a proposition that is true everywhere or nowhere |
| L106 | MultiAssignment lines for different variables that can be enabled together: one is taken |
| L107 | a variable that nothing reads (InitStates and being assigned do not count) |
| L108 | a group that no formula uses (silent where the file asks nothing at all) |
| L109 | an agent with actions and without Protocol lines: everything is enabled everywhere |
| L110 | a bare name that is a variable and also a value of what it is compared with or assigned to |
| L111 | no InitStates: every state is initial |
| L112 | a CTL* formula that the peer, MCMAS, reads otherwise |
| L113 | a formula of all finite traces that the trace of one state refutes (below) |
| L114 | an Evolution line whose guard is never true |
| L115 | variables that Evolution changes and InitStates does not mention: they start with every value |

"Can" and "never" range over the domains of the variables and the actions the Protocols enable, not
over the reachable states: L101, L102, L105 and L114 are certain, L103, L104 and L106 show what
may happen if the situation is reachable. What cannot be decided in a fixed number of steps is not
reported.

L113: `LTLf`, `LDLf` and `CDLf*` formulas without a quantifier, or under `A`, speak of all traces, also
of the one that ends where it begins. There `X f` and `<r>f` with a program that takes a step are
false, and `F f`, `g U f` and `<r>f` with other programs hold only if `f` holds at once. These
operators are reported at the top of a formula only; the second kind only where `f` is a state
formula (`<tt*>[tt]ff` is fine) and `r` is more than tests.

L115: a variable that nothing changes is a parameter of the model, and there would be no point in it if it
were not open: the bits to be sent, whose forehead is muddy. One that only remembers what its agent did last
may have been anything before. Others that InitStates does not mention were more likely forgotten.

A check shows L103, L106, L111 and L115, which change verdicts: see `lint_verdicts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, compress
from typing import assert_never

from knower.constraints.search import Search
from knower.errors import Diagnostic
from knower.logic import formula as logic
from knower.logic.fold import fold, subformulas, subprograms
from knower.logic.node import Node
from knower.source import Source, Span
from knower.syntax import tree
from knower.system.expressions import Negation, variables
from knower.system.findings import AgentFindings, Key
from knower.system.lint_agents import AgentLints, agent_lints
from knower.system.lint_verdicts import histories, no_initial_states, open_variables
from knower.system.system import Agent, InterpretedSystem

#: Steps of the search for one agent: all that one search may take, less where there are many agents. A step
#: takes two microseconds, so that all agents together take four seconds at most up to a hundred of them.
_MOST, _LEAST, _TOGETHER = 300_000, 20_000, 1_200_000


def lint(module: tree.Module, system: InterpretedSystem, source: Source) -> list[Diagnostic]:
    """The findings in a model that has been elaborated, by their place."""
    agents = agent_findings(module, system, source)
    found = [*chain(*(agent.findings for agent in agents)), *model_findings(module, system, source, agents)]
    return sorted(found, key=lambda finding: (finding.span, finding.code))


def agent_findings(
    module: tree.Module, system: InterpretedSystem, source: Source, within: Span | None = None
) -> list[AgentFindings]:
    """The lints of each agent; of those that are declared in a part of the text only, if one is given."""
    steps = min(_MOST, max(_LEAST, _TOGETHER // max(1, len(system.agents))))
    wanted = [within is None or within.start <= decl.name.span.start < within.end for decl in module.agents]
    agents = agent_lints(module, system, source, Search(system))
    return [_findings(agent, steps) for agent in compress(agents, wanted)]


def _findings(lints: AgentLints, steps: int) -> AgentFindings:
    """What the search finds; the questions that are most often small come first."""
    lints.search.allow(steps)
    agent = lints.agent
    found = (*lints.of_names(), *lints.of_protocol(), *lints.of_evolution())
    return AgentFindings(found, variables(*_readers(agent)), histories(agent))


def model_findings(
    module: tree.Module, system: InterpretedSystem, source: Source, agents: Iterable[AgentFindings]
) -> Iterator[Diagnostic]:
    """The lints of what stands behind the agents, and of what the agents say together."""
    read, with_history = set[Key](), set[Key]()
    for agent in agents:
        read |= agent.reads
        with_history |= agent.with_history
    yield from _constant_propositions(module, system, source, Search(system))
    yield from _unread_variables(module, system, source, frozenset(read))
    yield from _unused_groups(module, source)
    yield from no_initial_states(module, source)
    yield from open_variables(module, system, source, frozenset(with_history))
    for decl in (*module.fairness, *module.formulae):
        yield from _mcmas_ambiguity(decl, source)
        yield from _refuted_at_once(decl, source)


def _constant_propositions(
    module: tree.Module, system: InterpretedSystem, source: Source, search: Search
) -> Iterator[Diagnostic]:
    for decl in module.evaluation:
        condition = system.propositions[decl.name.text]
        value = "false" if search.never(condition) else "true" if search.never(Negation(condition)) else None
        if value is not None:
            message = f"the proposition `{decl.name.text}` is {value} in every state"
            cure = f"correct the condition, or write `{value}` in formulas"
            yield Diagnostic("L105", message, source, decl.span, cure)


def _unread_variables(
    module: tree.Module, system: InterpretedSystem, source: Source, by_agents: frozenset[Key]
) -> Iterator[Diagnostic]:
    read = by_agents.union(*map(variables, system.propositions.values()))
    for decl in module.agents:
        for variable in (*decl.obsvars, *decl.vars):
            if (decl.name.text, variable.name.text) not in read:
                message = f"nothing reads the variable `{variable.name.text}` of agent {decl.name.text}"
                cure = "remove it, unless it is there for what the agent observes"
                yield Diagnostic("L107", message, source, variable.name.span, cure)


def _readers(agent: Agent) -> Iterator[Node]:
    """The conditions and values of an agent: where it reads variables."""
    yield agent.red
    yield from (line.condition for line in agent.protocol)
    for line in (line for block in agent.evolution for line in block.lines):
        yield line.condition
        yield from (value for _, value in line.assignments)


def _unused_groups(module: tree.Module, source: Source) -> Iterator[Diagnostic]:
    uses = [use for decl in (*module.fairness, *module.formulae) for use in decl.uses]
    used = {use.name for use in uses if use.kind in ("group", "coalition")}
    for group in module.groups if module.formulae else ():
        if group.name.text not in used:
            message = f"no formula uses the group `{group.name.text}`"
            yield Diagnostic("L108", message, source, group.span, "remove it, or ask something of it")


# -- formulas -------------------------------------------------------------------------------------


def _mcmas_ambiguity(decl: tree.FormulaDecl, source: Source) -> Iterator[Diagnostic]:
    for span in decl.mcmas_ambiguity:
        connective = source.text[span.start : span.end].split()[-1]
        message = f"MCMAS takes this `{connective}` into the operand of the path operator before it"
        yield Diagnostic("L112", message, source, span, "add parentheses, as in `(X p) and q`")


def _refuted_at_once(decl: tree.FormulaDecl, source: Source) -> Iterator[Diagnostic]:
    if not decl.specification.language.finite:
        return
    body = decl.specification.body
    top = body.sub if isinstance(body, logic.A) else body
    if _needs_a_step(top):
        message = "this asks all traces for a step, also that of one state: it is false everywhere"
    elif _hopes_for_a_step(top):
        message = "this speaks of all traces, also that of one state: false unless the goal holds at once"
    else:
        return
    cure = "write `E` in `CDLf*` for some trace; `[r]f` or `WX f` ask nothing where the trace ends"
    yield Diagnostic("L113", message, source, decl.span, cure)


def _needs_a_step(top: logic.Formula) -> bool:
    return isinstance(top, logic.X) or (isinstance(top, logic.Diamond) and not _can_stay(top.program))


def _hopes_for_a_step(top: logic.Formula) -> bool:
    if isinstance(top, logic.F):
        return not top.sub.is_path
    if isinstance(top, logic.U):
        return not top.right.is_path
    if isinstance(top, logic.Diamond):
        steps = any(isinstance(item, logic.Letter) for item in subformulas(top.program))
        return steps and not top.sub.is_path
    return False


def _can_stay(program: logic.Program) -> bool:
    """Whether the program has an execution without a step, if all its tests hold."""

    def step(item: logic.Program, below: tuple[bool, ...]) -> bool:
        match item:
            case logic.Letter():
                return False
            case logic.Test() | logic.Star():
                return True
            case logic.Choice():
                return any(below)
            case logic.Seq():
                return all(below)
            case _:
                assert_never(item)

    return fold(program, step, subprograms)
