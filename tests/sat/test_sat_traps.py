"""Bounded checking where it is easily wrong: the traps 3, 5 and 6, deadlocks, loops, what it refuses."""

from __future__ import annotations

import os
import re
import signal
from contextlib import suppress
from itertools import combinations

import pytest
from bounded_systems import answer, asked, judged, line, system_of, verdict

from engines import Asker
from knower.errors import LimitReached, NoInitialState, Unsupported
from knower.execution import Run, Task
from knower.families import generate, instance
from knower.functions.solvers import Solver, is_fit
from knower.limits import Budget
from knower.options import ENCODINGS, DeadlockPolicy, How, Reading, Search
from knower.pool.processes import ForkedWorker
from knower.query.query import queries
from knower.reasons import HasDeadlock, Interrupted, NoCounterexample, NoWitness, Searched, TimeLimit
from knower.report.words import reason_text, warning_text
from knower.sat.solver import USUAL, Clauses
from knower.session import Session
from knower.verdict.evidence import IndistinguishableProof
from knower.verdict.verdict import Verdict
from processes import heeding_interrupts

pytest.importorskip("pysat")

LOOP = Reading(on_deadlock=DeadlockPolicy.LOOP)
FAIL = Reading(on_deadlock=DeadlockPolicy.FAIL)

#: Two initial states with futures of their own, which agree on what Alice sees.
SEEDS = """
Agent Alice Vars: x : boolean; end Vars Actions = { a }; end Agent
Agent Bob Vars: y : boolean; seed : 0..1; end Vars Actions = { b };
  Evolution: y = true if seed = 0; end Evolution
end Agent
Evaluation p if Bob.seed = 1; q if Bob.y = false; end Evaluation
InitStates Alice.x = true and Bob.y = false; end InitStates
"""

#: Only from `on` there is a fair path; p holds at `on` only.
TWO_STARTS = """
Agent Environment Vars: on : boolean; end Vars Actions = { a }; end Agent
Agent Alice Vars: x : boolean; end Vars Actions = { b }; end Agent
Evaluation p if Environment.on = true; end Evaluation
InitStates Alice.x = true; end InitStates
Fairness p; end Fairness
"""


#: Where x is 3 nothing is enabled, and x never becomes 3.
ONLY_UNREACHABLE_DEADLOCKS = """
Agent Environment Vars: x : 0..3; end Vars Actions = { go };
  Protocol: x < 3 : { go }; end Protocol
  Evolution: x = x + 1 if x < 2; end Evolution
end Agent
Agent Alice Vars: y : boolean; end Vars Actions = { a }; end Agent
Evaluation p if Environment.x = 3; end Evaluation
InitStates Environment.x = 0 and Alice.y = true; end InitStates
"""

OVERFLOWING = """
Agent Environment Vars: x : 0..2; end Vars Actions = { up, stay };
  Evolution: x = x + 1 if Action = up; end Evolution
end Agent
Agent Alice Vars: y : boolean; end Vars Actions = { }; end Agent
Evaluation p if Environment.x = 0; end Evaluation
InitStates Environment.x = 0 and Alice.y = true; end InitStates
"""


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_trap_3_a_confused_state_may_be_reached_from_another_seed(encoding):
    # No state of the seed 1 falsifies q; but Alice confuses it with those of the other.
    assert verdict("AG (p -> K(Alice, q))", system_of(SEEDS), encoding=encoding) == "false"
    assert verdict("AG (p -> q)", system_of(SEEDS), encoding=encoding) == "true"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_trap_5_an_initial_state_without_fair_path_does_not_count(encoding):
    system = system_of(TWO_STARTS)
    assert verdict("p", system, encoding=encoding) == "true"
    assert verdict("!p", system, encoding=encoding) == "false"
    assert verdict("AG p", system, encoding=encoding) == "true"
    assert verdict("EX p", system, encoding=encoding) == "true"
    assert verdict("EX !p", system, encoding=encoding) == "false"
    # Nor does a confused state count that has no fair path.
    assert verdict("K(Alice, p)", system, encoding=encoding) == "true"
    assert verdict("K(Alice, !p)", system, encoding=encoding) == "false"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_trap_6_the_end_of_a_short_path_proves_nothing(encoding):
    system = line(3, 0, p=(3,))
    assert verdict("AF p", system, bound=0, encoding=encoding) == "unknown"
    assert verdict("EG !p", system, bound=0, encoding=encoding) == "unknown"
    assert verdict("AG !p", system, bound=2, encoding=encoding) == "unknown"
    assert verdict("AG !p", system, bound=3, encoding=encoding) == "false"
    assert verdict("AF p", system, encoding=encoding) == "true"


def test_infinite_paths_and_deadlocks():
    # 0, 1, 2, and no further: EF follows the steps there are, EG and path formulas go on for ever.
    system = line(2, None, p=(2,), q=(0, 1, 2))
    assert [verdict(text, system) for text in ("EF p", "AG !p", "EX EX p")] == ["true", "false", "true"]
    assert [verdict(text, system) for text in ("EG q", "AF !q", "LTL G !p")] == ["false", "true", "true"]
    assert verdict("LTL false", system) == "true"
    assert [verdict(text, system, LOOP) for text in ("EG q", "AF !q", "LTL G !p")] == [
        "true",
        "false",
        "false",
    ]
    assert verdict("AX AX AX p", system, LOOP) == "true"


def test_a_policy_that_needs_to_know_all_deadlocks():
    assert verdict("AG !p", line(2, 0, p=(2,)), FAIL) == "false"
    system = line(2, None, p=(2,))
    found = answer(system, asked("AG !p", system), FAIL)
    assert found.reason == HasDeadlock()
    assert reason_text(found.reason) == "the model has a deadlock (--on-deadlock fail)"
    # At the bound 1 the deadlock is out of sight, and nothing says that there is none.
    assert verdict("p", system, FAIL, bound=1) == "unsupported"
    # That no step leads to the only deadlock is seen by induction.
    assert verdict("AG !p", system_of(ONLY_UNREACHABLE_DEADLOCKS), FAIL) == "true"


def test_deadlocks_and_overflows_are_reported_with_the_way_there():
    system = line(2, None, p=(2,))
    model = Asker("sat", system)
    model.check(asked("p", system))
    (found,) = model.warnings
    assert warning_text(found) == "deadlock: 2 steps lead to a state without successor"
    assert [state["Environment"]["at"] for state in found.path.states] == [0, 1, 2]
    short = Asker("sat", system, search=Search("sat", 1))
    short.check(asked("p", system))
    assert short.warnings == ()


def test_the_action_that_overflows_is_named():
    system = system_of(OVERFLOWING)
    model = Asker("sat", system)
    model.check(asked("p", system))
    (found,) = model.warnings
    assert warning_text(found) == "overflow: x : 0..2 would become 3 in agent Environment"
    assert [dict(joint) for joint in found.path.actions] == [{"Environment": "up"}] * 3
    assert len(found.path) == 3


@pytest.mark.parametrize(
    "text", ["EF (p and EG q)", "E(q W p)", "E(p R q)", "EX EX EX p", "CDL* E(F p and G F q)"]
)
def test_fair_paths(text):
    system = line(4, 2, fairness="r", p=(3,), q=(0, 1, 2, 3, 4), r=(4,))
    assert verdict(text, system) == "true"


def test_without_fair_path_everything_is_true():
    once = line(4, 2, fairness="r", p=(3,), q=(), r=(0,))
    assert verdict("AG !p", once, bound=5) == "unknown"
    model = Asker("sat", once)
    assert all(model.check(asked(text, once)).verdict.value == "true" for text in ("AG !p", "EX q", "q"))
    assert [warning.code for warning in model.warnings] == ["no-fair-initial-state"]
    never = line(4, 2, fairness="r", p=(3,), r=())
    assert verdict("AG !p", never, bound=1) == "true", "by induction"


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "constraint", ["EX r", "EF (p and EX r)", "M(Watcher, r)", "CTL* E X r", "p and EX r"]
)
def test_fairness_constraints_may_be_existential(constraint, encoding):
    # Places 0 to 4, then 2 again; Watcher confuses 2 and 4.
    system = line(4, 2, fairness=constraint, p=(3,), q=(0, 1, 2, 3, 4), r=(4,))
    assert verdict("AG !p", system, encoding=encoding) == "false"
    assert verdict("EG q", system, encoding=encoding) == "true"


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("constraint", ["AX r", "AF p", "K(Watcher, !s)", "LTL X r", "AF (p and AX r)"])
def test_fairness_constraints_may_be_universal(constraint, encoding):
    # Places 0 to 4, then 2 again; Watcher confuses 2 and 4.
    system = line(4, 2, fairness=constraint, p=(3,), q=(0, 1, 2, 3, 4), r=(4,), s=(1,))
    assert verdict("AG !p", system, encoding=encoding) == "false"
    assert verdict("EG q", system, encoding=encoding) == "true"


@pytest.mark.parametrize("constraint", ["AX s", "AG !r", "K(Watcher, r)"])
def test_universal_constraints_that_no_path_meets(constraint):
    system = line(4, 2, fairness=constraint, p=(3,), r=(4,), s=(1,))
    assert verdict("AG !p", system) == "true"
    assert verdict("AG !p", system, bound=3) == "unknown"


def test_what_is_seen_once_is_not_fair():
    system = line(4, 2, fairness="EX s", p=(3,), s=(1,))
    assert verdict("AG !p", system) == "true"
    assert verdict("AG !p", system, bound=4) == "unknown"


def test_a_program_may_need_several_rounds_of_a_loop():
    # Places 0, then 1, 2, 3 for ever, looked at every five steps: 0, 2, 1, 3, …
    system = line(3, 1, p=(2,), q=(3,))
    fives = "(tt;tt;tt;tt;tt)*"
    assert verdict(f"LDL [{fives}]!p", system, bound=3) == "false"
    assert verdict(f"LDL [{fives}]!q", system, bound=3) == "false"
    assert verdict(f"CDL* E <{fives}>(q and X !p)", system, bound=3) == "true"
    assert verdict("CDL* E [(tt;tt)*]!p", system, bound=9) == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        "LTL G (p -> X q)",
        "LTL X X X (p and X q)",
        "LTL G (q -> X X X p) and F p",
        "CTL* A (!r U p)",
        "LDL [true;true;true]p",
        "LDL [(true;true) + !q]!q",
        "LDL [true*;p]q",
        "CTL* A G (p -> A X q)",
    ],
)
def test_where_longer_paths_cannot_matter(text):
    # 0, 1, 2, 3 for ever.
    system = line(3, 0, p=(3,), q=(0,), r=())
    assert verdict(text, system) == "true"
    assert verdict(text, system, bound=1) == "unknown"
    negated = text.replace("LTL ", "LTL !(").replace("LDL ", "LDL !(").replace("CTL* ", "CTL* !(") + ")"
    assert verdict(negated, system) == "false"


def test_a_star_that_takes_no_step_ends():
    system = line(1, 1, p=(0,), q=(1,))
    assert verdict("LDL <(p?)*>q", system) == "false"
    assert verdict("LDL [(p?)*]p", system) in ("true", "unknown")
    assert verdict("CDL* E [(p?;p?)*;tt]q", system) == "true"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_chains_of_confusions(encoding):
    # x goes from 0 to 5. Alice confuses 0 and 1, 2 and 3, 4 and 5; Bob 1 and 2, 3 and 4.
    system = system_of("""
        Agent Environment Vars: x : 0..5; a : 0..2; b : 0..3; end Vars Actions = { go };
          Evolution:
            x = x + 1 and a = a + 1 if x = 1 or x = 3;
            x = x + 1 and b = b + 1 if x = 0 or x = 2 or x = 4;
          end Evolution
        end Agent
        Agent Alice Lobsvars = { a }; Vars: i : boolean; end Vars Actions = { n }; end Agent
        Agent Bob Lobsvars = { b }; Vars: j : boolean; end Vars Actions = { n }; end Agent
        Evaluation p if Environment.x < 5; q if Environment.x < 2; end Evaluation
        InitStates Environment.x = 0 and Environment.a = 0 and Environment.b = 0
          and Alice.i = true and Bob.j = true; end InitStates
        Groups both = { Alice, Bob }; end Groups
    """)
    assert verdict("GK(both, q)", system, encoding=encoding) == "true"
    assert verdict("GCK(both, p)", system, bound=4, encoding=encoding) == "unknown"
    assert verdict("GCK(both, true)", system, bound=6, encoding=encoding) == "true", "it is an invariant"
    spec = asked("GCK(both, p)", system)
    model = Asker("sat", system, search=Search(encoding=encoding))
    found = model.check(spec).verdict
    (case,) = model.evidence(spec, found).cases
    assert isinstance(case.proof, IndistinguishableProof)
    agents = [hop.agents for hop in case.proof.hops]
    assert agents == [("Alice",), ("Bob",), ("Alice",), ("Bob",), ("Alice",)]
    assert judged(model.evidence(spec, found), spec, found, model) == "ok"


def test_conjunctions_and_disjunctions_of_different_kinds():
    system = line(3, 0, p=(3,), q=(0,))
    assert verdict("AG (p or !p) and EF p", system) == "true"
    assert verdict("AG !p and EF p", system) == "false"
    assert verdict("EF (p and q) or AG (!p or !q)", system) == "true"
    assert verdict("EF (p and q) or AG !p", system) == "false"
    assert verdict("AG EF p and AG !p", system) == "false", "whatever the other is"
    assert verdict("AG EF p and AG true", system) == "unsupported"


def test_an_existential_formula_holds_at_every_initial_state():
    system = line(3, 3, initial="at = 0 or at = 1", p=(1, 3), q=(0,))
    assert verdict("EF p", system) == "true"
    assert verdict("EF q", system) == "false"
    assert verdict("EX p", system) == "false"
    many = line(99, 0, initial="at <= 98", p=(99,))
    assert verdict("EX p or !p", many) == "true"
    assert verdict("EF p", many) == "unknown", "from the first, it takes 99 steps"
    with pytest.raises(NoInitialState):
        line_without_start = line(3, 3, initial="at = 0 and at = 1", p=())
        Asker("sat", line_without_start)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("<Watcher>F p", "<g>F"),
        ("AG EF p", "AG"),
        ("EF K(Watcher, p)", "EF"),
        ("LDLf <tt*>p", "LDLf"),
    ],
)
def test_what_is_not_supported_is_named(text, named):
    system = line(2, 0, p=(2,))
    with pytest.raises(Unsupported, match=re.escape(named)):
        answer(system, asked(text, system))
    how = How(search=Search("sat"))
    task = Task("line", system, queries([asked(text, system)], Reading(), system), how=how)
    (result,) = Run(task, Budget()).result()
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason.instead == ("bdd", "bitset", "explicit")
    assert named in reason_text(result.reason)
    assert reason_text(result.reason).endswith("; the engines bdd, bitset and explicit can")


@pytest.mark.parametrize("constraint", ["AG EF p", "<Watcher>X p", "LTLf F p"])
def test_fairness_constraints_neither_universal_nor_existential(constraint):
    assert verdict("AG p", line(2, 0, fairness=constraint, p=(2,))) == "unsupported"


def test_an_encoding_has_a_name():
    with pytest.raises(ValueError, match="huang, zbrzezny, penczek"):
        Asker("sat", line(2, 0, p=(2,)), search=Search(encoding="clever"))


def test_what_is_unknown_says_how_far_was_looked():
    system = line(9, 0, p=(9,))
    five, one = Search("sat", 5), Search("sat", 1)
    reasons = [answer(system, asked(text, system), search=five).reason for text in ("AG !p", "EF p")]
    assert reasons == [NoCounterexample(5), NoWitness(5)]
    assert reason_text(reasons[0]) == "no counterexample with up to 5 steps"
    assert reason_text(reasons[1]) == "no witness with up to 5 steps"
    reason = answer(system, asked("EF p", system), search=one).reason
    assert reason_text(reason) == "no witness with up to 1 step"


def test_a_limit_of_time_is_kept():
    system = system_of(instance("byzantine-generals", n=12).ispl)
    model = Asker("sat", system, Budget(seconds=1), search=Search(encoding="penczek"))
    with pytest.raises(LimitReached) as limit:
        model.check(system.formulae[1])
    assert limit.value.final
    assert isinstance(limit.value.reason, Searched) and limit.value.reason.reason == TimeLimit(1)
    text = reason_text(limit.value.reason)
    assert re.fullmatch("time limit of 1 s reached, with paths of [0-9]+ steps?", text)


def test_the_solver_is_interrupted():
    """A hole less than pigeons: no solver of this kind can tell soon."""
    holes = range(11)
    clauses = Clauses(Budget(seconds=1))
    pigeons = [clauses.several(len(holes)) for _ in range(len(holes) + 1)]
    for sits in pigeons:
        clauses.add(sits)
    for hole in holes:
        for one, other in combinations(pigeons, 2):
            clauses.add((-one[hole], -other[hole]))
    assert clauses.solve([], conflicts=100) is None
    with pytest.raises(LimitReached):
        clauses.solve([])


def test_a_disjunct_that_is_true_is_enough():
    system = line(2, 0, p=(2,))
    assert verdict("AG true or AG EF p", system) == "true"
    assert verdict("AG p and AG EF p", system) == "false"


def test_without_fair_path_what_is_not_decided_is_true_too():
    never = line(4, 2, fairness="r", p=(3,), r=())
    assert verdict("AG EF p", never) == "true"


def test_a_constraint_that_mixes_is_named_as_such():
    mixed = line(2, 0, fairness="AX EX p", p=(2,))
    with pytest.raises(Unsupported, match=r"in a fairness constraint, .* \(`AX`\) and existential \(`EX`\)"):
        Asker("sat", mixed).check(asked("EF p", mixed))


def test_a_reading_that_does_not_apply_is_told():
    system = line(2, 0, p=(2,))
    model = Asker("sat", system, reading=Reading(finite=True))
    with suppress(Unsupported):
        model.check(asked("CTL* E F p", system))
    assert [warning.code for warning in model.warnings] == ["finite-ignored"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forks")
def test_a_solver_can_be_interrupted(monkeypatch):
    """A question that no slice of conflicts decides, with Ctrl-C as soon as it is asked."""
    assert is_fit(USUAL)
    asked: list[int] = []

    def undecided(*_: object) -> None:
        if not asked:
            asked.append(1)
            os.kill(os.getppid(), signal.SIGINT)

    monkeypatch.setattr(Solver, "_asked", undecided)
    with heeding_interrupts(), Session(start=ForkedWorker) as session:
        result = session.loads(generate("dining-cryptographers", n=3)).check("AF false", method="sat")
    assert result.interrupted
    assert [each.reason for each in result] == [Interrupted()]
    assert reason_text(Interrupted()) == "interrupted"


def test_no_bound_is_too_large_for_missteps():
    system = line(2, 0, p=(2,))
    model = Asker("sat", system, search=Search("sat", 10**12))
    assert model.check(asked("AG (p or !p)", system)).verdict is Verdict.TRUE
    assert model.warnings == ()


def test_states_beyond_the_end_of_a_path_need_not_differ():
    """Four states fill two bits: what tells five places apart must not exclude paths of one step."""
    system = system_of("""
        Semantics = SingleAssignment;
        Agent Environment
          Vars: a : boolean; b : boolean; end Vars
          Actions = { one, two, both, none };
          Protocol: Other : { one, two, both, none }; end Protocol
          Evolution:
            a = ~a if Action = one or Action = both;
            b = ~b if Action = two or Action = both;
          end Evolution
        end Agent
        Evaluation p if Environment.b = true; end Evaluation
        InitStates Environment.a = false and Environment.b = false; end InitStates
    """)
    model = Asker("sat", system, search=Search("sat", 10))
    found = [model.check(asked(text, system)).verdict for text in ("EG false", "O(Environment, !p)")]
    assert found == [Verdict.FALSE, Verdict.FALSE]
