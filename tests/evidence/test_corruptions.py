"""Evidence spoilt in ways that are wrong by construction: the judge must reject every one of them.

Random evidence is found first, as in `test_explain`, and then one thing in it is made wrong. Each test
counts what it did, so that none can pass idly.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import product
from random import Random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from knower.logic import formula as f
from knower.logic.language import Specification
from knower.logic.rewrite import negation_normal_form
from knower.options import AtlReading
from knower.query.closing import closed
from knower.verdict.evidence import (
    Case,
    Cited,
    Evidence,
    Fact,
    Hop,
    ImperfectInformationRefutation,
    IndistinguishableProof,
    Instance,
    Proof,
    Refusal,
    Reply,
    Row,
    Run,
    State,
    Strategy,
    Turn,
    below,
    runs,
)  # fmt: skip
from knower.verdict.verdict import Verdict
from spoiling import Ask, Found, anything, duels, evidence_of, suspicions, swapped, temptations
from strategies import cases

#: Of one piece of evidence only so many corruptions of a kind are judged.
MOST = 6
#: How many of each kind must have been judged in all.
LEAST = 20
OBJECTIVE = (AtlReading.OBJECTIVE,)
READINGS = (AtlReading.OBJECTIVE, AtlReading.OBJECTIVE_FAIR, AtlReading.UNIFORM)

Corrupt = Callable[[Found], Iterator[Evidence]]


def rejected(
    corrupt: Corrupt,
    says: str = "",
    *,
    ask: Ask = anything,
    logics: Collection[str] = ("CTLK", "CTLKO", "ATLK"),
    readings: Collection[AtlReading] = READINGS,
    fairness: bool | None = None,
    systems: int = 40,
    least: int = LEAST,
) -> None:
    """All corruptions are rejected, with these words, and there are enough of them."""
    applied = 0

    @settings(cases(systems), phases=[Phase.generate])  # what is spoilt does not shrink well
    @given(st.data(), st.randoms(use_true_random=False))
    def judge(data: st.DataObject, random: Random) -> None:
        nonlocal applied
        for found in evidence_of(data, random, lambda module: ask(data, module, logics), readings, fairness):
            for _, spoilt in zip(range(MOST), corrupt(found), strict=False):
                mistakes = found.judged(spoilt).mistakes
                assert any(says in mistake for mistake in mistakes), (found.spec, spoilt, mistakes)
                applied += 1

    judge()
    assert applied >= min(least, cases(least).max_examples), applied


# -- steps ------------------------------------------------------------------------------------------


def wrong_steps(found: Found) -> Iterator[Evidence]:
    """A state of a path becomes a reachable one that is no successor of the one before."""
    for run in found.any_order(list(found.runs)):
        for place, joint in enumerate(run.actions[: len(run.states) - 1]):
            before = run.states[place]
            after = set(found.explicit.successors(before, joint)) if joint else {before}
            for other in [state for state in found.any_order(found.space.states) if state not in after][:1]:
                states = (*run.states[: place + 1], other, *run.states[place + 2 :])
                yield found.with_(run, replace(run, states=states))


def test_a_step_to_a_state_that_is_no_successor():
    rejected(wrong_steps, "does not lead from", systems=80)


def disabled(found: Found, name: str, state: State) -> list[str]:
    enabled = found.explicit.enabled(name, state)
    return [action for action in found.system.agent_named[name].actions if action not in enabled]


def forbidden(found: Found, state: State, joint: tuple) -> Iterator[tuple]:
    """The joint action with one agent's replaced by one its protocol does not allow."""
    for seat, agent in enumerate(found.system.agents if joint else ()):
        for action in disabled(found, agent.name, state):
            yield (*joint[:seat], action, *joint[seat + 1 :])


def disabled_in_runs(found: Found) -> Iterator[Evidence]:
    for run in found.any_order(list(found.runs)):
        for place, joint in enumerate(run.actions):
            for other in forbidden(found, run.states[place], joint):
                actions = (*run.actions[:place], other, *run.actions[place + 1 :])
                yield found.with_(run, replace(run, actions=actions))


def test_a_disabled_action_in_a_path():
    rejected(disabled_in_runs, "does not lead from", systems=50)


def disabled_in_games(found: Found) -> Iterator[Evidence]:
    for proof in found.proofs:
        if isinstance(proof, Strategy):
            yield from (found.with_(row, bad) for row in proof.rows for bad in bad_rows(found, proof, row))
        if isinstance(proof, Refusal):
            for turn in proof.turns:
                for reply in turn.replies:
                    for other in forbidden(found, turn.state, reply.joint or ()):
                        yield found.with_(reply, replace(reply, joint=other))


def bad_rows(found: Found, proof: Strategy, row: Row) -> Iterator[Row]:
    """Only rows by state are about one state whose protocol can be asked."""
    for seat, name in enumerate(() if proof.by_observation else row.agents):
        for action in disabled(found, name, row.sees):
            yield replace(row, actions=(*row.actions[:seat], action, *row.actions[seat + 1 :]))


def test_a_disabled_action_in_a_game():
    rejected(disabled_in_games, ask=duels, systems=20)


# -- confused states ----------------------------------------------------------------------------------


def hops(proof: Proof) -> list[tuple[State, Hop]]:
    """The hops of a proof, each with the state it begins at."""
    steps = (
        proof.hops
        if isinstance(proof, IndistinguishableProof)
        else (proof.hop,)
        if isinstance(proof, ImperfectInformationRefutation)
        else ()
    )
    return list(zip((proof.state, *(hop.run.goal for hop in steps)), steps, strict=False))


def told_apart(found: Found) -> Iterator[Evidence]:
    """A hop leads to a state that its agents see differently, by a path that is fine."""
    for proof in found.proofs:
        for here, hop in hops(proof):
            for there in found.any_order(sorted(found.where(f.TRUE), key=str)):
                if any(found.explicit.sees(i, here) != found.explicit.sees(i, there) for i in hop.agents):
                    other = replace(hop, run=found.ways.run(found.ways.from_start(found.view.only(there))))
                    yield found.with_(proof, swapped(proof, hop, other))
                    inner = proof.proof
                    if isinstance(inner, Fact | Cited) and there in found.where(inner.formula):
                        moved = replace(proof, proof=replace(inner, state=there))
                        yield found.with_(proof, swapped(moved, hop, other))


def test_a_confused_state_that_looks_different():
    rejected(told_apart, "can tell", logics=("CTLK", "ATLK"), systems=25)


# -- the start of paths -----------------------------------------------------------------------------------


def headless(found: Found) -> Iterator[Evidence]:
    """A path from the start without its first states."""
    for proof in found.proofs:
        if not isinstance(proof, IndistinguishableProof | ImperfectInformationRefutation | Instance):
            continue
        for run in runs(proof):
            last = run.end if run.loop is None else min(run.end, run.loop)
            for place in range(1, last + 1):
                if run.states[place] not in found.initial:
                    yield found.with_(run, without_head(run, place))


def without_head(run: Run, place: int) -> Run:
    loop = None if run.loop is None else run.loop - place
    return Run(run.states[place:], run.actions[place:], loop, run.end - place)


def test_a_path_that_does_not_begin_at_the_start():
    rejected(headless, "not an initial state", ask=suspicions, systems=25)


def unreachable(found: Found) -> Iterator[Evidence]:
    """A confused or permitted state that no path leads to, as the path of itself."""
    values = [variable.domain.values for variable in found.system.variables]
    nowhere = [state for state in product(*values) if state not in found.space.number]
    for proof in found.proofs:
        if isinstance(proof, IndistinguishableProof | ImperfectInformationRefutation | Instance):
            for run, state in product(runs(proof), found.any_order(nowhere)[:2]):
                yield found.with_(run, Run((state,), end=0))


def test_a_state_that_cannot_be_reached():
    rejected(unreachable, "not an initial state", ask=suspicions, systems=12)


# -- fairness ---------------------------------------------------------------------------------------------


def unfair(found: Found) -> Iterator[Evidence]:
    """A path that goes on, by real steps, to a loop which misses a constraint."""
    for run in found.any_order(list(found.runs)):
        head = run.states[: 1 if run.end is None else run.end + 1]
        for constraint in found.evaluator.fairness:
            tail = missing_lasso(found, found.space.number[head[-1]], constraint)
            if tail is not None:
                yield found.with_(run, looping(found, run, head, *tail))


def looping(found: Found, run: Run, head: tuple[State, ...], tail: list[int], loop: int) -> Run:
    states = (*head, *(found.space.states[number] for number in tail[1:]))
    back = len(head) - 1 + loop
    steps = zip(states, (*states[1:], states[back]), strict=True)
    actions = tuple(found.view.joint(before, after, {}) for before, after in steps)
    return Run(states, actions, back, run.end)


def missing_lasso(found: Found, start: int, constraint: Collection[int]) -> tuple[list[int], int] | None:
    """A path to a cycle outside a set, gone round several times, and the place where that begins."""
    after = found.space.successors
    for path in paths(after, start, lambda number: True):
        if path[-1] not in constraint:
            for cycle in paths(after, path[-1], lambda number: number not in constraint):
                if path[-1] in after[cycle[-1]]:
                    return [*path[:-1], *(cycle * (len(after) // len(cycle) + 1))], len(path) - 1
    return None


def paths(after: list[tuple[int, ...]], start: int, inside: Callable[[int], bool]) -> Iterator[list[int]]:
    """A shortest path to each node that can be reached inside a set."""
    todo, met = [[start]], {start}
    for path in todo:
        yield path
        for number in after[path[-1]]:
            if inside(number) and number not in met:
                met.add(number)
                todo.append([*path, number])


def test_a_loop_that_misses_a_fairness_constraint():
    rejected(unfair, "misses the fairness constraint", fairness=True, systems=40)


# -- strategies ---------------------------------------------------------------------------------------------


def losing_rows(found: Found) -> Iterator[Evidence]:
    """A choice some outcome of which is beyond all the coalition can win."""
    for proof in found.proofs:
        if isinstance(proof, Strategy):
            wanted = proof.formula.sub if isinstance(proof.formula, f.CanX) else proof.formula
            good = found.evaluator.states(wanted)
            for row in proof.rows:
                moves = found.space.coalition_moves(found.space.number[row.sees], row.agents)
                for choice, outcomes in moves.items():
                    if outcomes & found.evaluator.universe - good:
                        yield found.with_(row, replace(row, actions=choice))


def test_a_strategy_with_a_losing_choice():
    rejected(losing_rows, ask=temptations, readings=OBJECTIVE, systems=110)


def generous_replies(found: Found) -> Iterator[Evidence]:
    """A reply that leads to where the coalition wins; from there on the others do their best."""
    for proof in found.proofs:
        if not isinstance(proof, Refusal):
            continue
        sub = proof.formula.sub
        won = found.where(sub.sub if isinstance(sub, f.CanX) else sub)
        for number, turn in enumerate(proof.turns):
            for reply in () if turn.over or (isinstance(sub, f.CanX) and number) else turn.replies:
                for joint, after in answers(found, proof, turn.state, reply.choice):
                    if after in won:
                        led = replace(reply, joint=joint, then=len(proof.turns))
                        played = Further(found, proof).turns(after)
                        turns = (*swapped(proof, reply, led).turns, *played)
                        yield found.with_(proof, replace(proof, turns=turns))


def answers(found: Found, proof: Refusal, state: State, choice: tuple) -> list[tuple[tuple, State]]:
    """Joint actions that extend a choice, with the states of `S` they lead to."""
    number = found.space.number[state]
    seats = [found.explicit.seat[name] for name in proof.members]
    return [
        (joint, found.space.states[after])
        for move, following in found.space.moves(number)
        for joint in product(*move.options)
        if tuple(joint[seat] for seat in seats) == choice and number not in found.space.looped
        for after in following
        if after in found.evaluator.universe
    ]


class Further:
    """Legal turns, complete, from any state on: no answer is left out, but some may be bad."""

    def __init__(self, found: Found, proof: Refusal) -> None:
        self.found, self.proof = found, proof
        parts = proof.formula.sub.children
        self.broken = found.where(f.Not(f.Or(parts[0], parts[-1])))
        self.forever = isinstance(proof.formula.sub, f.CanF)
        self.won = found.where(proof.formula.sub)
        self.number: dict[State, int] = {}

    def turns(self, start: State) -> Iterator[Turn]:
        self._place(start)
        for state in self.number_in_order():
            over = not self.forever and state in self.broken
            yield Turn(state, () if over else tuple(self._replies(state)), over)

    def number_in_order(self) -> Iterator[State]:
        place = 0
        while place < len(self.number):
            yield list(self.number)[place]
            place += 1

    def _place(self, state: State) -> int:
        return self.number.setdefault(state, len(self.proof.turns) + len(self.number))

    def _replies(self, state: State) -> Iterator[Reply]:
        space = self.found.space
        if space.number[state] in space.looped:
            return
        for choice in space.coalition_moves(space.number[state], self.proof.members):
            options = answers(self.found, self.proof, state, choice)
            best = [option for option in options if option[1] not in self.won] or options
            joint, after = best[0] if best else (None, None)
            yield Reply(choice, joint, None if after is None else self._place(after))


def test_a_reply_that_lets_the_coalition_win():
    rejected(generous_replies, logics=("ATL", "ATLK"), readings=OBJECTIVE, systems=80)


# -- proofs of something else -----------------------------------------------------------------------------


def elsewhere(found: Found) -> Iterator[Evidence]:
    """A proof said to be about another state, or a case at one that is not initial."""
    for proof in found.any_order(list(found.proofs)):
        for other in [state for state in found.any_order(found.space.states) if state != proof.state][:1]:
            yield found.with_(proof, replace(proof, state=other))


def test_a_proof_of_another_state():
    rejected(elsewhere, systems=15)


def other_formulas(found: Found) -> Iterator[Evidence]:
    """What was asked is left unproved: a case, or an operand, shows something that is true but beside it."""
    for case in found.evidence.cases:
        for other in (f.TRUE, f.Or(case.proof.formula, f.TRUE)):
            if case.proof.formula != other:
                yield found.with_(case.proof, Fact(case.proof.state, other))
    for proof in found.proofs:
        parts = below(proof)
        for part in parts:
            if parts.count(part) == 1 and part.formula != f.TRUE:
                yield found.with_(part, Fact(part.state, f.TRUE))


def test_a_proof_of_another_formula():
    rejected(other_formulas, systems=15)


def the_opposite(found: Found) -> Iterator[Evidence]:
    """The evidence speaks for the other verdict; so does a mere claim."""
    denied = found.verdict is Verdict.TRUE
    asked = closed(found.spec, found.system)
    opposite = negation_normal_form(f.Not(asked) if denied else asked)
    found.verdict = Verdict.FALSE if denied else Verdict.TRUE
    kind = "counterexample" if denied else "witness"
    case = found.evidence.cases[0]
    claimed = Case(case.run, Cited(case.proof.state, opposite, "universal"))
    yield found.evidence
    yield replace(found.evidence, kind=kind, cases=(case,), others=0)
    yield replace(found.evidence, kind=kind, cases=(claimed,), others=0)


def test_evidence_for_the_opposite():
    rejected(the_opposite, systems=15)


def against_truth(found: Found) -> Iterator[Evidence]:
    """A counterexample for `true`."""
    found.spec, found.verdict = Specification(f.TRUE), Verdict.FALSE
    case = found.evidence.cases[0]
    for proof in (
        case.proof,
        Fact(case.proof.state, f.FALSE),
        Cited(case.proof.state, f.FALSE, "universal"),
        Fact(case.proof.state, f.Not(f.TRUE)),
    ):
        yield Evidence("counterexample", found.evidence.vocabulary, (Case(case.run, proof),))


def test_a_counterexample_for_true():
    rejected(against_truth, systems=15)
