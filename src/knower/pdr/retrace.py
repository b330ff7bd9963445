"""Proofs of existential formulas by states that were reached: paths, and states that agents confuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from knower.evidence.words import accounted_for
from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.kinds import is_propositional
from knower.records import dataclass
from knower.verdict.evidence import (
    Both,
    Case,
    Either,
    Fact,
    Hop,
    IndistinguishableProof,
    Instance,
    PathProof,
    Proof,
    Run,
    State,
)


@dataclass(frozen=True)
class Retrace:
    """Reads formulas along runs from the start; `runs`: those whose last states may be confused with others.

    `look` tells of propositional formulas, `sees` what an agent observes. `fair`: each path must be shown to
    go on fairly, and the runs do.
    """

    runs: tuple[Run, ...]
    look: Callable[[Formula, State], bool]
    sees: Callable[[str, State], object]
    fair: bool = False

    def case(self, formula: Formula, run: Run) -> Case | None:
        """Why a formula holds at the first state of a run; None if that does not show it."""
        proof = self._proof(formula, run, 0)
        if proof is None and run.loop is not None:
            proof = self._proof(formula, _once_more(run), 0)
        return None if proof is None else Case(self._cut(run, 0, 0), proof)

    def _proof(self, formula: Formula, run: Run, at: int) -> Proof | None:
        state = run.states[at]
        if is_propositional(formula):
            return Fact(state, formula) if self.look(formula, state) else None
        match formula:
            case f.And(left, right):
                first = self._proof(left, run, at)
                second = None if first is None else self._proof(right, run, at)
                return None if first is None or second is None else Both(state, formula, first, second)
            case f.Or(left, right):
                part = self._proof(left, run, at) or self._proof(right, run, at)
                return None if part is None else Either(state, formula, part)
            case f.EX(sub):
                return self._way(formula, run, at, range(at + 1, at + 2), f.TRUE, sub)
            case f.EF(sub):
                return self._way(formula, run, at, range(at, len(run.states)), f.TRUE, sub)
            case f.EU(hold, goal):
                return self._way(formula, run, at, range(at, len(run.states)), hold, goal)
            case f.ER(goal, hold):
                return self._way_or_always(formula, run, at, hold, f.And(hold, goal))
            case f.EW(hold, goal):
                return self._way_or_always(formula, run, at, hold, goal)
            case f.EG(hold):
                return self._always(formula, run, at, hold)
            case f.E(path):
                return self._followed(formula, path, run, at)
            case f.M(agent, sub):
                return self._confused(formula, state, [(agent,)], sub)
            case f.MDK(group, sub):
                return self._confused(formula, state, [f.members_of(group)], sub)
            case f.MGK(group, sub):
                return self._confused(formula, state, [(who,) for who in f.members_of(group)], sub)
            case f.P(agent, sub):
                return self._green(formula, state, f.And(f.Green(agent), sub), sub)
            case _:
                return None

    def _way(
        self, formula: Formula, run: Run, at: int, ends: range, hold: Formula, goal: Formula
    ) -> PathProof | None:
        """The formula `hold`, a proposition, until the goal at one of some positions."""
        for end in ends:
            if end >= len(run.states):
                return None
            proof = self._proof(goal, run, end)
            if proof is not None:
                path = self._cut(run, at, end)
                shown = () if isinstance(proof, Fact) else ((end - at, proof),)
                return PathProof(run.states[at], formula, path, shown)
            if not (is_propositional(hold) and self.look(hold, run.states[end])):
                return None
        return None

    def _cut(self, run: Run, at: int, end: int) -> Run:
        """A path from one position to another; under fairness with how it goes on."""
        if not self.fair:
            return Run(run.states[at : end + 1], run.actions[at:end], None, end - at)
        onward = _onward(run, at)
        return Run(onward.states, onward.actions, onward.loop, end - at)

    def _way_or_always(
        self, formula: Formula, run: Run, at: int, hold: Formula, goal: Formula
    ) -> PathProof | None:
        way = self._way(formula, run, at, range(at, len(run.states)), hold, goal)
        return way or self._always(formula, run, at, hold)

    def _always(self, formula: Formula, run: Run, at: int, hold: Formula) -> PathProof | None:
        """The formula `hold`, a proposition, for ever."""
        if run.loop is None or not is_propositional(hold):
            return None
        path = _onward(run, at)
        held = all(self.look(hold, state) for state in path.states)
        return PathProof(run.states[at], formula, path) if held else None

    def _followed(self, formula: Formula, path: Formula, run: Run, at: int) -> PathProof | None:
        """A path formula about propositions, for ever."""
        if run.loop is None:
            return None
        onward = _onward(run, at)

        def holds(part: Formula, place: int) -> bool:
            return is_propositional(part) and self.look(part, onward.states[place])

        account = accounted_for(path, len(onward.states), onward.loop, holds)
        return None if account is None else PathProof(run.states[at], formula, onward, (), account.met)

    def _confused(
        self, formula: Formula, state: State, groups: Sequence[tuple[str, ...]], sub: Formula
    ) -> IndistinguishableProof | None:
        for run in self.runs:
            for agents in groups:
                if all(self.sees(who, state) == self.sees(who, run.goal) for who in agents):
                    proof = self._proof(sub, run, len(run.states) - 1)
                    if proof is not None:
                        return IndistinguishableProof(state, formula, (Hop(agents, run),), proof)
        return None

    def _green(self, formula: Formula, state: State, wanted: Formula, sub: Formula) -> Instance | None:
        for run in self.runs:
            last = len(run.states) - 1
            proof = self._proof(sub, run, last)
            if proof is not None and self._proof(wanted, run, last) is not None:
                return Instance(state, formula, run, proof)
        return None


def _onward(run: Run, at: int) -> Run:
    """A path that goes on for ever, from a position on."""
    assert run.loop is not None, "it goes on for ever"
    again = slice(run.loop, at) if at > run.loop else slice(0)
    states = (*run.states[at:], *run.states[again])
    return Run(states, (*run.actions[at:], *run.actions[again]), max(run.loop - at, 0))


def _once_more(run: Run) -> Run:
    """The same path, its loop written twice: what begins late on it has room to end."""
    states, actions = run.states[run.loop :], run.actions[run.loop :]
    return Run((*run.states, *states), (*run.actions, *actions), len(run.states))
