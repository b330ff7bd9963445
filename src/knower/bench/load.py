"""Tables are read from JSON: those that come with Knower by name, others from their files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from knower.bench.formulas import BUILDERS
from knower.bench.table import (
    MEASURES,
    UNITS,
    All,
    Asked,
    Axis,
    Built,
    Column,
    Figure,
    Given,
    Position,
    Row,
    Specification,
    Table,
    Value,
)
from knower.errors import UsageError, did_you_mean
from knower.records import dataclass

_TABLES = files("knower.bench") / "tables"
T = TypeVar("T")
_ABSENT: Any = object()


def names() -> list[str]:
    """The tables that come with Knower, in the order of the papers."""
    found = (one.name.removesuffix(".json") for one in _TABLES.iterdir() if one.name.endswith(".json"))
    return sorted(found, key=_natural)


def _natural(name: str) -> list[tuple[int, str]]:
    """Numbers in names count as numbers: `table8.2` stands before `table8.10`."""
    marked = "".join(c if c.isdigit() else f" {c} " for c in name)
    return [(int(word), "") if word.isdigit() else (-1, word) for word in marked.split()]


def load(name: str) -> Table:
    """The table of this name, or of this file if the name ends in `.json`; `UsageError` if it is none."""
    if name.endswith(".json"):
        return from_text(_text(Path(name)), name)
    if name not in names():
        cure = did_you_mean(name, names()) or "`knower bench --list` shows all tables"
        raise UsageError("E605", f"no table `{name}`", cure)
    return from_text((_TABLES / f"{name}.json").read_text(encoding="utf-8"), f"{name}.json")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError("E601", f"no such file: {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("E602", f"cannot read {path}: {error}") from None


def from_text(text: str, origin: str) -> Table:
    """The table that a JSON text describes; `origin` names it in errors."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError("E605", f"{origin}: this is not JSON: {error}") from None
    with _Fields.of(data, origin) as table:
        columns = tuple(map(_column, table.parts("columns")))
        return Table(
            name=table.take("name", str),
            title=table.take("title", str),
            source=table.take("source", str),
            measure=table.one_of("measure", MEASURES),
            axis=_axis(table.part("axis")),
            log=table.take("log", bool, False),
            columns=columns,
            rows=tuple(row for case in table.parts("cases") for row in _rows(case, columns)),
            note=table.take("note", str, ""),
            baseline=table.take("baseline", str, None),
            also=tuple(table.words_of("also", MEASURES)),
        )


# -- parts --------------------------------------------------------------------------------------------


def _axis(data: _Fields) -> Axis:
    with data as axis:
        return Axis(
            axis.take("label", str), axis.take("log", bool, False), axis.take("names", bool, False)
        )  # fmt: skip


def _column(data: _Fields) -> Column:
    with data as column:
        measure = column.one_of("measure", MEASURES, None)
        unit = column.one_of("unit", UNITS, MEASURES[measure][1] if measure else "")
        return Column(column.take("name", str), measure, unit, column.take("drawn", bool, True))


def _rows(data: _Fields, columns: tuple[Column, ...]) -> Iterator[Row]:
    """A case is a series of rows: sizes in front, then the paper's figures in the order of the columns."""
    with data as case:
        sizes = _words(case.take("size", (str, list), ""))
        fixed = case.take("parameters", dict, {})
        label = case.take("label", str, "×".join(f"{{{name}}}" for name in sizes) or "{size}")
        found = {
            "family": case.take("family", str),
            "asked": _all_asked(case),
            "engine": case.take("engine", str, "auto"),
            "options": case.take("options", dict, {}),
            "panel": case.take("panel", str, ""),
            "series": case.take("series", str, ""),
        }
        for at, line in enumerate(case.take("rows", list)):
            size, figures = _line(line, len(sizes), len(columns), f"{case.where}.rows[{at}]")
            values: dict[str, Value] = {**fixed, **dict(zip(sizes, size, strict=False))}
            yield Row(
                size=size[0],
                label=label.format_map({**values, "size": size[0]}),
                parameters=values,
                paper={column.name: figure for column, figure in zip(columns, figures, strict=False)},
                **found,
            )


def _words(size: str | list[str]) -> list[str]:
    return size if isinstance(size, list) else [size] if size else []


def _line(line: Any, sizes: int, columns: int, where: str) -> tuple[list[int], list[Figure]]:
    """The sizes of a row and its figures; a row without figures is one that the paper has not."""
    if not isinstance(line, list) or not line:
        raise UsageError("E605", f"{where}: a row is a list: its size, then the figures")
    head = line[0] if isinstance(line[0], list) else [line[0]]
    if len(head) != max(sizes, 1) or not all(type(one) is int for one in head):
        raise UsageError(
            "E605", f"{where}: the size must be {max(sizes, 1)} whole number(s), not {line[0]!r}"
        )
    if len(line) - 1 > columns:
        raise UsageError("E605", f"{where}: {len(line) - 1} figures for {columns} columns")
    for figure in line[1:]:
        if isinstance(figure, bool) or not isinstance(figure, (int, float, str, type(None))):
            raise UsageError("E605", f"{where}: {figure!r} is no figure")
    return head, line[1:]


def _all_asked(case: _Fields) -> tuple[Asked, ...]:
    if case.take("formulas", (str, list)) == "all":
        return (All(),)
    return tuple(map(_asked, case.parts("formulas")))


def _asked(data: _Fields) -> Asked:
    with data as asked:
        if "specification" in asked.data:
            number, item = asked.take("specification", int), asked.take("item", int, 1)
            return Specification(number, asked.take("logic", str, None), item)
        if "question" in asked.data:
            return Position(asked.take("question", int))
        if "builder" in asked.data:
            return Built(asked.one_of("builder", BUILDERS), asked.take("logic", str))
        return Given(asked.take("formula", str), asked.take("expected", bool))


# -- objects with known members -----------------------------------------------------------------------


@dataclass
class _Fields:
    """The members of a JSON object; entered, it complains at the end about members nobody has asked for."""

    data: Mapping[str, Any]
    where: str
    asked: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, data: Any, where: str) -> _Fields:
        if not isinstance(data, dict):
            raise UsageError("E605", f"{where}: an object is wanted here, not {data!r}")
        return cls(data, where)

    def take(self, name: str, kind: type | tuple[type, ...], default: Any = _ABSENT) -> Any:
        """A member of this kind; without a default it must be there."""
        self.asked.add(name)
        if name not in self.data:
            if default is _ABSENT:
                raise UsageError("E605", f"{self.where}: `{name}` is missing")
            return default
        found = self.data[name]
        if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
            raise UsageError("E605", f"{self.where}: `{name}` cannot be {found!r}")
        return found

    def one_of(self, name: str, known: Mapping[str, Any], default: Any = _ABSENT) -> Any:
        """A member that is one of the known words."""
        found = self.take(name, str, default)
        if found is not default and found not in known:
            cure = did_you_mean(found, known)
            raise UsageError("E605", f"{self.where}: `{name}` cannot be `{found}`", cure)
        return found

    def words_of(self, name: str, known: Mapping[str, Any]) -> list[str]:
        """A member that is a list of known words; none if it is absent."""
        words = self.take(name, list, [])
        return [_Fields({name: word}, self.where).one_of(name, known) for word in words]

    def part(self, name: str) -> _Fields:
        """A member that is an object."""
        return _Fields.of(self.take(name, dict), f"{self.where}: {name}")

    def parts(self, name: str) -> list[_Fields]:
        """A member that is a list of objects."""
        items = self.take(name, list)
        return [_Fields.of(item, f"{self.where}: {name}[{at}]") for at, item in enumerate(items)]

    def __enter__(self) -> _Fields:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        unknown = [name for name in self.data if name not in self.asked]
        if kind is None and unknown:
            cure = did_you_mean(unknown[0], self.asked)
            raise UsageError("E605", f"{self.where}: `{unknown[0]}` means nothing here", cure)
