"""What a worker does with its errands, in this process."""

from __future__ import annotations

import pickle
from dataclasses import replace
from unittest.mock import ANY

import pytest
from clusters import clustered, counted, system_of

from knower.cluster import worker
from knower.cluster.messages import Behind, Errand, Unfit
from knower.families import generate
from knower.functions.registry import available
from knower.functions.transport import packed, unpacked

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")

BAD = "AG (!train1_in_tunnel or !train2_in_tunnel)"


@pytest.fixture
def master():
    """A master after two layers of its own, with the errands it would send."""
    system = system_of(generate("train-gate", n=3, type=1))
    model = clustered(system, "local:1")
    for _ in range(2):
        model.explorer._shared.advance()
    model.explorer.watch([model.query(system.parse(BAD))])
    return model.explorer


def errand_of(master, **changes) -> Errand:
    """One errand for everything."""
    grown = master._shared.news()
    if grown is not None:
        master._news = (*master._news, (((), packed(master._system.space, grown)),))
    master._windows = [()]
    (errand,) = master._errands()
    return replace(errand, **changes)


def test_an_errand_without_limits_finds_all_or_a_counterexample(master):
    found = worker.explore(errand_of(master, seconds=60.0, query=None))
    states, left = unpacked(master._system.space, found.diagrams)
    assert left == master._system.space.false and not found.decided
    system = system_of(generate("train-gate", n=3, type=1))
    assert master._system.count(states | master._shared.reached) == counted(system)
    assert worker.explore(errand_of(master, seconds=60.0)).decided


def test_an_errand_makes_a_layer_however_late_it_is(master):
    assert worker.explore(errand_of(master, seconds=0.0, query=None)).layers == 1


def test_an_errand_can_be_bounded(master):
    assert worker.explore(errand_of(master, seconds=60.0, layers=2, query=None)).layers == 2


def test_a_stopped_round_is_left_as_it_was_and_the_next_is_not(master):
    first = errand_of(master, query=None)
    worker.stop(first.round)
    found = worker.explore(first)
    states, left = unpacked(master._system.space, found.diagrams)
    assert (found.layers, states, left) == (0, master._system.space.false, master._shared.frontier)
    assert worker.explore(errand_of(master, query=None, round="another")).layers > 0


def test_news_are_heard_once_and_none_is_missed(master):
    for _ in range(2):
        errand_of(master)
        master._shared.advance()
    third = errand_of(master, query=None, layers=1)
    with pytest.raises(Behind):
        worker.explore(third.latest(2))
    found = worker.explore(third)
    assert worker.explore(third.latest(0)) == replace(found, seconds=ANY)


def test_a_model_is_made_once(master, monkeypatch):
    worker.explore(errand_of(master))
    monkeypatch.setattr(worker, "_built", None)
    worker.explore(errand_of(master))


def test_errands_and_findings_can_be_sent(master):
    errand = pickle.loads(pickle.dumps(errand_of(master)))
    found = worker.explore(errand)
    assert pickle.loads(pickle.dumps(found)) == found


def test_another_version_or_order_is_refused(master, monkeypatch):
    setup = master._setup.opened()
    for unfit in (replace(setup, version="0"), replace(setup, order=setup.order[::-1])):
        with pytest.raises(Unfit):
            worker.explore(errand_of(master, setup=unfit.sealed()))
