"""Threads of OxiDD: where there is room for large diagrams, if asked for; the same functions."""

from __future__ import annotations

import os
from functools import reduce
from operator import or_

import pytest

from knower.cli import check
from knower.errors import UsageError
from knower.functions.registry import OXIDD, is_here, new_space
from knower.session import Session, usual_threads

pytestmark = pytest.mark.skipif(not is_here(OXIDD), reason="OxiDD is not here")

LARGE, SMALL = 1 << 21, 1 << 18
#: Variables that are compared in pairs, as far apart as can be: 3 * 2**PAIRS - 1 nodes, constants among them.
PAIRS = 12


def threads(max_nodes: int) -> int:
    return new_space("oxidd", [[0]], max_nodes).details().get("threads", 1)


def unequal(max_nodes: int) -> tuple[int, int]:
    """The size of a large diagram, and how many assignments satisfy it."""
    space = new_space("oxidd", [[variable] for variable in range(2 * PAIRS)], max_nodes)
    pairs = [space.xor(space.var(k), space.var(PAIRS + k)) for k in range(PAIRS)]
    some = reduce(or_, pairs)
    gone = space.quantified(range(PAIRS, PAIRS + 2))
    assert space.and_exists(some, ~some, gone) == space.false
    return space.size(some), space.count(some, range(2 * PAIRS))


@pytest.mark.parametrize(("wanted", "large"), [("2", 2), ("1", 1), ("0", 1), ("many", 1), ("", 1)])
def test_only_large_rooms_have_several(monkeypatch, wanted, large):
    monkeypatch.setenv("KNOWER_THREADS", wanted)
    assert (threads(LARGE), threads(SMALL)) == (large, 1)


def test_functions_are_the_same(monkeypatch):
    monkeypatch.delenv("KNOWER_THREADS", raising=False)
    alone = unequal(LARGE)
    monkeypatch.setenv("KNOWER_THREADS", "3")
    assert unequal(LARGE) == alone == (3 * 2**PAIRS - 1, 4**PAIRS - 2**PAIRS)


@pytest.mark.parametrize(("wanted", "workers"), [("1", 4), ("2", 2), ("3", 1), ("9", 1)])
def test_workers_and_their_threads_are_never_more_than_the_cores(monkeypatch, wanted, workers):
    monkeypatch.setenv("KNOWER_THREADS", wanted)
    with Session(cores=4) as session:
        assert session._pool.cores == workers
        assert workers * usual_threads(4) <= 4


def test_a_number_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("KNOWER_THREADS", "two")
    with pytest.raises(UsageError, match="KNOWER_THREADS is `two`"):
        Session(cores=2)


@pytest.mark.parametrize(("portfolio", "each"), [("off", "2"), ("first", "1")])
def test_cores_are_for_threads_or_for_methods(monkeypatch, portfolio, each):
    monkeypatch.setenv("KNOWER_THREADS", "7")
    monkeypatch.setenv("KNOWER_CORES", "7")
    monkeypatch.setattr("knower.session.usual_cores", lambda: int(os.environ["KNOWER_CORES"]))
    check._use_cores(None, by_methods=False)
    assert os.environ["KNOWER_THREADS"] == "7"
    check._use_cores(2, by_methods=portfolio != "off")
    assert (os.environ["KNOWER_CORES"], os.environ["KNOWER_THREADS"]) == ("2", each)
