"""Measure `knower check` on the benchmark models, beside the peer's recorded times."""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
BENCH = HERE.parent.parent / "shared" / "bench"
FIGURES = HERE / "figures.json"
PAGE = HERE.parent / "docs" / "performance.md"
LIMIT = 3600.0

#: How long an instance without a peer's time may take, in seconds.
GOALS = {
    "dc_60": 10, "tgc_12_5": 10, "tgc_10_20": 10, "tianji_40": 120, "counter_1048576": 180,
    "muddy_60": 600, "prisoners_50": 600,
}  # fmt: skip


@dataclass(frozen=True)
class Instance:
    """A model with its expected verdicts and, where there is one, the peer's time here."""

    name: str
    file: Path
    verdicts: tuple[str, ...]
    peer: float | None = None
    peer_finished: bool = True
    wanted: float | None = None


@dataclass(frozen=True)
class Figure:
    """What was measured: the median of several runs."""

    name: str
    states: int | None
    cpu: float
    wall: float
    megabytes: float
    right: bool
    peer: float | None
    peer_finished: bool
    wanted: float | None


def instances() -> Iterator[Instance]:
    sys.path.insert(0, str(BENCH))
    from yardstick import yardstick

    table = json.loads((BENCH / "peer.json").read_text())
    here = yardstick()
    print(f"yardstick: here {here:.3f} s, where the peer was measured {table['yardstick']:.3f} s")
    for row in table["instances"]:
        file = BENCH / "models" / f"{row['name']}.ispl"
        seconds = row["seconds"] * here / table["yardstick"]
        yield Instance(
            row["name"], file, _words(row["verdicts"]), seconds, row.get("finished", True), row["wanted"]
        )
    for name, row in json.loads((BENCH / "scale" / "expected.json").read_text()).items():
        yield Instance(name, BENCH / "scale" / f"{name}.ispl", _words(row["verdicts"]))


def _words(verdicts: list[bool]) -> tuple[str, ...]:
    return tuple("true" if verdict else "false" for verdict in verdicts)


def measured(instance: Instance, repeat: int) -> Figure:
    runs = [_run(instance.file) for _ in range(repeat)]
    cpu, _, megabytes, answer = sorted(runs, key=lambda run: run[0])[len(runs) // 2]
    right = tuple(formula["verdict"] for formula in answer.get("formulas", ())) == instance.verdicts
    return Figure(
        instance.name, answer.get("states"), round(cpu, 2), round(median(run[1] for run in runs), 2),
        round(megabytes), right, instance.peer and round(instance.peer, 2), instance.peer_finished,
        instance.wanted,
    )  # fmt: skip


def _run(file: Path) -> tuple[float, float, float, dict]:
    """CPU and wall seconds, megabytes and the answer of one process (with those it starts)."""
    code = (
        "import json, resource, subprocess, sys;"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True);"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN);"
        "print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, done.stdout]))"
    )
    command = [sys.executable, "-m", "knower", "check", str(file), "--format", "json"]
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, timeout=LIMIT
    )
    wall = time.perf_counter() - started
    cpu, megabytes, output = json.loads(done.stdout)
    return cpu, wall, megabytes, json.loads(output)


def shown(figure: Figure) -> str:
    peer = "" if figure.peer is None else f"{figure.peer:10.2f} {figure.peer / figure.cpu:8.1f}x"
    note = "" if figure.right else "   wrong or unknown"
    return f"{figure.name:18} {figure.cpu:8.2f} s {figure.wall:8.2f} s {figure.megabytes:6} MB {peer}{note}"


# -- the page -----------------------------------------------------------------------------------------


def tables(figures: list[Figure]) -> str:
    """The tables of docs/performance.md."""
    first = ["| model | states | MCMAS | Knower | factor | memory |", "|---|---|---|---|---|---|"]
    second = ["| model | states | time | goal | memory |", "|---|---|---|---|---|"]
    for figure in figures:
        states = (
            "–"
            if figure.states is None
            else f"{figure.states:.3g}"
            if figure.states > 10**9
            else str(figure.states)
        )
        if figure.peer is None:
            goal = f"{GOALS[figure.name]} s" if figure.name in GOALS else "–"
            second.append(
                f"| {figure.name} | {states} | {figure.cpu:.1f} s | {goal} | {figure.megabytes} MB |"
            )
        else:
            more = "" if figure.peer_finished else "> "
            first.append(
                f"| {figure.name} | {states} | {more}{figure.peer:.2f} s | {figure.cpu:.2f} s "
                f"| {more}{figure.peer / figure.cpu:.1f} | {figure.megabytes} MB |"
            )
    return "\n".join([*first, "", "## Larger", "", *second])


def write(figures: list[Figure]) -> None:
    head, begin, rest = PAGE.read_text().partition("<!-- figures -->\n")
    _, end, tail = rest.partition("<!-- end of figures -->")
    PAGE.write_text(f"{head}{begin}\n{tables(figures)}\n\n{end}{tail}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="keep the figures and write the page")
    options = parser.parse_args()
    if not BENCH.is_dir():
        print("the models of ../shared/bench are not here", file=sys.stderr)
        return 2
    only = set(filter(None, options.only.split(",")))
    figures: list[Figure] = []
    for instance in instances():
        if not only or instance.name in only:
            figures.append(measured(instance, options.repeat))
            print(shown(figures[-1]), flush=True)
    if options.write:
        known = {row["name"]: Figure(**row) for row in _kept()} | {figure.name: figure for figure in figures}
        machine = {"python": platform.python_version(), "machine": platform.machine()}
        rows = [asdict(figure) for figure in known.values()]
        FIGURES.write_text(json.dumps({**machine, "figures": rows}, indent=1) + "\n")
        write(list(known.values()))
    return 0 if all(figure.right for figure in figures) else 1


def _kept() -> list[dict]:
    return json.loads(FIGURES.read_text())["figures"] if FIGURES.exists() else []


if __name__ == "__main__":
    raise SystemExit(main())
