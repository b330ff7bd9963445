"""What holds at one state, who knows it, and what agents take for possible there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from knower.errors import Undecided
from knower.limits import Progress
from knower.logic import formula as f
from knower.logic.combining import specification
from knower.logic.fold import atoms
from knower.logic.kinds import is_propositional
from knower.logic.language import Language, Specification
from knower.logic.rewrite import quantified
from knower.reasons import OutOfMemory, TooDeep
from knower.system.explicit import Explicit
from knower.system.expressions import State
from knower.system.propositions import holds_in
from knower.system.system import InterpretedSystem
from knower.verdict.moves import Possible, Stance


class CannotTell(Undecided):
    """A question that was not decided."""


class Oracle(Protocol):
    """Somebody who knows the reachable states, and the initial ones before them."""

    def parsed(self, formula: str) -> Specification: ...

    def asked(self, spec: Specification) -> InterpretedSystem: ...

    def hold(
        self, specs: Sequence[Specification], state: State, progress: Progress | None = None
    ) -> tuple[bool, ...]: ...

    def possible(self, members: tuple[str, ...], state: State, count: int) -> Possible: ...

    def initial(self, where: str, skipped: int, count: int | None) -> tuple[State, ...]: ...


class Questions:
    """Formulas of any logic at states of a model.

    What is propositional is seen at the state. All else needs the reachable states, so an oracle is asked,
    who may not be able to tell: `CannotTell`.
    """

    def __init__(self, system: InterpretedSystem, oracle: Oracle) -> None:
        self.system = system
        self.explicit = Explicit(system)
        self.oracle = oracle

    def read(self, formula: str | f.Formula | Specification) -> Specification:
        """A formula as text, or as a value."""
        if isinstance(formula, str):
            return self.oracle.parsed(formula)
        return formula if isinstance(formula, Specification) else specification(formula)

    def holds(self, spec: Specification, state: State, progress: Progress | None = None) -> bool:
        """Whether a specification holds at a reachable state."""
        if spec.language is Language.PLAIN and is_propositional(spec.body):
            return holds_in(spec.body, self._looking_for(spec), state)
        (holds,) = self._held([spec], state, progress)
        return holds

    def _looking_for(self, spec: Specification) -> Explicit:
        """A formula may be written with conditions of its own."""
        known = atoms(spec.body) <= self.system.propositions.keys()
        return self.explicit if known else Explicit(self.oracle.asked(spec))

    def knows(self, agent: str, spec: Specification, state: State) -> bool:
        """Whether an agent knows the specification at a reachable state."""
        return self.holds(_known(agent, spec), state)

    def stances(
        self, spec: Specification, state: State, progress: Progress | None = None
    ) -> Mapping[str, Stance]:
        """For each agent, whether it knows the specification, or its opposite, at a reachable state."""
        agents = [agent.name for agent in self.system.agents]
        asked = [_known(agent, each) for agent in agents for each in (spec, _opposite(spec))]
        held = self._held(asked, state, progress)
        return {agent: _stance(*held[2 * k : 2 * k + 2]) for k, agent in enumerate(agents)}

    def possible(self, members: tuple[str, ...], state: State, count: int) -> Possible:
        """The reachable states that none of the members can tell from this one: so many of them."""
        try:
            return self.oracle.possible(members, state, count)
        except Undecided as reason:
            raise CannotTell(reason.reason) from None

    def _held(
        self, specs: Sequence[Specification], state: State, progress: Progress | None
    ) -> tuple[bool, ...]:
        try:
            return self.oracle.hold(specs, state, progress)
        except Undecided as reason:
            raise CannotTell(reason.reason) from None
        except MemoryError:
            raise CannotTell(OutOfMemory()) from None
        except RecursionError:
            raise CannotTell(TooDeep()) from None


def _stance(knows: bool, knows_opposite: bool) -> Stance:
    if knows:
        return Stance.KNOWS
    return Stance.KNOWS_OPPOSITE if knows_opposite else Stance.DOES_NOT_KNOW


def _known(agent: str, spec: Specification) -> Specification:
    """That an agent knows something."""
    claim = quantified(spec.body, linear=spec.language.linear)
    return Specification(f.K(agent, claim), _branching(spec.language))


def _opposite(spec: Specification) -> Specification:
    claim = quantified(spec.body, linear=spec.language.linear)
    return Specification(f.Not(claim), _branching(spec.language))


def _branching(language: Language) -> Language:
    """A language in which a formula whose path quantifiers are written means the same."""
    if language is Language.PLAIN:
        return language
    return Language.CDLF_STAR if language.finite else Language.CDL_STAR
