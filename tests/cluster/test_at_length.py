"""More models, more libraries and more accidents than a cluster is tested with every time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from clusters import (
    APART,
    FLAWED,
    LEAVES,
    LONG,
    MARKS,
    SOUND,
    TWO_SIDES,
    alone,
    are_gone,
    busy_workers,
    clustered,
    counted,
    scheduler,
    system_of,
    workers_left,
)

from engines import has_sdd
from knower.cluster.cluster_engine import Plan, SharedExplorer
from knower.cluster.growth import SharedGrowth
from knower.errors import LimitReached, UsageError
from knower.evidence.justification import Justification, evidence_budget
from knower.families import generate
from knower.functions.protocol import NoRoom
from knower.functions.registry import available
from knower.limits import Budget
from knower.options import DeadlockPolicy, Reading, Tuning
from knower.reasons import NoCounterexample
from knower.verdict.verdict import Verdict
from processes import PATIENCE, child

pytest.importorskip("distributed", reason="dask is not installed: pip install 'knower[cluster]'")
pytestmark = MARKS


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """The address of a scheduler with two workers."""
    with scheduler(tmp_path_factory.mktemp("dask")) as address:
        yield address


@pytest.mark.parametrize(
    ("family", "values"),
    [
        ("train-gate", {"n": 3, "type": 1}),
        ("train-gate", {"n": 3, "type": 3}),
        ("prisoners", {"n": 4}),
        ("prisoners", {"n": 4, "fairness": "off"}),
        ("dining-cryptographers", {"n": 4}),
        ("dining-cryptographers", {"n": 3, "steps": 4}),
        ("go-back-n", {"n": 2, "delay": 2}),
    ],
)
def test_verdicts_are_those_of_one_process(running, family, values):
    system = system_of(generate(family, **values))
    here, there = alone(system), clustered(system, running)
    for text in system.formulae[:12]:
        spec = system.parse(text)
        assert there.check(spec) == here.check(spec), text
    assert there.statistics["rounds"] > 0
    assert there.states in (None, counted(system))


def test_what_fails_only_in_a_part_is_not_believed(running):
    """`AF` is false at every depth that is not the last, for want of a future; it is true."""
    system = system_of(TWO_SIDES.replace("late if Environment.side=left and", "late if"))
    model = clustered(system, running)
    assert model.check(system.parse("AF late")).verdict is Verdict.TRUE


@pytest.mark.parametrize("text", [APART, LEAVES])
def test_evidence_from_the_union_stands_up(running, text):
    system = system_of(FLAWED)
    model, spec = clustered(system, running), system.parse(text)
    assert model.check(spec).verdict is Verdict.FALSE

    asked = model.query(spec)
    search = Justification(asked, Verdict.FALSE, evidence_budget("all", 10))
    found = model.engine.evidence(asked, Verdict.FALSE, search.over)
    assert found is not None and not search.checked(found, model.system, Reading()).replay.mistakes


def test_a_bound_is_kept(running):
    system = system_of(SOUND)
    model = clustered(system, running, bound=3)
    answer = model.check(system.parse(APART))
    assert answer.verdict is Verdict.UNKNOWN and answer.reason == NoCounterexample(3)
    assert model.states is None


def test_deadlocks_can_end_everything_and_can_loop(running):
    system = system_of(TWO_SIDES)  # the end of time is no deadlock: nothing has to move
    for policy in DeadlockPolicy:
        model = clustered(system, running, reading=Reading(on_deadlock=policy))
        assert model.check(system.parse("EF late")).verdict is Verdict.TRUE


@pytest.mark.parametrize("library", [*available(), *(["pysdd"] if has_sdd else [])])
def test_every_library_can_be_shared(running, library):
    system = system_of(FLAWED)
    model = clustered(system, running, tuning=Tuning(library=library))
    for text in (LEAVES, APART, "AG true"):
        spec = system.parse(text)
        assert model.check(spec) == alone(system).check(spec)
    assert (model.statistics["rounds"] > 0, model.states) == (True, counted(system))


def test_after_a_counterexample_work_goes_on(running):
    """What was stopped then is not stopped for ever."""
    system = system_of(generate("train-gate", n=4, type=1, max=12, depth=9))
    model = clustered(system, running, Plan(alone=0.0, dear=0.0, trial=0, portion=5.0, parts=4))
    assert model.check(system.parse("AG !train4_in_tunnel")).verdict is Verdict.FALSE
    assert model.check(system.parse("AG true")).verdict is Verdict.TRUE
    assert model.states == counted(system)


def test_a_room_that_is_too_small_for_the_union_is_left_with_all_that_was_found(running, monkeypatch):
    heard, resumed, calls = SharedGrowth.hear, SharedExplorer._resume, []

    def full(growth, round_):
        calls.append("hear")
        if len(calls) == 3:
            raise NoRoom
        heard(growth, round_)

    def remembered(model):
        resumed(model)
        calls.append(model._shared.depth)

    monkeypatch.setattr(SharedGrowth, "hear", full)
    monkeypatch.setattr(SharedExplorer, "_resume", remembered)
    system = system_of(SOUND)
    model = clustered(system, running)
    assert model.check(system.parse(APART)).verdict is Verdict.TRUE
    assert [depth for depth in calls if depth != "hear"] == [4]  # a layer of the master, and three rounds
    assert (model.states, model.statistics["attempts"]) == (counted(system), 2)


def test_another_version_does_not_take_part(running, monkeypatch):
    monkeypatch.setattr("knower.__version__", "0.0.0")
    system = system_of(SOUND)
    with pytest.raises(UsageError) as told:
        clustered(system, running).check(system.parse(LEAVES))
    assert told.value.diagnostics[0].code == "E612"


def test_the_time_limit_ends_a_round():
    system = system_of(LONG)
    model = clustered(
        system, "local:2", Plan(alone=0.3, dear=0.0, trial=0, portion=60.0), budget=Budget(seconds=3)
    )
    with pytest.raises(LimitReached, match="time limit"):
        model.check(system.parse(LEAVES))
    assert not workers_left()


SCRIPT = """
    from clusters import *
    system = system_of(LONG)
    model = clustered(system, "local:2", Plan(alone=0.1, dear=0.0, trial=0, portion=60.0))
    model.check(system.parse(LEAVES))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_their_master(tmp_path, kind):
    """A master that is killed cannot tell them anything. A script need not be one that can be imported."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    here = [str(folder) for folder in Path(__file__).parents[:2]]
    path = os.pathsep.join(filter(None, [*here, os.environ.get("PYTHONPATH")]))
    command, environment = [sys.executable, str(script)], {**os.environ, "PYTHONPATH": path}
    with child(command, env=environment, stderr=subprocess.PIPE) as master:
        workers = busy_workers(master.pid)
        master.send_signal(kind)
        master.communicate(timeout=PATIENCE)
    assert are_gone(workers)
