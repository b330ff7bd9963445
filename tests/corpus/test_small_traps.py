"""Small models that plausible methods get wrong: every engine, in every reading."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines import has_sdd, has_solver
from knower.functions.registry import available
from knower.session import load

TRAPS = Path(__file__).parents[3] / "shared" / "traps"
EXPECTED = json.loads((TRAPS / "expected.json").read_text()) if TRAPS.is_dir() else {}
CASES = [(name, reading) for name, readings in EXPECTED.items() for reading in readings]

WAYS = [
    {"engine": "explicit"},
    *([{"engine": "bdd"}, {"method": "bmc"}] if available() else []),
    *([{"engine": "sdd"}] if has_sdd else []),
    *([{"method": "sat"}, {"method": "pdr"}] if has_solver else []),
]


@pytest.mark.skipif(not EXPECTED, reason="the folder of traps is not beside the project")
@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
@pytest.mark.parametrize(("name", "reading"), CASES or [("absent", "")])
def test_nobody_falls_into_a_trap(name, reading, way):
    atl, _, policy = reading.partition(", ")
    options = {"atl": atl, "on_deadlock": policy or "warn", **way}
    found = [result.verdict.value for result in load(TRAPS / f"{name}.ispl").check(**options)]
    if way.get("method") in ("sat", "pdr"):  # it may not know
        found = [
            wanted if mine == "unknown" else mine
            for mine, wanted in zip(found, EXPECTED[name][reading], strict=True)
        ]
    assert found == EXPECTED[name][reading]
