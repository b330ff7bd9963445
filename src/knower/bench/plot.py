"""A table as a picture: the series of the paper and ours, by size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from knower.bench.compare import ours
from knower.bench.run import Entry
from knower.bench.table import MEASURES, Column, Table
from knower.files import make_folder, write_file
from knower.records import dataclass

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

HOW_TO_GET = "pip install 'knower[plot]'"
#: Dark enough on white, and distinguishable without red and green.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#6a51a3", "#8c6d1f", "#56b4e9", "#e69f00")
_MARKERS = "osD^vPX*"
_WIDTH, _HEIGHT, _DPI = 8.0, 5.0, 100
_DECADE, _DECADES = 10.0, 100.0
#: What was stopped would have needed more.
_STOPPED, _STOPPED_MARKER = "stopped at a limit", r"$\uparrow$"
#: Names on the axis are slanted if there are more than so many, or if they are longer in all.
_FLAT_NAMES, _FLAT_LETTERS = 9, 90
_LEGEND_LETTERS = 120
_GREY = "#444444"
#: How far points that belong to one name are spread.
_BESIDE = 0.5
OURS = "Knower"


#: Positions with values.
Points: TypeAlias = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one origin in one panel: where it comes from, and positions with values."""

    panel: str
    series: str
    #: The column of the paper; None for our own figures.
    column: str | None
    points: Points
    #: Runs that met a limit, by what they had used by then.
    stopped: Points = ()

    @property
    def values(self) -> list[float]:
        return [value for _, value in (*self.points, *self.stopped)]


def is_possible() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw(table: Table, entries: Sequence[Entry], folder: Path) -> list[Path]:
    """Write `TABLE.svg` and `TABLE.png`, and `TABLE-MEASURE` for what is measured besides.

    Nothing is written if there is nothing of ours to draw.
    """
    pictures = [table, *(_about(table, measure) for measure in table.also)]
    return [path for picture in pictures for path in _draw(picture, entries, folder)]


def _about(table: Table, measure: str) -> Table:
    """The same table, seen as one about another measure."""
    return replace(table, name=f"{table.name}-{measure}", measure=measure, also=())


def _draw(table: Table, entries: Sequence[Entry], folder: Path) -> list[Path]:
    curves = list(curves_of(table, entries))
    if all(curve.column is not None for curve in curves):
        return []
    import matplotlib as mpl

    make_folder(folder)
    paths = [folder / f"{table.name}.{kind}" for kind in ("svg", "png")]
    with mpl.rc_context(_LOOK):
        drawing = _drawing(table, entries, curves)
        for path in paths:
            # No date in the file: the same figures make the same picture.
            content, kind = BytesIO(), path.suffix[1:]
            drawing.savefig(content, format=kind, dpi=_DPI, metadata={"Date": None} if kind == "svg" else {})
            write_file(path, content.getvalue())
    return paths


_LOOK: Any = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "svg.hashsalt": "knower",
}


# -- what is drawn ------------------------------------------------------------------------------------


def curves_of(table: Table, entries: Sequence[Entry]) -> Iterator[Curve]:
    """The series that have points: those of the paper that measure what the table is about, then ours."""
    place = _places(table, entries)
    for panel in table.panels:
        for series in table.series:
            part = [one for one in entries if (one.row.panel, one.row.series) == (panel, series)]
            for column in drawn_columns(table):
                if points := _points(part, place, _paper_value(column)):
                    yield Curve(panel, series, column.name, points)
            mine, stopped = _our_value(table, entries), _stopped_value(table)
            points, marks = _points(part, place, mine), _points(part, place, stopped)
            if points or marks:
                yield Curve(panel, series, None, points, marks)


def drawn_columns(table: Table) -> list[Column]:
    """The columns of the paper that the picture shows."""
    return [column for column in table.columns if column.drawn and column.measure == table.measure]


_Of = Callable[[Entry], float | None]


def _points(entries: Sequence[Entry], place: _Of, value: _Of) -> Points:
    found = ((place(entry), value(entry)) for entry in entries)
    return tuple(sorted((x, y) for x, y in found if x is not None and y is not None))


def _paper_value(column: Column) -> _Of:
    def value(entry: Entry) -> float | None:
        return _positive(column.in_our_unit(entry.row.paper.get(column.name)))

    return value


def _our_value(table: Table, entries: Sequence[Entry]) -> _Of:
    def value(entry: Entry) -> float | None:
        stopped = entry.measured is not None and entry.measured.stopped
        return None if stopped else _positive(ours(entry, table.measure, table, entries))

    return value


def _stopped_value(table: Table) -> _Of:
    """Where a time-out stands: after how many seconds (or with how many megabytes) the run was stopped."""
    used = {"cpu": "cpu", "model": "cpu", "check": "cpu", "memory": "memory"}.get(table.measure)

    def value(entry: Entry) -> float | None:
        at_limit = entry.measured is not None and entry.measured.at_limit
        return _positive(getattr(entry.measured, used)) if used is not None and at_limit else None

    return value


def _positive(figure: object) -> float | None:
    """A number that a logarithmic axis can show: what the papers round to 0 is taken as half of a unit."""
    return max(float(figure), 0.0005) if isinstance(figure, (int, float)) else None


def _places(table: Table, entries: Sequence[Entry]) -> _Of:
    """Where a row stands on the horizontal axis: at its size, or among the names."""
    names = _names(entries)
    return lambda entry: float(names.index(entry.row.label) if table.axis.names else entry.row.size)


def _names(entries: Sequence[Entry]) -> list[str]:
    return list(dict.fromkeys(entry.row.label for entry in entries))


def wants_log(values: Sequence[float], *, asked: bool = False) -> bool:
    """Whether values span more than two decades; one is enough where a logarithmic axis is asked for.

    On a narrower one no power of ten would stand, only figures like 2.6×10⁻¹.
    """
    positive = [value for value in values if value > 0]
    return bool(positive) and max(positive) / min(positive) > (_DECADE if asked else _DECADES)


# -- how it is drawn ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Look:
    """How the points of a curve look: those of papers are hollow, ours are filled."""

    colour: str
    marker: str
    ours: bool

    def drawn(self, names: bool) -> dict[str, Any]:
        """For matplotlib; lines lead from size to size, but not from name to name."""
        return {
            "color": self.colour,
            "marker": self.marker,
            "linestyle": "none" if names else "-" if self.ours else "--",
            "linewidth": 2.0 if self.ours else 1.2,
            "markersize": 6.5 if self.ours else 5.5,
            "markerfacecolor": self.colour if self.ours else "white",
            "zorder": 3 if self.ours else 2,
        }

    @property
    def stopped(self) -> dict[str, Any]:
        """For matplotlib: the mark of a run that was stopped."""
        style = {"marker": _STOPPED_MARKER, "linestyle": "none", "markersize": 10.0, "zorder": 4}
        return {**style, "color": self.colour}


def looks(table: Table, curves: Sequence[Curve]) -> dict[tuple[str, str | None], Look]:
    """The look of each series and column.

    With one column, the paper's series and ours of the same name share colour and marker.
    """
    kinds = list(dict.fromkeys((curve.series, curve.column) for curve in curves))
    if _paired(table):
        places = {kind: table.series.index(kind[0]) for kind in kinds}
    else:
        places = {kind: at for at, kind in enumerate(kinds)}
    return {kind: _look(at, kind[1] is None) for kind, at in places.items()}


def _look(at: int, ours: bool) -> Look:
    """When the colours are used up, they come again with other markers."""
    cycle = len(_COLOURS)
    return Look(_COLOURS[at % cycle], _MARKERS[(at + at // cycle) % len(_MARKERS)], ours)


def _paired(table: Table) -> bool:
    return len(drawn_columns(table)) == 1 and len(table.series) > 1


def _drawing(table: Table, entries: Sequence[Entry], curves: Sequence[Curve]) -> Drawing:
    from matplotlib.figure import Figure as NewDrawing

    panels = [panel for panel in table.panels if any(curve.panel == panel for curve in curves)]
    across = min(len(panels), 3)
    down = math.ceil(len(panels) / across)
    drawing = NewDrawing(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    axes = list(drawing.subplots(down, across, sharex=True, sharey=True, squeeze=False).flat)
    for ax, panel in zip(axes, panels, strict=False):
        ax.set_title(panel)
        _draw_panel(ax, [curve for curve in curves if curve.panel == panel], table, looks(table, curves))
    for ax in axes[len(panels) :]:
        ax.set_visible(False)
    for ax in axes[-across:]:
        ax.set_xlabel(table.axis.label)
    _scale(axes[0], table, entries, curves)
    _describe(drawing, table, curves)
    return drawing


def _draw_panel(
    ax: Axes, curves: Sequence[Curve], table: Table, look: dict[tuple[str, str | None], Look]
) -> None:
    for at, curve in enumerate(curves):
        aside = _BESIDE * ((at + 0.5) / len(curves) - 0.5) if table.axis.names else 0.0
        kind = look[curve.series, curve.column]
        for points, style in ((curve.points, kind.drawn(table.axis.names)), (curve.stopped, kind.stopped)):
            if points:
                ax.plot([x + aside for x, _ in points], [y for _, y in points], **style)


def _scale(ax: Axes, table: Table, entries: Sequence[Entry], curves: Sequence[Curve]) -> None:
    """The scales and what stands on the axes; all panels share them."""
    if wants_log([value for curve in curves for value in curve.values], asked=table.log):
        ax.set_yscale("log")
    if table.axis.names:
        _name_places(ax, _names(entries))
    elif wants_log([x for curve in curves for x, _ in curve.points], asked=table.axis.log):
        ax.set_xscale("log")
    else:
        from matplotlib.ticker import MaxNLocator

        ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _name_places(ax: Axes, names: Sequence[str]) -> None:
    slanted = len(names) > _FLAT_NAMES or sum(map(len, names)) > _FLAT_LETTERS
    turn: dict[str, Any] = {"rotation": 35, "ha": "right"} if slanted else {}
    ax.set_xticks(range(len(names)), names, **turn)
    ax.set_xlim(-0.5, len(names) - 0.5)


def _describe(drawing: Drawing, table: Table, curves: Sequence[Curve]) -> None:
    """Title, unit and legend."""
    from matplotlib.lines import Line2D

    name, unit = MEASURES[table.measure]
    what = f"time for the {name}" if table.measure in ("model", "check") else name
    drawing.suptitle(f"{table.title} ({table.name})", fontsize=11)
    drawing.supylabel(f"{what} [{unit}]" if unit else what, fontsize=9)
    labelled = {
        label: Line2D([], [], **look.drawn(table.axis.names)) for label, look in legend(table, curves).items()
    }
    if any(curve.stopped for curve in curves):
        labelled[_STOPPED] = Line2D([], [], **_look(0, True).stopped | {"color": _GREY})
    across = min(len(labelled), max(1, _LEGEND_LETTERS // (max(map(len, labelled)) + 8)))
    drawing.legend(
        list(labelled.values()), list(labelled), loc="outside lower center", ncols=across, fontsize=8.5
    )  # fmt: skip


def legend(table: Table, curves: Sequence[Curve]) -> dict[str, Look]:
    """What the looks mean: a line for each curve, or for each series and each origin."""
    look = looks(table, curves)
    if not _paired(table):
        return {_origin(column, series, table): one for (series, column), one in look.items()}
    series = {kind[0]: replace(one, ours=True) for kind, one in look.items()}
    grey = {
        drawn_columns(table)[0].name: Look(_GREY, _MARKERS[0], False),
        OURS: Look(_GREY, _MARKERS[0], True),
    }
    return {**grey, **series}


def _origin(column: str | None, series: str, table: Table) -> str:
    origin = OURS if column is None else column
    return f"{origin}: {series}" if series and len(table.series) > 1 else origin
