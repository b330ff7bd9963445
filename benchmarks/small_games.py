"""Many small models, one after the other: what each costs beside its own hardness.

    python benchmarks/small_games.py                 # 120 games, phase by phase and in all
    python benchmarks/small_games.py --profile none

Games have eight positions, two or three players with two actions each, and fourteen formulas of CTL, ATL and
knowledge. Phases are measured in this process, at the desk that a worker has; `through workers` is all of it
as people do it, from the start of the workers to their end. The best of several rounds is told.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import os
import pstats
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import product
from pkgutil import resolve_name
from typing import ParamSpec, TypeVar
from unittest.mock import patch

from knower.desk.desk import Desk
from knower.memory import Keeping
from knower.messages import Check, Failed, Open, Reply, Request, Text, Told, framed
from knower.session import Session

POSITIONS = range(8)
PROPOSITIONS = ("p", "q", "r")
FORMULAS = 14
EVIDENCE = ("none", "auto")
P = ParamSpec("P")
T = TypeVar("T")
#: What a desk may keep.
_MEGABYTES = 3000.0


# -- games --------------------------------------------------------------------------------------------------


def game(seed: int) -> str:
    """A random game as ISPL text; its shape depends on the seed."""
    dice = random.Random(seed)
    players = [f"P{k}" for k in range(1, 3 + seed % 2)]
    shape = (_arena, _bits, _table)[seed % 3]
    lines = [*shape(players, dice), *_groups(players), "Formulae"]
    lines += [f"  {_formula(players, dice, 3)};" for _ in range(FORMULAS)]
    return "\n".join([*lines, "end Formulae", ""])


def _arena(players: Sequence[str], dice: random.Random) -> list[str]:
    """One variable of the Environment, a line for each position and joint action; a hint for those who
    do not see the position."""
    hints = {position: dice.choice(["true", "false"]) for position in POSITIONS}
    lines = ["Agent Environment", "  Vars:", "    at : 0..7;", "    hint : boolean;", "  end Vars"]
    lines += ["  Actions = {none};", "  Protocol:", "    Other : {none};", "  end Protocol", "  Evolution:"]
    for position in POSITIONS:
        for joint in product("ab", repeat=len(players)):
            acts = [f"{who}.Action = {act}" for who, act in zip(players, joint, strict=True)]
            to, guard = dice.choice(POSITIONS), " and ".join([f"at = {position}", *acts])
            lines.append(f"    at = {to} and hint = {hints[to]} if {guard};")
    lines += ["  end Evolution", "end Agent"]
    for who in players:
        lines += [f"Agent {who}", f"  Lobsvars = {{{dice.choice(['', 'at', 'hint'])}}};", "  Vars:"]
        lines += ["    idle : boolean;", "  end Vars", "  Actions = {a, b};", "  Protocol:"]
        lines += ["    Other : {a, b};", "  end Protocol", "  Evolution:", "  end Evolution", "end Agent"]
    lines += [*_evaluation("Environment.at", dice), "InitStates"]
    start = ["Environment.at = 0", f"Environment.hint = {hints[0]}"]
    return [*lines, "  " + " and ".join([*start, *(f"{who}.idle = false" for who in players)]) + ";", _END]


def _bits(players: Sequence[str], dice: random.Random) -> list[str]:
    """Positions of a few bits, each with an agent of its own that acts by a protocol."""
    lines: list[str] = []
    owners = [*players, *[f"D{k}" for k in range(3 - len(players))]]
    for who in owners:
        free = who in players
        lines += [f"Agent {who}", "  Vars:", "    bit : boolean;", "  end Vars", "  Actions = {a, b};"]
        lines += ["  Protocol:", f"    bit = true : {{{'a, b' if free else 'a'}}};"]
        lines += ["    Other : {b};" if dice.random() < 0.3 else "    Other : {a, b};"]
        lines += ["  end Protocol", "  Evolution:"]
        for joint in product("ab", repeat=len(owners)):
            acts = [f"{other}.Action = {act}" for other, act in zip(owners, joint, strict=True)]
            value = dice.choice(["true", "false", "bit", "~bit"])
            lines.append(f"    bit = {value} if {' and '.join(acts)};")
        lines += ["  end Evolution", "end Agent"]
    lines.append("Evaluation")
    for name in PROPOSITIONS:
        parts = [f"{who}.bit = {dice.choice(['true', 'false'])}" for who in owners]
        lines.append(f"  {name} if {dice.choice([' and ', ' or ']).join(parts)};")
    lines += ["end Evaluation", "InitStates"]
    return [*lines, "  " + " and ".join(f"{who}.bit = false" for who in owners) + ";", _END]


def _table(players: Sequence[str], dice: random.Random) -> list[str]:
    """An enumeration whose evolution gathers the joint actions that lead to each position."""
    names = [f"s{position}" for position in POSITIONS]
    lines = ["Agent Environment", "  Obsvars:", f"    at : {{{', '.join(names)}}};", "  end Obsvars"]
    lines += ["  Actions = {};", "  Protocol:", "  end Protocol", "  Evolution:"]
    ways: dict[str, list[str]] = {}
    for position in names:
        for joint in product("ab", repeat=len(players)):
            acts = [f"{who}.Action = {act}" for who, act in zip(players, joint, strict=True)]
            ways.setdefault(dice.choice(names), []).append(" and ".join([f"at = {position}", *acts]))
    lines += [f"    at = {to} if ({') or ('.join(guards)});" for to, guards in ways.items()]
    lines += ["  end Evolution", "end Agent"]
    for who in players:
        lines += [f"Agent {who}", "  Vars:", "    memory : boolean;", "  end Vars", "  Actions = {a, b};"]
        lines += ["  Protocol:", f"    Environment.at = {dice.choice(names)} : {{a}};", "    Other : {a, b};"]
        noticed = f"    memory = true if Environment.at = {dice.choice(names)};"
        lines += ["  end Protocol", "  Evolution:", *([noticed] if who == players[0] else [])]
        lines += ["  end Evolution", "end Agent"]
    lines += [*_evaluation("Environment.at", dice, "s"), "InitStates"]
    start = ["Environment.at = s0", *(f"{who}.memory = false" for who in players)]
    return [*lines, "  " + " and ".join(start) + ";", _END]


_END = "end InitStates"


def _evaluation(variable: str, dice: random.Random, prefix: str = "") -> list[str]:
    lines = ["Evaluation"]
    for name in PROPOSITIONS:
        where = [position for position in POSITIONS if dice.random() < 0.4] or [dice.choice(POSITIONS)]
        lines.append(f"  {name} if {' or '.join(f'{variable} = {prefix}{position}' for position in where)};")
    return [*lines, "end Evaluation"]


def _groups(players: Sequence[str]) -> list[str]:
    lines = ["Groups", *(f"  only_{who} = {{{who}}};" for who in players)]
    return [*lines, f"  all = {{{', '.join(players)}}};", "end Groups"]


# -- formulas -----------------------------------------------------------------------------------------------


def _formula(players: Sequence[str], dice: random.Random, depth: int) -> str:
    if depth == 0 or dice.random() < 0.1:
        return dice.choice(PROPOSITIONS)
    a, b = (_formula(players, dice, depth - 1) for _ in range(2))
    who, group = dice.choice(players), dice.choice([*(f"only_{each}" for each in players), "all"])
    forms = [f"<{group}>X ({a})", f"<{group}>F ({a})", f"<{group}>G ({a})", f"<{group}>(({a}) U ({b}))"]
    forms += [f"AG ({a})", f"EF ({a})", f"AX ({a})", f"EG ({a})", f"A(({a}) U ({b}))", f"E(({a}) U ({b}))"]
    forms += [f"K({who}, {a})", f"K({who}, {a})", f"GCK({group}, {a})", f"DK({group}, {a})"]
    forms += [f"(({a}) and ({b}))", f"(({a}) -> ({b}))", f"!({a})"]
    return dice.choice(forms)


# -- measuring ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """CPU seconds, and those of a clock where other processes were at work too."""

    name: str
    cpu: float
    wall: float | None = None

    def __str__(self) -> str:
        wall = "" if self.wall is None else f" {self.wall:10.3f}"
        return f"{self.name:30} {self.cpu:8.3f}{wall}"


class Stopwatch:
    """CPU seconds of this thread by phase; those of a phase within another count for the inner one."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(("everything else", *PHASES), 0.0)
        self._inner = [0.0]

    def timed(self, phase: str, work: Callable[P, T]) -> Callable[P, T]:
        def call(*given: P.args, **named: P.kwargs) -> T:
            began = time.thread_time()
            self._inner.append(0.0)
            try:
                return work(*given, **named)
            finally:
                spent = time.thread_time() - began
                self.seconds[phase] += spent - self._inner.pop()
                self._inner[-1] += spent

        return call

    @contextmanager
    def watching(self) -> Iterator[None]:
        """While this lasts, all phases are told apart."""
        with ExitStack() as undone:
            for phase, places in PHASES.items():
                for place in places:
                    owner, name = place.rsplit(".", 1)
                    found = resolve_name(owner)
                    undone.enter_context(patch.object(found, name, self.timed(phase, getattr(found, name))))
            yield


#: What is done for a check, and the functions that do it, where they are called.
PHASES = {
    "read": ("knower.model.parse_ispl",),
    "elaborate": ("knower.model.elaborate",),
    "questions": ("knower.desk.desk._task", "knower.execution.plan"),
    "explore": ("knower.bitset.bitset_engine.BitsetEngine._explore",),
    "formulas": ("knower.bitset.bitset_engine.BitsetEngine._answer",),
    "evidence": ("knower.evidence.justification.explained",),
    "judge": ("knower.evidence.justification.replay",),
    "messages": (),
}


def _phases(texts: Sequence[Text], evidence: str) -> list[Row]:
    """What a worker does, in this process: a desk reads each model, then checks it."""
    desk, watch = Desk(Keeping(_MEGABYTES)), Stopwatch()
    sent = watch.timed("messages", framed)

    def tell(reply: Reply) -> None:
        """Failures are mistakes of this program."""
        if isinstance(reply, Failed):
            raise reply.error
        sent(Told(0, reply))

    serve = watch.timed("everything else", desk.serve)
    with watch.watching():
        for number, text in enumerate(texts):
            serve(Request(2 * number, Open(text)), tell)
            serve(Request(2 * number + 1, Check(text, None, FORMULAS, evidence=evidence)), tell)
    rows = [Row(f"  {phase}", spent) for phase, spent in watch.seconds.items()]
    return [Row(f"at the desk, {evidence}", sum(watch.seconds.values())), *rows]


def _through_workers(texts: Sequence[Text], evidence: str) -> list[Row]:
    """As people do it: CPU of this process and of the workers, which are over when it is told."""
    began, used = time.perf_counter(), _used()
    with Session() as session:
        session.formatted(texts[0].source)
        ready = time.perf_counter()
        for text in texts:
            session.loads(text.source.text).check(evidence=evidence)
    spent, ended = _used() - used, time.perf_counter()
    start = Row("  of it: start of a worker", 0.0, ready - began)
    return [Row(f"through workers, {evidence}", spent, ended - began), start]


def _used() -> float:
    """CPU seconds of this process and of its children that are over."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _best(rounds: Sequence[Sequence[Row]]) -> list[Row]:
    """The least of several rounds, row by row."""
    return [min(same, key=lambda row: row.cpu) for same in zip(*rounds, strict=True)]


def _verdicts(texts: Sequence[Text]) -> str:
    """How many verdicts of each kind: the same whatever was made faster."""
    found: dict[str, int] = {}
    with Session() as session:
        for text in texts:
            for result in session.loads(text.source.text).check(evidence="none").formulas:
                found[result.verdict.value] = found.get(result.verdict.value, 0) + 1
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(found.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--show", type=int, metavar="SEED", help="print a game")
    parser.add_argument("--profile", choices=EVIDENCE, help="where the time of a desk goes")
    parser.add_argument("--sort", default="tottime", help="by `tottime` or `cumtime`")
    asked = parser.parse_args()
    if asked.show is not None:
        print(game(asked.show))
        return
    texts = [Text(f"game {seed}", game(seed)) for seed in range(asked.games)]
    gc.disable()  # as workers do while they work
    if asked.profile is not None:
        profile = cProfile.Profile()
        profile.runcall(_phases, texts, asked.profile)
        pstats.Stats(profile).sort_stats(asked.sort).print_stats(60)
        return
    print(f"{asked.games} games of {FORMULAS} formulas: {_verdicts(texts)}")
    print(f"{'':30} {'CPU s':>8} {'wall s':>10}")
    for evidence in EVIDENCE:
        for measured in _phases, _through_workers:
            print(*_best([measured(texts, evidence) for _ in range(asked.rounds)]), sep="\n")


if __name__ == "__main__":
    main()
