"""The rows of a table, one after the other: measured, or found among the results kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from knower.bench.measure import Limits, Measured, measured
from knower.bench.prepare import Job, NotYet, missing, prepared
from knower.bench.results import Result, Store
from knower.bench.table import Row, Table
from knower.records import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """How a table is to be run: by which version, within which limits, how often, and which rows."""

    version: str
    limits: Limits
    repeat: int = 1
    again: bool = False
    sizes: Collection[int] = ()
    max_size: int | None = None

    def wants(self, row: Row) -> bool:
        """Whether the row is of a size that is wanted."""
        small = self.max_size is None or row.size <= self.max_size
        return small and (not self.sizes or row.size in self.sizes)


@dataclass(frozen=True, slots=True)
class Skipped:
    """The row was not tried: one that should be easier has met a limit."""

    reason: str


#: What became of a row.
State = Result | NotYet | Skipped


@dataclass(frozen=True, slots=True)
class Entry:
    """A row and what became of it."""

    row: Row
    state: State

    @property
    def measured(self) -> Measured | None:
        return self.state.measured if isinstance(self.state, Result) else None

    @property
    def wrong(self) -> bool:
        return isinstance(self.state, Result) and self.state.wrong


def chosen(table: Table, plan: Plan) -> list[Row]:
    """The rows of the table that the plan wants."""
    return [row for row in table.rows if plan.wants(row)]


def run(table: Table, plan: Plan, store: Store, tell: Callable[[Row], None]) -> Iterator[Entry]:
    """What becomes of the rows wanted; `tell` hears of a row before it is measured."""
    at_limit: dict[tuple[str, str, str], Row] = {}
    for row in chosen(table, plan):
        line = (row.panel, row.series, row.family)
        if line in at_limit and row.size > at_limit[line].size:
            yield Entry(row, Skipped(f"{at_limit[line].label} has met the limit"))
            continue
        entry = Entry(row, _state(row, plan, store, tell))
        if entry.measured is not None and entry.measured.at_limit:
            at_limit[line] = row
        yield entry


def _state(row: Row, plan: Plan, store: Store, tell: Callable[[Row], None]) -> State:
    job = prepared(row)
    if isinstance(job, NotYet):
        return job
    known = store.find(row)
    if known is not None and not plan.again and known.answers(job, plan.limits, plan.version):
        return known
    tell(row)
    result = _result(row, job, plan)
    store.keep(result)
    return result


def _result(row: Row, job: Job, plan: Plan) -> Result:
    runs = [measured(job, plan.limits) for _ in range(max(plan.repeat, 1))]
    fastest = min(runs, key=lambda found: (bool(found.stopped), found.cpu))
    return Result(row.key, job.digest, plan.version, plan.limits, job.expected, fastest)


def kept(table: Table, store: Store) -> list[Entry]:
    """The rows of the table with the results there are; nothing is measured."""
    return [Entry(row, store.find(row) or missing(row) or Skipped("not measured")) for row in table.rows]
