"""What others say of the problems that formulas are reduced to: `pdr` of Berkeley's ABC, by AIGER files."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from engines import Asker, computing
from knower.errors import KnowerError
from knower.logic.language import Specification
from knower.options import Search
from knower.pdr.aiger import aiger
from knower.pdr.prover import Outcome, Safe
from knower.pdr.reduction import Problem

ABC = shutil.which("berkeley-abc") or shutil.which("abc")


def reduced(
    reference: Asker, spec: Specification, seconds: float = 3
) -> list[tuple[Problem, Outcome, float]]:
    """The problems by which a formula was decided, with what came of them and the seconds that took."""
    model = Asker("pdr", reference.system, computing(seconds), reference.reading, search=Search(bound=3))
    proofs, found = model.engine._proofs, []
    decide = proofs.outcome

    def told(problem: Problem, trail: object = None) -> Outcome:
        began = time.process_time()
        outcome = decide(problem, trail)
        found.append((problem, outcome, time.process_time() - began))
        return outcome

    proofs.outcome = told
    with suppress(KnowerError):
        model.check(spec)
    return found


def is_safe(problem: Problem, seconds: int = 20) -> tuple[bool | None, float]:
    """Whether nothing bad is reached, as ABC says, and how long it took; None: it does not say."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.aig"
        path.write_bytes(aiger(problem))
        began = time.monotonic()
        asked = [ABC, "-c", f"read_aiger {path}; strash; pdr -T {seconds}"]
        told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
        took = time.monotonic() - began
    if "Property proved" in told:
        return True, took
    return (False, took) if "was asserted in frame" in told else (None, took)


def agrees(problem: Problem, outcome: Outcome) -> bool | None:
    told, _ = is_safe(problem)
    return None if told is None else told == isinstance(outcome, Safe)
