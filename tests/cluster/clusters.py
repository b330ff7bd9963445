"""Models for a cluster, schedulers to join, and how to see whether workers are left."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import knower
from engines import Asker
from knower.cluster.cluster_engine import Plan, cluster_engine
from knower.families import generate
from knower.functions.registry import available
from knower.limits import Budget
from knower.options import How, Reading, Search, Tuning
from knower.session import System
from knower.verdict.verdict import Answer
from processes import PATIENCE

#: Work is shared from the first layers on, one or a few of them at a time.
AT_ONCE = Plan(alone=0.0, dear=0.0, trial=0, portion=0.01, parts=2)

#: What a state is like depends on the first choice, and neither side ever comes to the other. The watcher
#: sees the time only; where `late` holds, on one side, the time tells it nothing of the side.
TWO_SIDES = """
Agent Environment
  Obsvars: time : 0..9; end Obsvars
  Vars: side : {none, left, right}; end Vars
  Actions = {left, right};
  Protocol: Other : {left, right}; end Protocol
  Evolution:
    side=left and time=time+1 if side=none and Action=left;
    side=right and time=time+1 if side=none and Action=right;
    time=time+1 if side<>none and time<9;
  end Evolution
end Agent
Agent Watcher
  Vars: idle : boolean; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: idle=true if Action=wait; end Evolution
end Agent
Evaluation
  late if Environment.side=left and Environment.time=9;
  leftish if Environment.side<>right;
end Evaluation
InitStates Environment.side=none and Environment.time=0 and Watcher.idle=true; end InitStates
"""

#: Two trains may be in the tunnel at once; they may not; and a model that takes long.
FLAWED = generate("train-gate", n=3, type=1)
SOUND = generate("train-gate", n=3, type=3)
LONG = generate("train-gate", n=6, type=1, max=30, depth=25)

APART = "AG (!train1_in_tunnel or !train2_in_tunnel)"
LEAVES = "AG AF !train1_in_tunnel"

#: What tests with processes need, and may leave behind.
MARKS = [
    pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed"),
    # What is torn off in dask's threads when a process is killed is told when it is collected.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def system_of(text: str) -> System:
    return knower.loads(text)


class Clustered(Asker):
    """A model that is explored by a cluster; workers leave after each question."""

    def __init__(
        self,
        system: System,
        cluster: str,
        plan: Plan,
        *,
        budget: Budget | None = None,
        reading: Reading | None = None,
        tuning: Tuning | None = None,
        bound: int | None = None,
    ) -> None:
        self.plan = plan
        how = Search("bmc", bound, cluster=cluster)
        super().__init__("cluster", system.interpreted, budget or Budget(seconds=60), reading, tuning, how)

    def made(self, how: How, *, loops: bool) -> Any:
        return cluster_engine(self.system, self.budget, how, loops, self.plan)

    def answer(self, spec: knower.Specification) -> Answer:
        try:
            return super().answer(spec)
        finally:
            self.explorer.close()

    @property
    def explorer(self) -> Any:
        return self.engine.rooms.explorer


def clustered(system: System, cluster: str, plan: Plan = AT_ONCE, **more: Any) -> Clustered:
    """A model that is explored by a cluster."""
    return Clustered(system, cluster, plan, **more)


def alone(system: System) -> Asker:
    """The same, explored by this process."""
    return Asker("bmc", system.interpreted, Budget(seconds=60))


def counted(system: System) -> int | None:
    """How many states one process finds."""
    return Asker("bdd", system.interpreted, Budget(seconds=60)).states


def workers_left(patience: float = PATIENCE) -> list[Any]:
    """Workers of this process that are still there after a while."""
    until = time.monotonic() + patience
    while (left := workers_of(None)) and time.monotonic() < until:
        time.sleep(0.05)
    return left


def workers_of(master: int | None, recursive: bool = False) -> list[Any]:
    """The processes that a process (this one), or one that it has started, has started as workers."""
    psutil = import_module("psutil")
    try:
        return [child for child in psutil.Process(master).children(recursive) if _is_worker(child)]
    except psutil.NoSuchProcess:
        return []


def _is_worker(process: Any) -> bool:
    """A process may end while it is looked at; one that has ended has no command line."""
    try:
        return "knower.cluster.worker_main" in " ".join(process.cmdline())
    except import_module("psutil").Error:
        return False


def is_alive(process: Any) -> bool:
    """Whether a process still runs: one that waits to be buried does not."""
    psutil = import_module("psutil")
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def busy_workers(master: int, seconds: float = 0.5) -> list[Any]:
    """Two workers below a process and what computes on them, as soon as it has done so for a while."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        workers = workers_of(master, recursive=True)
        computing = [each for worker in workers for each in hosted_by(worker)]
        if len(computing) == 2 and all(_has_computed(each, seconds) for each in computing):
            return [*workers, *computing]
        time.sleep(0.05)
    raise TimeoutError("no workers")


def hosted_by(worker: Any) -> list[Any]:
    """The processes that compute on a worker."""
    try:
        return [child for child in worker.children() if "knower" in " ".join(child.cmdline())]
    except import_module("psutil").Error:
        return []


def _has_computed(process: Any, seconds: float) -> bool:
    try:
        return bool(process.cpu_times().user > seconds)
    except import_module("psutil").Error:
        return False


def are_gone(processes: list[Any], patience: float = PATIENCE) -> bool:
    """Whether processes have ended, after a while at most."""
    until = time.monotonic() + patience
    while any(map(is_alive, processes)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(is_alive, processes))


# -- schedulers ------------------------------------------------------------------------------------------


@contextmanager
def scheduler(
    folder: Path,
    workers: int = 2,
    environment: dict[str, str] | None = None,
    *options: str,
    kind: str = "tcp",
) -> Iterator[str]:
    """The address of a scheduler; it and its workers were started by their own commands.

    `environment`, `options`: more for workers.
    """
    address = f"{kind}://127.0.0.1:{free_port()}"
    dask = [sys.executable, "-m", "dask"]
    port = address.rpartition(":")[2]
    given = {**os.environ, **(environment or {})}
    secure = [f"--protocol={kind}"]
    commands = [[*dask, "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", *secure]]
    worker = [*dask, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", *secure]
    commands += [[*worker, "--local-directory", str(folder), *options]] * workers
    with (folder / "log").open("w") as log:
        started = [
            subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env=given) for command in commands
        ]
        try:
            wait_for_log(folder / "log", "Registered to:", workers)
            yield address
        finally:
            for process in reversed(started):
                process.terminate()
            for process in reversed(started):
                end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """A worker without scheduler may take its time."""
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_for_log(log: Path, words: str, count: int) -> None:
    """Until all workers say that they are there, or the scheduler if there are none."""
    words, count = (words, count) if count else ("Scheduler at", 1)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if log.read_text().count(words) >= count:
            return
        time.sleep(0.1)
    raise TimeoutError(log.read_text())


def workers_at(address: str) -> list[Any]:
    """The processes of the workers of a scheduler that this process has started."""
    children = import_module("psutil").Process(os.getpid()).children()
    return [child for child in children if {"worker", address} <= set(child.cmdline())]


def signal_scheduler(address: str, kind: int) -> bool:
    """Send a signal to the process that listens at an address."""
    port = address.rpartition(":")[2]
    for child in import_module("psutil").Process(os.getpid()).children(recursive=True):
        words = child.cmdline()
        if "scheduler" in words and port in words:
            child.send_signal(kind)
            return True
    raise AssertionError("no scheduler")
