"""The rows of `walls.py`: models of families, models that programs print, and models of others."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from pathlib import Path

TRUE, FALSE = "true", "false"


@dataclass(frozen=True)
class Wall:
    """A run of `knower`. `model`: a file, or who writes its text; `arguments` stand after its name.

    `before`: CPU seconds where it was found to be a wall; `verdicts`: of its formulas, if they are known.
    """

    name: str
    model: Path | Callable[[], str]
    before: str
    goal: str
    verdicts: tuple[str, ...] = ()
    verb: str = "check"
    arguments: tuple[str, ...] = ("--evidence", "none", "--format", "json")

    def command(self, folder: Path) -> list[str]:
        """What is run, with the model in a folder if it has to be written."""
        if isinstance(self.model, Path):
            return [self.verb, str(self.model), *self.arguments]
        file = folder / f"{self.name}.ispl"
        if not file.exists():
            file.write_text(self.model())
        return [self.verb, str(file), *self.arguments]


def walls(shared: Path) -> Iterator[Wall]:
    """All of them; those whose models are not here are left out."""
    for wall in (*_strangers(shared), *_of_families(), *_printed(), *_evidence(), *_simulated()):
        if not isinstance(wall.model, Path) or wall.model.exists():
            yield wall


def _asked(*formulas: str, engine: str = "auto", evidence: str = "none") -> tuple[str, ...]:
    each = tuple(word for formula in formulas for word in ("-f", formula))
    return (*each, "--engine", engine, "--evidence", evidence, "--format", "json")


def _family(name: str, **parameters: object) -> Callable[[], str]:
    """A model that `knower generate` writes."""
    words = [word for key, value in parameters.items() for word in (f"--{key}", str(value))]
    command = [sys.executable, "-m", "knower", "generate", name, *words]
    return lambda: subprocess.run(command, capture_output=True, text=True, check=True).stdout


# -- models of others -------------------------------------------------------------------------------------


def _strangers(shared: Path) -> Iterator[Wall]:
    folder, corpus = shared / "bench" / "strangers", shared / "corpus" / "models"
    software = corpus / "AngeloFerrando__3-valuedSL__software_development-ff4a54.ispl"
    yield Wall("selene", folder / "selene_3_2_1_1_1_2.ispl", "12.6 (peer 15.6)", "1.56")
    yield Wall("castles_2-2-1_3", folder / "castles_2-2-1_3.ispl", "3.8-4.6 (peer 0.46)", "–")
    yield Wall("castles_1", folder / "uniform" / "castles_1.ispl", "9.7", "2")
    yield Wall("tmn2", folder / "tmn2.ispl", "> 200 (peer > 550)", "explored")
    yield Wall("software_development", software, "5-7 (peer 5-7)", "0.6")
    slow = _asked(engine="explicit")
    yield Wall("software_development explicit", software, "33 (2.4 ms a state)", "3.3", arguments=slow)


# -- families ---------------------------------------------------------------------------------------------

_SURE = "LDL ([tt*]line_works) -> <tt*>GK(partners, K(Receiver, last_clear) or K(Receiver, last_set))"


def _of_families() -> Iterator[Wall]:
    tiny = _family("bit-transmission")
    yield Wall("start-up", tiny, "0.3-0.5", "half", arguments=_asked("AG !all_acked"))
    for size, before in ((8, "–"), (10, "151 (paper 7.6)"), (12, "–"), (14, "–")):
        yield Wall(f"slots {size}", _family("card-game", n=size, deck="slots"), before, "paper")
    yield Wall("muddy 60 all formulas", _family("muddy-children", n=60), "–", "–")
    for size in (60, 100, 120):
        each = [f"((muddy{k} and said_yes{k}) -> K(Child{k}, muddy{k}))" for k in range(1, size + 1)]
        asked, children = _asked(f"AG ({' and '.join(each)})"), _family("muddy-children", n=size)
        yield Wall(f"muddy {size}", children, "> 240 at 100", "120", (TRUE,), arguments=asked)
    for size in (50, 70):
        prisoners = _family("prisoners", n=size)
        released = "EF released", "AF released"
        yield Wall(
            f"prisoners {size}", prisoners, "> 60 at 50", "600", (TRUE, TRUE), arguments=_asked(*released)
        )
        known = f"AG (announced -> K(Counter, {' and '.join(f'been{k}' for k in range(size))}))"
        for number, formula in (("1 LDL", "LDL <tt*>released"), ("2 CTLK", known)):
            yield Wall(
                f"prisoners {size} 8.4 spec {number}",
                prisoners,
                "–",
                "600",
                (TRUE,),
                arguments=_asked(formula),
            )
    yield Wall(
        "go-back-n 7 window 4 spec 2",
        _family("go-back-n", n=7, window=4),
        "26",
        "8.7",
        (TRUE,),
        arguments=_asked(_SURE),
    )
    free = (TRUE, TRUE, TRUE, FALSE, TRUE)
    for size, window, before in ((3, 3, "30"), (4, 3, "> 115"), (5, 3, "–")):
        name = f"go-back-n {size} window {window} free line"
        yield Wall(name, _family("go-back-n", n=size, window=window, line="free"), before, "–", free)


# -- printed by programs ----------------------------------------------------------------------------------


def _printed() -> Iterator[Wall]:
    yield Wall("all different 10", partial(all_different, 10), "> 42", "1.3", arguments=_asked("AG a0"))
    for positions, before in ((500, "2.6"), (2000, "9.1"), (5000, "29 (4,415 states)")):
        asked = _asked("EF goal", "<A1>F goal")
        text = partial(state_game, positions)
        yield Wall(f"state game {positions}", text, before, "5 at 5000", arguments=asked)
    for positions, before, goal in ((500, "8", "0.08"), (2000, "> 200", "2")):
        text = partial(state_game, positions)
        asked = _asked("EF goal", engine="explicit")
        yield Wall(f"state game {positions} explicit", text, before, goal, arguments=asked)
    besieged = partial(siege, (2, 2, 2), 4)
    yield Wall("siege of 5 MB", besieged, "24 (peer 1.4)", "5", arguments=_asked("EF fallen"))


def all_different(count: int) -> str:
    """So many variables of so many values, all different; nothing ever changes."""
    names = [f"x{k}" for k in range(count)]
    pairs = [f"E.{one} <> E.{other}" for one, other in combinations(names, 2)]
    return "\n".join(
        [
            "Agent E Vars:",
            *(f"{name} : 0..{count - 1};" for name in names),
            "end Vars Actions = {none}; Protocol: Other : {none}; end Protocol",
            "Evolution: x0 = x0 if Action = none; end Evolution end Agent",
            f"Evaluation a0 if E.x0 <> E.x1; end Evaluation InitStates {' and '.join(pairs)}; end InitStates",
        ]
    ).replace("<>", "!=")


def state_game(positions: int, agents: int = 3, actions: int = 2, seed: int = 1) -> str:
    """A random game written position by position: a line for each one and each joint action."""
    dice = random.Random(seed)
    players = [f"A{k}" for k in range(1, agents + 1)]
    own = [f"a{k}" for k in range(actions)]
    lines = []
    for position in range(positions):
        for joint in product(own, repeat=agents):
            taken = " and ".join(f"{p}.Action = {a}" for p, a in zip(players, joint, strict=True))
            lines.append(f"s = {dice.randrange(positions)} if s = {position} and {taken};")
    told = [
        f"Agent {p} Vars: idle : boolean; end Vars Actions = {{{', '.join(own)}}}; "
        f"Protocol: Other : {{{', '.join(own)}}}; end Protocol "
        "Evolution: idle = idle if Action = a0; end Evolution end Agent"
        for p in players
    ]
    begin = " and ".join(["Environment.s = 0", *(f"{p}.idle = false" for p in players)])
    return "\n".join(
        [
            f"Agent Environment Obsvars: s : 0..{positions - 1}; end Obsvars Actions = {{none}};",
            "Protocol: Other : {none}; end Protocol Evolution:",
            *lines,
            "end Evolution end Agent",
            *told,
            f"Evaluation goal if Environment.s = {positions - 1}; end Evaluation",
            f"InitStates {begin}; end InitStates",
            "Groups A1 = {A1}; end Groups",
        ]
    )


def siege(workers: tuple[int, ...], health: int = 3) -> str:
    """Castles whose workers attack others or defend: lines for each joint action, a condition on each."""
    castles = range(1, len(workers) + 1)
    homes = [castle for castle, count in zip(castles, workers, strict=True) for _ in range(count)]
    names = [f"Worker{k}" for k in range(1, len(homes) + 1)]
    can = [["wait", "defend", *(f"attack{c}" for c in castles if c != home)] for home in homes]
    lines: list[str] = []
    for joint in product(*can):
        taken = [f"{name}.Action = {action}" for name, action in zip(names, joint, strict=True)]
        for castle in castles:
            shields = [a for a, home in zip(joint, homes, strict=True) if home == castle].count("defend")
            loss = joint.count(f"attack{castle}") - shields
            for before in range(1, health + 1) if loss > 0 else ():
                left = f"hp{castle} = {max(before - loss, 0)} if"
                lines.append(
                    " and\n\t".join([f"{left}\n\t{taken[0]}", *taken[1:], f"hp{castle} = {before};"])
                )
    return "\n".join(
        [
            "Semantics = SingleAssignment;",
            f"Agent Environment Obsvars: {' '.join(f'hp{c} : 0..{health};' for c in castles)} end Obsvars",
            "Actions = {wait}; Protocol: Other : {wait}; end Protocol Evolution:",
            *lines,
            "end Evolution end Agent",
            *(
                f"Agent {name} Vars: idle : boolean; end Vars Actions = {{{', '.join(actions)}}}; "
                f"Protocol: Environment.hp{home} > 0 : {{{', '.join(actions)}}}; Other : {{wait}}; "
                "end Protocol Evolution: idle = true if Action = wait; idle = false if !(Action = wait); "
                "end Evolution end Agent"
                for name, actions, home in zip(names, can, homes, strict=True)
            ),
            "Evaluation fallen if Environment.hp1 = 0; end Evaluation InitStates",
            " and ".join(
                [*(f"Environment.hp{c} = {health}" for c in castles), *(f"{n}.idle = true" for n in names)]
            ),
            "; end InitStates",
        ]
    )


# -- evidence, and walks ----------------------------------------------------------------------------------


def _evidence() -> Iterator[Wall]:
    formula = "<half>F (x1 and x2)"
    for evidence, before, goal in (("none", "0.62", "–"), ("auto", "20.6", "0.3 + 15% more")):
        arguments = _asked(formula, evidence=evidence)
        name = f"crowd 40 evidence {evidence}"
        yield Wall(name, partial(crowd, 40), before, goal, (TRUE,), arguments=arguments)


def crowd(size: int) -> str:
    """Each agent has a bit that it may set."""
    names = [f"A{number}" for number in range(1, size + 1)]
    agents = [
        f"Agent {name} Vars: bit : boolean; end Vars Actions = {{set, wait}}; "
        "Protocol: Other : {set, wait}; end Protocol "
        "Evolution: bit = true if Action = set; end Evolution end Agent"
        for name in names
    ]
    labels = [f"x{k} if {name}.bit = true;" for k, name in enumerate(names, start=1)]
    begin = " and ".join(f"{name}.bit = false" for name in names)
    return "\n".join(
        [
            *agents,
            f"Evaluation {' '.join(labels)} end Evaluation InitStates {begin}; end InitStates",
            f"Groups half = {{{', '.join(names[: size // 2])}}}; end Groups",
        ]
    )


def _simulated() -> Iterator[Wall]:
    yield Wall(
        "sum of ten is 90 simulate",
        partial(sum_of, 10, 90),
        "> 40",
        "0.5",
        verb="simulate",
        arguments=("-c", "initial 1"),
    )
    yield Wall("sum of ten is 90 deadlock", partial(sum_of, 10, 90), "> 40", "0.5", arguments=("--deadlock",))


def sum_of(count: int, total: int) -> str:
    """So many variables 0..9 whose sum is given at the beginning; nothing ever changes."""
    names = [f"x{k}" for k in range(count)]
    return "\n".join(
        [
            "Agent E Vars:",
            *(f"{name} : 0..9;" for name in names),
            "end Vars Actions = {none}; Protocol: Other : {none}; end Protocol",
            "Evolution: x0 = x0 if Action = none; end Evolution end Agent",
            "Evaluation a0 if E.x0 = 9; end Evaluation",
            f"InitStates {' + '.join(f'E.{name}' for name in names)} = {total}; end InitStates",
        ]
    )
