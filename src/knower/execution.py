"""One check: which engine answers which formula, until a limit or an interrupt."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, cast

from knower.errors import LimitReached, Unsupported, WrongEvidence
from knower.evidence.shape import is_telling
from knower.functions.registry import available
from knower.limits import Budget
from knower.logic.formula import Formula, Not
from knower.logic.fragment import fragment_of
from knower.logic.language import Specification
from knower.logic.rewrite import closed
from knower.options import AtlReading, Reading, Search, Tuning
from knower.syntax.printing import print_specification
from knower.system.explicit import Explicit
from knower.system.system import InterpretedSystem
from knower.verdict import notices
from knower.verdict.evidence import Evidence
from knower.verdict.verdict import Answer, CheckResult, FormulaResult, Verdict, Warning

if TYPE_CHECKING:  # an engine is imported when it is needed: that takes longer than a small run
    from knower.checking.check import BddModel
    from knower.evidence.account import Wish
    from knower.evidence.view import View
    from knower.reference.check import ExplicitModel
    from knower.sat.check import SatModel

#: Evidence that nobody asked for may take so many seconds of computing, and this share of all.
_LEAST_SECONDS, _SHARE_OF_TIME = 0.3, 0.15
#: Why there is no evidence while it is being looked for.
NOT_YET = "the run ended before it was found"

SetModel: TypeAlias = "BddModel | ExplicitModel"
Model: TypeAlias = "SetModel | SatModel"
#: Told the result so far, whenever more of it is known.
Observer: TypeAlias = Callable[[CheckResult], None]


@dataclass(frozen=True)
class Task:
    """What is to be checked, and how."""

    name: str
    system: InterpretedSystem
    specs: tuple[Specification, ...]
    reading: Reading = field(default_factory=Reading)
    engine: str = "auto"
    tuning: Tuning = field(default_factory=Tuning)
    evidence: str = "auto"
    follow: tuple[Specification, ...] = ()
    sought: tuple[str, ...] = ()
    search: Search = field(default_factory=Search)

    @property
    def chosen_engine(self) -> str:
        """The engine that answers: the fastest that is here, unless one was asked for."""
        if self.search.method == "sat":
            return "sat"
        if self.engine != "auto":
            return self.engine
        return "bdd" if available() else "explicit"

    @property
    def label(self) -> str:
        """The engine, and the method if it is not the usual one."""
        engine = self.chosen_engine
        return f"{engine}, bounded" if self.search.method == "bmc" else engine

    def undecided(self, number: int, reason: str) -> FormulaResult:
        return self.outcome(number, Answer(Verdict.UNKNOWN, reason))

    def outcome(self, number: int, answer: Answer, seconds: float = 0.0) -> FormulaResult:
        """The result for the formula of a number (from 1)."""
        spec = self.specs[number - 1]
        read = replace(spec, language=spec.language.finite_reading) if self.reading.finite else spec
        logic = fragment_of(read).name
        return FormulaResult(number, self.text(read), read, logic, answer.verdict, answer.reason, seconds)

    def text(self, spec: Specification) -> str:
        return print_specification(spec, frozenset(self.system.propositions))


def _shown(spec: Specification, verdict: Verdict) -> Formula:
    """What evidence for a verdict has to show."""
    return closed(spec) if verdict is Verdict.TRUE else Not(closed(spec))


def _has_sets(model: Model) -> TypeGuard[SetModel]:
    """Whether evidence can be found in the sets of states of a model; else it has its own."""
    return hasattr(model, "explain")


class Run:
    """A task at work."""

    def __init__(self, task: Task, budget: Budget, observer: Observer | None = None) -> None:
        self.task = task
        self.budget = budget
        self.observer = observer
        self.models: dict[str, Model] = {}
        self.results: list[FormulaResult] = []
        self.interrupted = False
        self.over: str | None = None  # why no more work can be done
        self.seconds_for_evidence = 0.0

    def result(self) -> CheckResult:
        """All formulas, decided or with the reason why not."""
        if not self.task.specs:
            with self._guarded():
                self._model()
        for number, spec in enumerate(self.task.specs, start=1):
            started = time.perf_counter()
            answer = self._answer(number, spec)
            result = self.task.outcome(number, answer, time.perf_counter() - started)
            wants_evidence = self._is_explained(result)
            self.results.append(replace(result, left_out=NOT_YET) if wants_evidence else result)
            self._tell()
            if wants_evidence:
                self.results[-1] = self._explained(result)
                self._tell()
        self._seek_missteps()
        return self.so_far()

    def _seek_missteps(self) -> None:
        """What formulas had no need to find, after they are decided."""
        if self.over is not None:
            return
        self.budget.phase = "deadlocks and overflows"
        with self._guarded():
            for model in self.models.values():
                model.seek(self.task.sought)

    def _tell(self) -> None:
        if self.observer is not None:
            self.observer(self.so_far())

    def so_far(self) -> CheckResult:
        """What is known at present."""
        warnings = [w for model in self.models.values() for w in model.warnings]
        return CheckResult(
            self.task.name,
            self.task.label,
            next((model.states for model in self.models.values()), None),
            tuple(self.results),
            tuple({w.message: w for w in [*self._advice(), *warnings]}.values()),
            self.budget.elapsed,
            self.interrupted,
            {key: value for model in self.models.values() for key, value in model.statistics.items()},
            self.task.sought,
        )

    def _advice(self) -> list[Warning]:
        return [notices.no_library()] if self.task.engine == "auto" and not available() else []

    def _answer(self, number: int, spec: Specification) -> Answer:
        if self.over is not None:
            return Answer(Verdict.UNKNOWN, self.over)
        with self._guarded() as stopped:
            self.budget.check()
            model = self._model()
            self.budget.phase = f"formula {number} of {len(self.task.specs)}"
            self.budget.count = 0
            if _has_sets(model):
                return model.check(spec)
            with self.budget.share(1 + len(self.task.specs) - number):  # a solver may search for ever
                return model.check(spec)
        return Answer(Verdict.UNKNOWN, stopped[0])

    # -- evidence -------------------------------------------------------------------------------------------

    def _is_explained(self, result: FormulaResult) -> bool:
        """Whether evidence is wanted, and there can be some."""
        if self.task.evidence == "none" or self.over is not None or result.verdict is Verdict.UNKNOWN:
            return False
        spec = result.specification
        in_one_model = self.task.reading.atl is not AtlReading.UNIFORM_MODELS
        return not in_one_model or is_telling(_shown(spec, result.verdict))

    def _explained(self, result: FormulaResult) -> FormulaResult:
        """The result with evidence that was replayed, or with the reason why there is none.

        Evidence that does not stand up makes the verdict unknown.
        """
        started = time.process_time()
        self.budget.phase = f"evidence for formula {result.number}"
        try:
            with self._guarded() as stopped:
                return replace(result, evidence=self._evidence(result), left_out=None)
            return replace(result, left_out=stopped[0])
        except WrongEvidence as fault:
            return replace(result, verdict=Verdict.UNKNOWN, reason=str(fault))
        finally:
            self.seconds_for_evidence += time.process_time() - started

    def _evidence(self, result: FormulaResult) -> Evidence | None:
        from knower.evidence.account import MORE, accounted, wished

        allowed = _LEAST_SECONDS + _SHARE_OF_TIME * time.process_time() - self.seconds_for_evidence
        if self.task.evidence == "auto" and allowed < 0:
            raise LimitReached(f"evidence takes long here{MORE}")
        spec = result.specification
        follow = [(self.task.text(each), each) for each in self.task.follow]
        wish = wished(self.task.evidence, allowed)

        def account(view: View[Any]) -> Evidence | None:
            return accounted(view, self.task.reading, spec, result.verdict, wish, follow)

        model = self._model()
        if not _has_sets(model):
            return self._by_solver(cast("SatModel", model), result, wish)
        found = model.explain(spec, account)
        if found is None and self.task.reading.atl is AtlReading.UNIFORM_MODELS:
            raise Unsupported("every uniform model fails, but each in its own way")
        return found

    def _by_solver(self, model: SatModel, result: FormulaResult, wish: Wish) -> Evidence | None:
        """The evidence a solver has found."""
        from knower.evidence.account import judged
        from knower.evidence.follow import by_sight, followed

        task, spec, explicit = self.task, result.specification, Explicit(self.task.system)
        given = model.evidence(spec, result.verdict)
        if given is None:
            return None
        seen = (followed(task.text(each), given, by_sight(explicit, each)) for each in task.follow)
        checked = judged(given, explicit, task.reading, spec, result.verdict, wish)
        return replace(checked, followed=tuple(seen))

    # -- engines --------------------------------------------------------------------------------------------

    def _model(self) -> Model:
        """The explored model."""
        engine = self.task.chosen_engine
        if engine not in self.models:
            self.budget.phase = "exploring states"
            self.budget.count = 0
            self.budget.check()
            self.models[engine] = self._explored(engine)
            self._tell()
        return self.models[engine]

    def _explored(self, engine: str) -> Model:
        task = self.task
        if engine == "sat":
            from knower.sat.check import SatModel

            return SatModel(task.system, self.budget, task.reading, task.search)
        if engine in ("bdd", "sdd"):
            return self._by_diagrams(engine)
        from knower.reference.check import ExplicitModel

        return ExplicitModel(task.system, self.budget, task.reading)

    def _by_diagrams(self, engine: str) -> BddModel:
        task, search = self.task, self.task.search
        tuning = replace(task.tuning, library="sdd") if engine == "sdd" else task.tuning
        if search.method != "bmc":
            from knower.checking.check import BddModel

            return BddModel(task.system, self.budget, task.reading, tuning)
        if search.cluster is None:
            from knower.checking.bounded import BoundedModel

            return BoundedModel(task.system, self.budget, task.reading, tuning, search=search)
        from knower.cluster.check import ClusterModel

        where = search.cluster
        return ClusterModel(task.system, self.budget, task.reading, tuning, search=search, cluster=where)

    @contextmanager
    def _guarded(self) -> Iterator[list[str]]:
        """What stops the work becomes a reason; what will stop all later work too is remembered."""
        stopped: list[str] = []
        try:
            yield stopped
        except KeyboardInterrupt:
            self.interrupted = True
            self.over = "interrupted"
            stopped.append(self.over)
        except LimitReached as reason:
            stopped.append(str(reason))
            self.over = str(reason) if reason.final or not self.models else None
        except Unsupported as reason:
            stopped.append(str(reason))
        except MemoryError:
            stopped.append("out of memory")
        except RecursionError:
            stopped.append("a condition or formula is nested too deeply")
