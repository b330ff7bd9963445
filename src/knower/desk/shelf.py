"""Engines that are kept for the next task, with all they have explored."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import cast

from knower.engine.protocol import Engine, Lasting, Ordered, Pressure
from knower.engine.registry import Pick
from knower.errors import Undecided
from knower.execution import NewEngines, Task
from knower.limits import Budget
from knower.memory import give_back
from knower.options import How, Search, Tuning
from knower.records import dataclass
from knower.system.expressions import Literal
from knower.system.system import InterpretedSystem

#: So many lines of Evolution are looked at to tell systems apart.
_FIRST_LINES = 64
#: So many orders are remembered.
_MOST_ORDERS = 100


@dataclass(frozen=True, eq=False)
class Ground:
    """All that the reachable states of a system depend on: its agents and initial states.

    Propositions, groups, fairness and formulas may be others. Two are compared part by part, and only if
    they look alike at first sight.
    """

    system: InterpretedSystem

    def __hash__(self) -> int:
        return self._looks

    @cached_property
    def _looks(self) -> int:
        """What is seen at first sight: the variables, and the values that the first lines assign."""
        system = self.system
        blocks = (block for agent in system.agents for block in agent.evolution)
        lines = islice((line for block in blocks for line in block.lines), _FIRST_LINES)
        assigned = [
            (target, value.value if isinstance(value, Literal) else type(value).__name__)
            for line in lines
            for target, value in line.assignments
        ]
        return hash((system.variables, system.single_assignment, tuple(assigned)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ground):
            return NotImplemented
        mine, others = self.system, other.system
        return mine is others or (mine.agents == others.agents and mine.initial == others.initial)


@dataclass(frozen=True)
class Key:
    """What an engine was made for: another bound, order or policy is another engine."""

    ground: Ground
    pick: Pick
    tuning: Tuning
    search: Search
    loops: bool


class KnownOrders:
    """The variable orders that were good, by the diagrams, variables and actions there are; the last ones.

    A model whose engine had to go, or another version of it, begins with the order that was good before.
    """

    def __init__(self) -> None:
        self._names: OrderedDict[object, str] = OrderedDict()

    def advised(self, pick: Pick, task: Task) -> How:
        """How to go about a task: with the order that was good before, where nobody has chosen one."""
        first = self._names.get(_shape(pick, task), "") if _is_free(pick, task) else ""
        return replace(task.how, tuning=replace(task.how.tuning, first=first)) if first else task.how

    def learn(self, pick: Pick, task: Task, engine: Lasting) -> None:
        """An engine has done a task."""
        if not _is_free(pick, task) or not (order := cast("Ordered", engine).order):
            return
        self._names[_shape(pick, task)] = order
        self._names.move_to_end(_shape(pick, task))
        if len(self._names) > _MOST_ORDERS:
            self._names.popitem(last=False)


def _is_free(pick: Pick, task: Task) -> bool:
    """Whether there is an order, and it is ours to choose."""
    tuning = task.how.tuning
    return pick.diagrams is not None and tuning.order == "auto" and tuning.order_file is None


def _shape(pick: Pick, task: Task) -> object:
    actions = tuple((agent.name, agent.actions) for agent in task.system.agents)
    return pick.diagrams, task.system.variables, actions


class Shelf:
    """Engines by what they were made for, the least recently used first (an `execution.Engines`)."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._engines: OrderedDict[Key, Lasting] = OrderedDict()
        self._orders = KnownOrders()
        #: Engines that have let go of what they know of formulas.
        self._narrowed: set[Key] = set()

    @contextmanager
    def engine(self, pick: Pick, task: Task, budget: Budget) -> Iterator[Engine]:
        """The one that was kept, or a new one; kept afterwards unless something went wrong in it.

        A limit or a question that is refused does no harm to it.
        """
        if not pick.row.lasting:
            with NewEngines().engine(pick, task, budget) as fresh:
                yield fresh
            return
        key = Key(Ground(task.system), pick, task.how.tuning, task.how.search, task.loops)
        engine = self._engines.pop(key, None)
        if engine is None:
            engine = self._made(pick, task, budget)
        is_sound = False
        try:
            engine.adopt(task.system)
            yield engine
            is_sound = True
        except Undecided:
            is_sound = True
            raise
        finally:
            if is_sound:
                self._orders.learn(pick, task, engine)
                self._keep(key, engine)
            else:
                engine.close()

    def _made(self, pick: Pick, task: Task, budget: Budget) -> Lasting:
        """A new one; if there is no memory for it, in the place of those that were kept."""
        how = self._orders.advised(pick, task)
        try:
            return cast("Lasting", pick.make(task.system, budget, how, loops=task.loops))
        except MemoryError:
            if not self.clear():
                raise
            give_back()
        return cast("Lasting", pick.make(task.system, budget, how, loops=task.loops))

    def _keep(self, key: Key, engine: Lasting) -> None:
        self._engines[key] = engine
        self._narrowed.discard(key)
        while len(self._engines) > self.most:
            self._drop_oldest()

    def let_go(self) -> bool:
        """Let go of something, what was not used for longest first: of formulas, then of states."""
        for key, engine in self._engines.items():
            if key not in self._narrowed:
                self._narrowed.add(key)
                engine.forget(Pressure.FORMULAS)
                return True
        if not self._engines:
            return False
        self._drop_oldest()
        return True

    def _drop_oldest(self) -> None:
        key, engine = self._engines.popitem(last=False)
        self._narrowed.discard(key)
        engine.close()

    def clear(self) -> bool:
        """Let go of everything; says whether there was something."""
        had_some = bool(self._engines)
        while self._engines:
            self._drop_oldest()
        return had_some
