"""Agents in plain ISPL, section by section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knower.expansion.printing import Printer, TooLarge
from knower.expansion.tables import joined
from knower.expansion.work import Work
from knower.logic.node import Node
from knower.source import NOWHERE, Span
from knower.syntax import tree
from knower.syntax.places import span_of
from knower.system.expressions import FALSE, TRUE, Condition, Var, all_of
from knower.system.system import ENVIRONMENT, Agent, EvolutionLine, Variable


def indented(word: str, lines: Iterable[str]) -> Iterator[str]:
    """A section of an agent, also an empty one."""
    yield f"  {word}:"
    yield from (f"    {line}" for line in lines)
    yield f"  end {word}"


class AgentWriter:
    """Writes one agent: what it is, and how that is written in the text."""

    def __init__(self, agent: Agent, decl: tree.AgentDecl, work: Work) -> None:
        self.agent = agent
        self.decl = decl
        self.work = work
        seen = agent.observes
        self.printer = Printer(work.names, agent.name, Var(*seen[0]) if seen else None)

    def lines(self) -> Iterator[str]:
        names, decl = self.work.names, self.decl
        observed = {variable.name.text for variable in decl.obsvars}
        shown = [each for each in self.agent.variables if each.name in observed]
        hidden = [each for each in self.agent.variables if each.name not in observed]
        yield f"Agent {names.outer(self.agent.name)}"
        if shown:
            yield from indented("Obsvars", map(self._variable, shown))
        if decl.lobsvars and self.agent.name != ENVIRONMENT:
            yield f"  Lobsvars = {_set(names.variable(each.text) for each in decl.lobsvars)};"
        if hidden or not shown:
            yield from indented("Vars", map(self._variable, hidden))
        yield from self._red()
        yield f"  Actions = {_set(map(names.value, self.agent.actions))};"
        yield from indented("Protocol", self._protocol())
        yield from indented("Evolution", self._evolution())
        yield "end Agent"

    def _variable(self, variable: Variable) -> str:
        return f"{self.work.names.variable(variable.name)} : {self.printer.domain(variable.domain)};"

    def _red(self) -> Iterator[str]:
        if self.decl.red is not None:
            condition = self.work.condition(self.agent.red, span_of(self.decl.red))
            if condition != FALSE:
                yield from indented("RedStates", [self._text(condition, span_of(self.decl.red)) + ";"])

    def _text(self, item: Node, span: Span) -> str:
        try:
            return self.work.line(self.printer.text(item), span)
        except TooLarge:
            raise self.work.too_large(span) from None

    # -- Protocol -----------------------------------------------------------------------------------------

    def _protocol(self) -> Iterator[str]:
        if not self.decl.protocol:
            return
        if not self.agent.observes:
            yield f"Other : {_set(self._always())};"
            return
        for line, meaning in zip(self.decl.protocol, self.agent.protocol, strict=True):
            enabled = _set(map(self.work.names.value, meaning.actions))
            if line.condition is None:
                yield f"Other : {enabled};"
            else:
                condition = self.work.condition(meaning.condition, line.span)
                yield f"{self._text(condition, line.span)} : {enabled};"

    def _always(self) -> Iterator[str]:
        """What is enabled where nothing can be read: conditions are constants."""
        for line in self.agent.protocol:
            if self.work.condition(line.condition, NOWHERE) == TRUE:
                yield from map(self.work.names.value, line.actions)

    # -- Evolution ----------------------------------------------------------------------------------------

    def _evolution(self) -> Iterator[str]:
        found = {line.number: line for block in self.agent.evolution for line in block.lines}
        for number, line in sorted(found.items()):
            span = self.decl.evolution[number].span
            condition = self.work.condition(line.condition, span)
            if condition != FALSE:
                yield from self._cases(line, condition, span)

    def _cases(self, line: EvolutionLine, condition: Condition, span: Span) -> Iterator[str]:
        """The line for each combination of values: under the conditions of one, no other is enabled."""
        names = self.work.names
        domains = {variable.name: variable.domain for variable in self.agent.variables}
        tables = [
            self.work.values(value, domains[target], line.condition, span)
            for target, value in line.assignments
        ]
        for values, where in joined(tables):
            made = [
                f"{names.variable(target)} = {self._text(value, span)}"
                for (target, _), value in zip(line.assignments, values, strict=True)
            ]
            yield f"{' and '.join(made)} if {self._text(all_of([condition, where]), span)};"


def _set(names: Iterable[str]) -> str:
    return "{" + ", ".join(dict.fromkeys(names)) + "}"
