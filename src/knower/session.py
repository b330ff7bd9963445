"""The use cases: load a model, check it, look at it. Command line and Python call these alike."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from knower.engine.choices import evidence_named, member, possible
from knower.errors import (
    Diagnostic,
    InputError,
    NoInitialState,
    UsageError,
)
from knower.execution import Run, Task
from knower.limits import Budget, Progress
from knower.logic.fragment import fragment_of
from knower.logic.language import Specification
from knower.options import (
    MAX_STATES,
    AtlReading,
    DeadlockPolicy,
    How,
    Reading,
    Search,
    Tuning,
    given,
)
from knower.portfolio import side_by_side
from knower.query.query import Query, queries
from knower.source import Source, Span
from knower.supervision import is_possible, supervised
from knower.syntax import tree
from knower.syntax.formatting import format_ispl
from knower.syntax.formulas import parse_formula as parse_formula_text
from knower.syntax.ispl import parse_ispl
from knower.syntax.printing import print_module, print_specification
from knower.system.domains import size
from knower.system.elaborate import check_formula, check_names, elaborate
from knower.system.system import InterpretedSystem
from knower.verdict.faults import Fault
from knower.verdict.overview import AgentInfo, ModelInfo
from knower.verdict.verdict import CheckResult

if TYPE_CHECKING:  # not needed by most runs
    from knower.simulation.walk import Simulation
    from knower.verdict.diagram import Diagram
    from knower.verdict.graph import StateGraph

#: Conditions are evaluated by nested calls; those nested deeper than this give `unknown`.
_RECURSION_LIMIT = 200_000


def load(path: str | Path) -> System:
    """The model in a file; `-` reads standard input. Raises `InputError` with all errors found."""
    return _loaded(read_source(path))


def loads(text: str, name: str = "<text>") -> System:
    """The model in a text."""
    return _loaded(Source(name, text))


def _loaded(source: Source) -> System:
    with _without_collector():
        return System(source, parse_ispl(source))


def read_source(path: str | Path) -> Source:
    """The text of a file, not yet parsed."""
    return Source("<stdin>" if str(path) == "-" else str(path), _decoded(str(path), _bytes(str(path))))


def _bytes(path: str) -> bytes:
    if path == "-":
        if sys.stdin is None:
            raise UsageError("E602", "standard input is closed")
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise UsageError("E601", f"no such file: {path}") from None
    except IsADirectoryError:
        raise UsageError("E602", f"{path} is a directory", "name an .ispl file") from None
    except OSError as error:
        raise UsageError("E602", f"cannot read {path}: {error.strerror}") from None


def _decoded(path: str, data: bytes) -> str:
    """UTF-8; other bytes can stand in comments only, so Latin-1 does for them."""
    if b"\0" in data:
        at = data.index(b"\0")
        source = Source("<stdin>" if path == "-" else path, data.decode("latin-1"))
        message, cure = "a binary file, not ISPL text", "name an .ispl file"
        raise InputError([Diagnostic("E107", message, source, Span(at, at + 1), cure)])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


@dataclass(frozen=True)
class System:
    """A loaded model: its text, its tree and what it means."""

    source: Source
    module: tree.Module

    def __post_init__(self) -> None:
        self.interpreted  # noqa: B018 - errors show when a model is loaded, not when it is used

    @cached_property
    def interpreted(self) -> InterpretedSystem:
        return elaborate(self.module, self.source)

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def formulae(self) -> tuple[str, ...]:
        """The formulas of the file, as canonical text."""
        return tuple(self.print(spec) for spec in self.interpreted.formulae)

    def print(self, spec: Specification) -> str:
        """A specification as text that means the same in this model."""
        return print_specification(spec, frozenset(self.interpreted.propositions))

    def parse(self, formula: str) -> Specification:
        """A formula over the names of this model."""
        names = tree.Names.of(self.module.agents, self.module.groups, self.module.evaluation)
        decl = parse_formula_text(formula, names)
        unknown = check_formula(decl, self.interpreted, Source("<formula>", formula))
        if unknown:
            raise InputError(unknown)
        return decl.specification

    def to_ispl(self) -> str:
        """The model as canonical ISPL, without comments."""
        return print_module(self.module)

    def formatted(self) -> str:
        """The text in canonical layout, with its comments."""
        return format_ispl(self.source)

    def lint(self) -> list[Diagnostic]:
        """What is legal but looks like a mistake."""
        from knower.system.lint import lint  # not needed by most runs

        return lint(self.module, self.interpreted, self.source)

    @cached_property
    def info(self) -> ModelInfo:
        """Counts and names: what the model consists of."""
        return _info(self)

    def check(
        self,
        *formulas: str | Specification,
        also: str | Specification | Iterable[str | Specification] = (),
        engine: str = "auto",
        bdd: str = "auto",
        order: str = "auto",
        reorder: str = "auto",
        reach: str = "auto",
        vtree: str = "auto",
        minimise: str = "off",
        method: str = "full",
        bound: int | None = None,
        heuristic: str = "adaptive",
        encoding: str = "huang",
        portfolio: str = "off",
        cluster: str | None = None,
        atl: str | AtlReading = "auto",
        uniform_group: str | None = None,
        finite: bool = False,
        on_deadlock: str | DeadlockPolicy = DeadlockPolicy.WARN,
        time_limit: float | None = None,
        evidence: str = "auto",
        follow: Iterable[str | Specification] = (),
        deadlock: bool = False,
        overflow: bool = False,
        memory_limit: float | None = None,
        max_states: int | None = MAX_STATES,
        progress: Progress | None = None,
        since: float | None = None,
        supervise: bool | None = None,
    ) -> CheckResult:
        """Decide the formulas given, or those of the file, and `also` some more.

        `deadlock`, `overflow`: look for these, in place of the file's formulas. `evidence` is `auto`
        (what is cheap), `none` or `all`; `follow` names formulas to be followed along it.
        `since` (by `time.monotonic`) is when the time limit began to run, if not now. Limits give
        `unknown` with a reason. Ctrl-C ends the run with what is decided by then. `supervise`: in a
        process of its own, which can be stopped at any time; by default if there are limits.
        """
        tuning = Tuning(bdd, order, reach, reorder, vtree, minimise)
        search = Search(method, bound, heuristic, encoding, cluster)
        how = possible(How(engine, tuning, search, given(tuning, search, max_states)), portfolio)
        reading = self._reading(atl, on_deadlock, finite=finite, uniform_group=uniform_group)
        asked = ((Fault.DEADLOCK, deadlock), (Fault.OVERFLOW, overflow))
        sought = tuple(fault for fault, is_asked in asked if is_asked)
        chosen = formulas or (() if sought else self.interpreted.formulae)
        more = (also,) if isinstance(also, str | Specification) else tuple(also)
        task = Task(
            self.name,
            self.interpreted,
            self._queries((*chosen, *more), reading),
            reading,
            how,
            evidence_named(evidence),
            self._queries(follow, reading),
            sought,
        )
        started = time.monotonic() if since is None else since
        budget = Budget(time_limit, memory_limit, max_states, progress, started)
        return self._run(task, budget, supervise, portfolio)

    def _queries(self, formulas: Iterable[str | Specification], reading: Reading) -> tuple[Query, ...]:
        return queries(self._specifications(formulas), reading, self.interpreted)

    def _reading(
        self,
        atl: str | AtlReading,
        on_deadlock: str | DeadlockPolicy,
        *,
        finite: bool,
        uniform_group: str | None,
    ) -> Reading:
        chosen = None if atl == "auto" else member(AtlReading, atl, "auto")
        if uniform_group is not None:
            self._require_group(uniform_group, chosen)
        return Reading(chosen, member(DeadlockPolicy, on_deadlock), finite, uniform_group)

    def _run(self, task: Task, budget: Budget, supervise: bool | None, portfolio: str) -> CheckResult:
        limited = budget.seconds is not None or budget.megabytes is not None
        apart = (limited if supervise is None else supervise) and is_possible()
        with _deep_recursion(), _without_collector():
            try:
                if portfolio != "off":
                    return side_by_side(task, budget, everybody=portfolio == "all")
                return supervised(task, budget) if apart else Run(task, budget).result()
            except NoInitialState as error:
                raise self.no_initial_state(error) from None

    def simulate(self) -> Simulation:
        """Step by step through the model, from no state yet: `begin` at one."""
        from knower.simulation.walk import Simulation

        return Simulation(self.interpreted)

    def graph(self, *, max_states: int = 1000, show: tuple[str, ...] | None = None) -> StateGraph:
        """The reachable states and the steps between them; raises `GraphTooLarge` if they are many."""
        from knower.simulation.graph import state_graph

        try:
            return state_graph(self.interpreted, self.name, max_states=max_states, show=show)
        except NoInitialState as error:
            raise self.no_initial_state(error) from None

    def diagram(self, *, vtree: str = "auto", order: str = "auto", minimise: str = "off") -> Diagram:
        """The reachable states as a sentential decision diagram, with its vtree."""
        tuning = Tuning(order=order, vtree=vtree, minimise=minimise)
        possible(How("sdd", tuning, given=given(tuning, Search())))
        from knower.checking.diagram import sdd_diagram

        try:
            return sdd_diagram(self.interpreted, self.name, tuning, Budget())
        except NoInitialState as error:
            raise self.no_initial_state(error) from None

    def no_initial_state(self, error: NoInitialState) -> InputError:
        """The same as an error of the model, with the place of InitStates."""
        initial = self.module.initial
        span = initial.span if initial is not None else Span(0, 0)
        return InputError([Diagnostic("E410", str(error), self.source, span, "weaken the condition")])

    def _specifications(self, formulas: Iterable[str | Specification]) -> list[Specification]:
        """All of them parsed; raises `InputError` with the errors of all."""
        specs: list[Specification] = []
        errors: list[Diagnostic] = []
        for formula in formulas:
            try:
                specs.append(self.parse(formula) if isinstance(formula, str) else self._known(formula))
            except InputError as error:
                errors += error.diagnostics
        if errors:
            raise InputError(errors)
        return specs

    def _known(self, spec: Specification) -> Specification:
        """A specification that was built, once its names are found to be those of the model."""
        unknown = check_names(spec, self.interpreted)
        if unknown:
            raise InputError(unknown)
        return spec

    def _require_group(self, name: str, atl: AtlReading | None) -> None:
        if atl is not AtlReading.UNIFORM_MODELS:
            only = "‹atl uniform-models›"
            raise UsageError("E607", f"‹uniform_group› goes with {only} only", f"add {only}")
        known = self.interpreted
        if not known.groups.get(name, name in known.agent_named):
            raise UsageError(
                "E604", f"unknown or empty group `{name}`", "name a group or an agent of the model"
            )

    def __repr__(self) -> str:
        names = ", ".join(agent.name for agent in self.interpreted.agents)
        return f"<System {self.name}: {names}; {len(self.interpreted.formulae)} formulas>"


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Trees and states hold no cycles: looking for some takes half of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _info(system: System) -> ModelInfo:
    known = system.interpreted
    agents = tuple(
        AgentInfo(
            agent.name,
            tuple(f"{v.name} : {v.domain}" for v in agent.variables),
            agent.actions,
            tuple(f"{owner}.{name}" for owner, name in agent.observes if owner != agent.name),
            len(decl.protocol),
            len(decl.evolution),
        )
        for agent, decl in zip(known.agents, system.module.agents, strict=True)
    )
    return ModelInfo(
        system.name,
        "SingleAssignment" if known.single_assignment else "MultiAssignment",
        agents,
        tuple(known.propositions),
        dict(known.groups),
        len(known.fairness),
        tuple((system.print(spec), fragment_of(spec).name) for spec in known.formulae),
        prod(size(variable.domain) for variable in known.variables),
    )


def formatted(path: str | Path) -> tuple[Source, str]:
    """A file as it is and in canonical layout; raises `InputError` where it does not parse."""
    source = read_source(path)
    with _without_collector():
        parse_ispl(source)
        return source, format_ispl(source)


def parse_formula(text: str) -> Specification:
    """A formula on its own: its names are not looked up in any model."""
    return parse_formula_text(text).specification


def check(path: str | Path, *formulas: str, **options: object) -> CheckResult:
    """`load(path).check(…)`, with the options of `System.check`."""
    return load(path).check(*formulas, **options)  # type: ignore[arg-type]
