"""What a coalition can enforce with full knowledge of the state: `objective` and `objective-fair`."""

from __future__ import annotations

from collections.abc import Sequence

from knower.bitset.bits import Bits, StateGraph, members
from knower.bitset.space import Members, NumberedStates
from knower.logic.goal import Goal
from knower.system.expressions import JointAction


class Game:
    """A coalition against all others, on the states of a graph."""

    def __init__(
        self, space: NumberedStates, graph: StateGraph, fairness: Sequence[Bits], coalition: Members
    ) -> None:
        self.graph = graph
        self.universe = graph.universe
        self.fairness = tuple(fairness)
        #: For each state the joint choices of the coalition, with where they may lead.
        self.choices: dict[int, dict[JointAction, Bits]] = {}
        self._outcomes: dict[int, frozenset[Bits]] = {}
        for number in members(self.universe):
            table = space.outcomes(number, coalition)
            self.choices[number] = {choice: after & self.universe for choice, after in table.items()}
            self._outcomes[number] = frozenset(self.choices[number].values())
        self._fair: Bits | None = None

    # -- one step -------------------------------------------------------------------------------------------

    def force(self, goal: Bits) -> Bits:
        """`pre(Γ, X)`: some choice of Γ leads into X and cannot lead into `S` outside X."""
        return self._forced(self.graph.pre(goal), goal)

    def _forced(self, among: Bits, goal: Bits) -> Bits:
        outside, found = ~goal, 0
        for state in members(among):
            for after in self._outcomes[state]:
                if after and not after & outside:
                    found |= 1 << state
                    break
        return found

    def opponents_pre(self, goal: Bits) -> Bits:
        """Where whatever Γ chooses, the others can lead into X."""
        found = 0
        for state in members(self.graph.pre(goal)):
            if all(after & goal for after in self._outcomes[state]):
                found |= 1 << state
        return found

    # -- objective ------------------------------------------------------------------------------------------

    def objective(self, goal: Goal[Bits]) -> Bits:
        """The least (weak: greatest) Z with Z = end or (hold and pre(Γ, Z)); soon: pre(Γ, end)."""
        if goal.soon:
            return self.force(goal.end)
        return self._kept(goal) if goal.weak else self._attracted(goal)

    def _attracted(self, goal: Goal[Bits]) -> Bits:
        reached = fresh = goal.end
        while fresh:
            self.graph.budget.tick()
            fresh = self._forced(self.graph.pre(fresh) & goal.hold & ~reached, reached)
            reached |= fresh
        return reached

    def _kept(self, goal: Goal[Bits]) -> Bits:
        """States leave when no choice keeps to the others: only those before them are looked at again."""
        kept = goal.hold | goal.end
        doubtful = kept
        while doubtful:
            self.graph.budget.tick()
            gone = doubtful & ~goal.end & ~self._forced(doubtful, kept)
            kept &= ~gone
            doubtful = self.graph.pre(gone) & kept
        return kept

    def layers(self, goal: Goal[Bits]) -> list[Bits]:
        """The same round by round: growing, or shrinking if weak. Not for a goal of one step."""
        found = [goal.hold | goal.end if goal.weak else goal.end]
        while True:
            self.graph.budget.tick()
            more = goal.end | (goal.hold & self.force(found[-1]))
            if more == found[-1]:
                return found
            found.append(more)

    # -- objective-fair -------------------------------------------------------------------------------------

    def objective_fair(self, goal: Goal[Bits]) -> Bits:
        """Γ has a strategy all of whose fair outcomes satisfy the goal: the others cannot break it.

        They break it by leaving `hold` outside `end` where a fair outcome can be had, or (unless the goal is
        weak) by staying in `hold` fairly for ever.
        """
        if goal.soon:
            return self.universe & ~self.opponents_pre(self.fair_outcomes & ~goal.end)
        broken = self.fair_outcomes & ~goal.hold & ~goal.end
        stay = goal.hold & ~goal.end
        lost = self._opponents_until(stay, broken) if goal.weak else self._opponents_win(stay, broken)
        return self.universe & ~lost

    @property
    def fair_outcomes(self) -> Bits:
        """Where Γ cannot prevent every fair outcome."""
        if self._fair is None:
            self._fair = self._opponents_win(self.universe, 0)
        return self._fair

    def _opponents_until(self, hold: Bits, goal: Bits) -> Bits:
        """Where the others can lead into `goal` and stay inside `hold` before."""
        reached, before = goal, -1
        while reached != before:
            self.graph.budget.tick()
            before = reached
            reached |= hold & self.opponents_pre(reached)
        return reached

    def _opponents_win(self, stay: Bits, win: Bits) -> Bits:
        """Where the others can have an infinite fair outcome inside `stay`, or reach `win`.

        The greatest Z from which they can, for each constraint c, lead into `win`, or inside `stay` to a
        state of c from which they can lead into Z again.
        """
        now, before = stay | win, -1
        while now != before:
            before = now
            for constraint in self.fairness or (self.universe,):
                again = win | (stay & constraint & self.opponents_pre(before))
                now &= self._opponents_until(stay, again)
        return now
