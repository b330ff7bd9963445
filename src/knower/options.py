"""How a question is to be read: the choices that change what an answer means."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

#: The engines, by the names they are chosen by.
ENGINES = ("auto", "bdd", "sdd", "explicit")
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
#: How far to look; when to look for a counterexample; how formulas become clauses.
METHODS = ("full", "bmc", "sat")
HEURISTICS = ("adaptive", "every", "growth", "share", "one-shot")
NUMBERED_HEURISTICS = ("every", "one-shot")
PORTFOLIO = ("off", "first", "all")
ENCODINGS = ("huang", "zbrzezny", "penczek")
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


class DeadlockPolicy(Enum):
    """What to make of states without successor."""

    WARN = "warn"
    FAIL = "fail"
    LOOP = "loop"


@dataclass(frozen=True, slots=True)
class Reading:
    """All of it together. `uniform_group`: whose choices are uniform in `uniform-models`."""

    atl: AtlReading = AtlReading.OBJECTIVE
    on_deadlock: DeadlockPolicy = DeadlockPolicy.WARN
    finite: bool = False
    uniform_group: str | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """How far to look: `full`, or bounded (`bmc` by diagrams, `sat` by a SAT solver); and by how many.

    `portfolio`: several methods side by side, of which the `first` that answers wins, or `all` are heard.
    `cluster`: where the workers are that share the work of `bmc`.
    """

    method: str = "full"
    bound: int | None = None
    heuristic: str = "adaptive"
    encoding: str = "huang"
    portfolio: str = "off"
    cluster: str | None = None


@dataclass(frozen=True, slots=True)
class Tuning:
    """How a symbolic engine works: choices that change its speed, never its answers."""

    library: str = "auto"
    order: str = "auto"
    reach: str = "auto"
    reorder: str = "auto"
    vtree: str = "auto"
    minimise: str = "off"
