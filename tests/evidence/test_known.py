"""Evidence about models whose best evidence is known: from papers, from their story, or by counting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given

import knower
from knower.cli.main import cli
from knower.evidence.explain import Limits, explained
from knower.families import generate
from knower.logic import formula as f
from knower.logic.language import Specification
from knower.query.setting import Setting
from knower.reasons import TooLarge
from knower.report.words import reason_text
from knower.verdict.evidence import (
    Evidence,
    ImperfectInformationRefutation,
    IndistinguishableProof,
    PathProof,
    Proof,
    Refusal,
    Run,
    State,
    Strategy,
    UniformModelProof,
    everything,
    runs,
)  # fmt: skip
from knower.verdict.verdict import FormulaResult, Verdict
from strategies import cases, modules
from worlds import explored, fair_worlds

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str, formula: str, **options: str) -> FormulaResult:
    return knower.load(EXAMPLES / f"{name}.ispl").check(formula, **options)[0]


def top(result: FormulaResult) -> Proof:
    """The proof of the only case, which the judge has found right."""
    assert result.evidence is not None
    assert result.evidence.replay is not None
    assert result.evidence.replay.status == "ok"
    (case,) = result.evidence.cases
    return case.proof


def parts(result: FormulaResult, kind: type) -> list:
    return [proof for proof in everything(top(result)) if isinstance(proof, kind)]


def test_what_is_asked_for_twice_is_shown_by_one_proof():
    result = example("bit_transmission", "EX EX !ack_received and EX (EX !ack_received)")
    shown = [(proof.state, proof.formula) for proof in everything(top(result))]
    assert len(shown) > 2
    assert len(shown) == len(set(shown))


# -- the faulty train-gate-controller ---------------------------------------------------------------


@pytest.fixture(scope="module")
def trains() -> knower.System:
    return knower.loads(generate("train-gate", n=2, type=2, max=20, depth=10))


#: The longest that is allowed for the five formulas of the source, and how long ours are, in states.
TRAINS = (
    ("AG AF !train1_in_tunnel", 13, 11),
    ("AG (!train1_in_tunnel or !train2_in_tunnel)", 16, 15),
    ("AG (train1_in_tunnel -> K(Train1, !train2_in_tunnel))", 4, 4),
    ("AG K(Train1, !train1_in_tunnel or !train2_in_tunnel)", 4, 4),
    ("AG (train1_in_tunnel -> K(Train1, AX !train2_in_tunnel))", 12, 4),
)


@pytest.mark.parametrize(("formula", "most", "ours"), TRAINS)
def test_counterexamples_for_trains_are_as_short_as_the_known_ones(trains, formula, most, ours):
    """Counted are states, on the path from the start to where the formula below `AG` fails.

    The report (its table 5.5) does not say what it counts. A train needs three steps to the tunnel, and
    its counterexamples for the third formula have length 4 and do not look into `K`: so it is states,
    without those of the confused state.
    """
    result = trains.check(formula)[0]
    assert formula in trains.formulae
    assert result.verdict is Verdict.FALSE
    way = top(result)
    assert isinstance(way, PathProof)
    assert way.run.end == len(way.run.states) - 1
    assert len(way.run.states) == ours <= most


def test_a_stuck_train_stays_for_ever(trains):
    """With the loop in which the train never leaves, the first counterexample has 14 states, 13 steps
    before the one that closes the loop: no lasso of this model has fewer."""
    first, second = (way.run for way in parts(trains.check(TRAINS[0][0])[0], PathProof))
    assert first.goal == second.states[0]
    assert second.loop is not None
    assert len(first.states) + len(second.states) - 1 == 14


# -- Tian Ji ----------------------------------------------------------------------------------------


def test_tian_ji_wins_by_three_rows():
    result = example("tian_ji", "<TianJi>F tian_ji_wins")
    plan = top(result)
    assert isinstance(plan, Strategy)
    assert result.evidence.kind == "strategy"
    assert [row.actions for row in plan.rows] == [("run_slow",), ("run_fast",), ("run_middling",)]


def test_tian_jis_table_is_printed():
    ran = CliRunner().invoke(
        cli, ["check", str(EXAMPLES / "tian_ji.ispl"), "--formula", "<TianJi>F tian_ji_wins"]
    )
    lines = ran.stdout.splitlines()
    start = next(at for at, line in enumerate(lines) if "TianJi does" in line)
    assert [line.split()[-1] for line in lines[start + 1 : start + 3]] == ["run_slow", "run_fast"]
    assert "will do" in lines[start + 3], "what is done in the last race does not matter"


def test_the_king_is_refused():
    refusal = top(example("tian_ji", "<King>F king_wins"))
    assert isinstance(refusal, Refusal)
    assert [turn.replies[0].joint[2] for turn in refusal.turns[:3]] == [
        "run_slow", "run_fast", "run_middling",
    ]  # fmt: skip


# -- shortest paths ---------------------------------------------------------------------------------


def distance(space, through: frozenset[int], goal: frozenset[int]) -> int | None:
    """The steps from an initial state to a goal, with all states before in `through`; by breadth."""
    layer, met, steps = set(space.initial), set(space.initial), 0
    while layer:
        if layer & goal:
            return steps
        layer = {after for number in layer & through for after in space.successors[number]} - met
        met |= layer
        steps += 1
    return None


def found_way(view, asked: f.Formula, verdict: Verdict) -> Run:
    """The path of the only case; of several initial states, that of the nearest."""
    evidence = explained(view, Setting(), asked, verdict, Limits())
    assert isinstance(evidence, Evidence)
    way = evidence.cases[0].proof
    assert isinstance(way, PathProof)
    return way.run


@cases(60)
@given(modules(max_states=40, fairness=False))
def test_paths_are_shortest(module):
    """Of a false formula; a true one is shown for every initial state."""
    model = explored(module)
    space, everywhere = model.space, frozenset(range(len(model.space)))
    holds = {name: fair_worlds(model).states(f.Atom(name)) for name in model.system.propositions}
    for name, goal in holds.items():
        least = distance(space, everywhere, goal)
        never = f.AG(f.Not(f.Atom(name)))
        if least is not None:
            assert found_way(model.view(Specification(never)), never, Verdict.FALSE).steps == least
        for before, through in holds.items():
            least = distance(space, through, goal)
            until = f.Not(f.EU(f.Atom(before), f.Atom(name)))
            if least is not None:
                run = found_way(model.view(Specification(until)), until, Verdict.FALSE)
                assert run.steps == least


@cases(40)
@given(modules(max_states=40, fairness=False))
def test_witnesses_are_shortest(module):
    model = explored(module)
    space, everywhere = model.space, frozenset(range(len(model.space)))
    for name in model.system.propositions if len(space.initial) == 1 else ():
        least = distance(space, everywhere, fair_worlds(model).states(f.Atom(name)))
        asked = f.EF(f.Atom(name))
        if least is not None:
            assert found_way(model.view(Specification(asked)), asked, Verdict.TRUE).steps == least


# -- knowledge and fairness -------------------------------------------------------------------------


def test_common_knowledge_fails_by_a_chain():
    """The sender has the acknowledgement, the receiver does not know that, and the sender not this."""
    result = example("bit_transmission", "AG (ack_received -> GCK(partners, bit_received))")
    (way,), (chain,) = parts(result, PathProof), parts(result, IndistinguishableProof)
    assert way.run.steps == 2
    assert [hop.agents for hop in chain.hops] == [("Receiver",), ("Sender",)]
    assert chain.proof.formula == knower.parse_formula("!bit_received").body


#: The places of `out_open` and `back_open` in a state.
OUT, BACK = 0, 1


@pytest.mark.parametrize(
    "formula", ["EF ack_received", "AX AX ack_received", "EG !ack_received", "EF GCK(partners, bit_received)"]
)
def test_fair_lassos_meet_the_constraints(formula):
    result = example("bit_transmission_fair", formula, evidence="all")
    assert formula != "EG !ack_received" or result.verdict is Verdict.FALSE
    for run in every_run(result):
        assert run.loop is not None
        again = run.states[run.loop :]
        assert any(state[OUT] for state in again)
        assert any(state[BACK] for state in again)


def every_run(result: FormulaResult) -> Iterator[Run]:
    for case in result.evidence.cases if result.evidence else ():
        yield case.run
        for proof in everything(case.proof):
            yield from runs(proof)


def test_a_fair_path_for_ever():
    """The bit may be late, though not for ever: a path that is fair all the same."""
    result = example("bit_transmission_fair", "EG !(out_works and back_works)")
    run = next(run for run in every_run(result) if run.end is None)
    assert not any(state[OUT] and state[BACK] for state in run.states)


# -- uniform play -----------------------------------------------------------------------------------


def test_a_uniform_strategy_is_by_what_is_seen():
    plan = top(example("card_game", "<Player>F shown", atl="uniform"))
    assert isinstance(plan, Strategy)
    assert plan.by_observation
    sights = [row.sees for row in plan.rows]
    assert len(set(sights)) == len(sights) == 4  # before the deal, and one for each card
    assert all(row.agents == ("Player",) for row in plan.rows)


def test_a_uniform_strategy_begins_where_it_looks_alike():
    (plan,) = parts(example("card_game", "EF (dealt and <Player>X shown)", atl="uniform"), Strategy)
    assert len(plan.starts) == 2
    assert len(plan.rows) == 1


def test_a_player_who_does_not_see_enough_is_refused():
    """A draw among those who look alike is not enough: where nobody wins, a look-alike shows it."""
    result = example("tian_ji", "<TianJi>X tian_ji_leads", atl="uniform")
    assert isinstance(top(result), Refusal | ImperfectInformationRefutation)


def test_a_model_in_which_all_play_uniformly():
    play = top(example("card_game", "EF player_wins", atl="uniform-models"))
    assert isinstance(play, UniformModelProof)
    assert len(play.rows) == 3
    assert {row.agents for row in play.rows} == {("Player",)}
    assert isinstance(play.proof, PathProof)
    assert play.proof.run.steps == 2


# -- how much is wanted -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tall() -> knower.System:
    """A counter that starts at the bottom, and a top far away."""
    return knower.loads(
        generate("counter", n=1500).replace("Counter.value = 1500 and", "Counter.value = 2 and")
    )


def test_no_evidence_is_found_if_none_is_wanted(tall):
    result = tall.check("EF max", "EF near_max", evidence="none")
    assert [(one.evidence, one.left_out) for one in result] == [(None, None)] * 2


def test_long_evidence_is_left_out_and_the_reason_told(tall):
    result = tall.check("EF max")[0]
    assert result.evidence is None
    assert isinstance(result.left_out, TooLarge) and result.left_out.optional
    assert "1000 states" in reason_text(result.left_out)
    assert reason_text(result.left_out).endswith("; --evidence all goes further")


def test_all_evidence_is_found_if_wanted(tall):
    result = tall.check("EF max", evidence="all")[0]
    way = top(result)
    assert isinstance(way, PathProof)
    assert way.run.steps == 1498
    assert result.left_out is None


def test_what_is_followed_is_told_by_state():
    result = knower.load(EXAMPLES / "tian_ji.ispl").check("<TianJi>F tian_ji_wins", follow=["tian_ji_leads"])
    (followed,) = result[0].evidence.followed
    plan = top(result[0])
    met: set[State] = {row.sees for row in plan.rows}
    assert followed.text == "tian_ji_leads"
    assert not followed.states & met
