"""The judge against the reference: on random systems, plays are accepted exactly where they should be."""

from __future__ import annotations

from itertools import product
from math import prod

from hypothesis import assume, given
from hypothesis import strategies as st

from knower.errors import LimitReached
from knower.evidence.judge_asked import terms
from knower.evidence.judge_claims import Findings, Judge
from knower.evidence.judge_refusals import refusal
from knower.evidence.judge_steps import Mistake, Steps
from knower.evidence.judge_strategies import strategy
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.language import Specification
from knower.options import AtlReading, DeadlockPolicy, Reading
from knower.query.closing import closed
from knower.source import Source
from knower.system.elaborate import elaborate
from knower.verdict.evidence import Refusal, Reply, Row, Strategy, Turn
from strategies import cases, modules

MOST_TABLES = 60
READINGS = (AtlReading.OBJECTIVE, AtlReading.OBJECTIVE_FAIR, AtlReading.UNIFORM)


class Question:
    """A random system, what a random coalition is asked to enforce, and the answer."""

    def __init__(self, draw: st.DrawFn) -> None:
        system = elaborate(draw(modules(max_states=12)), Source("<random>", ""))
        policy = draw(st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP]))
        self.atl = draw(st.sampled_from(READINGS))
        self.steps = Steps(system, policy, Budget(states=40))
        self.members = (draw(st.sampled_from(self.steps.names)),)
        atoms = st.sampled_from([f.Atom(name) for name in system.propositions] + [f.TRUE])
        left, right = draw(atoms), draw(st.sampled_from([f.Not, lambda atom: atom]))(draw(atoms))
        kind = draw(st.sampled_from([f.CanX, f.CanF, f.CanG, f.CanU]))
        operands = (left, right) if kind is f.CanU else (right,)
        asked = Specification(kind(self.members[0], *operands))
        self.formula = closed(asked, system)
        self.judge = Judge(self.steps, terms(asked, Reading(self.atl, policy), system), Findings())
        try:
            worlds = self.judge.claims.evaluator
        except LimitReached:
            assume(False)
        assume(worlds.universe)
        self.universe = self.judge.claims.states(worlds.universe)
        self.won = self.judge.claims.states(worlds.states(self.formula))

    def accepts(self, ruling, proof) -> bool:
        try:
            ruling(self.judge, proof)
        except Mistake:
            return False
        assert not self.judge.findings.unreplayed
        return True


@st.composite
def questions(draw: st.DrawFn) -> Question:
    return Question(draw)


def tables(question: Question):
    """Every total strategy of the coalition, by state or by observation."""
    (name,) = question.members
    uniform = question.atl is AtlReading.UNIFORM
    options = {}
    for state in question.universe:
        sight = question.steps.explicit.sees(name, state) if uniform else state
        options[sight] = question.steps.options(name, state)
    told = {sight: actions for sight, actions in options.items() if actions}
    assume(prod(map(len, told.values())) <= MOST_TABLES)
    for picked in product(*told.values()):
        yield tuple(Row((name,), sight, (action,)) for sight, action in zip(told, picked, strict=True))


@cases(50)
@given(questions())
def test_some_strategy_is_accepted_just_where_the_coalition_wins(question):
    uniform = question.atl is AtlReading.UNIFORM
    every = list(tables(question))
    for state in question.universe:
        alike = [
            s
            for s in question.universe
            if question.steps.indistinguishable_to_all(question.members, s, state)
        ]
        starts = tuple(alike) if uniform else (state,)
        proofs = (Strategy(state, question.formula, question.members, starts, t, uniform) for t in every)
        assert any(question.accepts(strategy, proof) for proof in proofs) == (state in question.won)


@cases(80)
@given(questions(), st.randoms(use_true_random=False))
def test_no_refusal_is_accepted_where_the_coalition_wins(question, random):
    for state in question.universe:
        proof = Refusal(
            state, f.Not(question.formula), question.members, tuple(_turns(question, state, random))
        )
        accepted, lost = question.accepts(refusal, proof), state not in question.won
        assert lost or not accepted
        if question.atl is AtlReading.OBJECTIVE and isinstance(question.formula, f.CanF | f.CanU):
            assert accepted == lost


def _turns(question: Question, start, random) -> list[Turn]:
    """The others reply at random, if possible where the coalition loses; over and not over are apart."""
    lost = (lambda s: True) if isinstance(question.formula, f.CanX) else _breaks(question)
    places, turns = {(start, lost(start)): 0}, []
    while len(turns) < len(places):
        state, over = list(places)[len(turns)]
        replies = []
        for joint, after in _answers(question, state, random):
            choice = tuple(joint[question.steps.explicit.seat[n]] for n in question.members)
            if after is None:
                replies.append(Reply(choice, None, None))
            else:
                then = places.setdefault((after, over or lost(after)), len(places))
                replies.append(Reply(choice, joint, then))
        ends = over and not question.judge.plays_fairly and not isinstance(question.formula, f.CanX)
        turns.append(Turn(state, () if ends else tuple(replies), over))
    return turns


def _breaks(question: Question):
    hold = question.formula.children[0]
    if isinstance(question.formula, f.CanF):
        return lambda state: False
    if isinstance(question.formula, f.CanG):
        return lambda state: not question.steps.holds(hold, state)
    wanted = f.Not(f.Or(*question.formula.children))
    return lambda state: question.steps.holds(wanted, state)


def _answers(question: Question, state, random):
    """One joint action and successor in `S` for each choice of the coalition, or none."""
    if question.steps.stays(state):
        return
    seat = question.steps.explicit.seat[question.members[0]]
    found = {}
    for joint in question.steps.joint_actions(state):
        after = [
            (joint, s) for s in question.steps.explicit.successors(state, joint) if s in question.universe
        ]
        found.setdefault(joint[seat], []).extend(after)
    for action, options in found.items():
        good = [option for option in options if option[1] not in question.won] or options
        yield random.choice(good) if good else (_only(question, seat, action), None)


def _only(question: Question, seat: int, action):
    return tuple(action if k == seat else None for k in range(len(question.steps.names)))
