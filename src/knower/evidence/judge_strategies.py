"""Strategies: followed against everything the others may do."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TypeAlias

from knower.errors import LimitReached
from knower.evidence.judge_claims import Judge
from knower.evidence.judge_cycles import cyclic_parts, has_cycle, within
from knower.evidence.judge_decisions import check_tables, told
from knower.evidence.judge_many import DRAWN, Options, drawn, lead_surely, options_at
from knower.evidence.judge_steps import Action, Mistake, members_of, require, table_of
from knower.logic import formula as f
from knower.logic.formula import FALSE, TRUE, Formula
from knower.logic.goal import Goal
from knower.logic.group import GroupRef
from knower.logic.kinds import is_propositional
from knower.options import AtlReading
from knower.reasons import TooLarge
from knower.verdict.evidence import State, Strategy


def claimed(formula: Formula) -> tuple[GroupRef, Goal[Formula]]:
    """Who is said to enforce what."""
    match formula:
        case f.CanX(group, sub):
            return group, Goal(FALSE, sub, soon=True)
        case f.CanF(group, sub):
            return group, Goal(TRUE, sub)
        case f.CanG(group, sub):
            return group, Goal(sub, FALSE, weak=True)
        case f.CanU(group, left, right):
            return group, Goal(left, right)
        case _:
            raise Mistake("the formula is not about what a coalition can enforce")


def require_members(members: tuple[str, ...], group: GroupRef) -> None:
    right = sorted(members) == sorted(members_of(group))
    require(right, f"{', '.join(members)} are not the members of {group}")


def strategy(judge: Judge, proof: Strategy) -> None:
    """The strategy is possible, and whatever follows it meets the goal."""
    group, goal = claimed(proof.formula)
    require_members(proof.members, group)
    play = _Play(judge, proof, goal)
    _begins_right(judge, proof)
    play.check_rows()
    _follow(judge, play)
    if proof.tables:
        check_tables(judge, proof)
        _follow(judge, _InFewRows(judge, proof, goal))


def _begins_right(judge: Judge, proof: Strategy) -> None:
    uniform = judge.terms.atl is AtlReading.UNIFORM
    require(proof.by_observation == uniform, "the table is not of the kind this reading needs")
    if not uniform:
        require(proof.starts == (proof.state,), "the strategy does not start at the state alone")
        return
    require(proof.state in proof.starts, "the strategy does not start at the state")
    for start in proof.starts:
        doubted = _is_look_alike(judge, proof, start)
        if not doubted:
            raise Mistake(f"no member confuses {judge.steps.text(start)} with the state")
    what = f"the strategy for {judge.place(proof)} starts at all states the members confuse with it"
    judge.findings.claim(what, lambda: _look_alikes(judge, proof) == set(proof.starts))


def _look_alikes(judge: Judge, proof: Strategy) -> set[State]:
    everywhere = judge.claims.states(judge.claims.evaluator.universe)
    return {state for state in everywhere if _is_look_alike(judge, proof, state)}


def _is_look_alike(judge: Judge, proof: Strategy, state: State) -> bool:
    """Whether it is the state itself, or some member confuses the two."""
    alike = judge.steps.indistinguishable_to_all
    return state == proof.state or any(alike((name,), state, proof.state) for name in proof.members)


def _follow(judge: Judge, play: _Play) -> None:
    try:
        _require_won(judge, play)
    except Mistake as mistake:
        if not judge.trusts_fairness:
            raise
        judge.findings.left_open(judge.place(play.proof), f"{mistake}, unless no fair path leads there")


def _require_won(judge: Judge, play: _Play) -> None:
    if judge.plays_fairly:
        play.wins_fairly()
    elif play.goal.soon:
        play.wins_at_once()
    else:
        play.wins_surely()


#: Before the first step of `X`; the goal is open; the goal is broken.
_FIRST, _OPEN, _BROKEN = 0, 1, 2
_Position: TypeAlias = tuple[State, int]


class _Play:
    """One strategy and the states met by following it."""

    def __init__(self, judge: Judge, proof: Strategy, goal: Goal[Formula]) -> None:
        self.judge = judge
        self.steps = judge.steps
        self.proof = proof
        self.goal = goal
        self.table = table_of(proof.rows)
        self.proved = {(state, part.formula) for state, part in proof.proofs if part.state == state}
        #: Under `objective-fair` a choice that leads nowhere wins, for it has no outcome.
        self.may_stop = judge.terms.atl is AtlReading.OBJECTIVE_FAIR

    def check_rows(self) -> None:
        """Rows speak of members; by state of all at once, and of what they may do there."""
        for row in self.proof.rows:
            require(set(row.agents) <= set(self.proof.members), "a row for somebody outside the coalition")
            if not self.proof.by_observation:
                require(len(row.agents) == len(self.proof.members), "a row without all members")
                self._check_enabled(row.sees)
        for state, part in self.proof.proofs:
            require(part.state == state, "a proof is about another state than the one it is listed for")

    def _check_enabled(self, state: State) -> None:
        if not self.steps.stays(state):
            for name in self.proof.members:
                self._chosen(name, state)

    # -- what follows a state -------------------------------------------------------------------------

    def after(self, state: State, *, free: bool = False, open_: bool = True) -> set[State]:
        """Where the strategy may lead inside `S`; `free`: members not told what to do may do anything.

        Where that is too much to try, and the end of an `open_` goal is seen to come next, only some of it.
        """
        if self.steps.stays(state):
            return {state}
        if not all(self.steps.options(name, state) for name in self.steps.names):
            return set()  # whatever is chosen, nobody can move
        chosen = {name: self._chosen(name, state, free=free) for name in self.proof.members}
        options = options_at(self.steps, state, chosen)
        if prod(map(len, options)) > self.steps.bounds.joint:
            return self._after_many(state, options, open_=open_)
        return self.judge.fair_ones(self.steps.outcomes(state, chosen))

    def _after_many(self, state: State, options: Options, *, open_: bool) -> set[State]:
        """Some of the states, drawn by lot; said to be so unless one is as good as all."""
        end, most = self.goal.end, self.steps.bounds.joint
        alike = open_ and not self.judge.fairness and is_propositional(end)
        if alike and lead_surely(self.steps, state, options, end, most):
            return drawn(self.steps, state, options, 1)
        what = f"where {prod(map(len, options))} joint actions lead from {self.text(state)}"
        self.judge.findings.left_open(what, f"only {DRAWN} of them are tried, drawn by lot")
        found = self.judge.fair_ones(drawn(self.steps, state, options))
        if not found:
            raise LimitReached(TooLarge("too many steps to follow"))
        return found

    def text(self, state: State) -> str:
        """A state, by what the formula is about."""
        return self.steps.text(state, self.proof.formula)

    def _chosen(self, name: str, state: State, *, free: bool = False) -> tuple[Action, ...]:
        options = self.steps.options(name, state)
        sight = self.steps.explicit.sees(name, state) if self.proof.by_observation else state
        if (name, sight) not in self.table:
            told = len(options) <= 1 or free
            require(told, lambda: f"the strategy does not say what {name} does at {self.text(state)}")
            return options
        action = self.table[name, sight]
        require(action in options, lambda: f"{name} cannot do {action} at {self.text(state)}")
        return (action,)

    def _shows(self, formula: Formula, state: State) -> bool:
        if is_propositional(formula):
            return self.steps.holds(formula, state)
        return (state, formula) in self.proved

    def _require_some(self, after: set[State], state: State) -> None:
        require(bool(after), lambda: f"the strategy leads nowhere from {self.text(state)}")

    def _bear(self, met: int) -> None:
        limit = self.steps.budget.states
        if limit is not None and met > limit:
            raise LimitReached(TooLarge("too many states to follow"))

    # -- without fairness ------------------------------------------------------------------------------

    def wins_at_once(self) -> None:
        for state in self.proof.starts:
            after = self.after(state)
            self._require_some(after, state)
            self._require_shown(self.goal.end, after)

    def wins_surely(self) -> None:
        """No way out of `hold`, no dead end, and no cycle unless the goal is weak."""
        edges: dict[State, set[State]] = {}
        todo = [state for state in self.proof.starts if not self._shows(self.goal.end, state)]
        while todo:
            state = todo.pop()
            if state in edges:
                continue
            self._require_shown(self.goal.hold, {state})
            after = self.after(state)
            self._require_some(after, state)
            edges[state] = {s for s in after if not self._shows(self.goal.end, s)}
            todo += edges[state]
            self._bear(len(edges))
        require(self.goal.weak or not has_cycle(edges), "the strategy may go round for ever")

    def _require_shown(self, formula: Formula, states: set[State]) -> None:
        for state in states:
            if not self._shows(formula, state):
                raise Mistake(f"{self.judge.text(formula)} is not shown at {self.text(state)}")

    # -- with fairness ---------------------------------------------------------------------------------

    def wins_fairly(self) -> None:
        """No fair outcome violates the goal.

        A position is a state and a phase: when the goal is broken, what follows matters only for
        whether the outcome is fair.
        """
        edges: dict[_Position, list[_Position]] = {}
        todo = [(state, _FIRST if self.goal.soon else _OPEN) for state in self.proof.starts]
        while todo:
            position = todo.pop()
            if position not in edges:
                edges[position] = self._onward(*position)
                todo += edges[position]
                self._bear(len(edges))
        bad = {position for position in edges if position[1] == _BROKEN or not self.goal.weak}
        for part in cyclic_parts(within(edges, bad)):
            require(not self._is_fair(part), "some fair outcome of the strategy misses the goal")

    def _onward(self, state: State, phase: int) -> list[_Position]:
        if phase == _OPEN and self._shows(self.goal.end, state):
            return []
        kept = phase == _FIRST or (phase == _OPEN and self._shows(self.goal.hold, state))
        # Only a strategy by state can leave open what it does once all is lost.
        after = self.after(state, free=self.may_stop and phase == _BROKEN, open_=kept)
        if kept and not self.may_stop:
            self._require_some(after, state)
        return [(following, _OPEN if kept else _BROKEN) for following in after]

    def _is_fair(self, part: set[_Position]) -> bool:
        meets: Callable[[int, State], bool] = self.judge.meets
        return all(any(meets(k, state) for state, _ in part) for k in range(len(self.judge.fairness)))


class _InFewRows(_Play):
    """The same strategy by its decision tables; where they are silent, anything may be done."""

    def _chosen(self, name: str, state: State, *, free: bool = False) -> tuple[Action, ...]:
        options = self.steps.options(name, state)
        action = told(self.steps, self.proof, name, state)
        require(
            action is None or action in options, lambda: f"{name} cannot do {action} at {self.text(state)}"
        )
        return options if action is None else (action,)
