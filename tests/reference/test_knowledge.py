"""Knowledge against its definition, pair of states by pair of states."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from strategies import cases
from worlds import state_sets, worlds


@cases(80)
@given(worlds(), st.data())
def test_knowledge_is_truth_in_all_states_confused(here, data):
    explicit, states = here.space.explicit, here.space.states
    names = [agent.name for agent in explicit.system.agents]
    members = tuple(data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True)))
    fact = data.draw(state_sets(here.universe))

    def alike(name: str, s: int, t: int) -> bool:
        return explicit.sees(name, states[s]) == explicit.sees(name, states[t])

    def where(confused) -> set[int]:
        return {s for s in here.universe if all(t in fact for t in here.universe if confused(s, t))}

    for name in members:
        assert here.confusion.knows(name, fact) == where(lambda s, t, n=name: alike(n, s, t))
    everybody = where(lambda s, t: any(alike(n, s, t) for n in members))
    assert here.confusion.everybody(members, fact) == everybody
    together = where(lambda s, t: all(alike(n, s, t) for n in members))
    assert here.confusion.distributed(members, fact) == together

    linked = {(s, t) for s in here.universe for t in here.universe if any(alike(n, s, t) for n in members)}
    while more := {(s, u) for s, t in linked for t2, u in linked if t == t2} - linked:
        linked |= more
    assert here.confusion.common(members, fact) == where(lambda s, t: (s, t) in linked)
