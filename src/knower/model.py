"""A model as it was read: its text, its tree and what it means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from math import prod
from typing import TYPE_CHECKING

from knower.errors import Diagnostic, InputError, NoInitialState, merged
from knower.logic.fragment import fragment_of
from knower.logic.language import Specification
from knower.options import Constant
from knower.records import dataclass
from knower.source import NOWHERE, Source, Span
from knower.syntax import tree
from knower.syntax.formulas import parse_question
from knower.syntax.ispl import parse_ispl
from knower.syntax.places import span_of
from knower.syntax.printing import print_module, print_specification
from knower.syntax.template import Template
from knower.system.asked import check_formula, check_names, conditions_of
from knower.system.domains import size
from knower.system.elaborate import elaborate
from knower.system.expressions import variables
from knower.system.findings import AgentFindings
from knower.system.lint_verdicts import blocked, blocking, misleading
from knower.system.system import Agent, InterpretedSystem
from knower.verdict.overview import AgentInfo, ModelInfo
from knower.verdict.warnings import Deadlock
from knower.verdict.warnings import Lint as LintWarning

if TYPE_CHECKING:
    from knower.templates.instantiate import Instantiated, Vocabulary


def _instantiated(
    parsed: tree.Module | Template, source: Source, constants: Mapping[str, Constant] | None = None
) -> Instantiated:
    from knower.templates.instantiate import instantiate  # plain models need none of it

    return instantiate(parsed, source, constants)


@dataclass(frozen=True)
class Model:
    """Without mistakes: `read` raises `InputError` with all that it finds."""

    source: Source
    module: tree.Module
    interpreted: InterpretedSystem
    #: Of a template: what names mean in questions about it.
    vocabulary: Vocabulary | None = None
    #: What it was before it was restricted to a strategy, and what that is.
    whole: InterpretedSystem | None = None
    restriction: str = ""

    @classmethod
    def read(
        cls,
        source: Source,
        constants: Mapping[str, Constant] | None = None,
        strategy: Source | None = None,
    ) -> Model:
        """The model of a text; constants that are given take the place of their defaults.

        `strategy`: a saved one that its members follow.
        """
        found = cls._whole(source, constants)
        return found if strategy is None else found._following(strategy)

    def _following(self, source: Source) -> Model:
        from knower.strategy_file import read_strategy, restricted  # not needed by most runs

        saved = read_strategy(source)
        system = restricted(self.interpreted, self.digest, saved, source)
        return replace(self, interpreted=system, whole=self.interpreted, restriction=saved.told)

    @property
    def reads_unseen(self) -> bool:
        """Whether somebody follows a strategy by what it does not see."""
        agents = self.interpreted.agents if self.whole is not None else ()
        read = ((agent, variables(*(line.condition for line in agent.protocol))) for agent in agents)
        return any(not keys <= set(agent.observes) for agent, keys in read)

    @property
    def digest(self) -> str:
        """The same for models with the same agents and initial states, however they are laid out."""
        told = print_module(replace(self.module, evaluation=(), groups=(), fairness=(), formulae=()))
        return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    @classmethod
    def _whole(cls, source: Source, constants: Mapping[str, Constant] | None) -> Model:
        parsed = parse_ispl(source)
        if isinstance(parsed, tree.Module) and not constants:
            return cls(source, parsed, elaborate(parsed, source))
        made = _instantiated(parsed, source, constants)
        return cls(source, made.module, elaborate(made.module, source), made.vocabulary)

    @property
    def formulae(self) -> tuple[str, ...]:
        """The formulas of the file, as canonical text."""
        return tuple(map(self.print, self.interpreted.formulae))

    def print(self, spec: Specification) -> str:
        """A specification as text that means the same in this model; as it was written, if it was shorter."""
        return spec.entry.written or print_specification(spec, frozenset(self.interpreted.propositions))

    def to_ispl(self) -> str:
        """The model as canonical ISPL, without comments: plain, if it is a template."""
        return print_module(self.module) if self.vocabulary is None else self.expanded()

    def expanded(self) -> str:
        """The model as plain ISPL, as MCMAS reads it; raises `InputError` where there is none."""
        from knower.expansion.expand import expand  # not needed by most runs

        constants = {} if self.vocabulary is None else self.vocabulary.constants
        return expand(self.module, self.interpreted, self.source, constants)

    # -- formulas -----------------------------------------------------------------------------------------

    def specifications(self, formulas: Iterable[str | Specification]) -> list[Specification]:
        """All of them, over the names of this model; raises `InputError` with the errors of all."""
        specs: list[Specification] = []
        errors: list[Diagnostic] = []
        for formula in formulas:
            try:
                specs += self._asked(formula) if isinstance(formula, str) else [self._known(formula)]
            except InputError as error:
                errors += error.diagnostics
        if errors:
            raise InputError(errors)
        return specs

    def asked(self, specs: Iterable[Specification]) -> InterpretedSystem:
        """What the model means, with the conditions that questions about it are written with."""
        specs = list(specs)
        return self.interpreted.with_conditions(conditions_of(specs, self.interpreted, self.declared), specs)

    def _asked(self, text: str) -> list[Specification]:
        """What is asked by a number or a name of the file (`told`: all that are called so), or in words."""
        formulae = self.interpreted.formulae
        if text.strip().isdecimal():
            number = int(text)
            if not 0 < number <= len(formulae):
                message, cure = f"the model has no formula {number}", f"it has {len(formulae)}"
                source = Source("<formula>", text)
                raise InputError([Diagnostic("E616", message, source, Span(0, len(text)), cure)])
            return [formulae[number - 1]]
        wanted = "".join(text.split())
        named = [spec for spec in formulae if spec.entry.name is not None]
        found = [
            spec for spec in named if wanted in (spec.entry.name, str(spec.entry.name).partition("(")[0])
        ]
        return found or [self.parse(text)]

    def parse(self, formula: str) -> Specification:
        """A formula over the names of this model."""
        decl = self.declared(formula)
        unknown = check_formula(decl, self.interpreted, Source("<formula>", formula))
        if unknown:
            raise InputError(unknown)
        return replace(decl.specification, entry=decl.entry)

    def declared(self, formula: str) -> tree.FormulaDecl:
        """A formula with the conditions over states that are written in it."""
        names = tree.Names.of(self.module.agents, self.module.groups, self.module.evaluation)
        if self.vocabulary is not None:
            return self.vocabulary.formula(formula)
        decl, is_plain = parse_question(formula, names)
        return decl if is_plain else _instantiated(self.module, self.source).vocabulary.formula(formula)

    def _known(self, spec: Specification) -> Specification:
        """A specification that was built, once its names are found to be those of the model."""
        unknown = check_names(spec, self.interpreted)
        if unknown:
            raise InputError(unknown)
        return spec

    # -- what there is to say of it -------------------------------------------------------------------------

    def lint(self) -> list[Diagnostic]:
        """What is legal but looks like a mistake."""
        from knower.system.lint import lint  # not needed by most runs

        return merged(lint(self.module, self._written, self.source))

    def lint_agents(self, within: Span) -> list[AgentFindings]:
        """The same of the agents that are declared in a part of the text."""
        from knower.system.lint import agent_findings

        return agent_findings(self.module, self._written, self.source, within)

    def lint_rest(self, agents: Iterable[AgentFindings]) -> list[Diagnostic]:
        """The same of all that is no agent's own."""
        from knower.system.lint import model_findings

        return merged(model_findings(self.module, self._written, self.source, agents))

    @property
    def _written(self) -> InterpretedSystem:
        """What the text means, whatever it is restricted to."""
        return self.whole or self.interpreted

    def misleading(self) -> tuple[LintWarning, ...]:
        """What a check says of the text before it begins: the lints that change verdicts."""
        return _warnings(misleading(self.module, self._written, self.source))

    def blocking(self, deadlock: Deadlock | None) -> tuple[LintWarning, ...]:
        """What a check says of protocols, where there is a deadlock, or may be one."""
        if deadlock is None or deadlock.path is None:
            return _warnings(blocking(self.module, self._written, self.source))
        named = deadlock.path.states[-1]
        state = tuple(named[each.owner][each.name] for each in self.interpreted.variables)
        return _warnings(blocked(self.module, self._written, self.source, state))

    def no_initial_state(self, error: NoInitialState) -> InputError:
        """The same as an error of the model, with the place of InitStates."""
        initial = self.module.initial
        span = span_of(initial) if initial is not None else NOWHERE
        return InputError([Diagnostic("E410", str(error), self.source, span, "weaken the condition")])

    @property
    def info(self) -> ModelInfo:
        """Counts and names: what the model consists of."""
        known = self.interpreted
        return ModelInfo(
            self.source.name,
            "SingleAssignment" if known.single_assignment else "MultiAssignment",
            tuple(map(_agent_info, known.agents, self.module.agents)),
            known.declared,
            dict(known.groups),
            len(known.fairness),
            tuple((self.print(spec), fragment_of(spec).name) for spec in known.formulae),
            prod(size(variable.domain) for variable in known.variables),
            self.digest,
        )


def _warnings(findings: Iterable[Diagnostic]) -> tuple[LintWarning, ...]:
    return tuple(
        LintWarning(each.code, each.message)
        if each.span == NOWHERE
        else LintWarning(each.code, each.message, each.line, each.column)
        for each in merged(findings)
    )


def _agent_info(agent: Agent, decl: tree.AgentDecl) -> AgentInfo:
    return AgentInfo(
        agent.name,
        tuple(f"{v.name} : {v.domain}" for v in agent.variables),
        agent.actions,
        tuple(f"{owner}.{name}" for owner, name in agent.observes if owner != agent.name),
        len(decl.protocol),
        len(decl.evolution),
    )
