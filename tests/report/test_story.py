"""Evidence as a story: exact texts, so that what people read is read here first."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

from evidence_by_hand import (
    ACKED,
    ACKNOWLEDGE,
    ARRIVED,
    BIT_NAMES,
    BIT_PROPOSITIONS,
    BLOCKED,
    COMMON,
    EVERY_KIND,
    LOSE,
    RACE_NAMES,
    RACES,
    REFUSED,
    SEND,
    START,
    TIAN_JI,
    TO_ACK,
    bits,
    evidence,
    race,
)  # fmt: skip
from knower.reasons import StateLimit
from knower.report.story import evidence_lines, path_lines
from knower.verdict.evidence import (
    Both,
    Case,
    Cited,
    Either,
    Evidence,
    Fact,
    Followed,
    Hop,
    IndistinguishableProof,
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
    Unreplayed,
)  # fmt: skip
from knower.verdict.trace import Path

KINDS = {type(proof).__name__: proof for proof in EVERY_KIND}


def told(found: Evidence, *, show: tuple[str, ...] = (), whole: bool = False) -> str:
    return dedent("\n".join(evidence_lines(found, BIT_PROPOSITIONS, show=show, whole=whole)))


def story(proof: Proof, names=BIT_NAMES, **options) -> str:
    """The lines after the header and the first state."""
    lines = told(evidence("witness", names, proof), **options).splitlines()[2:]
    return dedent("\n".join(lines))


def text(wanted: str) -> str:
    return dedent(wanted).strip("\n")


def test_lines_are_indented_below_their_formula():
    first, second, *_ = evidence_lines(COMMON)
    assert first == "      counterexample, 2 steps (replayed: ok)"
    assert second.startswith("        at the start: ")


def test_a_path_and_a_chain_of_doubts():
    assert told(COMMON) == text("""
        counterexample, 2 steps (replayed: ok)
          at the start: Environment.line = blocked, Sender.bit = zero, Sender.acked = false, Receiver.received = nothing
            Environment: pass_both, Sender: send_zero, Receiver: listen
          state 1: Environment.line = both, Receiver.received = zero
            Environment: pass_both, Sender: send_zero, Receiver: acknowledge
          state 2: Sender.acked = true
          there: ack_received
          there: MGCK(partners, !bit_received)
            Receiver confuses this state with another one, reached so:
              at the start: Environment.line = blocked, Sender.bit = zero, Sender.acked = false, Receiver.received = nothing
                Environment: pass_both, Sender: send_zero, Receiver: listen
              state 1: Environment.line = both, Receiver.received = zero
              in both, Receiver sees: Receiver.received = zero
            Sender confuses that state with another one, reached so:
              at the start: Environment.line = blocked, Sender.bit = zero, Sender.acked = false, Receiver.received = nothing
              in both, Sender sees: Sender.bit = zero, Sender.acked = false
            there: !bit_received
    """)  # noqa: E501


def test_a_loop():
    assert told(BLOCKED) == text("""
        counterexample, 1 step (replayed: ok)
          at the start: Environment.line = blocked, Sender.bit = zero, Sender.acked = false, Receiver.received = nothing
            Environment: block, Sender: send_zero, Receiver: listen
          these steps repeat for ever; all along: !bit_received
    """)  # noqa: E501


def test_a_loop_that_begins_later():
    run = Run((START, ARRIVED), (SEND, LOSE), loop=1)
    assert story(PathProof(START, bits("EG !ack_received"), run)) == text("""
          Environment: pass_both, Sender: send_zero, Receiver: listen
        state 1: Environment.line = both, Receiver.received = zero
          Environment: block, Sender: send_zero, Receiver: listen
        the steps from state 1 on repeat for ever; all along: !ack_received
    """)


def test_tian_jis_strategy_is_a_table_of_three_rows():
    assert told(TIAN_JI) == text("""
        strategy (replayed: ok)
          at the start: Environment.score = 0, King.race = 1, TianJi.fast = true, TianJi.middling = true, TianJi.slow = true
          strategy of TianJi, by state:
            Environment.score  King.race  TianJi.fast  TianJi.slow  TianJi does
            0                  1          true         true         run_slow
            -1                 2          true         false        run_fast
            0                  3          false        false        run_middling
    """)  # noqa: E501


def test_a_table_of_one_row_keeps_its_columns():
    row = Row(("King", "TianJi"), RACES[2], ("run_slow", "run_middling"))
    strategy = Strategy(RACES[2], race("<rivals> X over"), ("King", "TianJi"), (RACES[2],), (row,))
    assert story(strategy, RACE_NAMES) == text("""
        strategy of King and TianJi, by state:
          Environment.score  King.race  TianJi.fast  TianJi.middling  TianJi.slow  King does  TianJi does
          0                  3          false        true             false        run_slow   run_middling
    """)
    assert story(strategy, RACE_NAMES, show=("King",)) == text("""
        strategy of King and TianJi, by state:
          King.race  King does
          3          run_slow
    """)


def test_rows_that_only_what_is_hidden_tells_apart():
    score, race_number, *horses = RACES[0]
    later, lost = (score, race_number + 1, *horses), (score - 1, race_number + 1, *horses)
    deeds = [(RACES[0], "run_slow"), (later, "run_fast"), (lost, "run_fast")]
    rows = tuple(Row(("TianJi",), state, (deed,)) for state, deed in deeds)
    proof = Cited(lost, race("AG over"), "universal")
    strategy = Strategy(
        RACES[0], race("<TianJi>F over"), ("TianJi",), RACES[:1], rows, False, ((lost, proof),)
    )
    assert story(strategy, RACE_NAMES, show=("TianJi",)) == text("""
        strategy of TianJi, by state:
          TianJi.fast  TianJi.middling  TianJi.slow  TianJi does
          true         true             true         run_slow
          true         true             true         run_fast
          (rows that look the same differ in King.race, not shown)
        where only what is not shown differs: AG over holds (universal)
    """)
    assert "not shown" not in story(strategy, RACE_NAMES)


def test_a_strategy_without_rows():
    done = Strategy(RACES[3], race("<TianJi> F over"), ("TianJi",), (RACES[3],), ())
    assert story(done, RACE_NAMES) == "strategy of TianJi, by state:\n  nothing has to be done"


def test_a_strategy_by_observation_has_a_table_for_each_member():
    assert story(KINDS["Strategy"]) == text("""
        strategy of Sender and Receiver, by what each sees:
          (from 2 states that look alike to a member)
          Sender.bit  Sender does
          zero        send_zero
          one         send_one
          Receiver.received  Receiver does
          nothing            listen
        where Environment.line = both, Sender.acked = true, Receiver.received = zero: AG ack_received holds (universal)
    """)  # noqa: E501


def test_a_refusal_is_a_table_of_turns():
    assert told(REFUSED) == text("""
        counterexample (replayed: ok)
          at the start: Environment.score = 0, King.race = 1, TianJi.fast = true, TianJi.middling = true, TianJi.slow = true
          whatever TianJi does, the others have an answer:
            turn  Environment.score  King.race  TianJi.fast  TianJi.middling  TianJi.slow  TianJi does   the others answer  leads to
            0     0                  1          true         true             true         run_fast      King: run_fast     turn 1
                                                                                           run_middling  King: run_fast     turn 2
                                                                                           run_slow      King: run_fast     turn 3
            1     -1                 2          false        true             true         –             –                  the goal is out of reach
            2     -1                 2          true         false            true         –             –                  the goal is out of reach
            3     -1                 2          true         true             false        –             –                  the goal is out of reach
    """)  # noqa: E501


def test_a_refusal_with_a_choice_that_leads_nowhere_and_a_proof():
    assert story(KINDS["Refusal"]) == text("""
        whatever Sender does, the others have an answer:
          turn  Environment.line  Receiver.received  Sender does  the others answer                     leads to
          0     blocked           nothing            send_zero    Environment: block, Receiver: listen  turn 0
                                                     rest         –                                     nowhere
          1     both              zero               –            –                                     the goal is out of reach
        at turn 1: bit_received
    """)  # noqa: E501


def test_a_coalition_of_several_may_give_its_choices_alone():
    reply = Reply(("send_zero", "listen"), LOSE, 0)
    refusal = Refusal(
        START, bits("!<partners> F ack_received"), ("Sender", "Receiver"), (Turn(START, (reply,)),)
    )
    assert story(refusal) == text("""
        whatever Sender and Receiver do, the others have an answer:
          turn  they do                              the others answer   leads to
          0     Sender: send_zero, Receiver: listen  Environment: block  turn 0
    """)


def test_a_look_alike_in_which_there_is_no_hope():
    assert story(KINDS["ImperfectInformationRefutation"]) == text("""
        Sender confuses this state with another one, reached so:
          at the start: Environment.line = blocked, Sender.bit = zero, Sender.acked = false, Receiver.received = nothing
          in both, Sender sees: Sender.bit = zero, Sender.acked = false
        there, even with full knowledge: !<Sender>F ack_received
          whatever Sender does, the others have an answer:
            turn  Sender does  the others answer                     leads to
            0     send_zero    Environment: block, Receiver: listen  turn 0
    """)  # noqa: E501


def test_plays_that_defeat_every_strategy():
    assert story(KINDS["UniformRefutation"]) == text("""
        every strategy of Sender by what it sees loses:
          whatever Sender does on seeing Sender.bit = zero, Sender.acked = false:
            send_zero: play 1 is lost
            rest: play 2 is lost
        play 1
          from this state:
            Environment: block, Sender: send_zero, Receiver: listen
          these steps repeat for ever
        play 2
          Sender confuses this state with another one, reached so:
            at the start: Environment.line = both, Sender.bit = zero, Sender.acked = false, Receiver.received = zero
            in both, Sender sees: Sender.bit = zero, Sender.acked = false
          there: !ack_received
          there the choices lead nowhere
    """)  # noqa: E501


def test_what_everybody_does():
    assert story(KINDS["UniformModelProof"]) == text("""
        everybody has one action for all that looks the same:
          Environment.line  Environment does
          blocked           pass_both
          Receiver.received  Receiver does
          zero               acknowledge
        in the model where they do just that: EF ack_received
            Environment: pass_both, Sender: send_zero, Receiver: listen
          state 1: Environment.line = both, Receiver.received = zero
            Environment: pass_both, Sender: send_zero, Receiver: acknowledge
          state 2: Sender.acked = true
          there: ack_received
    """)


def test_a_permission():
    assert story(KINDS["Instance"]) == text("""
        a green state of Sender, reached so:
          at the start: Environment.line = blocked, Sender.bit = zero, Sender.acked = false, Receiver.received = nothing
            Environment: pass_both, Sender: send_zero, Receiver: listen
          state 1: Environment.line = both, Receiver.received = zero
            Environment: pass_both, Sender: send_zero, Receiver: acknowledge
          state 2: Sender.acked = true
        there: ack_received
    """)  # noqa: E501


def test_facts_and_citations():
    assert story(KINDS["Fact"]) == "there: bit_is_zero"
    assert story(KINDS["Both"]) == "there: bit_is_zero, !ack_received"
    assert story(KINDS["Either"]) == "there: bit_is_zero"
    assert story(KINDS["Cited"]) == "there: AG bit_is_zero holds (universal; ask it as its own formula)"


def test_proofs_on_the_way_are_indented_below_their_state():
    hoped = PathProof(ARRIVED, bits("EX ack_received"), Run((ARRIVED, ACKED), (ACKNOWLEDGE,), end=1))
    cited = Cited(ACKED, bits("AG ack_received"), "universal")
    way = PathProof(START, bits("E(EX ack_received U AG ack_received)"), TO_ACK, ((1, hoped), (2, cited)))
    assert story(way) == text("""
          Environment: pass_both, Sender: send_zero, Receiver: listen
        state 1: Environment.line = both, Receiver.received = zero
          at state 1: EX ack_received
              Environment: pass_both, Sender: send_zero, Receiver: acknowledge
            state 1: Sender.acked = true
            there: ack_received
          Environment: pass_both, Sender: send_zero, Receiver: acknowledge
        state 2: Sender.acked = true
        there: AG ack_received holds (universal)
    """)


def test_until_says_what_holds_before():
    way = PathProof(START, bits("E(!ack_received U ack_received)"), TO_ACK)
    assert story(way).splitlines()[-2:] == ["until there: !ack_received", "there: ack_received"]
    here = replace(way, run=Run((START,), end=0))
    assert story(here) == "there: ack_received"


def test_release_that_ends():
    way = PathProof(START, bits("E(bit_received R !ack_received)"), Run((START, ARRIVED), (SEND,), end=1))
    assert story(way).splitlines()[-2:] == [
        "until there: !ack_received",
        "there: bit_received, !ack_received",
    ]


def test_a_fair_continuation_is_one_line():
    states = (START, ARRIVED, ACKED, ARRIVED, ACKED)
    lasso = Run(states, (SEND,) * 5, loop=3, end=1)
    endings = {3: "2 steps to a loop of 2 steps", 1: "a loop of 4 steps", 0: "4 steps back to the start"}
    for loop, ending in endings.items():
        way = PathProof(START, bits("EF bit_received"), replace(lasso, loop=loop))
        assert story(way).splitlines()[-2:] == ["there: bit_received", f"and on for ever, fairly: {ending}"]


def test_a_path_goes_on_in_the_proof_at_its_goal():
    loop = Run((ARRIVED, ACKED), (ACKNOWLEDGE, SEND), loop=1, end=1)
    second = PathProof(ARRIVED, bits("EX ack_received"), loop)
    run = Run((START, ARRIVED, ACKED), (SEND, ACKNOWLEDGE, SEND), loop=2, end=1)
    first = PathProof(START, bits("EX EX ack_received"), run, ((1, second),))
    assert told(evidence("witness", BIT_NAMES, first)).splitlines()[0] == "witness, 2 steps"
    assert story(first) == text("""
          Environment: pass_both, Sender: send_zero, Receiver: listen
        state 1: Environment.line = both, Receiver.received = zero
        there: EX ack_received
            Environment: pass_both, Sender: send_zero, Receiver: acknowledge
          state 1: Sender.acked = true
          there: ack_received
          and on for ever, fairly: a loop of 1 step
    """)


def header(proof):
    return told(evidence("witness", BIT_NAMES, proof)).splitlines()[0]


def test_the_header_counts_the_path_and_not_what_branches_off():
    away = PathProof(START, bits("EF ack_received"), Run((START, ARRIVED, ACKED), (SEND, ACKNOWLEDGE), end=2))
    loop = Run((START, START), (LOSE, LOSE), loop=0)
    assert (
        header(PathProof(START, bits("EG EF ack_received"), loop, ((0, away), (1, away))))
        == "witness, 2 steps"
    )
    short = Run((START,), (LOSE,), loop=0)
    assert header(PathProof(START, bits("EG EF ack_received"), short, ((0, away),))) == "witness, 1 step"


def test_two_paths_have_no_length():
    one = PathProof(START, bits("EF bit_received"), Run((START, ARRIVED), (SEND,), end=1))
    two = PathProof(START, bits("EG !ack_received"), Run((START,), (LOSE,), loop=0))
    fact = Fact(START, bits("!ack_received"))
    assert header(Both(START, bits("EF bit_received and EG !ack_received"), one, two)) == "witness"
    assert header(Both(START, bits("EF bit_received and !ack_received"), one, fact)) == "witness, 1 step"
    assert header(Both(START, bits("!ack_received and EF bit_received"), fact, one)) == "witness, 1 step"


def test_a_fair_path_from_the_start():
    case = Case(Run((START,), (LOSE,), loop=0, end=0), Fact(START, bits("bit_is_zero")))
    found = Evidence("witness", BIT_NAMES, (case,))
    assert told(found).splitlines()[2:] == [
        "  and on for ever, fairly: a loop of 1 step",
        "  there: bit_is_zero",
    ]


def test_several_cases_and_remarks():
    facts = [Fact(state, bits("!ack_received")) for state in (START, ARRIVED)]
    replay = Replay((Unreplayed("AG p", "universal"),), ("step 2 is no step",))
    found = evidence("witness", BIT_NAMES, *facts, others=2, replay=replay)
    assert told(found) == text("""
        witness (replay failed)
          initial state 1 of 2
            at the start: Environment.line = blocked, Sender.bit = zero, Sender.acked = false, Receiver.received = nothing
            there: !ack_received
          initial state 2 of 2
            at the start: Environment.line = both, Sender.bit = zero, Sender.acked = false, Receiver.received = zero
            there: !ack_received
          and likewise from 2 more initial states, not shown
          not replayed: AG p: universal
          wrong: step 2 is no step
    """)  # noqa: E501


def test_replay_in_part():
    found = replace(COMMON, replay=Replay((Unreplayed("AG p", StateLimit(3)),)))
    assert told(found).splitlines()[0] == "counterexample, 2 steps (replayed in part)"
    assert told(replace(COMMON, replay=None)).splitlines()[0] == "counterexample, 2 steps"


def test_followed_formulas_stand_after_each_state():
    followed = (
        Followed("bit_received", frozenset({ARRIVED, ACKED})),
        Followed("K(Sender, bit_received)", frozenset({ACKED}), frozenset({ARRIVED})),
    )
    lines = told(replace(COMMON, followed=followed)).splitlines()
    assert lines[1].endswith("Receiver.received = nothing  [bit_received: no, K(Sender, bit_received): no]")
    assert lines[3].endswith(
        "Receiver.received = zero  [bit_received: yes, K(Sender, bit_received): unknown]"
    )
    assert lines[5] == "  state 2: Sender.acked = true  [bit_received: yes, K(Sender, bit_received): yes]"


def test_show_projects_to_some_agents():
    assert "\n".join(told(COMMON, show=("Sender",)).splitlines()[:6]) == text("""
        counterexample, 2 steps (replayed: ok)
          at the start: Sender.bit = zero, Sender.acked = false
            Sender: send_zero
          state 1: nothing of this changes
            Sender: send_zero
          state 2: Sender.acked = true
    """)


def test_agents_that_doubt_together_and_states_that_are_their_own_look_alike():
    fact = Fact(START, bits("!bit_received"))
    hop = Hop(("Sender", "Receiver"), Run((ARRIVED,), end=0))
    doubt = IndistinguishableProof(START, bits("MDK(partners, !bit_received)"), (hop,), fact)
    assert story(doubt).splitlines()[0] == (
        "Sender and Receiver together confuse this state with another one, reached so:"
    )
    same = replace(doubt, hops=(Hop(("Sender",), Run((START,), end=0)),))
    assert story(same) == "Sender holds this state itself possible\nthere: !bit_received"


def test_a_deadlock_that_loops():
    way = PathProof(START, bits("EG !bit_received"), Run((START,), ((),), loop=0))
    assert story(way).splitlines()[0] == "  a deadlock: nothing happens"


def _counting(count: int) -> PathProof:
    """A path on which the score goes up and down."""
    states: tuple[State, ...] = tuple((place % 3, 4, False, False, False) for place in range(count))
    action = ("go_home",) * 3
    return PathProof(states[0], race("EF over"), Run(states, (action,) * (count - 1), end=count - 1))


def test_long_paths_are_told_without_their_middle():
    lines = story(_counting(1000), RACE_NAMES).splitlines()
    fold = lines.index("  … 941 steps …")
    assert lines[fold - 1] == "state 29: Environment.score = 2"
    assert lines[fold + 1] == "state 970: Environment.score = 1"
    assert lines[-2] == "state 999: Environment.score = 0"
    assert len(lines) == 2 * 29 + 2 + 2 * 29 + 1
    whole = story(_counting(1000), RACE_NAMES, whole=True).splitlines()
    assert len(whole) == 2 * 999 + 1
    assert not any("…" in line for line in story(_counting(60), RACE_NAMES).splitlines())


def test_a_loop_that_begins_in_the_middle_is_told_there():
    way = _counting(1000)
    endless = replace(way, formula=race("EG over"), run=replace(way.run, end=None, loop=500))
    endless = replace(endless, run=replace(endless.run, actions=(*way.run.actions, way.run.actions[0])))
    lines = story(endless, RACE_NAMES).splitlines()
    assert lines[lines.index("  … 471 steps …") + 1] == "state 500: nothing changes"
    assert lines[-1] == "the steps from state 500 on repeat for ever; all along: over"


def test_long_tables_are_told_without_their_end():
    rows = tuple(Row(("TianJi",), (place, 1, True, True, True), ("run_slow",)) for place in range(100))
    strategy = Strategy(rows[0].sees, race("<TianJi> F over"), ("TianJi",), (rows[0].sees,), rows)
    lines = story(strategy, RACE_NAMES).splitlines()
    assert len(lines) == 2 + 60 + 1
    assert lines[-1] == "  … 40 more rows …"
    assert len(story(strategy, RACE_NAMES, whole=True).splitlines()) == 102


def test_constants_hidden_by_propositions_are_printed_otherwise():
    (line,) = [
        line
        for line in evidence_lines(
            evidence("witness", BIT_NAMES, Fact(START, bits("true or ack_received"))), frozenset({"true"})
        )
        if "there" in line
    ]
    assert line.strip() == "there: tt or ack_received"


def test_a_disjunction_of_paths_is_told_like_the_path():
    way = PathProof(START, bits("EF ack_received"), TO_ACK)
    either = Either(START, bits("EF ack_received or AG bit_is_one"), way)
    assert told(evidence("witness", BIT_NAMES, either)) == told(evidence("witness", BIT_NAMES, way))


def test_two_claims_at_the_start():
    way = PathProof(START, bits("EX bit_received"), Run((START, ARRIVED), (SEND,), end=1))
    both = Both(START, bits("bit_is_zero and EX bit_received"), Fact(START, bits("bit_is_zero")), way)
    assert story(both) == text("""
        there: bit_is_zero
        there: EX bit_received
            Environment: pass_both, Sender: send_zero, Receiver: listen
          state 1: Environment.line = both, Receiver.received = zero
          there: bit_received
    """)


def test_paths_of_warnings():
    states = ({"A": {"x": 0, "on": True}}, {"A": {"x": 0, "on": True}}, {"A": {"x": 1, "on": True}})
    path = Path(states, ({"A": "wait"}, {}, {"A": "go"}))
    assert list(path_lines(path)) == [
        "    state 0: A.x = 0, A.on = true",
        "      A: wait",
        "    state 1: nothing changes",
        "      a step",
        "    state 2: A.x = 1",
        "      A: go",
        "      leads nowhere",
    ]
