"""Initial states from diagrams: those of the search, in an order that can be counted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from systems import agent, model, systems

from knower.limits import Budget
from knower.symbolic.beginning import initial_states
from knower.system.explicit import Explicit
from knower.system.system import InterpretedSystem

TEN = "".join(f"x{k} : 0..9; " for k in range(10))


def with_sum(total: int) -> InterpretedSystem:
    return model(agent("A", TEN), initial=" + ".join(f"A.x{k}" for k in range(10)) + f" = {total}")


@given(systems(), st.integers(0, 5), st.none() | st.integers(0, 5))
def test_they_are_those_of_the_search(system: InterpretedSystem, skipped: int, count: int | None) -> None:
    searched = list(Explicit(system).initial_states())
    if not searched:
        return
    found = initial_states(system, 0, None, Budget())
    assert len(found) == len(searched)
    assert set(found) == set(searched)
    stop = None if count is None else skipped + count
    assert initial_states(system, skipped, count, Budget()) == found[skipped:stop]


def test_they_come_in_the_order_of_the_search() -> None:
    texts = ["A.x + A.y + A.z = 5", "A.y != A.x and A.z != A.y", "A.z = 1 and A.x <= A.y", "A.y - A.x > 1"]
    for text in texts:
        system = model(agent("A", "x : 0..3; y : -1..3; z : {1, 2};".replace("{1, 2}", "1..2")), initial=text)
        assert initial_states(system, 0, None, Budget()) == tuple(Explicit(system).initial_states())


def test_one_state_among_ten_thousand_million() -> None:
    assert initial_states(with_sum(90), 0, None, Budget()) == ((9,) * 10,)
    assert initial_states(with_sum(91), 0, None, Budget()) == ()


def test_what_is_skipped_is_not_listed() -> None:
    """432,457,640 have the sum 45; they are counted."""
    last = (9,) * 5 + (0,) * 5
    assert initial_states(with_sum(45), 432_457_639, 2, Budget()) == (last,)


def test_values_of_selectors_come_in_their_order() -> None:
    rooms = "".join(f"room{k} : boolean; " for k in range(1, 10))
    system = model(agent("A", f"{rooms} at : 1..9;"), initial="A.room1 = true and A.at > 3 and A.at < 7")
    found = initial_states(system, 0, None, Budget())
    assert found == tuple(Explicit(system).initial_states())
