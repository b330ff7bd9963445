"""What is asked of an engine: questions decided as they come, evidence at any later time, faults.

    Engine     decides questions about one system
    Explored   knows the reachable states, and where in them a formula holds
    StateSet   a set of states as plain values

An engine is made for a system, and for whether deadlocks have a step to themselves; everything else about a
question is in the `Query`. It turns what it cannot decide into an unknown answer for that question and goes
on; an exception that leaves `decide` is the end of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from enum import Enum
from typing import Any, Protocol, TypeAlias

from knower.evidence.view import View
from knower.limits import Budget
from knower.query.query import Query
from knower.system.expressions import State
from knower.system.system import InterpretedSystem
from knower.verdict.evidence import Evidence
from knower.verdict.faults import Fault, Faults
from knower.verdict.trace import Path
from knower.verdict.verdict import Answer, Statistics, Verdict

#: Finds evidence in the states a question was decided over.
Search: TypeAlias = Callable[[View[Any]], Evidence | None]


class Pressure(Enum):
    """How much an engine is to forget: what it knows of formulas, or all it can find out again."""

    FORMULAS = "formulas"
    ALL = "all"


class Engine(Protocol):
    """Decides questions about one system."""

    #: One object for life; it is armed anew for each task.
    budget: Budget

    def decide(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Answer]]:
        """Each question with its answer, as soon as it is decided.

        Between two answers the engine may be asked for evidence, and may forget: nothing that belongs to
        a space of functions is kept in a local across a `yield`.
        """

    def evidence(
        self, query: Query, verdict: Verdict, over: Search, avoid: Collection[Evidence] = ()
    ) -> Evidence | None:
        """What shows a verdict this engine has given; None where there is nothing to show.

        `over` finds it in a view of the states; an engine without sets of states has its own way. An engine
        that has forgotten decides again. `avoid`: what is known already.
        """

    def faults(self, sought: Collection[Fault]) -> Faults:
        """Deadlocks and overflows: those met, and if they are `sought` those further away."""

    def statistics(self) -> Statistics:
        """What was chosen and how large things are."""

    def forget(self, pressure: Pressure) -> None:
        """Let go what can be found out again."""

    def close(self) -> None:
        """Let go everything: no more is asked."""


class Lasting(Engine, Protocol):
    """An engine that can be kept from task to task."""

    def adopt(self, system: InterpretedSystem) -> None:
        """What is asked from now on is about this system.

        It has the same agents and initial states; propositions, groups and formulas may be others. Raises
        `LimitReached` where what is known already is beyond a limit of the budget.
        """


class Ordered(Lasting, Protocol):
    """A lasting engine on diagrams."""

    @property
    def order(self) -> str:
        """The name of the variable order that was good; empty as long as none was."""


class StateSet(Protocol):
    """States, as people and other programs see them."""

    def __len__(self) -> int:
        """How many there are."""

    def __contains__(self, state: object) -> bool: ...

    def sample(self, count: int, seed: int = 0) -> list[State]:
        """So many different ones, or all if there are fewer; the same for the same seed."""

    def indistinguishable(self, state: State, members: tuple[str, ...]) -> StateSet:
        """Those that none of the members can tell from a state."""

    def path_to(self, state: State) -> Path:
        """A shortest path from an initial state to one of these."""


class Explored(Engine, Protocol):
    """An engine that knows the reachable states, at last."""

    @property
    def states(self) -> int | None:
        """How many there are, if all are known."""

    def holds_at(self, query: Query, state: State) -> bool:
        """Whether a question is answered by yes at a reachable state; at unfair ones nothing is."""

    def where(self, query: Query) -> StateSet:
        """The states where it is."""
