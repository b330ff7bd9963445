"""A template into a plain module: `instantiate(parsed, source, constants) -> Instantiated`."""

from __future__ import annotations

from collections.abc import Mapping

from knower.errors import UsageError
from knower.records import dataclass
from knower.source import Source
from knower.syntax.formulas import parse_formula
from knower.syntax.ispl import names_of
from knower.syntax.template import (
    AgentTemplate,
    For,
    FormulaTemplate,
    GroupTemplate,
    Head,
    Line,
    PropositionTemplate,
    Template,
)  # fmt: skip
from knower.syntax.tree import (
    AgentDecl,
    FormulaDecl,
    GroupDecl,
    Identifier,
    Module,
    Names,
    Phrase,
    PropositionDecl,
)  # fmt: skip
from knower.templates.agents import AgentMaker, members, signature
from knower.templates.constants import constants as worked_out
from knower.templates.formulas import Formulas, InstanceNaming
from knower.templates.lines import conjunction, repeated
from knower.templates.mistakes import Mistake
from knower.templates.nodes import Nodes
from knower.templates.phrases import unfolded
from knower.templates.reading import Reading
from knower.templates.reporting import Reporter
from knower.templates.scope import World
from knower.templates.sets import Sets, head
from knower.templates.unfold import Unfolder
from knower.templates.values import Constant, Environment, spelt


@dataclass(frozen=True)
class Instantiated:
    """A plain module, and what names mean in questions about it."""

    module: Module
    vocabulary: Vocabulary

    @property
    def constants(self) -> Mapping[str, Constant]:
        return self.vocabulary.world.constants


@dataclass(frozen=True)
class Vocabulary:
    """Who there is, for formulas that are asked later."""

    world: World
    names: Names

    @property
    def constants(self) -> dict[str, str]:
        """The constants of the model, each with its value as it is written."""
        return {name: spelt(value) for name, value in self.world.constants.items()}

    def formula(self, text: str) -> FormulaDecl:
        """A formula over the names of the model; raises `InputError`."""
        source = Source("<formula>", text)
        report = Reporter(source)
        with report.mistakes():
            naming = InstanceNaming(self.world, Nodes(source), self.world.constants)
            return parse_formula(text, self.names, naming=naming)
        report.check()
        raise AssertionError("a mistake was found")


def instantiate(
    parsed: Module | Template, source: Source, constants: Mapping[str, Constant | str] | None = None
) -> Instantiated:
    """The plain module of a text with the given constants; raises `InputError` with all that is wrong."""
    if isinstance(parsed, Template):
        return _Instantiation(parsed, source, constants or {}).result()
    for name in constants or {}:
        raise UsageError("E615", f"the model has no constant `{name}`", "the model has no `Const`")
    return _as_it_is(parsed, source)


def _as_it_is(module: Module, source: Source) -> Instantiated:
    """A plain module, whose names are found out when somebody asks."""
    agents = tuple(map(_shared, module.agents))
    template = Template(None, (), agents, module.evaluation, None, module.groups)
    return _Instantiation(template, source, {}).plain(module)


def _shared(agent: AgentDecl) -> AgentTemplate:
    """Who an agent is; what it does is not asked for."""
    return AgentTemplate(agent.name, (), agent.obsvars, agent.vars, actions=agent.actions)


class _Instantiation:
    """One template with values for its constants."""

    def __init__(self, template: Template, source: Source, given: Mapping[str, Constant | str]) -> None:
        self.template = template
        self.report = Reporter(source)
        self.nodes = Nodes(source)
        self.world = World(source, worked_out(template.constants, given, source))
        self.names = names_of(template)
        self.single = template.semantics is not None and template.semantics.name == "SingleAssignment"

    def result(self) -> Instantiated:
        self._meet_agents()
        self._refuse_constants()
        self.report.check()
        module = Module(self.template.semantics)
        makers = [
            AgentMaker(member, self.world, self.nodes, self.report, single=self.single)
            for member in self.world.members
        ]
        module.agents = tuple(maker.decl() for maker in makers)
        module.initial = self._initial(makers)
        module.evaluation = tuple(self._propositions())
        module.groups = tuple(self._groups())
        self.report.check()
        module.fairness = self._formulas(self.template.fairness)
        module.formulae = self._formulas(self.template.formulae)
        self.report.check()
        return Instantiated(module, self.vocabulary(module))

    def vocabulary(self, module: Module) -> Vocabulary:
        return Vocabulary(self.world, self.names)

    def plain(self, module: Module) -> Instantiated:
        """The vocabulary of a module that is plain as it is."""
        self._meet_agents()
        self.world.propositions = {each.name.text: each.condition for each in module.evaluation}
        return Instantiated(module, self.vocabulary(module))

    # -- who there is ------------------------------------------------------------------------------

    def _meet_agents(self) -> None:
        world = self.world
        for decl in self.template.agents:
            name = decl.name.text
            if name in world.families:
                message = f"agent `{name}` is declared twice"
                self.report.add(Mistake("E404", message, decl.name.span, "rename or remove one"))
                continue
            world.arity[name] = len(decl.parameters)
            world.families[name] = {}
            with self.report.mistakes():
                world.families[name] = members(decl, world)
        for member in world.members:
            signature(member, world, self.nodes, self.report)
        labels = (_label(line) for line in self.template.formulae)
        world.taken = (
            frozenset(filter(None, labels)) | self.names.agents | self.names.groups | self.names.propositions
        )

    def _refuse_constants(self) -> None:
        """A constant is not called like anything that formulas name."""
        for decl in self.template.constants:
            if decl.name.text in self.world.taken:
                message = f"`{decl.name.text}` is an agent, a group, a proposition or a label, too"
                self.report.add(Mistake("E210", message, decl.name.span, "choose another name"))

    # -- sections ----------------------------------------------------------------------------------

    def _unfolder(self) -> Unfolder:
        return Unfolder(Reading(self.world), self.nodes)

    def _lines(self, lines: tuple[Line | For, ...]) -> list[tuple[Line, Environment]]:
        found: list[tuple[Line, Environment]] = []
        for line in lines:
            with self.report.mistakes():
                found += repeated(line, self._unfolder(), self.world.constants)
        return found

    def _initial(self, makers: list[AgentMaker]) -> Phrase | None:
        unfolder = self._unfolder()
        phrases: list[Phrase] = []
        if self.template.initial is not None:
            with self.report.mistakes():
                phrases.append(unfolded(self.template.initial, unfolder, self.world.constants))
        phrases += [phrase for maker in makers for phrase in maker.initial()]
        return conjunction(phrases, unfolder) if phrases else None

    def _propositions(self) -> list[PropositionDecl]:
        found: list[PropositionDecl] = []
        unfolder = self._unfolder()
        for line, env in self._lines(self.template.evaluation):
            assert isinstance(line, PropositionDecl | PropositionTemplate)
            with self.report.mistakes():
                name = _head(line.name, unfolder, env)
                condition = unfolded(line.condition, unfolder, env)
                found.append(PropositionDecl(name, condition, unfolder.place(line, env)))
        self.world.propositions = {each.name.text: each.condition for each in found}
        return found

    def _groups(self) -> list[GroupDecl]:
        found: list[GroupDecl] = []
        unfolder = self._unfolder()
        for line, env in self._lines(self.template.groups):
            assert isinstance(line, GroupDecl | GroupTemplate)
            with self.report.mistakes():
                agents = Sets(unfolder).agents(line.members, env)
                found.append(GroupDecl(_head(line.name, unfolder, env), agents, unfolder.place(line, env)))
        return found

    def _formulas(self, lines: tuple[Line | For, ...]) -> tuple[FormulaDecl, ...]:
        formulas = Formulas(self.world, self.nodes, self.names)
        found: list[FormulaDecl] = []
        for line, env in self._lines(lines):
            with self.report.mistakes():
                found.append(formulas.decl(line, env) if isinstance(line, FormulaTemplate) else line)  # type: ignore[arg-type]
        return tuple(found)


def _head(name: Identifier | Head, unfolder: Unfolder, env: Environment) -> Identifier:
    if isinstance(name, Identifier):
        return Identifier(name.text, unfolder.place(name, env))
    return Identifier(head(name.name.text, name.arguments, unfolder, env), unfolder.place(name, env))


def _label(line: Line | For) -> str | None:
    written = line.body if isinstance(line, For) else line
    name = written.name if isinstance(written, FormulaTemplate) else None
    return name.name.text if isinstance(name, Head) else name.text if name is not None else None
