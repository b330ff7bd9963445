"""What a worker does: it reads models, keeps engines for them, and answers requests one by one."""

from __future__ import annotations

import pickle
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeAlias, assert_never

from knower.desk.shelf import Shelf
from knower.desk.states import considered, held_along, held_at
from knower.errors import KnowerError, NoInitialState, UsageError
from knower.execution import Run, Task
from knower.limits import Budget
from knower.memory import Keeping, give_back, resident_megabytes
from knower.messages import (
    Answered,
    Begin,
    Call,
    Check,
    Consider,
    Describe,
    Draw,
    DrawDiagram,
    Expand,
    Failed,
    Fetch,
    HoldAlong,
    HoldAt,
    LayOut,
    Lint,
    LintAgents,
    LintModel,
    Open,
    Outline,
    Reply,
    Request,
    Text,
)
from knower.model import Model
from knower.options import AtlReading
from knower.query.query import queries
from knower.source import Source
from knower.syntax.ispl import parse_ispl
from knower.system.resolve_text import beginning_where
from knower.verdict.events import Progress

#: Hears of every reply.
Tell: TypeAlias = Callable[[Reply], None]
#: How often progress is told to who watches, in seconds, and to who does not: in case this process is killed.
_EVERY, _SELDOM = 0.1, 1.0
#: The share of the time that may go into finding out how far things are: large diagrams take long to count.
_SHARE = 0.02


class Desk:
    """Models and engines by what they were made for; what was not used for longest goes first.

    Single-threaded: one request after the other, within one budget that is armed anew for each.
    """

    def __init__(self, keeping: Keeping) -> None:
        self.keeping = keeping
        self.budget = Budget(relief=self._relieve)
        self.shelf = Shelf(keeping.engines)
        self._models: OrderedDict[str, Model] = OrderedDict()
        self._in_use: str | None = None

    def serve(self, request: Request, tell: Tell) -> None:
        """Do what is asked; the last reply is an answer, a failure, or that a check is finished."""
        progress = _ToldSeldom(tell, self.budget, _EVERY if request.progress else _SELDOM)
        self.budget.arm(request.limits, request.spent, progress)
        is_short = False
        try:
            self._do(request.what, tell)
        except MemoryError:
            is_short = True  # told when all that was begun is let go of: to say so takes memory, too
        except BaseException as error:
            tell(Failed(_carried(error)))
        self._in_use = None
        if is_short:
            self._relieve()
            tell(Failed(MemoryError()))

    def _do(self, what: Call | Check, tell: Tell) -> None:
        if isinstance(what, Check):
            self._check(what, tell)
        else:
            tell(Answered(self._called(what)))

    # -- models -------------------------------------------------------------------------------------------

    def model(self, text: Text) -> Model:
        """The model of a text, read once."""
        found = self._models.pop(text.digest, None)
        if found is None:
            self.budget.phase = "reading the model"
            found = Model.read(text.source, dict(text.constants), _strategy(text))
        self._in_use = text.digest
        self._models[text.digest] = found
        while len(self._models) > self.keeping.models:
            self._models.popitem(last=False)
        return found

    # -- requests -----------------------------------------------------------------------------------------

    def _check(self, asked: Check, tell: Tell) -> None:
        model = self.model(asked.model)
        task = _task(asked, model)
        try:
            Run(task, self.budget, tell, self.shelf).result()
        except NoInitialState as error:
            raise model.no_initial_state(error) from None

    def _called(self, call: Call) -> object:
        if isinstance(call, LayOut):
            from knower.syntax.formatting import format_ispl

            self.budget.check()
            parse_ispl(call.model.source)
            return format_ispl(call.model.source)
        model = self.model(call.model)
        if not isinstance(call, Open):
            self.budget.check()
        try:
            return self._told(call, model)
        except NoInitialState as error:
            raise model.no_initial_state(error) from None

    def _told(self, call: Call, model: Model) -> object:
        match call:
            case Open():
                return _outline(model)
            case Fetch():
                return model
            case Describe():
                return model.info
            case Lint():
                self.budget.phase = "looking for mistakes"
                return model.lint()
            case LintAgents(_, within):
                self.budget.phase = "looking for mistakes"
                return model.lint_agents(within)
            case LintModel(_, agents):
                self.budget.phase = "looking for mistakes"
                return model.lint_rest(agents)
            case Expand():
                self.budget.phase = "writing plain ISPL"
                return model.expanded()
            case Draw(_, max_states, show):
                from knower.simulation.graph import state_graph

                name = model.source.name
                return state_graph(model.interpreted, name, max_states=max_states, show=show)
            case DrawDiagram(_, tuning):
                from knower.checking.diagram import sdd_diagram

                return sdd_diagram(model.interpreted, model.source.name, tuning, self.budget)
            case HoldAt(_, formulas, state, reading):
                system = model.asked(formulas)
                return held_at(system, formulas, state, reading, self.shelf, self.budget)
            case HoldAlong(_, formulas, states, reading):
                system = model.asked(formulas)
                return held_along(system, formulas, states, reading, self.shelf, self.budget)
            case Consider(_, members, state, count, reading):
                return considered(model.interpreted, members, state, count, reading, self.shelf, self.budget)
            case Begin(_, where, skipped, count):
                from knower.symbolic.beginning import initial_states

                self.budget.phase = "looking for initial states"
                return initial_states(beginning_where(model.interpreted, where), skipped, count, self.budget)
            case LayOut():
                raise AssertionError("texts are laid out before they are read")
            case _:
                assert_never(call)

    # -- memory -------------------------------------------------------------------------------------------

    def tidy(self) -> bool:
        """Let go until what is kept fits; says whether it does now."""
        while resident_megabytes() > self.keeping.megabytes:
            if not self.shelf.let_go() and not self._drop_model():
                give_back()
                return resident_megabytes() <= self.keeping.megabytes
            give_back()
        return True

    def _drop_model(self) -> bool:
        if not self._models:
            return False
        self._models.popitem(last=False)
        return True

    def _relieve(self) -> bool:
        """All that the present request does not need is let go: a limit is near."""
        had_engines = self.shelf.clear()
        others = [digest for digest in self._models if digest != self._in_use]
        for digest in others:
            del self._models[digest]
        if had_engines or others:
            give_back()
        return had_engines or bool(others)


def _task(asked: Check, model: Model) -> Task:
    """A request as a task: formulas are read with the names of the model."""
    if asked.reading.atl in (AtlReading.UNIFORM, AtlReading.UNIFORM_MODELS) and model.reads_unseen:
        raise UsageError(
            "E607",
            f"the members follow {model.restriction}: what they do is no matter of what they see",
            "save a strategy that was found under this reading",
        )
    system = model.interpreted
    of_the_file = () if asked.sought or asked.formulas is not None else system.formulae
    others, follow = (
        model.specifications(each) for each in ((*(asked.formulas or ()), *asked.also), asked.follow)
    )
    system = model.asked((*others, *follow))
    return Task(
        model.source.name,
        system,
        queries((*of_the_file, *others), asked.reading, system),
        asked.reading,
        asked.how,
        asked.evidence,
        queries(follow, asked.reading, system),
        asked.sought,
        model if asked.lint else None,
        asked.vacuity,
    )


def _strategy(text: Text) -> Source | None:
    return None if text.strategy is None else Source(*text.strategy)


def _outline(model: Model) -> Outline:
    known = model.interpreted
    told = model.restriction
    return Outline(tuple(known.agent_named), dict(known.groups), known.declared, len(known.formulae), told)


def _carried(error: BaseException) -> BaseException:
    """An exception as it can be sent: what is not meant for users keeps where it came from as a note."""
    if isinstance(error, KnowerError):
        return error.with_traceback(None)
    where = "".join(traceback.format_exception(error))
    try:
        carried: BaseException = pickle.loads(pickle.dumps(error.with_traceback(None)))
    except Exception:  # it cannot be sent as it is
        carried = RuntimeError(f"{type(error).__name__}: {error}")
    carried.add_note(where)
    return carried


class _ToldSeldom:
    """Progress, once in so many seconds, or more seldom where it takes long to describe."""

    def __init__(self, tell: Tell, budget: Budget, every: float) -> None:
        self._tell = tell
        self._budget = budget
        self._every = every
        self._due = time.monotonic() + every

    def __call__(self, describe: Callable[[], str]) -> None:
        began = time.monotonic()
        if began < self._due:
            return
        self._tell(Progress(describe(), self._budget.figures(), self._budget.elapsed))
        now = time.monotonic()
        self._due = now + max(self._every, (now - began) / _SHARE)
