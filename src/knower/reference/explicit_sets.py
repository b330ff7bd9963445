"""A set of states by their numbers, as plain values (an `engine.protocol.StateSet`)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from knower.records import dataclass
from knower.reference.evaluate import Evaluator, States
from knower.reference.space import ModelFault
from knower.system.expressions import State
from knower.verdict.trace import Path


@dataclass(frozen=True)
class ExplicitSet:
    """Some of the states a formula is read over."""

    evaluator: Evaluator
    numbers: States

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[State]:
        return (self.evaluator.space.states[number] for number in sorted(self.numbers))

    def __contains__(self, state: object) -> bool:
        return self.evaluator.space.number.get(state) in self.numbers  # type: ignore[call-overload]

    def sample(self, count: int, seed: int = 0) -> list[State]:
        chosen = random.Random(seed).sample(sorted(self.numbers), min(count, len(self.numbers)))
        return [self.evaluator.space.states[number] for number in chosen]

    def indistinguishable(self, state: State, members: tuple[str, ...]) -> ExplicitSet:
        sees, states = self.evaluator.space.explicit.sees, self.evaluator.space.states
        alike = (n for n in self.numbers if all(sees(who, states[n]) == sees(who, state) for who in members))
        return ExplicitSet(self.evaluator, frozenset(alike))

    def path_to(self, state: State) -> Path:
        if state not in self:
            raise KeyError(state)
        return self.evaluator.space.path_to(ModelFault(self.evaluator.space.number[state], ""))
