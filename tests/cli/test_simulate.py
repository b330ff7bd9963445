"""`knower simulate`: what is said, what is replied, and what becomes of mistakes."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from knower.cli.commands import COMMANDS
from knower.cli.simulate import simulate
from knower.cli.stepper import Stepper
from knower.logic import formula as f
from knower.reasons import Refused
from knower.session import System
from knower.verdict.evidence import Case, Evidence, PathProof, Run, Vocabulary
from knower.verdict.verdict import CheckResult, FormulaResult, Verdict
from processes import PATIENCE, child

EXAMPLES = Path(__file__).parents[2] / "examples"
BIT = str(EXAMPLES / "bit_transmission.ispl")
TIAN_JI = str(EXAMPLES / "tian_ji.ispl")

#: From 0 to 3, one or two at a time, and then stuck.
STAIRS = """\
Agent A
  Vars: x : 0..3; end Vars
  Actions = {go, jump};
  Protocol: x < 3 : {go, jump}; end Protocol
  Evolution: x = x + 1 if Action = go; x = x + 2 if Action = jump; end Evolution
end Agent
Evaluation start if A.x = 0; done if A.x = 3; end Evaluation
InitStates A.x = 0; end InitStates
Formulae EF done; AG start; end Formulae
"""

#: A million initial states, and two successors of `up`.
MILLION = """\
Agent A
  Vars: x : 0..999999; y : boolean; end Vars
  Actions = {up, down};
  Evolution: x = x + 1 if Action = up; x = x - 1 if Action = down; y = true if Action = up; end Evolution
end Agent
Evaluation big if A.x > 500000; end Evaluation
InitStates A.y = false; end InitStates
"""


@pytest.fixture
def stairs(tmp_path, monkeypatch):
    """A model in a folder of its own, where the test works."""
    monkeypatch.chdir(tmp_path)
    Path("stairs.ispl").write_text(STAIRS)
    return "stairs.ispl"


@pytest.fixture
def million(tmp_path):
    path = tmp_path / "million.ispl"
    path.write_text(MILLION)
    return str(path)


def run(model: str, *commands: str, options: tuple[str, ...] = (), stdin: str | None = None) -> Result:
    """A session in this process; only a `SystemExit` may come out of it."""
    said = [word for command in commands for word in ("-c", command)]
    ran = CliRunner().invoke(simulate, [model, *options, *said], input=stdin)
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran


def replies(model: str, *commands: str, options: tuple[str, ...] = ()) -> list[str]:
    """What is said after the opening, without the commands."""
    ran = run(model, *commands, options=options)
    assert ran.exit_code == 0, ran.output
    _, *shown = re.split(r"^\d*> ", ran.stdout, flags=re.MULTILINE)
    return [part.partition("\n")[2].rpartition("\n")[0] for part in shown]


def data(model: str, *commands: str, status: int = 0, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """One object for each command, a line each."""
    ran = run(model, *commands, options=("--format", "json", *options))
    assert ran.exit_code == status
    return [json.loads(line) for line in ran.stdout.splitlines()]


# -- sessions ---------------------------------------------------------------------------------------


def test_a_session_word_for_word(stairs):
    ran = run(
        stairs, "actions", "step 2", "changes", "eval EF done", "actions", "step A=go", "actions", "history"
    )
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert (
        ran.stdout
        == """\
stairs.ispl: `help` lists the commands
state 0
  A: x = 0
  true: start
0> actions
  1. A: go
  2. A: jump
0> step 2
  A: jump
state 1: A.x = 2
1> changes
  A.x: 0 -> 2
1> eval EF done
true
1> actions
  1. A: go
  2. A: jump  (leads nowhere; x : 0..3 would become 4 in agent A)
1> step A=go
  A: go
state 2: A.x = 3
2> actions
deadlock: nothing is enabled for A
2> history
state 0: A.x = 0
  A: jump
state 1: A.x = 2
  A: go
state 2: A.x = 3
"""
    )


def test_bit_transmission():
    said = [
        "i",
        "i 2 Sender.acked = false",
        "a",
        "s Environment=pass_both",
        "k bit_is_one",
        "b",
        "p",
        "v Receiver",
    ]
    listed, begun, actions, step, knows, back, state, seen = replies(BIT, *said[:-1], "show partners")
    assert (
        listed
        == """\
  all: Environment.line = blocked, Sender.acked = false, Receiver.received = nothing
  1. Sender.bit = zero
  2. Sender.bit = one
choose one: `initial 1`"""
    )
    assert begun.startswith("state 0\n  Environment: line = blocked\n  Sender: bit = one, acked = false")
    assert (
        actions
        == """\
  all: Sender: send_one, Receiver: listen
  1. Environment: pass_both
  2. Environment: pass_to_receiver
  3. Environment: pass_to_sender
  4. Environment: block"""
    )
    assert (
        step
        == """\
  Environment: pass_both, Sender: send_one, Receiver: listen
state 1: Environment.line = both, Receiver.received = one"""
    )
    assert (
        knows
        == """\
  Environment  does not know
  Sender       knows it
  Receiver     knows it"""
    )
    assert back == state == begun
    assert (
        seen
        == """\
  Sender.bit = one
  Sender.acked = false
  Receiver.received = nothing"""
    )


def test_tian_ji():
    asked = "eval <TianJi>F tian_ji_wins"
    *_, good, bad = replies(TIAN_JI, "step TianJi=run_slow", asked, "back", "step TianJi=run_fast", asked)[
        1::3
    ]
    assert (good, bad) == ("true", "false")


def test_a_million_initial_states(million):
    listed, begun, fifth = replies(
        million, "initial", "initial A.x = 77777", "initial 5 A.x > 7 and A.x < 100"
    )
    assert listed.startswith("  all: A.y = false\n  1. A.x = 0\n")
    assert listed.endswith(
        "\nmore than 50 initial states, narrow with a condition: `initial Agent.x = 1 and …`"
    )
    assert listed.count("\n") == 51
    assert begun == "state 0\n  A: x = 77777, y = false\n  true: nothing"
    assert "x = 12," in fifth


def test_several_successors(million):
    ran = run(million, "initial 8", "actions 1", "step 1 2", "back", "step 1")
    assert ran.exit_code == 2
    assert "  A: up\n  1. A.x = 8\n  2. A.y = true\n" in ran.stdout
    assert "state 1: A.y = true" in ran.stdout
    assert "error[E625]: this joint action leads to one of 2 states" in ran.stderr


def test_random_walks_are_repeated_by_their_seed(stairs):
    walks = [replies(BIT, "random 8", options=("--seed", seed))[0] for seed in ("4", "4", "5")]
    assert walks[0] == walks[1] != walks[2]
    assert replies(BIT, "random 8 --seed 4")[0] == walks[0]
    first, second = replies(BIT, "random 3", "random 3")
    assert first != second
    ended = replies(stairs, "random 9")[0]
    assert ended.endswith("see `actions`")


def test_long_walks_are_not_told_step_by_step():
    (told,) = replies(BIT, "random 1000")[:1]
    assert "1000 steps; `history` tells them all\n" in told
    assert told.count("\n") < 12


def test_a_saved_session_is_repeated(stairs):
    first = run(BIT, "random 3", "start", "r 2 --seed 9", "nop", "state")
    assert first.exit_code == 2
    first = run(BIT, "random 3", "start", "r 2 --seed 9", "b", "knows bit_received", "state", "save walk.txt")
    assert Path("walk.txt").read_text() == (
        "random 3 --seed 0\nstart\nrandom 2 --seed 9\nback\nknows bit_received\nstate\n"
    )
    again = run(BIT, options=("--script", "walk.txt"))
    assert again.exit_code == 0
    assert again.stdout.split("> state\n")[1] + "1> save walk.txt\n" in first.stdout


def test_standard_input_is_a_script_without_prompt(stairs):
    ran = run(stairs, stdin="# a comment\n\n-- and another\n  actions  \nquit\nnonsense\n")
    assert ran.exit_code == 0
    assert ran.stdout.endswith("0> actions\n  1. A: go\n  2. A: jump\n0> quit\n")


@pytest.mark.parametrize("stdin", ["", "\n\n", "-- nothing\n"])
def test_no_commands(stairs, stdin):
    ran = run(stairs, stdin=stdin)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.stdout == "stairs.ispl: `help` lists the commands\nstate 0\n  A: x = 0\n  true: start\n"
    Path("empty").write_text(stdin)
    assert run(stairs, options=("--script", "empty")).stdout == ran.stdout


def test_every_command_has_a_letter_of_its_own_and_a_method():
    shorts = [command.short for command in COMMANDS]
    assert len(set(shorts)) == len(shorts)
    for command in COMMANDS:
        assert callable(getattr(Stepper, command.name))


def test_help_lists_all_commands(stairs):
    (told,) = replies(stairs, "help")
    assert all(f"  {command.short}  {command.form} " in told for command in COMMANDS)
    assert replies(stairs, "help step") == [
        "  s  step [N [M] | AGENT=ACTION …]  take a joint action (to its M-th successor)"
    ]


# -- mistakes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("commands", "code", "cure"),
    [
        (["stepp 1"], "E620", "did you mean `step`?"),
        (["step one"], "E621", "write `Agent=action …`, or numbers"),
        (["back x"], "E621", ""),
        (["state all"], "E621", "leave it out"),
        (["eval"], "E621", "`eval FORMULA`"),
        (["show"], "E621", "`show Agent, …`"),
        (["step 7"], "E623", "they are numbered from 1 to 2"),
        (["follow 3"], "E623", "they are numbered from 1 to 2"),
        (["initial A.x = 1"], "E623", "`initial` lists them"),
        (["show B"], "E624", "known: `A`"),
        (["step B=go"], "E624", "known: `A`"),
        (["step A=goo"], "E624", "did you mean `go`?"),
        (["step"], "E625", "say also what A does"),
        (["step 2", "step 2"], "E626", ""),
        (["back"], "E627", "`start` goes back to the start"),
        (["next"], "E627", "`follow N` follows the evidence of formula N"),
        (["save no/such/folder"], "E608", ""),
        (["initial A.y = 1"], "E202", ""),
    ],
)
def test_mistakes(stairs, commands, code, cure):
    ran = run(stairs, *commands)
    assert ran.exit_code == 2
    assert f"<command {len(commands)}>:1:" in ran.stderr
    assert f"error[{code}]" in ran.stderr
    assert cure in ran.stderr


def test_nothing_to_look_at_before_the_start():
    for command in ("state", "actions", "step 1", "history", "changes", "eval bit_is_one", "back 0"):
        ran = run(BIT, command)
        assert (ran.exit_code, "E622" in ran.stderr) == (2, True), command


def test_a_mistake_in_a_script_has_its_place(stairs):
    Path("walk.txt").write_text("step 1\n\n\teval EF dune\nstep 1\n")
    ran = run(stairs, options=("--script", "walk.txt"))
    assert ran.exit_code == 2
    assert (
        ran.stderr
        == """\
walk.txt:3:10: error[E501]: unknown proposition `dune`
3 | \teval EF dune
  | \t        ^^^^
  help: did you mean `done`?
"""
    )
    assert ran.stdout.endswith("state 1: A.x = 1\n1> eval EF dune\n")


def test_models_and_scripts_that_cannot_be_read(stairs):
    assert "E601" in run("absent.ispl", "state").stderr
    assert "E601" in run(stairs, options=("--script", "absent")).stderr
    assert run(stairs, options=("--script", ".")).exit_code == 2


def test_the_model_and_the_commands_do_not_both_come_from_standard_input():
    ran = run("-", stdin=STAIRS)
    assert ran.exit_code == 2
    assert "--script or --command" in ran.stderr
    assert run("-", "state", stdin=STAIRS).exit_code == 0


def test_a_model_without_initial_state(stairs):
    Path(stairs).write_text(STAIRS.replace("InitStates A.x = 0", "InitStates A.x = 0 and A.x = 1"))
    ran = run(stairs, "state")
    assert ran.exit_code == 2
    assert "stairs.ispl:8:12: error[E410]" in ran.stderr


def test_what_cannot_be_told(million):
    ran = run(million, "initial 7", "eval LTL F big", "state", options=("--time-limit", "0"))
    assert ran.exit_code == 3
    assert "\ncannot tell: time limit of 0 s reached\n0> state\n" in ran.stdout
    ran = run(BIT, "initial 1", "knows bit_is_one", options=("--time-limit", "0"))
    assert ran.exit_code == 3
    assert "cannot tell: time limit of 0 s reached" in ran.stdout


# -- following --------------------------------------------------------------------------------------


def with_evidence(monkeypatch: pytest.MonkeyPatch, run: Run | None, verdict: Verdict = Verdict.TRUE) -> None:
    """Let every check end with this path as its evidence."""
    words = Vocabulary(("A",), (("A", "x"),), ((("A", "x"),),))

    def check(self: System, spec: Any, **options: object) -> CheckResult:
        proof = run and PathProof(run.states[0], f.EF(f.Atom("done")), run)
        found = proof and Evidence("witness", words, (Case(Run(run.states[:1]), proof),))
        reason = Refused("too hard") if verdict is Verdict.UNKNOWN else None
        result = FormulaResult(1, self.print(spec), spec, "CTL", verdict, reason, evidence=found)
        return CheckResult(self.name, "bdd", 4, (result,))

    monkeypatch.setattr(System, "check", check)


def test_evidence_is_followed(stairs, monkeypatch):
    with_evidence(monkeypatch, Run(((0,), (2,), (3,)), (("jump",), ("go",))))
    told, first, back, again, second = replies(stairs, "follow 1", "next", "back", "n", "n")
    assert told == ("true: a path of 2 steps; `next` walks along it\nstate 0\n  A: x = 0\n  true: start")
    assert first == again == "  A: jump\nstate 1: A.x = 2"
    assert back == "state 0\n  A: x = 0\n  true: start"
    assert second == "  A: go\nstate 2: A.x = 3"
    ended = run(stairs, "follow EF done", "n", "n", "n")
    assert (ended.exit_code, "E627" in ended.stderr) == (2, True)
    left = run(stairs, "follow 1", "step 1", "next")
    assert "is left" in left.stderr


def test_real_evidence_is_followed(stairs):
    """A shortest way up for `EF done`; a first step away for `AG start`."""
    *_, last = replies(stairs, "follow 1", "next", "next", "eval done")
    assert last == "true"
    told, first = replies(stairs, "follow AG start", "next")
    assert told.startswith("false: a path of 1 step; ")
    assert first.startswith("  A: ")
    *_, round_ = replies(BIT, "follow AF bit_received", *["next"] * 7)
    assert round_.endswith("state 7: nothing changes")


def test_a_verdict_without_path(stairs, monkeypatch):
    with_evidence(monkeypatch, None)
    assert "E628" in run(stairs, "follow 1").stderr
    with_evidence(monkeypatch, None, Verdict.UNKNOWN)
    ran = run(stairs, "follow 1")
    assert (ran.exit_code, "cannot tell: too hard" in ran.stdout) == (3, True)


# -- for programs -----------------------------------------------------------------------------------


def test_one_object_for_each_command(stairs):
    found = data(
        stairs, "actions", "step 2", "eval EF done", "knows done", "show A", "changes", "history", "quit"
    )
    state = {"A": {"x": 2}}
    facts = [{"schema": 1, "command": c, "step": n} for c, n in [("actions", 0), ("step 2", 1)]]
    offered = [
        {"number": 1, "action": {"A": "go"}, "successors": 1, "trouble": None},
        {"number": 2, "action": {"A": "jump"}, "successors": 1, "trouble": None},
    ]
    assert found[0] == {**facts[0], "actions": offered, "more": False, "count": 2}
    assert found[1] == {**facts[1], "action": {"A": "jump"}, "state": state, "true": []}
    assert found[2]["verdict"] == "true"
    assert found[3]["agents"] == {"A": "knows the opposite"}
    assert found[4]["seen"] == found[5]["changes"] == state
    assert found[6]["path"] == {"states": [{"A": {"x": 0}}, state], "actions": [{"A": "jump"}]}
    assert len(found) == 8


def test_initial_states_as_data(million):
    listed, chosen, random = data(million, "initial", "initial 3", "random 0")
    assert (len(listed["initial"]), listed["more"], listed["step"]) == (50, True, None)
    assert chosen["state"] == {"A": {"x": 2, "y": False}}
    assert (random["seed"], random["taken"]) == (0, 0)


def test_mistakes_as_data(stairs):
    good, bad = data(stairs, "state", "step 9", "state", status=2)
    assert good["step"] == 0
    assert bad["errors"][0]["code"] == "E623"
    (unknown,) = data(stairs, "eval LTL F done", status=3, options=("--time-limit", "0"))
    assert (unknown["verdict"], unknown["reason"]) == ("unknown", "time limit of 0 s reached")


# -- a terminal -------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_conversation(stairs):
    """A mistake is told, Ctrl-C cancels the line, Ctrl-D ends with status 0."""
    import pty

    program = "import sys; from knower.cli.simulate import simulate; simulate(sys.argv[1:])"
    terminal, other = pty.openpty()
    command = [sys.executable, "-c", program, stairs]
    try:
        with child(command, stdin=other, stdout=other, stderr=other) as session:
            shown = _until(terminal, "0> ")
            for typed, prompt in [("step 1\n", "1> "), ("bad\n", "1> "), ("back\n", "0> ")]:
                os.write(terminal, typed.encode())
                shown += _until(terminal, prompt)
            os.write(terminal, b"half a li")
            shown += _until(terminal, "half a li")
            # Python notices a signal only if it waits for the next key already.
            shown += _until(terminal, "0> ", lambda: session.send_signal(signal.SIGINT))
            os.write(terminal, b"\x04")
            assert session.wait(PATIENCE) == 0
    finally:
        os.close(terminal)
        os.close(other)
    assert "state 1: A.x = 1" in shown
    assert "error[E620]" in shown
    assert "interrupted" in shown


def _until(terminal: int, prompt: str, nudge: Callable[[], None] = lambda: None) -> str:
    """What the terminal shows until it waits at the prompt; whenever it is silent, it gets a nudge."""
    shown, late = "", time.monotonic() + PATIENCE
    while not shown.endswith(prompt):
        assert time.monotonic() < late, shown
        if select.select([terminal], [], [], 0.5)[0]:
            shown += os.read(terminal, 4096).decode()
        else:
            nudge()
    return shown
