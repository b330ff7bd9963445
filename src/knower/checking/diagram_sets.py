"""A set of states by a diagram, as plain values (an `engine.protocol.StateSet`)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeAlias

from knower.checking.evaluate import Evaluator
from knower.checking.rooms import Rooms
from knower.errors import LimitReached
from knower.reasons import TooLarge
from knower.records import dataclass
from knower.symbolic.decode import MOST_STEPS, Decoder
from knower.symbolic.system import TransitionSystem
from knower.system.expressions import State
from knower.verdict.trace import Path

#: The states, in the space there is at present, with what they were read over.
Found: TypeAlias = Callable[[], tuple[Evaluator[Any], Any]]


@dataclass(frozen=True)
class DiagramSet:
    """States that are found again where their space was left."""

    rooms: Rooms
    found: Found

    def __len__(self) -> int:
        return int(self._asked(lambda evaluator, states: evaluator.model.system.count(states)))

    def __contains__(self, state: object) -> bool:
        def is_among(evaluator: Evaluator[Any], states: Any) -> bool:
            if not evaluator.model.system.interpreted.has_values(state):
                return False
            return bool(Decoder(evaluator.model).code(state) & states != evaluator.model.space.false)

        return bool(self._asked(is_among))

    def sample(self, count: int, seed: int = 0) -> list[State]:
        def drawn(evaluator: Evaluator[Any], states: Any) -> list[State]:
            chance, decoder, chosen = random.Random(seed), Decoder(evaluator.model), list[State]()
            while len(chosen) < count and states != evaluator.model.space.false:
                chosen.append(decoder.state(_any(evaluator.model.system, states, chance)))
                states = states & ~decoder.code(chosen[-1])
            return chosen

        return list(self._asked(drawn))

    def indistinguishable(self, state: State, members: tuple[str, ...]) -> DiagramSet:
        def narrowed() -> tuple[Evaluator[Any], Any]:
            evaluator, states = self.found()
            code = Decoder(evaluator.model).code(state)
            return evaluator, states & evaluator.model.system.indistinguishable_to_all(code, members)

        return DiagramSet(self.rooms, narrowed)

    def path_to(self, state: State) -> Path:
        if state not in self:
            raise KeyError(state)

        def path(evaluator: Evaluator[Any], states: Any) -> Path | None:
            decoder = Decoder(evaluator.model)
            return decoder.path_to(decoder.code(state))

        found = self._asked(path)
        if found is None:
            raise LimitReached(TooLarge(f"a path of more than {MOST_STEPS} steps"))
        assert isinstance(found, Path)
        return found

    def _asked(self, question: Callable[[Evaluator[Any], Any], Any]) -> Any:
        return self.rooms.with_room(lambda: question(*self.found()))


def _any(system: TransitionSystem[Any], states: Any, chance: random.Random) -> Any:
    """One state of a set, each as likely as any other: bit by bit, as many states have it."""
    for bit in system.layout.now:
        with_bit = states & system.space.var(bit)
        share = system.count(with_bit) / system.count(states)
        states = with_bit if chance.random() < share else states & ~system.space.var(bit)
    return states
