"""How many true formulas of the families are proved without looking at all states.

    python benchmarks/proofs.py                          # pdr, 60 CPU seconds for each formula
    python benchmarks/proofs.py --method sat --seconds 20
    python benchmarks/proofs.py --only train-gate
    python benchmarks/proofs.py --engine                 # CPU seconds of bdd for the same models

Sizes are such that diagrams need a second or more. Formulas that a method refuses, and says so, do not
count. The dining cryptographers stand apart: what they reach is a parity, which takes exponentially many
clauses.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

import knower
import knower.pdr.pdr_engine
import knower.sat.sat_engine
from knower.families import instance
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic.fold import subformulas
from knower.logic.kinds import is_propositional
from knower.logic.language import Specification
from knower.query.closing import closed
from knower.reasons import Refused
from knower.system.system import InterpretedSystem

Row = dict[str, object]

MODELS: tuple[tuple[str, dict[str, int | str]], ...] = (
    ("bit-transmission", {"n": 10}),
    ("bit-transmission", {"n": 10, "variant": "faulty2", "line": "fair"}),
    ("book-store", {"n": 10}),
    ("byzantine-generals", {"n": 50}),
    ("byzantine-generals", {"n": 50, "fairness": "all"}),
    ("card-game", {"n": 16}),
    ("castles", {"n": 2}),
    ("counter", {"n": 100_000}),
    ("go-back-n", {"n": 4}),
    ("muddy-children", {"n": 20}),
    ("needham-schroeder", {"n": 2}),
    ("needham-schroeder", {"n": 2, "variant": "fixed"}),
    ("prisoners", {"n": 30}),
    ("pursuit-evasion", {"n": 100}),
    ("robots", {"n": 3, "width": 6, "height": 6}),
    ("russian-cards", {"n": 3}),
    ("tian-ji", {"n": 20}),
    ("train-gate", {"n": 6, "type": 3, "max": 20, "depth": 5}),
    ("voting", {"n": 6}),
)
PARITY: tuple[tuple[str, dict[str, int | str]], ...] = (("dining-cryptographers", {"n": 8}),)
_KNOWLEDGE = f.K | f.GK | f.DK | f.GCK | f.M | f.MGK | f.MDK | f.MGCK
#: A process is ended by the machine when its CPU seconds are over, or so many later.
_GRACE = 5


def kind(spec: Specification, system: InterpretedSystem) -> str:
    """Invariants, formulas with knowledge, and the others."""
    formula = closed(spec, system)
    if any(isinstance(item, _KNOWLEDGE) for item in subformulas(formula)):
        return "knowledge"
    match formula:
        case f.AG(sub) | f.EF(sub) | f.A(f.G(sub)) | f.A(f.Box(f.Star(), sub)) if is_propositional(sub):
            return "invariants"
        case _:
            return "others"


def attempts(
    name: str, values: dict[str, int | str], method: str, seconds: int
) -> Iterator[dict[str, object]]:
    """What becomes of each true formula, each in a process of its own."""
    made = instance(name, **values)
    system = knower.loads(made.ispl).interpreted
    for number, (spec, expected) in enumerate(zip(system.formulae, made.expected, strict=True)):
        if expected is not True:
            continue
        verdict, refused, cpu = _apart(made.ispl, number, method, seconds)
        told = {"model": f"{name} {_spelled(values)}".strip(), "formula": number + 1}
        yield told | {"kind": kind(spec, system), "verdict": verdict, "refused": refused, "cpu": cpu}


def _spelled(values: dict[str, int | str]) -> str:
    return " ".join(f"{name}={value}" for name, value in values.items())


def _apart(text: str, number: int, method: str, seconds: int) -> tuple[str, str, float]:
    ours, theirs = multiprocessing.Pipe()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = multiprocessing.get_context("fork").Process(
        target=_answer, args=(theirs, text, number, method, seconds)
    )
    child.start()
    theirs.close()
    verdict, refused = "unknown", ""
    with suppress(EOFError):
        while True:  # the last word counts
            verdict, refused = _later(ours.recv(), (verdict, refused))
    child.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return verdict, refused, round(after.ru_utime - before.ru_utime, 1)


def _later(told: tuple[str, str], before: tuple[str, str]) -> tuple[str, str]:
    """What is refused stays so, unless it was shown all the same."""
    return before if before[1] and told[0] == "unknown" else told


def _answer(pipe: object, text: str, number: int, method: str, seconds: int) -> None:
    from knower.engine.registry import picks
    from knower.options import How, Reading, Search
    from knower.query.query import queries

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + _GRACE))
    system = knower.loads(text).interpreted
    (query,) = queries([system.formulae[number]], Reading(), system)
    for bound in (0, None):  # what is refused may have a witness, which bounded checking finds
        how = How(search=Search(method, bound if method == "pdr" else None))
        (pick,) = picks(how)
        refused = pick.refuses(query)
        if refused is not None:
            told = "unknown", refused.why
            break
        ((_, answer),) = pick.make(system, Budget(), how, loops=False).decide([query])
        told = answer.verdict.value, answer.reason.why if isinstance(answer.reason, Refused) else ""
        if told[0] == "true":
            break
        pipe.send(told)
    pipe.send(told)


def diagrams(name: str, values: dict[str, int | str], seconds: int) -> str:
    """CPU seconds of the engine `bdd` for all formulas of a model."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with knower.Session() as session:
        found = session.loads(instance(name, **values).ispl).check(
            engine="bdd", evidence="none", time_limit=seconds
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    undecided = sum(each.verdict.value == "unknown" for each in found)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"{name} {_spelled(values)}: bdd {cpu:.1f} CPU s, {undecided} undecided"


def table(rows: list[Row]) -> str:
    """Proved of those that are true and not refused, by kinds."""
    asked: Counter[object] = Counter()
    proved: Counter[object] = Counter()
    for row in rows:
        if not row["refused"]:
            asked[row["kind"]] += 1
            proved[row["kind"]] += row["verdict"] == "true"
    lines = [f"{name}: {proved[name]} of {asked[name]}" for name in asked]
    return "\n".join([*lines, f"all: {sum(proved.values())} of {sum(asked.values())}"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--method", choices=("pdr", "sat"), default="pdr")
    parser.add_argument("--seconds", type=int, default=60, help="CPU seconds for each formula")
    parser.add_argument("--only", nargs="*", help="some families")
    parser.add_argument("--engine", action="store_true", help="measure bdd instead")
    chosen = parser.parse_args()
    rows = list[Row]()
    for name, values in (*MODELS, *PARITY):
        if chosen.only and name not in chosen.only:
            continue
        if chosen.engine:
            print(diagrams(name, values, chosen.seconds), flush=True)
            continue
        for row in attempts(name, values, chosen.method, chosen.seconds):
            print(json.dumps(row), flush=True)
            rows += [row] if (name, values) in MODELS else []
    if rows:
        print(table(rows), file=sys.stderr)


if __name__ == "__main__":
    main()
