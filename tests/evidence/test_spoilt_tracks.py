"""Evidence for path formulas spoilt in ways that are wrong by construction: the judge rejects all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from knower.evidence.replay import replay
from knower.logic import formula as f
from knower.options import AtlReading, Reading
from knower.system.explicit import Explicit
from knower.verdict.evidence import PathProof, Run
from spoiling import anything, evidence_of, swapped
from strategies import cases
from tracks_by_hand import PIECES, checked, track, tracks

Corrupt = Callable[[PathProof, Explicit], Iterator[PathProof]]


def on(way: PathProof, **changes: Any) -> PathProof:
    return replace(way, run=replace(way.run, **changes))


def put(items: tuple, place: int, item: object) -> tuple:
    return (*items[:place], item, *items[place + 1 :])


def next_states(run: Run, explicit: Explicit, place: int, joint: tuple) -> set:
    return set(explicit.successors(run.states[place], joint)) if joint else {run.states[place]}


def other_states(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    """A state of the path that does not come after the one before."""
    run = way.run
    known = [*dict.fromkeys(run.states), *explicit.initial_states()]
    for place in range(1, len(run.states)):
        after = next_states(run, explicit, place - 1, run.actions[place - 1])
        for other in [state for state in known if state not in after]:
            yield on(way, states=put(run.states, place, other))


def other_starts(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    for other in {*way.run.states} - {way.state}:
        yield on(way, states=put(way.run.states, 0, other))


def other_actions(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    """A joint action that does not lead to the next state, or is not allowed."""
    run = way.run
    following = (*run.states[1:], *(() if run.loop is None else (run.states[run.loop],)))
    for place, (joint, after) in enumerate(zip(run.actions, following, strict=True)):
        for seat, agent in enumerate(explicit.system.agents if joint else ()):
            for action in agent.actions:
                other = put(joint, seat, action)
                allowed = action in explicit.enabled(agent.name, run.states[place])
                if not allowed or after not in explicit.successors(run.states[place], other):
                    yield on(way, actions=put(run.actions, place, other))


def other_loops(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    run = way.run
    if run.loop is not None:
        after = next_states(run, explicit, len(run.states) - 1, run.actions[-1])
        for place in [k for k, state in enumerate(run.states) if state not in after]:
            yield on(way, loop=place)


def no_loop(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    """A lasso without its loop."""
    if way.run.loop is not None:
        yield on(way, loop=None, actions=way.run.actions[:-1])
        yield on(way, loop=None, actions=way.run.actions[:-1], end=len(way.run.states) - 1)


def a_loop(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    """A finite trace that goes on, by a step that is right."""
    run = way.run
    for joint in explicit.joint_actions(run.states[-1]) if run.loop is None else ():
        after = next_states(run, explicit, len(run.states) - 1, joint)
        for place in [k for k, state in enumerate(run.states) if state in after]:
            yield on(way, loop=place, actions=(*run.actions, joint))


def other_ends(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    """A finite trace ends where its path does."""
    if way.run.loop is None:
        yield from (on(way, end=place) for place in (None, *range(len(way.run.states) - 1)))


def earlier_ends(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    """An infinite path is said to show by less of it what it does not show so soon."""
    run = way.run
    if run.loop is not None:
        yield from (on(way, end=place) for place in range(len(run.states) if run.end is None else run.end))


def cut_short(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    """A finite trace without its last states: by construction the shorter one does not do."""
    for size in range(1, len(way.run.states) if way.run.loop is None else 1):
        met = tuple((place, part) for place, part in way.met if place < size)
        proofs = tuple((place, part) for place, part in way.proofs if place < size)
        run = Run(way.run.states[:size], way.run.actions[: size - 1], None, size - 1)
        yield replace(way, run=run, met=met, proofs=proofs)


def missing_proofs(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    for item in way.proofs:
        yield replace(way, proofs=tuple(other for other in way.proofs if other is not item))


def moved_proofs(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    for place, proof in way.proofs:
        for other, state in enumerate(way.run.states):
            if state != way.run.states[place]:
                yield replace(way, proofs=((other, proof),))


def moved_met(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    """Parts are said to be met in the first state, where they are not."""
    for item in way.met:
        if item[0] > 0:
            yield replace(way, met=tuple((0, item[1]) if other is item else other for other in way.met))


def strange_met(way: PathProof, explicit: Explicit) -> Iterator[PathProof]:
    """Nothing the formula waits for: another formula, or a part that cannot be met."""
    body = way.formula.children[0]
    for part in (f.F(body), f.X(body), f.TRUE, f.G(body), way.formula):
        yield replace(way, met=(*way.met, (0, part)))


#: What is spoilt, what the judge says of it, and in how many pieces of evidence it can be.
CORRUPTIONS: dict[str, tuple[Corrupt, str, int]] = {
    "another state": (other_states, "does not lead from", 9),
    "another first state": (other_starts, "begins in another state", 9),
    "another action": (other_actions, "does not lead from", 11),
    "another loop": (other_loops, "does not lead from", 6),
    "no loop": (no_loop, "does not go on for ever", 8),
    "a trace with a loop": (a_loop, "the path goes on after its end", 3),
    "another end": (other_ends, "the path goes on after its end", 4),
    "an earlier end": (earlier_ends, "not shown to", 7),
    "a trace cut short": (cut_short, "not shown to hold on the path", 3),
    "a proof less": (missing_proofs, "not shown to hold on the path", 4),
    "a proof elsewhere": (moved_proofs, "is about another state", 3),
    "met elsewhere": (moved_met, "is not shown to be met at position 0", 9),
    "no part": (strange_met, "is no part that can be met", 12),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_spoilt_evidence_is_rejected(name):
    corrupt, says, pieces = CORRUPTIONS[name]
    spoilt_pieces = 0
    for system, text, verdict in PIECES:
        result, interpreted = checked(system, text, "explicit", verdict), system.interpreted
        way = track(result)
        bad = list(corrupt(way, Explicit(interpreted)))
        for one in bad:
            wrong = swapped(result.evidence, way, one)
            judged = replay(wrong, result.specification, result.verdict, interpreted, Reading())
            assert any(says in mistake for mistake in judged.mistakes), (text, one, judged)
        spoilt_pieces += bool(bad)
    assert spoilt_pieces == pieces


# -- at random -------------------------------------------------------------------------------------------

#: What is wrong in any evidence.
ALWAYS_WRONG: tuple[Corrupt, ...] = (other_states, other_loops, no_loop, other_actions, strange_met)


def test_random_evidence_is_rejected_when_spoilt():
    judged = [0] * len(ALWAYS_WRONG)

    @settings(cases(30), phases=[Phase.generate])  # what is spoilt does not shrink well
    @given(st.data(), st.randoms(use_true_random=False))
    def judge(data: st.DataObject, random: Random) -> None:
        logics = ("LTL", "LTLK", "CTL*K", "LDLK", "CDL*K")
        readings = (AtlReading.OBJECTIVE,)
        for found in evidence_of(data, random, lambda module: anything(data, module, logics), readings, None):
            for way in tracks(found.evidence):
                for kind, corrupt in enumerate(ALWAYS_WRONG):
                    for bad in islice(corrupt(way, found.explicit), 2):
                        assert found.judged(found.with_(way, bad)).mistakes, (found.spec, bad)
                        judged[kind] += 1

    judge()
    assert min(judged) >= cases(5).max_examples, judged
