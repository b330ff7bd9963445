"""Robots on a grid that are to meet, by what they see of it."""

from __future__ import annotations

from collections.abc import Iterator

from knower.families.family import Choice, Family, Model, Number, Question
from knower.families.layout import agent, both, listed, section

_STORY = """{n} robots are somewhere on a grid of {width} by {height} cells. In each round each stays or moves
to the next cell; at the border it does not get further. They are to meet in a corner. {sensors}"""

#: What a robot sees, by the name of the case.
_SENSORS = {
    "walls": "A robot sees on which sides of its cell the border is, and nothing else: not where it is, nor "
    "the others. That is enough (--atl uniform).",
    "none": "They see nothing. Who may look at everything (--atl objective, the default) gets there all the "
    "same; who may not (--atl uniform) does not, for all that can be agreed on is one direction for ever.",
}

_SIDES = ("west", "east", "south", "north")


def _robots(*, n: int, width: int, height: int, sensors: str) -> Model:
    seen = sensors == "walls"
    return Model(
        title=f"{n} robots on a grid of {width} by {height} cells that see {sensors if seen else 'nothing'}.",
        story=_STORY.format(n=n, width=width, height=height, sensors=_SENSORS[sensors]),
        sections=(
            "Semantics = SingleAssignment;",
            _grid(n, width, height, seen=seen),
            *(_robot(number, seen=seen) for number in _numbers(n)),
            _evaluation(n),
            section("InitStates", f"{both(_start(n, width, height)) if seen else _anywhere(n)};"),
            section("Groups", f"robots = {listed(*(f'Robot{number}' for number in _numbers(n)))};"),
        ),
        questions=_questions(seen=seen),
        states=(width * height) ** n,
    )


def _anywhere(n: int) -> str:
    """Robots may begin in any cell, which is said of each."""
    return both([f"Environment.{axis}{number} >= 0" for number in _numbers(n) for axis in "xy"])


def _numbers(n: int) -> range:
    return range(1, n + 1)


def _grid(n: int, width: int, height: int, *, seen: bool) -> str:
    places = [f"x{k} : 0..{width - 1}; y{k} : 0..{height - 1};" for k in _numbers(n)]
    borders = [f"{side}{k} : boolean;" for k in _numbers(n) for side in _SIDES] if seen else []
    return agent(
        "Environment",
        section("Vars:", *places, *borders),
        "Actions = {};",
        section("Evolution:", *(line for k in _numbers(n) for line in _moves(k, width, height, seen=seen))),
    )


def _moves(k: int, width: int, height: int, *, seen: bool) -> Iterator[str]:
    axes = ((f"x{k}", width, f"west{k}", f"east{k}"), (f"y{k}", height, f"south{k}", f"north{k}"))
    for (place, size, low, high), (back, on) in zip(
        axes, (("west", "east"), ("south", "north")), strict=True
    ):
        yield f"{place} = {place} - 1 if Robot{k}.Action = {back} and {place} > 0;"
        yield f"{place} = {place} + 1 if Robot{k}.Action = {on} and {place} < {size - 1};"
        if seen:
            yield f"{low} = true if Robot{k}.Action = {back} and {place} <= 1;"
            yield f"{low} = false if Robot{k}.Action = {on};"
            yield f"{high} = true if Robot{k}.Action = {on} and {place} >= {size - 2};"
            yield f"{high} = false if Robot{k}.Action = {back};"


def _robot(k: int, *, seen: bool) -> str:
    return agent(
        f"Robot{k}",
        *([f"Lobsvars = {listed(*(f'{side}{k}' for side in _SIDES))};"] if seen else []),
        f"Actions = {listed(*_SIDES, 'stay')};",
        section("Protocol:", *(_ways_on(k) if seen else [f"Other : {listed(*_SIDES, 'stay')};"])),
    )


def _ways_on(k: int) -> Iterator[str]:
    """Nobody runs against a wall that it sees; staying is always possible."""
    yield from (f"Environment.{side}{k} = false : {{{side}}};" for side in _SIDES)
    yield f"Environment.west{k} = true or Environment.west{k} = false : {{stay}};"


def _start(n: int, width: int, height: int) -> Iterator[str]:
    """What robots see is true; they may be anywhere."""
    for k in _numbers(n):
        for side, place, at in (
            ("west", "x", 0), ("east", "x", width - 1), ("south", "y", 0), ("north", "y", height - 1),
        ):  # fmt: skip
            here, flag = f"Environment.{place}{k}", f"Environment.{side}{k}"
            yield f"(({flag} = true and {here} = {at}) or ({flag} = false and {here} <> {at}))"


def _evaluation(n: int) -> str:
    same = [f"Environment.{axis}{k} = Environment.{axis}1" for k in range(2, n + 1) for axis in "xy"]
    return section(
        "Evaluation",
        f"together if {both(same)};",
        "corner if Environment.x1 = 0 and Environment.y1 = 0; -- the first robot is there",
    )


def _questions(*, seen: bool) -> tuple[Question, ...]:
    blind = "" if seen else " Without sight (--atl uniform) they cannot."
    return (
        Question("<robots> F (together and corner)", True, f"They can meet in a corner.{blind}"),
        Question("<Robot1> F corner", True, f"One alone can go there.{blind.replace('they', 'it')}"),
        Question("<Robot1> F together", False, "Nobody can meet others who do not want to."),
        Question(
            "AG (corner -> K(Robot1, corner))", seen, "Whether it is there, the robot sees by the walls."
        ),
        Question("AG (together -> K(Robot1, together))", False, "Whether the others are there, it does not."),
    )


ROBOTS = Family(
    name="robots",
    description="robots on a grid are to meet: uniform strategies, by what they see",
    source="the robots of Jamroga, Knapik, Kurpiewski, Mikulski, Approximate verification (2019), simplified",
    parameters=(
        Number("n", "how many robots there are", 2, 2, 6),
        Number("width", "cells from west to east", 3, 2, 30),
        Number("height", "cells from south to north", 3, 2, 30),
        Choice("sensors", "what a robot sees: the walls of its cell, or nothing", "walls", tuple(_SENSORS)),
    ),
    build=_robots,
    examples=("--n 3 --width 8 --height 8", "--sensors none"),
)
