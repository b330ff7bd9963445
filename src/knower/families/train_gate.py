"""Trains that share a tunnel, and a controller that trusts them to leave it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from knower.families.family import Family, Model, Number, Question
from knower.families.layout import agent, both, counted, either, listed, section
from knower.records import dataclass

_STORY = """Tracks merge in a tunnel with room for one train. A train that waits signals to the controller.
When the light is green, the controller lets one of those in that have signalled. Then the light is red for
three rounds: the controller does not look whether the train has left, but trusts that it has. Trains count
their moves since the last service and must have one after {most}."""

#: What a faulty train does in the tunnel, by its type; type 3 is not faulty.
_FAULTS = {
    1: "{faulty} may break down in the tunnel after {moves} or more, and must after {most}; then it stays "
    "there for ever.",
    2: "{faulty} may get stuck in the tunnel after {moves} or more, for as many rounds as it likes.",
    3: "Every train leaves the tunnel in the round after it has entered.",
}
_CORRECT = 3

#: States counted one by one, by (n, type, max, depth), for trains of one type; type 3 has no depth.
_COUNTED = {
    (2, 1, 1, 1): 70, (2, 1, 2, 1): 179, (2, 1, 2, 2): 128, (2, 1, 5, 3): 683, (2, 1, 10, 4): 2862,
    (2, 2, 1, 1): 119, (2, 2, 2, 1): 214, (2, 2, 2, 2): 162, (2, 2, 5, 3): 888,
    (2, 3, 1, 0): 54, (2, 3, 2, 0): 83, (2, 3, 5, 0): 398,
    (3, 1, 1, 1): 506, (3, 1, 3, 2): 3086, (3, 1, 7, 4): 31364,
    (3, 2, 1, 1): 967, (3, 2, 7, 4): 46235,
    (3, 3, 1, 0): 336, (3, 3, 7, 0): 15200,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Train:
    """A train: its type, the moves after which it must have a service, and after which it may fail."""

    number: int
    type: int
    most: int
    depth: int

    @property
    def name(self) -> str:
        return f"Train{self.number}"

    @property
    def inside(self) -> str:
        """The proposition that it is in the tunnel."""
        return f"train{self.number}_in_tunnel"

    @property
    def faulty(self) -> bool:
        return self.type != _CORRECT

    @property
    def breaks_down(self) -> bool:
        return self.type == 1


_Trains = tuple[_Train, ...]


def _train_gate(*, n: int, type: int, correct: int, max: int, depth: int) -> Model:  # noqa: A002
    types = [type] * (n - correct) + [_CORRECT] * correct
    trains = tuple(_Train(number, kind, max, depth) for number, kind in enumerate(types, 1))
    return Model(
        title=f"{n} trains, a tunnel, and a controller that does not look.",
        story=f"{_STORY.format(most=max)} {_fault(trains)}",
        sections=(
            "Semantics = SingleAssignment;",
            _controller(trains),
            *(_agent(train) for train in trains),
            section("Evaluation", *(f"{train.inside} if {train.name}.place = tunnel;" for train in trains)),
            _initially(trains),
        ),
        questions=_questions(trains),
        states=_states(trains),
    )


def _fault(trains: _Trains) -> str:
    """What the faulty trains do; they come first."""
    first = trains[0]
    faulty = [train.name for train in trains if train.faulty]
    who = "A train" if len(faulty) == len(trains) else f"Each of {', '.join(faulty)}"
    return _FAULTS[first.type].format(faulty=who, moves=counted(first.depth, "move"), most=first.most)


def _states(trains: _Trains) -> int | None:
    kinds = {(train.type, train.most, train.depth if train.faulty else 0) for train in trains}
    return _COUNTED.get((len(trains), *kinds.pop())) if len(kinds) == 1 else None


# -- the controller -----------------------------------------------------------------------------------


def _controller(trains: _Trains) -> str:
    return agent(
        "Controller",
        section(
            "Vars:",
            "light : {green, red};",
            "since : 0..2; -- rounds for which the light has been red",
            *(f"waiting{train.number} : boolean;" for train in trains),
        ),
        f"Actions = {listed(*(f'admit{train.number}' for train in trains), 'hold')};",
        section(
            "Protocol:",
            *(f"light = green and waiting{t.number} = true : {{admit{t.number}}};" for t in trains),
            "Other : {hold};",
        ),
        section(
            "Evolution:",
            f"light = red if {either(f'({_enters(train)})' for train in trains)};",
            "light = green if light = red and since = 2;",
            "since = since + 1 if light = red and since < 2;",
            "since = 0 if light = red and since = 2;",
            *(f"waiting{train.number} = true if {train.name}.Action = signal;" for train in trains),
            *(f"waiting{train.number} = false if {_enters(train)};" for train in trains),
        ),
    )


def _enters(train: _Train) -> str:
    """The controller lets the train in, and the train enters."""
    return f"Action = admit{train.number} and {train.name}.Action = enter"


def _initially(trains: _Trains) -> str:
    controller = ["light = green", "since = 0", *(f"waiting{train.number} = false" for train in trains)]
    nothing = [f"Controller.{value}" for value in controller]
    for train in trains:
        values = ["place = away", "moves = 0", *(["broken = false"] if train.breaks_down else [])]
        nothing += [f"{train.name}.{value}" for value in values]
    return section("InitStates", f"{both(nothing)};")


# -- trains -------------------------------------------------------------------------------------------


def _agent(train: _Train) -> str:
    actions = ["back", "signal", "enter", "leave", "service", *(["break"] if train.faulty else [])]
    return agent(
        train.name,
        section(
            "Vars:",
            "place : {away, wait, tunnel};",
            f"moves : 0..{train.most}; -- since the last service",
            *(["broken : boolean;"] if train.breaks_down else []),
        ),
        f"Actions = {listed(*actions)};",
        section(
            "Protocol:",
            f"place = away and moves < {train.most} : {{back, service}};",
            f"place = wait and moves < {train.most} : {{signal, enter, service}};",
            *_in_tunnel(train),
            "Other : {service}; -- it is due",
        ),
        section("Evolution:", *_moves(train)),
    )


def _in_tunnel(train: _Train) -> list[str]:
    """What a train may do in the tunnel."""
    if train.breaks_down:
        return [
            f"place = tunnel and broken = false and moves < {train.most} : {{leave}};",
            f"place = tunnel and (broken = true or moves >= {train.depth}) : {{break}};",
        ]
    stuck = [f"place = tunnel and moves >= {train.depth} : {{break}};"] if train.faulty else []
    return ["place = tunnel : {leave};", *stuck]


def _moves(train: _Train) -> list[str]:
    entering = f"Action = enter and Controller.Action = admit{train.number}"
    moving = f"Action = back or Action = signal or Action = leave or ({entering})"
    return [
        "place = wait if Action = back;",
        f"place = tunnel if {entering};",
        "place = away if Action = leave;",
        f"moves = moves + 1 if moves < {train.most} and ({moving});",
        "moves = 0 if Action = service;",
        *(["broken = true if Action = break;"] if train.breaks_down else []),
    ]


# -- the five formulas of the source ------------------------------------------------------------------

#: Formulas with their expected verdicts.
_Asked = Iterable[tuple[str, bool]]


def _questions(trains: _Trains) -> tuple[Question, ...]:
    groups = (
        ("1. A train that is in the tunnel will leave it.", _leaves(trains)),
        ("2. No two trains are in the tunnel at the same time.", _exclusion(trains)),
        ("3. A train in the tunnel knows that no other train is.", _knows(trains)),
        ("4. A train always knows that it shares the tunnel with no other.", _always_knows(trains)),
        ("5. A train in the tunnel knows that no other will be there in the next round.", _gap(trains)),
    )
    return tuple(
        Question(formula, expected, "" if at else meaning)
        for meaning, asked in groups
        for at, (formula, expected) in enumerate(asked)
    )


def _leaves(trains: _Trains) -> _Asked:
    return [(f"AG AF !{train.inside}", not train.faulty) for train in trains]


def _exclusion(trains: _Trains) -> _Asked:
    for one, two in combinations(trains, 2):
        yield f"AG (!{one.inside} or !{two.inside})", _all_work((one, two))


def _knows(trains: _Trains) -> _Asked:
    for train in trains:
        nobody = both(f"!{other.inside}" for other in trains if other != train)
        yield f"AG ({train.inside} -> K({train.name}, {nobody}))", _all_work(trains)


def _always_knows(trains: _Trains) -> _Asked:
    for one, two in combinations(trains, 2):
        yield f"AG K({one.name}, !{one.inside} or !{two.inside})", _all_work((one, two))


def _gap(trains: _Trains) -> _Asked:
    for train in trains:
        nobody = both(f"AX !{other.inside}" for other in trains if other != train)
        yield f"AG ({train.inside} -> K({train.name}, {nobody}))", _all_work(trains)


def _all_work(trains: _Trains) -> bool:
    """One faulty train is enough: it is still in the tunnel when another enters."""
    return not any(train.faulty for train in trains)


TRAIN_GATE = Family(
    name="train-gate",
    description="trains share a tunnel and may break down in it: mutual exclusion, and knowledge of it",
    source="the faulty train-gate-controller of Jones's report on bounded model checking, section 4.4",
    parameters=(
        Number("n", "how many trains", 2, 2, 100),
        Number("type", "what they do in the tunnel: 1 break down, 2 get stuck, 3 leave it", 1, 1, 3),
        Number(
            "correct", "how many of them, the last ones, are of type 3 all the same", 0, 0, 100, at_most="n"
        ),
        Number("max", "the moves after which a train must have a service", 5, 1, 1_000_000),
        Number("depth", "the moves after which a train may fail", 3, 1, 1_000_000, at_most="max"),
    ),
    build=_train_gate,
    examples=("--n 3 --max 7 --depth 4", "--n 2 --type 3 --max 20 --output working.ispl"),
)
