"""What explanations ask of an engine: sets of states, and how the states in them hang together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeAlias

from knower.functions.protocol import F
from knower.logic.formula import Formula, Strategic
from knower.system.explicit import Explicit
from knower.verdict.evidence import Joint, State

Members: TypeAlias = tuple[str, ...]
#: What a member of a coalition does in a state; None where it does not matter.
Tactic: TypeAlias = Callable[[str, State], str | None]


class View(Protocol[F]):
    """The states `S` of a model. All sets given and returned are inside it."""

    explicit: Explicit
    nothing: F
    universe: F
    #: All reachable states: more than `S` where some are not fair.
    reachable: F
    initial: F
    fairness: tuple[F, ...]
    #: Deadlocks with a self-loop.
    looped: F

    def where(self, formula: Formula) -> F:
        """The states where a state formula holds."""

    def step(self) -> None:
        """Before each operation that may take long."""

    # -- single states ------------------------------------------------------------------------------------

    def one(self, states: F) -> State:
        """Some state of a set that is not empty."""

    def only(self, state: State) -> F:
        """The set of one state."""

    def count(self, states: F) -> int:
        """How many states there are in a set."""

    # -- steps --------------------------------------------------------------------------------------------

    def pre(self, states: F) -> F:
        """The states with a successor in a set."""

    def post(self, states: F) -> F:
        """The successors of the states in a set."""

    def joint(self, before: State, after: State, fixed: Mapping[str, str | None]) -> Joint:
        """A joint action that leads from one state to another, with some agents' actions fixed."""

    # -- what agents see ------------------------------------------------------------------------------------

    def alike(self, states: F, members: Members) -> F:
        """The states that all members confuse with one of these."""

    # -- what coalitions can do -----------------------------------------------------------------------------

    def choices(self, state: State, members: Members) -> Iterable[Joint]:
        """The joint choices the members have, where everybody can do something."""

    def outcomes(self, state: State, members: Members, choice: Joint) -> F:
        """Where a joint choice of the members may lead."""

    def force(self, members: Members, states: F) -> F:
        """Where some choice of the members leads into a set, and nowhere else."""

    def resist(self, members: Members, states: F) -> F:
        """Where whatever the members choose, the others can lead into a set."""

    def tactic(self, state: State, formula: Strategic) -> Tactic:
        """A uniform strategy that wins from all look-alikes of a state where there is one."""
