"""What holds at one state, and who knows it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from knower.engine.protocol import Explored
from knower.engine.registry import explored, plan
from knower.errors import Undecided
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.language import Language, Specification
from knower.logic.rewrite import quantified
from knower.options import MAX_STATES, How, Reading
from knower.query.query import Query, query
from knower.reasons import OutOfMemory, Refused, TooDeep
from knower.system.explicit import Explicit
from knower.system.expressions import State
from knower.system.propositions import holds_in
from knower.system.system import InterpretedSystem
from knower.verdict.moves import Stance


class CannotTell(Undecided):
    """A question that was not decided."""


_UNFAIR = Refused("no fair path leads on from this state, and formulas are read at fair states")


class Questions:
    """Formulas of any logic at states of a model.

    What is propositional is seen at the state. All else needs the reachable states: they are explored
    for the first question that does. The limits hold for each question anew.
    """

    def __init__(
        self,
        system: InterpretedSystem,
        reading: Reading | None = None,
        *,
        time_limit: float | None = None,
        max_states: int | None = MAX_STATES,
    ) -> None:
        self.system = system
        self.explicit = Explicit(system)
        self.budget = Budget(time_limit, None, max_states)
        self._reading = reading or Reading()
        self._engine: Explored | None = None

    def holds(self, spec: Specification, state: State) -> bool:
        """Whether a specification holds at a reachable state; raises `CannotTell`."""
        if spec.language is Language.PLAIN and f.is_propositional(spec.body):
            return holds_in(spec.body, self.explicit, state)
        with self._limited():
            asked = self._query(spec)
            engine = self._explored(asked)
            if not engine.holds_at(self._query(Specification(f.TRUE, spec.language)), state):
                raise CannotTell(_UNFAIR)
            return engine.holds_at(asked, state)

    def stances(self, spec: Specification, state: State) -> Mapping[str, Stance]:
        """For each agent, whether it knows the specification, or its opposite, at a reachable state."""
        return {agent.name: self._stance(agent.name, spec, state) for agent in self.system.agents}

    def _stance(self, agent: str, spec: Specification, state: State) -> Stance:
        claim, language = quantified(spec.body, linear=spec.language.linear), _branching(spec.language)
        if self.holds(Specification(f.K(agent, claim), language), state):
            return Stance.KNOWS
        if self.holds(Specification(f.K(agent, f.Not(claim)), language), state):
            return Stance.KNOWS_OPPOSITE
        return Stance.DOES_NOT_KNOW

    def _query(self, spec: Specification) -> Query:
        return query(spec, self._reading, self.system)

    def _explored(self, asked: Query) -> Explored:
        if self._engine is None:
            ((pick, _),) = plan([asked], How(), self.system)
            loops = asked.setting.loops
            self._engine = explored(pick.make(self.system, self.budget, How(), loops=loops), pick)
            assert self._engine is not None, "the engines that offer themselves know all states"
        return self._engine

    @contextmanager
    def _limited(self) -> Iterator[None]:
        self.budget.started = time.monotonic()
        try:
            yield
        except Undecided as reason:
            raise CannotTell(reason.reason) from None
        except MemoryError:
            raise CannotTell(OutOfMemory()) from None
        except RecursionError:
            raise CannotTell(TooDeep()) from None


def _branching(language: Language) -> Language:
    """A language in which a formula whose path quantifiers are written means the same."""
    if language is Language.PLAIN:
        return language
    return Language.CDLF_STAR if language.finite else Language.CDL_STAR
