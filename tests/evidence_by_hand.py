"""Evidence written by hand about two examples, with at least one proof of every kind."""

from __future__ import annotations

from pathlib import Path

import knower
from knower import System
from knower.logic.formula import Formula
from knower.logic.language import Specification
from knower.verdict.evidence import (
    Both,
    Case,
    Cited,
    Either,
    Evidence,
    Fact,
    Followed,
    Hop,
    ImperfectInformationRefutation,
    IndistinguishableProof,
    Instance,
    LostPlay,
    PathProof,
    Proof,
    Refusal,
    Replay,
    Reply,
    Row,
    Run,
    State,
    Strategy,
    Turn,
    UniformModelProof,
    UniformRefutation,
    Vocabulary,
)  # fmt: skip
from knower.verdict.verdict import CheckResult, FormulaResult, Verdict

EXAMPLES = Path(__file__).parents[1] / "examples"


def vocabulary(system: System) -> Vocabulary:
    agents = system.interpreted.agents
    return Vocabulary(
        tuple(agent.name for agent in agents),
        tuple(variable.key for agent in agents for variable in agent.variables),
        tuple(agent.observes for agent in agents),
    )


BITS = knower.load(EXAMPLES / "bit_transmission.ispl")
RACE = knower.load(EXAMPLES / "tian_ji.ispl")
BIT_NAMES, RACE_NAMES = vocabulary(BITS), vocabulary(RACE)
BIT_PROPOSITIONS = frozenset(BITS.interpreted.propositions)
RACE_PROPOSITIONS = frozenset(RACE.interpreted.propositions)


def bits(text: str) -> Formula:
    return BITS.parse(text).body


def race(text: str) -> Formula:
    return RACE.parse(text).body


def evidence(
    kind: str,
    names: Vocabulary,
    proof: Proof,
    *more: Proof,
    run: Run | None = None,
    others: int = 0,
    followed: tuple[Followed, ...] = (),
    replay: Replay | None = None,
) -> Evidence:
    """A case for each proof, which begins at its state."""
    cases = tuple(Case(run or Run((item.state,)), item) for item in (proof, *more))
    return Evidence(kind, names, cases, others, followed, replay)


def result(
    system: System, number: int, text: str, found: Evidence | None, verdict: bool = False
) -> FormulaResult:
    answer = Verdict.TRUE if verdict else Verdict.FALSE
    return FormulaResult(number, text, Specification(system.parse(text).body), "CTLK", answer, evidence=found)


# -- the bit transmission problem: Environment.line, Sender.bit, Sender.acked, Receiver.received ----

START: State = ("blocked", "zero", False, "nothing")
ARRIVED: State = ("both", "zero", False, "zero")
ACKED: State = ("both", "zero", True, "zero")
OTHER_BIT: State = ("blocked", "one", False, "nothing")

SEND = ("pass_both", "send_zero", "listen")
ACKNOWLEDGE = ("pass_both", "send_zero", "acknowledge")
LOSE = ("block", "send_zero", "listen")

TO_ACK = Run((START, ARRIVED, ACKED), (SEND, ACKNOWLEDGE), end=2)
TO_ARRIVAL = Run((START, ARRIVED), (SEND,), end=1)

CHAIN = IndistinguishableProof(
    ACKED,
    bits("MGCK(partners, !bit_received)"),
    (Hop(("Receiver",), TO_ARRIVAL), Hop(("Sender",), Run((START,), end=0))),
    Fact(START, bits("!bit_received")),
)
NOT_COMMON = PathProof(
    START,
    bits("EF (ack_received and MGCK(partners, !bit_received))"),
    TO_ACK,
    (
        (
            2,
            Both(
                ACKED,
                bits("ack_received and MGCK(partners, !bit_received)"),
                Fact(ACKED, bits("ack_received")),
                CHAIN,
            ),
        ),
    ),
)
BLOCKED_FOR_EVER = PathProof(START, bits("EG !bit_received"), Run((START,), (LOSE,), loop=0))

COMMON = evidence("counterexample", BIT_NAMES, NOT_COMMON, replay=Replay())
BLOCKED = evidence("counterexample", BIT_NAMES, BLOCKED_FOR_EVER, replay=Replay())

# -- Tian Ji: Environment.score, King.race, TianJi.fast, TianJi.middling, TianJi.slow ---------------

RACES: tuple[State, ...] = (
    (0, 1, True, True, True),
    (-1, 2, True, True, False),
    (0, 3, False, True, False),
    (1, 4, False, False, False),
)
WINNING = Strategy(
    RACES[0],
    race("<TianJi> F tian_ji_wins"),
    ("TianJi",),
    (RACES[0],),
    (
        Row(("TianJi",), RACES[0], ("run_slow",)),
        Row(("TianJi",), RACES[1], ("run_fast",)),
        Row(("TianJi",), RACES[2], ("run_middling",)),
    ),
)
TIAN_JI = evidence("strategy", RACE_NAMES, WINNING, replay=Replay())

REFUSAL = Refusal(
    RACES[0],
    race("!<TianJi> X tian_ji_leads"),
    ("TianJi",),
    (
        Turn(
            RACES[0],
            tuple(
                Reply((None, None, f"run_{horse}"), (None, "run_fast", f"run_{horse}"), turn)
                for turn, horse in enumerate(("fast", "middling", "slow"), start=1)
            ),
        ),
        Turn((-1, 2, False, True, True), over=True),
        Turn((-1, 2, True, False, True), over=True),
        Turn(RACES[1], over=True),
    ),
)
REFUSED = evidence("counterexample", RACE_NAMES, REFUSAL, replay=Replay())

# -- one of every kind, sound or not: only their form matters ---------------------------------------

EVERY_KIND: tuple[Proof, ...] = (
    Fact(START, bits("bit_is_zero")),
    Cited(START, bits("AG bit_is_zero"), "universal; ask it as its own formula"),
    Both(
        START,
        bits("bit_is_zero and !ack_received"),
        Fact(START, bits("bit_is_zero")),
        Fact(START, bits("!ack_received")),
    ),
    Either(START, bits("bit_is_zero or bit_is_one"), Fact(START, bits("bit_is_zero"))),
    NOT_COMMON,
    BLOCKED_FOR_EVER,
    CHAIN,
    Instance(
        START, bits("P(Sender, ack_received)"), TO_ACK, Fact(ACKED, bits("ack_received"))
    ),
    Strategy(
        START,
        bits("<partners> F ack_received"),
        ("Sender", "Receiver"),
        (START, OTHER_BIT),
        (
            Row(("Sender",), ("zero", False), ("send_zero",)),
            Row(("Sender",), ("one", False), ("send_one",)),
            Row(("Receiver",), ("nothing",), ("listen",)),
        ),
        by_observation=True,
        proofs=((ACKED, Cited(ACKED, bits("AG ack_received"), "universal")),),
    ),
    Refusal(
        START,
        bits("!<Sender> F ack_received"),
        ("Sender",),
        (
            Turn(START, (Reply((None, "send_zero", None), LOSE, 0), Reply((None, "rest", None), None, None))),
            Turn(ARRIVED, over=True, proof=Fact(ARRIVED, bits("bit_received"))),
        ),
    ),
    ImperfectInformationRefutation(
        ARRIVED,
        bits("!<Sender> F ack_received"),
        Hop(("Sender",), Run((START,), end=0)),
        Refusal(
            START,
            bits("!<Sender> F ack_received"),
            ("Sender",),
            (Turn(START, (Reply((None, "send_zero", None), LOSE, 0),)),),
        ),
    ),
    UniformRefutation(
        START,
        bits("!<Sender> F ack_received"),
        ("Sender",),
        (Hop(("Sender",), Run((ARRIVED,), end=0)),),
        (
            LostPlay(
                Run((START,), (LOSE,), loop=0), (Row(("Sender",), ("zero", False), ("send_zero",)),)
            ),
            LostPlay(
                Run((ARRIVED,), end=0),
                (Row(("Sender",), ("zero", False), ("rest",)),),
                stops=True,
                proofs=((0, Fact(ARRIVED, bits("!ack_received"))),),
            ),
        ),
    ),
    UniformModelProof(
        START,
        bits("EF ack_received"),
        (
            Row(("Environment",), ("blocked",), ("pass_both",)),
            Row(("Receiver",), ("zero",), ("acknowledge",)),
        ),
        PathProof(START, bits("EF ack_received"), TO_ACK),
    ),
)  # fmt: skip

WHOLE_RUN = CheckResult(
    "bit_transmission.ispl",
    "bdd",
    18,
    (
        result(BITS, 1, "AG (ack_received -> GCK(partners, bit_received))", COMMON),
        result(BITS, 2, "AF bit_received", BLOCKED),
        result(BITS, 3, "AG EF ack_received", None, verdict=True),
    ),
    seconds=0.05,
)
