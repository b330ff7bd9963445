"""A strategy as it is followed, state by state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeAlias

from knower.evidence.goals import ProofGoal, Table
from knower.evidence.plans import BROKEN, FIRST, OPEN
from knower.evidence.ways import Clock, TooLong, too_long
from knower.functions.protocol import F
from knower.logic.formula import Formula
from knower.logic.kinds import is_propositional
from knower.verdict.evidence import Joint, Proof, Row, State

#: Shows that a formula holds at one of some states.
Prover: TypeAlias = Callable[[F, Formula], Proof]
#: The coalition's choice in a state; None where it has none.
Choose: TypeAlias = Callable[[State], Joint | None]

#: A step may lead to so many states, and a turn have so many replies, for each row that a table may have.
AT_ONCE = 10


class Play(Generic[F]):
    """A strategy as it is followed: what is done in each state met, and what holds there."""

    def __init__(self, table: Table[F], goal: ProofGoal[F], most: int, clock: Clock) -> None:
        self.most = most
        self.clock = clock
        self.view = table.view
        self.table = table
        self.goal = goal
        self.choices: dict[State, Joint] = {}
        self._shown: dict[State, Formula] = {}
        #: The states met so far, by how the goal stands there.
        self._met: dict[str, F] = dict.fromkeys((FIRST, OPEN, BROKEN), self.view.nothing)

    @property
    def open(self) -> F:
        """The states met in which the goal is open, or is to be shown to be reached."""
        return self._met[OPEN]

    def follow(self, starts: list[State], choose: Choose) -> None:
        """All positions (a state and how the goal stands) that are met from the starts."""
        todo = [(state, FIRST if self.goal.soon else OPEN) for state in starts]
        for state, phase in todo:
            self._met[phase] = self._met[phase] | self.view.only(state)
        for state, phase in todo:  # grows while it is read
            self.clock.check()
            if not self._is_over(state, phase):
                then = self._next_phase(state, phase)
                todo += [(after, then) for after in self._fresh(self._after(state, choose), then)]
            if len(self.choices) > self.most:
                raise self._too_long()

    def _fresh(self, after: F, phase: str) -> Iterator[State]:
        """The states that are met for the first time; without those where the goal is seen to be reached."""
        if phase == OPEN and (self.goal.ending is None or is_propositional(self.goal.ending)):
            after = after & ~self.goal.end
        fresh = after & ~self._met[phase]
        self._met[phase] = self._met[phase] | fresh
        if self.view.count(fresh) > AT_ONCE * self.most:
            raise self._too_long()
        return self.table.states(fresh)

    def _too_long(self) -> TooLong:
        return too_long(f"a strategy of more than {self.most} rows")

    def _is_over(self, state: State, phase: str) -> bool:
        """Whether the goal is reached; notes what is to be shown here."""
        if phase != OPEN:
            return False
        if self._is_in(state, self.goal.end):
            self._note(state, self.goal.ending)
            return True
        if self._is_in(state, self.goal.hold):
            self._note(state, self.goal.holding)
        return False

    def _next_phase(self, state: State, phase: str) -> str:
        if phase == FIRST:
            return OPEN
        kept = phase == OPEN and not self.goal.soon and self._is_in(state, self.goal.hold)
        return OPEN if kept else BROKEN

    def _after(self, state: State, choose: Choose) -> F:
        if self._is_in(state, self.view.looped):
            return self.view.only(state)
        choice = choose(state)
        if choice is None:
            return self.view.nothing
        self.choices[state] = choice
        return self.table.outcomes(state, choice)

    def _is_in(self, state: State, states: F) -> bool:
        return self.view.only(state) & states != self.view.nothing

    def _note(self, state: State, formula: Formula | None) -> None:
        if formula is not None and not is_propositional(formula):
            self._shown[state] = formula

    # -- as tables ------------------------------------------------------------------------------------------

    def by_state(self) -> tuple[Row, ...]:
        return tuple(
            Row(self.table.members, state, choice)
            for state, choice in self.choices.items()
            if any(action is not None for action in choice)
        )

    def by_observation(self) -> tuple[Row, ...]:
        explicit = self.view.explicit
        found = {
            (member, explicit.sees(member, state)): action
            for state, choice in self.choices.items()
            for member, action in zip(self.table.members, choice, strict=True)
            if action is not None
        }
        return tuple(Row((member,), seen, (action,)) for (member, seen), action in found.items())

    def proofs(self, prove: Prover[F]) -> Iterator[tuple[State, Proof]]:
        for state, formula in self._shown.items():
            yield state, prove(self.view.only(state), formula)
