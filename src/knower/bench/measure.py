"""One run of `knower check` in a process of its own: what it answers, and what it needs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from knower.bench.prepare import Job
from knower.records import dataclass

#: A small process in between: memory is told of the largest child, and this one may be larger.
_BETWEEN = """
import json, resource, subprocess, sys
limit, *command = sys.argv[1:]
try:
    done = subprocess.run(command, capture_output=True, text=True, timeout=float(limit))
    answer, complaint = done.stdout, done.stderr
except subprocess.TimeoutExpired:
    answer, complaint = None, ""
used = resource.getrusage(resource.RUSAGE_CHILDREN)
unit = 1024 ** 2 if sys.platform == "darwin" else 1024
print(json.dumps([answer, complaint, used.ru_utime + used.ru_stime, used.ru_maxrss / unit]))
"""
#: How long a process may take, beyond the limit, to end by itself, in seconds.
_GRACE = 5.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use: seconds and megabytes."""

    seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a run. `stopped` says why there is no answer: a limit was met, or something failed.

    `model` are the seconds until the states were explored, `check` those for the formulas alone;
    `length` is the number of states of the first path of the evidence, if evidence was asked for;
    `clauses` is how many were given to a SAT solver.
    """

    verdicts: tuple[str, ...]
    cpu: float
    wall: float
    memory: float
    model: float | None = None
    check: float | None = None
    states: int | None = None
    length: int | None = None
    clauses: int | None = None
    stopped: str = ""

    @property
    def at_limit(self) -> bool:
        """Whether more time or memory might have helped."""
        return "limit" in self.stopped


def measured(job: Job, limits: Limits) -> Measured:
    """Run the job; it is stopped at the limits, and when this program is interrupted."""
    started = time.perf_counter()
    answer, complaint, cpu, memory = _run(job, limits)
    wall = time.perf_counter() - started
    if not answer:
        reason = f"time limit of {limits.seconds:g} s" if answer is None else _last_line(complaint)
        return Measured((), cpu, wall, memory, stopped=reason)
    return _read(json.loads(answer), cpu, wall, memory)


def _run(job: Job, limits: Limits) -> tuple[str | None, str, float, float]:
    """Output, complaint, CPU seconds and megabytes; no output if the process had to be killed."""
    between = [sys.executable, "-c", _BETWEEN, str(limits.seconds + _GRACE)]
    process = subprocess.Popen(
        [*between, *command(job, limits)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(job.model)
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    answer, complaint, cpu, memory = json.loads(output)
    return answer, complaint, cpu, memory


def command(job: Job, limits: Limits) -> list[str]:
    """What is run; the model comes on standard input."""
    bounds = ["--time-limit", f"{limits.seconds:g}", "--memory-limit", f"{limits.megabytes:g}"]
    return [
        *(sys.executable, "-m", "knower", "check", "-", "--format", "json", "--verbose"),
        *(*bounds, *job.arguments),
    ]


def _read(answer: dict[str, Any], cpu: float, wall: float, memory: float) -> Measured:
    """The figures of a run that has answered in JSON."""
    if "formulas" not in answer:
        problem = answer["errors"][0]["message"] if answer.get("errors") else "no answer"
        return Measured((), cpu, wall, memory, stopped=problem)
    first, *asked = answer["formulas"]
    return Measured(
        verdicts=tuple(one["verdict"] for one in asked),
        cpu=cpu,
        wall=wall,
        memory=memory,
        model=first["seconds"],
        check=sum(one["seconds"] for one in asked),
        states=answer["states"] or answer["statistics"].get("states visited"),
        length=_length(asked),
        clauses=answer["statistics"].get("clauses"),
        stopped=next((one["reason"] for one in (first, *asked) if one["verdict"] == "unknown"), ""),
    )


def _length(asked: Sequence[dict[str, Any]]) -> int | None:
    """Of the first evidence: its way from an initial state, or what is proved of that state by a path."""
    for one in asked:
        if one["evidence"]:
            first = one["evidence"]["cases"][0]
            runs = [first["run"], *([first["proof"]["run"]] if "run" in first["proof"] else [])]
            return max(len(run["states"]) for run in runs)
    return None


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no answer"
