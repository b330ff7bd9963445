"""A pursuer on patrol and an evader on a line of places."""

from __future__ import annotations

from knower.families.family import Family, Model, Number, Question
from knower.families.layout import agent, both, either, section

_STORY = """The places of a terrain are numbered from 0 to {n}. A pursuer patrols from 0 to {last} and back; a
turn takes a round. An evader starts at {n}; in each round it stays or moves to the next place on either side.
The pursuer does not see it. The game ends when the two are at the same place or have just crossed; the
pursuer notices that it has found the evader, but not in which of the two ways."""


def _pursuit_evasion(*, n: int) -> Model:
    return Model(
        title=f"Pursuit and evasion on a line of {n + 1} places.",
        story=_STORY.format(n=n, last=n - 1),
        sections=(
            "Semantics = SingleAssignment;",
            _terrain(n),
            _pursuer(n),
            _evader(n),
            _evaluation(n),
            section("InitStates", f"{both(_start(n))};"),
        ),
        questions=_questions(n),
        # Until the end the evader is to the right of the pursuer, who looks either way: n (n + 1). At the
        # end both are at the same place, after a turn at 0 or at n - 1 or after a step to 1, …, n - 1; or
        # they have crossed, the pursuer on its way to one of these.
        states=n * (n + 1) + (n + 1) + (n - 1),
    )


def _terrain(n: int) -> str:
    return agent(
        "Environment",
        section(
            "Vars:",
            f"pursuer : 0..{n - 1};",
            f"evader : 0..{n};",
            "found : boolean;",
        ),
        "Actions = {};",
        section("Protocol:"),
        section(
            "Evolution:",
            f"pursuer = pursuer + 1 if Pursuer.Action = right and pursuer < {n - 1};",
            "pursuer = pursuer - 1 if Pursuer.Action = left and pursuer > 0;",
            f"evader = evader + 1 if Evader.Action = right and evader < {n};",
            "evader = evader - 1 if Evader.Action = left and evader > 0;",
            *_captures(),
        ),
    )


def _captures() -> list[str]:
    """How the game ends; the evader is to the right of the pursuer until then."""
    beside = "evader - pursuer = 1"
    return [
        "-- They cross.",
        f"found = true if {beside} and Pursuer.Action = right and Evader.Action = left;",
        "-- They meet.",
        f"found = true if {beside} and Pursuer.Action = right and Evader.Action = stay;",
        "found = true if evader - pursuer = 2 and Pursuer.Action = right and Evader.Action = left;",
        f"found = true if {beside} and Pursuer.Action = turn and Evader.Action = left;",
    ]


def _pursuer(n: int) -> str:
    on = "Environment.found = false and direction"
    return agent(
        "Pursuer",
        "Lobsvars = {pursuer, found};",
        section("Vars:", "direction : {right, left};"),
        "Actions = {right, left, turn, rest};",
        section(
            "Protocol:",
            "Environment.found = true : {rest};",
            f"{on} = right and Environment.pursuer < {n - 1} : {{right}};",
            f"{on} = left and Environment.pursuer > 0 : {{left}};",
            "Other : {turn};",
        ),
        section(
            "Evolution:",
            "direction = left if Action = turn and direction = right;",
            "direction = right if Action = turn and direction = left;",
        ),
    )


def _evader(n: int) -> str:
    between = f"Environment.evader > 0 and Environment.evader < {n}"
    return agent(
        "Evader",
        "Lobsvars = {evader, found};",
        section("Vars:"),
        "Actions = {left, stay, right};",
        section(
            "Protocol:",
            "Environment.found = true : {stay};",
            "Environment.found = false and Environment.evader = 0 : {stay, right};",
            f"Environment.found = false and {between} : {{left, stay, right}};",
            "Other : {left, stay};",
        ),
        section("Evolution:"),
    )


def _evaluation(n: int) -> str:
    return section(
        "Evaluation",
        "found if Environment.found = true;",
        "rightward if Pursuer.direction = right;",
        "same if Environment.evader = Environment.pursuer;",
        "crossed if Environment.evader = Environment.pursuer - 1;",
        *(f"evader_at_{place} if Environment.evader = {place};" for place in range(n + 1)),
    )


def _start(n: int) -> list[str]:
    values = ["pursuer = 0", f"evader = {n}", "found = false"]
    return [*(f"Environment.{value}" for value in values), "Pursuer.direction = right"]


def _questions(n: int) -> tuple[Question, ...]:
    """The three specifications of the source, which are false, and what holds instead."""
    somewhere = either(f"K(Pursuer, evader_at_{place})" for place in range(n + 1))
    return (
        Question(
            "AG (found and rightward -> K(Pursuer, same) or K(Pursuer, crossed))",
            False,
            "1. A pursuer who goes right and has found the evader knows whether they met or crossed.",
        ),
        Question(
            f"AG (found -> {somewhere})", False, "2. When it has found the evader, it knows where that is."
        ),
        Question("AF K(Pursuer, same)", False, "3. Some day it will know that both are at the same place."),
        Question(
            "AG (found -> K(Pursuer, same or crossed))", True, "4. It does know that they met or crossed;"
        ),
        Question(
            "AG (found and !rightward -> K(Pursuer, same))", True, "and that they met, if it goes left."
        ),
        Question("EF found", True, "5. The evader may be found, but need not be: it can see to that."),
        Question("AF found", False),
        Question("LTL F found", False),
        Question("<Evader>G !found", True),
        Question("<Pursuer>F found", False),
    )


PURSUIT_EVASION = Family(
    name="pursuit-evasion",
    description="a pursuer on patrol and an evader on a line: what the pursuer knows when the game ends",
    source="Huang, Luo and van der Meyden on bounded model checking, section 5, system PE",
    parameters=(Number("n", "the length of the terrain", 6, 3, 5000),),
    build=_pursuit_evasion,
    examples=("--n 30", "--n 100 --output pursuit.ispl"),
)
