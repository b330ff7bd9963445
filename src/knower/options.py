"""How a question is to be read: the choices that change what an answer means."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from typing import TypeAlias

from knower.records import dataclass
from knower.source import Source

#: The libraries of decision diagrams, the variable orders, the ways to reach all states, and when to
#: improve the order: by the names they are chosen by.
LIBRARIES = ("auto", "oxidd", "cudd")
ORDERS = ("auto", "replicas", "force", "interleaved", "interleaved-actions", "grouped-actions", "grouped")
REACH = ("auto", "frontier", "chained", "layer", "whole")
REORDER = ("auto", "on", "off")
#: Of the engine `sdd`: the vtrees, and when to look for a better one.
VTREES = (
    "auto",
    "bounded",
    "right-linear",
    "left-linear",
    "balanced",
    "vertical",
    "agents",
    "agents-right-linear",
    "agents-log",
    "agents-sqrt",
    "agents-2log",
    "interleaved",
)
MINIMISE = ("off", "auto", "l-subtrees")
#: Parts of a relation are joined as long as they have no more nodes.
CLUSTER_THRESHOLD = 5_000
#: When to look for a counterexample; how formulas become clauses.
HEURISTICS = ("adaptive", "every", "growth", "share", "one-shot")
NUMBERED_HEURISTICS = ("every", "one-shot")
PORTFOLIO = ("off", "first", "all")
ENCODINGS = ("huang", "zbrzezny", "penczek")
#: SAT solvers of PySAT; whether one does what is needed is tried out when it is first used.
SOLVERS = (
    "auto",
    "cadical153",
    "cadical195",
    "glucose3",
    "glucose4",
    "glucose42",
    "maplechrono",
    "maplesat",
    "mergesat3",
    "minicard",
    "minisat22",
)
#: How much evidence is looked for.
EVIDENCE = ("auto", "none", "all")
#: How many states the explicit engine visits before it gives up.
MAX_STATES = 1_000_000


class AtlReading(Enum):
    """What a coalition knows and how it plays (docs/logics.md)."""

    OBJECTIVE = "objective"
    OBJECTIVE_FAIR = "objective-fair"
    UNIFORM = "uniform"
    UNIFORM_MODELS = "uniform-models"


class Knowledge(Enum):
    """What agents know by: what they observe now."""

    OBSERVATION = "observation"


class DeadlockPolicy(Enum):
    """What to make of states without successor."""

    WARN = "warn"
    FAIL = "fail"
    LOOP = "loop"


#: What a constant of a model is given from outside; a text is to be read.
Constant: TypeAlias = int | bool | str | tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """All of it together. `atl`: None for what suits the model (`query.setting`).

    `uniform_group`: whose choices are uniform in `uniform-models`.
    """

    atl: AtlReading | None = None
    on_deadlock: DeadlockPolicy = DeadlockPolicy.WARN
    finite: bool = False
    uniform_group: str | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """How far to look: by which method, for how many steps; and by how many.

    `cluster`: where the workers are that share the work.
    """

    method: str = "full"
    bound: int | None = None
    heuristic: str = "adaptive"
    encoding: str = "huang"
    solver: str = "auto"
    cluster: str | None = None


@dataclass(frozen=True, slots=True)
class Tuning:
    """How a symbolic engine works: choices that change its speed, never its answers.

    `order_file`: an order by the names of variables (`symbolic.order_file`), in the place of `order`;
    `save_order`: the one that was good in the end is kept among the statistics. `first`: of the orders that
    `auto` tries, the first; empty for the usual one. `threads`: of oxidd, where diagrams are large.
    """

    library: str = "auto"
    order: str = "auto"
    reach: str = "auto"
    reorder: str = "auto"
    vtree: str = "auto"
    minimise: str = "off"
    order_file: Source | None = None
    save_order: bool = False
    cluster_threshold: int = CLUSTER_THRESHOLD
    first: str = ""
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use: seconds, megabytes of memory, states that the explicit engine visits."""

    seconds: float | None = None
    megabytes: float | None = None
    states: int | None = MAX_STATES


@dataclass(frozen=True, slots=True)
class How:
    """By which engine and method questions are to be decided. `given`: the options somebody has chosen."""

    engine: str = "auto"
    tuning: Tuning = Tuning()
    search: Search = Search()
    given: frozenset[str] = frozenset()


#: What an option is called, where that is not the name of a field.
_CALLED = {"library": "bdd"}


def given(tuning: Tuning, search: Search, states: int | None = MAX_STATES) -> frozenset[str]:
    """The options of engines that somebody has chosen: those not as usual. Threads are for any."""
    pairs: tuple[tuple[Tuning | Search, Tuning | Search], ...] = ((tuning, Tuning()), (search, Search()))
    chosen = {
        _CALLED.get(each.name, each.name)
        for made, usual in pairs
        for each in fields(made)
        if getattr(made, each.name) != getattr(usual, each.name)
    }
    return frozenset(chosen - {"method", "threads"} | ({"max_states"} if states != MAX_STATES else set()))
