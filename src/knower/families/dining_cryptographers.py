"""Cryptographers who want to know whether one of them has paid, but not who."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from knower.families.family import Family, Model, Number, Question
from knower.families.layout import agent, both, either, listed, section

_STORY = """{n} cryptographers sit at a round table. Their bill has been paid, by one of them or by the agency
they work for. They want to know which of the two without exposing the one who paid. Between each two
neighbours a coin is tossed that only these two see. Each looks at his two coins, then all announce at once
whether theirs differ; whoever paid announces the opposite. One of them paid exactly if the number of
"different" is odd."""

_CONCLUSION = "Then this number is worked out for all to see, and each draws his conclusion."

#: The phases of a run, by the number of steps.
_PHASES = {2: ("look", "speak", "done"), 4: ("look", "speak", "count", "conclude", "done")}


def _dining_cryptographers(*, n: int, steps: int) -> Model:
    concluding = steps > 2
    return Model(
        title=f"{n} dining cryptographers.",
        story=" ".join([_STORY.format(n=n), *([_CONCLUSION] if concluding else [])]),
        sections=(
            "Semantics = SingleAssignment;",
            _table(n, _PHASES[steps]),
            *(_cryptographer(i, n, concluding) for i in _seats(n)),
            _evaluation(n, concluding),
            _initially(n, concluding),
            section(
                "Groups",
                f"everybody = {listed(*(f'Cryptographer{i}' for i in _seats(n)))};",
                f"neighbours = {{Cryptographer2, Cryptographer{n}}}; -- those of the first",
            ),
        ),
        questions=(*_questions(n), *(_conclusions(n) if concluding else ())),
        # In each phase somebody or nobody has paid, and the coins lie in any way.
        states=(steps + 1) * (n + 1) * 2**n,
    )


def _seats(n: int) -> range:
    return range(1, n + 1)


# -- agents -------------------------------------------------------------------------------------------


def _table(n: int, phases: tuple[str, ...]) -> str:
    """What is common to all: how far they are, the announcements, and the coins."""
    counting = "count" in phases
    parity = " ^ ".join(f"said{i}" for i in _seats(n))
    return agent(
        "Environment",
        section(
            "Obsvars:",
            f"phase : {listed(*phases)};",
            *(f'said{i} : boolean; -- true: {i} has said "different"' for i in _seats(n)),
            *(['odd : boolean; -- whether "different" was said an odd number of times'] if counting else []),
        ),
        section("Vars:", *(f"coin{i} : boolean; -- between {_before(i, n)} and {i}" for i in _seats(n))),
        "Actions = {};",
        section(
            "Evolution:",
            *(f"phase = {then} if phase = {now};" for now, then in pairwise(phases)),
            *(f"said{i} = true if Cryptographer{i}.Action = say_different;" for i in _seats(n)),
            *([f"odd = {parity} if phase = count;"] if counting else []),
        ),
    )


def _before(i: int, n: int) -> int:
    return i - 1 or n


def _after(i: int, n: int) -> int:
    return i % n + 1


def _cryptographer(i: int, n: int, concluding: bool) -> str:
    left, right = f"coin{i}", f"coin{_after(i, n)}"
    return agent(
        f"Cryptographer{i}",
        f"Lobsvars = {listed(left, right)};",
        section(
            "Vars:",
            "paid : 0..1; -- 1: he has paid",
            "differ : boolean; -- whether his two coins do",
            *(["thinks : {nothing, ours, theirs}; -- whose money it was"] if concluding else []),
        ),
        "Actions = {say_different, say_same, rest};",
        section(
            "Protocol:",
            "Environment.phase = speak and paid = 0 and differ = true : {say_different};",
            "Environment.phase = speak and paid = 0 and differ = false : {say_same};",
            "Environment.phase = speak and paid = 1 and differ = true : {say_same};",
            "Environment.phase = speak and paid = 1 and differ = false : {say_different};",
            "Other : {rest};",
        ),
        section(
            "Evolution:",
            f"differ = Environment.{left} ^ Environment.{right} if Environment.phase = look;",
            *(_conclusion() if concluding else []),
        ),
    )


def _conclusion() -> list[str]:
    return [
        "thinks = ours if Environment.phase = conclude and Environment.odd = true;",
        "thinks = theirs if Environment.phase = conclude and Environment.odd = false;",
    ]


# -- propositions -------------------------------------------------------------------------------------


def _evaluation(n: int, concluding: bool) -> str:
    parity = " ^ ".join(f"Environment.said{i}" for i in _seats(n))
    done = "Environment.phase = done"
    return section(
        "Evaluation",
        *(f"paid{i} if Cryptographer{i}.paid = 1;" for i in _seats(n)),
        f"agency_paid if {both(f'Cryptographer{i}.paid = 0' for i in _seats(n))};",
        f"announced if {done}; -- by everybody",
        f'odd if {done} and ({parity}) = true; -- the number of "different"',
        f"even if {done} and ({parity}) = false;",
        *_thoughts(n, concluding),
    )


def _thoughts(n: int, concluding: bool) -> list[str]:
    if not concluding:
        return []
    return [
        "thinks_ours if Cryptographer1.thinks = ours;",
        f"all_think_theirs if {both(f'Cryptographer{i}.thinks = theirs' for i in _seats(n))};",
    ]


def _initially(n: int, concluding: bool) -> str:
    payers = " + ".join(f"Cryptographer{i}.paid" for i in _seats(n))
    values = [
        "Environment.phase = look",
        *(f"Environment.said{i} = false" for i in _seats(n)),
        *(["Environment.odd = false"] if concluding else []),
        *(f"Cryptographer{i}.differ = false" for i in _seats(n)),
        *([f"Cryptographer{i}.thinks = nothing" for i in _seats(n)] if concluding else []),
    ]
    return section(
        "InitStates",
        f"{both(values)} and",
        "-- At most one has paid; the coins lie in any way.",
        f"{payers} <= 1;",
    )


# -- formulas -----------------------------------------------------------------------------------------


def _questions(n: int) -> tuple[Question, ...]:
    """The specifications of Kong in three logics, then those of the other sources."""
    return (
        *_in_three_logics(
            "1. An odd number: if the first did not pay, he knows that one of the others did, but not which.",
            f"(odd and !paid1) -> ({_someone(n)} and {_not_which(1, n)})",
        ),
        *_in_three_logics(
            "2. Nobody ever knows of another that he has paid.",
            both(_not_which(i, n) for i in _seats(n)),
        ),
        *_in_three_logics(
            "3. An even number: it is common knowledge that none of them has paid.",
            f"even -> GCK(everybody, {both(f'!paid{i}' for i in _seats(n))})",
        ),
        *_privacy(n),
        *_refuted(n),
        Question(
            "AG ((announced and paid1) -> DK(neighbours, paid1))",
            True,
            "His two neighbours, if they put together what they know, find out the payer.",
        ),
    )


def _in_three_logics(meaning: str, always: str) -> Iterable[Question]:
    """That a formula holds always, in CTL, LTL and LDL."""
    yield Question(f"AG ({always})", True, meaning)
    yield Question(f"LTL G ({always})", True)
    yield Question(f"LDL [tt*] ({always})", True)


def _someone(n: int) -> str:
    return f"K(Cryptographer1, {either(f'paid{j}' for j in range(2, n + 1))})"


def _not_which(i: int, n: int) -> str:
    """Cryptographer `i` knows of no other that he has paid."""
    return both(f"!K(Cryptographer{i}, paid{j})" for j in _seats(n) if j != i)


def _privacy(n: int) -> Iterable[Question]:
    """What MCMAS is compared with other checkers by."""
    nobody = both(f"!paid{i}" for i in _seats(n))
    secret = f"K(Cryptographer1, {nobody}) or ({_someone(n)} and {_not_which(1, n)})"
    yield Question(
        f"AG ((announced and !paid1) -> ({secret}))",
        True,
        "4. In the end the first, if he did not pay, knows that nobody did, or that another did, not which.",
    )
    yield Question(
        f"AG ((announced and !agency_paid) -> ({either(f'paid{i}' for i in _seats(n))}))",
        True,
        "5. If the agency has not paid, one of them has; not, as the source prints it, all of them.",
    )
    yield Question(f"AG ((announced and !agency_paid) -> ({both(f'paid{i}' for i in _seats(n))}))", False)


def _refuted(n: int) -> Iterable[Question]:
    """What bounded checkers find counterexamples to."""
    which = either(f"K(Cryptographer1, paid{j})" for j in range(2, n + 1))
    yield Question(
        f"AG ((odd and !paid1) -> ({_someone(n)} and ({which})))",
        False,
        "6. He does not know which of them it was.",
    )
    yield Question(f"AG ((announced and !paid1 and odd) -> ({which}))", False)
    yield Question(
        f"AG ((announced and !paid1) -> {_someone(n)})", False, "7. It need not have been one of the others."
    )
    yield Question(f"AF (!paid1 -> {_someone(n)})", False)


def _conclusions(n: int) -> tuple[Question, ...]:
    knowledge = f"K(Cryptographer1, {either(f'paid{i}' for i in _seats(n))})"
    return (
        Question(f"AG (thinks_ours -> {knowledge})", True, "What they conclude they know."),
        Question("AG (all_think_theirs -> GCK(everybody, agency_paid))", True),
        Question("LTL F (thinks_ours or all_think_theirs)", True),
    )


DINING_CRYPTOGRAPHERS = Family(
    name="dining-cryptographers",
    description="who pays for the dinner stays secret: anonymous broadcast, and what everybody knows",
    source="Chaum (1988), Kong's report on MCMAS-Dynamic, section 8.4, and the papers on MCMAS, on SDDs for "
    "MCMAS and on bounded model checking",
    parameters=(
        Number("n", "how many cryptographers", 3, 3, 250),
        Number("steps", "how long they take: 2 to announce, 4 also to count and conclude", 2, 2, 4, step=2),
    ),
    build=_dining_cryptographers,
    examples=("--n 20", "--n 9 --steps 4 --output cryptographers.ispl"),
)
