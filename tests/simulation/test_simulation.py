"""Walking through models: what is offered is what the reference semantics has, and nothing is enumerated."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import Asker
from knower import InputError, loads
from knower.errors import NoInitialState, UsageError
from knower.logic import formula as f
from knower.logic.language import Language, Specification
from knower.reasons import TimeLimit
from knower.session import System, load
from knower.simulation.graph import GraphTooLarge, state_graph
from knower.simulation.questions import CannotTell
from knower.simulation.trail import Trail, trail_of
from knower.simulation.walk import Simulation
from knower.system.explicit import Explicit
from knower.verdict.evidence import Case, Evidence, Fact, PathProof, Run, Vocabulary
from knower.verdict.moves import Stance
from sessions import questions

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = ["bit_transmission", "tian_ji", "card_game", "bit_transmission_fair", "muddy_children"]

#: Two ways up, of which one may fail; stuck at the top.
STAIRS = """\
Agent A
  Vars: x : 0..3; end Vars
  Actions = {go, jump};
  Protocol: x < 3 : {go, jump}; end Protocol
  Evolution:
    x = x + 1 if Action = go;
    x = x + 1 if Action = jump;
    x = x + 2 if Action = jump;
  end Evolution
end Agent
Evaluation start if A.x = 0; done if A.x = 3; end Evaluation
InitStates A.x = 0; end InitStates
"""


def example(name: str) -> System:
    return load(EXAMPLES / f"{name}.ispl")


def walk_in(text: str) -> Simulation:
    return Simulation(loads(text).interpreted)


def many_agents(count: int) -> str:
    """Each agent may flip a coin at any time: 2^count initial states, joint actions and successors."""
    agent = """Agent P{0}
      Vars: x : boolean; end Vars
      Actions = {{flip, rest}};
      Evolution: x = true if Action = flip; x = false if Action = flip; end Evolution
    end Agent"""
    return "\n".join(agent.format(number) for number in range(count)) + "\n"


def code(error: pytest.ExceptionInfo[InputError]) -> str:
    return error.value.diagnostics[0].code


# -- what is offered --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_moves_and_successors_are_those_of_the_reference_semantics(name):
    walk = Simulation(example(name).interpreted).random(2, seed=5)
    explicit = walk.explicit
    joints = list(explicit.joint_actions(walk.state))
    moves = list(walk.moves())
    assert [move.action for move in moves] == [explicit.named_action(joint) for joint in joints]
    assert [move.number for move in moves] == list(range(1, len(joints) + 1))
    assert walk.ways == len(joints)
    for move, joint in zip(moves, joints, strict=True):
        assert walk.move(move.number) == move
        after = list(explicit.successors(walk.state, joint))
        assert move.successors == len(after)
        assert [walk.step(move, m).state for m in range(1, len(after) + 1)] == after


@pytest.mark.parametrize("name", SMALL)
def test_random_walks_are_paths(name):
    walk = Simulation(example(name).interpreted).random(30, seed=3)
    explicit = Explicit(walk.system)
    assert walk.states[0] in set(explicit.initial_states())
    for before, joint, after in zip(walk.states, walk.joints, walk.states[1:], strict=False):
        assert joint in set(explicit.joint_actions(before))
        assert after in set(explicit.successors(before, joint))


def test_a_filter_keeps_the_numbers():
    walk = Simulation(example("bit_transmission").interpreted).begin(2)
    assert [move.number for move in walk.moves({"Environment": "block"})] == [4]
    assert len(list(walk.moves())) == 4


def test_conditions_narrow_the_initial_states():
    walk = Simulation(example("bit_transmission").interpreted)
    assert len(walk.initial_states()) == 2
    assert len(walk.initial_states(1)) == 1
    assert len(walk.initial_states(where="Sender.bit = one")) == 1
    assert walk.begin(1, "Sender.bit = one").here["Sender"] == {"bit": "one", "acked": False}
    assert walk.initial_states(where="Sender.acked = true") == ()


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("Sendr.bit = one", "E201"),
        ("bit = one", "E202"),
        ("Sender.bit =", "E103"),
        ("Sender.bit = one)", "E103"),
    ],
)
def test_bad_conditions(condition, found):
    with pytest.raises(InputError) as error:
        Simulation(example("bit_transmission").interpreted).initial_states(where=condition)
    assert code(error) == found


def test_huge_models_are_not_enumerated():
    walk = walk_in(many_agents(80))
    assert len(walk.initial_states(50)) == 50
    walk = walk.random(3, seed=1)
    assert walk.steps == 3
    assert walk.ways == 2**80
    last = walk.move(2**80)
    assert (last.number, last.successors) == (2**80, 1)
    first = walk.move(1)
    assert first.successors == 2**80
    assert walk.step(first, 2**80).steps == 4
    assert len(walk.successors(first, 5)) == 5
    assert next(walk.moves({"P0": "rest"})).number == 2**79 + 1


# -- steps ------------------------------------------------------------------------------------------


def test_a_simulation_never_changes():
    begun = walk_in(STAIRS).begin()
    after = begun.step({"A": "go"})
    assert (begun.steps, after.steps) == (0, 1)
    assert begun.state == after.back().state == (0,)
    assert after.state == (1,)


def test_the_path_is_told_by_name():
    walk = walk_in(STAIRS).begin().step({"A": "go"}).step({"A": "jump"}, 2)
    assert walk.path.states == ({"A": {"x": 0}}, {"A": {"x": 1}}, {"A": {"x": 3}})
    assert walk.path.actions == ({"A": "go"}, {"A": "jump"})
    assert walk.propositions == ("done",)
    assert walk.start().propositions == ("start",)
    assert walk.ways == 0
    assert list(walk.moves()) == []


def test_trouble_is_told():
    walk = walk_in(STAIRS).begin().step(1).step(1)
    move = walk.move(2)
    assert (move.successors, move.trouble) == (1, "x : 0..3 would become 4 in agent A")


@pytest.mark.parametrize(
    ("attempt", "found"),
    [
        (lambda w: Simulation(w.system).state, "E622"),
        (lambda w: w.begin(2), "E623"),
        (lambda w: w.begin(0), "E623"),
        (lambda w: w.begin((3,)), "E623"),
        (lambda w: w.step(3), "E623"),
        (lambda w: w.step(0), "E623"),
        (lambda w: w.step(2, 3), "E623"),
        (lambda w: w.step({"B": "go"}), "E624"),
        (lambda w: w.step({"A": "fly"}), "E624"),
        (lambda w: w.step(2, 2).step(1).step({"A": "go"}), "E624"),
        (lambda w: w.seen_by("B"), "E624"),
        (lambda w: w.step({}), "E625"),
        (lambda w: w.step(2), "E625"),
        (lambda w: w.after(("go",), (3,)), "E626"),
        (lambda w: w.after(("fly",), (1,)), "E626"),
        (lambda w: w.step(2, 2).step(1).step({}), "E626"),
        (lambda w: w.back(), "E627"),
        (lambda w: w.step(1).back(2), "E627"),
    ],
)
def test_what_cannot_be_done(attempt, found):
    with pytest.raises(InputError) as error:
        attempt(walk_in(STAIRS).begin())
    assert code(error) == found


def test_no_initial_state():
    walk = walk_in(STAIRS.replace("InitStates A.x = 0", "InitStates A.x = 0 and A.x = 1"))
    for attempt in (walk.begin, walk.random):
        with pytest.raises(NoInitialState):
            attempt()


def test_the_same_seed_walks_the_same_way():
    walk = Simulation(example("bit_transmission").interpreted)
    assert walk.random(20, seed=7).states == walk.random(20, seed=7).states
    assert len({walk.random(20, seed=seed).states for seed in range(10)}) > 1


def test_a_random_walk_ends_where_nothing_leads_on():
    walk = walk_in(STAIRS).random(10)
    assert walk.state == (3,)
    assert walk.steps < 4


def test_seen_by():
    walk = Simulation(example("tian_ji").interpreted).begin()
    assert walk.seen_by("King") == {"Environment": {"score": 0}, "King": {"race": 1}}
    assert set(walk.seen_by("King", "TianJi")) == {"Environment", "King", "TianJi"}


# -- questions --------------------------------------------------------------------------------------

_FORMULAS = {
    "bit_transmission": ["K(Receiver, bit_is_one)", "AG EF ack_received", "EX K(Sender, bit_received)",
                         "GCK(partners, bit_received)", "<Environment>G !bit_received"],
    "bit_transmission_fair": ["AF ack_received", "M(Sender, bit_received)", "EG !ack_received"],
    "tian_ji": ["<TianJi>F tian_ji_wins", "EF clean_sweep", "K(King, tian_ji_leads)"],
}  # fmt: skip


@pytest.mark.parametrize("name", _FORMULAS)
def test_both_engines_agree_at_every_state(name):
    system = example(name)
    explicit, symbolic = (Asker(engine, system.interpreted) for engine in ("explicit", "bdd"))
    for text in [*_FORMULAS[name], "true"]:
        spec = system.parse(text)
        for state in explicit.space.states:
            assert explicit.holds_at(spec, state) == symbolic.holds_at(spec, state), (text, state)


def test_propositions_need_no_exploration():
    system = loads(many_agents(80) + "Evaluation p if P3.x = true; end Evaluation")
    walk = Simulation(system.interpreted).begin(1)
    asked = questions(system, seconds=0, states=1)
    for text, expected in [("p", False), ("!p and true", True), ("p or P3.GreenStates", True),
                           ("p -> P3.RedStates", True)]:  # fmt: skip
        assert asked.holds(system.parse(text), walk.state) is expected


def test_formulas_of_all_logics():
    system = example("bit_transmission")
    walk = Simulation(system.interpreted).begin().step(1).step(1)
    asked = questions(system)
    for text, expected in [
        ("AG ack_received", True),
        ("LTL G ack_received", True),
        ("LTL X !line_works", False),
        ("CTL* E G line_works", True),
        ("LDL [tt] ack_received", True),
        ("LDLf <tt>tt", False),
        ("K(Sender, K(Receiver, bit_is_zero) or K(Receiver, bit_is_one))", True),
    ]:
        assert asked.holds(system.parse(text), walk.state) is expected, text


def test_stances():
    system = example("bit_transmission")
    walk = Simulation(system.interpreted).begin(2).step(1)
    asked = questions(system)

    def stances(text: str) -> list[Stance]:
        return list(asked.stances(system.parse(text), walk.state).values())

    unsure, sure, opposite = Stance.DOES_NOT_KNOW, Stance.KNOWS, Stance.KNOWS_OPPOSITE
    assert stances("bit_is_one") == [unsure, sure, sure]
    assert stances("bit_is_zero") == [unsure, opposite, opposite]
    assert stances("LTL F ack_received") == [unsure, opposite, unsure]
    assert stances("AG EF ack_received") == [sure, sure, sure]


def test_a_state_without_fair_path():
    """From `done` on nothing is fair: no formula with operators is read there."""
    system = loads(STAIRS + "Fairness start; end Fairness")
    walk = Simulation(system.interpreted).begin()
    with pytest.raises(CannotTell, match="no fair path"):
        questions(system).holds(system.parse("EF done"), walk.state)


def test_limits_of_questions():
    system = loads(many_agents(30) + "Evaluation p if P3.x = true; end Evaluation")
    walk = Simulation(system.interpreted).begin()
    with pytest.raises(CannotTell) as told:
        questions(system, seconds=0).holds(system.parse("EF p"), walk.state)
    assert told.value.reason == TimeLimit(0)


# -- following --------------------------------------------------------------------------------------

_STAIRS_WORDS = Vocabulary(("A",), (("A", "x"),), ((("A", "x"),),))


def evidence(run: Run) -> Evidence:
    """As if of `EF done`."""
    formula = f.EF(f.Atom("done"))
    proof = PathProof(run.states[0], formula, run, ((run.steps, Fact(run.goal, f.Atom("done"))),))
    return Evidence("witness", _STAIRS_WORDS, (Case(Run(run.states[:1]), proof),))


def test_a_trail_is_followed_to_its_end():
    walk = walk_in(STAIRS).begin()
    trail = trail_of(evidence(Run(((0,), (2,), (3,)), (("jump",), ("go",)))), walk)
    there = trail.next(trail.next(walk))
    assert there.state == (3,)
    assert trail.next(there.back()).state == (3,)
    with pytest.raises(InputError, match="ends here"):
        trail.next(there)
    with pytest.raises(InputError, match="is left"):
        trail.next(walk.step(1))


def test_a_trail_goes_round_its_loop():
    walk = Simulation(example("bit_transmission").interpreted).begin()
    closed = walk.step(2).step(1).step(2).step(1)
    trail = Trail(closed.states[:4], closed.joints[:4], loop=2)
    assert closed.states[4] == closed.states[2]
    for step in range(12):
        assert walk.state == trail.states[step if step < 4 else 2 + step % 2]
        walk = trail.next(walk)


def test_evidence_without_path():
    fact = Fact((0,), f.Atom("start"))
    alone = Evidence("witness", _STAIRS_WORDS, (Case(Run(((0,),)), fact),))
    with pytest.raises(InputError) as error:
        trail_of(alone, walk_in(STAIRS))
    assert code(error) == "E628"


def test_a_path_that_is_none_is_not_followed():
    walk = walk_in(STAIRS).begin()
    trail = trail_of(evidence(Run(((0,), (3,)), (("go",),))), walk)
    with pytest.raises(InputError, match="does not lead"):
        trail.next(walk)


# -- the graph --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_the_graph_is_the_reachable_part(name):
    system = example(name).interpreted
    graph = state_graph(system, name)
    space = Asker("explicit", system).space
    assert [node.state for node in graph.nodes] == [space.explicit.named_state(s) for s in space.states]
    assert {(e.source, e.target) for e in graph.edges} == {
        (a, b) for a, after in enumerate(space.successors) for b in after
    }
    assert [node.number for node in graph.nodes if node.initial] == list(space.initial)
    for agent, classes in graph.confused.items():
        assert sorted(n for alike in classes for n in alike) == list(range(len(space)))
        seen = [{space.explicit.sees(agent, space.states[n]) for n in alike} for alike in classes]
        assert all(len(same) == 1 for same in seen)
        assert len({next(iter(same)) for same in seen}) == len(classes)


def test_the_graph_has_limits():
    system = loads(many_agents(20)).interpreted
    with pytest.raises(GraphTooLarge, match="more than 1000 reachable states"):
        state_graph(system)
    still = loads(many_agents(20).replace("if Action = flip", "if x = true and x = false"))
    begun = "InitStates " + " and ".join(f"P{n}.x = true" for n in range(20)) + "; end InitStates"
    with pytest.raises(GraphTooLarge, match="more than 100000 steps"):
        state_graph(loads(still.source.text + begun).interpreted)


def test_the_graph_of_some_agents():
    graph = state_graph(example("tian_ji").interpreted, show=["King"])
    assert graph.nodes[0].state == {"King": {"race": 1}}
    assert graph.edges[0].action == {"King": "run_fast"}
    assert len(graph.nodes) == 12


def test_languages_stay_what_they_are():
    """Knowledge of a claim about finite traces is knowledge of just that claim."""
    system = example("bit_transmission")
    walk = Simulation(system.interpreted).begin()
    spec = system.parse("LDLf [tt] bit_is_zero")
    asked = questions(system)
    assert spec.language is Language.LDLF
    assert asked.holds(spec, walk.state)
    assert asked.stances(spec, walk.state)["Sender"] is Stance.KNOWS
    known = Specification(f.K("Sender", spec.body), Language.LDLF)
    assert asked.holds(known, walk.state)


def test_walks_print_briefly():
    walk = walk_in(STAIRS)
    assert repr(walk) == "<Simulation before the start>"
    assert repr(walk.begin().step(1)) == "<Simulation after 1 step>"


def test_what_agents_know_and_take_for_possible():
    system = example("bit_transmission")
    walk = system.simulate().begin(1)
    assert not walk.knows("Sender", "bit_received")
    assert walk.knows("Sender", "bit_is_zero") and not walk.knows("Receiver", "bit_is_zero")
    assert walk.holds("EF K(Sender, bit_received)") and walk.holds(f.EF(f.Atom("bit_received")))
    mine, theirs = walk.possible("Sender"), walk.possible("Receiver")
    assert walk.here in mine and {each["Sender"]["bit"] for each in mine} == {"zero"}
    assert {each["Sender"]["bit"] for each in theirs} == {"zero", "one"}
    assert walk.possible("Sender", "Receiver") and len(walk.possible("Receiver", most=1)) == 1


def test_without_anybody_who_knows_the_states():
    walk = Simulation(example("bit_transmission").interpreted).begin(1)
    with pytest.raises(UsageError, match="E634"):
        walk.holds("EF bit_received")


# -- initial states that are hard to find ----------------------------------------------------------------


def ten_with_sum(total: int) -> str:
    names = [f"x{k}" for k in range(10)]
    variables = "".join(f"{name} : 0..9; " for name in names)
    both = " + ".join(f"A.{name}" for name in names)
    agent = f"Agent A Vars: {variables} end Vars Actions = {{}}; end Agent"
    return f"{agent} InitStates {both} = {total}; end InitStates"


def test_initial_states_that_a_search_does_not_find_are_known_to_the_oracle() -> None:
    walk = loads(ten_with_sum(90)).simulate()
    assert walk.initial_states() == ((9,) * 10,)
    assert walk.begin().state == (9,) * 10
    assert walk.random().state == (9,) * 10


def test_and_numbered_under_a_condition() -> None:
    walk = loads(ten_with_sum(89)).simulate()
    assert len(walk.initial_states(3)) == 3
    assert walk.begin(1, "A.x4 = 8").state == (9, 9, 9, 9, 8, 9, 9, 9, 9, 9)
    with pytest.raises(UsageError, match=r"no initial state 2 with A\.x4 = 8"):
        walk.begin(2, "A.x4 = 8")
    with pytest.raises(UsageError, match="no initial state 11"):
        walk.begin(11)
    with pytest.raises(NoInitialState):
        loads(ten_with_sum(91)).simulate().begin()


@pytest.mark.parametrize("name", SMALL)
def test_they_are_the_same_whoever_finds_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    walk = example(name).simulate()
    searched = walk.initial_states()
    monkeypatch.setattr("knower.simulation.walk._MOST_STEPS", 0)
    assert walk.initial_states() == searched
    assert walk.begin(len(searched)).state == searched[-1]
