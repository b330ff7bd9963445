"""The models that were too hard, or far slower than they should be, measured: CPU seconds and peak memory.

    python benchmarks/walls.py                       # all, three times each
    python benchmarks/walls.py --only muddy --limit 300 --json walls.json

`--only` takes names, or beginnings of them, separated by commas. Rows of families are generated; the others
read models of `--shared`, and are left out where that folder is absent. `walls_models.py` has the rows.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from walls_models import Wall, walls

HERE = Path(__file__).resolve().parent
SHARED = HERE.parent.parent / "shared"
#: A row that takes longer is measured once.
LONG = 60.0


@dataclass(frozen=True)
class Run:
    """One process with those it starts: CPU seconds, megabytes of the largest; whether it came to its end."""

    cpu: float
    megabytes: float
    finished: bool
    output: str


@dataclass(frozen=True)
class Figure:
    """The medians of the runs of a row. `right`: whether the verdicts are those to be expected, if known."""

    name: str
    before: str
    goal: str
    cpu: float
    megabytes: float
    finished: bool
    right: bool | None
    runs: int


def run(command: list[str], limit: float) -> Run:
    """Run a command; after `limit` seconds of wall time it and all it has started are ended.

    Python keeps what it compiles, as it does where Knower is installed: 0.2 to 0.4 s of each run otherwise.
    """
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(
            command, stdout=out, stderr=subprocess.DEVNULL, start_new_session=True, env=compiled
        )
        timer = threading.Timer(limit, os.killpg, (child.pid, signal.SIGKILL))
        timer.start()
        _, status, used = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode(errors="replace")
    return Run(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, child.returncode >= 0, text)


def measured(wall: Wall, folder: Path, repeat: int, limit: float) -> Figure:
    command = [sys.executable, "-m", "knower", *wall.command(folder)]
    runs = [run(command, limit)]
    while len(runs) < repeat and runs[0].finished and runs[0].cpu < LONG:
        runs.append(run(command, limit))
    return Figure(
        wall.name,
        wall.before,
        wall.goal,
        round(median(each.cpu for each in runs), 2),
        round(median(each.megabytes for each in runs)),
        all(each.finished for each in runs),
        _right(wall, runs[0]),
        len(runs),
    )


def _right(wall: Wall, found: Run) -> bool | None:
    """Whether each formula has the verdict that is expected of it."""
    if not wall.verdicts:
        return None
    try:
        formulas = json.loads(found.output)["formulas"]
    except (ValueError, KeyError):
        return False
    return tuple(formula["verdict"] for formula in formulas) == wall.verdicts


def _yardstick(shared: Path) -> str:
    """How long a fixed workload takes here, and where the figures from before come from.

    In a process of its own: a child begins with the peak memory of who starts it, so none would be smaller.
    """
    folder = shared / "bench"
    if not (folder / "yardstick.py").exists():
        return "not here"
    script = "from yardstick import yardstick; print(yardstick())"
    told = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True
    )
    return f"{float(told.stdout):.2f} s (0.53 s where the figures from before were taken)"


def shown(figure: Figure, limit: float) -> str:
    time = f"{figure.cpu:.2f} s" if figure.finished else f"> {limit:g} s"
    note = "" if figure.right is not False or not figure.finished else " (wrong or unknown)"
    return f"| {figure.name} | {figure.before} | {figure.goal} | {time}{note} | {figure.megabytes:.0f} MB |"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="names, or beginnings of them, separated by commas")
    parser.add_argument("--list", action="store_true", help="only tell the names")
    parser.add_argument("--repeat", type=int, default=3, help="runs of a row that takes less than a minute")
    parser.add_argument("--limit", type=float, default=900, help="wall seconds for a run")
    parser.add_argument("--shared", type=Path, default=SHARED, help="the folder with models of others")
    parser.add_argument("--json", type=Path, help="keep the figures in this file")
    options = parser.parse_args()
    only = tuple(filter(None, options.only.split(",")))
    chosen = [wall for wall in walls(options.shared) if not only or wall.name.startswith(only)]
    if options.list:
        print("\n".join(wall.name for wall in chosen))
        return 0
    figures: list[Figure] = []
    print(f"yardstick: {_yardstick(options.shared)}\n")
    print("| wall | before | goal | now | memory |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for wall in chosen:
            figures.append(measured(wall, Path(folder), options.repeat, options.limit))
            print(shown(figures[-1], options.limit), flush=True)
    if options.json:
        machine = {"python": platform.python_version(), "machine": platform.machine()}
        rows = [asdict(figure) for figure in figures]
        options.json.write_text(
            json.dumps({**machine, "limit": options.limit, "rows": rows}, indent=1) + "\n"
        )
    return 1 if any(figure.finished and figure.right is False for figure in figures) else 0


if __name__ == "__main__":
    raise SystemExit(main())
