"""The public-key protocol of Needham and Schroeder, with an intruder who owns the network."""

from __future__ import annotations

from knower.families.family import Choice, Family, Model, Number, Question
from knower.families.layout import agent, both, counted, either, listed, section
from knower.records import dataclass

_STORY = """{initiators} and Bob want to be sure of each other. (1) An Alice sends a fresh nonce and her name,
so that Bob alone can read them; (2) Bob sends her nonce back with a fresh one of his own{name}, so that she
alone can read them; (3) she sends his nonce back, so that he alone can read it. Mallory is a user like them:
an Alice may also start with him. And he is the network: all messages go to him, he brings them to whom he
likes or not at all, and makes new ones of what he can read. He cannot read what is meant for others. Of
Bob's nonce one bit is modelled, so that to have learnt it is to know the bit. Bob takes part in one run. What
Mallory might send beside what is here would be refused, or give nobody anything new."""

_FLAWED = """In the protocol of 1978 an Alice who runs it with Mallory cannot see that the nonce he gives her
is Bob's. She reads it to him, and Bob takes him for her."""
_FIXED = """With the name of the sender in message 2, Lowe's repair of 1995, an Alice who runs the protocol
with Mallory refuses a message that comes from Bob."""


@dataclass(frozen=True, slots=True)
class _Alice:
    """One of those who start the protocol."""

    number: int

    @property
    def agent(self) -> str:
        return f"Alice{self.number}"

    @property
    def name(self) -> str:
        """What Bob takes down as the name of his partner."""
        return f"alice{self.number}"


_Alices = tuple[_Alice, ...]


def _needham_schroeder(*, n: int, variant: str) -> Model:
    alices = tuple(_Alice(number) for number in range(1, n + 1))
    fixed = variant == "fixed"
    story = _STORY.format(
        initiators="Alice" if n == 1 else f"{n} Alices", name=" and his name" if fixed else ""
    )
    return Model(
        title=f"The protocol of Needham and Schroeder with {counted(n, 'initiator')}, {variant}.",
        story=f"{story} {_FIXED if fixed else _FLAWED}",
        sections=(
            "Semantics = SingleAssignment;",
            _nonce(),
            *(_alice(alice, fixed) for alice in alices),
            _bob(alices),
            _mallory(alices, fixed),
            _evaluation(alices),
            _initially(alices),
            section("Groups", *(f"pair{alice.number} = {{{alice.agent}, Bob}};" for alice in alices)),
        ),
        questions=_questions(alices, fixed),
        states=_states(n, fixed),
    )


def _states(n: int, fixed: bool) -> int:
    """How many states can be reached, by what Bob has heard; twice, for the two values of his nonce.

    An Alice whom Bob does not concern has five states in which she may stay: before the start, waiting for
    either partner, through with Mallory with either bit. In two more she is about to send message 3. As
    Mallory brings one message at a time, at most one, Bob included, is about to send something.
    """
    stay = int(5**n)
    others_stay = stay // 5
    send, others_send = 2 * n * others_stay, 2 * (n - 1) * others_stay // 5
    nothing = stay + send
    from_mallory = 3 * stay + 2 * send
    made_up = 2 * stay + send
    # She has sent message 1, and not had Bob's message 2.
    not_answered = 10 * others_stay + 4 * others_send
    # She has had it, as a partner of Bob; in the flawed variant also as a partner of Mallory.
    answered = (1 if fixed else 2) * (3 * others_stay + 2 * others_send)
    return 2 * (nothing + from_mallory + n * (made_up + not_answered + answered))


# -- those who follow the protocol --------------------------------------------------------------------


def _nonce() -> str:
    """Bob's nonce, which is shown by an action to whom the others allow to look."""
    return agent(
        "Environment",
        section("Vars:", "nonce : {zero, one}; -- Bob's"),
        "Actions = {show_zero, show_one};",
        section("Protocol:", "nonce = zero : {show_zero};", "nonce = one : {show_one};"),
        section("Evolution:", "nonce = nonce if Action = show_zero or Action = show_one; -- it stays"),
    )


def _alice(alice: _Alice, fixed: bool) -> str:
    i = alice.number
    asked = "partner <> nobody and nonce = none"
    sender = " and partner = bob" if fixed else ""
    return agent(
        alice.agent,
        section(
            "Vars:",
            "partner : {nobody, bob, mallory};",
            "nonce : {none, zero, one}; -- what she takes for that of her partner",
            "done : boolean;",
        ),
        "Actions = {wait, hello_bob, hello_mallory, confirm_bob, confirm_mallory};",
        section(
            "Protocol:",
            "partner = nobody : {wait, hello_bob, hello_mallory};",
            "partner = bob and nonce <> none and done = false : {confirm_bob};",
            "partner = mallory and nonce <> none and done = false : {confirm_mallory};",
            "Other : {wait};",
        ),
        section(
            "Evolution:",
            "partner = bob if Action = hello_bob;",
            "partner = mallory if Action = hello_mallory;",
            *(
                f"nonce = {bit} if {asked} and ((Mallory.Action = relay{i} and "
                f"Environment.Action = show_{bit}{sender}) or Mallory.Action = answer{i}_{bit});"
                for bit in ("zero", "one")
            ),
            "done = true if Action = confirm_bob or Action = confirm_mallory;",
        ),
    )


def _bob(alices: _Alices) -> str:
    partners = ["mallory", *(alice.name for alice in alices)]
    greeted = {"mallory": "Mallory.Action = hello"} | {
        one.name: f"(Mallory.Action = hello{one.number} or Mallory.Action = pretend{one.number})"
        for one in alices
    }
    return agent(
        "Bob",
        "Lobsvars = {nonce};",
        section(
            "Vars:",
            f"partner : {listed('nobody', *partners)};",
            "step : {listening, answering, waiting, done};",
        ),
        f"Actions = {listed('wait', *(f'answer_{name}' for name in partners))};",
        section(
            "Protocol:",
            *(f"step = answering and partner = {name} : {{answer_{name}}};" for name in partners),
            "Other : {wait};",
        ),
        section(
            "Evolution:",
            *(f"partner = {name} if step = listening and {greeted[name]};" for name in partners),
            f"step = answering if step = listening and ({either(greeted.values())});",
            "step = waiting if step = answering;",
            "step = done if step = waiting and Mallory.Action = confirm;",
        ),
    )


# -- the intruder -------------------------------------------------------------------------------------


def _mallory(alices: _Alices, fixed: bool) -> str:
    return agent(
        "Mallory",
        section(
            "Vars:",
            "-- Message 1 of each, if he has it: he can read those to himself.",
            *(f"heard{one.number} : {{nothing, to_bob, to_me}};" for one in alices),
            "-- Whose message 2 he has brought to each.",
            *(f"answered{one.number} : {{no, mine, bobs}};" for one in alices),
            "told : {nothing, truth, lie}; -- message 1 to Bob, with the nonce of its sender or another",
            f"reply : {listed('none', 'mallory', *(one.name for one in alices))}; -- message 2 from Bob",
            "nonce : {unknown, zero, one}; -- Bob's",
            "sealed : boolean; -- message 3 to Bob, which he cannot read",
        ),
        f"Actions = {listed('wait', 'hello', 'confirm', *(a for one in alices for a in _tricks(one)))};",
        section(
            "Protocol:",
            "-- To Bob, in his own name or, with his own nonce, in another.",
            f"told = nothing : {listed('wait', 'hello', *(f'pretend{one.number}' for one in alices))};",
            "told <> nothing : {wait};",
            *(line for one in alices for line in _chances(one)),
            "-- To Bob, his nonce.",
            "sealed = true or nonce <> unknown : {confirm};",
        ),
        section("Evolution:", *_mallory_evolution(alices, fixed)),
    )


def _tricks(alice: _Alice) -> list[str]:
    """What he can do with one of those who start the protocol."""
    i = alice.number
    return [f"hello{i}", f"pretend{i}", f"relay{i}", f"answer{i}_zero", f"answer{i}_one"]


def _chances(alice: _Alice) -> list[str]:
    """When he can do it."""
    i = alice.number
    return [
        f"-- To Bob, what {alice.agent} has sent to him, or to Mallory.",
        f"told = nothing and heard{i} <> nothing : {{hello{i}}};",
        f"-- To {alice.agent}: Bob's message, or one of his own.",
        f"reply = {alice.name} and told = truth and answered{i} = no : {{relay{i}}};",
        f"heard{i} = to_me and answered{i} = no : {{answer{i}_zero, answer{i}_one}};",
    ]


def _mallory_evolution(alices: _Alices, fixed: bool) -> list[str]:
    truth = either(f"Action = hello{one.number}" for one in alices)
    lie = either(f"Action = pretend{one.number}" for one in alices)
    return [
        *(line for one in alices for line in _met(one, fixed)),
        f"told = truth if {truth};",
        f"told = lie if Action = hello or {lie};",
        "reply = mallory if Bob.Action = answer_mallory;",
        *(f"reply = {one.name} if Bob.Action = answer_{one.name};" for one in alices),
        *(
            f"nonce = {bit} if Environment.Action = show_{bit} and ({_read(alices)});"
            for bit in ("zero", "one")
        ),
        f"sealed = true if {either(f'{one.agent}.Action = confirm_bob' for one in alices)};",
    ]


def _met(alice: _Alice, fixed: bool) -> list[str]:
    """What he keeps in mind about one of those who start the protocol."""
    i = alice.number
    # He knows when she would refuse the message of Bob.
    accepted = f" and heard{i} = to_bob" if fixed else ""
    return [
        f"heard{i} = to_bob if {alice.agent}.Action = hello_bob;",
        f"heard{i} = to_me if {alice.agent}.Action = hello_mallory;",
        f"answered{i} = bobs if Action = relay{i}{accepted};",
        f"answered{i} = mine if Action = answer{i}_zero or Action = answer{i}_one;",
    ]


def _read(alices: _Alices) -> str:
    """Somebody tells him Bob's nonce: Bob, or one who takes it for his."""
    told = [f"({one.agent}.Action = confirm_mallory and answered{one.number} = bobs)" for one in alices]
    return either(["Bob.Action = answer_mallory", *told])


# -- propositions and formulas ------------------------------------------------------------------------


def _evaluation(alices: _Alices) -> str:
    return section(
        "Evaluation",
        "nonce if Environment.nonce = one;",
        *(line for one in alices for line in _propositions(one)),
    )


def _propositions(alice: _Alice) -> list[str]:
    i, she = alice.number, alice.agent
    return [
        f"-- Bob is through, and thinks that it was with {she}; they do agree on it, and on his nonce.",
        f"bob_trusts{i} if Bob.step = done and Bob.partner = {alice.name};",
        f"agreed{i} if {she}.partner = bob and {she}.nonce = Environment.nonce;",
        f"-- {she} is through, and thinks that it was with Bob; he does talk to her, and has her nonce.",
        f"trusts_bob{i} if {she}.partner = bob and {she}.done = true;",
        f"meant{i} if Bob.partner = {alice.name} and Mallory.told = truth;",
    ]


def _initially(alices: _Alices) -> str:
    start = [
        *(
            f"{one.agent}.{value}"
            for one in alices
            for value in ("partner = nobody", "nonce = none", "done = false")
        ),
        "Bob.partner = nobody",
        "Bob.step = listening",
        *(f"Mallory.heard{one.number} = nothing" for one in alices),
        *(f"Mallory.answered{one.number} = no" for one in alices),
        *(
            f"Mallory.{value}"
            for value in ("told = nothing", "reply = none", "nonce = unknown", "sealed = false")
        ),
    ]
    return section("InitStates", "-- Bob's nonce may be either.", f"{both(start)};")


def _questions(alices: _Alices, fixed: bool) -> tuple[Question, ...]:
    """Each question for every initiator; the meaning stands above the first."""
    asked = [_asked(one.number, one.agent, fixed) for one in alices]
    return tuple(
        Question(one.formula, one.expected, "" if at else one.meaning)
        for group in zip(*asked, strict=True)
        for at, one in enumerate(group)
    )


def _asked(i: int, she: str, fixed: bool) -> tuple[Question, ...]:
    ignorant = "!K(Mallory, nonce) and !K(Mallory, !nonce)"
    return (
        Question(
            f"AG (bob_trusts{i} -> agreed{i})",
            fixed,
            "1. Authentication: when Bob is through with an Alice, they agree, and he knows it.",
        ),
        Question(f"AG (bob_trusts{i} -> K(Bob, agreed{i}))", fixed),
        Question(f"LTL G (bob_trusts{i} -> K(Bob, agreed{i}))", fixed),
        Question(
            f"AG (trusts_bob{i} -> K({she}, meant{i}))",
            True,
            "2. When an Alice is through with Bob, she knows that he means her.",
        ),
        Question(
            f"AG (bob_trusts{i} -> K(Bob, K({she}, meant{i})))",
            fixed,
            "3. And Bob knows that she knows, when he is through; but it is never common knowledge.",
        ),
        Question(f"AG !GCK(pair{i}, meant{i})", True),
        Question(
            f"AG (bob_trusts{i} -> {ignorant})",
            fixed,
            "4. Secrecy: when Bob is through with an Alice, Mallory does not know his nonce.",
        ),
        Question(
            f"EF (bob_trusts{i} and (K(Mallory, nonce) or K(Mallory, !nonce)))",
            not fixed,
            "5. The attack: Bob is through with an Alice, and Mallory knows his nonce.",
        ),
        Question(f"EF (bob_trusts{i} and agreed{i})", True, "6. The protocol can do what it is meant for."),
    )


NEEDHAM_SCHROEDER = Family(
    name="needham-schroeder",
    description="the public-key protocol of Needham and Schroeder: Lowe's attack, and his repair",
    source=(
        "Lowe on the protocol of Needham and Schroeder, and a report on SDDs for MCMAS, section 4.1, "
        "whose models have other numbers of states"
    ),
    parameters=(
        Number("n", "how many initiators, each with one session", 1, 1, 100),
        Choice("variant", "the protocol as it was, or as Lowe repaired it", "flawed", ("flawed", "fixed")),
    ),
    build=_needham_schroeder,
    examples=("--n 2", "--n 3 --variant fixed --output lowe.ispl"),
)
