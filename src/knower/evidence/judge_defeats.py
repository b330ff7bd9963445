"""Lost plays that together defeat every uniform strategy: each is played again, then the cover is checked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TypeAlias

from knower.errors import LimitReached
from knower.evidence.judge_claims import Judge
from knower.evidence.judge_cover import Choices, Menu, open_choices
from knower.evidence.judge_refusals import conjuncts, refused
from knower.evidence.judge_runs import by_steps, fairly, hop
from knower.evidence.judge_steps import Action, Mistake, require, table_of
from knower.evidence.judge_strategies import require_members
from knower.logic.formula import Formula
from knower.logic.goal import Goal
from knower.logic.kinds import is_propositional
from knower.options import AtlReading
from knower.reasons import TooLarge
from knower.verdict.evidence import Joint, LostPlay, Refusal, State, UniformRefutation

#: What members do in a state, as far as a play relies on it.
_Fixed: TypeAlias = dict[str, Action]


def defeats(judge: Judge, proof: UniformRefutation) -> None:
    """All plays are lost, and no strategy avoids them all."""
    group, goal = refused(proof.formula)
    require_members(proof.members, group)
    require(judge.terms.atl is AtlReading.UNIFORM, "plays defeat strategies by observation only")
    starts = {proof.state, *(_start(judge, proof, place) for place in range(len(proof.hops)))}
    menu: Menu = {}
    clauses: list[Choices] = []
    for play in proof.plays:
        require(play.run.states[0] in starts, "a play begins in a state that no member is shown to confuse")
        clauses.append(_Play(judge, proof, goal, play).clause(menu))
    avoided = open_choices(clauses, menu, judge.steps.budget)
    require(avoided is None, "some strategy avoids all of the plays")


def _start(judge: Judge, proof: UniformRefutation, place: int) -> State:
    one = proof.hops[place]
    require(len(one.agents) == 1 and one.agents[0] in proof.members, "the hop is not a member's")
    return hop(judge, proof.state, one)


class _Play:
    """One play, from its first state on."""

    def __init__(self, judge: Judge, proof: UniformRefutation, goal: Goal[Formula], play: LostPlay) -> None:
        self.judge = judge
        self.steps = judge.steps
        self.proof = proof
        self.goal = goal
        self.run = play.run
        self.play = play
        self.table = table_of(play.choices)
        self.proved = {
            (place, part)
            for place, shown in play.proofs
            if shown.state == play.run.states[place]
            for part in conjuncts(shown.formula)
        }
        self.players = tuple(name for name in proof.members if judge.system.agent_named[name].actions)

    def clause(self, menu: Menu) -> Choices:
        """The choices of the play, found to be lost; what there is to choose from is noted."""
        by_steps(self.judge, self.run)
        for before, joint, after in self._moves():
            self._happens(before, joint, after)
        self._is_lost()
        self._note(menu)
        return frozenset((name, seen, action) for (name, seen), action in self.table.items())

    def _moves(self) -> Iterator[tuple[State, Joint, State]]:
        afters = self.run.states[1:]
        if self.run.loop is not None:
            afters = (*afters, self.run.states[self.run.loop])
        yield from zip(self.run.states, self.run.actions, afters, strict=False)

    def _note(self, menu: Menu) -> None:
        """All that is enabled where a choice is made; the same wherever a member sees the same."""
        met: set[tuple[str, State]] = set()
        for state in self.run.states:
            for name in self.players:
                sight = name, self.steps.explicit.sees(name, state)
                if sight in self.table:
                    met.add(sight)
                    menu[sight] = self.steps.options(name, state)
        require(met == set(self.table), "a choice is not made in any state of its play")
        for sight in met:
            require(self.table[sight] in menu[sight], f"{sight[0]} cannot do {self.table[sight]} there")

    # -- every strategy with these choices lets it happen -------------------------------------------------

    def _fixed(self, state: State) -> _Fixed:
        sees = self.steps.explicit.sees
        sights = {name: (name, sees(name, state)) for name in self.players}
        return {name: self.table[sight] for name, sight in sights.items() if sight in self.table}

    def _happens(self, before: State, joint: Joint, after: State) -> None:
        """Whatever members do of whom nothing is said, the step can be taken."""
        if not joint:
            return
        fixed, seat = self._fixed(before), self.steps.explicit.seat
        for name, action in fixed.items():
            require(joint[seat[name]] == action, f"the play does not keep to {action}")
        free = [name for name in self.players if name not in fixed]
        for tried, choice in enumerate(product(*(self.steps.options(name, before) for name in free))):
            self._bear(tried)
            chosen = {**fixed, **dict(zip(free, choice, strict=True))}
            if not self._leads(before, joint, chosen, after):
                text = self.steps.text
                raise Mistake(f"{chosen} need not lead from {text(before)} to {text(after)}")

    def _leads(self, before: State, joint: Joint, chosen: _Fixed, after: State) -> bool:
        """Whether the others can take the step; first by what they do in the play."""
        likewise = list(joint)
        for name, action in chosen.items():
            likewise[self.steps.explicit.seat[name]] = action
        if self.steps.is_step(before, tuple(likewise), after):
            return True
        return after in self.steps.outcomes(before, {name: (action,) for name, action in chosen.items()})

    def _bear(self, tried: int) -> None:
        self.steps.budget.tick()
        if tried > self.steps.bounds.joint:
            raise LimitReached(TooLarge("too many steps to follow"))

    # -- and it is lost --------------------------------------------------------------------------------------

    def _is_lost(self) -> None:
        if self.run.loop is not None:
            require(not self.play.stops, "a play that goes on for ever does not stop")
            require(self.run.end is None, "a play that is lost for ever has no end")
            fairly(self.judge, self.run)
            lost = self._is_broken() or self._is_open_for_ever()
            require(lost, "a play that goes on for ever is not shown to miss the goal")
            return
        require(self.run.end == len(self.run.states) - 1, "the play goes on after its end")
        self._stays_fair()
        if self.play.stops:
            self._stops()
        elif self._refused_at_end():
            self._misses(len(self.run.states) - 1)
        else:
            require(not self.judge.fairness, "with fairness, a play is broken only if it goes on for ever")
            require(self._is_broken(), "the play is not shown to break the goal")

    def _stays_fair(self) -> None:
        if self.judge.fairness:
            states = set(self.run.states)
            require(self.judge.fair_ones(states) == states, "the play meets a state without a fair path")

    def _stops(self) -> None:
        """The goal is undecided, and the choices at the end lead nowhere."""
        size, last = len(self.run.states), self.run.states[-1]
        self._misses(size)
        if self.goal.soon:
            require(size == 1, "the goal of one step is decided after it")
        elif self.judge.fairness:
            held = all(self._shows(self.goal.hold, place) for place in range(size))
            require(held, "the play is broken before it stops")
        chosen = {name: (action,) for name, action in self._fixed(last).items()}
        after = self.steps.outcomes(last, chosen)
        text = f"the choices lead nowhere from {self.steps.text(last)}"
        require(not after or bool(self.judge.fairness), f"it is not true that {text}")
        if after:
            self.judge.findings.claim(text, lambda: not any(map(self.judge.claims.is_fair, after)))

    def _refused_at_end(self) -> bool:
        """Whether it is shown that from the last state full knowledge would not help."""
        last = len(self.run.states) - 1
        shown = any(
            place == last and isinstance(part, Refusal) and part.formula == self.proof.formula
            for place, part in self.play.proofs
            if part.state == self.run.states[place]
        )
        require(not shown or not self.goal.soon, "the goal of one step is decided after it")
        return shown

    def _misses(self, count: int) -> None:
        """The goal is not reached at the first positions."""
        if not self.goal.soon:
            missed = all(self._denies(self.goal.end, place) for place in range(count))
            require(missed, "the play may reach the goal before it is lost")

    def _is_open_for_ever(self) -> bool:
        if self.goal.weak or self.goal.soon:
            return False
        return all(self._denies(self.goal.end, place) for place in range(len(self.run.states)))

    def _is_broken(self) -> bool:
        """Whether the goal is out of reach after some position, and not met before."""
        if self.goal.soon:
            return self._is_missed_at_once()
        for place in range(len(self.run.states)):
            if not self._denies(self.goal.end, place):
                return False
            if self._denies(self.goal.hold, place):
                return True
        return False

    def _is_missed_at_once(self) -> bool:
        second = 1 if len(self.run.states) > 1 else self.run.loop
        return second is not None and self._denies(self.goal.end, second)

    def _denies(self, formula: Formula, place: int) -> bool:
        return self._shows(self.judge.negated(formula), place)

    def _shows(self, formula: Formula, place: int) -> bool:
        wanted = self.judge.normal(formula)
        if is_propositional(wanted):
            return self.steps.holds(wanted, self.run.states[place])
        return (place, wanted) in self.proved
