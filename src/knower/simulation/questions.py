"""What holds at one state, and who knows it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from knower.errors import KnowerError, LimitReached, Unsupported
from knower.execution import SetModel, Task
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.language import Language, Specification
from knower.logic.rewrite import closed
from knower.options import MAX_STATES, Reading
from knower.system.explicit import Explicit
from knower.system.expressions import State
from knower.system.propositions import holds_in
from knower.system.system import InterpretedSystem
from knower.verdict.moves import Stance


class CannotTell(KnowerError):
    """A question that was not decided; the reason is the message."""


class Questions:
    """Formulas of any logic at states of a model.

    What is propositional is seen at the state. All else needs the reachable states: they are explored
    for the first question that does, once for each engine. The limits hold for each question anew.
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
        self._task = Task("", system, (), reading or Reading())
        self._models: dict[str, SetModel] = {}

    def holds(self, spec: Specification, state: State) -> bool:
        """Whether a specification holds at a reachable state; raises `CannotTell`."""
        if spec.language is Language.PLAIN and f.is_propositional(spec.body):
            return holds_in(spec.body, self.explicit, state)
        with self._limited():
            model = self._model()
            if not model.holds_at(replace(spec, body=f.TRUE), state):
                raise CannotTell(
                    "no fair path leads on from this state, and formulas are read at fair states"
                )
            return model.holds_at(spec, state)

    def stances(self, spec: Specification, state: State) -> Mapping[str, Stance]:
        """For each agent, whether it knows the specification, or its opposite, at a reachable state."""
        return {agent.name: self._stance(agent.name, spec, state) for agent in self.system.agents}

    def _stance(self, agent: str, spec: Specification, state: State) -> Stance:
        claim, language = closed(spec), _branching(spec.language)
        if self.holds(Specification(f.K(agent, claim), language), state):
            return Stance.KNOWS
        if self.holds(Specification(f.K(agent, f.Not(claim)), language), state):
            return Stance.KNOWS_OPPOSITE
        return Stance.DOES_NOT_KNOW

    def _model(self) -> SetModel:
        engine = self._task.chosen_engine
        if engine not in self._models:
            self._models[engine] = self._explored(engine)
        return self._models[engine]

    def _explored(self, engine: str) -> SetModel:
        if engine == "bdd":
            from knower.checking.check import BddModel  # as in `execution`: only when it is needed

            return BddModel(self.system, self.budget, self._task.reading)
        from knower.reference.check import ExplicitModel

        return ExplicitModel(self.system, self.budget, self._task.reading)

    @contextmanager
    def _limited(self) -> Iterator[None]:
        self.budget.started = time.monotonic()
        try:
            yield
        except (LimitReached, Unsupported) as reason:
            raise CannotTell(str(reason)) from None
        except MemoryError:
            raise CannotTell("out of memory") from None
        except RecursionError:
            raise CannotTell("a condition or formula is nested too deeply") from None


def _branching(language: Language) -> Language:
    """A language in which a formula whose path quantifiers are written means the same."""
    if language is Language.PLAIN:
        return language
    return Language.CDLF_STAR if language.finite else Language.CDL_STAR
