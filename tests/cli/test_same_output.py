"""The same input gives the same output, whatever order Python's hashes put sets in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
#: Several formulas a model: of states, of paths, on finite traces, of strategies.
ASKED = {
    "bit_transmission": [
        "CTL* E G !bit_received", "LTL F bit_received -> F ack_received", "LDL [true;line_works]ack_received",
        "LDLf <true*>ack_received", "AG (ack_received -> K(Sender, bit_received))",
        "GCK(partners, bit_is_zero)",
    ],
    "strongly_connected": ["CTL* E F G indoors and E F G !indoors", "LTL G F indoors"],
    "muddy_children": ["LTL before and muddy1 -> X K(Child1, muddy1)", "EF K(Child1, muddy1)"],
    "counter": ["LTL G F top", "CTL* E (F top and G F !top)"],
    "tian_ji": ["<TianJi>F tian_ji_wins", "<King>F tian_ji_wins"],
}  # fmt: skip
SCRIPT = """
import json, sys
import knower
from knower.report.data import result_data

asked, engine = json.loads(sys.argv[1]), sys.argv[2]
for path, formulas in asked.items():
    for reading in ("objective", "uniform"):
        result = knower.load(path).check(*formulas, engine=engine, atl=reading, evidence="all")
        data = result_data(result)
        for formula in data["formulas"]:
            del formula["seconds"]
        print(json.dumps(data))
"""


def printed(seed: int, engine: str) -> str:
    asked = json.dumps({str(EXAMPLES / f"{name}.ispl"): formulas for name, formulas in ASKED.items()})
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", SCRIPT, asked, engine]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("engine", ["explicit", "auto"])
def test_hash_seeds_do_not_matter(engine: str) -> None:
    first = printed(0, engine)
    assert '"evidence": {' in first
    for seed in (1, 2, 3):
        assert printed(seed, engine) == first
