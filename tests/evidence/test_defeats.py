"""Plays that defeat every uniform strategy: found, judged, and spoilt in ways that must be wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import knower
from engines import Asker, computing
from hidden_games import game
from knower.errors import LimitReached
from knower.evidence.judge_cover import open_choices, satisfying, searched
from knower.evidence.replay import replay
from knower.functions.registry import PYSAT, available, is_here
from knower.limits import Budget
from knower.options import AtlReading, DeadlockPolicy, Reading
from knower.verdict.evidence import Evidence, LostPlay, Row, State, UniformRefutation, everything
from knower.verdict.verdict import Verdict
from spoiling import LIMITS, explanations, swapped
from strategies import cases

pytestmark = pytest.mark.skipif(
    not available() or not is_here(PYSAT),
    reason="no library of decision diagrams, or no solver, is installed",
)

#: Of one proof so many corruptions of a kind are judged.
MOST = 4
FORMULAS = ["<{g}>X {p}", "<{g}>F {p}", "<{g}>G {p}", "<{g}>(r U {p})", "<{g}>F (<{h}>X {p})"]


class Found:
    """A proof that there is no uniform strategy, in its evidence, and the model it speaks of."""

    def __init__(self, model: Asker, spec, evidence: Evidence, proof: UniformRefutation) -> None:
        self.model, self.spec, self.evidence, self.proof = model, spec, evidence, proof

    def judged(self, evidence: Evidence):
        model = self.model
        return replay(evidence, self.spec, Verdict.FALSE, model.system, model.reading, seconds=None)

    def with_(self, proof: UniformRefutation) -> Evidence:
        return swapped(self.evidence, self.proof, proof)


def refutations(dice: Random) -> Iterator[Found]:
    """Proofs that a coalition of a random game cannot have its way."""
    system = knower.loads(game(dice, fair=dice.random() < 0.4))
    reading = Reading(AtlReading.UNIFORM, dice.choice([DeadlockPolicy.WARN, DeadlockPolicy.LOOP]))
    model = Asker("bdd", system.interpreted, computing(20), reading)
    groups, letters = ["P1", "P2", "two", "all"], ["p", "q", "!q", "r"]
    asked = {shape.format(g=dice.choice(groups), h=dice.choice(groups), p=dice.choice(letters))
             for shape in FORMULAS for _ in range(3)}  # fmt: skip
    specs = [system.parse(text) for text in sorted(asked)]
    for spec, verdict, evidence in explanations(model, specs, LIMITS):
        assert evidence is not None and replay(
            evidence, spec, verdict, model.system, model.reading
        ).mistakes == ()  # fmt: skip
        for case in evidence.cases if verdict is Verdict.FALSE else ():
            for proof in everything(case.proof):
                if isinstance(proof, UniformRefutation):
                    yield Found(model, spec, evidence, proof)


# -- corruptions ------------------------------------------------------------------------------------


def play_removed(found: Found) -> Iterator[UniformRefutation]:
    """No play can be left out."""
    plays = found.proof.plays
    for place in range(len(plays)):
        yield replace(found.proof, plays=(*plays[:place], *plays[place + 1 :]))


def altered(found: Found, old: LostPlay, new: LostPlay) -> UniformRefutation:
    return replace(found.proof, plays=tuple(new if play is old else play for play in found.proof.plays))


def choice_dropped(found: Found) -> Iterator[UniformRefutation]:
    """A play needs all of its choices."""
    for play in found.proof.plays:
        for row in play.choices:
            rest = tuple(other for other in play.choices if other is not row)
            yield altered(found, play, replace(play, choices=rest))


def other_choice(found: Found) -> Iterator[UniformRefutation]:
    """The steps of a play keep to its choices."""
    names = found.evidence.vocabulary
    for play in found.proof.plays:
        for row in play.choices:
            if any(sight(names, row, state) == row.sees for state in played_in(play)):
                other = replace(row, actions=("b" if row.actions == ("a",) else "a",))
                rows = tuple(other if each is row else each for each in play.choices)
                yield altered(found, play, replace(play, choices=rows))


def played_in(play: LostPlay) -> list[State]:
    """The states in which somebody acts: not where a deadlock leads back to itself."""
    return [state for state, joint in zip(play.run.states, play.run.actions, strict=False) if joint]


def sight(names, row: Row, state: State) -> State:
    values = dict(zip(names.variables, state, strict=True))
    return tuple(values[key] for key in names.observes[names.agents.index(row.agents[0])])


def state_altered(found: Found) -> Iterator[UniformRefutation]:
    """A state becomes one that is no successor of the one before."""
    explicit = found.model.view(found.spec, Verdict.FALSE).explicit
    for play in found.proof.plays:
        for place, joint in enumerate(play.run.actions[: len(play.run.states) - 1]):
            before = play.run.states[place]
            after = set(explicit.successors(before, joint)) if joint else {before}
            others = [state for state in {*play.run.states, found.proof.state} if state not in after]
            for other in others[:1]:
                states = (*play.run.states[: place + 1], other, *play.run.states[place + 2 :])
                yield altered(found, play, replace(play, run=replace(play.run, states=states)))


def end_cut_off(found: Found) -> Iterator[UniformRefutation]:
    """A play is not lost before its end; what was chosen last is chosen nowhere then, or leads nowhere."""
    for play in found.proof.plays:
        run = play.run
        if run.loop is None and len(run.states) > 1 and not play.stops:
            shorter = replace(run, states=run.states[:-1], actions=run.actions[:-1], end=run.end - 1)
            proofs = tuple((place, part) for place, part in play.proofs if place <= shorter.end)
            yield altered(found, play, replace(play, run=shorter, proofs=proofs))


def loop_opened(found: Found) -> Iterator[UniformRefutation]:
    """A play that is lost for ever only is not lost at its end."""
    for play in found.proof.plays:
        if play.run.loop is not None and ("F" in str(found.spec.body) or found.model.system.fairness):
            run = replace(play.run, loop=None, actions=play.run.actions[:-1], end=len(play.run.states) - 1)
            yield altered(found, play, replace(play, run=run))


def stop_denied(found: Found) -> Iterator[UniformRefutation]:
    for play in found.proof.plays:
        if play.stops:
            yield altered(found, play, replace(play, stops=False))


def hop_removed(found: Found) -> Iterator[UniformRefutation]:
    """Every hop leads to where a play begins."""
    for hop in found.proof.hops:
        yield replace(found.proof, hops=tuple(other for other in found.proof.hops if other is not hop))


def refusal_removed(found: Found) -> Iterator[UniformRefutation]:
    """Where the goal is not seen to be broken, it has to be shown that it is out of reach."""
    for play in found.proof.plays:
        shown = tuple((place, part) for place, part in play.proofs if part.formula != found.proof.formula)
        if shown != play.proofs:
            yield altered(found, play, replace(play, proofs=shown))


def other_members(found: Found) -> Iterator[UniformRefutation]:
    yield replace(found.proof, members=(*found.proof.members, "Environment"))


def some(spoilt: list[UniformRefutation], dice: Random) -> list[UniformRefutation]:
    return dice.sample(spoilt, min(len(spoilt), MOST))


CORRUPTIONS = (
    play_removed, choice_dropped, other_choice, state_altered, end_cut_off, loop_opened, stop_denied,
    hop_removed, refusal_removed, other_members,
)  # fmt: skip


def test_what_is_spoilt_is_rejected():
    applied = Counter[str]()

    @settings(cases(10), phases=[Phase.generate])
    @given(st.randoms(use_true_random=False))
    def reject(dice: Random) -> None:
        try:
            for found in refutations(dice):
                for corrupt in CORRUPTIONS:
                    for spoilt in some(list(corrupt(found)), dice):
                        judged = found.judged(found.with_(spoilt))
                        assert judged.mistakes, (str(found.spec), spoilt)
                        applied[corrupt.__name__] += 1
        except LimitReached:
            return

    reject()
    assert applied.total() >= cases(100).max_examples, applied


# -- the cover ----------------------------------------------------------------------------------------

CLAUSES = st.dictionaries(st.integers(1, 4), st.sampled_from([1, -1]), max_size=4).map(
    lambda signs: [number * sign for number, sign in signs.items()]
)


@cases(200)
@given(st.lists(CLAUSES, max_size=12))
def test_both_ways_to_look_for_a_strategy_that_avoids_all_plays(clauses):
    """By a solver and, where there is none, by splitting."""
    possible = any(
        all(any(value[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses)
        for value in product([False, True], repeat=4)
    )
    for found in (searched(clauses, Budget()), satisfying(clauses, Budget())):
        assert (found is not None) == possible
        assert found is None or all(found & set(clause) for clause in clauses)
        assert found is None or not any(-literal in found for literal in found)


def test_choices_that_avoid_all_plays():
    menu = {("A", (1,)): ("a", "b"), ("B", (1,)): ("a",)}
    one, two = frozenset({("A", (1,), "a")}), frozenset({("A", (1,), "b"), ("B", (1,), "a")})
    assert open_choices([one, two], menu, Budget()) is None
    assert ("A", (1,), "b") in (open_choices([one], menu, Budget()) or ())
    assert open_choices([frozenset()], menu, Budget()) is None
