"""Names and conditions of formulas: what a system must know so that they mean something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from knower.errors import Diagnostic, InputError, did_you_mean
from knower.logic import formula as f
from knower.logic.fold import atoms, subformulas
from knower.logic.language import Specification
from knower.records import dataclass
from knower.source import Source, Span
from knower.syntax import tree
from knower.syntax.conditions import parse_expression
from knower.syntax.expected import expected
from knower.syntax.foreign_syntax import foreign_name
from knower.syntax.lexer import END, Tokens
from knower.system.expressions import Condition, Truth
from knower.system.mistakes import Report
from knower.system.resolve import Resolver
from knower.system.scope import Scope, Signature
from knower.system.system import InterpretedSystem

_WHERE = "a formula"
#: What no name of a proposition has, and every condition.
_OF_CONDITIONS = re.compile(r"[.=<>]")


@dataclass(frozen=True, slots=True)
class Known:
    """What a formula may speak of; a group maps to whether it has members."""

    propositions: frozenset[str]
    agents: Mapping[str, Signature]
    groups: Mapping[str, bool]

    @staticmethod
    def of(system: InterpretedSystem) -> Known:
        groups = {name: bool(members) for name, members in system.groups.items()}
        return Known(frozenset(system.propositions), signatures(system), groups)


def signatures(system: InterpretedSystem) -> dict[str, Signature]:
    return {
        agent.name: Signature(agent.name, {v.name: v for v in agent.variables}, agent.actions)
        for agent in system.agents
    }


def check_formula(decl: tree.FormulaDecl, system: InterpretedSystem, source: Source) -> list[Diagnostic]:
    """What is wrong with the names and conditions of a formula."""
    return question_of(decl, Known.of(system), source)[1]


def check_names(spec: Specification, system: InterpretedSystem) -> list[Diagnostic]:
    """The same for a formula that was not written but built."""
    uses = tuple(_uses(spec))
    found = check_formula(tree.FormulaDecl(spec, uses=uses), system, Source("<formula>", ""))
    return [replace(diagnostic, source=None) for diagnostic in found]


def as_text(name: str) -> tree.FormulaDecl:
    """A condition by its text, where names are as they are written."""
    return tree.FormulaDecl(Specification(f.Atom(name)))


def conditions_of(
    specs: Iterable[Specification],
    system: InterpretedSystem,
    read: Callable[[str], tree.FormulaDecl] = as_text,
) -> dict[str, Condition]:
    """The conditions that formulas speak of and the system does not know yet, by their text."""
    named = {name for spec in specs for name in atoms(spec.body)} - system.propositions.keys()
    if not named:
        return {}
    known, found = Known.of(system), dict[str, Condition]()
    for name in sorted(named):
        conditions, errors = question_of(read(name), known, Source(_WHERE, name))
        if errors:
            raise InputError(errors)
        found |= conditions
    return found


def question_of(
    decl: tree.FormulaDecl, known: Known, source: Source
) -> tuple[dict[str, Condition], list[Diagnostic]]:
    """The conditions in a formula, by their text, and what is wrong with it."""
    found = [_unknown(use, known, source) for use in decl.uses]
    errors = [*filter(None, found), *_unknown_actions(decl, known, source)]
    conditions: dict[str, Condition] = {}
    for name, condition in _written(decl, known, source, errors):
        conditions[name] = condition
    return conditions, sorted(errors, key=lambda diagnostic: diagnostic.span)


def _written(
    decl: tree.FormulaDecl, known: Known, source: Source, errors: list[Diagnostic]
) -> Iterator[tuple[str, Condition]]:
    """Conditions that come with the formula, and those that its atoms are the texts of."""
    given = {condition.name.text: condition.condition for condition in decl.conditions}
    for name in sorted(atoms(decl.specification.body) - known.propositions):
        if name in given:
            yield name, _resolved(given[name], known, _reporting(errors, source))
        elif _OF_CONDITIONS.search(name):
            yield name, _parsed(name, known, decl.span, source, errors)


def _parsed(name: str, known: Known, span: Span, source: Source, errors: list[Diagnostic]) -> Condition:
    """The condition that a name is the text of; what is wrong with it is told at the formula's place."""
    wrong: list[Diagnostic] = []
    try:
        condition = parsed_condition(Source(_WHERE, name), known.agents, _reporting(wrong, source), _WHERE)
    except InputError as error:
        wrong += error.diagnostics
        condition = Truth(False)
    errors += [replace(each, source=source, span=span) for each in wrong]
    return condition


def parsed_condition(
    source: Source, agents: Mapping[str, Signature], report: Report, where: str
) -> Condition:
    """A condition in a text of its own."""
    tokens = Tokens(source)
    expression, at = parse_expression(tokens, 0)
    if tokens.kinds[at] != END:
        raise expected(tokens, at, "an operator or the end of the condition")
    for item in subformulas(expression.expr):
        if not isinstance(item, tree.PLAIN):
            raise expected(tokens, 0, "a condition without `if`, `min` and other words of templates")
    return Resolver(Scope(where, agents), report).condition(expression)


def _resolved(phrase: tree.Phrase, known: Known, report: Report) -> Condition:
    return Resolver(Scope(_WHERE, known.agents), report).condition(phrase)


def _reporting(errors: list[Diagnostic], source: Source) -> Report:
    def report(code: str, message: str, span: Span, cure: str | None = None) -> None:
        errors.append(Diagnostic(code, message, source, span, cure))

    return report


# -- names ------------------------------------------------------------------------------------------------


def _uses(spec: Specification) -> Iterator[tree.NameUse]:
    for item in subformulas(spec.body):
        match item:
            case f.Atom(name) if not _OF_CONDITIONS.search(name):
                yield tree.NameUse("proposition", name)
            case f.OfAgent(agent) | f.Green(agent) | f.Red(agent):
                yield tree.NameUse("agent", agent)
            case f.OfGroup(f.Group(members)) | f.CanU(f.Group(members)):
                yield from (tree.NameUse("agent", member) for member in members)
            case f.CanX(str(group)) | f.CanF(str(group)) | f.CanG(str(group)) | f.CanU(str(group)):
                yield tree.NameUse("coalition", group)
            case f.OfGroup(str(group)):
                yield tree.NameUse("group", group)
            case _:
                pass


def _unknown_actions(decl: tree.FormulaDecl, known: Known, source: Source) -> Iterator[Diagnostic]:
    """Who is said to do what cannot be done, by nobody or by that agent."""
    for item in subformulas(decl.specification.body):
        if not isinstance(item, f.Does):
            continue
        if item.agent not in known.agents:
            cure = did_you_mean(item.agent, known.agents)
            yield Diagnostic("E201", f"unknown agent `{item.agent}`", source, decl.span, cure)
        elif item.action not in known.agents[item.agent].actions:
            actions = known.agents[item.agent].actions
            message = f"unknown action `{item.action}` of agent {item.agent}"
            yield Diagnostic("E208", message, source, decl.span, did_you_mean(item.action, actions))


def _unknown(use: tree.NameUse, known: Known, source: Source) -> Diagnostic | None:
    name = use.name
    match use.kind:
        case "proposition" if name not in known.propositions:
            named = [each for each in known.propositions if not _OF_CONDITIONS.search(each)]
            near = foreign_name(name, known.propositions) or did_you_mean(name, named)
            cure = near or "declare it in Evaluation"
            return Diagnostic("E501", f"unknown proposition `{name}`", source, use.span, cure)
        case "agent" if name not in known.agents:
            swapped = "the agent comes first: `K(agent, formula)`" if name in known.propositions else None
            near = swapped or did_you_mean(name, known.agents)
            return Diagnostic("E201", f"unknown agent `{name}`", source, use.span, near)
        case "group" if name in known.groups and not known.groups[name]:
            cure = "add members, or name an agent"
            return Diagnostic("E409", f"the group `{name}` is empty", source, use.span, cure)
        case "group" | "coalition" if name not in known.groups and name not in known.agents:
            near = did_you_mean(name, [*known.groups, *known.agents])
            return Diagnostic("E209", f"unknown group or agent `{name}`", source, use.span, near)
        case _:
            return None
