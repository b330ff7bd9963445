"""Sets of states as plain values: engines have the same, whatever they keep them in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knower
from engines import Asker, computing, has_sdd
from knower import families
from knower.engine.protocol import Pressure
from knower.errors import LimitReached
from knower.functions.protocol import NoRoom
from knower.functions.registry import available
from knower.options import AtlReading, DeadlockPolicy, Reading, Tuning
from knower.symbolic.decode import Decoder
from knower.system.explicit import Explicit
from knower.verdict.trace import Path
from strategies import cases
from worlds import questions

#: An engine, and the library of its diagrams.
ENGINES: dict[str, tuple[str, Tuning]] = {
    **{f"bdd, {library}": ("bdd", Tuning(library)) for library in available()},
    **({"bdd, layer": ("bdd", Tuning(reach="layer")), "bmc": ("bmc", Tuning())} if available() else {}),
    **({"sdd": ("sdd", Tuning())} if has_sdd else {}),
    "bitset": ("bitset", Tuning()),
}
LOGICS = ["CTLK", "CTLKO", "ATLK", "LTLK", "CDL*K", "LDLf"]

engines = pytest.mark.parametrize("engine", ENGINES)


def other(engine: str, reference: Asker) -> Asker:
    """The same model, and the same reading, with another engine."""
    name, tuning = ENGINES[engine]
    return Asker(name, reference.system, computing(60), reference.reading, tuning)


def line(places: int, fairness: str = "") -> str:
    """A goes on from place to place, or stays; B sees nothing."""
    return f"""
Agent A
  Vars: at : 0..{places - 1}; end Vars
  Actions = {{go, stay}};
  Evolution: at = at + 1 if Action = go and at < {places - 1}; end Evolution
end Agent
Agent B end Agent
Evaluation last if A.at = {places - 1}; end Evaluation
InitStates A.at = 0; end InitStates
Fairness {fairness} end Fairness
"""


def loaded(text: str, engine: str = "explicit", **reading: Any) -> tuple[knower.System, Asker]:
    system = knower.loads(text)
    reference = Asker("explicit", system.interpreted, reading=Reading(**reading))
    return system, reference if engine == "explicit" else other(engine, reference)


def where(model: Asker, spec: Any) -> Any:
    return model.engine.where(model.query(spec))


# -- the same states ---------------------------------------------------------------------------------------


@engines
@pytest.mark.parametrize("logic", LOGICS)
def test_sets_agree(engine, logic):
    @cases(6)
    @given(questions(logic, formulas=2))
    def agree(question):
        reference, specs = question
        model = other(engine, reference)
        for spec in specs:
            assume(model.pick.refuses(model.query(spec)) is None)
            reference.budget.seconds = reference.budget.elapsed + 5
            try:
                expected = where(reference, spec)
            except LimitReached:
                assume(False)
            same(where(model, spec), expected, reference)

    agree()


def same(found: Any, expected: Any, reference: Asker) -> None:
    """Two sets have the same states; what is drawn from them is theirs."""
    assert len(found) == len(expected)
    inside = [state for state in reference.space.states if state in expected]
    assert [state for state in reference.space.states if state in found] == inside == list(expected)
    assert sorted(found.sample(len(inside) + 1), key=repr) == sorted(inside, key=repr)


@engines
def test_sets_agree_in_every_reading(engine):
    @cases(20)
    @given(questions("ATLK", formulas=2), st.sampled_from(AtlReading), st.sampled_from(DeadlockPolicy))
    def agree(question, atl, policy):
        drawn, specs = question
        reference = Asker("explicit", drawn.system, computing(5), Reading(atl, policy))
        model = other(engine, reference)
        for spec in specs:
            assume(model.pick.refuses(model.query(spec)) is None)
            try:
                expected = where(reference, spec)
            except LimitReached:
                assume(False)
            same(where(model, spec), expected, reference)

    agree()


# -- samples -----------------------------------------------------------------------------------------------

DIGITS = line(40)


@pytest.mark.parametrize("engine", ["explicit", *ENGINES])
def test_samples_are_different_members_and_the_same_for_the_same_seed(engine):
    system, model = loaded(DIGITS, engine)
    some = where(model, system.parse("AX !last"))
    assert len(some) == 38
    samples = [some.sample(10, seed) for seed in range(8)]
    for seed, chosen in enumerate(samples):
        assert len(chosen) == len(set(chosen)) == 10
        assert all(state in some for state in chosen)
        assert chosen == some.sample(10, seed)
        assert chosen == where(model, system.parse("AX !last")).sample(10, seed)
    assert len({tuple(sorted(chosen)) for chosen in samples}) > 1, "another seed, other states"
    assert some.sample(10) == samples[0], "the seed is 0 unless somebody says"
    assert some.sample(0) == []
    assert len(some.sample(1000, 3)) == len(set(some.sample(1000, 3))) == 38


@engines
def test_samples_are_the_same_wherever_they_are_drawn(engine):
    """When the engine has forgotten, too."""
    system, model = loaded(DIGITS, engine)
    some = where(model, system.parse("!last"))
    before = some.sample(5, 3)
    model.engine.forget(Pressure.ALL)
    assert some.sample(5, 3) == before
    assert len(some) == 39


@pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")
def test_samples_are_the_same_where_room_was_wanting(monkeypatch):
    system, model = loaded(DIGITS, f"bdd, {available()[0]}")
    some = where(model, system.parse("!last"))
    before, honest, calls = some.sample(5, 3), Decoder.state, []

    def state(decoder: Decoder, states: Any) -> Any:
        calls.append(states)
        if len(calls) == 3:
            raise NoRoom
        return honest(decoder, states)

    monkeypatch.setattr(Decoder, "state", state)
    assert some.sample(5, 3) == before
    assert len(calls) > 3, "it was begun again"


@engines
def test_every_member_can_be_drawn(engine):
    system, model = loaded(line(5), engine)
    some = where(model, system.parse("!last"))
    assert {state for seed in range(60) for state in some.sample(1, seed)} == set(some.sample(9))


# -- who is confused ---------------------------------------------------------------------------------------


def groups(names: list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(names), max_size=3, unique=True).map(tuple)


@engines
def test_indistinguishable_states_agree(engine):
    @cases(12)
    @given(questions("CTLK", formulas=2), st.data())
    def agree(question, data):
        reference, specs = question
        model, explicit = other(engine, reference), reference.explicit
        members = data.draw(groups([agent.name for agent in reference.system.agents]))
        state = data.draw(st.sampled_from(reference.space.states))
        for spec in specs:
            found, everywhere = where(model, spec), where(reference, spec)
            alike = {
                one
                for one in everywhere
                if all(explicit.sees(name, one) == explicit.sees(name, state) for name in members)
            }
            narrowed = found.indistinguishable(state, members)
            assert len(narrowed) == len(alike)
            assert set(narrowed.sample(len(alike) + 1)) == alike
            if state in everywhere:
                assert set(everywhere.indistinguishable(state, members)) == alike

    agree()


@pytest.mark.parametrize("engine", ["explicit", *ENGINES])
def test_a_state_without_fair_path_can_be_confused_with_fair_ones(engine):
    """It is in no set, but one can ask who looks like it."""
    system, model = loaded(line(5, "!last;"), engine)
    everywhere = where(model, system.parse("true"))
    assert [(place,) in everywhere for place in range(5)] == [True] * 4 + [False]
    assert len(everywhere.indistinguishable((4,), ("A",))) == 0
    assert len(everywhere.indistinguishable((4,), ("B",))) == 4
    assert len(everywhere.indistinguishable((4,), ())) == 4


# -- paths -------------------------------------------------------------------------------------------------


def replayed(path: Path, explicit: Explicit) -> Iterator[Any]:
    """The states of a path, which begins at the start and has steps of the system only."""
    named = {repr(explicit.named_state(state)): state for state in explicit.initial_states()}
    states = [named[repr(path.states[0])]]
    yield states[0]
    for (_, after), action in zip(pairwise(path.states), path.actions, strict=True):
        steps = (
            following
            for joint in explicit.joint_actions(states[-1])
            if explicit.named_action(joint) == action
            for following in explicit.successors(states[-1], joint)
            if explicit.named_state(following) == after
        )
        states.append(next(steps))
        yield states[-1]


def distances(space: Any) -> dict[Any, int]:
    """How many steps lead to each state, by breadth."""
    found, layer = dict.fromkeys(space.initial, 0), list(space.initial)
    while layer:
        layer = [after for number in layer for after in space.successors[number] if after not in found]
        layer = list(dict.fromkeys(layer))
        found |= dict.fromkeys(layer, max(found.values()) + 1)
    return {space.states[number]: steps for number, steps in found.items()}


@pytest.mark.parametrize("engine", ["explicit", *ENGINES])
def test_paths_are_shortest_and_can_be_replayed(engine):
    @cases(8)
    @given(questions("CTLK", formulas=1))
    def agree(question):
        reference, (spec,) = question
        model = reference if engine == "explicit" else other(engine, reference)
        least, found = distances(reference.space), where(model, spec)
        for state in reference.space.states:
            if state in found:
                path = found.path_to(state)
                assert [*replayed(path, reference.explicit)][-1] == state
                assert len(path) == least[state] + 1
                assert len(path.actions) == least[state]
            else:
                with pytest.raises(KeyError):
                    found.path_to(state)

    agree()


@pytest.mark.parametrize("engine", ["explicit", *ENGINES])
@pytest.mark.parametrize("family", ["train-gate", "dining-cryptographers"])
def test_paths_in_families(engine, family):
    system, model = loaded(families.generate(family, n=2 if family == "train-gate" else 3), engine)
    explicit = Explicit(system.interpreted)
    everywhere = where(model, system.parse("true"))
    least = distances(Asker("explicit", system.interpreted).space)
    assert len(everywhere) == len(least)
    for state in everywhere.sample(12, 1):
        path = everywhere.path_to(state)
        assert [*replayed(path, explicit)][-1] == state
        assert len(path) == least[state] + 1


# -- what is no member -------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["explicit", *ENGINES])
def test_what_is_no_state_is_in_no_set(engine):
    system, model = loaded(line(3), engine)
    everywhere = where(model, system.parse("true"))
    assert [(place,) in everywhere for place in range(3)] == [True] * 3
    for thing in ((3,), (4,), (-4,), (99,), ("low",), (1, 2), (), 5, None, "x"):
        assert thing not in everywhere, thing
        with pytest.raises(KeyError):
            everywhere.path_to(thing)
