"""Three castles whose workers attack and defend, without seeing how strong the walls are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from knower.families.family import Family, Model, Number, Question
from knower.families.layout import agent, both, counted, either, listed, section

_STORY = """Three castles have {first}, {second} and {third}. A worker attacks another castle, defends its own
or waits; who has defended must not do so in the next round. A castle loses a life for each attacker more than
it has defenders; without lives it is down, and its workers can only wait. Workers see which castles are down,
but not how many lives are left. All castles begin with {lives} lives."""

_CASTLES = (1, 2, 3)


def _castles(*, n: int, third: int, lives: int) -> Model:
    homes = dict(enumerate([1] * n + [2] * n + [3] * third, start=1))
    return Model(
        title=f"Castles with {n}, {n} and {third} workers and {lives} lives.",
        story=_STORY.format(first=counted(n, "worker"), second=n, third=third, lives=lives),
        sections=(
            "Semantics = SingleAssignment;",
            _walls(homes, lives),
            *(_worker(number, home) for number, home in homes.items()),
            _evaluation(),
            section("InitStates", f"{both(_start(homes, lives))};"),
            section("Groups", *_groups(homes)),
        ),
        questions=_QUESTIONS,
    )


def _walls(homes: dict[int, int], lives: int) -> str:
    return agent(
        "Environment",
        section("Obsvars:", *(f"down{castle} : boolean;" for castle in _CASTLES)),
        section("Vars:", *(f"lives{castle} : 0..{lives};" for castle in _CASTLES)),
        "Actions = {};",
        section("Evolution:", *(line for castle in _CASTLES for line in _damage(castle, homes, lives))),
    )


def _damage(castle: int, homes: dict[int, int], lives: int) -> Iterator[str]:
    """What a castle loses, by how many more attack than defend it."""
    most = sum(home != castle for home in homes.values())
    for more in range(1, most + 1):
        case = f"({either(_outnumbered(castle, homes, more))})"
        if more < lives:
            yield f"lives{castle} = lives{castle} - {more} if lives{castle} > {more} and {case};"
        yield f"lives{castle} = 0 if lives{castle} <= {more} and {case};"
        yield f"down{castle} = true if lives{castle} <= {more} and {case};"


def _outnumbered(castle: int, homes: dict[int, int], more: int) -> Iterator[str]:
    """The ways in which so many more attack than defend."""
    for active in product((True, False), repeat=len(homes)):
        balance = sum(
            (1 if homes[worker] != castle else -1) for worker, acts in zip(homes, active, strict=True) if acts
        )
        if balance == more:
            yield both(
                f"Worker{worker}.Action {'=' if acts else '<>'} {_deed(homes[worker], castle)}"
                for worker, acts in zip(homes, active, strict=True)
            )


def _deed(home: int, castle: int) -> str:
    return "defend" if home == castle else f"attack{castle}"


def _worker(number: int, home: int) -> str:
    attacks = [f"attack{castle}" for castle in _CASTLES if castle != home]
    return agent(
        f"Worker{number}",
        section("Vars:", "rested : boolean;"),
        f"Actions = {listed(*attacks, 'defend', 'wait')};",
        section(
            "Protocol:",
            f"Environment.down{home} = true : {{wait}};",
            f"Environment.down{home} = false and rested = true : {listed(*attacks, 'defend', 'wait')};",
            f"Other : {listed(*attacks, 'wait')};",
        ),
        section("Evolution:", "rested = false if Action = defend;", "rested = true if rested = false;"),
    )


def _evaluation() -> str:
    return section(
        "Evaluation",
        *(f"down{castle} if Environment.down{castle} = true;" for castle in _CASTLES),
        "weak3 if Environment.lives3 = 1;",
        "alone3 if Environment.down1 = true and Environment.down2 = true and Environment.down3 = false;",
    )


def _start(homes: dict[int, int], lives: int) -> Iterator[str]:
    for castle in _CASTLES:
        yield f"Environment.lives{castle} = {lives} and Environment.down{castle} = false"
    yield from (f"Worker{number}.rested = true" for number in homes)


def _groups(homes: dict[int, int]) -> Iterator[str]:
    of = {
        castle: [f"Worker{number}" for number, home in homes.items() if home == castle] for castle in _CASTLES
    }
    yield f"allies = {listed(*of[1], *of[2])};"
    yield f"rivals = {listed(*of[3])};"
    yield f"everybody = {listed(*of[1], *of[2], *of[3])};"


_QUESTIONS = (
    Question(
        "<allies> F down3",
        True,
        "The workers of two castles bring the third down: all attack it all the time. They need not see its "
        "walls for that (--atl uniform).",
    ),
    Question("<rivals> F alone3", False, "The third castle cannot be sure to stay alone."),
    Question("EF alone3", True, "But it may come so."),
    Question("<everybody> G !down1", True, "All together can keep the peace."),
    Question("AG (down3 -> AG down3)", True, "What is down stays down."),
    Question("AG (weak3 -> K(Worker1, weak3))", False, "Worker 1 does not see how weak the third castle is."),
    Question("AG (down3 -> K(Worker1, down3))", True, "But whether it is down."),
)


CASTLES = Family(
    name="castles",
    description="workers attack and defend castles whose walls they do not see: what several can do",
    source="Pilecki, Bednarczyk, Jamroga, Synthesis and verification of uniform strategies (2014)",
    parameters=(
        Number("n", "workers of the first castle, and of the second", 1, 1, 3),
        Number("third", "workers of the third castle", 1, 1, 3, at_most="n"),
        Number("lives", "lives of each castle", 3, 2, 10),
    ),
    build=_castles,
    examples=("--n 2 --third 2", "--lives 5"),
)
