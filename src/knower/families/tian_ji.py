"""Tian Ji's horses against the king's: a strategy, and what it must see."""

from __future__ import annotations

from math import comb

from knower.families.family import Choice, Family, Model, Number, Question
from knower.families.layout import agent, both, either, listed, section

_STORY = """The general Tian Ji and the king have {n} horses each, one of each class; class 1 is the fastest.
There are {n} races and each horse runs once. Each of the king's horses beats Tian Ji's of the same class, and
loses to those of better classes. Whoever wins more races has won. {king}"""

#: How the king races, by the name of the case.
_KING = {
    "known": "The king sends his horses from the fastest to the slowest, and Tian Ji knows it.",
    "shown": "The king takes his horses in any order. He leads each to the start before Tian Ji chooses "
    "his, and Tian Ji sees which it is.",
    "hidden": "The king takes his horses in any order. He leads each to the start before Tian Ji chooses "
    "his, but under a cloth: Tian Ji does not see which it is. A strategy that may look at everything (--atl "
    "objective, the default) wins all the same; one that may not (--atl uniform) does not.",
}


def _tian_ji(*, n: int, king: str) -> Model:
    known = king == "known"
    return Model(
        title=f"Tian Ji races the king, with {n} horses each.",
        story=_STORY.format(n=n, king=_KING[king]),
        sections=(
            "Semantics = SingleAssignment;",
            *((_races(n), _orderly_king(n)) if known else (_start(n), _free_king(n))),
            _general(n, king),
            _evaluation(n, _opponent(king)),
            _initially(n, known),
            section("Groups", "rivals = {King, TianJi};"),
        ),
        questions=_questions(king),
        states=_states_of_known(n) if known else _states_of_free(n),
    )


def _opponent(king: str) -> str:
    """The variable that has the class of the king's horse in the next race."""
    return "race" if king == "known" else "horse"


def _states_of_known(n: int) -> int:
    """How many states can be reached if the king has one order.

    The sum over the sets of Tian Ji's horses that have run: after r races he can have won any number from
    none to that of his horses among the best r - 1.
    """
    return int((n + 3) * 2 ** (n - 2))


def _states_of_free(n: int) -> int:
    """How many states can be reached if the king has the choice.

    Not derived but fitted to the counts up to n = 8; it gives those of 10, 12 and 15 as well.
    """
    pairs, fewer = comb(2 * n, n), comb(2 * n - 2, n - 1)
    return int(((2 * n * n + 9 * n + 12) * pairs + 2 * fewer - 2 * (n + 2) * 4**n) // 8)


def _classes(n: int) -> range:
    return range(1, n + 1)


# -- the races, and the king --------------------------------------------------------------------------


def _races(n: int) -> str:
    """The races if the king has one order: what runs follows from the number of the race."""
    return agent(
        "Environment",
        section(
            "Obsvars:",
            f"race : 1..{n + 1}; -- the class of the king's next horse; {n + 1}: the races are over",
            f"wins : 0..{n}; -- of Tian Ji",
        ),
        "Actions = {};",
        section("Evolution:", f"race = race + 1 if race <= {n};", _won(n, "race")),
    )


def _won(n: int, opponent: str) -> str:
    """Tian Ji's horse is of a better class."""
    better = either(f"(TianJi.Action = run{i} and {opponent} > {i})" for i in range(1, n))
    return f"wins = wins + 1 if wins < {n} and ({better});"


def _orderly_king(n: int) -> str:
    runs = [f"run{i}" for i in _classes(n)]
    return agent(
        "King",
        f"Actions = {listed(*runs, 'rest')};",
        section(
            "Protocol:", *(f"Environment.race = {i} : {{run{i}}};" for i in _classes(n)), "Other : {rest};"
        ),
    )


def _start(n: int) -> str:
    """The races if the king has the choice: his horse comes first, then Tian Ji's, and they run."""
    return agent(
        "Environment",
        section(
            "Obsvars:",
            f"race : 1..{n + 1}; -- {n + 1}: the races are over",
            f"wins : 0..{n}; -- of Tian Ji",
            "ready : boolean; -- a horse of the king is at the start",
        ),
        section("Vars:", f"horse : 0..{n}; -- the class of this horse, or 0"),
        "Actions = {};",
        section(
            "Evolution:",
            f"ready = true if {either(f'King.Action = lead{i}' for i in _classes(n))};",
            "ready = false if ready = true;",
            *(f"horse = {i} if King.Action = lead{i};" for i in _classes(n)),
            "horse = 0 if ready = true;",
            f"race = race + 1 if ready = true and race <= {n};",
            _won(n, "horse"),
        ),
    )


def _free_king(n: int) -> str:
    return agent(
        "King",
        "Lobsvars = {horse};",
        section("Vars:", *(f"led{i} : boolean;" for i in _classes(n))),
        f"Actions = {listed(*(f'lead{i}' for i in _classes(n)), 'rest')};",
        section(
            "Protocol:",
            *(f"Environment.ready = false and led{i} = false : {{lead{i}}};" for i in _classes(n)),
            "Other : {rest};",
        ),
        section("Evolution:", *(f"led{i} = true if Action = lead{i};" for i in _classes(n))),
    )


# -- Tian Ji ------------------------------------------------------------------------------------------


def _general(n: int, king: str) -> str:
    turn = "" if king == "known" else "Environment.ready = true and "
    return agent(
        "TianJi",
        *(["Lobsvars = {horse};"] if king == "shown" else []),
        section("Vars:", *(f"ran{i} : boolean;" for i in _classes(n))),
        f"Actions = {listed(*(f'run{i}' for i in _classes(n)), 'rest')};",
        section(
            "Protocol:", *(f"{turn}ran{i} = false : {{run{i}}};" for i in _classes(n)), "Other : {rest};"
        ),
        section("Evolution:", *(f"ran{i} = true if Action = run{i};" for i in _classes(n))),
    )


def _evaluation(n: int, opponent: str) -> str:
    over = f"Environment.race = {n + 1}"
    return section(
        "Evaluation",
        f"over if {over};",
        f"win if {over} and Environment.wins > {n // 2}; -- for Tian Ji",
        f"king_wins if {over} and Environment.wins < {(n + 1) // 2};",
        f"all_but_one if {over} and Environment.wins = {n - 1};",
        f"every_race if {over} and Environment.wins = {n};",
        f"no_race if {over} and Environment.wins = 0;",
        f"meets_best if Environment.{opponent} = 1; -- the king's fastest horse is at the start",
    )


def _initially(n: int, known: bool) -> str:
    free = [
        "Environment.ready = false",
        "Environment.horse = 0",
        *(f"King.led{i} = false" for i in _classes(n)),
    ]
    values = [
        "Environment.race = 1",
        "Environment.wins = 0",
        *([] if known else free),
        *(f"TianJi.ran{i} = false" for i in _classes(n)),
    ]
    return section("InitStates", f"{both(values)};")


def _questions(king: str) -> tuple[Question, ...]:
    blind = " Without looking (--atl uniform) he cannot." if king == "hidden" else ""
    seen = king != "hidden"
    return (
        Question(
            "<TianJi> F win",
            True,
            "Tian Ji can win: his slowest horse against the king's fastest, and the others each against one "
            f"of the next class.{blind}",
        ),
        Question("<TianJi> F all_but_one", True, "So he wins all races but one. He cannot win them all."),
        Question("EF every_race", False),
        Question(
            "<TianJi> F no_race", True, f"He can also lose all of them, horses of one class together.{blind}"
        ),
        Question("<TianJi> G !king_wins", True, f"He can prevent that the king wins.{blind}"),
        Question(
            "<King> F king_wins",
            False,
            "The king can make sure of nothing, except that the races come to an end.",
        ),
        Question("<King> F win", False),
        Question("<King> F over", True),
        Question("<rivals> F win", True, "Who wins is for the two together to say."),
        Question("<rivals> F king_wins", True),
        Question("AF over", True, "The races end, but not always well."),
        Question("LTL F over", True),
        Question("AG (over -> win)", False),
        Question("LTL F win", False),
        Question(
            "AG (meets_best -> K(TianJi, meets_best))",
            seen,
            f"Tian Ji {'knows' if seen else 'need not know'} when he meets the king's fastest horse.",
        ),
    )


TIAN_JI = Family(
    name="tian-ji",
    description="horses race in pairs: a winning strategy, by what is known of the king's order",
    source="the paper on MCMAS, section 5.1.3, where the king's order is known",
    parameters=(
        Number("n", "how many horses each has", 3, 3, 100),
        Choice("king", "whether the king's order is known, his horse shown or hidden", "known", tuple(_KING)),
    ),
    build=_tian_ji,
    examples=("--n 20", "--n 3 --king hidden --output horses.ispl"),
)
