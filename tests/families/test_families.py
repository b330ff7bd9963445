"""Members of every family: accepted, clean, and with the verdicts and states that they announce."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from trains import TrainGate

import knower
from knower import families
from knower.families import FAMILIES, Family, Number

#: Small members, by family and parameters.
SMALL: list[tuple[str, dict[str, Any]]] = [
    *(("counter", {"n": n}) for n in (2, 4, 6, 16, 64)),
    *(("prisoners", {"n": n}) for n in (3, 4, 5)),
    *(("prisoners", {"n": n, "fairness": "off"}) for n in (3, 4)),
    ("go-back-n", {"n": 2, "delay": 2}),
    ("go-back-n", {"n": 2, "window": 3, "delay": 2}),
    ("go-back-n", {"n": 2, "delay": 3}),
    ("go-back-n", {"n": 2, "delay": 4}),
    ("go-back-n", {"n": 3, "delay": 2}),
    ("go-back-n", {"n": 2, "delay": 2, "line": "free"}),
    ("go-back-n", {"n": 3, "delay": 2, "line": "free"}),
    *(("train-gate", {"type": kind}) for kind in (1, 2, 3)),
    *(("train-gate", {"type": kind, "max": 1, "depth": 1}) for kind in (1, 2, 3)),
    *(("train-gate", {"type": kind, "max": 2, "depth": 2}) for kind in (1, 2, 3)),
    *(("train-gate", {"type": kind, "max": 2, "depth": 1, "correct": 1}) for kind in (1, 2)),
    ("train-gate", {"correct": 2}),
    *(("train-gate", {"n": 3, "type": kind, "max": 1, "depth": 1}) for kind in (1, 2, 3)),
    *(("train-gate", {"n": 3, "type": kind, "max": 2, "depth": 2, "correct": 2}) for kind in (1, 2)),
]
#: With two values, `near_max` holds everywhere.
LINTS = {"counter --n 2": {"L105"}}


def _name(value: object) -> str:
    return "-".join(map(str, value.values())) if isinstance(value, Mapping) else str(value)


small = pytest.mark.parametrize(("name", "values"), SMALL, ids=_name)
every = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)


@small
def test_verdicts_and_states_are_the_expected_ones(name: str, values: dict[str, Any]) -> None:
    made = families.instance(name, **values)
    result = knower.loads(made.ispl).check(engine="explicit")
    found = [(str(one), one.verdict.value) for one in result]
    assert [verdict for _, verdict in found] == [str(one).lower() for one in made.expected], found
    assert made.states in (None, result.states)
    assert not result.warnings


@small
def test_text_is_clean(name: str, values: dict[str, Any]) -> None:
    made = families.instance(name, **values)
    system = knower.loads(made.ispl)
    assert {finding.code for finding in system.lint()} == LINTS.get(made.name, set())
    assert system.formatted() == made.ispl


@small
def test_comments_tell_what_is_expected(name: str, values: dict[str, Any]) -> None:
    made = families.instance(name, **values)
    told = re.findall(r";  -- expect (true|false)$", made.ispl, re.MULTILINE)
    assert told == [str(one).lower() for one in made.expected]
    assert len(told) == len(knower.loads(made.ispl).formulae)
    states = re.search(r"^-- expect (\d+) states$", made.ispl, re.MULTILINE)
    assert (int(states[1]) if states else None) == made.states


# -- what the sources say -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "states"),
    [(3, 50), (5, 746), (6, 2631), (7, 8980), (8, 30001), (9, 98798), (10, 322107)],
)
def test_prisoners_have_the_published_numbers_of_states(n: int, states: int) -> None:
    assert families.instance("prisoners", n=n).states == states


def test_without_fairness_the_prisoners_may_stay_for_ever() -> None:
    fair = families.instance("prisoners").expected
    unfair = families.instance("prisoners", fairness="off").expected
    assert [at for at, pair in enumerate(zip(fair, unfair, strict=True), 1) if len({*pair}) == 2] == [
        1,
        2,
        3,
        7,
    ]


def test_a_counter_with_two_values_is_the_exception() -> None:
    assert families.instance("counter", n=2).expected == (True, True, True, True, False, True)
    assert families.instance("counter", n=4).expected == (True, True, False, True, True, True)


def test_a_window_larger_than_the_messages_changes_nothing() -> None:
    made = [families.instance("go-back-n", n=3, window=window) for window in (2, 3, 4)]
    assert [one.states for one in made] == [6688, 10024, 10024]


@pytest.mark.parametrize("kind", [1, 2, 3])
@pytest.mark.parametrize(("n", "most", "depth"), [(2, 1, 1), (2, 2, 1), (2, 5, 3), (3, 1, 1), (3, 3, 2)])
def test_trains_do_what_the_source_says(kind: int, n: int, most: int, depth: int) -> None:
    made = families.instance("train-gate", n=n, type=kind, max=most, depth=depth)
    reachable = TrainGate(n, kind, most, depth).reachable()
    assert knower.loads(made.ispl).check("true", engine="explicit").states == len(reachable)
    assert made.states in (None, len(reachable))
    crowded = any(sum(train.place == "tunnel" for train in state.trains) > 1 for state in reachable)
    assert crowded == (kind != 3)


def test_correct_trains_have_as_many_states_however_they_are_asked_for() -> None:
    for_type = families.instance("train-gate", type=3)
    for_number = families.instance("train-gate", type=1, correct=2)
    assert for_type.states == for_number.states == 398
    assert all(for_type.expected) and all(for_number.expected)


# -- parameters ---------------------------------------------------------------------------------------


@every
def test_a_family_describes_itself(family: Family) -> None:
    assert FAMILIES[family.name] is family
    assert family.description and "\n" not in family.description
    assert family.parameters[0].name == "n"
    assert all(one.help and one.admits(one.default) for one in family.parameters)


@every
def test_smallest_and_default_members_are_accepted(family: Family) -> None:
    lowest = {one.name: one.low for one in family.parameters if isinstance(one, Number)}
    for text in (families.generate(family.name), families.generate(family.name, **lowest)):
        assert knower.loads(text).formulae


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("counter", {"n": 10**9}),
        ("prisoners", {"n": 100}),
        ("go-back-n", {"n": 9}),
        ("go-back-n", {"n": 7, "window": 7, "line": "free"}),
        ("train-gate", {"n": 12}),
    ],
    ids=_name,
)
def test_large_members_are_accepted(name: str, values: dict[str, Any]) -> None:
    made = families.instance(name, **values)
    assert len(knower.loads(made.ispl).formulae) == len(made.expected)


def test_families_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        FAMILIES["counter"].name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "values", "code", "cure"),
    [
        ("conter", {}, "E605", "did you mean `counter`?"),
        ("counter", {"m": 4}, "E600", "known: `n`"),
        ("counter", {"n": 5}, "E605", "allowed: from 2 to 1000000000, in steps of 2"),
        ("counter", {"n": 0}, "E605", "allowed: from 2 to 1000000000, in steps of 2"),
        ("counter", {"n": "4"}, "E605", "allowed: from 2 to 1000000000, in steps of 2"),
        ("prisoners", {"n": True}, "E605", "allowed: from 3 to 1000"),
        ("prisoners", {"n": 1001}, "E605", "allowed: from 3 to 1000"),
        ("prisoners", {"fairness": "maybe"}, "E605", "allowed: on or off"),
        ("go-back-n", {"window": 1}, "E605", "allowed: from 2 to 100"),
        ("go-back-n", {"line": "dead"}, "E605", "allowed: bursts or free"),
        ("train-gate", {"type": 4}, "E605", "allowed: from 1 to 3"),
        ("train-gate", {"depth": 6}, "E605", "allowed: from 1 to 5"),
        ("train-gate", {"n": 4, "correct": 5}, "E605", "allowed: from 0 to 4"),
    ],
    ids=_name,
)
def test_bad_parameters(name: str, values: dict[str, Any], code: str, cure: str) -> None:
    with pytest.raises(knower.InputError) as caught:
        families.generate(name, **values)
    (found,) = caught.value.diagnostics
    assert (found.code, found.cure) == (code, cure)
