"""Models for a cluster, and how to see whether workers are left."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

import knower
from knower.checking.bounded import BoundedModel
from knower.cluster.check import ClusterModel, Plan
from knower.limits import Budget
from knower.options import Search
from knower.session import System

#: Work is shared from the first layers on, one or a few of them at a time.
AT_ONCE = Plan(alone=0.0, dear=0.0, portion=0.01, parts=2)

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


def system_of(text: str) -> System:
    return knower.loads(text)


def clustered(system: System, cluster: str, plan: Plan = AT_ONCE, **more: Any) -> ClusterModel:
    """A model that is explored by a cluster."""
    budget, search = more.pop("budget", None) or Budget(seconds=60), Search("bmc", more.pop("bound", None))
    return ClusterModel(system.interpreted, budget, search=search, cluster=cluster, plan=plan, **more)


def alone(system: System) -> BoundedModel:
    """The same, explored by this process."""
    return BoundedModel(system.interpreted, Budget(seconds=60), search=Search("bmc"))


def workers_left(patience: float = 5.0) -> list[Any]:
    """Workers of this process that are still there after a while."""
    until = time.monotonic() + patience
    while (left := workers_of(None)) and time.monotonic() < until:
        time.sleep(0.05)
    return left


def workers_of(master: int | None) -> list[Any]:
    """The processes that a process (this one) has started as workers."""
    return [child for child in import_module("psutil").Process(master).children() if _is_worker(child)]


def _is_worker(process: Any) -> bool:
    """A process may end while it is looked at; one that has ended has no command line."""
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except import_module("psutil").Error:
        return False


def is_alive(process: Any) -> bool:
    """Whether a process still runs: one that waits to be buried does not."""
    psutil = import_module("psutil")
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
