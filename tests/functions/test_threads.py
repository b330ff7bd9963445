"""Threads of OxiDD: where there is room for large diagrams, if asked for; the same functions."""

from __future__ import annotations

from functools import reduce
from operator import or_

import pytest

from knower.errors import UsageError
from knower.functions.registry import OXIDD, is_here, new_space
from knower.options import Tuning
from knower.session import Session

pytestmark = pytest.mark.skipif(not is_here(OXIDD), reason="OxiDD is not here")

LARGE, SMALL = 1 << 21, 1 << 18
#: Variables that are compared in pairs, as far apart as can be: 3 * 2**PAIRS - 1 nodes, constants among them.
PAIRS = 12
MODEL = """
Agent A Vars: x : boolean; end Vars Actions = {a}; Protocol: Other : {a}; end Protocol
Evolution: x = true if Action = a; end Evolution end Agent
Evaluation p if A.x = true; end Evaluation InitStates A.x = false; end InitStates
"""


def threads(max_nodes: int, wanted: int) -> int:
    return new_space("oxidd", [[0]], max_nodes, threads=wanted).details().get("threads", 1)


def unequal(max_nodes: int, wanted: int) -> tuple[int, int]:
    """The size of a large diagram, and how many assignments satisfy it."""
    space = new_space("oxidd", [[variable] for variable in range(2 * PAIRS)], max_nodes, threads=wanted)
    pairs = [space.xor(space.var(k), space.var(PAIRS + k)) for k in range(PAIRS)]
    some = reduce(or_, pairs)
    gone = space.quantified(range(PAIRS, PAIRS + 2))
    assert space.and_exists(some, ~some, gone) == space.false
    return space.size(some), space.count(some, range(2 * PAIRS))


@pytest.mark.parametrize("wanted", [1, 2])
def test_only_large_rooms_have_several(wanted):
    assert (threads(LARGE, wanted), threads(SMALL, wanted)) == (wanted, 1)


def test_functions_are_the_same():
    assert unequal(LARGE, 3) == unequal(LARGE, 1) == (3 * 2**PAIRS - 1, 4**PAIRS - 2**PAIRS)


@pytest.mark.parametrize(("wanted", "workers"), [("1", 4), ("2", 2), ("3", 1), ("9", 1)])
def test_workers_and_their_threads_are_never_more_than_the_cores(monkeypatch, wanted, workers):
    monkeypatch.setenv("KNOWER_THREADS", wanted)
    with Session(cores=4) as usual, Session(cores=4, threads=int(wanted)) as given:
        assert usual._pool.cores == given._pool.cores == workers
        assert workers * usual.threads <= 4
        assert usual.threads == given.threads


def test_a_number_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("KNOWER_THREADS", "two")
    with pytest.raises(UsageError, match="KNOWER_THREADS is `two`"):
        Session(cores=2)
    with pytest.raises(UsageError, match="threads"):
        Session(cores=2, threads=0)


@pytest.mark.parametrize(("workers", "cores", "each"), [(1, None, 3), (1, 2, 2), (1, 9, 4), (3, 2, 1)])
def test_cores_are_for_threads_or_for_methods(monkeypatch, workers, cores, each):
    monkeypatch.setenv("KNOWER_THREADS", "3")
    monkeypatch.setattr("knower.session.usual_cores", lambda: 4)
    monkeypatch.setattr("knower.pool.pool.Pool.prepare", lambda pool, workers: None)
    with Session.of_command_line(workers, cores) as session:
        assert session.threads == each


def test_what_is_asked_says_how_many(monkeypatch):
    asked: list[int] = []
    monkeypatch.setattr(
        "knower.session.Session.asked", lambda self, order, *_: asked.append(order.what.how.tuning.threads)
    )
    with Session(cores=4, threads=2) as session:
        system = session.loads(MODEL)
        for options in ({}, {"threads": 3}, {"tuning": Tuning()}):
            with pytest.raises(TypeError, match="NoneType"):
                system.submit("AG p", **options)
    assert asked == [2, 3, 1]
