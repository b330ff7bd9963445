"""Two generals who acknowledge each other's messages, by messengers who may be caught."""

from __future__ import annotations

from knower.families.family import Choice, Family, Model, Number, Question
from knower.families.layout import agent, both, section
from knower.records import dataclass

_STORY = """Two generals want to attack together. Alice sends a messenger with her plan, Bob sends one back to
acknowledge it, Alice acknowledges the acknowledgement, and so on, {n} messages in all. A messenger may be
caught; then another one is sent with the same message. Each message that arrives adds one level to what the
generals know of each other's knowledge, and however many do, they do not reach common knowledge. The source
calls them Byzantine, but there is no traitor among them."""

_FAIR = {
    "off": "Messengers may be caught for ever.",
    "first": "The first two messages arrive in the end; later ones may be lost for ever.",
    "all": "Every message arrives in the end.",
}


@dataclass(frozen=True, slots=True)
class _Message:
    """A message by its place among all of them, from 0; Alice sends those with even places."""

    place: int

    @property
    def by_alice(self) -> bool:
        return self.place % 2 == 0

    @property
    def reader(self) -> str:
        return "Bob" if self.by_alice else "Alice"

    @property
    def _name(self) -> str:
        return f"{'msg' if self.by_alice else 'ack'}{self.place // 2}"

    @property
    def sent(self) -> str:
        """The proposition that it has been sent."""
        return f"snd{self._name}"

    @property
    def received(self) -> str:
        """The proposition that it has arrived."""
        return f"rcv{self._name}"

    @property
    def sending(self) -> str:
        """The line of `Evaluation` for `sent`."""
        return f"{self.sent} if {'Alice' if self.by_alice else 'Bob'}.sent > {self.place // 2};"

    @property
    def arrival(self) -> str:
        """The line of `Evaluation` for `received`."""
        return f"{self.received} if {self.reader}.heard > {self.place // 2};"

    @property
    def arrives(self) -> str:
        """The fairness constraint that it is not lost for ever."""
        return f"!{self.sent} or {self.received};"


def _byzantine_generals(*, n: int, fairness: str) -> Model:
    messages = [_Message(place) for place in range(n)]
    fair = messages[: {"off": 0, "first": 2, "all": n}[fairness]]
    return Model(
        title=f"Two generals and {n} messages.",
        story=f"{_STORY.format(n=n)} {_FAIR[fairness]}",
        sections=(
            "Semantics = SingleAssignment;",
            _road(),
            _general("Alice", "sent = heard", sends=(n + 1) // 2, hears=n // 2),
            _general("Bob", "sent < heard", sends=n // 2, hears=(n + 1) // 2),
            _evaluation(messages, fair),
            section("InitStates", f"{both(_nothing())};"),
            section("Groups", "generals = {Alice, Bob};"),
            *([section("Fairness", *(message.arrives for message in fair))] if fair else []),
        ),
        questions=_questions(messages, fair),
        # Nothing has happened, or one of the messages is under way, or has arrived.
        states=2 * n + 1,
    )


def _road() -> str:
    return agent(
        "Environment",
        section("Vars:", "road : {free, to_bob, to_alice};"),
        "Actions = {reach_bob, reach_alice, catch, rest};",
        section(
            "Protocol:",
            "road = to_bob : {reach_bob, catch};",
            "road = to_alice : {reach_alice, catch};",
            "Other : {rest};",
        ),
        section(
            "Evolution:",
            "road = to_bob if Alice.Action = send;",
            "road = to_alice if Bob.Action = send;",
            "road = free if Action = reach_bob or Action = reach_alice;",
        ),
    )


def _general(name: str, turn: str, *, sends: int, hears: int) -> str:
    """A general, who sends a message when it is their turn, while there are some left."""
    arrival = f"Environment.Action = reach_{name.lower()}"
    return agent(
        name,
        section("Vars:", f"sent : 0..{sends};", f"heard : 0..{hears};"),
        "Actions = {send, rest};",
        section("Protocol:", f"{turn} and sent < {sends} : {{send}};", "Other : {rest};"),
        section(
            "Evolution:",
            f"sent = sent + 1 if Action = send and sent < {sends};",
            f"heard = heard + 1 if {arrival} and heard < {hears};",
        ),
    )


def _evaluation(messages: list[_Message], fair: list[_Message]) -> str:
    """The propositions that formulas and fairness speak of."""
    sent = fair or messages[:1]
    arrived = dict.fromkeys([*messages[:2], *fair, *messages[-2:]])
    return section("Evaluation", *(one.sending for one in sent), *(one.arrival for one in arrived))


def _nothing() -> list[str]:
    counters = [f"{name}.{counter} = 0" for name in ("Alice", "Bob") for counter in ("sent", "heard")]
    return ["Environment.road = free", *counters]


def _questions(messages: list[_Message], fair: list[_Message]) -> tuple[Question, ...]:
    """The three specifications of the source, and what holds instead."""
    first, second, before, last = *messages[:2], *messages[-2:]
    known = f"K(Bob, {first.sent}) or K(Alice, {first.received})"
    all_arrive = fair == messages
    return (
        Question(
            f"AG ({first.sent} -> K(Alice, K(Bob, {first.sent})))",
            False,
            "1. When Alice has sent the first message, she knows that Bob knows it.",
        ),
        Question(
            f"AG ({before.received} and !{last.received} -> {_knowledge(messages[1:], first.received)})",
            False,
            "2. The last message but one is as good as the last: who waits for the last knows as much "
            f"without it, {len(messages) - 1} deep.",
        ),
        Question(f"AF ({known})", bool(fair), "3. One of them will know that the first message got through."),
        Question(f"LTL F ({known})", bool(fair)),
        Question(
            f"AG ({last.received} -> {_knowledge(messages, first.received)})",
            True,
            f"4. The last message gives knowledge {len(messages)} deep that the first has arrived.",
        ),
        Question(
            f"AG ({second.received} -> GK(generals, {first.received}))",
            True,
            "5. After the first acknowledgement both know that the plan has arrived; it is never common "
            "knowledge, not even that it has been sent.",
        ),
        Question(f"AG !GCK(generals, {first.sent})", True),
        Question(f"AF {last.received}", all_arrive, "6. All messages will arrive."),
        Question(f"LTL F {last.received}", all_arrive),
    )


def _knowledge(levels: list[_Message], fact: str) -> str:
    """The reader of the last message knows that the reader of the one before knows that …"""
    for message in levels:
        fact = f"K({message.reader}, {fact})"
    return fact


BYZANTINE_GENERALS = Family(
    name="byzantine-generals",
    description="two generals acknowledge each other's messages: deep knowledge, never common knowledge",
    source="Huang, Luo and van der Meyden on bounded model checking, section 5, system BG",
    parameters=(
        Number("n", "how many messages the two send in all", 4, 2, 1000),
        Choice("fairness", "which messages arrive in the end", "off", ("off", "first", "all")),
    ),
    build=_byzantine_generals,
    examples=("--n 10 --fairness first", "--n 20 --fairness all --output generals.ispl"),
)
