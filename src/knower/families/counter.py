"""A counter that never stands still."""

from __future__ import annotations

from knower.families.family import Family, Model, Number, Question
from knower.families.layout import agent, section

_STORY = """A counter runs from 1 to {n}. In every step it moves up or down by one. What it can do is a
question of parity, of which LDL and CDL* can speak and LTL and CTL* cannot. It starts at the top; the source
lets it start at any even value, and from there the same states are reached."""


def _counter(*, n: int) -> Model:
    return Model(
        title=f"An up and down counter with {n} values.",
        story=_STORY.format(n=n),
        sections=(
            _agent(n),
            section(
                "Evaluation",
                "even if Counter.even = true;",
                f"max if Counter.value = {n};",
                f"near_max if Counter.value >= {n - 1};",
            ),
            section("InitStates", f"Counter.value = {n} and Counter.even = true;"),
        ),
        questions=_questions(n),
        states=n,
    )


def _agent(n: int) -> str:
    return agent(
        "Counter",
        section("Vars:", f"value : 1..{n};", "even : boolean; -- the parity of the value"),
        "Actions = {up, down};",
        section("Protocol:", f"value < {n} : {{up}};", "value > 1 : {down};"),
        section(
            "Evolution:",
            "value = value + 1 and even = ~even if Action = up;",
            "value = value - 1 and even = ~even if Action = down;",
        ),
    )


def _questions(n: int) -> tuple[Question, ...]:
    """The five specifications of the source, and one of CTL."""
    return (
        Question("LDL [(tt; tt)*] even", True, "1. After an even number of steps the value is even."),
        Question("LDL [tt; (tt; tt)*] !even", True, "2. After an odd number of steps it is odd."),
        Question(
            "LDL [tt*] (max -> [(tt; tt)*] max)",
            n == 2,
            "3. Once at the top, it is there in every second step: with two values only.",
        ),
        Question(
            "CDL* A ([tt*] (even -> E (<(even; !even)*> max)))",
            True,
            "4. From every even value the top can be reached by even and odd values in turn.",
        ),
        Question(
            "CDL* near_max -> E (([tt*] <tt*> !near_max) and [(tt; tt; tt)*] near_max)",
            n > 2,
            "5. It can leave the top two values again and again, and yet be there in every third step: "
            "if there are more than two.",
        ),
        Question("AG EF max", True, "The top can always be reached."),
    )


COUNTER = Family(
    name="counter",
    description="a counter that moves up or down in every step: parity, in LDL and CDL*",
    source="Kong's report on MCMAS-Dynamic, section 8.5",
    parameters=(Number("n", "the largest value, an even number", 16, 2, 1_000_000_000, step=2),),
    build=_counter,
    examples=("--n 4096 --output counter.ispl",),
)
