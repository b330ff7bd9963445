"""What explanations ask of an engine: sets of states, and how the states in them hang together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeAlias

from knower.functions.protocol import F
from knower.logic.formula import Formula, Strategic
from knower.logic.goal import Goal
from knower.system.explicit import Explicit
from knower.verdict.evidence import Joint, State
from knower.verdict.lost_path import LostPath

Members: TypeAlias = tuple[str, ...]
#: What a member of a coalition does in a state; None where it does not matter.
Tactic: TypeAlias = Callable[[str, State], str | None]


class Graph(Protocol[F]):
    """States and the steps between them. All sets given and returned are inside the universe."""

    nothing: F
    universe: F
    initial: F
    #: What an infinite path must meet again and again.
    fairness: tuple[F, ...]

    @property
    def endless(self) -> F:
        """The states where an infinite (fair) path begins."""

    def step(self) -> None:
        """Before each operation that may take long."""

    def one(self, states: F) -> State:
        """Some state of a set that is not empty."""

    def only(self, state: State) -> F:
        """The set of one state."""

    def pre(self, states: F) -> F:
        """The states with a successor in a set."""

    def post(self, states: F) -> F:
        """The successors of the states in a set."""

    def joint(self, before: State, after: State, fixed: Mapping[str, str | None]) -> Joint:
        """A joint action that leads from one state to another, with some agents' actions fixed."""


class ProductView(Graph[F], Protocol[F]):
    """The states of a model with what paths through them owe to a path formula.

    A state has the values of the model's variables first, and more behind them. It is fair to pay.
    """

    #: Where nothing more is owed: a path may go on as it likes, a finite trace may end.
    goal: F


class View(Graph[F], Protocol[F]):
    """The states `S` of a model."""

    explicit: Explicit
    #: All reachable states: more than `S` where some are not fair.
    reachable: F
    #: Deadlocks with a self-loop.
    looped: F
    #: Whether path formulas speak of finite traces.
    finite: bool
    #: Whether these are only some of the reachable states.
    is_part: bool

    def where(self, formula: Formula) -> F:
        """The states where a state formula holds."""

    def count(self, states: F) -> int:
        """How many states there are in a set."""

    def tracks(self, path: Formula, starts: F) -> ProductView[F]:
        """The paths from some states, with what they owe to a path formula."""

    # -- what agents see ------------------------------------------------------------------------------------

    def indistinguishable_to_all(self, states: F, members: Members) -> F:
        """The states that all members confuse with one of these."""

    # -- what coalitions can do -----------------------------------------------------------------------------

    def choices(self, state: State, members: Members) -> Iterable[Joint]:
        """The joint choices the members have, where everybody can do something."""

    def outcomes(self, state: State, members: Members, choice: Joint) -> F:
        """Where a joint choice of the members may lead."""

    def choice_into(self, state: State, members: Members, inside: F, *, may_stop: bool) -> Joint | None:
        """A choice that leads into a set and nowhere else, or (if it may) nowhere at all; None without it."""

    def force(self, members: Members, states: F) -> F:
        """Where some choice of the members leads into a set, and nowhere else."""

    def layers(self, members: Members, goal: Goal[F]) -> list[F]:
        """What the members can enforce with full knowledge, round by round: growing, or shrinking if weak.

        Not for a goal of one step. Who has decided that they can has them ready.
        """

    def opponents_pre(self, members: Members, states: F) -> F:
        """Where whatever the members choose, the others can lead into a set."""

    def tactic(self, state: State, formula: Strategic) -> Tactic:
        """A uniform strategy that wins from all look-alikes of a state where there is one."""

    def lost_paths(self, state: State, formula: Strategic) -> Iterable[LostPath] | None:
        """Where every uniform strategy loses from the look-alikes of a state, but full knowledge would not:
        plays one of which each of them allows; None if they are not known."""
