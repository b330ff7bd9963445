"""Tables as pictures, and as a part of a page."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from tiny_tables import case, entries, result, table

from knower.bench.load import load, names
from knower.bench.plot import _drawing, curves_of, draw, legend, looks, wants_log
from knower.bench.report import BEGIN, END, feats, put_into, report
from knower.bench.run import Entry, Skipped
from knower.bench.table import Table

needs_matplotlib = pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
TWO_SERIES = (case(series="a"), case(series="b", rows=[[2, 4.0], [4, "timeout"], [8]]))


@needs_matplotlib
@pytest.mark.parametrize("name", ["002-table4", "001-table8.1", "003-table4.1"])
def test_pictures_are_drawn(name: str, tmp_path: Path) -> None:
    of = load(name)
    svg, png = draw(of, entries(of), tmp_path)
    assert svg.name == f"{name}.svg"
    assert "<svg" in svg.read_text()
    assert png.read_bytes().startswith(b"\x89PNG")
    # Width and height: 800 by 500.
    assert png.read_bytes()[16:24] == (800).to_bytes(4, "big") + (500).to_bytes(4, "big")


@needs_matplotlib
def test_what_is_measured_besides_has_its_own_picture(tmp_path: Path) -> None:
    solved = table(also=["clauses"])
    names = [path.name for path in draw(solved, entries(solved, clauses=12), tmp_path)]
    assert names == ["tiny.svg", "tiny.png", "tiny-clauses.svg", "tiny-clauses.png"]
    assert [path.name for path in draw(solved, entries(solved), tmp_path)] == names[:2]


@needs_matplotlib
def test_the_same_figures_make_the_same_picture(tmp_path: Path) -> None:
    of = table()
    texts = [draw(of, entries(of), tmp_path)[0].read_text() for _ in range(2)]
    assert texts[0] == texts[1]


@needs_matplotlib
def test_nothing_of_ours_is_no_picture(tmp_path: Path) -> None:
    of = table()
    assert draw(of, [Entry(row, Skipped("not measured")) for row in of.rows], tmp_path) == []
    assert not list(tmp_path.iterdir())


def test_curves() -> None:
    of = table(*TWO_SERIES)
    found = {(curve.series, curve.column): curve.points for curve in curves_of(of, entries(of))}
    assert found == {
        ("a", "Abacus"): ((2.0, 0.5),),
        ("a", None): ((2.0, 0.25), (4.0, 0.25)),
        ("b", "Abacus"): ((2.0, 4.0),),
        ("b", None): ((2.0, 0.25), (4.0, 0.25), (8.0, 0.25)),
    }


def test_a_stopped_run_has_a_mark_and_no_point() -> None:
    of = table(case(rows=[[2]]))
    (curve,) = curves_of(of, entries(of, cpu=60.0, stopped="time limit of 60 s"))
    assert (curve.points, curve.stopped) == ((), ((2.0, 60.0),))
    assert not list(curves_of(of, entries(of, stopped="no answer")))
    assert not list(curves_of(table(case(rows=[[2]]), measure="states"), entries(of, stopped="time limit")))


@needs_matplotlib
def test_stopped_runs_are_drawn_and_explained(tmp_path: Path) -> None:
    of = table()
    done, slow = entries(of)[0], entries(of, cpu=60.0, stopped="time limit of 60 s")[1]
    (panel,) = _drawing(of, [done, slow], list(curves_of(of, [done, slow]))).axes
    assert [line.get_ydata() for line in panel.get_lines()] == [[0.5], [0.25], [60.0]]
    assert "<!-- stopped at a limit -->" in draw(of, [done, slow], tmp_path)[0].read_text()
    assert "stopped at a limit" not in draw(of, entries(of), tmp_path)[0].read_text()


@needs_matplotlib
def test_a_narrow_axis_has_plain_figures(tmp_path: Path) -> None:
    """What spans less than a decade is not drawn on a logarithmic axis: it would have no power of ten."""
    of = table(case(rows=[[2], [4]]), log=True, axis={"label": "values", "log": True}, columns=[])
    first, second = (Entry(row, result(row, cpu=cpu)) for row, cpu in zip(of.rows, (0.26, 0.31), strict=True))
    text = draw(of, [first, second], tmp_path)[0].read_text()
    assert "10^" not in text
    assert "<!-- 0.2" in text


def test_curves_can_be_told_apart() -> None:
    """By colour and marker; a series of the paper and ours of the same name by filling and line."""
    of = table(*TWO_SERIES)
    curves = list(curves_of(of, entries(of)))
    look = looks(of, curves)
    assert len(set(look.values())) == len(look) == 4
    assert (look["a", None].colour, look["a", None].marker) == (
        look["a", "Abacus"].colour,
        look["a", "Abacus"].marker,
    )
    assert look["a", None].colour != look["b", None].colour
    assert look["a", None].marker != look["b", None].marker
    assert list(legend(of, curves)) == ["Abacus", "Knower", "a", "b"]


@pytest.mark.parametrize("name", names())
def test_all_tables_have_distinct_looks(name: str) -> None:
    of = load(name)
    look = looks(of, list(curves_of(of, entries(of, length=3))))
    assert len(set(look.values())) == len(look)


def test_log_scale_from_two_decades_on() -> None:
    assert not wants_log([1, 100])
    assert wants_log([1, 101])
    assert not wants_log([])


def test_log_scale_from_one_decade_on_where_it_is_asked_for() -> None:
    assert not wants_log([1, 10], asked=True)
    assert wants_log([1, 11], asked=True)


# -- the page -----------------------------------------------------------------------------------------


def told(of: Table) -> list[str]:
    return feats(of, entries(of))


def test_what_the_papers_could_not() -> None:
    assert told(table(case(rows=[[2, 1.0], [4, "timeout"]]))) == ["4 in 0.2 s (paper: timeout)"]
    assert told(table(case(rows=[[2, 1.0], [4], [6]]))) == ["6 in 0.2 s (not in the paper)"]
    assert told(table(case(rows=[[2, 1.0]]))) == []


def test_wrong_and_stopped_rows_are_no_feats() -> None:
    of = table(case(rows=[[2, 1.0], [4, "timeout"]]))
    assert feats(of, entries(of, verdicts=("false",))) == []
    assert feats(of, entries(of, stopped="time limit")) == []


def test_report(tmp_path: Path) -> None:
    of = table(case(rows=[[2, 10.0], [4, "timeout"]]))
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "tiny.svg").write_text("<svg/>")
    page = report([(of, entries(of)), (load("002-table1"), [])], pictures, tmp_path / "docs" / "page.md")
    assert page.startswith(BEGIN) and page.rstrip().endswith(END)
    assert "### What we can do that the papers could not" in page
    assert "![Tiny counters](../pictures/tiny.svg)" in page
    assert "| 4 | timeout | 0.25 | right |" in page
    assert "median factor of its time to ours is 40." in page
    assert "002-table1" not in page, "nothing has been measured of it"


def test_of_curves_the_report_shows_pictures_only(tmp_path: Path) -> None:
    of = table(case(rows=[[2], [4]]), columns=[], also=["clauses"])
    for name in ("tiny.svg", "tiny-clauses.svg"):
        (tmp_path / name).write_text("<svg/>")
    page = report([(of, entries(of))], tmp_path, tmp_path / "page.md")
    assert "![Tiny counters](tiny.svg)\n\n![Tiny counters](tiny-clauses.svg)" in page
    assert "| 4 |" not in page


def test_rows_without_result_are_left_out_of_the_report(tmp_path: Path) -> None:
    of = table()
    some = [Entry(of.rows[0], result(of.rows[0])), Entry(of.rows[1], Skipped("not measured"))]
    assert "not measured" not in report([(of, some)], tmp_path, tmp_path / "page.md")


def test_the_part_is_put_into_a_page() -> None:
    part = f"{BEGIN}\nnew\n{END}\n"
    assert put_into("", part) == part
    assert put_into("# Page\n", part) == f"# Page\n\n{part}"
    assert (
        put_into(f"# Page\n\n{BEGIN}\nold\n{END}\n\nrest\n", part)
        == f"# Page\n\n{BEGIN}\nnew\n{END}\n\nrest\n"
    )
