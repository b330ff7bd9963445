"""A system in a space of functions: explored there, and begun anew in another where there is no room."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from knower.functions.protocol import Described, NoRoom, Reorderable
from knower.limits import Budget
from knower.query.query import Query
from knower.symbolic.exploration import Exploration
from knower.symbolic.model import SymbolicModel
from knower.symbolic.order_search import Configuration, OrderSearch
from knower.symbolic.system import TransitionSystem
from knower.symbolic.transition_parts import TransitionParts
from knower.system.expressions import Condition
from knower.system.system import InterpretedSystem
from knower.verdict.verdict import Statistics
from knower.verdict.warnings import Warning

T = TypeVar("T")

#: Told how large a diagram is on the way; may raise `NoRoom` where that is too large.
Passed: TypeAlias = Callable[[int], None]


class Explorer(Protocol):
    """How the reachable states are found."""

    def begin(
        self, system: TransitionSystem[Any], attempt: Configuration, passed: Passed
    ) -> Exploration[Any]:
        """Begin in a space, as far as has to be gone before anything is asked.

        `passed` may be told the nodes of what is reached after 1, 2, 4, 8, … steps.
        """

    def advance(self, exploration: Exploration[Any]) -> None:
        """Go on."""

    def watch(self, queries: Sequence[Query]) -> None:
        """Told which questions are open."""

    def take_hint(self) -> bool:
        """Whether somebody has seen that one of them can be decided now; told once."""

    def statistics(self) -> Statistics:
        """What was done."""

    def notes(self) -> tuple[Warning, ...]:
        """What there is to say of how it was done."""

    def close(self) -> None:
        """No more is asked."""


class OwnExplorer:
    """States found by this process alone: all of them before anything is asked (`whole`), or step by step."""

    def __init__(self, budget: Budget, strategy: str, *, whole: bool) -> None:
        self.budget = budget
        self.strategy = strategy
        self.whole = whole

    def begin(
        self, system: TransitionSystem[Any], attempt: Configuration, passed: Passed
    ) -> Exploration[Any]:
        found = Exploration(system, self.budget, self.strategy)
        while self.whole and not found.complete:
            found.advance()
            if found.depth.bit_count() == 1:
                passed(system.space.size(found.reached))
        return found

    def advance(self, exploration: Exploration[Any]) -> None:
        exploration.advance()

    def watch(self, queries: Sequence[Query]) -> None:
        """Nobody else is at work."""

    def take_hint(self) -> bool:
        return False

    def statistics(self) -> Statistics:
        return {}

    def notes(self) -> tuple[Warning, ...]:
        return ()

    def close(self) -> None:
        """Nobody has to be told."""


class Rooms:
    """The system where it has room at present. Everything in a space is lost when another one is taken."""

    def __init__(
        self, order: OrderSearch, budget: Budget, explorer: Explorer, *, loops: bool = False
    ) -> None:
        self.budget = budget
        self.explorer = explorer
        self.loops = loops
        #: How often all was begun anew: what belongs to a space is marked by it.
        self.moves = 0
        self._order = order
        self._exploration: Exploration[Any] | None = None
        self._model: SymbolicModel[Any] | None = None
        self._explore()

    @property
    def labelling(self) -> tuple[Mapping[str, Condition], Mapping[str, Condition]]:
        """What propositions mean at present, and where they are looked at."""
        return self._order.encoding.system.labelling

    def adopt(self, system: InterpretedSystem) -> None:
        """Propositions of another system with the same agents and initial states."""
        self._order.encoding.adopt(system)

    @property
    def exploration(self) -> Exploration[Any]:
        """The states that are known; begun anew if they were left."""
        if self._exploration is None:
            self._explore()
        assert self._exploration is not None, "it has just begun"
        return self._exploration

    def _explore(self) -> None:
        started = time.perf_counter()
        with self.budget.for_everybody():
            self._exploration = self._order.made(self._begun)
        self._seconds_to_explore = time.perf_counter() - started

    def _begun(self, steps: TransitionParts[Any], attempt: Configuration) -> Exploration[Any]:
        system = TransitionSystem(steps, loops=self.loops)
        return self.explorer.begin(system, attempt, self._order.passed)

    @property
    def model(self) -> SymbolicModel[Any]:
        """The system with the states that are known."""
        if self._model is None:
            self._model = self.exploration.model
        return self._model

    @property
    def extent(self) -> tuple[int, int]:
        """How far exploring has come: the depth, and the nodes of what is reached."""
        exploration = self.exploration
        return exploration.depth, exploration.system.space.size(exploration.reached)

    def advance(self) -> None:
        """Go on exploring."""
        self._model = None
        self.explorer.advance(self.exploration)

    def learn(self, states: Any) -> None:
        """Take these states for known: others have found them."""
        self._model = None
        self.exploration.learn(states, states)

    def with_room(self, work: Callable[[], T]) -> T:
        """Work that is begun again, on the model explored anew, as long as there is more room.

        It says itself how far the model has to be explored: who works in here does not call this again.
        """
        while True:
            try:
                with self.exploration.system.space.working():
                    return work()
            except NoRoom:
                if not self._order.has_more:
                    raise
            self._give_up()

    def leave(self) -> None:
        """Let go of the space and all that is in it; who comes back finds one like it."""
        if not self.is_left:
            self._order.again()
        self._give_up()

    def _give_up(self) -> None:
        """Let go of the space: the next one is another."""
        self._exploration = self._model = None
        self.moves += 1

    @property
    def is_left(self) -> bool:
        """Whether nothing is known any more: who asks for the states begins anew."""
        return self._exploration is None

    @property
    def order(self) -> str:
        """The name of the order that was good; empty as long as none was."""
        return self._order.attempt.order if self._order.attempt else ""

    def statistics(self) -> Statistics:
        """What was chosen and how large things are."""
        if self.is_left:
            return {"attempts": self._order.attempts, **self.explorer.statistics()}
        model, space, attempt = self.model, self.model.space, self._order.attempt
        return {
            "library": space.name,
            "order": self.order,
            **({"vtree": attempt.vtree} if attempt and attempt.vtree else {}),
            **(space.details() if isinstance(space, Described) else {}),
            "attempts": self._order.attempts,
            "state bits": model.layout.state_bits,
            "action bits": sum(len(choice.bits) for choice in model.steps.choices.values()),
            "moves": len(model.relation.partitions),
            "relation nodes": sum(
                space.size(c) for partition in model.relation.partitions for c in partition.clusters
            ),
            "reachable nodes": space.size(model.reachable),
            "peak nodes": model.steps.joiner.peak,
            "nodes held": space.nodes(),
            "reorderings": space.reorderings if isinstance(space, Reorderable) else 0,
            "seconds to encode": round(self._order.seconds, 3),
            "seconds to explore": round(self._seconds_to_explore, 3),
            **({"variable order": " ".join(self.variable_order)} if self._order.tuning.save_order else {}),
            **self.explorer.statistics(),
        }

    @property
    def variable_order(self) -> tuple[str, ...]:
        """The variables by name, from the top down, as they stand at present."""
        from knower.symbolic.order_file import names_in  # most runs need none

        return names_in(self.model.space.order(), self.model.layout)

    def close(self) -> None:
        """No more is asked."""
        self.leave()
        self.explorer.close()
