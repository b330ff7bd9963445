"""Families of games whose players do not see everything: what they can do with and without sight."""

from __future__ import annotations

from typing import Any

import pytest
from members import comments_tell, confirm, is_clean

import knower
from knower.families.bridge import BRIDGE
from knower.families.castles import CASTLES
from knower.families.family import Family
from knower.families.robots import ROBOTS
from knower.families.selene import SELENE
from knower.functions.registry import PYSAT, available, is_here

#: Members, by family and parameters, and what of the first questions holds with `--atl uniform`.
MEMBERS: list[tuple[Family, dict[str, Any], tuple[bool, ...]]] = [
    (BRIDGE, {"n": 1}, (True, True)),
    (BRIDGE, {"n": 2}, (False, True)),
    (BRIDGE, {"tricks": 2}, (True, True)),
    (CASTLES, {"lives": 2}, (True, False)),
    (CASTLES, {}, (True, False)),
    (CASTLES, {"n": 2, "lives": 2}, (True, False)),
    (ROBOTS, {"width": 2, "height": 2}, (True, True, False)),
    (ROBOTS, {"width": 3, "height": 2}, (True, True, False)),
    (ROBOTS, {"width": 2, "height": 2, "sensors": "none"}, (False, False, False)),
    (ROBOTS, {"sensors": "none"}, (False, False, False)),
    (SELENE, {"n": 2}, (False, False, True, False, False)),
    (SELENE, {}, (True, False, True, False, False)),
    (SELENE, {"candidates": 3}, (False, False, True, False, False)),
    (SELENE, {"n": 2, "coerced": 2}, (False, False, True, False, False)),
    (SELENE, {"n": 3, "coerced": 2}, (False, False, True, False, False)),
]

members = pytest.mark.parametrize(
    ("family", "values", "uniform"), MEMBERS, ids=lambda each: getattr(each, "name", None)
)


@members
def test_members_are_as_they_say(family: Family, values: dict[str, Any], uniform: tuple[bool, ...]) -> None:
    made = family.instance(**values)
    is_clean(made)
    comments_tell(made)
    confirm(made, engine="explicit")


@members
def test_what_can_be_done_without_sight(
    family: Family, values: dict[str, Any], uniform: tuple[bool, ...]
) -> None:
    if not available() or not is_here(PYSAT):
        pytest.skip("needs a library of decision diagrams and a solver")
    system = knower.loads(family.instance(**values).ispl)
    result = system.check(*system.formulae[: len(uniform)], atl="uniform", evidence="none")
    assert [one.verdict.value == "true" for one in result] == list(uniform)
