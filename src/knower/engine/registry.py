"""The engines: a row for each, and the choice among them. No engine is imported here.

Command line, Python, simulation and portfolio read this table. A new engine is a package and a row:
see docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from knower.errors import UsageError
from knower.functions.registry import BDD, DASK, PYSAT, PYSDD, Library, is_here
from knower.options import How
from knower.reasons import Refused
from knower.records import dataclass

if TYPE_CHECKING:
    from knower.engine.protocol import Engine, Explored
    from knower.limits import Budget
    from knower.query.query import Query
    from knower.system.system import InterpretedSystem

#: The method that looks at all states.
FULL = "full"
#: Options that are there for where an engine answers that takes them, unless one is named that does not.
_LIMITS = frozenset({"max_states"})


@dataclass(frozen=True, slots=True)
class Diagrams:
    """A kind of diagrams an engine may be built on: its library, and the options that go with it."""

    name: str
    library: Library
    options: frozenset[str]
    #: The library by its name for `Tuning`, where the user has no choice.
    fixed: str | None = None


#: Options of all diagrams.
_TELLING = frozenset({"save_order", "cluster_threshold"})
_ORDERED = Diagrams("bdd", BDD, frozenset({"bdd", "order", "reorder", "order_file", *_TELLING}))
_SENTENTIAL = Diagrams("sdd", PYSDD, frozenset({"order", "vtree", "minimise", *_TELLING}), "pysdd")


@dataclass(frozen=True, slots=True)
class Row:
    """One engine.

    `method`: what it is asked for by, with `full` by its own name or that of its diagrams. `make`, `rank`
    and `refuses` are places, `module:name`, of functions: from a system, a budget, `How` and whether
    deadlocks loop to the engine; from a question and a system to how well it suits, the least first; from a
    question to why it is refused. Without a rank it is there for those who ask for it. `fragments`: the
    largest logics it decides, by their names in `logic.fragment`. `complete`: it can give both verdicts;
    `explored`: it knows sets of states; `bounded`: it looks no further than it must.
    """

    name: str
    method: str
    make: str
    rank: str | None
    options: frozenset[str] = frozenset()
    needs: tuple[Library, ...] = ()
    diagrams: tuple[Diagrams, ...] = ()
    fragments: tuple[str, ...] = ("EVERYTHING", "EVERYTHING_FINITE")
    refuses: str | None = None
    complete: bool = True
    explored: bool = True
    bounded: bool = False
    #: An option that must be given for it to be meant; and options of its diagrams that it does not take.
    key: str | None = None
    lacks: frozenset[str] = frozenset()
    #: It is an `engine.protocol.Lasting`: worth keeping for the next task.
    lasting: bool = False

    @property
    def engines(self) -> tuple[str, ...]:
        """The names of engines it is asked for by."""
        if self.diagrams:
            return tuple(kind.name for kind in self.diagrams)
        return (self.name,) if self.method == FULL else ()


ROWS: tuple[Row, ...] = (
    Row(
        "bdd", FULL, "knower.checking.diagram_engine:diagram_engine", "knower.engine.ranks:first",
        frozenset({"reach"}), diagrams=(_ORDERED,), lasting=True,
    ),
    Row(
        "sdd", FULL, "knower.checking.diagram_engine:diagram_engine", None,
        frozenset({"reach"}), diagrams=(_SENTENTIAL,), lasting=True,
    ),
    Row(
        "bitset", FULL, "knower.bitset.bitset_engine:bitset_engine", "knower.engine.ranks:if_small",
        refuses="knower.bitset.bitset_engine:refuses", lasting=True,
    ),
    Row(
        "explicit", FULL, "knower.reference.explicit_engine:explicit_engine", "knower.engine.ranks:last",
        frozenset({"max_states"}), lasting=True,
    ),
    Row(
        "bmc", "bmc", "knower.checking.diagram_engine:bounded_engine", "knower.engine.ranks:first",
        frozenset({"bound", "heuristic"}), diagrams=(_ORDERED, _SENTENTIAL), bounded=True,
        lasting=True,
    ),
    Row(
        "cluster", "bmc", "knower.cluster.cluster_engine:cluster_engine", "knower.engine.ranks:first",
        frozenset({"bound", "heuristic", "cluster"}), needs=(DASK,), diagrams=(_ORDERED, _SENTENTIAL),
        bounded=True, key="cluster", lacks=frozenset({"reorder", "order_file"}),
    ),
    Row(
        "sat", "sat", "knower.sat.sat_engine:sat_engine", "knower.engine.ranks:first",
        frozenset({"bound", "encoding", "solver"}), needs=(PYSAT,), fragments=("EVERYTHING",),
        refuses="knower.sat.sat_engine:refuses", complete=False, explored=False, bounded=True,
    ),
    Row(
        "pdr", "pdr", "knower.pdr.pdr_engine:pdr_engine", "knower.engine.ranks:first",
        frozenset({"bound", "solver"}), needs=(PYSAT,), fragments=("EVERYTHING",),
        refuses="knower.pdr.pdr_engine:refuses", explored=False, bounded=True,
    ),
)  # fmt: skip


def engines() -> tuple[str, ...]:
    """The engines that can be asked for by name."""
    return ("auto", *dict.fromkeys(name for row in ROWS for name in row.engines))


def methods() -> tuple[str, ...]:
    """The methods that can be asked for; the first is the usual one."""
    return tuple(dict.fromkeys(row.method for row in ROWS))


@dataclass(frozen=True, slots=True)
class Pick:
    """A row that was chosen, with its kind of diagrams if it has one."""

    row: Row
    diagrams: Diagrams | None = None

    @property
    def name(self) -> str:
        return self.row.name if self.diagrams is None else self.diagrams.name

    @property
    def label(self) -> str:
        """As a report names it."""
        return f"{self.name}, bounded" if self.row.bounded and self.row.explored else self.name

    @property
    def options(self) -> frozenset[str]:
        return (self.row.options | (self.diagrams.options if self.diagrams else frozenset())) - self.row.lacks

    @property
    def missing(self) -> Library | None:
        """What is not installed, if something is."""
        needs = (*self.row.needs, *([self.diagrams.library] if self.diagrams else ()))
        return next((library for library in needs if not is_here(library)), None)

    def refuses(self, query: Query) -> Refused | None:
        """Why the engine does not decide a question, found out before it is made."""
        if not any(_is_inside(query, name) for name in self.row.fragments):
            kind = "finite traces" if query.finite else "infinite paths"
            return Refused(f"the method {self.name} does not decide {kind} ({query.read.language.value})")
        found = None if self.row.refuses is None else _loaded(self.row.refuses)(query)
        return cast("Refused | None", found)

    def rank(self, query: Query, system: InterpretedSystem) -> int:
        """How well it suits a question, the least first."""
        return 0 if self.row.rank is None else cast("int", _loaded(self.row.rank)(query, system))

    def make(self, system: InterpretedSystem, budget: Budget, how: How, *, loops: bool) -> Engine:
        """The engine for a system; `loops`: deadlocks have a step to themselves."""
        if self.diagrams is not None and self.diagrams.fixed is not None:
            how = replace(how, tuning=replace(how.tuning, library=self.diagrams.fixed))
        return cast("Engine", _loaded(self.row.make)(system, budget, how, loops))


def explored(engine: Engine, pick: Pick) -> Explored | None:
    """The engine as one that knows sets of states, if its row says that it is."""
    return cast("Explored", engine) if pick.row.explored else None


@cache
def _loaded(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _is_inside(query: Query, fragment: str) -> bool:
    outside, inside = _loaded("knower.logic.fragment:outside"), _loaded(f"knower.logic.fragment:{fragment}")
    return bool(inside.finite == query.finite) and outside(query.read, inside) is None


# -- what was asked for ---------------------------------------------------------------------------------


def picks(how: How) -> list[Pick]:
    """The rows that what was chosen can mean; raises `UsageError` if there is none, or none is here."""
    named = [pick for pick in every_pick() if pick.row.method == how.search.method and _is_meant(pick, how)]
    if not named:
        raise _no_such_pair(how)
    wanted = how.given
    if how.engine == "auto":
        named = _unasked(named)
        wanted = how.given - (_LIMITS & frozenset().union(*(pick.options for pick in named)))
    fitting = [pick for pick in named if wanted <= pick.options]
    if not fitting:
        raise _stray_option(how, named)
    here = [pick for pick in fitting if pick.missing is None]
    if not here:
        library = fitting[0].missing
        assert library is not None, "something is missing"
        raise UsageError("E610", f"{library.name} is not installed", library.cure)
    return here


def _unasked(named: Sequence[Pick]) -> list[Pick]:
    """Those that need not be asked for by name; of each row with the first diagrams that are here."""
    found: dict[str, Pick] = {}
    for pick in named:
        if pick.row.rank is None:
            continue
        if found.setdefault(pick.row.name, pick).missing is not None and pick.missing is None:
            found[pick.row.name] = pick
    return list(found.values())


def every_pick() -> list[Pick]:
    """All engines, with each kind of diagrams."""
    return [Pick(row, kind) for row in ROWS for kind in row.diagrams or (None,)]


def _is_meant(pick: Pick, how: How) -> bool:
    """Whether a row is one of the engine that is named, and its key option is given just if it has one."""
    if how.engine != "auto" and (how.engine not in pick.row.engines or how.engine != pick.name):
        return False
    keys = {row.key for row in ROWS if row.key is not None and row.method == pick.row.method}
    given = keys & how.given
    return pick.row.key in given if given else pick.row.key is None


def _no_such_pair(how: How) -> UsageError:
    methods = dict.fromkeys(pick.row.method for pick in every_pick() if pick.name == how.engine)
    named = " or ".join(f"‹method {method}›" for method in methods)
    message = f"‹engine {how.engine}› does not go with ‹method {how.search.method}›"
    return UsageError("E607", message, f"it goes with {named}")


def _stray_option(how: How, named: Sequence[Pick]) -> UsageError:
    """Nothing that is given is left aside in silence."""
    known = frozenset().union(*(pick.options for pick in named))
    stray = min(how.given - known or how.given - named[0].options, key=lambda name: (name in _LIMITS, name))
    what = f"‹engine {how.engine}›" if how.engine != "auto" else f"‹method {how.search.method}›"
    message = f"‹{stray}› does not go with {what}"
    return UsageError("E607", message, f"it goes with {_homes(stray)}")


def _homes(option: str) -> str:
    """Where an option belongs."""
    return " or ".join(dict.fromkeys(_home(pick, option) for pick in every_pick() if option in pick.options))


def _home(pick: Pick, option: str) -> str:
    of_diagrams = pick.diagrams is not None and option in pick.diagrams.options
    return (
        f"‹engine {pick.name}›" if of_diagrams or pick.row.method == FULL else f"‹method {pick.row.method}›"
    )


# -- who decides what -----------------------------------------------------------------------------------


def plan(
    queries: Sequence[Query], how: How, system: InterpretedSystem
) -> list[tuple[Pick, tuple[Query, ...]]]:
    """For each question the engine that suits it best and does not refuse it; the questions of one together.

    A question that all refuse goes to the best of them, which says why. One engine that knows the whole model
    is always there, if one can be.
    """
    able = picks(how)
    found: dict[Pick, list[Query]] = {}
    for query in queries:
        found.setdefault(_suited(query, able, system), []).append(query)
    if not any(map(_knows_the_model, found)):
        found |= {pick: [] for pick in [*filter(_knows_the_model, able), able[0]][:1] if pick not in found}
    return [(pick, tuple(asked)) for pick, asked in found.items()]


def _knows_the_model(pick: Pick) -> bool:
    """Whether an engine counts the states, and finds all that is wrong with the model."""
    return pick.row.complete and pick.row.explored and not pick.row.bounded


def _suited(query: Query, able: Sequence[Pick], system: InterpretedSystem) -> Pick:
    order = sorted(able, key=lambda pick: pick.rank(query, system)) if len(able) > 1 else able
    return next((pick for pick in order if pick.refuses(query) is None), order[0])


def instead(query: Query) -> tuple[str, ...]:
    """The engines that decide a question for good, and need not be asked for."""
    rows = (pick for pick in every_pick() if pick.row.rank is not None and not pick.row.bounded)
    return tuple(pick.name for pick in rows if pick.missing is None and pick.refuses(query) is None)


def contenders(how: How) -> list[How]:
    """By each method that is here; where there are fewer cores, those come first that are least alike."""
    apart = {row.method for row in ROWS if row.complete and not row.explored}
    ordered = sorted(methods(), key=lambda method: (method != FULL, method not in apart))
    return [one for method in ordered for one in _by_method(how, method)]


def _by_method(how: How, method: str) -> Iterable[How]:
    asked = replace(how, search=replace(how.search, method=method))
    try:
        best = picks(asked)[0]
    except UsageError:
        return ()
    return (replace(asked, engine=best.name) if best.row.engines else asked,)
