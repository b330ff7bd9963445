"""How a question is asked in Python: values for what belongs together, and keywords for single choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from math import isnan
from pathlib import Path
from typing import Any, TypeAlias, TypedDict, TypeVar

from knower.engine.choices import evidence_named, member, possible
from knower.errors import UsageError
from knower.logic.combining import specification
from knower.logic.formula import Formula, FormulaNode
from knower.logic.language import Specification
from knower.messages import Asked, Check, Outline, Text
from knower.options import AtlReading, Constant, DeadlockPolicy, How, Limits, Reading, Search, Tuning, given
from knower.records import dataclass
from knower.source import Source
from knower.sources import read_source
from knower.verdict.faults import Fault

#: A formula as text, as a value, or as a value in the language its prefix names.
Question: TypeAlias = str | Formula | Specification


#: Values for the constants of a model; a text is read as it would be in the model: "2 * n", "{a, b}".
Constants: TypeAlias = Mapping[str, int | bool | str | Iterable[str | int]]


class Options(TypedDict, total=False):
    """What can be said about a check.

    `also`: more formulas beside the others. `deadlock`, `overflow`: look for these, in place of the formulas
    of the file. `evidence`: `auto` (what is cheap), `none` or `all`; `follow`: formulas to be followed along
    it. `lint`: whether to warn of what is legal and seldom meant. `vacuity`: whether to look for parts of
    true formulas that never matter. `engine`, `portfolio`: who answers. `since` (by `time.monotonic`): when
    the time limit began to run, if not when the work begins.

    `reading`, `tuning`, `search` and `limits` are values. Every other keyword is a field of one of them:
    `atl` … `on_deadlock` of `Reading`, `bdd` … `threads` of `Tuning`, `method` … `cluster` of
    `Search`, `time_limit` … `max_states` of `Limits`. An `order_file` is read here.
    """

    also: Question | Iterable[Question]
    deadlock: bool
    overflow: bool
    evidence: str
    follow: Iterable[Question]
    lint: bool
    vacuity: bool
    engine: str
    portfolio: str
    since: float | None

    reading: Reading
    atl: str | AtlReading | None
    uniform_group: str | None
    finite: bool
    on_deadlock: str | DeadlockPolicy

    tuning: Tuning
    bdd: str
    order: str
    reorder: str
    reach: str
    vtree: str
    minimise: str
    order_file: str | Path | Source | None
    save_order: bool
    cluster_threshold: int
    threads: int

    search: Search
    method: str
    bound: int | None
    heuristic: str
    encoding: str
    solver: str
    cluster: str | None

    limits: Limits
    time_limit: float | None
    memory_limit: float | None
    max_states: int | None


#: The fields that have another name as keywords.
_CALLED = {"library": "bdd", "seconds": "time_limit", "megabytes": "memory_limit", "states": "max_states"}
_FIELD_OF = {keyword: name for name, keyword in _CALLED.items()}
V = TypeVar("V", Reading, Tuning, Search, Limits)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A check as it was asked for, once everything in it is known and goes together."""

    check: Check
    limits: Limits
    portfolio: str = "off"
    since: float | None = None


def inquiry(model: Text, outline: Outline, formulas: Iterable[Question], options: Options) -> Inquiry:
    """Formulas and options as one value; raises `UsageError` and `TypeError` for what makes no sense."""
    left: dict[str, Any] = {_FIELD_OF.get(name, name): value for name, value in options.items()}
    if isinstance(left.get("order_file"), str | Path):
        left["order_file"] = read_source(left["order_file"])
    tuning, search = _filled(Tuning(), "tuning", left), _filled(Search(), "search", left)
    limits, reading = _filled(Limits(), "limits", left), _filled(Reading(), "reading", left)
    require_number("cluster_threshold", tuning.cluster_threshold)
    require_number("threads", tuning.threads, least=1)
    _require_sense(search, limits, reading, left.get("since"))
    engine, portfolio = left.pop("engine", "auto"), left.pop("portfolio", "off")
    how = possible(How(engine, tuning, search, given(tuning, search, limits.states)), portfolio)
    vacuity = left.pop("vacuity", False)
    if vacuity and portfolio != "off":
        why = "‹vacuity› asks one engine after its verdicts, ‹portfolio› ends with the first"
        raise UsageError("E607", why, "use one of them")
    sought = tuple(fault for fault in Fault if left.pop(fault.value, False))
    check = Check(
        model,
        _questions(formulas) or None,
        outline.formulas,
        _questions(left.pop("also", ())),
        _known(reading, outline),
        how,
        evidence_named(left.pop("evidence", "auto")),
        _questions(left.pop("follow", ())),
        sought,
        left.pop("lint", True),
        vacuity,
    )
    asked = Inquiry(check, limits, portfolio, left.pop("since", None))
    for name in left:
        raise TypeError(f"check() got an unexpected keyword argument {name!r}")
    return asked


def written(source: Source, constants: Constants | None, strategy: Source | None = None) -> Text:
    """A model as it is sent; `strategy`: what its members follow."""
    if not isinstance(source.text, str):
        raise TypeError(f"a model is a text, not {type(source.text).__name__}")
    values = tuple((name, _constant(name, value)) for name, value in (constants or {}).items())
    followed = None if strategy is None else (strategy.name, strategy.text)
    return Text(source.name, source.text, values, followed)


def _constant(name: str, value: object) -> Constant:
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, Iterable):
        return tuple(sorted(value, key=str) if isinstance(value, set | frozenset) else value)
    raise UsageError(
        "E615", f"the constant `{name}` cannot be {value!r}", "give a number, a boolean or a set"
    )


def _require_sense(search: Search, limits: Limits, reading: Reading, since: object) -> None:
    """Numbers are numbers: what is no limit would be found out too late, in another thread."""
    require_number("time_limit", limits.seconds)
    require_number("memory_limit", limits.megabytes)
    require_number("max_states", limits.states, least=1)
    require_number("bound", search.bound)
    if since is not None and not isinstance(since, int | float):
        raise UsageError("E605", f"‹since› cannot be {since!r}", "give what `time.monotonic()` told")
    if not isinstance(reading.finite, bool):
        raise UsageError("E605", f"‹finite› cannot be {reading.finite!r}", "give True or False")


def require_number(option: str, value: object, least: float | None = 0) -> None:
    """A number that is not too small, or None; `priority` may be any."""
    if value is None and option != "priority":
        return
    if not isinstance(value, int | float) or isinstance(value, bool) or isnan(value):
        raise UsageError("E605", f"‹{option}› cannot be {value!r}", "give a number")
    if least is not None and option != "priority" and value < least:
        raise UsageError("E605", f"‹{option}› cannot be {value!r}", f"give a number from {least:g}")


def _filled(usual: V, name: str, left: dict[str, Any]) -> V:
    """The value given under a name, or the usual one, with the fields that were given by themselves."""
    value: V = left.pop(name, usual)
    if not isinstance(value, type(usual)):
        raise TypeError(f"`{name}` is a {type(usual).__name__}, not {value!r}")
    return replace(value, **{each.name: left.pop(each.name) for each in fields(value) if each.name in left})


def _questions(formulas: Question | Iterable[Question]) -> tuple[Asked, ...]:
    """One or several, as a worker is asked them."""
    several = (formulas,) if isinstance(formulas, str | Specification | FormulaNode) else formulas
    return tuple(each if isinstance(each, str | Specification) else specification(each) for each in several)


def _known(reading: Reading, outline: Outline) -> Reading:
    """A reading whose members may have been given by name, and whose group is one of the model."""
    named: object = reading.atl
    atl = None if reading.atl is None or named == "auto" else member(AtlReading, reading.atl, "auto")
    if reading.uniform_group is not None:
        _require_group(reading.uniform_group, atl, outline)
    return replace(reading, atl=atl, on_deadlock=member(DeadlockPolicy, reading.on_deadlock))


def _require_group(name: str, atl: AtlReading | None, outline: Outline) -> None:
    if atl is not AtlReading.UNIFORM_MODELS:
        only = "‹atl uniform-models›"
        raise UsageError("E607", f"‹uniform_group› goes with {only} only", f"add {only}")
    if not outline.groups.get(name, name in outline.agents):
        raise UsageError("E604", f"unknown or empty group `{name}`", "name a group or an agent of the model")
