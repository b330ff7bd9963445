"""Children with mud on their foreheads, who find out by hearing that the others do not know."""

from __future__ import annotations

from knower.families.family import Family, Model, Number, Question
from knower.families.layout import agent, both, either, listed, section

_STORY = """{n} children come home from play, some of them with mud on their foreheads. Each sees the others,
none sees itself. If any of them is muddy, the father says so, otherwise he keeps silent. Then he asks, {n}
times: "Do you know whether you are muddy?", and all answer at once. The children follow a rule: say yes if
you see no more muddy children than questions have been answered before. The formulas show that by this rule
they say yes exactly when they know: k muddy children say no to the first k - 1 questions and yes to the
next."""


def _muddy_children(*, n: int) -> Model:
    return Model(
        title=f"{n} muddy children.",
        story=_STORY.format(n=n),
        sections=(
            "Semantics = SingleAssignment;",
            _father(n),
            *(_child(i, n) for i in _children(n)),
            _evaluation(n),
            _initially(n),
            section("Groups", f"children = {listed(*(f'Child{i}' for i in _children(n)))};"),
        ),
        questions=_questions(n),
        # Who is muddy decides the rest: one state for each before and after the father speaks, and after
        # each question.
        states=(n + 2) * 2**n,
    )


def _children(n: int) -> range:
    return range(1, n + 1)


def _muddy(n: int, but: int = 0) -> str:
    """How many children are muddy, without one of them."""
    return " + ".join(f"Environment.mud{i}" for i in _children(n) if i != but)


# -- agents -------------------------------------------------------------------------------------------


def _father(n: int) -> str:
    says_yes = either(f"Child{i}.Action = yes" for i in _children(n))
    return agent(
        "Environment",
        section(
            "Obsvars:",
            f"answered : -1..{n}; -- how many questions; -1: the father has yet to speak",
            "warned : boolean; -- the father has said that there is mud",
            f"first_yes : 0..{n}; -- the question to which a child said yes first, or 0",
        ),
        section("Vars:", *(f"mud{i} : 0..1;" for i in _children(n))),
        "Actions = {warn, keep_silent, ask, rest};",
        section(
            "Protocol:",
            f"answered = -1 and ({either(f'mud{i} = 1' for i in _children(n))}) : {{warn}};",
            f"answered = -1 and {both(f'mud{i} = 0' for i in _children(n))} : {{keep_silent}};",
            f"answered >= 0 and answered < {n} : {{ask}};",
            "Other : {rest};",
        ),
        section(
            "Evolution:",
            f"answered = answered + 1 if answered < {n};",
            "warned = true if Action = warn;",
            f"first_yes = answered + 1 if Action = ask and first_yes = 0 and ({says_yes});",
        ),
    )


def _child(i: int, n: int) -> str:
    return agent(
        f"Child{i}",
        f"Lobsvars = {listed(*(f'mud{j}' for j in _children(n) if j != i))};",
        section("Vars:", "said_yes : boolean;"),
        "Actions = {yes, no};",
        section("Protocol:", f"{_muddy(n, but=i)} <= Environment.answered : {{yes}};", "Other : {no};"),
        section("Evolution:", "said_yes = true if Environment.Action = ask and Action = yes;"),
    )


# -- propositions -------------------------------------------------------------------------------------


def _evaluation(n: int) -> str:
    spoken = "Environment.answered >= 0"
    return section(
        "Evaluation",
        *(f"muddy{i} if Environment.mud{i} = 1;" for i in _children(n)),
        f"some_mud if {_muddy(n)} > 0;",
        f"all_muddy if {_muddy(n)} = {n};",
        "before if Environment.answered = -1; -- the father has yet to speak",
        "warned if Environment.warned = true;",
        "-- With k muddy children: less than k - 1 questions have been answered, or just k - 1.",
        f"too_early if {_muddy(n)} > Environment.answered + 1;",
        f"in_time if {spoken} and {_muddy(n)} = Environment.answered + 1;",
        "-- What the children are going to say, by their rule, and what they have said.",
        *(f"says_yes{i} if {_muddy(n, but=i)} <= Environment.answered;" for i in _children(n)),
        *(f"said_yes{i} if Child{i}.said_yes = true;" for i in _children(n)),
        f"all_said_yes if {both(f'Child{i}.said_yes = true' for i in _children(n))};",
        "none_said_yes if Environment.first_yes = 0;",
    )


def _initially(n: int) -> str:
    values = [
        "Environment.answered = -1",
        "Environment.warned = false",
        "Environment.first_yes = 0",
        *(f"Child{i}.said_yes = false" for i in _children(n)),
    ]
    return section("InitStates", "-- Any of them may be muddy.", f"{both(values)};")


# -- formulas -----------------------------------------------------------------------------------------


def _questions(n: int) -> tuple[Question, ...]:
    knows = [f"(K(Child{i}, muddy{i}) or K(Child{i}, !muddy{i}))" for i in _children(n)]
    return (
        Question(
            f"AG ({both(f'((muddy{i} and said_yes{i}) -> K(Child{i}, muddy{i}))' for i in _children(n))})",
            True,
            "A muddy child that has said yes knows that it is muddy.",
        ),
        Question(
            f"AG ({both(f'(says_yes{i} -> {knows[i - 1]})' for i in _children(n))})",
            True,
            "The rule is right: a child says yes if it knows, and only then.",
        ),
        Question(f"AG ({both(f'({knows[i - 1]} -> says_yes{i})' for i in _children(n))})", True),
        *_rounds(n),
        *_announcement(n),
        Question(
            f"AF ({both(knows)})", True, "In the end each knows, which LTL says of the first and for ever."
        ),
        Question(f"LTL F G {knows[0]}", True),
        Question(
            f"{both(f'(DK(children, muddy{i}) or DK(children, !muddy{i}))' for i in _children(n))}",
            True,
            "Together they know it all from the beginning.",
        ),
    )


def _rounds(n: int) -> tuple[Question, ...]:
    """After k-1 rounds k muddy children know."""
    return (
        Question(
            f"AG ({both(f'((in_time and muddy{i}) -> K(Child{i}, muddy{i}))' for i in _children(n))})",
            True,
            "With k muddy children, these know it when k - 1 questions have been answered, and no sooner.",
        ),
        Question(
            f"AG ({both(f'((too_early and muddy{i}) -> !K(Child{i}, muddy{i}))' for i in _children(n))})",
            True,
        ),
        Question(
            "LTL all_muddy -> (none_said_yes U all_said_yes)",
            True,
            "If all are muddy, nobody says yes until all do, to the last question.",
        ),
        Question(f"LDL all_muddy -> [{'; '.join(['tt'] * n)}] (none_said_yes and [tt] all_said_yes)", True),
    )


def _announcement(n: int) -> tuple[Question, ...]:
    """What the father tells them though they know it."""
    deep = "some_mud"
    for _ in range(n - 1):
        deep = f"GK(children, {deep})"
    return (
        Question(
            f"AG ((before and all_muddy) -> {deep})",
            True,
            "If all are muddy, they all know before the father speaks that there is mud, and know that they "
            f"know it, {n - 1} deep but no deeper: it is not common knowledge. His words make it so.",
        ),
        Question(f"AG ((before and all_muddy) -> GK(children, {deep}))", False),
        Question("EF (before and GCK(children, some_mud))", False),
        Question("AG (warned -> GCK(children, some_mud))", True),
    )


MUDDY_CHILDREN = Family(
    name="muddy-children",
    description="children learn whether they are muddy from what the others do not know",
    source="Fagin, Halpern, Moses, Vardi (1995) and the paper on MCMAS, section 5.1.1",
    parameters=(Number("n", "how many children", 3, 2, 120),),
    build=_muddy_children,
    examples=("--n 10", "--n 20 --output children.ispl"),
)
