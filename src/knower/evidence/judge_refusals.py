"""Refusals: whatever the coalition chooses, a reply; and what the replies come to."""

from __future__ import annotations

from math import prod

from knower.evidence.judge_claims import Judge
from knower.evidence.judge_cycles import has_cycle, within
from knower.evidence.judge_runs import hop
from knower.evidence.judge_steps import Mistake, members_of, require
from knower.evidence.judge_strategies import claimed, require_members
from knower.logic.formula import And, Formula, Not
from knower.logic.goal import Goal
from knower.logic.group import GroupRef
from knower.logic.kinds import is_propositional
from knower.options import AtlReading
from knower.verdict.evidence import ImperfectInformationRefutation, Joint, Refusal, Reply, State, Turn


def blind(judge: Judge, proof: ImperfectInformationRefutation) -> None:
    """A look-alike of the state where full knowledge would not help."""
    group, _ = refused(proof.formula)
    require(judge.terms.atl is AtlReading.UNIFORM, "look-alikes matter under `uniform` only")
    members = members_of(group)
    require(len(proof.hop.agents) == 1 and proof.hop.agents[0] in members, "the hop is not a member's")
    there = hop(judge, proof.state, proof.hop)
    require(isinstance(proof.proof, Refusal), "the look-alike comes without a refusal")
    require(proof.proof.state == there, "the refusal is at another state")
    require(proof.proof.formula == proof.formula, "the refusal is of another formula")


def refusal(judge: Judge, proof: Refusal) -> None:
    """Every turn answers every choice, and the answers keep the coalition from its goal."""
    group, goal = refused(proof.formula)
    require_members(proof.members, group)
    require(proof.turns[0].state == proof.state, "the first turn is at another state")
    for turn in proof.turns:
        require(turn.proof is None or turn.proof.state == turn.state, "a turn is shown by another state")
    replies = _Replies(judge, proof, goal)
    edges = {place: replies.led(place) for place in range(len(proof.turns))}
    _Spoiling(judge, proof, goal, edges).judge()


def refused(formula: Formula) -> tuple[GroupRef, Goal[Formula]]:
    if not isinstance(formula, Not):
        raise Mistake("the formula does not deny a coalition anything")
    return claimed(formula.sub)


class _Replies:
    """The replies of each turn: all legal, and none missing where one is needed."""

    def __init__(self, judge: Judge, proof: Refusal, goal: Goal[Formula]) -> None:
        self.judge = judge
        self.steps = judge.steps
        self.proof = proof
        self.goal = goal

    def led(self, place: int) -> list[int]:
        """The turns that may follow a turn."""
        turn = self.proof.turns[place]
        if self.steps.stays(turn.state):
            return self._self_loop(place)
        for reply in turn.replies:
            self._require_legal(turn.state, reply)
        if self._needs_replies(place):
            self._require_complete(turn)
        return [reply.then for reply in turn.replies if reply.then is not None]

    def _needs_replies(self, place: int) -> bool:
        if self.judge.plays_fairly:
            return True
        return place == 0 if self.goal.soon else not self.proof.turns[place].over

    def _self_loop(self, place: int) -> list[int]:
        """In a deadlock with a self-loop all choices are one, and need not be told apart."""
        turns = self.proof.turns
        for reply in turns[place].replies:
            back = (
                reply.joint == () and reply.then is not None and turns[reply.then].state == turns[place].state
            )
            require(back, "a deadlock leads back to itself")
        return [reply.then for reply in turns[place].replies if reply.then is not None] or [place]

    def _require_complete(self, turn: Turn) -> None:
        """Exactly one reply to each choice; where nobody can move, there is nothing to reply to."""
        options = {name: self.steps.options(name, turn.state) for name in self.steps.names}
        possible = all(options.values())
        count = prod(len(options[name]) for name in self.proof.members) if possible else 0
        goes_on = count > 0 or not self.judge.plays_fairly
        require(goes_on, lambda: f"no outcome goes on from {self.steps.text(turn.state)}")
        choices = [reply.choice for reply in turn.replies]
        once = len(set(choices)) == len(choices)
        require(once, lambda: f"two replies to the same choice at {self.steps.text(turn.state)}")
        said = f"{count} choices but {len(choices)} replies"
        require(len(choices) == count, lambda: f"{said} at {self.steps.text(turn.state)}")

    def _require_legal(self, state: State, reply: Reply) -> None:
        for name, action in zip(self.proof.members, reply.choice, strict=True):
            if action not in self.steps.options(name, state):
                raise Mistake(f"{name} cannot do {action} at {self.steps.text(state)}")
        if reply.joint is None or reply.then is None:
            self._require_nowhere(state, reply.choice)
            return
        after = self.proof.turns[reply.then].state
        seats = self.steps.explicit.seat
        extends = len(reply.joint) == len(seats) and all(
            reply.joint[seats[name]] == action
            for name, action in zip(self.proof.members, reply.choice, strict=True)
        )
        text = self.steps.text
        require(extends, lambda: f"the reply at {text(state)} is to another choice")
        legal = self.steps.is_step(state, reply.joint, after)
        require(legal, lambda: f"{reply.joint} does not lead from {text(state)} to {text(after)}")
        if not self.judge.plays_fairly:
            fair = bool(self.judge.fair_ones({after}))
            require(fair, lambda: f"the reply at {text(state)} leads to a state without a fair path")

    def _require_nowhere(self, state: State, choice: Joint) -> None:
        """A choice without a reply must have no outcome at all."""
        text = f"{choice} leads nowhere from {self.steps.text(state)}"
        require(not self.judge.plays_fairly, f"{text}, which meets the goal for want of outcomes")
        chosen = {name: (action,) for name, action in zip(self.proof.members, choice, strict=True)}
        after = self.steps.outcomes(state, chosen)
        require(not after or bool(self.judge.fairness), f"it is not true that {text}")
        if after:
            self.judge.findings.claim(text, lambda: not any(map(self.judge.claims.is_fair, after)))


class _Spoiling:
    """What the replies come to: the goal is never met on the way through the turns."""

    def __init__(
        self, judge: Judge, proof: Refusal, goal: Goal[Formula], edges: dict[int, list[int]]
    ) -> None:
        self.judging = judge
        self.turns = proof.turns
        self.goal = goal
        self.edges = edges
        self.open = {place for place, turn in enumerate(self.turns) if not turn.over}

    def judge(self) -> None:
        if self.goal.soon:
            for place in self.edges[0]:
                self._require_shown(self.goal.end, place)
        else:
            self._play_is_spoilt()
        if self.judging.plays_fairly:
            self._require_fair_cycles()

    def _play_is_spoilt(self) -> None:
        """Open turns are never at the goal; where the play is over, what was to hold is broken."""
        for place in self.open:
            self._require_shown(self.goal.end, place)
        for place in self._just_over():
            self._require_shown(self.goal.end, place)
            self._require_shown(self.goal.hold, place)
        forever = self.goal.weak and has_cycle(within(self.edges, self.open))
        require(not forever, "the replies may let the coalition go on for ever")

    def _just_over(self) -> set[int]:
        """The turns that end the play: an open turn, or none, comes before."""
        after_open = {then for place in self.open for then in self.edges[place]}
        return ({0} | after_open) - self.open

    def _require_fair_cycles(self) -> None:
        """Every cycle of turns meets every constraint: without those that do, there is none."""
        for number in range(len(self.judging.fairness)):
            missing = {k for k, turn in enumerate(self.turns) if not self.judging.meets(number, turn.state)}
            require(not has_cycle(within(self.edges, missing)), "the replies may make an unfair outcome")

    def _require_shown(self, spoilt: Formula, place: int) -> None:
        """The negation of what the coalition wants holds at a turn."""
        turn, wanted = self.turns[place], self.judging.negated(spoilt)
        if is_propositional(wanted):
            shown = self.judging.steps.holds(wanted, turn.state)
        else:
            shown = turn.proof is not None and wanted in conjuncts(turn.proof.formula)
        judge = self.judging
        require(shown, lambda: f"{judge.text(wanted)} is not shown at {judge.steps.text(turn.state)}")


def conjuncts(formula: Formula) -> set[Formula]:
    """A formula and all that follow from it by taking conjunctions apart."""
    found, todo = set(), [formula]
    while todo:
        item = todo.pop()
        found.add(item)
        if isinstance(item, And):
            todo += [item.left, item.right]
    return found
