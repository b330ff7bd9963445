"""Uniform strategies: how far they are found, and what limits that.

    python benchmarks/uniform.py            # the rows below, each in a process of its own
    python benchmarks/uniform.py --limit 600 tian-ji-7-hidden castles-2-2-2
    python benchmarks/uniform.py --without-sat --limit 60    # by the search for those without python-sat

For each row: verdict, states, lost plays (clauses), observations met by them, seconds of computing
and the memory of the process. Each row asks one question with `--atl uniform`, without evidence.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

_STRANGERS = Path(__file__).resolve().parents[2] / "shared" / "bench" / "strangers"

#: Name: a family with parameters, or a file; and what is asked (None: the first formula of the model).
ROWS: dict[str, tuple[str, dict[str, int | str], str | None]] = {
    **{f"strangers-{name}": (f"uniform/{name}.ispl", {}, None)
       for name in ("tianji_3", "tianji_4", "bridge_2", "voting_2", "castles_1")},
    **{f"tian-ji-{n}-{king}": ("tian-ji", {"n": n, "king": king}, "<TianJi>F win")
       for n, king in ((6, "shown"), (7, "shown"), (8, "shown"), (6, "hidden"), (7, "hidden"))},
    **{f"bridge-{n}": ("bridge", {"n": n, "tricks": 2}, "<South>F made") for n in (3, 4, 5)},
    "castles-1-1-1": ("castles", {}, "<allies>F down3"),
    "castles-2-2-1": ("castles", {"n": 2}, "<allies>F down3"),
    "castles-2-2-2": ("castles", {"n": 2, "third": 2}, "<allies>F down3"),
    "castles-3-3-3": ("castles", {"n": 3, "third": 3}, "<allies>F down3"),
    "castles-2-2-2-peace": ("castles", {"n": 2, "third": 2}, "<allies>G !down1"),
    "voting-6x3": ("voting", {"n": 6, "candidates": 3}, None),
    "robots-3-6x6": ("robots", {"n": 3, "width": 6, "height": 6}, "<robots>F (together and corner)"),
    "robots-4-8x8": ("robots", {"n": 4, "width": 8, "height": 8}, "<robots>F (together and corner)"),
    "robots-2-3x3-blind": ("robots", {"sensors": "none"}, "<robots>F (together and corner)"),
    "robots-2-3x3-meet": ("robots", {}, "<robots>F together"),
    "selene": ("selene_3_2_1_1_1_2.ispl", {}, None),
    **{f"selene-{n}-{k}": ("selene", {"n": n, "coerced": k}, None) for n, k in ((4, 1), (5, 1), (4, 2))},
    "castles-2-2-1-stv": ("castles_2-2-1_3.ispl", {}, None),
}  # fmt: skip


def measured(name: str, limit: float, *, solver: bool = True) -> dict[str, object]:
    """One row, in this process."""
    import knower
    from knower.checking import uniform
    from knower.checking.diagram_engine import diagram_engine
    from knower.errors import LimitReached
    from knower.families import generate
    from knower.limits import Budget
    from knower.options import AtlReading, How, Reading
    from knower.query.query import query

    if not solver:
        uniform.is_available = lambda: False  # type: ignore[attr-defined]
    source, values, asked = ROWS[name]
    is_file = source.endswith(".ispl")
    system = knower.load(_STRANGERS / source) if is_file else knower.loads(generate(source, **values))
    spec = system.parse(asked if asked is not None else str(system.formulae[0]))
    began = time.process_time()
    engine = diagram_engine(system.interpreted, Budget(seconds=limit), How(), loops=False)
    try:
        ((_, answer),) = engine.decide([query(spec, Reading(atl=AtlReading.UNIFORM), system.interpreted)])
        verdict = answer.verdict.value
    except LimitReached as reached:
        verdict = str(reached)
    figures = engine.statistics()
    return {
        "row": name,
        "verdict": verdict,
        "states": engine.states,
        "clauses": figures.get("clauses", 0),
        "observations": figures.get("observations met", 0),
        "seconds": round(time.process_time() - began, 2),
        "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", default=list(ROWS))
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--here", action="store_true", help="one row, in this process")
    parser.add_argument("--without-sat", action="store_true", help="as if python-sat were not installed")
    given = parser.parse_args()
    if given.here:
        print(json.dumps(measured(given.rows[0], given.limit, solver=not given.without_sat)))
        return
    for row in given.rows:
        command = [sys.executable, __file__, "--here", "--limit", str(given.limit), row]
        command += ["--without-sat"] if given.without_sat else []
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        print(done.stdout.strip() or f"{row}: {done.stderr.strip().splitlines()[-1]}", flush=True)


if __name__ == "__main__":
    main()
