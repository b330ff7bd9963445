"""Agents of a template: who they are, then what they do."""

from __future__ import annotations

from collections.abc import Iterator

from knower.errors import did_you_mean
from knower.source import Span
from knower.syntax.template import (
    AgentTemplate,
    Interval,
    NamedSet,
    Range,
    SetOf,
    VariableTemplate,
)  # fmt: skip
from knower.syntax.template import Variable as Written
from knower.syntax.tree import (
    AgentDecl,
    BooleanType,
    EnumType,
    EvolutionLine,
    Expr,
    Identifier,
    Phrase,
    RangeType,
    Type,
    VariableDecl,
)  # fmt: skip
from knower.templates.lines import Everywhere, Lines, repeated
from knower.templates.mistakes import Mistake
from knower.templates.nodes import Nodes
from knower.templates.phrases import unfolded
from knower.templates.reading import Reading
from knower.templates.reporting import Reporter
from knower.templates.scope import Declared, Member, World
from knower.templates.sets import Sets
from knower.templates.static import Static
from knower.templates.unfold import Unfolder
from knower.templates.values import Environment, Value, called

ENVIRONMENT = "Environment"


def signature(member: Member, world: World, nodes: Nodes, report: Reporter) -> None:
    """Find out the variables and actions of an agent."""
    unfolder = Unfolder(Reading(world, member), nodes)
    decl = member.decl
    for written in (*decl.obsvars, *decl.vars):
        with report.mistakes():
            member.variables[written.name.text] = _declared(written, unfolder, member.env)
    with report.mistakes():
        member.actions = tuple(name.text for name in Sets(unfolder).names(decl.actions, member.env))
    for name in (*member.variables, *member.defines):
        if name in member.env:
            named = next(
                each.name for each in (*decl.obsvars, *decl.vars, *decl.defines) if each.name.text == name
            )
            message = f"`{name}` is a constant or a parameter here already"
            report.add(Mistake("E210", message, unfolder.static.span(named), "choose another name"))
    for define in decl.defines:
        if define.name.text in member.variables:
            message = f"`{define.name.text}` is a variable here already"
            report.add(Mistake("E210", message, unfolder.static.span(define.name), "choose another name"))


def _declared(written: Written, unfolder: Unfolder, env: Environment) -> Declared:
    name = written.name.text
    if isinstance(written, VariableDecl):
        match written.type:
            case EnumType(values):
                names = Sets(unfolder).names(values, env)
                return Declared(name, (), frozenset(each.text for each in names))
            case RangeType(low, high):
                return Declared(name, bounds=(low, high))
            case BooleanType():
                return Declared(name)
    ranges = tuple(unfolder.static.range(each, env) for each in written.array)
    if isinstance(written.type, BooleanType):
        return Declared(name, ranges)
    if isinstance(written.type, Interval):
        return Declared(name, ranges, bounds=_bounds(written.type, unfolder.static, env))
    found = unfolder.static.range(written.type, env)
    return Declared(name, ranges, frozenset(value for value in found if isinstance(value, str)))


def _bounds(written: Interval, static: Static, env: Environment) -> tuple[int, int]:
    return static.number(written.low, env), static.number(written.high, env)


class AgentMaker:
    """Makes the plain declaration of one agent."""

    def __init__(self, member: Member, world: World, nodes: Nodes, report: Reporter, *, single: bool) -> None:
        self.member = member
        self.world = world
        self.report = report
        self.unfolder = Unfolder(Reading(world, member), nodes)
        self.sets = Sets(self.unfolder)
        self.lines = Lines(member, self.unfolder, single=single)

    def decl(self) -> AgentDecl:
        written, env, place = self.member.decl, self.member.env, self.unfolder.place
        made = AgentDecl(Identifier(self.member.name, place(written.name, env)), place=place(written, env))
        made.obsvars = self._variables(written.obsvars)
        made.vars = self._variables(written.vars)
        with self.report.mistakes():
            environment = self.world.member(ENVIRONMENT)
            made.lobsvars = self.sets.variables(written.lobsvars, environment, env)
        with self.report.mistakes():
            made.actions = self.sets.names(written.actions, env)
        with self.report.mistakes():
            made.red = None if written.red is None else unfolded(written.red, self.unfolder, env)
        self._protocol(made, written)
        self._evolution(made, written)
        return made

    # -- variables ---------------------------------------------------------------------------------

    def _variables(self, written: tuple[Written, ...]) -> tuple[VariableDecl, ...]:
        return tuple(each for decl in written for each in self._variable(decl))

    def _variable(self, written: Written) -> Iterator[VariableDecl]:
        known = self.member.variables.get(written.name.text)
        if known is None:
            return  # its mistake is reported already
        env = self.member.env
        name_place, place = self.unfolder.place(written.name, env), self.unfolder.place(written, env)
        with self.report.mistakes():
            kind = self._type(written)
            for name in known.elements:
                yield VariableDecl(Identifier(name, name_place), kind, place)

    def _type(self, written: Written) -> Type:
        place = self.unfolder.place(written.type, self.member.env)
        match written.type:
            case BooleanType():
                return BooleanType(place)
            case RangeType(low, high):
                return RangeType(low, high, place)
            case EnumType(values):
                return EnumType(self.sets.names(values, self.member.env), place)
            case Interval() as interval:
                return RangeType(*_bounds(interval, self.unfolder.static, self.member.env), place)
            case NamedSet() | SetOf() as values:
                return self._values(values)

    def _values(self, written: NamedSet | SetOf) -> Type:
        """A set of names is an enumeration, one of numbers that follow each other a range."""
        values = self.unfolder.static.range(written, self.member.env)
        place = self.unfolder.place(written, self.member.env)
        if all(isinstance(value, str) for value in values):
            return EnumType(tuple(Identifier(str(value), place) for value in values), place)
        numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
        if len(numbers) == len(values) and numbers == list(range(min(numbers), max(numbers) + 1)):
            return RangeType(min(numbers), max(numbers), place)
        span = self.unfolder.static.span(written)
        raise Mistake("E308", "the values of a variable are names, or numbers without gaps", span)

    def initial(self) -> Iterator[Phrase]:
        """What `init` says of the variables."""
        for written in (*self.member.decl.obsvars, *self.member.decl.vars):
            if isinstance(written, VariableTemplate) and written.init is not None:
                with self.report.mistakes():
                    yield from self._initial(written, written.init)

    def _initial(self, written: VariableTemplate, init: Phrase | Range) -> Iterator[Phrase]:
        nodes, env, place = self.unfolder.nodes, self.member.env, self.unfolder.place(init, self.member.env)
        span = self.unfolder.static.span(init)
        values = self._values_of(init, env)
        known = self.member.variables.get(written.name.text)
        if known is not None:
            self._refuse_values(values, known, span)
        for name in known.elements if known is not None else ():
            variable = nodes.name(name, self.member.name)
            made: Expr = nodes.static(False)
            for value in values:
                made = nodes.infix("or", made, nodes.infix("=", variable, nodes.static(value)))
            yield Phrase(made, place, Everywhere(made, span))

    def _refuse_values(self, values: tuple[Value, ...], known: Declared, span: Span) -> None:
        """Raise where a variable cannot have a value: names elsewhere may be other things."""
        for value in values:
            if isinstance(value, str) and value not in known.values:
                is_other = self.member.means(value) is not None
                cure = "what depends on variables is said in InitStates" if is_other else None
                cure = cure or did_you_mean(value, known.values)
                raise Mistake("E211", f"`{value}` is no value of `{known.name}`", span, cure)
        numbers = [value for value in values if type(value) is int]
        low, high = known.bounds or (0, 0)
        if numbers and known.bounds and not any(low <= value <= high for value in numbers):
            message = f"{numbers[0]} is no value of `{known.name}`, which is {low}..{high}"
            raise Mistake("E211", message, span, "choose one of these")

    def _values_of(self, init: Phrase | Range, env: Environment) -> tuple[Value, ...]:
        static = self.unfolder.static
        return (static.value(init, env),) if isinstance(init, Phrase) else static.range(init, env)

    # -- lines -------------------------------------------------------------------------------------

    def _protocol(self, made: AgentDecl, written: AgentTemplate) -> None:
        before = len(self.report.found)
        for line in written.protocol:
            with self.report.mistakes():
                for each, env in repeated(line, self.unfolder, self.member.env):
                    with self.report.mistakes():
                        made.protocol += (self.lines.protocol(each, env),)
                        if each is not line and made.protocol[-1].condition is None:
                            span = self.unfolder.static.span(line)
                            raise Mistake(
                                "E406", "`Other` takes no `for`", span, "write it once, as the last line"
                            )
        if written.protocol and not made.protocol and len(self.report.found) == before:
            message = f"no line of the Protocol is left in {self.member.name}"
            span = self.unfolder.static.span(written.protocol[0])
            self.report.add(Mistake("E412", message, span, "a protocol without lines would allow everything"))

    def _evolution(self, made: AgentDecl, written: AgentTemplate) -> None:
        lines: list[EvolutionLine] = []
        for line in written.evolution:
            with self.report.mistakes():
                for each, env in repeated(line, self.unfolder, self.member.env):
                    with self.report.mistakes():
                        lines += self.lines.evolution(each, env)
        made.evolution = tuple(lines)


def members(decl: AgentTemplate, world: World) -> dict[tuple[Value, ...], Member]:
    """The agents of a template by their arguments, the first parameter slowest."""
    names = [bind.name.text for bind in decl.parameters]
    if names and decl.name.text == ENVIRONMENT:
        raise Mistake("E405", "the Environment has no parameters", decl.name.span, "there is one of it")
    found: dict[tuple[Value, ...], Member] = {}
    for env in Static(Reading(world).refuse).parameters(decl.parameters, world.constants):
        arguments: tuple[Value, ...] = tuple(env[name] for name in names)  # type: ignore[misc]
        found[arguments] = Member(called(decl.name.text, arguments), decl, env)
    return found
