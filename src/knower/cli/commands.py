"""What can be said to `knower simulate`."""

from __future__ import annotations

from knower.errors import UsageError, did_you_mean
from knower.records import dataclass


@dataclass(frozen=True)
class Command:
    """A command; `repeats`: it belongs among the saved ones. `Stepper` has a method of its name."""

    name: str
    short: str
    takes: str
    does: str
    repeats: bool = True

    @property
    def form(self) -> str:
        return f"{self.name} {self.takes}".rstrip()


COMMANDS = (
    Command("initial", "i", "[N] [CONDITION]", "list the initial states; begin at the N-th, or the only one"),
    Command("actions", "a", "[AGENT=ACTION …]", "list the enabled joint actions; `actions N`: where N leads"),
    Command("step", "s", "[N [M] | AGENT=ACTION …]", "take a joint action (to its M-th successor)"),
    Command("next", "n", "", "take the next step of the path that is followed"),
    Command("back", "b", "[N]", "undo the last step, or the last N"),
    Command("start", "t", "", "undo all steps"),
    Command("random", "r", "[N] [--seed S]", "take N random steps"),
    Command("state", "p", "", "show the whole state"),
    Command("show", "v", "AGENT, …", "show what these agents, or the members of a group, see"),
    Command("changes", "c", "", "show what the last step changed"),
    Command("history", "l", "", "tell the path so far"),
    Command("eval", "e", "FORMULA", "say whether a formula holds here"),
    Command("knows", "k", "FORMULA", "say which agents know here that a formula holds, or that it does not"),
    Command("follow", "f", "N | FORMULA", "begin the path that shows why formula N, or this one, is so"),
    Command("save", "w", "FILE", "write the commands so far, to be repeated with --script", repeats=False),
    Command("help", "h", "[COMMAND]", "list the commands", repeats=False),
    Command("quit", "q", "", "end", repeats=False),
)  # fmt: skip


def command_named(word: str) -> Command:
    """The command of a name or a letter."""
    for command in COMMANDS:
        if word in (command.name, command.short):
            return command
    cure = did_you_mean(word, [command.name for command in COMMANDS]) or "`help` lists the commands"
    raise UsageError("E620", f"unknown command `{word}`", cure)
