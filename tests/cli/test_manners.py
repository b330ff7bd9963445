"""The manners of a Unix program: every command, through everything that the world does to programs.

Whatever happens, the exit status is that of the table in docs/cli.md, nobody sees a traceback, JSON is one
object, and nothing is left behind.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from knower.cli import main, signals
from processes import PATIENCE, child

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks at /proc")

#: Every formula is true, and the layout is not canonical.
FINE = """Agent A
  Vars: x : 0..3; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if x < 3 and Action = go; x = 0 if x = 3 and Action = go; end Evolution
end Agent
Evaluation top if A.x = 3; end Evaluation
InitStates A.x = 0; end InitStates
Formulae AG EF top; end Formulae
"""
#: A search state by state that does not come to an end.
LONG = ("--engine", "explicit", "--max-states", "1000000000")
TABLE = {
    "name": "tiny",
    "title": "Tiny",
    "source": "nobody",
    "measure": "cpu",
    "axis": {"label": "values"},
    "columns": [{"name": "Abacus", "measure": "cpu"}],
    "cases": [
        {
            "family": "counter",
            "size": "n",
            "formulas": [{"formula": "AG EF max", "expected": True}],
            "rows": [[2]],
        }
    ],
}

#: What prints, when all is well.
PRINTING = {
    "check": ("check", "fine.ispl"),
    "check as json": ("check", "fine.ispl", "--format", "json"),
    "simulate": ("simulate", "fine.ispl", "-c", "actions", "-c", "eval AG EF top"),
    "simulate as json": ("simulate", "fine.ispl", "-c", "actions", "--format", "json"),
    "export": ("export", "fine.ispl"),
    "lint": ("lint", "fine.ispl", "--format", "json"),
    "fmt": ("fmt", "fine.ispl"),
    "info": ("info", "fine.ispl", "--format", "json"),
    "generate": ("generate", "counter", "--n", "4"),
    "generate a list": ("generate", "--list"),
    "bench a list": ("bench", "--list"),
    "help": ("check", "--help"),
}
#: What writes a file.
WRITING = {
    "check a page": ("check", "fine.ispl", "--format", "json", "--html", "OUT"),
    "check graphs": ("check", "fine.ispl", "--dot", "OUT"),
    "simulate": ("simulate", "fine.ispl", "-c", "actions", "-c", "save OUT"),
    "export": ("export", "fine.ispl", "-o", "OUT"),
    "generate": ("generate", "counter", "--n", "4", "-o", "OUT"),
}
#: What reads a model.
READING = {
    "check": ("check", "MODEL"),
    "check as json": ("check", "MODEL", "--format", "json"),
    "simulate": ("simulate", "MODEL", "-c", "actions", "--format", "json"),
    "export": ("export", "MODEL"),
    "lint": ("lint", "MODEL", "--format", "json"),
    "fmt": ("fmt", "MODEL"),
    "info": ("info", "MODEL", "--format", "json"),
}


@dataclass(frozen=True)
class Ended:
    """How a process has ended."""

    command: tuple[str, ...]
    status: int
    output: str
    errors: str

    def in_good_manners(self, *statuses: int, json_at_least: int = 0) -> Ended:
        """The same, if its status is one of these and all else is as it must be."""
        assert self.status in statuses, self
        for horror in ("Traceback", "panicked", "Exception ignored", "Fatal Python error"):
            assert horror not in self.errors, self
        if "json" in self.command and "simulate" not in self.command:
            objects = list(_objects(self.output))
            assert json_at_least <= len(objects) <= 1, self
        return self


def _objects(text: str) -> Iterator[Any]:
    decoder, rest = json.JSONDecoder(), text.strip()
    while rest:
        found, end = decoder.raw_decode(rest)
        yield found
        rest = rest[end:].strip()


class World:
    """A folder with models, where commands are run; nothing may be left there or among temporary files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "here"
        self.temporary = folder / "temporary"
        for each in (self.folder, self.temporary):
            each.mkdir()
        (self.folder / "fine.ispl").write_text(FINE)
        (self.folder / "tiny.json").write_text(json.dumps(TABLE))

    def environment(self) -> dict[str, str]:
        return {**os.environ, "TMPDIR": str(self.temporary), "PYTHONDONTWRITEBYTECODE": "1"}

    def command(self, arguments: Sequence[str], shell: str = "") -> list[str]:
        """`shell`: what is said before, and after `--`, the redirections."""
        program = [sys.executable, "-m", "knower", *arguments]
        before, _, after = shell.partition("--")
        return ["sh", "-c", f'{before} exec "$@" {after}', "sh", *program] if shell else program

    def run(self, arguments: Sequence[str], shell: str = "", **options: Any) -> Ended:
        options = {
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "stdin": subprocess.DEVNULL,
        } | options
        done = subprocess.run(
            self.command(arguments, shell),
            cwd=self.folder,
            env=self.environment(),
            text=True,
            timeout=PATIENCE,
            **options,
        )
        return Ended(tuple(arguments), done.returncode, done.stdout or "", done.stderr or "")

    def files(self) -> set[str]:
        return {path.name for path in (*self.folder.iterdir(), *self.temporary.iterdir())}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    before = made.files()
    yield made
    assert made.files() <= before | {"out", "results"}


def _with(arguments: Sequence[str], **names: str) -> tuple[str, ...]:
    """The arguments with names for MODEL and OUT."""
    for name, value in names.items():
        arguments = tuple(argument.replace(name.upper(), value) for argument in arguments)
    return tuple(arguments)


def every(table: dict[str, tuple[str, ...]]) -> Any:
    return pytest.mark.parametrize("arguments", table.values(), ids=table.keys())


# -- output -----------------------------------------------------------------------------------------


@every(PRINTING)
def test_a_lost_reader(world: World, arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = world.run(arguments, stdout=writer)
    finally:
        os.close(writer)
    assert ended.in_good_manners(141).errors == ""


@every(PRINTING)
def test_output_on_a_full_disk(world: World, arguments: tuple[str, ...]) -> None:
    ended = world.run(arguments, "-- >/dev/full").in_good_manners(2)
    assert ended.errors == "error[E609]: cannot write the output: No space left on device\n"


def test_a_reader_that_has_seen_enough(world: World) -> None:
    names = " ".join(f"y{number} : boolean;" for number in range(9_000))
    (world.folder / "fine.ispl").write_text(FINE.replace("x : 0..3;", f"x : 0..3; {names}"))
    command = world.command(("fmt", "fine.ispl"))
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with child(command, cwd=world.folder, env=world.environment(), **streams) as run:
        run.stdout.read(1)
        run.stdout.close()
        errors = run.stderr.read()
    assert (run.wait(PATIENCE), errors) == (141, b"")


@pytest.mark.parametrize("lost", ["2>/dev/full", "2>&-"])
def test_errors_that_nobody_sees(world: World, lost: str) -> None:
    """The status is that of the verdict, or of the mistake."""
    ways = [
        (("check", "missing.ispl"), 2),
        (("check", "fine.ispl", "-f", "EX top"), 1),
        (("check", "fine.ispl", "--nonsense"), 2),
        (("fmt", "--check", "fine.ispl"), 1),
        (("generate", "nonsense"), 2),
        (("simulate", "fine.ispl", "-c", "nonsense"), 2),
        (("export", "fine.ispl", "--max-states", "1"), 3),
    ]
    for arguments, status in ways:
        world.run(arguments, f"-- {lost}").in_good_manners(status)


@pytest.mark.parametrize("arguments", [("check", "-"), ("fmt", "-"), ("simulate", "fine.ispl")])
def test_closed_input(world: World, arguments: tuple[str, ...]) -> None:
    world.run(arguments, "-- <&-").in_good_manners(0 if "simulate" in arguments else 2)


def test_everything_closed(world: World) -> None:
    """What is opened meanwhile does not become standard output."""
    ended = world.run(("generate", "counter", "--n", "4", "-o", "out"), "-- <&- >&- 2>&-")
    ended.in_good_manners(0)
    assert (world.folder / "out").read_text().startswith("--")


# -- files ------------------------------------------------------------------------------------------


@every(WRITING)
def test_output_to_a_fifo(world: World, arguments: tuple[str, ...]) -> None:
    fifo = world.folder / "out"
    os.mkfifo(fifo)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(fifo.read_text()), daemon=True)
    reader.start()
    world.run(_with(arguments, out="out")).in_good_manners(0, json_at_least=1)
    reader.join(PATIENCE)
    assert found and found[0], "the reader got it"
    assert fifo.is_fifo()


@every(WRITING)
def test_output_to_devices(world: World, arguments: tuple[str, ...]) -> None:
    world.run(_with(arguments, out="/dev/null")).in_good_manners(0, json_at_least=1)
    ended = world.run(_with(arguments, out="/dev/full")).in_good_manners(2, json_at_least=1)
    assert "E608" in ended.errors + ended.output
    assert Path("/dev/null").is_char_device() and Path("/dev/full").is_char_device()


def test_output_by_the_name_of_a_stream(world: World) -> None:
    """What is already in the file stays."""
    path = world.folder / "out"
    path.write_text("before\n")
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        world.run(("generate", "counter", "--n", "4", "-o", name), "-- >>out").in_good_manners(0)
    text = path.read_text()
    assert text.startswith("before\n") and text.count("end InitStates") == 3


# -- input ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["unreadable", "empty", "a folder", "binary", "without a name"])
def test_bad_models(world: World, kind: str) -> None:
    (world.folder / "fine.ispl").write_bytes({"empty": b"", "binary": os.urandom(99) + b"\0"}.get(kind, b""))
    name = {"unreadable": "/proc/self/mem", "a folder": ".", "without a name": ""}.get(kind, "fine.ispl")
    ways = list(READING.values())
    for arguments in ways if kind in ("empty", "without a name") else ways[1:4]:
        ended = world.run(_with(arguments, model=name)).in_good_manners(2, json_at_least=1)
        assert ended.errors.startswith(("error", f"{name}:")) != ("json" in arguments), ended
        if kind == "without a name":
            assert "the path is empty" in ended.errors + ended.output


# -- shortages --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kilobytes", [45_000, 55_000, 307_200])
def test_little_memory(world: World, kilobytes: int) -> None:
    """Verdicts, or a message that says so; never a verdict that was not found."""
    ways = [PRINTING[name] for name in ("check as json", "simulate", "export", "fmt", "generate")]
    for arguments in ways:
        ended = world.run(arguments, f"ulimit -v {kilobytes};").in_good_manners(0, 2, 3)
        assert ended.status != 2 or "E630" in ended.errors + ended.output, ended


def test_a_model_that_needs_more_memory(world: World) -> None:
    names = [f"x{number}" for number in range(15_000)]
    large = FINE.replace("x : 0..3;", "x : 0..3;" + " ".join(f"{name} : boolean;" for name in names))
    large = large.replace("Evolution:", "Evolution:" + " ".join(f"{name} = true if x = 1;" for name in names))
    (world.folder / "fine.ispl").write_text(large)
    for name in ("check as json", "lint"):
        ended = world.run(PRINTING[name], "ulimit -v 60000;").in_good_manners(2, 3, json_at_least=1)
        assert "E630" in ended.errors + ended.output or "out of memory" in ended.output, ended


@pytest.mark.parametrize("descriptors", [5, 6, 8])
def test_few_open_files(world: World, descriptors: int) -> None:
    ways = (
        (*PRINTING["check as json"], "--portfolio", "first"),
        PRINTING["check"],
        PRINTING["generate"],
        _with(WRITING["export"], out="out"),
    )
    for arguments in ways:
        ended = world.run(arguments, f"ulimit -n {descriptors};").in_good_manners(0, 2, 3, json_at_least=1)
        said = ended.errors + ended.output
        assert ended.status != 2 or "E631" in said or "Too many open files" in said, ended


def test_a_benchmark(world: World) -> None:
    """Which starts processes and draws pictures."""
    arguments = ("bench", "tiny.json", "--output", "results")
    world.run(arguments).in_good_manners(0)
    for shell, statuses in (("ulimit -n 9;", (0, 2)), ("ulimit -v 150000;", (0, 2)), ("-- >/dev/full", (2,))):
        world.run((*arguments, "--again"), shell).in_good_manners(*statuses)


# -- limits -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [("--time-limit", "0"), ("--memory-limit", "1")])
def test_limits_of_every_command(world: World, limit: tuple[str, str]) -> None:
    for name in ("export", "lint", "fmt", "info", "generate"):
        ended = world.run((*PRINTING[name], *limit)).in_good_manners(3, json_at_least=1)
        assert "E633" in ended.errors + ended.output
    world.run(("simulate", "fine.ispl", "-c", "eval AG EF top", *limit)).in_good_manners(0, 3)


def test_a_limit_that_comes_later(world: World) -> None:
    many = " ".join(f"y{number} : boolean;" for number in range(60_000))
    (world.folder / "out").write_text(FINE.replace("x : 0..3;", f"x : 0..3; {many}"))
    ended = world.run(("lint", "out", "--time-limit", "0.3")).in_good_manners(3)
    assert ended.errors.startswith("error[E633]: time limit of 0.3 s reached")


# -- signals ----------------------------------------------------------------------------------------

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def _heeds_signals(process: subprocess.Popen[Any]) -> bool:
    """Whether it has its own answer to SIGTERM: Python alone has none."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
    return False


def _signalled(world: World, arguments: Sequence[str], kinds: Sequence[int], after: float) -> Ended:
    """A process that gets signals so many seconds after it has begun to heed them."""
    pipe = subprocess.PIPE
    command = world.command(arguments)
    options = {"cwd": world.folder, "env": world.environment(), "text": True}
    with child(command, stdin=pipe, stdout=pipe, stderr=pipe, **options) as run:
        late = time.monotonic() + PATIENCE
        while not _heeds_signals(run) and run.poll() is None and time.monotonic() < late:
            time.sleep(0.002)
        for kind in kinds:
            time.sleep(after)
            run.send_signal(kind)
        output, errors = run.communicate(timeout=PATIENCE)
    return Ended(tuple(arguments), run.returncode, output, errors)


@pytest.fixture
def endless(world: World) -> tuple[str, ...]:
    names = " ".join(f"y{number} : boolean;" for number in range(40))
    (world.folder / "fine.ispl").write_text(FINE.replace("x : 0..3;", f"x : 0..3; {names}"))
    return ("check", "fine.ispl", "--format", "json", *LONG)


@pytest.mark.parametrize("kind", SIGNALS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("after", [0.0, 0.03, 0.1, 0.2, 0.4, 0.8])
def test_signals_at_any_moment(world: World, endless: tuple[str, ...], kind: int, after: float) -> None:
    ended = _signalled(world, endless, [kind], after).in_good_manners(128 + kind)
    for found in _objects(ended.output):
        errors = [error["code"] for error in found.get("errors", ())]
        assert errors == ["E636"] or [one["reason"] for one in found["formulas"]] == ["interrupted"]


def test_a_signal_that_python_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes while a class is made is raised as a RuntimeError, up to Python 3.11."""

    def make_a_class() -> int:
        try:
            raise signals.Signalled(signal.SIGHUP)
        except KeyboardInterrupt as stop:
            raise RuntimeError("Error calling __set_name__") from stop

    monkeypatch.setattr(main, "_invoked", make_a_class)
    assert main.run() == signals.INTERRUPTED


@pytest.mark.parametrize("after", [0.0, 0.004, 0.03, 0.2, 0.5])
def test_a_second_signal(world: World, endless: tuple[str, ...], after: float) -> None:
    _signalled(world, endless, [signal.SIGINT] * 3, after).in_good_manners(130)


@pytest.mark.parametrize("kind", SIGNALS, ids=lambda kind: kind.name)
def test_signals_while_others_work(world: World, endless: tuple[str, ...], kind: int) -> None:
    os.mkfifo(world.folder / "out")  # nobody reads it
    ways = (
        ("simulate", "fine.ispl"),  # waits for a command
        ("generate", "counter", "--n", "4", "-o", "out"),  # waits for a reader
        ("export", "fine.ispl", "--max-states", "100000000"),
        ("simulate", "fine.ispl", "-c", "initial 1", "-c", "random 1000000000"),
    )
    for arguments in ways:
        _signalled(world, arguments, [kind], 0.5).in_good_manners(128 + kind)


@pytest.mark.parametrize("kind", SIGNALS, ids=lambda kind: kind.name)
def test_signals_that_are_to_be_ignored(world: World, endless: tuple[str, ...], kind: int) -> None:
    """As under `nohup`, and in the background of a shell without job control."""
    arguments = ("generate", "counter", "--n", "4", "-o", "out")
    os.mkfifo(world.folder / "out")
    command = world.command(arguments, f"trap '' {kind};")
    with child(command, cwd=world.folder, env=world.environment(), stderr=subprocess.PIPE) as run:
        time.sleep(0.7)
        run.send_signal(kind)
        assert (world.folder / "out").read_text()
        _, errors = run.communicate(timeout=PATIENCE)
    assert (run.returncode, errors) == (0, b"")


@pytest.mark.skipif(find_spec("distributed") is None, reason="needs dask")
def test_a_cluster_leaves_nothing(world: World) -> None:
    kind = signal.SIGTERM
    world.run(("generate", "prisoners", "--n", "60", "-o", "out")).in_good_manners(0)
    arguments = ("check", "out", "--method", "bmc", "--cluster", "local:2", "--format", "json")
    pipe = subprocess.PIPE
    command = world.command(arguments)
    with child(
        command, cwd=world.folder, env=world.environment(), stdout=pipe, stderr=pipe, text=True
    ) as run:
        late = time.monotonic() + PATIENCE
        while not any(world.temporary.glob("knower-*/*/worker-*")) and run.poll() is None:
            assert time.monotonic() < late
            time.sleep(0.05)
        run.send_signal(kind)
        output, errors = run.communicate(timeout=PATIENCE)
    while any(world.temporary.iterdir()) and time.monotonic() < late:  # the workers clear it away
        time.sleep(0.05)
    Ended(arguments, run.returncode, output, errors).in_good_manners(128 + kind, json_at_least=1)


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGHUP], ids=lambda kind: kind.name)
def test_the_terminal_is_as_before(world: World, kind: int) -> None:
    import pty
    import termios

    terminal, other = pty.openpty()
    before = termios.tcgetattr(other)
    command = world.command(("simulate", "fine.ispl"))
    options = {"cwd": world.folder, "env": world.environment()}
    try:
        with child(command, stdin=other, stdout=other, stderr=other, **options) as run:
            shown = b""
            while not shown.endswith(b"0> "):
                shown += os.read(terminal, 4096)
            late = time.monotonic() + PATIENCE
            while run.poll() is None and time.monotonic() < late:
                run.send_signal(kind)  # again, if it did not wait for a key yet and so has not noticed
                with suppress(subprocess.TimeoutExpired):
                    run.wait(3)
            assert run.returncode == 128 + kind
        assert termios.tcgetattr(other) == before
    finally:
        os.close(terminal)
        os.close(other)


# -- what nobody has thought of ---------------------------------------------------------------------


@pytest.mark.parametrize("style", ["text", "json"])
@pytest.mark.parametrize(
    ("raised", "code"),
    [("MemoryError()", "E630"), ("OSError(24, 'many')", "E631"), ("OSError(5, 'what')", "E632"),
     ("ZeroDivisionError()", "E639")],
)  # fmt: skip
def test_faults(world: World, raised: str, code: str, style: str) -> None:
    """Exit status 1 is not for them: it says that a formula is false."""
    script = f"""
import sys
import knower.session
def load(*_, **more):
    raise {raised}
knower.session.Session.load = load
sys.argv = ["knower", "info", "fine.ispl", "--format", "{style}"]
from knower.cli.entry import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=world.folder, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert ("Traceback" in done.stderr) == (code == "E639")
    if style == "json":
        assert [error["code"] for error in json.loads(done.stdout)["errors"]] == [code]
    else:
        assert f"error[{code}]" in done.stderr and done.stdout == ""
