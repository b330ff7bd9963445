"""Prisoners who are released when one of them knows that all have been called."""

from __future__ import annotations

from knower.families.family import Choice, Family, Model, Number, Question
from knower.families.layout import agent, both, either, listed, section

_STORY = """The prisoners sit in separate cells. Again and again the warden calls one of them, whomever he
likes, into a room with a light, which is off at first. In the room a prisoner may announce that all of them
have been there. If that is true they are released, if not they are executed. They have agreed that one of
them, number 0, counts. Each of the others switches the light on the first time he finds it off, and never
touches it again. The counter switches it off whenever he finds it on; when he has found it on {others} times,
he makes the announcement. A round has two steps: the warden calls a prisoner, the prisoner acts."""


def _prisoners(*, n: int, fairness: str) -> Model:
    fair = fairness == "on"
    return Model(
        title=f"{n} prisoners and a light bulb{'' if fair else ', and a warden who may forget them'}.",
        story=_STORY.format(others=n - 1),
        sections=(
            _room(n),
            _warden(n),
            _counter(n),
            *(_prisoner(i) for i in range(1, n)),
            _evaluation(n, fair),
            _initially(n),
            *([_fairness(n)] if fair else []),
        ),
        questions=_questions(n, fair),
        states=_states(n),
    )


def _states(n: int) -> int:
    """How many states can be reached.

    m can signal; k of them have. Then the others may have been called or not, except that nobody has
    been if k = 0; the light is on or has been seen by the counter; the room is empty or taken by one
    who has been called. The sum over k, and the one state after the release.
    """
    m = n - 1
    twos, threes = 1 << m, int(3**m)
    return 4 * (threes - twos) + 4 * m * threes // 3 + m * (m - 1) * twos // 4 + m + 2


# -- agents -------------------------------------------------------------------------------------------


def _room(n: int) -> str:
    switched = [f"(Warden.Action = question{i} and Prisoner{i}.Action = switch_on)" for i in range(1, n)]
    return agent(
        "Environment",
        section("Vars:", "bulb : {off, on};"),
        "Actions = {dark, lit};",
        section("Protocol:", "bulb = off : {dark};", "bulb = on : {lit};"),
        section(
            "Evolution:",
            f"bulb = on if {either(switched)};",
            "bulb = off if Warden.Action = question0;",
        ),
    )


def _warden(n: int) -> str:
    calls = [f"call{i}" for i in range(n)]
    questions = [f"question{i}" for i in range(n)]
    return agent(
        "Warden",
        section(
            "Vars:",
            f"room : {listed('empty', *(f'prisoner{i}' for i in range(n)))};",
            "verdict : {open, released, executed};",
            *(f"been{i} : boolean;" for i in range(n)),
        ),
        f"Actions = {listed(*calls, *questions, 'rest')};",
        section(
            "Protocol:",
            f"verdict = open and room = empty : {listed(*calls)};",
            *(f"verdict = open and room = prisoner{i} : {{question{i}}};" for i in range(n)),
            "Other : {rest};",
        ),
        section("Evolution:", *_warden_evolution(n)),
    )


def _warden_evolution(n: int) -> list[str]:
    announcement = "Action = question0 and Counter.Action = announce and Environment.Action = lit"
    all_been = both(f"been{i} = true" for i in range(n))
    return [
        *(f"room = prisoner{i} and been{i} = true if Action = call{i};" for i in range(n)),
        f"room = empty if {either(f'Action = question{i}' for i in range(1, n))};",
        "room = empty if Action = question0 and !(Counter.Action = announce and Environment.Action = lit);",
        "-- The announcement, true or false.",
        f"room = empty and verdict = released if {announcement} and {all_been};",
        f"room = empty and verdict = executed if {announcement} and !({all_been});",
    ]


def _counter(n: int) -> str:
    sees_light = "Warden.Action = question0 and Environment.Action = lit"
    return agent(
        "Counter",
        section("Vars:", f"count : 0..{n - 1}; -- how often he has found the light on"),
        "Actions = {switch_off, announce};",
        section("Protocol:", f"count < {n - 2} : {{switch_off}};", "Other : {announce};"),
        section("Evolution:", f"count = count + 1 if {sees_light} and count < {n - 1};"),
    )


def _prisoner(number: int) -> str:
    finds_dark = f"Warden.Action = question{number} and Environment.Action = dark"
    return agent(
        f"Prisoner{number}",
        section("Vars:", "signalled : boolean;"),
        "Actions = {switch_on, rest};",
        section("Protocol:", "signalled = false : {switch_on};", "signalled = true : {rest};"),
        section("Evolution:", f"signalled = true if {finds_dark};"),
    )


# -- propositions and formulas ------------------------------------------------------------------------


def _evaluation(n: int, fair: bool) -> str:
    turns = [f"turn{i} if Warden.room = prisoner{i} or Warden.verdict <> open;" for i in range(n)]
    return section(
        "Evaluation",
        "light if Environment.bulb = on;",
        "released if Warden.verdict = released;",
        "executed if Warden.verdict = executed;",
        f"announced if Counter.count = {n - 1};",
        *(f"been{i} if Warden.been{i} = true;" for i in range(n)),
        *(["-- This one is in the room, or the warden is through.", *turns] if fair else []),
    )


def _initially(n: int) -> str:
    nothing = [
        "Environment.bulb = off",
        "Warden.room = empty",
        "Warden.verdict = open",
        *(f"Warden.been{i} = false" for i in range(n)),
        "Counter.count = 0",
        *(f"Prisoner{i}.signalled = false" for i in range(1, n)),
    ]
    return section("InitStates", f"{both(nothing)};")


def _fairness(n: int) -> str:
    why = "-- Everybody is called again and again, until the warden is through."
    return section("Fairness", why, *(f"turn{i};" for i in range(n)))


def _questions(n: int, fair: bool) -> tuple[Question, ...]:
    """The four specifications of the first source in all their logics, then those of the second."""
    known = f"(announced -> K(Counter, {both(f'been{i}' for i in range(n))}))"
    return (
        Question("AF released", fair, "1. They will be released, if everybody is called again and again."),
        Question("LTL F released", fair),
        Question("LDL <tt*> released", fair),
        Question(f"AG {known}", True, "2. Who makes the announcement knows that it is true."),
        Question(f"LTL G {known}", True),
        Question(f"LDL [tt*] {known}", True),
        Question(
            "LDL <tt; (tt; tt)*> (!announced and [tt] announced)",
            fair,
            "3. The announcement will come, and in an even step.",
        ),
        Question(
            "CDL* E (<(!light; !light; light; light)*> released)",
            True,
            "4. They may be lucky: the light goes on and off without a wasted call. "
            f"In CTL*, the {4 * (n - 1)} steps must be written out.",
        ),
        Question(f"CTL* E {_lucky(n - 1)}", True),
        Question("EF released", True, "5. They may be released, and are never executed."),
        Question("EF executed", False),
        Question("AG !executed", True),
    )


def _lucky(signals: int) -> str:
    """A path on which the light is off, off, on, on, as often as there are signals to be given."""
    path = "released"
    for _ in range(signals):
        path = f"(!light and X (!light and X (light and X (light and X {path}))))"
    return path


PRISONERS = Family(
    name="prisoners",
    description="prisoners and a light bulb: who counts will know that all have been called",
    source="Kong's report on MCMAS-Dynamic, section 8.7, and a report on SDDs for MCMAS, section 4.1",
    parameters=(
        Number("n", "how many prisoners, with the one who counts", 3, 3, 1000),
        Choice("fairness", "whether everybody is called again and again", "on", ("on", "off")),
    ),
    build=_prisoners,
    examples=("--n 10", "--n 5 --fairness off --output prisoners.ispl"),
)
