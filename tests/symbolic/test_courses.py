"""Which order gets more room: the one that came furthest, with the smallest diagrams."""

from __future__ import annotations

from typing import Any

import pytest

import knower
from knower import families
from knower.functions.protocol import Littered, NoRoom
from knower.functions.registry import available
from knower.options import Tuning
from knower.symbolic import order_search
from knower.symbolic.courses import Courses
from knower.symbolic.encode import Encoding
from knower.symbolic.order_search import Configuration, OrderSearch

needs_oxidd = pytest.mark.skipif("oxidd" not in available(), reason="the rooms of CUDD have no size")


def _given_up(courses: Courses, order: str, *sizes: int) -> None:
    courses.begin(order)
    for nodes in sizes:
        courses.passed(nodes)
    courses.end()


def test_who_came_further_is_first_and_who_was_not_tried_is_last() -> None:
    courses = Courses()
    _given_up(courses, "short", 10, 2_000)
    _given_up(courses, "long", 10, 1_500, 90_000)
    _given_up(courses, "none")
    assert sorted(["new", "none", "short", "long"], key=courses.rank) == ["long", "short", "none", "new"]


def test_an_order_is_given_up_where_another_came_with_fewer_nodes() -> None:
    courses = Courses()
    _given_up(courses, "first", 100, 5_000)
    courses.begin("second")
    courses.passed(400)  # more, but so few nodes tell nothing
    with pytest.raises(NoRoom):
        courses.passed(5_000)


def test_an_order_goes_on_beyond_what_is_known_of_others() -> None:
    courses = Courses()
    _given_up(courses, "first", 100, 5_000)
    _given_up(courses, "second", 100, 4_999, 1_000_000)
    assert courses.rank("second") < courses.rank("first")


def test_more_room_for_the_same_order_is_not_compared_with_itself() -> None:
    courses = Courses()
    _given_up(courses, "first", 100, 5_000)
    _given_up(courses, "first", 100, 5_000, 70_000)


def test_who_changes_its_order_on_the_way_is_not_compared() -> None:
    courses = Courses()
    _given_up(courses, "first", 100, 5_000)
    courses.begin(None)
    courses.passed(1_000_000)
    courses.end()
    assert courses.rank("first") == (-2, 5_000)


@needs_oxidd
def test_the_best_order_is_the_first_to_get_more_room() -> None:
    """Whatever its place among the candidates."""
    system = knower.loads(families.generate("muddy-children", n=8)).interpreted
    search = OrderSearch(Encoding(system), Tuning(library="oxidd"))
    sizes = {"replicas": (2_000, 9_000), "force": (1_500, 3_000), "interleaved-actions": (1_600,)}
    tried: list[str] = []

    def make(_: object, attempt: Configuration) -> Any:
        tried.append(attempt.order)
        if len(tried) > len(sizes):
            return attempt
        for nodes in sizes[attempt.order]:
            search.passed(nodes)
        raise NoRoom("more than there is")

    assert search.made(make).order == "force"
    assert tried == ["replicas", "force", "interleaved-actions", "force"]


_SAME, _OTHERS = "replicas 22", "force 20"


@needs_oxidd
@pytest.mark.parametrize(
    ("bound", "at_first", "later"),
    [
        (Littered("of no use", 0.05), _SAME, _SAME),
        (Littered("of some use", 0.2), _SAME, _OTHERS),
        (Littered("of much use", 0.4), _OTHERS, _OTHERS),
        (NoRoom("in use"), _OTHERS, _OTHERS),
    ],
)
def test_where_the_room_is_littered_the_same_order_gets_more(
    bound: NoRoom, at_first: str, later: str
) -> None:
    assert _attempts({"replicas": (bound,)}, most=2)[1] == at_first
    assert _attempts({"replicas": (2_000, 3_000, bound)}, most=2)[1] == later


@needs_oxidd
def test_an_order_that_is_outrun_is_tried_again_only_in_the_largest_room() -> None:
    tried = _attempts({"replicas": (2_000, NoRoom("in use")), "force": (2_000, NoRoom("never met"))})
    assert [each for each in tried if each.startswith("force")] == ["force 20", "force 24"]


@needs_oxidd
@pytest.mark.parametrize(("fills", "first"), [(20, "replicas 22"), (22, "replicas 24")])
def test_a_room_that_the_circuits_alone_would_fill_is_not_tried(
    fills: int, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoding = Encoding(knower.loads(families.generate("muddy-children", n=8)).interpreted)
    size = encoding.gates * encoding.layout.state_bits
    assert _attempts({}, most=1) == ["replicas 20"]
    monkeypatch.setattr(order_search, "_LITTER", (1 << fills) // size + 1)
    assert _attempts({}, most=1) == [first]


@needs_oxidd
def test_who_challenges_a_good_order_does_so_in_a_small_room() -> None:
    """Horses: the good order needs a room of 2^22, and the others would take ten times as long to fill it."""
    tried: list[str] = []
    bound = Littered("of no use", 0.05)

    def make(_: object, attempt: Configuration) -> Any:
        assert attempt.room is not None
        tried.append(f"{attempt.order} {attempt.room.nodes.bit_length() - 1}")
        search.passed(2_000)
        search.passed(30_000)
        if tried[-1] != "replicas 22":
            raise bound
        return attempt

    system = knower.loads(families.generate("muddy-children", n=8)).interpreted
    search = OrderSearch(Encoding(system), Tuning(library="oxidd"))
    assert search.made(make).order == "replicas"
    assert tried == ["replicas 20", "replicas 22", "force 20", "interleaved-actions 20"]


class _Enough(Exception):
    """Nobody wants to know more."""


def _attempts(course: dict[str, tuple[Any, ...]], most: int | None = None) -> list[str]:
    """What is tried first where nothing ever has room: the orders, and the rooms as powers of two."""
    system = knower.loads(families.generate("muddy-children", n=8)).interpreted
    search = OrderSearch(Encoding(system), Tuning(library="oxidd"))
    tried: list[str] = []

    def make(_: object, attempt: Configuration) -> Any:
        assert attempt.room is not None
        tried.append(f"{attempt.order} {attempt.room.nodes.bit_length() - 1}")
        if len(tried) == most:
            raise _Enough
        *sizes, bound = course.get(attempt.order, (NoRoom("in use"),))
        for nodes in sizes:
            search.passed(nodes)
        raise bound

    with pytest.raises((NoRoom, _Enough)):
        search.made(make)
    return tried


def test_an_order_is_not_compared_with_one_that_was_given_up_before_it() -> None:
    """Else two that are equally good would keep each other from ever being through."""
    courses = Courses()
    _given_up(courses, "first", 100, 5_000, 90_000)
    courses.begin("second")
    with pytest.raises(NoRoom):
        for nodes in (100, 5_000):
            courses.passed(nodes)
    courses.end()
    _given_up(courses, "first", 100, 5_000, 90_000, 800_000)


@needs_oxidd
@pytest.mark.parametrize(("nodes", "taken"), [(40_000, "force"), (60_000, "replicas")])
def test_where_much_is_reached_an_order_that_is_twice_as_good_is_taken(nodes: int, taken: str) -> None:
    system = knower.loads(families.generate("muddy-children", n=8)).interpreted
    search = OrderSearch(Encoding(system), Tuning(library="oxidd"))
    sizes = {"replicas": (3_000, 100_000), "force": (2_000, nodes), "interleaved-actions": (3_000, 1)}
    tried: list[str] = []

    def make(_: object, attempt: Configuration) -> Any:
        tried.append(attempt.order)
        for each in sizes[attempt.order]:
            search.passed(each)
        return attempt

    assert search.made(make).order == taken
    assert search.attempt is not None and search.attempt.order == taken
    assert tried == ["replicas", "force", "interleaved-actions"]


@needs_oxidd
def test_garbage_alone_makes_nobody_begin_anew() -> None:
    """What 24 children can reach has 2,400 nodes; a quarter of a million were too few for the formulas."""
    result = knower.loads(families.generate("muddy-children", n=24)).check(evidence="none")
    assert result.statistics["attempts"] == 1
