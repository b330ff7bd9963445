"""Measure formulas of LTL, CTL*, LDL and CDL* beside CTL: tables 8.1 to 8.6 of the report on MCMAS-Dynamic.

Each formula is checked by a process of its own, after `true`, which pays for the exploration of the model.
The ratio compares seconds of checking alone with those of the same specification in CTLK.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from measure import HERE

import knower
from knower import families

HEAD = "| size | spec | logic | verdict | CPU s | model s | check s | ratio | MB |\n|" + 9 * "---|"
#: A small process in between: what this one uses must not count.
MEASURE = """
import json, resource, subprocess, sys
limit, *command = sys.argv[1:]
try:
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=float(limit)).stdout
except subprocess.TimeoutExpired:
    answer = None
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([answer, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


@dataclass(frozen=True)
class Question:
    """A specification in one logic, and the verdict to be expected."""

    spec: int
    formula: str
    expected: bool = True

    @property
    def logic(self) -> str:
        prefix = self.formula.split(maxsplit=1)[0]
        return prefix if prefix.startswith(("LTL", "CTL", "LDL", "CDL")) else "CTLK"


@dataclass(frozen=True)
class Table:
    """Questions about models of several sizes; a size like `7x4` is two numbers."""

    title: str
    sizes: str
    model: Callable[..., str]
    questions: Callable[..., list[Question]]


@dataclass(frozen=True)
class Figure:
    """What one process needed: CPU seconds and memory; seconds for the model and for the formula."""

    verdict: str
    cpu: float
    megabytes: float
    model: float = 0.0
    check: float = 0.0


# -- models and questions ------------------------------------------------------------------------------


def cryptographers(n: int) -> str:
    """The model of `dc_*.ispl`, for any number of them."""
    all_of_them = range(1, n + 1)
    spoken = " and ".join(f"!(DinCrypt{i}.Action=none)" for i in all_of_them)
    odd = _odd([f"DinCrypt{i}.Action=saydifferent" for i in all_of_them])
    paid = (
        " and ".join(f"DinCrypt{i}.payer={'yes' if i == payer else 'no'}" for i in all_of_them)
        for payer in range(n + 1)
    )
    return f"""
Agent Environment
  Obsvars: numberofodd : {{none, even, odd}}; end Obsvars
  Vars: {" ".join(f"coin{i} : {{head, tail}};" for i in all_of_them)} end Vars
  Actions = {{none}};
  Evolution:
    numberofodd=odd if numberofodd=none and {spoken} and {odd};
    numberofodd=even if numberofodd=none and {spoken} and !{odd};
  end Evolution
end Agent
{"".join(_cryptographer(i, (i - 2) % n + 1) for i in all_of_them)}
Evaluation
  {" ".join(f"c{i}paid if DinCrypt{i}.payer=yes;" for i in all_of_them)}
  odd if Environment.numberofodd=odd; even if Environment.numberofodd=even;
end Evaluation
InitStates
  ({" or ".join(f"({one})" for one in paid)}) and Environment.numberofodd=none and
  {" and ".join(f"DinCrypt{i}.seedifferent=empty" for i in all_of_them)};
end InitStates
Groups g1 = {{{", ".join(f"DinCrypt{i}" for i in all_of_them)}}}; end Groups
"""


def _odd(conditions: list[str]) -> str:
    """That an odd number of the conditions hold."""
    if len(conditions) == 1:
        return f"({conditions[0]})"
    half = len(conditions) // 2
    left, right = _odd(conditions[:half]), _odd(conditions[half:])
    return f"(({left} and !{right}) or (!{left} and {right}))"


def _cryptographer(i: int, neighbour: int) -> str:
    return f"""
Agent DinCrypt{i}
  Lobsvars = {{coin{i}, coin{neighbour}}};
  Vars: payer : {{yes, no}}; seedifferent : {{empty, yes, no}}; end Vars
  Actions = {{sayequal, saydifferent, none}};
  Protocol:
    seedifferent=empty : {{none}};
    (payer=no and seedifferent=yes) or (payer=yes and seedifferent=no) : {{saydifferent}};
    Other : {{sayequal}};
  end Protocol
  Evolution:
    seedifferent=no  if seedifferent=empty and Environment.coin{i}=Environment.coin{neighbour};
    seedifferent=yes if seedifferent=empty and Environment.coin{i}<>Environment.coin{neighbour};
  end Evolution
end Agent
"""


def about_cryptographers(n: int) -> list[Question]:
    """What one learns, what nobody learns, and what becomes common knowledge."""
    others = range(2, n + 1)
    pairs = [(i, j) for i in range(1, n + 1) for j in range(1, n + 1) if i != j]
    someone = f"K(DinCrypt1, {' or '.join(f'c{j}paid' for j in others)})"
    not_whom = " and ".join(f"!K(DinCrypt1, c{j}paid)" for j in others)
    claims = (
        f"((odd and !c1paid) -> ({someone} and {not_whom}))",
        f"({' and '.join(f'!K(DinCrypt{i}, c{j}paid)' for i, j in pairs)})",
        f"(even -> GCK(g1, {' and '.join(f'!c{j}paid' for j in (1, *others))}))",
    )
    always = ("AG", "LTL G", "LDL [tt*]")
    return [Question(spec, f"{word} {claim}") for spec, claim in enumerate(claims, 1) for word in always]


def bit_transmission(_: int) -> str:
    return (HERE.parent / "examples" / "bit_transmission.ispl").read_text()


def about_nested_steps(n: int) -> list[Question]:
    """An acknowledgement is possible after n steps."""
    ways = ("EX (" * n, "CTL* " + "E X (" * n, "CDL* " + "E ([tt] " * n)
    return [Question(1, f"{steps}ack_received{')' * n}") for steps in ways]


def about_good_rounds(n: int) -> list[Question]:
    """After n good rounds an acknowledgement is certain."""
    rounds = f"{'X (line_works and ' * (n - 1)}X line_works{')' * (n - 1)}"
    linear = f"({rounds}) -> {'X ' * (n + 1)}ack_received"
    dynamic = f"[tt{'; line_works' * n}]ack_received"
    return [Question(2, text) for text in (f"LTL {linear}", f"CTL* A ({linear})", f"LDL {dynamic}")]


def family(title: str, name: str, sizes: str, specs: tuple[int, ...], *parameters: str) -> Table:
    """A table of a family; `specs` are the numbers of its first formulas in the report."""

    def member(*values: int) -> families.Instance:
        return families.instance(name, **dict(zip(parameters, values, strict=True)))

    def questions(*values: int) -> list[Question]:
        made = member(*values)
        formulas = knower.loads(made.ispl).formulae
        return [Question(*asked) for asked in zip(specs, formulas, made.expected, strict=False)]

    return Table(title, sizes, lambda *values: member(*values).ispl, questions)


TABLES = {
    "8.1": Table("Dining cryptographers", "8 12 16 20", cryptographers, about_cryptographers),
    "8.2": family("Counter", "counter", "1024 65536 1048576", (1, 2, 3, 4, 5), "n"),
    "8.3.1": Table("Nested steps", "500 5000", bit_transmission, about_nested_steps),
    "8.3.2": Table("Good rounds", "2 3 4 5 6 7 8 9 10 20 40", bit_transmission, about_good_rounds),
    "8.4": family("Prisoners (and 8.5)", "prisoners", "5 10 15 20", (1, 1, 1, 2, 2, 2, 3, 4, 4), "n"),
    "8.6": family("Go-Back-N", "go-back-n", "3x2 5x3 7x4", (1, 1, 2, 2, 3, 3), "n", "window"),
}  # fmt: skip


# -- measuring -----------------------------------------------------------------------------------------


def run(file: Path, formula: str, limit: float) -> Figure:
    """One process, which is stopped at the limit."""
    check = [sys.executable, "-m", "knower", "check", str(file), "-f", "true", "-f", formula]
    command = [sys.executable, "-c", MEASURE, str(limit), *check, "--evidence", "none", "--format", "json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    answer, cpu, megabytes = json.loads(done.stdout)
    if not answer:
        return Figure("stopped" if answer is None else "failed", cpu, megabytes)
    model, asked = json.loads(answer)["formulas"]
    return Figure(asked["verdict"], cpu, megabytes, model["seconds"], asked["seconds"])


def rows(table: Table, size: str, repeat: int, limit: float) -> Iterator[str]:
    """The rows of one size, a wrong verdict in bold."""
    values = [int(number) for number in size.split("x")]
    plain: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.ispl"
        file.write_text(table.model(*values))
        for asked in table.questions(*values):
            figures = [run(file, asked.formula, limit) for _ in range(repeat)]
            best = min(figures, key=lambda figure: figure.cpu)
            if asked.logic == "CTLK":
                plain[asked.spec] = best.check
            yield row(size, asked, best, plain.get(asked.spec))


def row(size: str, asked: Question, figure: Figure, plain: float | None) -> str:
    expected = figure.verdict in ("stopped", str(asked.expected).lower())
    verdict = figure.verdict if expected else f"**{figure.verdict}**"
    ratio = f"{figure.check / plain:.1f}" if plain else ""
    seconds = f"{figure.model:.3f} | {figure.check:.4f} | {ratio}" if figure.check else "| |"
    cells = f"{size} | {asked.spec} | {asked.logic} | {verdict} | {figure.cpu:.2f} | {seconds}"
    return f"| {cells} | {figure.megabytes:.0f} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=TABLES, default=[*TABLES])
    parser.add_argument("--sizes", nargs="+", metavar="SIZE", help="in place of those of the table")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="the fastest of so many runs")
    parser.add_argument("--limit", type=float, default=300, metavar="SECONDS", help="for each formula")
    options = parser.parse_args()
    wrong = 0
    for name in options.only:
        print(f"\n## {name} {TABLES[name].title}\n\n{HEAD}")
        for size in options.sizes or TABLES[name].sizes.split():
            for line in rows(TABLES[name], size, options.repeat, options.limit):
                print(line, flush=True)
                wrong += "**" in line
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
