"""The commands of `knower simulate`: each takes the rest of its line and gives a reply."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from knower.cli.commands import COMMANDS, command_named
from knower.cli.progress import ProgressLine
from knower.errors import NoInitialState, Undecided, UsageError
from knower.files import write_file
from knower.limits import Budget
from knower.logic.language import Specification
from knower.options import AtlReading, Limits, Reading
from knower.reasons import Reason, Stopped, TooDeep
from knower.records import dataclass
from knower.report import simulation_text as told
from knower.report.data import SCHEMA
from knower.report.wording import changes, counted
from knower.report.words import reason_text
from knower.session import System
from knower.simulation.questions import CannotTell, Questions
from knower.simulation.trail import Trail, trail_of
from knower.simulation.walk import Simulation
from knower.verdict.trace import GlobalState
from knower.verdict.verdict import FormulaResult, Verdict

#: No list is longer.
LISTED = 50

_NUMBER_FIRST = re.compile(r"(\d+)(?:$|\s+(?=[A-Za-z_(]|!(?!=)))")
_CHOICE = re.compile(r"(\w+)\s*=\s*(\w+)(?:$|[\s,]+)")
_SEED = re.compile(r"(?:^|\s)--seed[\s=]+(-?\d+)$")


@dataclass(frozen=True)
class Reply:
    """The answer to a command: for people, and for programs."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)


class Stepper:
    """A session: where the walk is, what is followed, what was done."""

    def __init__(
        self, system: System, atl: AtlReading | None = None, limits: Limits | None = None, seed: int = 0
    ) -> None:
        self.system = system
        self.atl = atl
        self.limits = limits or Limits()
        self.seed = seed
        states = system.states(Reading(atl), self.limits)
        self.walk = Simulation(system.interpreted, states)
        self.trail: Trail | None = None
        self.journal: list[str] = []
        self._note = ""  # the present command, as the journal will have it
        self.finished = False
        self.undecided = False
        self.questions = Questions(system.interpreted, states)

    @property
    def step_number(self) -> int | None:
        """The number of the present state; None before the start."""
        return self.walk.steps if self.walk.states else None

    def open(self) -> Reply:
        """Begin where there is no choice, and say where the session is."""
        where = self._answered(self._opened, "")
        return Reply(f"{self.system.name}: `help` lists the commands\n{where.text}")

    def _opened(self, _: str) -> Reply:
        found = self.walk.initial_states(2, budget=self._budget())
        if not found:
            raise NoInitialState("no state satisfies InitStates")
        if len(found) > 1:
            return Reply("several initial states: `initial` lists them")
        return self._begun(self.walk.begin(found[0]))

    def run(self, line: str) -> Reply:
        """Do what a line says; raises `InputError`, and then nothing has changed."""
        word, *rest = line.split(maxsplit=1) or [""]
        told_more = " ".join(rest).strip()
        command = command_named(word)
        self._note = f"{command.name} {told_more}".rstrip()
        reply = self._answered(getattr(self, command.name), told_more)
        if command.repeats:
            self.journal.append(self._note)
        facts = {"schema": SCHEMA, "command": line.strip(), "step": self.step_number}
        return Reply(reply.text, {**facts, **reply.data})

    def _answered(self, act: Callable[[str], Reply], rest: str) -> Reply:
        """The reply, or why there is none."""
        try:
            return act(rest)
        except NoInitialState as error:
            raise self.system.model.no_initial_state(error) from None
        except Undecided as unknown:
            return self._unknown(unknown.reason)
        except RecursionError:
            return self._unknown(TooDeep())

    def _unknown(self, reason: Reason) -> Reply:
        self.undecided, why = True, reason_text(reason)
        return Reply(f"cannot tell: {why}", {"verdict": Verdict.UNKNOWN.value, "reason": why})

    def _budget(self) -> Budget:
        return Budget(self.limits.seconds, self.limits.megabytes, self.limits.states)

    # -- the start ------------------------------------------------------------------------------------

    def initial(self, rest: str) -> Reply:
        number = _NUMBER_FIRST.match(rest)
        if number is not None:
            where = rest[number.end() :]
            return self._begun(self.walk.begin(int(number[1]), where, self._budget()))
        found = self.walk.initial_states(LISTED + 1, rest, self._budget())
        if not found and rest:
            raise UsageError("E623", f"no initial state with {rest}", "`initial` lists them")
        if len(found) == 1:
            return self._begun(self.walk.begin(found[0]))
        states = [self.walk.explicit.named_state(state) for state in found[:LISTED]]
        narrow = "narrow with a condition: `initial Agent.x = 1 and …`"
        more = _more(len(found), "initial states", narrow) or f"choose one: `initial {f'1 {rest}'.strip()}`"
        data = {"initial": states, "more": len(found) > LISTED}
        return Reply(f"{told.states_text(states)}\n{more}", data)

    def _begun(self, walk: Simulation) -> Reply:
        self.walk, self.trail = walk, None
        return self._whole()

    def _whole(self) -> Reply:
        text = told.state_text(self.walk.steps, self.walk.here, self.walk.propositions)
        return Reply(text, self._where())

    def _where(self) -> dict[str, Any]:
        action = self.walk.explicit.named_action(self.walk.joints[-1]) if self.walk.joints else None
        return {"action": action, "state": self.walk.here, "true": list(self.walk.propositions)}

    # -- steps ----------------------------------------------------------------------------------------

    def actions(self, rest: str) -> Reply:
        if rest.isdecimal():
            return self._successors(int(rest))
        only = _choices(rest)
        moves = self.walk.moves(only)
        found = [move for move, _ in zip(moves, range(LISTED + 1), strict=False)]
        listed = found[:LISTED]
        lines = [told.moves_text(listed)] if listed else []
        lines += [
            _more(len(found), "joint actions", "narrow with what an agent does: `actions Agent=action …`")
        ]
        data = [
            {"number": m.number, "action": m.action, "successors": m.successors, "trouble": m.trouble}
            for m in listed
        ]
        text = "\n".join(line for line in lines if line) or self._deadlock()
        return Reply(text, {"actions": data, "more": len(found) > LISTED, "count": self.walk.ways})

    def _deadlock(self) -> str:
        agents = zip(self.system.interpreted.agents, self.walk.choices, strict=True)
        stuck = ", ".join(agent.name for agent, choices in agents if not choices)
        return f"deadlock: nothing is enabled for {stuck}"

    def _successors(self, number: int) -> Reply:
        move = self.walk.move(number)
        found = self.walk.successors(move, LISTED + 1)
        named = [self.walk.explicit.named_state(state) for state in found[:LISTED]]
        more = _more(len(found), "successors", f"`step {number} M` takes any up to {move.successors}")
        text = told.successors_text(move, self.walk.here, named) + (f"\n{more}" if more else "")
        return Reply(text, {"successors": named, "more": len(found) > LISTED, "count": move.successors})

    def step(self, rest: str) -> Reply:
        numbers = rest.split()
        if not rest:
            return self._moved(self.walk.step({}))
        if all(word.isdecimal() for word in numbers) and len(numbers) <= 2:
            return self._moved(self.walk.step(int(numbers[0]), *map(int, numbers[1:])))
        return self._moved(self.walk.step(_choices(rest)))

    def next(self, rest: str) -> Reply:
        self._refuse(rest)
        if self.trail is None:
            raise UsageError("E627", "no path is followed", "`follow N` follows the evidence of formula N")
        return self._moved(self.trail.next(self.walk))

    def _moved(self, walk: Simulation) -> Reply:
        before, self.walk = self.walk, walk
        text = told.steps_text(walk.path, before.steps if before.states else 0)
        return Reply(text, self._where())

    def back(self, rest: str) -> Reply:
        self.walk = self.walk.back(_count(rest, 1))
        return self._whole()

    def start(self, rest: str) -> Reply:
        self._refuse(rest)
        self.walk = self.walk.start()
        return self._whole()

    def random(self, rest: str) -> Reply:
        """A seed of its own for each walk, so that the saved commands repeat it."""
        given = _SEED.search(rest)
        seed = int(given[1]) if given else self.seed
        steps = _count(rest[: given.start()] if given else rest, 1)
        begun, before = bool(self.walk.states), self.walk.steps
        walk = self.walk.random(steps, seed, self._budget())
        self.seed += given is None
        self._note = f"random {steps} --seed {seed}"
        self.walk = walk
        taken = walk.steps - before
        lines = [] if begun else [told.state_text(0, walk.path.states[0], walk.start().propositions)]
        lines += [told.steps_text(walk.path, before)] if taken else []
        if taken < steps:
            lines.append(f"no way on after {counted(taken, 'step')}: see `actions`")
        return Reply("\n".join(lines), {**self._where(), "seed": seed, "taken": taken})

    # -- looking --------------------------------------------------------------------------------------

    def state(self, rest: str) -> Reply:
        self._refuse(rest)
        return self._whole()

    def show(self, rest: str) -> Reply:
        names = [name for name in re.split(r"[\s,]+", rest) if name]
        if not names:
            raise UsageError("E621", "show whom?", "`show Agent, …`")
        seen: GlobalState = self.walk.seen_by(*names)
        return Reply(told.view_text(seen), {"seen": seen})

    def changes(self, rest: str) -> Reply:
        self._refuse(rest)
        if not self.walk.steps:
            self._require_begun()
            return Reply("no step was taken yet", {"changes": {}})
        before, after = self.walk.path.states[-2:]
        return Reply(told.changes_text(before, after), {"changes": changes(before, after)})

    def _require_begun(self) -> None:
        """An error says so if there is no state yet."""
        _ = self.walk.state

    def history(self, rest: str) -> Reply:
        self._refuse(rest)
        self._require_begun()
        path = self.walk.path
        data = {"path": {"states": list(path.states), "actions": list(path.actions)}}
        return Reply(told.story_text(path), data)

    # -- questions ------------------------------------------------------------------------------------

    def eval(self, rest: str) -> Reply:
        spec = self.system.parse(_required(rest, "eval what?", "`eval FORMULA`"))
        with ProgressLine() as progress:
            holds = self.questions.holds(spec, self.walk.state, progress)
        verdict = Verdict.TRUE if holds else Verdict.FALSE
        data = {"formula": self.system.print(spec), "verdict": verdict.value, "reason": None}
        return Reply(verdict.value, data)

    def knows(self, rest: str) -> Reply:
        spec = self.system.parse(_required(rest, "knows what?", "`knows FORMULA`"))
        with ProgressLine() as progress:
            stances = self.questions.stances(spec, self.walk.state, progress)
        data = {agent: stance.value for agent, stance in stances.items()}
        return Reply(told.stances_text(stances), {"formula": self.system.print(spec), "agents": data})

    def follow(self, rest: str) -> Reply:
        asked = _required(rest, "follow what?", "`follow N` for formula N of the file, or `follow FORMULA`")
        spec = self._numbered_formula(int(asked)) if asked.isdecimal() else self.system.parse(asked)
        result = self._explained(spec)
        if result.evidence is None:
            left_out = result.left_out
            why = "there is no evidence to follow" if left_out is None else reason_text(left_out)
            raise UsageError("E628", f"the formula is {result.verdict.value}: {why}")
        trail = trail_of(result.evidence, self.walk)
        self.walk, self.trail = self.walk.begin(trail.states[0]), trail
        round_ = "" if trail.loop is None else f", then for ever round from state {trail.loop}"
        word = (
            f"{result.verdict.value}: a path of {counted(trail.steps, 'step')}{round_}; `next` walks along it"
        )
        facts = {
            "formula": result.text,
            "verdict": result.verdict.value,
            "reason": None,
            "steps": trail.steps,
            "loop": trail.loop,
        }
        return Reply(f"{word}\n{self._whole().text}", {**self._where(), **facts})

    def _explained(self, spec: Specification) -> FormulaResult:
        found = self.system.check(spec, atl=self.atl, evidence="all", limits=self.limits)
        if found.interrupted:
            raise KeyboardInterrupt
        if found[0].verdict is Verdict.UNKNOWN:
            raise CannotTell(found[0].reason or Stopped())
        return found[0]

    def _numbered_formula(self, number: int) -> Specification:
        formulae = self.system.interpreted.formulae
        if not 0 < number <= len(formulae):
            cure = f"they are numbered from 1 to {len(formulae)}" if formulae else "the file has none"
            raise UsageError("E623", f"no formula {number}", cure)
        return formulae[number - 1]

    # -- the session ----------------------------------------------------------------------------------

    def save(self, rest: str) -> Reply:
        name = _required(rest, "save where?", "`save FILE`")
        text = "".join(f"{line}\n" for line in self.journal)
        write_file(name, text)
        return Reply(f"saved {counted(len(self.journal), 'command')} in {name}", {"file": name})

    def help(self, rest: str) -> Reply:
        chosen = [command_named(rest)] if rest else COMMANDS
        width = max(len(command.form) for command in chosen)
        text = "\n".join(f"  {c.short}  {c.form:{width}}  {c.does}" for c in chosen)
        data = [{"name": c.name, "short": c.short, "form": c.form, "does": c.does} for c in chosen]
        return Reply(text, {"commands": data})

    def quit(self, rest: str) -> Reply:
        self._refuse(rest)
        self.finished = True
        return Reply("")

    def _refuse(self, rest: str) -> None:
        if rest:
            raise UsageError("E621", f"nothing is expected here: `{rest}`", "leave it out")


def _more(found: int, what: str, cure: str) -> str:
    return f"more than {LISTED} {what}, {cure}" if found > LISTED else ""


def _required(rest: str, question: str, cure: str) -> str:
    if not rest:
        raise UsageError("E621", question, cure)
    return rest


def _count(rest: str, otherwise: int) -> int:
    rest = rest.strip()
    if rest and not rest.isdecimal():
        raise UsageError("E621", f"a number of steps is expected, not `{rest}`")
    return int(rest) if rest else otherwise


def _choices(rest: str) -> dict[str, str]:
    """`Agent=action …`, with spaces or commas between them."""
    found: dict[str, str] = {}
    at = 0
    while at < len(rest):
        choice = _CHOICE.match(rest, at)
        if choice is None:
            raise UsageError("E621", f"not understood: `{rest[at:]}`", "write `Agent=action …`, or numbers")
        found[choice[1]] = choice[2]
        at = choice.end()
    return found
