"""What a table of a paper is: what was measured, on which models, with which figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from knower.records import dataclass

#: A figure of a paper: a number, the reason why there is none (`timeout`), or nothing said.
Figure = float | str | None
#: The value of a parameter of a family.
Value = int | str

#: What can be measured in a run: what it is called, and its unit. `model` and `check` are the times until
#: the states are explored and for the formulas alone.
MEASURES = {
    "cpu": ("CPU time", "s"),
    "model": ("model", "s"),
    "check": ("formula", "s"),
    "memory": ("memory", "MB"),
    "states": ("states", ""),
    "length": ("counterexample", "states"),
    "clauses": ("clauses", ""),
    "cpu ratio": ("CPU time saved", "times less"),
    "memory ratio": ("memory saved", "times less"),
    "states ratio": ("states saved", "times less"),
}
#: Units of the papers in terms of ours.
UNITS = {"s": 1.0, "": 1.0, "MB": 1.0, "KB": 1 / 1024, "bytes": 1 / 1024**2, "times less": 1.0, "states": 1.0}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the paper: its name, what it measures, in which unit. None: nothing that we measure."""

    name: str
    measure: str | None
    unit: str
    #: Whether the picture shows it.
    drawn: bool = True

    def in_our_unit(self, figure: Figure) -> Figure:
        return figure * UNITS[self.unit] if isinstance(figure, (int, float)) else figure


@dataclass(frozen=True, slots=True)
class All:
    """All questions of the family."""


@dataclass(frozen=True, slots=True)
class Specification:
    """The family's question with this number in its source: in a logic, or the `item`th there is."""

    number: int
    logic: str | None = None
    item: int = 1


@dataclass(frozen=True, slots=True)
class Position:
    """The family's question at this place, counted from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Built:
    """A formula that grows with the size of the row, made by a function of `formulas`."""

    builder: str
    logic: str


@dataclass(frozen=True, slots=True)
class Given:
    """A formula as text, and the verdict to be expected."""

    formula: str
    expected: bool


Asked = All | Specification | Position | Built | Given


@dataclass(frozen=True, slots=True)
class Axis:
    """What the sizes of the rows are; with `names`, rows are told apart by their labels only."""

    label: str
    log: bool = False
    names: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A model, what is asked of it, how, and the figures of the paper by column."""

    size: int
    label: str
    family: str
    parameters: Mapping[str, Value]
    asked: tuple[Asked, ...]
    engine: str = "auto"
    options: Mapping[str, Value] = field(default_factory=dict)
    panel: str = ""
    series: str = ""
    paper: Mapping[str, Figure] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The name of the row in its table."""
        return " / ".join(filter(None, (self.panel, self.series, self.label)))


@dataclass(frozen=True, slots=True)
class Table:
    """A table or figure of a paper. `baseline` names the series that ratios are relative to."""

    name: str
    title: str
    source: str
    measure: str
    axis: Axis
    log: bool
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""
    baseline: str | None = None
    #: What is measured besides; each has a picture of its own.
    also: tuple[str, ...] = ()

    @property
    def engines(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.engine for row in self.rows))

    @property
    def panels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.panel for row in self.rows))

    @property
    def series(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.series for row in self.rows))
