"""A model as it was read: its text, its tree and what it means."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from knower.errors import Diagnostic, InputError, NoInitialState
from knower.logic.fragment import fragment_of
from knower.logic.language import Specification
from knower.records import dataclass
from knower.source import NOWHERE, Source
from knower.syntax import tree
from knower.syntax.formulas import parse_formula
from knower.syntax.ispl import parse_ispl
from knower.syntax.places import span_of
from knower.syntax.printing import print_module, print_specification
from knower.system.domains import size
from knower.system.elaborate import check_formula, check_names, elaborate
from knower.system.system import Agent, InterpretedSystem
from knower.verdict.overview import AgentInfo, ModelInfo


@dataclass(frozen=True)
class Model:
    """Without mistakes: `read` raises `InputError` with all that it finds."""

    source: Source
    module: tree.Module
    interpreted: InterpretedSystem

    @classmethod
    def read(cls, source: Source) -> Model:
        module = parse_ispl(source)
        return cls(source, module, elaborate(module, source))

    @property
    def formulae(self) -> tuple[str, ...]:
        """The formulas of the file, as canonical text."""
        return tuple(map(self.print, self.interpreted.formulae))

    def print(self, spec: Specification) -> str:
        """A specification as text that means the same in this model."""
        return print_specification(spec, frozenset(self.interpreted.propositions))

    def to_ispl(self) -> str:
        """The model as canonical ISPL, without comments."""
        return print_module(self.module)

    # -- formulas -----------------------------------------------------------------------------------------

    def specifications(self, formulas: Iterable[str | Specification]) -> list[Specification]:
        """All of them, over the names of this model; raises `InputError` with the errors of all."""
        specs: list[Specification] = []
        errors: list[Diagnostic] = []
        for formula in formulas:
            try:
                specs.append(self.parse(formula) if isinstance(formula, str) else self._known(formula))
            except InputError as error:
                errors += error.diagnostics
        if errors:
            raise InputError(errors)
        return specs

    def parse(self, formula: str) -> Specification:
        """A formula over the names of this model."""
        names = tree.Names.of(self.module.agents, self.module.groups, self.module.evaluation)
        decl = parse_formula(formula, names)
        unknown = check_formula(decl, self.interpreted, Source("<formula>", formula))
        if unknown:
            raise InputError(unknown)
        return decl.specification

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

        return lint(self.module, self.interpreted, self.source)

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
            tuple(known.propositions),
            dict(known.groups),
            len(known.fairness),
            tuple((self.print(spec), fragment_of(spec).name) for spec in known.formulae),
            prod(size(variable.domain) for variable in known.variables),
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
