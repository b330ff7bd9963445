"""Workers: fresh and forked, from threads and event loops, cancelled, killed, and gone with their parent."""

from __future__ import annotations

import asyncio
import copy
import ctypes
import gc
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from knower import families
from knower.engine import turns
from knower.errors import UsageError
from knower.functions.registry import available
from knower.logic.formula import Atom
from knower.memory import Keeping
from knower.messages import Lint, Text
from knower.pool.pool import Pool
from knower.pool.processes import ForkedWorker, FreshWorker
from knower.pool.ticket import Order, Ticket
from knower.reasons import EngineDied, Interrupted, Stopped
from knower.session import Session
from knower.verdict.events import Decided, Explained, Finished, ModelSeen, Planned
from knower.verdict.verdict import Verdict
from knower.verdict.warnings import ModelsLost
from processes import PATIENCE, child, is_alive
from sessions import COUNTER, forked_session

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be split here")

EXPECTED = (Verdict.TRUE, Verdict.FALSE, Verdict.TRUE)
#: More states than anyone can wait for, one by one.
ENDLESS = COUNTER.replace("0..3", "0..1000000000").replace("x < 3", "x < 1000000000")


def endless(session: Session, **options: object) -> object:
    system = session.loads(ENDLESS)
    return system.submit("EF top", engine="explicit", max_states=None, **options)  # type: ignore[arg-type]


def gone(pids: list[int], seconds: float = PATIENCE) -> bool:
    """Whether processes have ended by then."""
    end = time.monotonic() + seconds
    while any(map(is_alive, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    return not any(map(is_alive, pids))


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(cores=2) as made:
        yield made


@pytest.fixture(params=[FreshWorker, ForkedWorker], ids=["fresh", "forked"])
def any_session(request) -> Iterator[Session]:
    with Session(cores=2, start=request.param) as made:
        yield made


# -- what is told ---------------------------------------------------------------------------------------


def test_answers_are_right(any_session):
    assert any_session.loads(COUNTER).check().verdicts == EXPECTED


def test_events_are_news_only(session):
    ticket = session.loads(COUNTER).submit()
    told = [event for event in ticket.events() if isinstance(event, Planned | Decided | Explained | Finished)]
    kinds = [type(event) for event in told]
    assert kinds[0] is Planned and kinds[-1] is Finished
    decided = [event.numbers for event in told if isinstance(event, Decided)]
    assert decided == [(1,), (2,), (3,)]
    assert ticket.result().verdicts == EXPECTED
    assert list(ticket.events())[-1] == told[-1], "events can be heard again"


def test_the_states_are_told_before_the_end(session):
    events = session.loads(COUNTER).submit().events()
    assert next(event for event in events if isinstance(event, ModelSeen)).states == 4


def test_errors_come_back_with_their_place(any_session):
    with pytest.raises(Exception, match="E501"):
        any_session.loads(COUNTER).check("EF nothing")
    with pytest.raises(Exception, match=r"E1\d\d|E2\d\d"):
        any_session.loads("Agent A")


# -- nothing of the user's process is changed -----------------------------------------------------------


def test_nothing_global_is_touched(session):
    before = (sys.getrecursionlimit(), gc.isenabled(), signal.getsignal(signal.SIGINT), gc.get_threshold())
    with ThreadPoolExecutor(4) as threads:
        results = [threads.submit(session.loads(COUNTER).check) for _ in range(8)]
        assert [each.result(PATIENCE).verdicts for each in results] == [EXPECTED] * 8
    assert before == (
        sys.getrecursionlimit(), gc.isenabled(), signal.getsignal(signal.SIGINT), gc.get_threshold(),
    )  # fmt: skip


def test_a_bare_script_needs_no_guard(tmp_path):
    script = tmp_path / "queue.py"  # named like a module of the library, which workers must not take for it
    script.write_text(f"import knower\nprint('begun')\nprint(knower.loads({COUNTER!r}).check().verdicts)\n")
    done = subprocess.run(
        [sys.executable, "-P", str(script)], capture_output=True, text=True, cwd=tmp_path, timeout=PATIENCE
    )
    assert done.stdout.count("begun") == 1, "the script is not run again by workers"
    assert "TRUE" in done.stdout and done.returncode == 0, done.stderr


def test_in_an_event_loop(session):
    async def several() -> list[object]:
        system = session.loads(COUNTER)
        return await asyncio.gather(*(system.acheck() for _ in range(4)))

    assert [each.verdicts for each in asyncio.run(several())] == [EXPECTED] * 4  # type: ignore[attr-defined]


def test_a_cancelled_task_cancels_the_work(session):
    async def impatient() -> None:
        system = session.loads(ENDLESS)
        task = asyncio.create_task(system.acheck("EF top", engine="explicit", max_states=None))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(impatient())
    assert session.loads(COUNTER).check().verdicts == EXPECTED


def test_two_threads_at_once_use_two_workers_and_no_more(session):
    slow, quick = endless(session), session.loads(COUNTER).submit()
    assert quick.result(PATIENCE).verdicts == EXPECTED
    assert len(session.workers()) <= 2
    slow.cancel()
    assert slow.result(PATIENCE)[0].reason == Stopped()


def test_a_users_own_fork_can_ask_too(session):
    session.loads(COUNTER).check()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            with session:
                os.write(writer, repr(session.loads(COUNTER).check().verdicts == EXPECTED).encode())
        finally:
            os._exit(0)
    os.close(writer)
    assert os.read(reader, 100) == b"True"
    os.close(reader)
    os.waitpid(pid, 0)
    assert session.loads(COUNTER).check().verdicts == EXPECTED


# -- cancelling -----------------------------------------------------------------------------------------


def test_who_listens_is_cancelled_and_lives_on(session):
    session.loads(COUNTER).check()
    ticket = endless(session)
    until(lambda: ticket.began is not None)
    workers = session.workers()
    ticket.cancel()
    result = ticket.result(PATIENCE)
    assert [each.reason for each in result] == [Stopped()]
    assert set(workers) <= set(session.workers()), "a worker that heeds the token is not killed"
    assert session.loads(COUNTER).check().verdicts == EXPECTED


def holding_the_lock(seconds: int) -> None:
    """Like a library at work that lets no other thread of Python run."""
    ctypes.PyDLL(None).sleep(seconds)


def busy(monkeypatch: pytest.MonkeyPatch, work: Callable[[], None]) -> None:
    """Every formula takes long."""
    attempted = turns.attempted

    def instead(*given: object) -> object:
        work()
        return attempted(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(turns, "attempted", instead)


def test_who_is_deaf_is_killed_and_what_was_lost_is_told(monkeypatch):
    busy(monkeypatch, lambda: holding_the_lock(600))
    with forked_session(cores=1) as session:
        session.loads(COUNTER, "other").lint()
        ticket = session.loads(COUNTER, "mine").submit()
        next(event for event in ticket.events() if isinstance(event, ModelSeen))
        (worker,) = session.workers()
        ticket.cancel(Interrupted())
        result = ticket.result(PATIENCE)
        assert result.interrupted and result.states == 4
        assert result.found("models-lost") == ModelsLost(("other",))
        assert gone([worker])
        monkeypatch.undo()
        assert session.loads(COUNTER, "other").check().verdicts == EXPECTED


def test_a_crash_is_told_and_the_next_question_answered(monkeypatch):
    busy(monkeypatch, lambda: os.kill(os.getpid(), signal.SIGKILL))
    with forked_session(cores=1) as session:
        assert {each.reason for each in session.loads(COUNTER).check()} == {EngineDied(signal.SIGKILL)}
        monkeypatch.undo()
        assert session.loads(COUNTER).check().verdicts == EXPECTED


def asks_and_cancels(session: Session, count: int, seed: int) -> None:
    chance = random.Random(seed)
    systems = [session.loads(COUNTER), session.loads(ENDLESS)]
    for _ in range(count):
        if chance.random() < 0.5:
            ticket = systems[0].submit(evidence="none")
        else:
            ticket = systems[1].submit("EF top", engine="explicit", max_states=None)
        if ticket.order.what.model.text == ENDLESS or chance.random() < 0.5:
            time.sleep(chance.random() ** 3 * 0.05)
            ticket.cancel()
        found = ticket.result(PATIENCE)
        assert all(each.verdict is Verdict.UNKNOWN or each.verdict is right
                   for each, right in zip(found, EXPECTED, strict=False))  # fmt: skip


@pytest.mark.parametrize("seed", [1])
def test_asks_and_cancels_at_random_moments(seed):
    """`KNOWER_EXAMPLES=25` makes it a thousand."""
    count = int(40 * float(os.environ.get("KNOWER_EXAMPLES", "1")))
    with Session(cores=2) as session:
        with ThreadPoolExecutor(3) as threads:
            asked = [threads.submit(asks_and_cancels, session, count // 3 + 1, seed + k) for k in range(3)]
            for each in asked:
                each.result()
        assert session.loads(COUNTER).check().verdicts == EXPECTED
        workers = session.workers()
        assert len(workers) <= 2
    assert gone(workers)


# -- the end of the parent ------------------------------------------------------------------------------

PARENT = """
import ctypes, os, sys, threading, time
from knower.session import Session
from knower.pool.processes import ForkedWorker, FreshWorker
{change}
session = Session(cores=1, start={start})
def ask():
    ticket = session.loads({text!r}).submit(*{formulas!r}, {options})
    print(*session.workers(), flush=True)
    ticket.result()
thread = threading.Thread(target=ask)  # the thread that starts a worker may end before the process does
thread.start()
{more}
thread.join()
"""
DEAF = """
from knower.engine import turns
turns.attempted = lambda *given: ctypes.PyDLL(None).sleep(600)
"""


def orphans(
    start: str, change: str = "", more: str = "", options: str = "", text: str = COUNTER
) -> list[int]:
    """The workers of a parent that was killed while one of them was at work."""
    formulas = () if text == COUNTER else ("EF top",)
    script = PARENT.format(
        start=start, change=change, more=more, options=options, text=text, formulas=formulas
    )
    with child([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        time.sleep(1.0)
        assert workers and all(map(is_alive, workers))
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    return workers


@pytest.mark.skipif(sys.platform != "linux", reason="the lifeline is one of Linux")
def test_a_deaf_worker_ends_with_a_parent_that_is_killed():
    assert gone(orphans("ForkedWorker", change=DEAF))


@pytest.mark.skipif(sys.platform != "linux", reason="the lifeline is one of Linux")
def test_a_users_fork_does_not_keep_workers_alive():
    forks = "time.sleep(0.5)\nif os.fork() == 0:\n    time.sleep(5); os._exit(0)\n"
    options = 'engine="explicit", max_states=None'
    assert gone(orphans("FreshWorker", more=forks, options=options, text=ENDLESS), seconds=4)


def long_operation() -> str:
    """A model whose relation takes a library long to make, in few operations."""
    return families.generate("train-gate", n=12, type=3, max=500, depth=200)


@pytest.mark.skipif(sys.platform != "linux", reason="the lifeline is one of Linux")
@pytest.mark.parametrize("library", ["cudd", "oxidd"])
def test_a_worker_inside_a_library_ends_with_its_parent(library):
    if library not in available():
        pytest.skip(f"{library} is not installed")
    script = PARENT.format(
        start="FreshWorker", change="", more="", text=long_operation(), formulas=("AG EF train1_in_tunnel",),
        options=f'bdd="{library}"',
    )  # fmt: skip
    with child([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        time.sleep(3.0)
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    assert workers and gone(workers)


# -- the queue ------------------------------------------------------------------------------------------


@pytest.fixture
def one_worker() -> Iterator[Pool]:
    made = Pool(FreshWorker, 1, Keeping(1000.0))
    yield made
    made.close()


def order(name: str, **more: object) -> Order:
    return Order(Lint(Text(name, COUNTER)), **more)  # type: ignore[arg-type]


def served(pool: Pool, orders: list[Order]) -> list[str]:
    """The names in the order they were done, after something that keeps the worker busy."""
    done: list[str] = []
    first, *tickets = (Ticket(each, pool) for each in (order("first"), *orders))
    with pool._lock:
        for ticket in (first, *tickets):
            pool.enqueue(ticket)
        for ticket in tickets:
            ticket.when_over(lambda ticket: done.append(ticket.order.what.model.name))
    for ticket in tickets:
        assert ticket.wait(PATIENCE)
    until(lambda: len(done) == len(tickets))
    return done


def test_urgent_orders_come_first(one_worker):
    orders = [order("later"), order("urgent", priority=1), order("last", priority=-1)]
    assert served(one_worker, orders) == ["urgent", "later", "last"]


def test_askers_have_their_turns(one_worker):
    greedy = [order(f"greedy {k}", asker="greedy") for k in range(3)]
    assert served(one_worker, [*greedy, order("modest", asker="modest")])[:2] == ["greedy 0", "modest"]


def test_a_newer_question_replaces_an_older_one(session):
    system = session.loads(ENDLESS)
    options = {"engine": "explicit", "max_states": None, "replaces": "editor"}
    older = [system.submit("EF top", **options) for _ in range(3)]
    newest = session.loads(COUNTER).submit(replaces="editor")
    assert newest.result(PATIENCE).verdicts == EXPECTED
    assert all(each.result(PATIENCE)[0].reason == Stopped() for each in older)


def test_a_worker_waits_for_what_comes_next_once_work_takes_long():
    with Session(cores=2) as session:
        ticket = endless(session)
        until(lambda: len(session.workers()) == 2)
        ticket.cancel()
        assert ticket.result(PATIENCE)[0].reason == Stopped()


def test_a_session_that_is_forgotten_leaves_nothing():
    session = Session(cores=1)
    session.loads(COUNTER)
    workers = session.workers()
    del session
    gc.collect()
    assert gone(workers)


def test_a_worker_that_does_not_shrink_is_replaced():
    with Session(cores=1, keeping=Keeping(1.0)) as session:
        system = session.loads(COUNTER)
        first = session.workers()  # none, where it has gone already
        assert system.check().verdicts == EXPECTED
        assert gone(first)
        assert system.check().verdicts == EXPECTED


def test_where_no_process_can_be_started():
    def refuse(keeping: Keeping) -> FreshWorker:
        raise PermissionError(1, "not permitted")

    with Session(cores=1, start=refuse) as session, pytest.raises(UsageError, match=r"E613.*not permitted"):
        session.loads(COUNTER)


def test_a_session_that_is_closed_answers_nothing_more():
    with Session(cores=1) as session:
        system = session.loads(COUNTER)
    with pytest.raises(UsageError, match="E635"):
        system.check()


# -- mistakes of those who ask -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{"time_limit": "3"}, {"time_limit": -1}, {"time_limit": float("nan")}, {"memory_limit": "9"},
     {"max_states": 0}, {"bound": "7", "method": "bmc"}, {"since": "x"}, {"finite": "no"}, {"limits": None},
     {"reading": {"finite": True}}, {"nonsense": 1}],
    ids=str,
)  # fmt: skip
def test_options_that_make_no_sense_are_refused_at_once(session, options):
    with pytest.raises((UsageError, TypeError)):
        session.loads(COUNTER).check(**options)
    assert session.loads(COUNTER).check().verdicts == EXPECTED


@pytest.mark.parametrize(
    "options", [{"priority": None}, {"priority": "1"}, {"asker": []}, {"replaces": {}}], ids=str
)
def test_orders_that_make_no_sense_are_refused_at_once(session, options):
    with pytest.raises((UsageError, TypeError)):
        session.loads(COUNTER).submit(**options)
    assert session.loads(COUNTER).check().verdicts == EXPECTED


def test_what_cannot_be_sent_costs_no_worker():
    with Session(cores=1) as session:
        system = session.loads(COUNTER)
        with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):
            system.check(Atom(lambda: 1))  # type: ignore[arg-type]
        assert system.check().verdicts == EXPECTED


def test_a_session_has_a_worker_or_more():
    for cores in (0, "2"):
        with pytest.raises(UsageError, match="E605"):
            Session(cores=cores)  # type: ignore[arg-type]


def test_models_are_copied_by_their_text(session):
    system = session.loads(COUNTER, "counter")
    for copied in (pickle.loads(pickle.dumps(system)), copy.deepcopy(system)):
        assert copied == system and copied.name == "counter"
        assert copied.check().verdicts == EXPECTED


BOMBARDED = """
import random, signal
from knower.session import Session
dice, armed = random.Random(0), False
def alarm(*_):
    if armed:
        raise KeyboardInterrupt
signal.signal(signal.SIGALRM, alarm)
with Session(cores=2) as session:
    system = session.loads({text!r})
    for _ in range({count}):
        try:
            try:
                armed = True
                signal.setitimer(signal.ITIMER_REAL, 1e-6 + dice.random() * 0.004)
                system.check(evidence="none")
            finally:
                armed = False
        except KeyboardInterrupt:
            pass
    armed = False
    print([verdict.value for verdict in system.check().verdicts])
"""


def test_interrupts_at_any_moment_leave_a_session_in_order():
    script = BOMBARDED.format(text=COUNTER, count=300)
    with child([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as asker:
        output, _ = asker.communicate(timeout=PATIENCE)
    assert output.splitlines()[-1:] == [str([verdict.value for verdict in EXPECTED])]
