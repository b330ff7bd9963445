"""Bad input never shows a traceback: it gives an error with a line, or a verdict.

Random mutations of every example, files cut at every section, and things that are too deep, too long
or too many. `KNOWER_EXAMPLES=10` runs ten times as many mutations.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from mutations import KINDS, mutated

import knower
from knower.cli.main import cli
from knower.errors import InputError
from knower.report.data import error_data, result_data, to_json
from knower.report.text import info_text, result_text
from knower.session import System
from knower.verdict.verdict import CheckResult, Verdict
from processes import PATIENCE
from sessions import usual_session_of_its_own

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ispl"))
#: Mutations of each kind and example: 100 for each example together.
EACH = max(1, round(4 * float(os.environ.get("KNOWER_EXAMPLES", "1"))))

each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)


@pytest.fixture(autouse=True)
def _little_memory() -> Iterator[None]:
    """What wants to fill the memory of the machine gets a `MemoryError` in time."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.fixture(autouse=True, scope="module")
def _workers_of_their_own() -> Iterator[None]:
    """Those that are started meanwhile have the limit for life."""
    with usual_session_of_its_own():
        yield


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Whatever takes longer is a failure, not an endless wait."""

    def stop(*_: object) -> None:
        pytest.fail(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -- what may come out ------------------------------------------------------------------------------


def judge_errors(error: InputError) -> None:
    """Each error has a code, a message, and its line with a caret."""
    assert error.diagnostics
    for found in error.diagnostics:
        assert re.fullmatch(r"E\d\d\d", found.code)
        assert found.message
        assert found.line is not None and found.line >= 1
        assert found.column is not None and found.column >= 1
        text = found.render()
        assert text.startswith(f"{found.file}:{found.line}:{found.column}: error[{found.code}]: ")
        assert "^" in text
        assert len(text) < 2000
    json.loads(to_json(error_data(error.diagnostics)))


def judge_result(result: CheckResult) -> None:
    assert result.exit_status in (0, 1, 3)
    for found in result:
        assert (found.reason is not None) == (found.verdict is Verdict.UNKNOWN)
    assert result_text(result)
    assert len(json.loads(to_json(result_data(result)))["formulas"]) == len(result)


def judge_the_rest(system: System) -> None:
    """The other commands survive what a check survives."""
    assert info_text(system.info)
    for finding in system.lint():
        assert finding.line is not None
        assert finding.render("lint")
    assert knower.loads(system.formatted()).module == system.module
    assert knower.loads(system.to_ispl()).formulae == system.formulae


#: Ways to read a model; they take turns.
READINGS: tuple[dict[str, Any], ...] = (
    {},
    {"atl": "uniform"},
    {"atl": "objective-fair", "on_deadlock": "loop"},
    {"finite": True},
    {"atl": "uniform-models"},
    {"on_deadlock": "fail"},
)


def judge_file(path: Path, **reading: Any) -> None:
    """Load and check a file in this process."""
    try:
        system = knower.load(path)
        result = system.check(time_limit=2, max_states=2000, **reading)
    except InputError as error:
        judge_errors(error)
    else:
        judge_result(result)
        judge_the_rest(system)


def judge_command(path: Path, *options: str) -> None:
    """The same by the command line."""
    arguments = ["check", str(path), "--time-limit", "2", "--max-states", "2000", *options]
    ran = CliRunner().invoke(cli, arguments)
    assert isinstance(ran.exception, SystemExit | None), repr(ran.exception)
    assert "Traceback" not in ran.output
    if "json" in options:
        found = json.loads(ran.stdout)
        assert ("errors" if ran.exit_code == 2 else "formulas") in found
        assert all(error["line"] for error in found.get("errors", []))
    elif ran.exit_code == 2:
        assert ran.stdout == ""
        assert re.match(rf"{re.escape(str(path))}:\d+:\d+: error\[E\d+\]: ", ran.stderr)
    if ran.exit_code != 2:
        assert ran.exit_code in (0, 1, 3)
        assert ran.stdout or (ran.exit_code == 3 and "limit" in ran.stderr)  # a loaded machine reads slowly


# -- mutations --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@each_example
def test_mutations(tmp_path: Path, example: Path, kind: Callable[[str, Random], str | bytes]) -> None:
    text = example.read_text()
    for number in range(EACH):
        seed = f"{example.stem}:{kind.__name__}:{number}"
        path = tmp_path / f"mutation{number}.ispl"  # stays for the curious, with the seed that made it
        path.write_bytes(mutated(text, kind, seed))
        with within(PATIENCE):
            if number % 10:
                judge_file(path, **READINGS[number % len(READINGS)])
            else:
                judge_command(path, *(["--format", "json"] if number % 20 else []))


def test_mutations_are_of_all_sorts() -> None:
    """Seeded, so equal in every run; some survive, most do not, few leave a text as it is."""
    text = EXAMPLES[0].read_text()
    made = [mutated(text, kind, str(k)) for kind in KINDS for k in range(20)]
    assert made == [mutated(text, kind, str(k)) for kind in KINDS for k in range(20)]
    plain = re.sub("--[^\n]*", "", text)
    assert sum(data in (text.encode(), plain.encode()) for data in made) < 10
    assert any(b"\0" in data for data in made)
    assert any(b"\xff" in data for data in made)


@each_example
def test_cut_at_every_section(tmp_path: Path, example: Path) -> None:
    """Before and behind every line that opens or ends a section."""
    text = example.read_text()
    path = tmp_path / "cut.ispl"
    border = re.compile(
        r"^ *(?:Agent|end|\w+:|Evaluation|InitStates|Groups|Fairness|Formulae)\b.*\n", re.MULTILINE
    )
    cuts = sorted({at for match in border.finditer(text) for at in match.span()})
    assert len(cuts) > 20
    for at in cuts:
        path.write_text(text[:at])
        with within(PATIENCE):
            judge_file(path)


# -- small things that are bad -----------------------------------------------------------------------

SMALL = """\
Agent A
  Vars: x : 0..3; end Vars
  Actions = {go, stay};
  Protocol: x < 3 : {go, stay}; Other : {stay}; end Protocol
  Evolution: x = x + 1 if Action = go; end Evolution
end Agent
Evaluation p if A.x = 3; q if A.x < 2; end Evaluation
InitStates A.x = 0; end InitStates
Formulae EF p; end Formulae
"""

BAD_BYTES = {
    "empty": b"", "one NUL": b"\0", "blanks": b" \t\r\n\x0c", "a comment": b"-- nothing", "one dash": b"-",
    "a word": b"Agent", "bytes": bytes(range(256)), "high bytes": bytes(range(128, 256)) * 10,
    "a NUL behind": SMALL.encode() + b"\0", "a NUL in a comment": b"-- \0\n" + SMALL.encode(),
    "UTF-16": SMALL.encode("utf-16"), "UTF-32": SMALL.encode("utf-32"), "gzip": b"\x1f\x8b\x08\0\0\0",
    "only ends": b"end end end", "only signs": b";;;;", "braces": b"{" * 1000, "quotes": b'"""',
    "numbers": b"1 2 3", "a long number": SMALL.replace("0..3", "0.." + "9" * 5000).encode(),
    "a long sum": SMALL.replace("x + 1", "x + " + "9" * 4000 + "*" + "9" * 4000).encode(),
    "no line ends": SMALL.replace("\n", " ").encode(), "old Mac": SMALL.replace("\n", "\r").encode(),
    "a formula feed": SMALL.replace("\n", "\x0b\x1c\x85\u2028", 1).encode(),
}  # fmt: skip


@pytest.mark.parametrize("data", BAD_BYTES.values(), ids=BAD_BYTES.keys())
def test_bad_bytes(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.ispl"
    path.write_bytes(data)
    with within(PATIENCE):
        judge_file(path)
        judge_command(path)
        judge_command(path, "--format", "json")


@pytest.mark.parametrize(
    "formula",
    ["", " ", ";", "p;;", "-- p", "p -- q", "(", ")", "p p", "p and", "AG", "K(", "K(A", "K(A,", "K(A, p",
     "K(A p)", "K(B, p)", "K(, p)", "<", "<A", "<A>", "<A>X", "<A>(p U", "<>p", "<A,B>X p", "E(p U)",
     "A(U q)", "A()", "LTL", "LTL LTL p", "LTL A", "CTL* E", "CTL*", "CTL *", "LDL <", "LDL <>p",
     "LDL <tt", "LDL []p", "LDL [*]p", "LDL [;]p", "LDL [tt;]p", "LDL [tt+]p", "LDL <p?>", "LDL <?>p",
     "LDL <(p>q", "LDL <X p>q", "CDLf*", "LTLf WX", "A.GreenStates", "B.GreenStates", "A.", "A.x",
     "A.x = 3", "p = true", "x", "3", "p -> -> q", "!", "! !", "p U q", "X p", "AG X p", "p\x00q",
     "p\nand\nr", "é", "\udcff", "p # q", "p && || q", "p <-> q", "[p]q", "true false", "O(A)",
     "GCK(all, p)", "DK({A}, p)", "<{A}>X p", "AG(p", "AG p)", "p, q", "EF EF", "U", "W(p)", "p if q",
     "end Formulae", "Agent A", "1p", "p.q", "..", "->", "-- \x00"],
    ids=repr,
)  # fmt: skip
def test_bad_formulas(formula: str) -> None:
    """An error in `<formula>`, with its line there, or a verdict."""
    system = knower.loads(SMALL)
    try:
        result = system.check(formula, time_limit=2)
    except InputError as error:
        judge_errors(error)
        assert {found.file for found in error.diagnostics} == {"<formula>"}
    else:
        judge_result(result)


def test_mutated_formulas() -> None:
    """The formulas of all examples, with a mutation each."""
    for example in EXAMPLES:
        system = knower.load(example)
        for number, formula in enumerate(system.formulae):
            for kind in KINDS:
                seed = f"{example.stem}:{number}:{kind.__name__}"
                text = mutated(f"({formula});", kind, seed).decode("utf-8", "surrogateescape")
                try:
                    spec = system.parse(text)
                except InputError as error:
                    judge_errors(error)
                else:
                    assert system.parse(system.print(spec)) == spec, seed


# -- too deep, too long, too many ------------------------------------------------------------------------

#: Runs in a process of its own: a stack that overflows in C ends the process, and must not end ours.
_CHILD = """
import sys, resource
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, -1))
import knower
from knower.report.data import result_data, to_json
from knower.report.text import result_text
text = sys.stdin.read()
limit = float(sys.argv[1])
try:
    result = knower.loads(text).check(time_limit=limit)
    assert result_text(result) and to_json(result_data(result)) and repr(result)
    assert all(r.verdict.value != "unknown" or r.reason for r in result)
    print(*[r.verdict.value for r in result])
    print(*{r.reason for r in result}, file=sys.stderr)
except knower.InputError as error:
    assert all(found.line for found in error.diagnostics)
    print("error")
    print(str(error)[:500], file=sys.stderr)
"""


@dataclass(frozen=True)
class Outcome:
    verdict: str
    said: str


def outcome(text: str, time_limit: float = PATIENCE) -> Outcome:
    """What a check of the text gives, in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", _CHILD, str(time_limit)],
        input=text,
        text=True,
        capture_output=True,
        timeout=2 * PATIENCE,
    )
    assert ran.returncode == 0, f"status {ran.returncode}: {ran.stderr[-2000:]}"
    return Outcome(ran.stdout.strip(), ran.stderr)


def with_formula(formula: str) -> str:
    return SMALL.replace("EF p", formula)


def with_condition(condition: str) -> str:
    """In Evaluation; `A.x = 3` holds there as usual if the condition is the same in the end."""
    return SMALL.replace("A.x = 3", condition)


N = 10_000

DEEP_FORMULAS = {
    "parentheses": ("(" * N + "EF p" + ")" * N, "true"),
    "AG": ("AG " * N + "p", "false"),
    "EF": ("EF " * N + "p", "true"),
    "AX EX": ("AX EX " * (N // 2) + "p", "true"),
    "even !": ("!" * N + "p", "false"),
    "odd !": ("!" * (N + 1) + "p", "true"),
    "K": ("K(A, " * N + "q" + ")" * N, "true"),
    "M O": ("M(A, O(A, " * (N // 2) + "q" + "))" * (N // 2), "false"),
    "coalitions": ("<A>F " * N + "p", "true"),
    "EU": ("E(q U " * N + "q" + ")" * N, "true"),
    "and": ("q and " * N + "q", "true"),
    "or to the right": ("(p or " * N + "q" + ")" * N, "true"),
    "implications": ("p -> " * N + "q", "true"),
    "LTL X": ("LTL " + "X " * 2000 + "p", "false"),
    "LTL G F": ("LTL " + "G F " * 3 + "q", "false"),
    "LTL !": ("LTL " + "! " * N + "F q", "true"),
    "LTL U": ("LTL " + "q U " * 2000 + "q", "true"),
    "CTL* E X": ("CTL* " + "E X " * 2000 + "p", "true"),
    "LDL diamonds": ("LDL " + "<tt>" * 2000 + "p", "false"),
    "LDL tests": ("LDL " + "<" * 30 + "tt" + ">q?" * 29 + ">q", "true"),
    "CDL*": ("CDL* " + "E <tt>" * 2000 + "p", "true"),
    "LTLf X": ("LTLf " + "X " * 2000 + "p", "false"),
}


@pytest.mark.parametrize(("formula", "verdict"), DEEP_FORMULAS.values(), ids=DEEP_FORMULAS.keys())
def test_deep_formulas(formula: str, verdict: str) -> None:
    """Checked with a verdict, whatever the depth."""
    found = outcome(with_formula(formula))
    assert found.verdict == verdict, found.said


M = 10_000

DEEP_CONDITIONS = {
    "parentheses": "(" * N + "A.x = 3" + ")" * N,
    "!": "!" * M + "(A.x = 3)",
    "and to the left": "A.x > 1 and " * M + "A.x = 3",
    "and to the right": "(A.x > 1 and " * M + "A.x = 3" + ")" * M,
    "or to the right": "(A.x > 3 or " * M + "A.x = 3" + ")" * M,
    "and or": "(A.x > 1 and (A.x > 3 or " * (M // 2) + "A.x = 3" + "))" * (M // 2),
    "! and": "!(A.x < 1 or !(A.x > 1 and " * (M // 2) + "A.x = 3" + "))" * (M // 2),
    "sum to the left": "A.x = " + "0 + " * M + "3",
    "sum to the right": "A.x = " + "(0 + " * M + "3" + ")" * M,
    "minus": "A.x = " + "- " * M + "3",
    "quotients": "A.x = 3 * " + "(1 / " * 1000 + "1" + ")" * 1000,
}


@pytest.mark.parametrize("condition", DEEP_CONDITIONS.values(), ids=DEEP_CONDITIONS.keys())
def test_deep_conditions(condition: str) -> None:
    """Evaluated, whatever the depth."""
    found = outcome(with_condition(condition))
    assert found.verdict == "true", found.said


@pytest.mark.parametrize(
    "place", ["x < 3", "Action = go", "A.x = 0"], ids=["Protocol", "Evolution", "InitStates"]
)
def test_deep_conditions_everywhere(place: str) -> None:
    deep = f"({place} and " * M + place + ")" * M
    found = outcome(SMALL.replace(f"{place};", f"{deep};").replace(f"{place} :", f"{deep} :"))
    assert found.verdict == "true", found.said


@pytest.mark.parametrize("sign", ["(", "!", "AG (", "K(A, ", "<A>X (", "p and (", "- "])
def test_deep_and_broken(sign: str) -> None:
    """Opened ten thousand times and never closed."""
    for text in (with_formula(sign * N), with_condition(sign * N)):
        found = outcome(text)
        assert found.verdict == "error"


def test_a_limit_stops_hard_formulas() -> None:
    """What would take days comes to an end."""
    tests = "LDL " + "<" * 2000 + "tt" + ">q?" * 1999 + ">q"
    stars = "LDL <" + "(" * N + "tt" + ")*" * N + ">p"
    for formula in (tests, stars, "LDL <" + "tt;" * N + "tt>p", "LTL " + "G F " * 1000 + "q"):
        found = outcome(with_formula(formula), time_limit=1)
        assert found.verdict in ("true", "false", "unknown")


@pytest.mark.parametrize(
    "text",
    [
        SMALL.replace("go", "g" * 1_000_000),
        SMALL.replace(" p", " " + "p" * 1_000_000),
        SMALL.replace(" A\n", " " + "A" * 1_000_000 + "\n").replace("A.x", "A" * 1_000_000 + ".x"),
        with_formula("EF " + "p" * 1_000_000),
        with_condition("A." + "x" * 1_000_000 + " = 3"),
        SMALL + "z" * 1_000_000,
        SMALL + "1" * 1_000_000,
        SMALL + "-- " + "z" * 1_000_000,
    ],
    ids=["action", "proposition", "agent", "unknown", "variable", "behind", "number", "comment"],
)
def test_a_name_of_a_megabyte(tmp_path: Path, text: str) -> None:
    path = tmp_path / "long.ispl"
    path.write_text(text)
    with within(PATIENCE):
        try:
            result = knower.load(path).check()
        except InputError as error:
            for found in error.diagnostics:
                assert found.line is not None
                assert len(found.source.excerpt(found.span)) < 500 if found.source else True
        else:
            judge_result(result)


def test_a_hundred_thousand_lines() -> None:
    lines = "\n".join(f"  p{k} if A.x = {k % 4} and A.x <= {k % 3};" for k in range(100_000))
    text = SMALL.replace("Evaluation", f"Evaluation\n{lines}\n", 1).replace(
        "EF p", "EF p99996; EF p99999; EF p"
    )
    found = outcome(text)
    assert found.verdict == "true false true"


def test_errors_by_the_thousand(tmp_path: Path) -> None:
    """All of them are found."""
    lines = "\n".join(f"  p{k} if A.y{k} = {k};" for k in range(20_000))
    path = tmp_path / "wrong.ispl"
    path.write_text(SMALL.replace("Evaluation", f"Evaluation\n{lines}\n", 1))
    with within(PATIENCE):
        ran = CliRunner().invoke(cli, ["check", str(path)])
    assert ran.exit_code == 2
    assert ":8:" in ran.stderr


# -- enormous ranges -----------------------------------------------------------------------------------

INITIALS = {
    "a value": "A.x = 0",
    "a few values": "A.x < 2",
    "two values": "A.x = 0 or A.x = 2",
    "a far value": "A.x = {high}",
    "a sum": "A.x + 1 = 1",
    "any": "0 = 0",
    "all but one": "A.x <> 7",
    "none": "A.x < 0",
}


@pytest.mark.parametrize("high", [10**7, 10**9, 10**30], ids=["10**7", "10**9", "10**30"])
@pytest.mark.parametrize("initial", INITIALS.values(), ids=INITIALS.keys())
def test_enormous_ranges(initial: str, high: int) -> None:
    """A verdict or `unknown`, within the limits asked for, whatever the initial states are."""
    text = SMALL.replace("EF p", "EF (p or !p); AG (p or !p)").replace("x + 1", "x * 0")
    text = text.replace("0..3", f"0..{high}").replace("A.x = 0", initial.format(high=high))
    with within(PATIENCE):
        try:
            result = knower.loads(text).check(time_limit=1, memory_limit=2000, max_states=1000)
        except InputError as error:
            judge_errors(error)
            assert initial == INITIALS["none"]
        else:
            judge_result(result)
            assert {found.verdict for found in result} <= {Verdict.TRUE, Verdict.UNKNOWN}


@pytest.mark.parametrize("high", [10**9, 10**30], ids=["10**9", "10**30"])
def test_enormous_ranges_in_other_commands(tmp_path: Path, high: int) -> None:
    path = tmp_path / "big.ispl"
    path.write_text(SMALL.replace("0..3", f"-{high}..{high}"))
    with within(PATIENCE):
        for command in ("info", "lint", "fmt"):
            ran = CliRunner().invoke(cli, [command, str(path)])
            assert ran.exit_code == 0, ran.exception
        found = knower.load(path).info
        assert found.potential_states == 2 * high + 1


def test_many_variables(tmp_path: Path) -> None:
    """2**2000 potential states, of which one is initial and two are reachable."""
    names = [f"v{k}" for k in range(2000)]
    declared = " ".join(f"{name} : boolean;" for name in names)
    initial = " and ".join(f"A.{name} = false" for name in names)
    text = SMALL.replace("x : 0..3;", f"x : 0..3; {declared}").replace("A.x = 0;", f"A.x = 0 and {initial};")
    with within(PATIENCE):
        system = knower.loads(text)
        result = system.check(time_limit=10)
        assert [found.verdict for found in result] == [Verdict.TRUE]
        assert result.states == 4
        assert info_text(system.info)
        free = knower.loads(SMALL.replace("x : 0..3;", f"x : 0..3; {declared}"))
        judge_result(free.check(time_limit=2, max_states=1000))
