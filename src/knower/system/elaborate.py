"""Syntax trees into interpreted systems; finds *all* errors of names, types and sections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from knower.errors import Diagnostic, InputError, did_you_mean, merged
from knower.logic.language import Specification
from knower.source import NOWHERE, Source, Span
from knower.syntax import tree
from knower.system.asked import Known, question_of
from knower.system.domains import BoolDomain, Domain, EnumDomain, RangeDomain
from knower.system.expressions import Condition, Expression, Negation, Truth, disjunction
from knower.system.resolve import Resolver
from knower.system.scope import Scope, Signature
from knower.system.system import (
    ENVIRONMENT,
    Agent,
    Block,
    EvolutionLine,
    InterpretedSystem,
    ProtocolLine,
    Variable,
)  # fmt: skip

#: Names that have a meaning of their own in conditions.
_RESERVED = frozenset({"Action", "true", "false", "boolean", "Other"})


def elaborate(module: tree.Module, source: Source) -> InterpretedSystem:
    """The system a tree describes; raises `InputError` with every error found."""
    return _Elaborator(module, source).system()


class _Elaborator:
    def __init__(self, module: tree.Module, source: Source) -> None:
        self.module = module
        self.source = source
        self.errors: list[Diagnostic] = []
        self.conditions: dict[str, Condition] = {}  # those in formulas, by their text
        self.agents = {agent.name.text: self._signature(agent) for agent in module.agents}

    def report(self, code: str, message: str, span: Span, cure: str | None = None) -> None:
        self.errors.append(Diagnostic(code, message, self.source, span, cure))

    def system(self) -> InterpretedSystem:
        module = self.module
        if not module.agents:
            self.report("E403", "a model has at least one Agent", NOWHERE)
        self._refuse_twins("agent", [agent.name for agent in module.agents])
        if len(self.agents) < len(module.agents):
            raise self._all_errors()
        agents = tuple(self._agent(decl) for decl in module.agents)
        system = InterpretedSystem(
            agents,
            self._initial(),
            self._propositions(),
            self._groups(),
            self._specifications(module.fairness),
            self._specifications(module.formulae),
            self._single_assignment,
        )
        if self.errors:
            raise self._all_errors()
        return system.with_conditions(self.conditions)

    def _all_errors(self) -> InputError:
        return InputError(merged(sorted(self.errors, key=lambda error: error.span)))

    # -- declarations -----------------------------------------------------------------------------

    def _signature(self, decl: tree.AgentDecl) -> Signature:
        variables = {
            v.name.text: Variable(decl.name.text, v.name.text, self._domain(v))
            for v in (*decl.obsvars, *decl.vars)
        }
        return Signature(decl.name.text, variables, tuple(dict.fromkeys(a.text for a in decl.actions)))

    def _domain(self, decl: tree.VariableDecl) -> Domain:
        match decl.type:
            case tree.BooleanType():
                return BoolDomain()
            case tree.RangeType(low, high):
                if low > high:
                    message = f"the range {low}..{high} is empty"
                    self.report("E307", message, decl.type.span, f"write `{high}..{low}`")
                return RangeDomain(low, max(low, high))
            case tree.EnumType(values):
                if not values:
                    self.report("E307", f"`{decl.name.text}` has no values", decl.type.span)
                self._refuse_twins("value", values)
                for value in values:
                    self._refuse_reserved(value)
                return EnumDomain(tuple(dict.fromkeys(value.text for value in values)))

    def _refuse_twins(self, what: str, names: Iterable[tree.Identifier]) -> None:
        seen: set[str] = set()
        for name in names:
            if name.text in seen:
                self.report(
                    "E404", f"{what} `{name.text}` is declared twice", name.span, "rename or remove one"
                )
            seen.add(name.text)

    def _refuse_reserved(self, name: tree.Identifier) -> None:
        if name.text in _RESERVED:
            self.report("E207", f"`{name.text}` is reserved and cannot name a variable or value", name.span)

    # -- agents -----------------------------------------------------------------------------------

    def _agent(self, decl: tree.AgentDecl) -> Agent:
        name = decl.name.text
        variables = [v.name for v in (*decl.obsvars, *decl.vars)]
        self._refuse_twins("variable", variables)
        self._refuse_twins("action", decl.actions)
        for variable in variables:
            self._refuse_reserved(variable)
        if decl.obsvars and name != ENVIRONMENT:
            cure = "declare them in Vars, or in Agent Environment"
            self.report("E405", "only the Environment has Obsvars", decl.obsvars[0].span, cure)
        foreign = self._foreign(decl)
        local = Resolver(Scope("Protocol", self.agents, name, foreign), self.report)
        red = Resolver(Scope("RedStates", self.agents, name, foreign), self.report)
        return Agent(
            name,
            tuple(self.agents[name].variables.values()),
            (*(v.key for v in self.agents[name].variables.values()), *sorted(foreign)),
            self.agents[name].actions,
            self._protocol(decl, local),
            self._evolution(
                decl, Resolver(Scope("Evolution", self.agents, name, foreign, True), self.report)
            ),
            red.condition(decl.red) if decl.red is not None else Truth(False),
        )

    def _foreign(self, decl: tree.AgentDecl) -> frozenset[tuple[str, str]]:
        """The Environment variables the agent sees: all Obsvars and its Lobsvars."""
        if decl.name.text == ENVIRONMENT:
            if decl.lobsvars:
                self.report("E405", "the Environment sees all its variables anyway", decl.lobsvars[0].span,
                            "remove Lobsvars here")  # fmt: skip
            return frozenset()
        environment = next((a for a in self.module.agents if a.name.text == ENVIRONMENT), None)
        if environment is None:
            if decl.lobsvars:
                self.report("E201", "Lobsvars without an Agent Environment", decl.lobsvars[0].span)
            return frozenset()
        known = self.agents[ENVIRONMENT].variables
        for name in decl.lobsvars:
            if name.text not in known:
                message = f"unknown variable `{name.text}` in agent {ENVIRONMENT}"
                self.report("E202", message, name.span, did_you_mean(name.text, known))
        seen = [v.name.text for v in environment.obsvars] + [n.text for n in decl.lobsvars if n.text in known]
        return frozenset((ENVIRONMENT, name) for name in seen)

    def _protocol(self, decl: tree.AgentDecl, resolver: Resolver) -> tuple[ProtocolLine, ...]:
        """The lines with `Other` spelt out; without lines every action is enabled everywhere."""
        actions = self.agents[decl.name.text].actions
        if not decl.protocol:
            return (ProtocolLine(Truth(True), actions),)
        lines: list[ProtocolLine] = []
        for line in decl.protocol:
            condition = self._protocol_condition(line, lines, resolver, line is decl.protocol[-1])
            for action in line.actions:
                if action.text not in actions:
                    message = f"unknown action `{action.text}` of agent {decl.name.text}"
                    self.report("E208", message, action.span, did_you_mean(action.text, actions))
            lines.append(ProtocolLine(condition, tuple(dict.fromkeys(a.text for a in line.actions))))
        return tuple(lines)

    def _protocol_condition(
        self, line: tree.ProtocolLine, before: list[ProtocolLine], resolver: Resolver, last: bool
    ) -> Condition:
        if line.condition is not None:
            return resolver.condition(line.condition)
        if not last:
            self.report(
                "E406", "`Other` must be the last line of a Protocol", line.span, "move it to the end"
            )
        return Negation(disjunction([earlier.condition for earlier in before]))

    def _evolution(self, decl: tree.AgentDecl, resolver: Resolver) -> tuple[Block, ...]:
        lines = [self._evolution_line(line, k, decl, resolver) for k, line in enumerate(decl.evolution)]
        if not self._single_assignment:
            return (Block(tuple(lines)),) if lines else ()
        by_target: dict[str, list[EvolutionLine]] = {}
        for line in lines:
            for target, _ in line.assignments:
                by_target.setdefault(target, []).append(line)
        return tuple(Block(tuple(group)) for group in by_target.values())

    @property
    def _single_assignment(self) -> bool:
        return self.module.semantics is not None and self.module.semantics.name == "SingleAssignment"

    def _evolution_line(
        self, line: tree.EvolutionLine, number: int, decl: tree.AgentDecl, resolver: Resolver
    ) -> EvolutionLine:
        if len(line.assignments) > 1:
            self._check_targets(line)
        assignments = [self._assignment(assignment, decl, resolver) for assignment in line.assignments]
        condition = resolver.condition(line.condition)
        return EvolutionLine(tuple(a for a in assignments if a is not None), condition, number)

    def _check_targets(self, line: tree.EvolutionLine) -> None:
        seen: set[str] = set()
        for target in (assignment.target for assignment in line.assignments):
            if target.text in seen:
                self.report("E407", f"`{target.text}` is assigned twice in one line", target.span, "keep one")
            seen.add(target.text)
        if self._single_assignment:
            self.report("E408", "SingleAssignment allows one assignment a line", line.span,
                        "split the line, or use `Semantics = MultiAssignment;`")  # fmt: skip

    def _assignment(
        self, assignment: tree.Assignment, decl: tree.AgentDecl, resolver: Resolver
    ) -> tuple[str, Expression] | None:
        variables = self.agents[decl.name.text].variables
        target = assignment.target
        if target.text not in variables:
            message = f"unknown variable `{target.text}` in agent {decl.name.text}"
            self.report("E202", message, target.span, did_you_mean(target.text, variables))
            resolver.typed(assignment.value)
            return None
        value = resolver.assigned(assignment.value, variables[target.text])
        return None if value is None else (target.text, value)

    # -- the sections behind the agents -------------------------------------------------------------

    def _initial(self) -> Condition:
        if self.module.initial is None:
            return Truth(True)
        return Resolver(Scope("InitStates", self.agents), self.report).condition(self.module.initial)

    def _propositions(self) -> dict[str, Condition]:
        self._refuse_twins("proposition", [p.name for p in self.module.evaluation])
        self._refuse_labels({p.name.text for p in self.module.evaluation})
        resolver = Resolver(Scope("Evaluation", self.agents), self.report)
        return {p.name.text: resolver.condition(p.condition) for p in self.module.evaluation}

    def _refuse_labels(self, seen: set[str]) -> None:
        """Labels and propositions share one name space."""
        labels = [decl.label for decl in self.module.formulae if decl.label is not None]
        self._refuse_twins("label", labels)
        for label in labels:
            if label.text in seen:
                self.report("E404", f"`{label.text}` is a proposition already", label.span, "rename one")

    def _groups(self) -> dict[str, tuple[str, ...]]:
        self._refuse_twins("group", [g.name for g in self.module.groups])
        for group in self.module.groups:
            for member in group.members:
                if member.text not in self.agents:
                    cure = did_you_mean(member.text, self.agents)
                    self.report(
                        "E201", f"unknown agent `{member.text}` in group {group.name.text}", member.span, cure
                    )
        return {g.name.text: tuple(m.text for m in g.members) for g in self.module.groups}

    def _specifications(self, decls: tuple[tree.FormulaDecl, ...]) -> tuple[Specification, ...]:
        groups = {group.name.text: bool(group.members) for group in self.module.groups}
        known = Known(frozenset(p.name.text for p in self.module.evaluation), self.agents, groups)
        for decl in decls:
            conditions, errors = question_of(decl, known, self.source)
            self.errors += errors
            self.conditions |= conditions
        return tuple(replace(decl.specification, place=decl, entry=decl.entry) for decl in decls)
