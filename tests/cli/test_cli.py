"""Every option of the command line, its exit statuses, and what goes to which stream."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import knower
from knower.cli.main import cli
from knower.families import generate
from processes import PATIENCE, child

EXAMPLES = Path(__file__).parents[2] / "examples"
CARD_GAME = str(EXAMPLES / "card_game.ispl")
GO_BACK_N = str(EXAMPLES / "go_back_n.ispl")

#: Counts from 0 to 3 and is then stuck.
STUCK = """\
Agent A
  Vars: x : 0..3; end Vars
  Actions = {go};
  Protocol: x < 3 : {go}; end Protocol
  Evolution: x = x + 1 if Action = go; end Evolution
end Agent
Evaluation start if A.x = 0; done if A.x = 3; end Evaluation
InitStates A.x = 0; end InitStates
Groups all = {A}; end Groups
Formulae
  EF done;   -- three steps
  AG start;
end Formulae
"""

#: More states than anyone can wait for.
LONG = """\
Agent A
  Vars: x : 0..1000000000; end Vars
  Actions = {go};
  Evolution: x = x + 1 if Action = go; end Evolution
end Agent
Evaluation start if A.x = 0; end Evaluation
InitStates A.x = 0; end InitStates
Formulae start; AG start; end Formulae
"""


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    """The command line in this process; only a `SystemExit` may come out of it."""
    ran = CliRunner().invoke(cli, list(arguments), input=stdin)
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran


def data(*arguments: str, status: int | None = None, stdin: str | None = None) -> dict[str, Any]:
    """The one JSON object on standard output; nothing is on standard error."""
    ran = run(*arguments, "--format", "json", stdin=stdin)
    assert ran.stderr == ""
    if status is not None:
        assert ran.exit_code == status
    found = json.loads(ran.stdout)
    assert isinstance(found, dict)
    return found


def verdicts(*arguments: str, status: int | None = None) -> list[str]:
    return [formula["verdict"] for formula in data("check", *arguments, status=status)["formulas"]]


def reasons(*arguments: str, status: int | None = None) -> set[str]:
    return {formula["reason"] for formula in data("check", *arguments, status=status)["formulas"]}


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """The command line as users run it."""
    command = [sys.executable, "-m", "knower", *arguments]
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=PATIENCE, **options)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    """Writes a model and gives its path."""

    def made(text: str, name: str = "model.ispl") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return made


@pytest.fixture
def stuck(write: Callable[[str], str]) -> str:
    return write(STUCK)


# -- check: text and JSON ---------------------------------------------------------------------------


def test_text_says_verdicts_states_time_and_warnings(stuck: str) -> None:
    ran = run("check", stuck, "--evidence", "none")
    assert ran.exit_code == 1
    lines = ran.stdout.splitlines()
    assert re.fullmatch(r"4 reachable states \(bitset, [0-9.]+ s\)", lines[0].removeprefix(f"{stuck}: "))
    assert lines[1].split(maxsplit=2) == ["1.", "TRUE", "EF done"]
    assert lines[2].split(maxsplit=2) == ["2.", "FALSE", "AG start"]
    assert "warning [deadlock]" in lines[3]
    assert [line.split(":")[0].strip() for line in lines[4:11]] == [
        "state 0", "A", "state 1", "A", "state 2", "A", "state 3",
    ]  # fmt: skip
    assert lines[-1] == "2 formulas: 1 true, 1 false"


def test_json_is_one_object_and_nothing_else(stuck: str) -> None:
    ran = process("check", stuck, "--format", "json", "--evidence", "none", "--no-lint", "--engine", "bdd")
    assert (ran.returncode, ran.stderr) == (1, "")
    found = json.loads(ran.stdout)
    assert list(found) == ["schema", "model", "engine", "states", "warnings", "formulas"]
    assert found["schema"] == 1
    assert (found["model"], found["engine"], found["states"]) == (stuck, "bdd", 4)
    assert [warning["code"] for warning in found["warnings"]] == ["deadlock"]
    first = found["formulas"][0]
    seconds = first.pop("seconds")
    assert 0 <= seconds < 60
    assert first == {
        "number": 1, "formula": "EF done", "logic": "CTL",
        "verdict": "true", "reason": None, "evidence": None, "engine": "bdd",
        "name": None, "line": 11, "expected": "true", "as_expected": True,
    }  # fmt: skip


def test_overflow_is_reported_with_its_path(write: Callable[[str], str]) -> None:
    path = write(STUCK.replace("Protocol: x < 3 : {go}; end Protocol", ""))
    ran = run("check", path, "--formula", "EF done")
    assert "warning [overflow]: overflow: x : 0..3 would become 4 in agent A" in ran.stdout
    warning = data("check", path)["warnings"][1]
    assert warning["code"] == "overflow"
    assert len(warning["path"]["states"]) == len(warning["path"]["actions"]) == 4


def test_no_fair_initial_state_is_said_on_stderr_too(write: Callable[[str], str]) -> None:
    path = write(STUCK.replace("Formulae", "Fairness start; end Fairness\nFormulae", 1))
    for style in ("text", "json"):
        ran = run("check", path, "--format", style)
        assert ran.exit_code == 0
        assert "no initial state has a fair path" in ran.stderr
        assert "no-fair-initial-state" in ran.stdout


def test_the_same_from_python(stuck: str) -> None:
    result = knower.load(stuck).check()
    assert [found.verdict.value for found in result] == ["true", "false"]
    assert repr(result[0]) == "<1. EF done: true>"
    assert repr(result).startswith(f"<CheckResult {stuck}: 4 states, engine bitset\n  1. EF done: true\n")
    assert (result.holds, result.exit_status) == (False, 1)


# -- check: which formulas --------------------------------------------------------------------------


def test_formula_replaces(stuck: str) -> None:
    found = data("check", stuck, "--formula", "EF start", "--formula", "EX start", status=1)["formulas"]
    assert [(f["number"], f["formula"], f["verdict"]) for f in found] == [
        (1, "EF start", "true"),
        (2, "EX start", "false"),
    ]


def test_also_adds(stuck: str) -> None:
    found = data("check", stuck, "--also", "EX start", "--also", "start")["formulas"]
    assert [f["formula"] for f in found] == ["EF done", "AG start", "EX start", "start"]
    found = data("check", stuck, "--also", "EX start", "--formula", "start")["formulas"]
    assert [f["formula"] for f in found] == ["start", "EX start"]


def test_short_option(stuck: str) -> None:
    assert verdicts(stuck, "-f", "start", status=0) == ["true"]


def test_no_formulas_at_all(write: Callable[[str], str]) -> None:
    path = write(STUCK.partition("Formulae")[0])
    ran = run("check", path)
    assert ran.exit_code == 0
    assert "--formula" in ran.stdout
    assert data("check", path, status=0)["formulas"] == []


@pytest.mark.parametrize("engine", ["auto", "explicit"])
def test_engines(stuck: str, engine: str) -> None:
    assert verdicts(stuck, "--engine", engine, status=1) == ["true", "false"]


def test_standard_input(stuck: str) -> None:
    ran = run("check", "-", stdin=STUCK)
    assert ran.exit_code == 1
    assert ran.stdout.startswith("<stdin>: 4 reachable states")
    assert data("check", "-", stdin=STUCK)["model"] == "<stdin>"
    wrong = run("check", "-", stdin=STUCK.replace("x < 3", "y < 3"))
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("<stdin>:4:13: error[E")
    with Path(stuck).open() as file:
        ran = process("check", "-", "--formula", "EF done", stdin=file)
    assert (ran.returncode, ran.stderr) == (0, "")


# -- exit statuses ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formulas", "status"),
    [
        (["start"], 0),
        (["start", "EF done"], 0),
        (["start", "AG start"], 1),
        (["AG start"], 1),
        (["start", "AG nothing"], 2),
        (["start", "AG ("], 2),
    ],
)
def test_exit_status(stuck: str, formulas: list[str], status: int) -> None:
    arguments = [argument for formula in formulas for argument in ("--formula", formula)]
    assert run("check", stuck, *arguments).exit_code == status
    assert process("check", stuck, *arguments).returncode == status


def test_false_outweighs_unknown() -> None:
    """One formula decided, one not: 3 if the first is true, 1 if it is false."""
    nested = "LDL <" + "(" * 200 + "tt" + ")*" * 200 + ">(ff)"
    for first, status in (("true", 3), ("false", 1)):
        arguments = ["--formula", first, "--formula", nested, "--time-limit", "0.5", "--engine", "explicit"]
        assert verdicts(CARD_GAME, *arguments, status=status) == [first, "unknown"]


# -- limits -----------------------------------------------------------------------------------------


def test_time_limit() -> None:
    found = data("check", GO_BACK_N, "--time-limit", "0.0001", status=3)
    assert found["states"] is None
    assert {f["verdict"] for f in found["formulas"]} == {"unknown"}
    assert {f["reason"] for f in found["formulas"]} == {"time limit of 0.0001 s reached"}
    ran = run("check", GO_BACK_N, "--time-limit", "0.0001")
    assert ran.exit_code == 3
    assert "UNKNOWN" in ran.stdout
    assert "states not counted" in ran.stdout
    assert "time limit of 0.0001 s reached" in ran.stdout


@pytest.mark.parametrize("engine", ["explicit", "bdd"])
def test_time_limit_is_kept(write: Callable[[str], str], engine: str) -> None:
    path = write(LONG if engine == "explicit" else generate("prisoners", n=150))
    limits = ["--engine", engine, "--time-limit", "1", "--formula", "AG true"]
    limits += ["--max-states", "1000000000"] if engine == "explicit" else []
    started = time.monotonic()
    assert reasons(path, *limits, status=3) == {"time limit of 1 s reached"}
    assert time.monotonic() - started >= 1


def test_a_generous_time_limit_changes_nothing(stuck: str) -> None:
    assert verdicts(stuck, "--time-limit", "60", "--memory-limit", "100000", status=1) == ["true", "false"]


def test_memory_limit() -> None:
    assert reasons(GO_BACK_N, "--memory-limit", "1", status=3) == {"memory limit of 1 MB reached"}


def test_memory_limit_is_kept(write: Callable[[str], str]) -> None:
    """The process stops growing soon after the limit."""
    path = write(LONG)
    code = (
        "import resource, subprocess, sys;"
        "done = subprocess.run(sys.argv[1:]).returncode;"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr);"
        "sys.exit(done)"
    )
    limits = [
        "--engine",
        "explicit",
        "--memory-limit",
        "80",
        "--max-states",
        "1000000000",
        "--time-limit",
        "50",
    ]
    command = [sys.executable, "-c", code, sys.executable, "-m", "knower", "check", path, *limits]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode == 3
    assert "memory limit of 80 MB reached" in ran.stdout
    assert int(ran.stderr) < 120 * 1024


def test_max_states(stuck: str) -> None:
    assert reasons(stuck, "--engine", "explicit", "--max-states", "3", status=3) == {
        "more than 3 states (--max-states)"
    }
    assert verdicts(stuck, "--max-states", "4", status=1) == ["true", "false"]


# -- how to read: deadlocks, finite traces, coalitions ----------------------------------------------

_DEADLOCKED = ["EF done", "AF done", "EG true", "AG EX true", "AX false", "LTL F done", "LTL X false"]


@pytest.mark.parametrize(
    ("policy", "status", "expected"),
    [
        ("warn", 1, ["true", "true", "false", "false", "false", "true", "true"]),
        ("fail", 3, ["unknown"] * 7),
        ("loop", 1, ["true", "true", "true", "true", "false", "true", "false"]),
    ],
)
def test_on_deadlock(stuck: str, policy: str, status: int, expected: list[str]) -> None:
    arguments = [argument for formula in _DEADLOCKED for argument in ("--formula", formula)]
    found = data("check", stuck, *arguments, "--on-deadlock", policy, "--no-lint", status=status)
    assert [f["verdict"] for f in found["formulas"]] == expected
    (warning,) = found["warnings"]
    assert warning["code"] == "deadlock"
    assert [state["A"]["x"] for state in warning["path"]["states"]] == [0, 1, 2, 3]
    assert warning["path"]["actions"] == [{"A": "go"}] * 3
    if policy == "fail":
        assert {f["reason"] for f in found["formulas"]} == {"the model has a deadlock (--on-deadlock fail)"}
    if policy == "warn":
        assert verdicts(stuck, *arguments) == expected


def test_on_deadlock_fail_without_deadlock() -> None:
    plain = verdicts(CARD_GAME)
    assert verdicts(CARD_GAME, "--on-deadlock", "fail") == plain
    assert verdicts(CARD_GAME, "--on-deadlock", "loop") == plain


def test_finite(stuck: str) -> None:
    """`LDL` and `CDL*` are read on finite traces; `LTL` and `CTL*` stay as they are, with a warning."""
    formulas = ["LDL <tt*>done", "CDL* E (<tt*>(done and [tt]ff))", "LDL [tt*]<tt>tt", "LTL F done"]
    arguments = [argument for formula in formulas for argument in ("--formula", formula)]
    assert verdicts(stuck, *arguments, "--on-deadlock", "loop") == ["true", "false", "true", "true"]
    found = data("check", stuck, *arguments, "--finite", "--on-deadlock", "loop")
    assert [f["verdict"] for f in found["formulas"]] == ["false", "true", "false", "true"]
    assert "finite-ignored" in {warning["code"] for warning in found["warnings"]}
    silent = data("check", stuck, *arguments[:6], "--finite", "--on-deadlock", "loop")
    assert "finite-ignored" not in {warning["code"] for warning in silent["warnings"]}
    prefixed = [a.replace("LDL ", "LDLf ").replace("CDL* ", "CDLf* ") for a in arguments[:6]]
    assert verdicts(stuck, *prefixed) == ["false", "true", "false"]


_CAN_WIN = ["--formula", "<Player> F player_wins", "--formula", "<Player> F shown"]


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        ("objective", ["true", "true"]),
        ("objective-fair", ["true", "true"]),
        ("uniform", ["false", "true"]),
        ("uniform-models", ["false", "true"]),
    ],
)
def test_atl(reading: str, expected: list[str]) -> None:
    assert verdicts(CARD_GAME, *_CAN_WIN, "--atl", reading) == expected
    if reading == "objective":
        assert verdicts(CARD_GAME, *_CAN_WIN) == expected


def test_uniform_group() -> None:
    """If only the banker, who has no choice, must be uniform, the player still sees everything."""
    arguments = [*_CAN_WIN, "--atl", "uniform-models", "--uniform-group"]
    assert verdicts(CARD_GAME, *arguments, "Player") == ["false", "true"]
    assert verdicts(CARD_GAME, *arguments, "table") == ["false", "true"]
    assert verdicts(CARD_GAME, *arguments, "Banker") == ["true", "true"]
    ran = run("check", CARD_GAME, *arguments, "Dealer")
    assert ran.exit_code == 2
    assert "Dealer" in ran.stderr
    assert "help:" in ran.stderr


# -- bad input --------------------------------------------------------------------------------------


def test_bad_formula_has_a_caret(stuck: str) -> None:
    ran = run("check", stuck, "--formula", "AG (done")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.splitlines() == [
        "<formula>:1:9: error[E103]: expected an operator or `)`, found end of input",
        "1 | AG (done",
        "  |         ^",
    ]


def test_unknown_names_have_a_cure(stuck: str, write: Callable[[str], str]) -> None:
    ran = run("check", stuck, "--formula", "AG dune")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.splitlines() == [
        "<formula>:1:4: error[E501]: unknown proposition `dune`",
        "1 | AG dune",
        "  |    ^^^^",
        "  help: did you mean `done`?",
    ]
    path = write(STUCK.replace("A.x = 3", "A.y = 3").replace("{A}", "{B}"), "wrong.ispl")
    ran = run("check", path)
    assert ran.exit_code == 2
    assert f"{path}:7:" in ran.stderr
    assert f"{path}:9:" in ran.stderr, "all errors are reported, not the first only"


def test_json_errors(stuck: str) -> None:
    found = data("check", stuck, "--formula", "AG dune", status=2)
    assert found == {
        "schema": 1,
        "errors": [
            {
                "code": "E501",
                "message": "unknown proposition `dune`",
                "file": "<formula>",
                "line": 1,
                "column": 4,
                "cure": "did you mean `done`?",
            }
        ],
    }


@pytest.mark.parametrize("command", ["check", "info", "lint", "fmt"])
def test_files_that_cannot_be_read(tmp_path: Path, command: str) -> None:
    (tmp_path / "empty.ispl").write_bytes(b"")
    (tmp_path / "binary.ispl").write_bytes(bytes(range(256)) * 4)
    cases = {
        "missing.ispl": "no such file",
        ".": "is a directory",
        "empty.ispl": "empty",
        "binary.ispl": "binary",
    }
    for name, said in cases.items():
        ran = run(command, str(tmp_path / name))
        assert (ran.exit_code, ran.stdout) == (2, "")
        assert "error[E" in ran.stderr
        assert said in ran.stderr
        if command != "fmt":
            (error,) = data(command, str(tmp_path / name), status=2)["errors"]
            assert said in error["message"]


def test_errors_in_a_file_have_a_line(tmp_path: Path) -> None:
    """Binary files too: the line of the first byte that cannot be text."""
    for content in (b"", b"Agent A\nend Agent\n\0", b"\n\n\n\xff\xfe"):
        path = tmp_path / "bad.ispl"
        path.write_bytes(content)
        error = data("check", str(path), status=2)["errors"][0]
        assert error["file"] == str(path)
        assert error["line"] == (1 if not content else content.count(b"\n") + 1), content


def test_unreadable_file(stuck: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    ran = run("check", stuck)
    assert ran.exit_code == 2
    assert ran.stderr == f"error[E602]: cannot read {stuck}: Permission denied\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "--nonsense", "a.ispl"],
        ["check", "a.ispl", "--atl", "subjective"],
        ["check", "a.ispl", "--engine", "magic"],
        ["check", "a.ispl", "--on-deadlock", "panic"],
        ["check", "a.ispl", "--format", "xml"],
        ["check", "a.ispl", "--time-limit", "soon"],
        ["check", "a.ispl", "--time-limit", "-1"],
        ["check", "a.ispl", "--time-limit", "nan"],
        ["check", "a.ispl", "--max-states", "0"],
        ["check", "a.ispl", "--formula"],
        ["fmt"],
        ["lint"],
        ["info"],
        ["nonsense"],
    ],
    ids=" ".join,
)
def test_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    """A message on standard error, status 2, and no traceback; also where the file would do."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.ispl", "b.ispl"):
        (tmp_path / name).write_text(STUCK)
    ran = run(*arguments)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.startswith(("Usage: ", "Error: ", "error["))


def test_usage_as_a_process() -> None:
    ran = process("check", "--nonsense", "model.ispl")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--nonsense" in ran.stderr
    assert "Traceback" not in ran.stderr
    ran = process("check", "no/such/file.ispl")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "error[E601]: no such file: no/such/file.ispl\n"


# -- the world outside ------------------------------------------------------------------------------


@pytest.mark.parametrize("formula", ["EF ∧", "EF \udcff"], ids=["unicode", "not unicode"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
@pytest.mark.parametrize("style", ["text", "json"])
def test_any_character_any_terminal(stuck: str, encoding: str, style: str, formula: str) -> None:
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "knower", "check", stuck, "--formula", formula, "--format", style]
    ran = subprocess.run(command, capture_output=True, env=env, timeout=PATIENCE)
    assert ran.returncode == 2
    assert b"Traceback" not in ran.stderr
    if style == "json" and encoding == "utf-8":
        assert json.loads(ran.stdout)["errors"]


@pytest.mark.parametrize("command", ["check", "fmt", "info", "lint"])
def test_comments_may_hold_any_bytes(tmp_path: Path, command: str) -> None:
    path = tmp_path / "latin.ispl"
    path.write_bytes(b"-- caf\xe9 \xff\n" + STUCK.encode())
    assert run(command, str(path)).exit_code == (1 if command == "check" else 0)
    path.write_bytes(b"\xef\xbb\xbf" + STUCK.replace("\n", "\r\n").encode())
    assert run(command, str(path)).exit_code == (1 if command == "check" else 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is not here")
def test_output_that_cannot_be_written(stuck: str) -> None:
    with Path("/dev/full").open("w") as full:
        ran = process("check", stuck, stdout=full)
    assert "Traceback" not in ran.stderr
    assert ran.returncode not in (0, 1, 3)


def test_a_reader_that_goes_away(stuck: str) -> None:
    """`knower check … | head -1` ends quietly."""
    command = [sys.executable, "-m", "knower", "check", stuck]
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ran = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    finally:
        os.close(writer)
    assert ran.stderr == ""


@pytest.mark.skipif(shutil.which("sh") is None, reason="sh is not here")
@pytest.mark.parametrize("arguments", ["check - <&-", "check model.ispl >&-", "check missing.ispl 2>&-"])
def test_closed_streams(stuck: str, arguments: str) -> None:
    ran = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m knower {arguments}'],
        cwd=Path(stuck).parent, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert "Traceback" not in ran.stderr
    assert ran.returncode in (1, 2)


# -- Ctrl-C -----------------------------------------------------------------------------------------


def _cpu_seconds(pid: int) -> float:
    """Of a process and of those it started."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        started = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:  # gone meanwhile
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(_cpu_seconds(int(child)) for child in started)


def _interrupted(*arguments: str, after: float = 1.5) -> tuple[int, str, str]:
    """Status, output and errors of a process that gets a Ctrl-C at work, which would go on for very long."""
    command, pipe = [sys.executable, "-m", "knower", *arguments], subprocess.PIPE
    with child(command, stdout=pipe, stderr=pipe, text=True) as run:
        late = time.monotonic() + PATIENCE
        while _cpu_seconds(run.pid) < after and time.monotonic() < late:
            assert run.poll() is None, run.communicate()
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        output, errors = run.communicate(timeout=PATIENCE)
        return run.returncode, output, errors


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="/proc is not here")


@needs_proc
@pytest.mark.parametrize("engine", ["explicit", "bdd"])
def test_interrupt_while_exploring(write: Callable[[str], str], engine: str) -> None:
    model = LONG if engine == "explicit" else generate("prisoners", n=150)
    more = ["--max-states", "1000000000"] if engine == "explicit" else []
    status, output, errors = _interrupted(
        "check", write(model), "--engine", engine, *more, "--format", "json",
        "--formula", "AG true", "--formula", "EF false",
    )  # fmt: skip
    assert (status, errors) == (130, "")
    found = json.loads(output)
    assert found["states"] is None
    assert [(f["verdict"], f["reason"]) for f in found["formulas"]] == [("unknown", "interrupted")] * 2


@needs_proc
@pytest.mark.parametrize("style", ["text", "json"])
def test_interrupt_shows_what_is_decided(style: str) -> None:
    endless = "LDL <" + "(" * 400 + "tt" + ")*" * 400 + ">(ff)"
    formulas = ["EF shown", "AF player_wins", endless, "EX shown"]
    arguments = [argument for formula in formulas for argument in ("--formula", formula)]
    arguments += ["--engine", "explicit", "--format", style]  # the others simplify it
    status, output, errors = _interrupted("check", CARD_GAME, *arguments)
    assert (status, errors) == (130, "")
    if style == "text":
        words = [line.split()[1] for line in output.splitlines()[1:] if line.split()[0][:-1].isdigit()]
        assert words == ["TRUE", "FALSE", "UNKNOWN", "UNKNOWN"]
        assert "13 reachable states" in output
        assert output.count("interrupted") == 2
    else:
        found = [(f["verdict"], f["reason"]) for f in json.loads(output)["formulas"]]
        assert found == [("true", None), ("false", None), *[("unknown", "interrupted")] * 2]


@needs_proc
def test_interrupt_while_parsing(tmp_path: Path) -> None:
    path = tmp_path / "large.ispl"
    line = "  p{} if " + " or ".join(f"A.x = {n % 4}" for n in range(10)) + ";\n"
    lines = "".join(line.format(n) for n in range(30_000))
    path.write_text(STUCK.replace("Evaluation ", f"Evaluation\n{lines}", 1))
    status, output, errors = _interrupted("check", str(path), after=0.8)
    assert (status, output) == (130, "")
    assert "Traceback" not in errors


# -- the other commands -----------------------------------------------------------------------------


def test_version() -> None:
    ran = run("--version")
    assert (ran.exit_code, ran.stdout) == (0, f"knower, version {knower.__version__}\n")
    assert process("--version").stdout == ran.stdout


def test_help_shows_examples_and_exit_statuses() -> None:
    ran = run("check", "--help")
    assert ran.exit_code == 0
    assert "Examples:\n    knower check model.ispl\n" in ran.stdout
    assert "Exit status: 0 all as expected" in ran.stdout
    for option in (
        "--formula", "--also", "--engine", "--atl", "--uniform-group", "--finite", "--on-deadlock",
        "--time-limit", "--memory-limit", "--max-states", "--format",
    ):  # fmt: skip
        assert option in ran.stdout
    ran = run("--help")
    assert ran.exit_code == 0
    assert all(command in ran.stdout for command in ("check", "fmt", "info", "lint"))
    assert run("-h").stdout == ran.stdout


def test_info(stuck: str) -> None:
    ran = run("info", stuck)
    assert ran.exit_code == 0
    assert ran.stdout.startswith(f"{stuck}: MultiAssignment, 4 potential states\n  Agent A: 1 variable\n")
    assert "x : 0..3" in ran.stdout
    assert "group all = {A}" in ran.stdout
    assert "1. [CTL] EF done" in ran.stdout
    found = data("info", stuck, status=0)
    assert found["agents"] == [
        {
            "name": "A", "variables": ["x : 0..3"], "actions": ["go"], "observes": [],
            "protocol_lines": 1, "evolution_lines": 1,
        }
    ]  # fmt: skip
    assert found["propositions"] == ["start", "done"]
    assert found["formulas"][1] == {"formula": "AG start", "logic": "CTL"}
    assert data("info", "-", stdin=STUCK)["model"] == "<stdin>"


def test_fmt_prints(stuck: str) -> None:
    ran = run("fmt", stuck)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Agent A\n  Vars:\n    x : 0..3;\n")
    assert "-- three steps" in ran.stdout
    assert Path(stuck).read_text() == STUCK
    assert run("fmt", "-", stdin=STUCK).stdout == ran.stdout
    assert run("fmt", "-", stdin=ran.stdout).stdout == ran.stdout
    assert knower.loads(ran.stdout).module == knower.loads(STUCK).module


def test_fmt_check(stuck: str) -> None:
    ran = run("fmt", "--check", stuck)
    assert (ran.exit_code, ran.stdout, ran.stderr) == (1, "", f"would change {stuck}\n")
    assert Path(stuck).read_text() == STUCK
    assert run("fmt", "--check", "-", stdin=run("fmt", stuck).stdout).exit_code == 0


def test_fmt_write(stuck: str, write: Callable[..., str]) -> None:
    other = write(STUCK, "other.ispl")
    expected = run("fmt", stuck).stdout
    ran = run("fmt", "--write", stuck, other)
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert ran.stderr == f"changed {stuck}\nchanged {other}\n"
    assert Path(stuck).read_text() == Path(other).read_text() == expected
    again = run("fmt", "--write", stuck)
    assert (again.exit_code, again.stdout, again.stderr) == (0, "", "")
    assert run("fmt", "--check", stuck, other).exit_code == 0


def test_fmt_of_bad_input_changes_nothing(write: Callable[[str], str]) -> None:
    text = STUCK.replace("end Vars", "")
    path = write(text)
    for option in ([], ["--check"], ["--write"]):
        ran = run("fmt", *option, path)
        assert (ran.exit_code, ran.stdout) == (2, "")
        assert ran.stderr.startswith(f"{path}:")
        assert Path(path).read_text() == text
    ran = run("fmt", "--check", "--write", path)
    assert ran.exit_code == 2


def test_fmt_of_a_file_that_cannot_be_written(stuck: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knower.files.os.access", lambda *_: False)
    ran = run("fmt", "--write", stuck)
    assert ran.exit_code == 2
    assert "error[E6" in ran.stderr
    assert "Permission denied" in ran.stderr


def test_lint(stuck: str, write: Callable[..., str]) -> None:
    ran = run("lint", stuck)
    assert ran.exit_code == 0
    assert f"{stuck}:4:" in ran.stdout
    assert "lint[L103]" in ran.stdout
    assert "^" in ran.stdout
    assert "help: " in ran.stdout
    count = len(data("lint", stuck, status=0)["findings"])
    assert ran.stdout.endswith(f"{count} finding{'s' * (count != 1)}\n")
    assert run("lint", "--strict", stuck).exit_code == 1
    assert data("lint", "--strict", stuck, status=1)["models"] == [stuck]


def test_lint_finds_nothing_in_a_good_model() -> None:
    ran = run("lint", "--strict", CARD_GAME)
    assert (ran.exit_code, ran.stdout) == (0, "0 findings\n")
    assert data("lint", "--strict", CARD_GAME, status=0)["findings"] == []


def test_lint_of_several_files(stuck: str) -> None:
    """As text: all findings. As JSON: still one object, or one to a line; never something unreadable."""
    ran = run("lint", "--strict", stuck, CARD_GAME)
    assert ran.exit_code == 1
    assert f"{stuck}:4:" in ran.stdout
    ran = run("lint", stuck, CARD_GAME, "--format", "json")
    json.loads(ran.stdout)
