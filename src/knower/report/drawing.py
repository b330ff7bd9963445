"""Boxes and arrows as SVG, without any other program: rows of boxes, arrows that run down, back and round.

Who draws says in which row a box stands; where in the row, by lanes, or by `centres` of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from unicodedata import east_asian_width

from knower.records import dataclass
from knower.report.routes import LINE, Route, Spot, routes

#: The width of a character, the room around the text of a box, between lanes and rows, and at the edges.
_CHAR, _PAD, _GAP, _FALL, _MARGIN = 6.7, 9.0, 34.0, 38.0, 14.0
#: What is said when somebody points at something is cut at so many characters.
_TITLE = 400


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text; `tone` is `name`, `quiet`, `claim` or nothing."""

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A box with some lines; `title` is said when somebody points at it."""

    name: str
    lines: tuple[Line, ...]
    rank: int
    lane: int = 0
    kind: str = "state"
    title: str = ""

    @property
    def width(self) -> float:
        return max([3.0 * _CHAR, *(text_width(line.text) for line in self.lines)]) + 2 * _PAD

    @property
    def height(self) -> float:
        return max(1, len(self.lines)) * LINE + 2 * _PAD - 4


@dataclass(frozen=True, slots=True)
class Arrow:
    """From one box to another; `label` is written beside it, `title` said when somebody points at it."""

    source: str
    target: str
    label: tuple[str, ...] = ()
    kind: str = "step"
    title: str = ""


def text_width(text: str) -> float:
    """How wide a text is, in letters of one width; those of East Asia take two."""
    return _CHAR * (len(text) + sum(east_asian_width(char) in "WF" for char in text))


def drawing(
    boxes: Sequence[Box], arrows: Sequence[Arrow], label: str, centres: Mapping[str, float] | None = None
) -> str:
    """The SVG element. Its style is that of `drawing.css`, which is not in it."""
    spots = _spots(boxes, arrows, _lane_centres(boxes, arrows) if centres is None else centres)
    lines = routes(spots, [(arrow.source, arrow.target, arrow.kind == "doubt") for arrow in arrows])
    left, right, bottom = _extent(spots, arrows, lines)
    width, height = f"{right - left:.0f}", f"{bottom:.0f}"
    size = f'width="{width}" height="{height}" viewBox="{left:.0f} 0 {width} {height}"'
    ways = "".join(map(_arrow, arrows, lines))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="kn-drawing" role="img" '
        f'aria-label="{_safe(label)}" {size}>'
        f"{ways}{''.join(_box(box, spots[box.name]) for box in boxes)}</svg>"
    )


def _safe(text: str) -> str:
    """A text that can stand in XML, which has no words for control characters."""
    return escape("".join(char if char.isprintable() or char == "\n" else "·" for char in text))


# -- places -----------------------------------------------------------------------------------------------


def _lane_centres(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> dict[str, float]:
    """Lanes side by side, with room for what is written beside the arrows."""
    lane_of = {box.name: box.lane for box in boxes}
    widths, rooms = dict[int, float](), dict[int, float]()
    for box in boxes:
        widths[box.lane] = max(widths.get(box.lane, 0.0), box.width)
    for arrow in arrows:
        lane, written = lane_of[arrow.source], max(map(text_width, arrow.label), default=0.0)
        rooms[lane] = max(rooms.get(lane, 0.0), written - widths[lane] / 2)
    centres, at = dict[int, float](), 0.0
    for lane in sorted(widths):
        centres[lane] = at + widths[lane] / 2
        at += widths[lane] + max(_GAP, rooms.get(lane, 0.0) + 16)
    return {box.name: centres[box.lane] for box in boxes}


def _spots(boxes: Sequence[Box], arrows: Sequence[Arrow], centres: Mapping[str, float]) -> dict[str, Spot]:
    """Rows below each other, with room for what is written beside the arrows between them."""
    rank_of = {box.name: box.rank for box in boxes}
    tops, at = dict[int, float](), _MARGIN
    for rank in sorted({box.rank for box in boxes}):
        tops[rank] = at
        leaving = [
            len(arrow.label) for arrow in arrows if rank in (rank_of[arrow.source], rank_of[arrow.target])
        ]
        height = max(box.height for box in boxes if box.rank == rank)
        at += height + _FALL + LINE * max(leaving, default=0)
    return {
        box.name: Spot(centres[box.name], tops[box.rank], box.width, box.height, box.rank) for box in boxes
    }


def _extent(
    spots: Mapping[str, Spot], arrows: Sequence[Arrow], lines: Sequence[Route]
) -> tuple[float, float, float]:
    """The left and right edges and the bottom of all that is drawn."""
    sides = [-1 if route.rises else 1 for route in lines]
    widths = [max(map(text_width, arrow.label), default=0.0) + 8 for arrow in arrows]
    written = [
        route.middle[0] + side * width for route, side, width in zip(lines, sides, widths, strict=True)
    ]
    points = [point for route in lines for point in route.points]
    left = min([*(spot.left for spot in spots.values()), *(x for x, _ in points), *written], default=0.0)
    right = max([*(spot.right for spot in spots.values()), *(x for x, _ in points), *written], default=0.0)
    bottom = max([spot.bottom for spot in spots.values()] + [y for _, y in points], default=0.0)
    return left - _MARGIN, right + _MARGIN, bottom + _MARGIN


# -- what is drawn ----------------------------------------------------------------------------------------


def _box(box: Box, spot: Spot) -> str:
    first = spot.top + _PAD + LINE * 0.62
    texts = "".join(
        f'<text class="kn-{line.tone or "plain"}" x="{spot.left + _PAD:.1f}" y="{first + place * LINE:.1f}">'
        f"{_safe(line.text)}</text>"
        for place, line in enumerate(box.lines)
    )
    shape = (
        f'x="{spot.left:.1f}" y="{spot.top:.1f}" width="{spot.width:.1f}" height="{spot.height:.1f}" rx="6"'
    )
    return f'<g class="kn-box kn-{box.kind}">{_title(box.title)}<rect {shape}/>{texts}</g>'


def _title(text: str) -> str:
    return f"<title>{_safe(text[:_TITLE])}</title>" if text else ""


def _arrow(arrow: Arrow, route: Route) -> str:
    """The label is on the right of what falls and on the left of what rises, so that both can be read."""
    x, y = route.middle
    side = f' x="{x - 8:.1f}" text-anchor="end"' if route.rises else f' x="{x + 8:.1f}"'
    top = y - LINE * (len(arrow.label) - 1) / 2 + 3.5
    texts = "".join(
        f'<text{side} y="{top + place * LINE:.1f}">{_safe(text)}</text>'
        for place, text in enumerate(arrow.label)
    )
    tip = f'<path class="kn-tip" d="{route.tip}"/>' if arrow.kind != "doubt" else ""
    return (
        f'<g class="kn-arrow kn-{arrow.kind}">{_title(arrow.title)}<path d="{route.curve}"/>{tip}{texts}</g>'
    )
