"""`load`, `loads`, `System.check` and their values, on models done by hand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

import knower
from knower import InputError, System, Verdict, check, load, loads, parse_formula
from knower.logic import formula as f
from knower.logic.formula import Group
from knower.logic.language import Language, Specification
from knower.options import AtlReading, DeadlockPolicy
from knower.reasons import HasDeadlock, Interrupted, MemoryLimit, StateLimit, TimeLimit
from knower.report.data import result_data, to_json
from knower.report.words import reason_text, warning_text
from knower.verdict.verdict import CheckResult, FormulaResult
from knower.verdict.warnings import VacuousStrategy

# -- models in a few words ---------------------------------------------------------------------------------


def graph(
    edges: str,
    *,
    start: str = "0",
    fairness: str = "",
    red: str = "",
    formulae: str = "",
    **propositions: str,
) -> System:
    """States 0, 1, … with edges `01 12 22`, where Walker chooses the edge; propositions by their states.

    Walker sees the state, Blind sees nothing. `start` and `red` are sets of states too.
    """
    pairs = [(edge[0], edge[1]) for edge in edges.split()]
    states = sorted({state for pair in pairs for state in pair} | set(start))

    def one_of(chosen: str, name: str = "Walker.at") -> str:
        return " or ".join(f"{name} = {state}" for state in chosen) or "false"

    protocol = [
        f"at = {s} : {{{', '.join(f'to{b}' for a, b in pairs if a == s)}}};"
        for s in states
        if any(a == s for a, _ in pairs)
    ]
    return loads(f"""
Agent Walker
  Vars: at : 0..{max(int(states[-1]), 1)}; end Vars
  RedStates: {one_of(red, "at")}; end RedStates
  Actions = {{{", ".join(f"to{s}" for s in states)}}};
  Protocol: {" ".join(protocol)} Other : {{}}; end Protocol
  Evolution: {" ".join(f"at = {s} if Action = to{s};" for s in states)} end Evolution
end Agent
Agent Blind end Agent
Evaluation {" ".join(f"{name} if {one_of(where)};" for name, where in propositions.items())} end Evaluation
InitStates {one_of(start)}; end InitStates
Groups all = {{Walker, Blind}}; end Groups
Fairness {fairness} end Fairness
Formulae {formulae} end Formulae
""")


def verdicts(system: System, *formulas: str, **options: object) -> list[str]:
    result = system.check(*formulas, **options)  # type: ignore[arg-type]
    return [each.verdict.value for each in result]


def decides(system: System, expected: dict[str, bool], **options: object) -> None:
    """Each formula has the verdict expected of it."""
    found = verdicts(system, *expected, **options)
    assert dict(zip(expected, found, strict=True)) == {
        text: str(answer).lower() for text, answer in expected.items()
    }


def holds(system: System, formula: str, **options: object) -> bool:
    (answer,) = verdicts(system, formula, **options)
    return {"true": True, "false": False}[answer]


def warnings(system: System, *formulas: str, **options: object) -> list[str]:
    """Of the run; what is odd in the text is told by others."""
    found = system.check(*formulas, lint=False, **options).warnings  # type: ignore[arg-type]
    return [warning.code for warning in found]


COUNTER = """
Agent Counter
  Vars: n : 0..4; end Vars
  Actions = {tick, rest};
  Evolution: n = n + 1 if Action = tick and n < 4; end Evolution
end Agent
Evaluation zero if Counter.n = 0; top if Counter.n = 4; end Evaluation
InitStates Counter.n = 0; end InitStates
Formulae EF top; AG (top -> AX top); AF top; end Formulae
"""


# -- loading -----------------------------------------------------------------------------------------------


def test_load_and_loads(tmp_path: Path) -> None:
    file = tmp_path / "counter.ispl"
    file.write_text(COUNTER)
    system = load(file)
    assert system.name == str(file)
    assert repr(system) == f"<System {file}: Counter; 3 formulas>"
    assert load(str(file)) == system
    assert repr(loads(COUNTER)) == "<System <text>: Counter; 3 formulas>"
    assert loads(COUNTER, "counter").name == "counter"


@pytest.mark.parametrize(
    "encoded", [b"\xef\xbb\xbf", "-- Zähler\n".encode(), "-- Zähler\n".encode("latin-1")]
)
def test_files_in_other_encodings(tmp_path: Path, encoded: bytes) -> None:
    file = tmp_path / "counter.ispl"
    file.write_bytes(encoded + COUNTER.encode().replace(b"\n", b"\r\n"))
    assert load(file).check("EF top").holds


def test_what_a_system_tells() -> None:
    system = loads(COUNTER)
    assert system.formulae == ("EF top", "AG (top -> AX top)", "AF top")
    assert system.parse("AG zero;") == Specification(f.AG(f.Atom("zero")))
    assert system.print(system.parse("LTL  G(zero||top)")) == "LTL G (zero or top)"
    assert loads(system.to_ispl()).module == system.module
    assert loads(system.formatted()).module == system.module
    assert [finding.code for finding in system.lint()] == ["L109"]
    assert "Actions" not in repr(system.lint()), "a notebook would show the whole text for each finding"


def test_info() -> None:
    info = graph("01 10", p="0", fairness="p;", formulae="AG p; K(Blind, p);").info
    assert (info.name, info.semantics, info.propositions) == ("<text>", "MultiAssignment", ("p",))
    assert (info.groups, info.fairness, info.potential_states) == ({"all": ("Walker", "Blind")}, 1, 2)
    assert info.formulas == (("AG p", "CTL"), ("K(Blind, p)", "CTLK"))
    walker, blind = info.agents
    assert (walker.name, walker.variables, walker.actions) == ("Walker", ("at : 0..1",), ("to0", "to1"))
    assert (walker.protocol_lines, walker.evolution_lines, walker.observes) == (3, 2, ())
    assert (blind.variables, blind.actions) == ((), ())


def test_the_public_names() -> None:
    for name in knower.__all__:
        assert getattr(knower, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        knower.nothing  # noqa: B018


def test_formulas_on_their_own() -> None:
    assert parse_formula("AG unheard_of") == Specification(f.AG(f.Atom("unheard_of")))
    with pytest.raises(InputError):
        parse_formula("AG (")


# -- checking ----------------------------------------------------------------------------------------------


def test_check_decides_the_formulas_of_the_file() -> None:
    result = loads(COUNTER, "counter").check()
    assert [each.verdict for each in result] == [Verdict.TRUE, Verdict.TRUE, Verdict.FALSE]
    assert result.verdicts == tuple(each.verdict for each in result.formulas)
    assert (len(result), result[0].number, result[-1].text) == (3, 1, "AF top")
    assert (result.model, result.engine, result.states, result.interrupted) == (
        "counter",
        "bitset",
        5,
        False,
    )
    assert not result.holds
    assert result.seconds >= sum(each.seconds for each in result) >= 0
    assert repr(result) == (
        "<CheckResult counter: 5 states, engine bitset\n"
        "  1. EF top: true\n"
        "  2. AG (top -> AX top): true\n"
        "  3. AF top: false>"
    )
    assert repr(result[2]) == "<3. AF top: false>"


def test_check_decides_other_formulas_instead_or_also() -> None:
    system = loads(COUNTER)
    assert [each.text for each in system.check("zero", "EX zero")] == ["zero", "EX zero"]
    assert [each.text for each in system.check("zero", also=["top"])] == ["zero", "top"]
    assert [each.text for each in system.check(also=["zero"])] == [*system.formulae, "zero"]
    assert [each.text for each in system.check("zero", also="top")] == ["zero", "top"]


def test_formulas_may_be_built() -> None:
    system = loads(COUNTER)
    (found,) = system.check(Specification(f.EF(f.Atom("top"))))
    assert (found.text, found.logic, found.verdict) == ("EF top", "CTL", Verdict.TRUE)
    assert found.specification == Specification(f.EF(f.Atom("top")))
    with pytest.raises(InputError) as caught:
        system.check(Specification(f.K("Nobody", f.Atom("nothing"))))
    assert [error.code for error in caught.value.diagnostics] == ["E201", "E501"]
    assert [error.line for error in caught.value.diagnostics] == [None, None]


def test_check_of_a_path(tmp_path: Path) -> None:
    file = tmp_path / "counter.ispl"
    file.write_text(COUNTER)
    assert check(file, "EF top").holds
    assert not check(str(file), "EX zero", "AX zero", on_deadlock="loop").holds


def test_the_logic_of_each_formula() -> None:
    system = loads(COUNTER)
    texts = ["zero", "AF top", "K(Counter, top)", "<Counter>F top", "LTL F top", "CDL* E <tt*>top"]
    assert [each.logic for each in system.check(*texts)] == ["Boolean", "CTL", "CTLK", "ATL", "LTL", "CDL*"]
    (found,) = system.check("CDL* E <tt*>top", finite=True)
    assert (found.logic, found.text) == ("CDLf*", "CDLf* E <true*>top")


def test_unknown_names_are_refused_before_any_work() -> None:
    with pytest.raises(InputError) as caught:
        loads(COUNTER).check("EF topp", max_states=1)
    (error,) = caught.value.diagnostics
    assert (error.code, error.file, error.line, error.column, error.cure) == (
        "E501", "<formula>", 1, 4, "did you mean `top`?",
    )  # fmt: skip


def test_options_by_name_or_by_value() -> None:
    system = loads(COUNTER)
    assert holds(system, "<Counter>F top", atl=AtlReading.UNIFORM, on_deadlock=DeadlockPolicy.LOOP)
    assert holds(system, "<Counter>F top", atl="uniform", on_deadlock="loop", engine="explicit")


# -- results as values -------------------------------------------------------------------------------------


def result_of(*answers: Verdict, interrupted: bool = False) -> CheckResult:
    spec = Specification(f.TRUE)
    results = [FormulaResult(k, "true", spec, "Boolean", v) for k, v in enumerate(answers, start=1)]
    return CheckResult("m", "explicit", 1, tuple(results), interrupted=interrupted)


TRUE, FALSE, UNKNOWN = Verdict.TRUE, Verdict.FALSE, Verdict.UNKNOWN


def test_verdicts_as_booleans() -> None:
    assert Verdict.TRUE
    assert not Verdict.FALSE
    with pytest.raises(ValueError, match="neither true nor false"):
        bool(Verdict.UNKNOWN)
    assert [verdict.value for verdict in Verdict] == ["true", "false", "unknown"]


@pytest.mark.parametrize(
    "answers, status, all_hold",
    [
        ((), 0, True),
        ((TRUE, TRUE), 0, True),
        ((TRUE, FALSE), 1, False),
        ((FALSE, UNKNOWN), 1, False),
        ((TRUE, UNKNOWN), 3, False),
        ((UNKNOWN,), 3, False),
    ],
)
def test_exit_statuses(answers: tuple[Verdict, ...], status: int, all_hold: bool) -> None:
    assert result_of(*answers).exit_status == status
    assert result_of(*answers).holds is all_hold
    assert result_of(*answers, interrupted=True).exit_status == 130


def test_results_are_frozen() -> None:
    with pytest.raises(AttributeError):
        result_of(TRUE).states = 2  # type: ignore[misc]


# -- limits ------------------------------------------------------------------------------------------------


def test_too_many_states_give_unknown() -> None:
    result = loads(COUNTER).check(engine="explicit", max_states=4)
    assert result.states is None
    assert {each.verdict for each in result} == {Verdict.UNKNOWN}
    assert result[0].reason == StateLimit(4)
    assert reason_text(StateLimit(4)) == "more than 4 states (--max-states)"
    assert repr(result[0]) == "<1. EF top: unknown (StateLimit(states=4))>"
    assert repr(result).startswith(
        "<CheckResult <text>: unknown number of states, engine explicit\n  1. EF top: unknown"
    )
    assert result.exit_status == 3
    assert loads(COUNTER).check(engine="explicit", max_states=5).states == 5
    assert loads(COUNTER).check(engine="explicit", max_states=None).states == 5


def test_limits_of_time_and_memory_give_unknown() -> None:
    for option, reason, text in (
        ("time_limit", TimeLimit(0), "time limit of 0 s reached"),
        ("memory_limit", MemoryLimit(0), "memory limit of 0 MB reached"),
    ):
        result = loads(COUNTER).check(**{option: 0})  # type: ignore[arg-type]
        assert {(each.verdict, each.reason) for each in result} == {(Verdict.UNKNOWN, reason)}
        assert reason_text(reason) == text
    assert loads(COUNTER).check("EF top", time_limit=60, memory_limit=100_000).holds


def test_many_initial_states_meet_the_limit_too() -> None:
    wide = COUNTER.replace("n : 0..4", "n : 0..4; m : 0..1000000000000")
    assert verdicts(loads(wide), "zero", engine="explicit", max_states=100) == ["unknown"]
    hard = wide.replace("Counter.n = 0; end InitStates", "Counter.m*Counter.m = 2; end InitStates")
    assert verdicts(loads(hard), "zero", engine="explicit", max_states=100) == ["unknown"]


def test_an_interrupt_ends_the_run_with_what_is_decided() -> None:
    def interrupt(describe: Callable[[], str]) -> None:
        assert describe().startswith("exploring states")
        raise KeyboardInterrupt

    wide = COUNTER.replace("0..4", "0..1000000000").replace("n < 4", "n < 1000000000")
    result = loads(wide).check("EF top", "AF top", engine="explicit", max_states=None, progress=interrupt)
    assert result.interrupted
    assert result.exit_status == 130
    assert [each.reason for each in result] == [Interrupted(), Interrupted()]


def test_no_initial_state_at_all_is_an_error() -> None:
    with pytest.raises(InputError) as caught:
        loads(COUNTER.replace("Counter.n = 0; end Init", "Counter.n = 5; end Init")).check()
    (error,) = caught.value.diagnostics
    assert (error.code, error.message, error.line) == ("E410", "no state satisfies InitStates", 8)


# -- satisfaction ------------------------------------------------------------------------------------------


def test_a_formula_is_true_iff_it_holds_in_every_initial_state() -> None:
    system = graph("00 11", start="01", p="0", q="01")
    decides(system, {"q": True, "p": False, "!p": False, "p or !p": True})


def test_states_are_counted_exactly() -> None:
    """The peer prints 8 for the 5 states of `x : 0..4`."""
    assert loads(COUNTER).check().states == 5
    assert graph("01 12 20", p="0").check("p").states == 3
    assert graph("00 12 21", start="0", p="0").check("p").states == 1
    assert graph("00 12 21", start="02", p="0").check("p").states == 3
    assert graph("00 01 11", p="0", fairness="p;").check("p").states == 2, "fair or not"


def test_constants_unless_evaluation_declares_the_name() -> None:
    plain = graph("00", p="0")
    decides(plain, {"true": True, "tt": True, "false": False, "ff": False, "!false": True})
    named = graph("00 01 11", true="1", tt="1", ff="0", p="0")
    decides(named, {"true": False, "tt": False, "ff": True, "false": False, "EX true": True})


def test_other_spellings_of_connectives() -> None:
    system = graph("00", p="0", q="")
    decides(system, {"p && !q": True, "q || p": True, "q && p || p": True, "p && q -> q": True})
    assert system.print(system.parse("p && q || !p")) == "p and q or !p"


def test_precedence_of_formulas() -> None:
    """Unary operators, `U`, `and`, `or`, `->` (to the right)."""
    parse = graph("00", p="0", q="0", r="0").parse
    for short, full in [
        ("AG p -> q", "(AG p) -> q"),
        ("!p and q", "(!p) and q"),
        ("p or q and r", "p or (q and r)"),
        ("p -> q -> r", "p -> (q -> r)"),
        ("p or q -> r", "(p or q) -> r"),
        ("<all>F p and q", "(<all>F p) and q"),
        ("LTL p U q and r", "LTL (p U q) and r"),
        ("LTL X p U q", "LTL (X p) U q"),
        ("LTL p U q U r", "LTL p U (q U r)"),
        ("LTL p U q R r W p", "LTL p U (q R (r W p))"),
        ("CTL* A (X p and q)", "CTL* A ((X p) and q)"),
    ]:
        assert parse(short) == parse(full)


def test_groups_then_agents() -> None:
    """Group Walker hides agent Walker in `GK` and its kin; `K` takes the agent."""
    system = graph("01 11", p="0")
    decides(system, {"K(Walker, p)": True, "K(Blind, p)": False})
    decides(system, {"GK(Walker, p)": True, "DK(Blind, p)": False, "GK(all, p)": False, "DK(all, p)": True})
    hidden = loads(
        system.to_ispl().replace("all = {Walker, Blind}", "Walker = {Blind}; twice = {Blind, Blind}")
    )
    decides(hidden, {"K(Walker, p)": True, "GK(Walker, p)": False, "DK(Walker, p)": False})
    decides(hidden, {"GK(twice, p or !p)": True, "DK(twice, p)": False, "<Walker>X !p": True})


def test_groups_may_contain_the_environment() -> None:
    system = loads("""
        Agent Environment Vars: x : boolean; end Vars Actions = {on, off};
          Evolution: x = true if Action = on; x = false if Action = off; end Evolution end Agent
        Agent A end Agent
        Evaluation p if Environment.x = true; end Evaluation
        Groups all = {A, Environment}; end Groups""")
    decides(system, {"DK(all, p) or DK(all, !p)": True, "DK(A, p) or DK(A, !p)": False})
    decides(system, {"<all>X p": True, "<A>X p": False, "<Environment>X p": True})


# -- knowledge ---------------------------------------------------------------------------------------------

#: Left sees `a`, Right sees `b`; three of the four states are initial, and nothing moves.
TWO_VIEWS = loads("""
Agent Left Vars: a : 0..1; end Vars end Agent
Agent Right Vars: b : 0..1; end Vars end Agent
Evaluation
  p if Left.a = 0 or Right.b = 0;
  here if Left.a = 0 and Right.b = 0;
  left if Left.a = 0;
  right if Right.b = 0;
end Evaluation
InitStates Left.a = 0 or Right.b = 0; end InitStates
Groups both = {Left, Right}; end Groups
""")


def test_who_knows_what() -> None:
    """`DK`: all members confuse one state with the present; `GCK`: chains of what some member confuses."""
    decides(TWO_VIEWS, {"here -> K(Left, left)": True, "here -> K(Left, here)": False, "K(Left, p)": True})
    decides(TWO_VIEWS, {"here -> GK(both, left)": False, "here -> GK(both, p)": True})
    decides(TWO_VIEWS, {"here -> DK(both, here)": True, "here -> M(Left, !right)": True})
    decides(TWO_VIEWS, {"here -> MDK(both, !here)": False, "here -> MGK(both, !left)": True})
    decides(TWO_VIEWS, {"GCK(both, p)": True, "here -> GCK(both, left)": False})
    decides(TWO_VIEWS, {"!left -> MGCK(both, !right)": True, "!left -> MGK(both, !right)": False})


def test_knowledge_ranges_over_reachable_states() -> None:
    """Nobody considers the fourth state, though all domains allow it."""
    assert TWO_VIEWS.check("p").states == 3
    decides(TWO_VIEWS, {"!left -> K(Left, right)": True, "GCK(both, left or right)": True})


# -- obligation --------------------------------------------------------------------------------------------


def test_obligation_speaks_of_all_green_states_of_s() -> None:
    system = graph("01 11", red="1", p="0", q="1")
    decides(
        system, {"O(Walker, p)": True, "O(Walker, q)": False, "P(Walker, p)": True, "P(Walker, q)": False}
    )
    # Blind is always green
    decides(system, {"O(Blind, p)": False, "P(Blind, q)": True})
    decides(system, {"Walker.GreenStates": True, "AX Walker.RedStates": True, "AG Blind.GreenStates": True})


def test_obligation_does_not_look_at_unreachable_states() -> None:
    system = graph("00 11", red="", p="0")
    assert holds(system, "O(Walker, p)")
    assert not holds(graph("00 01 11", p="0"), "O(Walker, p)")


def test_obligation_does_not_depend_on_the_present_state() -> None:
    system = graph("01 11", red="1", p="0")
    assert holds(system, "AX (!p and O(Walker, p))")


def test_with_no_green_state_everything_is_obligatory_and_nothing_permitted() -> None:
    system = graph("00", red="0", p="0")
    decides(system, {"O(Walker, false)": True, "P(Walker, true)": False})


def test_with_fairness_obligation_ranges_over_fair_states() -> None:
    assert not holds(graph("00 01 11", p="0"), "O(Walker, p)")
    assert holds(graph("00 01 11", p="0", fairness="p;"), "O(Walker, p)")


# -- fairness ----------------------------------------------------------------------------------------------


def test_paths_are_fair_paths() -> None:
    unfair, fair = graph("00 01 10", p="1"), graph("00 01 10", p="1", fairness="p;")
    decides(unfair, {"AF p": False, "EG !p": True, "LTL G F p": False, "A F p": False, "E G !p": True})
    decides(fair, {"AF p": True, "EG !p": False, "LTL G F p": True, "A F p": True, "E G !p": False})


def test_every_constraint_holds_infinitely_often() -> None:
    edges = "00 01 10 02 20"
    assert not holds(graph(edges, p="1", q="2", fairness="p;"), "AF q")
    decides(
        graph(edges, p="1", q="2", fairness="p; q;"), {"AF q": True, "AF p": True, "AG AF (p or q)": True}
    )


def test_steps_lead_to_fair_states() -> None:
    """With fairness, `EX EF EU` range over successors in `S`."""
    system = graph("00 01 11", p="0", q="1", fairness="p;")
    decides(
        system, {"EX q": False, "EF q": False, "E(p U q)": False, "AX p": True, "AG p": True, "EX p": True}
    )
    assert holds(graph("00 01 11", p="0", q="1"), "EX q and EF q and E(p U q)")


def test_knowledge_ranges_over_fair_states() -> None:
    assert not holds(graph("00 01 11", p="0"), "K(Blind, p)")
    system = graph("00 01 11", p="0", fairness="p;")
    decides(system, {"K(Blind, p)": True, "GCK(all, p)": True, "DK(Blind, p)": True, "M(Blind, !p)": False})


def test_constraints_are_any_state_formula_evaluated_without_fairness() -> None:
    """`EX q` holds in 0, although with fairness `p` no fair path goes on to `q`."""
    system = graph("00 01 11", p="0", q="1", fairness="p; EX q;")
    assert holds(system, "AG p")
    assert warnings(system, "AG p") == []
    assert holds(graph("00 01 11", p="0", q="1", fairness="p; !K(Blind, p);"), "AG p")
    assert holds(graph("00 01 11", p="0", q="1", fairness="p; <Walker>X q; Walker.GreenStates;"), "AG p")
    assert holds(graph("00 01 11", p="0", q="1", fairness="p -> q;"), "AF q")


def test_constraints_may_be_path_formulas_with_a_prefix() -> None:
    """`LTL X p` means `A X p`, which holds in 1 only."""
    system = graph("00 01 10", p="0", q="1", fairness="LTL X p;")
    assert holds(system, "AF q")
    assert holds(graph("00 01 10", q="1", fairness="CTL* A X !q;"), "AF q")


def test_constraints_on_finite_traces_are_read_on_finite_traces() -> None:
    """A trace leads from 0 to the dead end 1: `E F q` holds in 0 on finite traces, else nowhere."""
    finite = graph("00 01", p="0", q="1", fairness="CDLf* E F q;")
    assert "no-fair-initial-state" not in warnings(finite, "p")
    decides(finite, {"p": True, "EG p": True, "false": False})
    infinite = graph("00 01", p="0", q="1", fairness="CDL* E F q;")
    assert "no-fair-initial-state" in warnings(infinite, "p")


def test_only_fair_initial_states_count() -> None:
    """Trap 5: two initial states, one with a fair path; p fails only in the other."""
    system = graph("00 11", start="01", p="0", fairness="p;")
    assert holds(system, "p")
    assert system.check("p").states == 2
    assert warnings(system, "p") == []


def test_no_fair_initial_state() -> None:
    system = graph("00 01 11", p="0", fairness="p; !p;")
    decides(system, {"p": True, "!p": True, "false": True, "LTL false": True})
    (warning,) = system.check("p").warnings
    assert warning.code == "no-fair-initial-state"
    assert warning_text(warning) == "no initial state has a fair path: every formula is true"
    assert system.check("p").states == 2


# -- deadlock ----------------------------------------------------------------------------------------------

#: 0 leads to the ring 1 and to the pit 2, which has no successor.
PIT = graph("01 02 11", start_="0", ring="1", pit="2", safe="02")


def test_steps_read_the_transition_relation_as_it_is() -> None:
    decides(PIT, {"EX pit": True, "AX ring": False, "EF pit": True, "AG !pit": False, "E(!ring U pit)": True})
    assert holds(PIT, "EF (pit and AX false and !EX true)")


def test_eg_and_af_speak_of_infinite_paths() -> None:
    decides(
        PIT,
        {
            "EG !pit": True,
            "EG !ring": False,
            "AF ring": True,
            "EF (pit and EG true)": False,
            "EF (pit and AF false)": True,
        },
    )


def test_path_formulas_speak_of_infinite_paths() -> None:
    decides(
        PIT,
        {
            "E F pit": False,
            "A G !pit": True,
            "LTL G !pit": True,
            "A X ring": True,
            "CDL* E <tt>pit": False,
            "LDL <tt>ring": True,
        },
    )


def test_until_by_its_definition() -> None:
    """`A(f U g) = !(E(!g U (!f and !g)) or EG !g)`: a finite way out of `f` counts, a dead end does not."""
    assert not holds(PIT, "A(start_ U ring)")
    assert holds(PIT, "A(safe U ring)")
    assert holds(PIT, "A ((start_ U ring))"), "on infinite paths"
    names = ("start_", "safe", "ring", "pit", "true", "false")
    for hold, goal in product(names, names):
        until, spoilt = f"A({hold} U {goal})", f"(E(!{goal} U (!{hold} and !{goal})) or EG !{goal})"
        assert holds(PIT, f"AG (({until} -> !{spoilt}) and (!{spoilt} -> {until}))")


def test_quantifier_and_operator_apart_or_in_one_word() -> None:
    """`AG`, `EF` are CTL everywhere; `A G`, `E F` are a quantifier and a path operator."""
    decides(
        PIT,
        {"EF pit": True, "E F pit": False, "LTL EF pit": True, "CTL* EF pit": True, "CTL* E F pit": False},
    )
    decides(
        PIT,
        {"CTL* A(start_ U ring)": True, "CTL* AF ring": True, "CTL* AX ring": False, "CTL* A X ring": True},
    )


def test_deadlocks_are_reported_with_the_path() -> None:
    (warning,) = PIT.check("true", lint=False).warnings
    assert (warning.code, warning_text(warning)) == (
        "deadlock",
        "deadlock: 1 step leads to a state without successor",
    )
    assert warning.path is not None
    assert [state["Walker"]["at"] for state in warning.path.states] == [0, 2]
    assert [dict(action) for action in warning.path.actions] == [{"Walker": "to2"}]
    (warning,) = graph("", p="0").check("p", lint=False).warnings
    assert warning_text(warning) == "deadlock: an initial state is without successor"
    assert graph("00", p="0").check("p").warnings == ()


def test_fail_leaves_all_verdicts_unknown() -> None:
    result = PIT.check("true", "EF pit", on_deadlock="fail", lint=False)
    assert {each.verdict for each in result} == {Verdict.UNKNOWN}
    assert result[0].reason == HasDeadlock()
    assert reason_text(HasDeadlock()) == "the model has a deadlock (--on-deadlock fail)"
    assert [warning.code for warning in result.warnings] == ["deadlock"]
    assert result.warnings[0].path is not None
    assert (result.states, result.exit_status) == (3, 3)
    assert holds(graph("00", p="0"), "p", on_deadlock="fail")


def test_loop_gives_dead_ends_a_self_loop() -> None:
    looped = {"on_deadlock": "loop"}
    decides(
        PIT,
        {"AF ring": False, "E F pit": True, "EF EG pit": True, "A(safe U ring)": False, "AG EX true": True},
        **looped,
    )
    assert PIT.check("true", on_deadlock="loop").states == 3
    decides(PIT, {"EF pit": True, "AG !pit": False, "EF (pit and AX pit)": True}, **looped)


def test_the_self_loop_is_there_under_every_joint_action() -> None:
    """So nobody can leave, and everybody can stay."""
    inside = "EF (pit and {})"
    assert holds(PIT, inside.format("<Walker>G pit and <Blind>G pit and <all>X pit"), on_deadlock="loop")
    assert not holds(PIT, inside.format("<Walker>X pit"))
    for atl in AtlReading:
        assert holds(PIT, inside.format("<Walker>X pit"), on_deadlock="loop", atl=atl)


# -- overflow ----------------------------------------------------------------------------------------------


def overflowing(
    evolution: str = "",
    *,
    evaluation: str = "three if A.x = 3;",
    initial: str = "A.x = 2",
    protocol: str = "Other : {go, wait};",
    red: str = "false",
) -> System:
    return loads(f"""
Agent A
  Vars: x : 0..3; end Vars
  RedStates: {red}; end RedStates
  Actions = {{go, wait}};
  Protocol: {protocol} end Protocol
  Evolution: {evolution} end Evolution
end Agent
Evaluation {evaluation} end Evaluation
InitStates {initial}; end InitStates
""")


def test_an_overflow_can_be_a_deadlock() -> None:
    result = overflowing("x = x + 1 if true;").check("EF three", "AF !three")
    assert [each.verdict.value for each in result] == ["true", "true"]
    assert [warning.code for warning in result.warnings] == ["deadlock", "overflow"]
    assert result.states == 2


def test_overflows_are_reported_with_the_path_and_the_action() -> None:
    result = overflowing("x = x + 1 if Action = go;").check("AG EX true")
    assert result.holds, "the agent can wait"
    (warning,) = result.warnings
    assert warning.code == "overflow"
    assert warning_text(warning) == "overflow: x : 0..3 would become 4 in agent A"
    assert warning.path is not None
    assert [state["A"]["x"] for state in warning.path.states] == [2, 3]
    assert [action["A"] for action in warning.path.actions] == ["go", "go"], "the last one leads nowhere"


@pytest.mark.parametrize(
    "section, text",
    [
        ("evolution", "x = 6/(x - 2) if Action = go;"),
        ("evolution", "x = 1 if 6/(x - 2) > 0;"),
        ("protocol", "6/(x - 2) > 0 : {go}; Other : {wait};"),
        ("red", "6/(x - 2) > 0"),
        ("evaluation", "p if 6/(A.x - 2) > 0;"),
        ("initial", "A.x = 2 and !(6/(A.x - 2) > 0)"),
    ],
)
def test_division_by_zero_is_reported_as_overflow(section: str, text: str) -> None:
    (warning,) = overflowing(**{section: text}).check("true").warnings
    assert warning.code == "overflow"
    assert "division by zero" in warning_text(warning)
    assert not warning_text(warning).endswith(" ")


def test_a_guarded_division_by_zero_is_not_reported() -> None:
    """`x != 2` is looked at first, and the division is not reached."""
    assert warnings(overflowing("x = 1 if x != 2 and 6/(x - 2) > 0;"), "true") == []
    assert warnings(overflowing("x = 1 if 6/(x - 2) > 0 and x != 2;"), "true") == ["overflow"]


def test_no_overflow_outside_the_reachable_states() -> None:
    assert warnings(overflowing("x = x + 1 if x < 3;"), "true") == []
    assert warnings(overflowing("x = x + 1 if x > 2;"), "true") == []


def test_paths_of_warnings_can_be_written_as_json() -> None:
    result = overflowing(initial="A.x = 4/2", protocol="x = 1 : {go};").check("true")
    assert '"x": 2' in to_json(result_data(result))


# -- paths without quantifier ------------------------------------------------------------------------------


def test_a_path_formula_alone_speaks_of_all_paths() -> None:
    system = graph("01 02 11 22", p="1", q="2")
    decides(system, {"LTL F p": False, "LTL F (p or q)": True, "LTL !F p": False, "LTL X (p or q)": True})


def test_a_linear_prefix_speaks_of_all_paths_even_without_a_path_operator() -> None:
    """In a deadlock all of no paths satisfy `false`."""
    dead = graph("", p="0")
    decides(dead, {"LTL false": True, "LTL p": True, "LTL F false": True, "CTL* A false": True, "E p": False})


def test_a_path_formula_under_knowledge_speaks_of_all_paths_too() -> None:
    """`LTL K(i, F p)` is `K(i, A F p)`."""
    system = graph("01 02 11 22", p="1", q="2")
    for implicit, explicit in [
        ("LTL K(Walker, F p)", "K(Walker, A F p)"),
        ("LTL F K(Walker, G p)", "A F K(Walker, A G p)"),
        ("LTL K(Walker, X (p or q))", "K(Walker, A X (p or q))"),
        ("LTL !K(Walker, F p)", "!K(Walker, A F p)"),
    ]:
        assert holds(system, implicit) == holds(system, explicit)
    decides(
        system, {"LTL K(Walker, F (p or q))": True, "LTL K(Walker, F p)": False, "LTL M(Walker, F p)": False}
    )


# -- finite traces -----------------------------------------------------------------------------------------

LINE = graph("01 12", a="0", b="1", c="2")


def test_finite_traces_are_all_finite_paths_also_into_dead_ends() -> None:
    decides(
        LINE,
        {
            "CDLf* E <tt;tt>c": True,
            "CDL* E <tt;tt>c": False,
            "CDLf* E <tt;tt;tt>true": False,
            "CDLf* E F c": True,
        },
    )


def test_the_trace_of_one_state_counts() -> None:
    decides(
        LINE,
        {
            "LDLf <tt*>b": False,
            "LDLf <tt*>a": True,
            "LTLf F c": False,
            "LTLf X true": False,
            "LTLf WX b": True,
            "LTLf WX c": False,
        },
    )
    decides(LINE, {"LTLf G (a or b or c)": True, "LTLf G a": False, "LTLf a U b": False, "LTLf a W b": True})


def test_the_finite_option_reads_ldl_and_cdl_star_on_finite_traces() -> None:
    finite = {"finite": True}
    decides(LINE, {"LDL <tt*>b": False, "CDL* E <tt;tt>c": True, "LDLf <tt*>b": False}, **finite)
    decides(LINE, {"LDL <tt*>b": True, "CDL* E <tt;tt>c": False})
    assert warnings(LINE, "LDL <tt*>b", **finite) == ["deadlock"]


def test_the_finite_option_leaves_ltl_ctl_star_and_ctl_alone() -> None:
    texts = ["LTL F false", "CTL* E F c", "A F false", "EF c", "LTL X X X a"]
    assert verdicts(LINE, *texts, finite=True) == verdicts(LINE, *texts)
    assert warnings(LINE, "LTL F false", finite=True) == ["deadlock", "finite-ignored"]
    assert warnings(LINE, "CTL* E F c", finite=True) == ["deadlock", "finite-ignored"]
    assert warnings(LINE, "EF c", "A F false", finite=True) == ["deadlock"]


def test_fairness_is_ignored_on_finite_traces() -> None:
    system = graph("00 01 11", p="0", q="1", fairness="p;")
    decides(system, {"CDLf* E <tt>q": True, "CDL* E <tt>q": False, "EX q": False})
    assert warnings(system, "CDLf* E <tt>q") == ["fairness-ignored"]
    assert warnings(system, "CDL* E <tt>q") == []
    # S is all reachable states
    decides(system, {"LDLf K(Blind, p)": False, "K(Blind, p)": True})
    unfair = graph("00", p="0", fairness="!p;")
    decides(unfair, {"LTLf F !p": False, "AF !p": True})


# -- strategies: objective ---------------------------------------------------------------------------------


def game(
    evolution: str, *, environment: str = "", actions: str = "stay, go", initial: str = "x = 0", **more: str
) -> System:
    """Agents A and B with the same actions; `x` of A is moved by both. B sees nothing."""
    initial = " and ".join(f"A.{part}" for part in initial.split(" and "))
    return loads(f"""
{environment}
Agent A
  Vars: x : 0..3; {more.get("variables", "")} end Vars
  Actions = {{{actions}}};
  Evolution: {evolution} end Evolution
end Agent
Agent B Actions = {{{actions}}}; end Agent
Evaluation {" ".join(f"p{k} if A.x = {k};" for k in range(4))} end Evaluation
InitStates {initial}; end InitStates
Groups both = {{A, B}}; end Groups
Fairness {more.get("fairness", "")} end Fairness
""")


def test_a_coalition_chooses_and_the_others_answer() -> None:
    system = game("x = 1 if x = 0 and Action = go and B.Action = go; x = 2 if x = 0 and Action = stay;")
    decides(
        system,
        {
            "<A>X p1": False,
            "<B>X p1": False,
            "<both>X p1": True,
            "<A>X p2": True,
            "<A>X (p1 or p0)": True,
            "<B>X p0": False,
        },
    )


def test_nondeterminism_of_the_evolution_belongs_to_the_opponents() -> None:
    system = game("x = 1 if Action = go; x = 2 if Action = go;")
    decides(system, {"<both>X p1": False, "<both>X (p1 or p2)": True, "<both>X p0": True})


def test_a_choice_with_no_successor_enforces_nothing() -> None:
    """The peer counts it. In 3 everything overflows; in 0 `go` does."""
    system = game("x = x - 1 if x = 0 and Action = go;")
    decides(system, {"<A>X p0": True, "<A>X p3": False, "<A>X false": False, "<A>X true": True})
    stuck = game("x = x + 1 if x = 3;", initial="x = 3")
    decides(stuck, {"<A>X true": False, "<both>X false": False, "<A>G p3": False, "<A>F p3": True})


def test_a_choice_counts_if_some_answer_leads_into_the_goal_and_none_outside() -> None:
    """B's `stay` blocks A's `go` by an overflow; what is left leads to 1."""
    system = game("x = 1 if Action = go and B.Action = go; x = 9 if Action = go and B.Action = stay;")
    decides(system, {"<A>X p1": True, "<A>F p1": True, "<both>X p1": True})


def test_memoryless_play_for_ever() -> None:
    system = game(
        "x = 1 if x = 0 and Action = go; x = 0 if x = 1 and Action = go; x = 2 if x = 1 and Action = stay;"
    )
    decides(
        system,
        {
            "<A>G (p0 or p1)": True,
            "<A>G !p2": True,
            "<A>F p2": True,
            "<A>(p0 U p1)": True,
            "<A>(p0 U p2)": False,
        },
    )


def test_with_fairness_moves_that_leave_s_are_ignored() -> None:
    """`go` may lead to 1, which is never left and unfair, or to 2: so it enforces 2."""
    steps = "x = 1 if x = 0 and Action = go; x = 2 if x = 0 and Action = go;"
    assert not holds(game(steps), "<A>X p2")
    assert holds(game(steps, fairness="!p1;"), "<A>X p2")


def test_the_whole_state_is_seen() -> None:
    """B must do what A's hidden `h` says."""
    steps = "x = 1 if x = 0 and h = B.Action; x = 2 if x = 0 and h != B.Action;"
    hidden = {"variables": "h : {stay, go};"}
    assert holds(game(steps, **hidden), "<B>X p1")
    decides(game(steps, **hidden), {"<B>X p1": False, "<A>X p1": False, "<both>X p1": False}, atl="uniform")


# -- strategies: uniform -----------------------------------------------------------------------------------


def test_uniform_strategies_have_one_action_per_observation() -> None:
    """A sees `h` and must do as it says; B must not, and cannot."""
    steps = "x = 1 if x = 0 and h = Action; x = 2 if x = 0 and h != Action;"
    system = game(steps, variables="h : {stay, go};")
    decides(system, {"<A>X p1": True, "<A>F p2": True, "<B>X p1": False}, atl="uniform")


def test_uniform_strategies_win_from_every_state_that_some_member_confuses() -> None:
    """A can win where `lucky`, and knows it; together with B, who does not know, it must win everywhere."""
    steps = "x = 1 if x = 0 and Action = go and lucky = true;"
    system = loads(
        game(steps, variables="lucky : boolean;")
        .to_ispl()
        .replace("Evaluation", "Evaluation l if A.lucky = true;", 1)
    )
    decides(system, {"l -> <A>X p1": True, "l -> <both>X p1": False, "l -> <B>X true": True}, atl="uniform")
    decides(system, {"l -> <both>X p1": True})


def test_uniform_actions_must_have_a_successor() -> None:
    system = game("x = x - 1 if x = 0 and Action = go; x = x + 4 if x = 0 and Action = stay;")
    decides(system, {"<A>X true": False, "<A>G p0": False, "<A>F p0": True}, atl="uniform")


def test_goals_that_hold_already_are_won() -> None:
    """The peer's `-atlk 2` forgets them, for F and U."""
    system = game("x = 1 if Action = go; x = 2 if Action = stay;")
    decides(
        system,
        {"<A>F p0": True, "<A>(false U p0)": True, "<A>F p3": False, "<B>F (p0 or p1 or p2)": True},
        atl="uniform",
    )


def test_uniform_strategies_are_memoryless() -> None:
    """B, who sees nothing, would have to `go` first and `stay` then."""
    steps = "x = 1 if x = 0 and {0} = go; x = 2 if x = 1 and {0} = stay; x = 3 if x = 1 and {0} = go;"
    system = game(steps.format("B.Action"))
    decides(system, {"<B>F p2": True, "<B>F p3": True, "<B>F (p2 or p3)": True})
    decides(system, {"<B>F p2": False, "<B>F p1": False}, atl="uniform")
    decides(game(steps.format("Action")), {"<A>F p2": True}, atl="uniform")


# -- strategies: objective-fair ----------------------------------------------------------------------------


def test_only_fair_outcomes_count() -> None:
    """B cannot stay for ever without being unfair; so `x` becomes 1 without A doing anything."""
    steps = "x = 1 if x = 0 and B.Action = go; x = 0 if x = 1 and B.Action = go;"
    fair = {"fairness": "p1;"}
    decides(game(steps, **fair), {"<A>F p1": False}, atl="objective")
    decides(game(steps, **fair), {"<A>F p1": True})
    decides(game(steps, **fair), {"<A>F p1": True}, atl="objective-fair")
    decides(game(steps, **fair), {"<A>G p0": False}, atl="objective-fair")


def test_without_fair_outcomes_a_coalition_wins_vacuously() -> None:
    system = graph("00 01 10", p="1", fairness="p;")
    result = system.check("<Walker>F false", atl="objective-fair")
    assert result.holds
    assert [warning.code for warning in result.warnings] == ["vacuous-strategy"]
    assert "<Walker>" in warning_text(result.warnings[0])
    assert not holds(system, "<Walker>F false", atl="objective")
    result = system.check("<Blind>F p", atl="objective-fair")
    assert result.holds
    assert result.warnings == (), "Blind cannot prevent fair outcomes"


def test_uniform_strategies_win_vacuously_too() -> None:
    """All (fair) outcomes satisfy the goal, as none is left."""
    result = graph("00 01 10", p="1", fairness="p;").check("<Walker>F false", atl="uniform")
    assert result.holds
    assert result.warnings == (VacuousStrategy(Group(("Walker",))),)


# -- strategies: uniform models ----------------------------------------------------------------------------


def test_some_model_in_which_every_agent_plays_one_action_per_observation() -> None:
    system = game("x = 1 if x = 0 and Action = go; x = 2 if x = 0 and Action = stay;")
    decides(system, {"AX p1": False, "AX p2": False, "EX p1 and EX p2": True})
    # each formula may choose its own model
    decides(system, {"AX p1": True, "AX p2": True, "EX p1 and EX p2": False}, atl="uniform-models")


def test_one_model_for_all_initial_states() -> None:
    """B would have to `go` from one initial state and to `stay` from the other."""
    steps = "x = 1 if x = 0 and h = B.Action; x = 2 if x = 0 and h != B.Action;"
    system = game(steps, variables="h : {stay, go};")
    decides(system, {"AX p1": False, "AX (p1 or p2)": True}, atl="uniform-models")
    seen = game(steps.replace("B.Action", "Action"), variables="h : {stay, go};")
    decides(seen, {"AX p1": True}, atl="uniform-models")


WEATHER = "Agent Environment Actions = {rain, shine}; end Agent"


def test_the_environment_counts_as_an_agent() -> None:
    steps = "x = 1 if x = 0 and Environment.Action = rain; x = 2 if x = 0 and Environment.Action = shine;"
    system = game(steps, environment=WEATHER)
    decides(system, {"AX p1": True, "AX p2": True}, atl="uniform-models")
    for group, answer in [("A", "false"), ("both", "false"), ("Environment", "true")]:
        assert verdicts(system, "AX p1", atl="uniform-models", uniform_group=group) == [answer]


def test_knowledge_is_that_of_the_model() -> None:
    system = game("x = 1 if x = 0 and Action = go; x = 2 if x = 0 and Action = stay;")
    decides(system, {"AX K(B, !p2)": False, "AX K(B, !p1)": False})
    decides(system, {"AX K(B, !p2)": True, "AX K(B, !p1)": True}, atl="uniform-models")


def test_strategies_in_a_uniform_model_are_objective() -> None:
    steps = "x = 1 if x = 0 and B.Action = go; x = 2 if x = 0 and B.Action = stay;"
    system = game(steps)
    assert not holds(system, "<A>X p1")
    assert holds(system, "<A>X p1", atl="uniform-models"), "B's play is fixed"
    assert not holds(system, "<A>X p1", atl="uniform-models", uniform_group="A")


def test_uniform_models_may_have_deadlocks_of_their_own() -> None:
    """Nothing is said of it. In the model where A always goes, the only state has no successor, so
    `AX false` holds there; the deadlock is not reported, since the model as a whole has none."""
    system = game("x = x - 1 if x = 0 and Action = go;")
    assert holds(system, "AX false", atl="uniform-models")
    assert not holds(system, "AX false", atl="uniform-models", on_deadlock="loop")
    assert warnings(system, "AX false", atl="uniform-models") == ["overflow", "deadlock"]


def test_a_uniform_model_without_fair_initial_state_satisfies_everything() -> None:
    """By the rule for `no-fair-initial-state`, applied to each model; there is a warning."""
    system = game("x = 1 if Action = go; x = 2 if Action = stay;", fairness="p1;")
    assert holds(system, "false", atl="uniform-models")
    assert warnings(system, "false", atl="uniform-models") == ["no-fair-initial-state"]
    assert not holds(system, "false")


def test_an_empty_group_is_an_error_when_used_also_as_an_option() -> None:
    """A group is looked for first, then an agent."""
    system = loads(game("").to_ispl().replace("both = {A, B}", "A = {}"))
    with pytest.raises(InputError) as caught:
        system.check("DK(A, p0)")
    assert caught.value.diagnostics[0].code == "E409"
    with pytest.raises(InputError) as caught:
        system.check("true", atl="uniform-models", uniform_group="A")
    assert caught.value.diagnostics[0].code == "E604"


# -- LDL ---------------------------------------------------------------------------------------------------


def test_coalitions_and_programs() -> None:
    """`<name>X`, `<name>( … U … )` speak of a coalition iff it is a group or agent and no proposition."""
    system = graph("01 11", p="0", q="1", all="0")
    parse = system.parse
    assert parse("LDL <Walker>X q").body == f.CanX("Walker", f.Atom("q"))
    assert parse("CDL* <Walker>(p U q)").body == f.CanU("Walker", f.Atom("p"), f.Atom("q"))
    assert parse("LDL <p>X q").body == f.Diamond(f.Letter(f.Atom("p")), f.X(f.Atom("q")))
    assert parse("LDL <p>(p U q)").body == f.Diamond(f.Letter(f.Atom("p")), f.U(f.Atom("p"), f.Atom("q")))
    assert parse("LDL <all>q").body == f.Diamond(f.Letter(f.Atom("all")), f.Atom("q"))
    assert parse("<all>X q").body == f.CanX("all", f.Atom("q")), "without a prefix there are no programs"
    for both in ("LDL <all>X q", "LDL <all>(p U q)", "CDL* <all>G q"):
        with pytest.raises(InputError) as caught:
            parse(both)
        assert caught.value.diagnostics[0].code == "E505"


def test_a_prefix_governs_the_whole_formula() -> None:
    system = graph("01 11", p="0", q="1")
    assert system.parse("LTL K(Walker, F p) and G q").language is Language.LTL
    with pytest.raises(InputError):
        system.parse("p and LTL F p")


def test_until_in_ldl() -> None:
    """`f U g = <(f?;tt)*>g`; `<f*>g` only for propositional f."""
    system = graph("01 12 20", p="0", q="1", r="2")
    decides(
        system,
        {
            "LDL <(p?;tt)*>q": True,
            "LDL <p*>q": True,
            "LDL <tt>q": True,
            "LDL [p]q": True,
            "LDL [q]false": True,
            "LDL <q>true": False,
        },
    )
    decides(system, {"LTL (p U q) U r": True, "LDL <((p U q)?;tt)*>r": True, "LDL <(p + q)*>r": True})
