"""Worlds and announcements: the muddy children, and agreement with the engines where nothing is said."""

from __future__ import annotations

from itertools import product

import pytest

from knower import loads
from knower.errors import UsageError
from knower.simulation.announcing import Worlds
from knower.simulation.neighbourhood import neighbourhood
from knower.system.explicit import Explicit

N = 4


def children() -> str:
    """Nothing happens: each child sees the foreheads of the others."""
    mud = "\n".join(f"m{k} : boolean;" for k in range(N))
    agents = "\n".join(
        f"Agent C{k} Lobsvars = {{{', '.join(f'm{j}' for j in range(N) if j != k)}}};"
        f" Vars: x : boolean; end Vars Actions = {{none}}; Protocol: Other : {{none}}; end Protocol"
        " Evolution: x = x if x = x; end Evolution end Agent"
        for k in range(N)
    )
    some = " or ".join(f"Environment.m{k} = true" for k in range(N))
    evaluation = " ".join(f"muddy{k} if Environment.m{k} = true;" for k in range(N))
    start = " and ".join(f"C{k}.x = false" for k in range(N))
    everybody = ", ".join(f"C{k}" for k in range(N))
    return f"""Agent Environment Vars: {mud} end Vars
      Actions = {{none}}; Protocol: Other : {{none}}; end Protocol
      Evolution: m0 = m0 if m0 = m0; end Evolution end Agent
      {agents}
      Evaluation {evaluation} some if {some}; end Evaluation
      InitStates {start}; end InitStates
      Groups all = {{{everybody}}}; end Groups
      Formulae AG some; end Formulae"""


def knows(child: int) -> str:
    return f"(K(C{child}, muddy{child}) or K(C{child}, !muddy{child}))"


def test_the_muddy_children_find_out_after_as_many_questions_as_are_muddy():
    system = loads(children())
    explicit = Explicit(system.interpreted)
    states = list(explicit.initial_states())
    assert len(states) == 2**N
    worlds = Worlds(explicit, states).announced(system.parse("some").body)
    assert len(worlds.left) == 2**N - 1
    nobody = system.parse(" and ".join(f"!{knows(child)}" for child in range(N))).body
    for said in range(N):
        for place in worlds.left:
            muddy = [k for k in range(N) if states[place][k]]
            knowing = [k for k in range(N) if place in worlds.where(system.parse(knows(k)).body)]
            assert (set(muddy) <= set(knowing)) is (len(muddy) <= said + 1)
        worlds = worlds.announced(nobody)
    assert not worlds.left


@pytest.mark.parametrize(
    "formula",
    ["K(C0, muddy1)", "M(C0, muddy0)", "GK(all, some)", "GCK(all, some or !some)", "DK(all, muddy0)",
     "MGCK(all, !some)", "MDK(all, muddy3)", "MGK(all, muddy0)", "O(C0, some)", "P(C0, !some)",
     "C1.GreenStates -> !K(C1, muddy1)"],
)  # fmt: skip
def test_before_anything_is_said_worlds_are_reachable_states(formula: str):
    system = loads(children())
    explicit = Explicit(system.interpreted)
    found = neighbourhood(explicit, explicit.initial_states(), 100)
    assert found.complete
    where = Worlds(explicit, found.states).where(system.parse(formula).body)
    walk = system.states()
    spec = system.parse(formula)
    for place, state in enumerate(found.states):
        assert (place in where) is walk.hold([spec], state)[0]


def test_time_and_strategies_are_refused():
    system = loads(children())
    worlds = Worlds(Explicit(system.interpreted), list(Explicit(system.interpreted).initial_states()))
    for formula in ("AG some", "EF some", "<all> F some"):
        with pytest.raises(UsageError, match="E643"):
            worlds.where(system.parse(formula).body)


def test_a_neighbourhood_is_all_or_says_that_it_is_not():
    system = loads(children())
    explicit = Explicit(system.interpreted)
    starts = list(explicit.initial_states())
    assert neighbourhood(explicit, starts, 16).complete
    part = neighbourhood(explicit, starts, 5)
    assert len(part.states) == 5 and not part.complete
    assert all(source < 5 and target < 5 for source, target in part.steps)
    assert set(product(range(5), range(5))) >= set(part.steps)
