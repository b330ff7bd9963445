"""Whatever reads formulas, programs and proofs knows all of them, and refuses what it does not know.

Each reader is given every class of the closed unions, then classes that are in none of them: an
operator that nobody knows must be refused, and never be answered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias, get_args

import pytest

import knower
from evidence_by_hand import BIT_NAMES, BITS, EVERY_KIND, START, bits, evidence
from functions.spaces import space_of
from knower.checking.evaluate import Evaluator as SymbolicEvaluator
from knower.errors import Unsupported, unsupported
from knower.evidence.judge_form import conforms
from knower.evidence.judge_words import positions_where
from knower.evidence.replay import _rule, replay
from knower.evidence.shape import effort, exposed, is_telling
from knower.evidence.words import accounted_for
from knower.functions.registry import available
from knower.limits import Budget
from knower.logic import formula as f
from knower.logic import rewrite
from knower.logic.fold import subformulas
from knower.logic.formula import Formula, FormulaNode, Part, Program, ProgramNode
from knower.logic.fragment import fragment_of
from knower.logic.language import Language, Specification
from knower.logic.linear import normal, skeleton
from knower.logic.node import Node, node
from knower.logic.polarity import polarity
from knower.logic.rewrite import dynamic, negated, negation_normal_form, quantified
from knower.logic.simplify import simplified
from knower.options import Reading
from knower.query.closing import closed
from knower.records import dataclass
from knower.reference.evaluate import Evaluator
from knower.reference.space import explore
from knower.report.graph import case_graph
from knower.report.proof_data import evidence_data
from knower.report.story import evidence_lines
from knower.report.view import View
from knower.sat.fragment import obstacle, refusal
from knower.sat.programs import track_of
from knower.sat.spans import is_from_start, span
from knower.sat.translate import justifies_fairness
from knower.symbolic.encode import Encoding
from knower.symbolic.exploration import explored
from knower.symbolic.order import arranged
from knower.symbolic.system import TransitionSystem
from knower.symbolic.transition_parts import TransitionParts
from knower.syntax.formulas import parse_formula
from knower.syntax.printing import print_specification
from knower.syntax.tree import Names
from knower.system.explicit import Explicit
from knower.system.lint import _can_stay
from knower.verdict import evidence as proofs
from knower.verdict.evidence import Evidence, Proof, ProofNode, Run, below, everything, runs, states
from knower.verdict.verdict import Verdict

SYSTEM = knower.loads("""
Agent Environment Vars: x : 0..1; end Vars Actions = {};
  Evolution: x = 1 if i.Action = go; x = 0 if i.Action = stay; end Evolution end Agent
Agent i Actions = {go, stay}; end Agent
Evaluation p if Environment.x = 0; q if Environment.x = 1; end Evaluation
InitStates Environment.x = 0; end InitStates
Groups g = {i, Environment}; end Groups
""").interpreted  # fmt: skip
NAMES = Names(frozenset({"i", "Environment"}), frozenset({"g"}), frozenset({"p", "q"}))
P, Q = f.Atom("p"), f.Atom("q")

#: What a reader does when it does not know an operator.
Refused = (AssertionError, KeyError, TypeError, Unsupported)


# -- one of every kind -----------------------------------------------------------------------------


def made(kind: type[Node]) -> Any:
    """A formula or program of that kind: operators of paths and of states alike on propositions."""
    program = issubclass(kind, ProgramNode)
    given = {
        "name": "p", "value": True, "agent": "i", "group": "g", "guard": P, "program": f.Letter(P),
        "sub": f.Letter(P) if program else P, "left": f.Letter(P) if program else P,
        "right": f.Test(Q) if program else Q, "action": "go",
    }  # fmt: skip
    return kind(*(given[name] for name in kind._fields))


def name_of(item: object) -> str:
    return (item if isinstance(item, type) else type(item)).__name__


EVERY_PART: list[Part] = [made(kind) for kind in get_args(Part)]


def leaves(module: object, root: type) -> set[type]:
    """The classes of a module below `root` that have none below them there."""
    found = {c for c in vars(module).values() if isinstance(c, type) and issubclass(c, root)}
    return {c for c in found if not any(c in other.__mro__[1:] for other in found)}


def test_the_unions_hold_all_classes() -> None:
    assert leaves(f, FormulaNode) == set(get_args(Formula))
    assert leaves(f, ProgramNode) == set(get_args(Program))
    assert leaves(proofs, ProofNode) == set(get_args(Proof))
    assert set(get_args(Part)) == set(get_args(Formula)) | set(get_args(Program))


def test_every_operator_that_is_to_have_a_dual_has_one() -> None:
    assert set(rewrite._DUAL) == set(get_args(rewrite._Paired))


# -- and some of no kind -----------------------------------------------------------------------------


@node
class Leaf(FormulaNode):
    pass


@node
class OfStates(f.StateUnary):
    pass


@node
class OfTwoStates(f.StateBinary):
    pass


@node
class OfSomebody(f.OfAgent):
    pass


@node
class OfSomeGroup(f.OfGroup):
    pass


@node
class OfPaths(f.PathUnary):
    pass


@node
class OfTwoPaths(f.PathBinary):
    pass


@node
class OfSteps(ProgramNode):
    guard: Formula


UNKNOWN_STATES = [made(kind) for kind in (Leaf, OfStates, OfTwoStates, OfSomebody, OfSomeGroup)]
UNKNOWN_PATHS = [made(kind) for kind in (OfPaths, OfTwoPaths)]
UNKNOWN_PROGRAMS = [made(OfSteps)]
UNKNOWN = [*UNKNOWN_STATES, *UNKNOWN_PATHS, *UNKNOWN_PROGRAMS]


def on_paths(item: Any) -> Any:
    """A path formula with the part in it."""
    match item:
        case ProgramNode():
            return f.And(f.Diamond(item, Q), f.Box(item, Q))
        case FormulaNode() if item.is_path:
            return item
        case _:
            return f.F(item)


def at_states(item: Any) -> Any:
    """A state formula with the part in it."""
    return item if isinstance(item, FormulaNode) and not item.is_path else f.E(on_paths(item))


def asked(item: Any) -> Specification:
    """In a language that has the part: CTL's until is plain, programs have a prefix."""
    ldl = isinstance(item, ProgramNode | f.Diamond | f.Box)
    return Specification(at_states(item), Language.CDL_STAR if ldl else Language.PLAIN)


# -- readers of formulas -------------------------------------------------------------------------------


def explicit_evaluator() -> Evaluator:
    return Evaluator(explore(Explicit(SYSTEM), Budget()), Budget())


def symbolic_evaluator() -> SymbolicEvaluator[Any]:
    encoding = Encoding(SYSTEM)
    space = space_of((*available(), "oxidd")[0], arranged("replicas", encoding))
    system = TransitionSystem(TransitionParts(encoding, space))
    return SymbolicEvaluator(explored(system, Budget()))


def reprinted(item: Any) -> Specification:
    return parse_formula(print_specification(asked(item)), NAMES).specification


def holds(formula: Any, position: int) -> bool:
    """The value of a state formula on the word `p q q …`."""
    return formula in (P, f.TRUE) if position == 0 else formula in (Q, f.TRUE)


def shown_by_sat(item: Any) -> None:
    """All that bounded checking finds out of a formula it takes for existential."""
    formula = at_states(item)
    if obstacle(formula) is not None:
        raise refusal(formula)
    span(formula)
    is_from_start(formula)
    justifies_fairness(formula)


def refused(found: Formula | None) -> None:
    if found is not None:
        raise unsupported(f"{found!r}")


Reader: TypeAlias = Callable[[Any], object]
READERS: dict[str, Reader] = {
    "polarity": lambda item: polarity(at_states(item)),
    "negation normal form": lambda item: negation_normal_form(at_states(item)),
    "negation normal form on traces": lambda item: negation_normal_form(on_paths(item), finite=True),
    "fragment": lambda item: fragment_of(asked(item)),
    "printing": reprinted,
    "the explicit engine": lambda item: explicit_evaluator().states(closed(asked(item), SYSTEM)),
    "the symbolic engine": lambda item: symbolic_evaluator().states(closed(asked(item), SYSTEM)),
    "bounded checking by SAT": shown_by_sat,
}
#: These read the operator at the top.
TOP_READERS: dict[str, Reader] = {
    "negation": negated,
    "effort": lambda item: effort(exposed(item)),
    "effort of the negation": lambda item: effort(exposed(f.Not(item))),
    "is telling": is_telling,
    "the span of a path": span,
    "paths from the start": is_from_start,
    "fairness": justifies_fairness,
    "obstacle": lambda item: refused(obstacle(item)),
}
#: These read path formulas in negation normal form.
PATH_READERS: dict[str, Reader] = {
    "words": lambda item: accounted_for(on_paths(item), 2, 1, holds),
    "finite words": lambda item: accounted_for(on_paths(item), 2, None, holds),
    "the judge's words": lambda item: positions_where(on_paths(item), 2, 1, holds),
    "the judge's finite words": lambda item: positions_where(on_paths(item), 2, None, holds),
    "spans": lambda item: span(f.E(on_paths(item))),
    "tracks": lambda item: track_of(on_paths(item)),
    "normal form": lambda item: normal(on_paths(item)),
}


@pytest.mark.parametrize("item", EVERY_PART, ids=name_of)
@pytest.mark.parametrize("name", READERS)
def test_every_operator_is_known(name: str, item: Part) -> None:
    try:
        READERS[name](item)
    except Unsupported:
        assert name == "bounded checking by SAT"


@pytest.mark.parametrize("item", EVERY_PART, ids=name_of)
def test_every_operator_comes_back_from_text(item: Part) -> None:
    assert reprinted(item) == asked(item)


@pytest.mark.parametrize("kind", get_args(Formula), ids=name_of)
def test_every_formula_has_a_negation_and_takes_some_effort(kind: type[Node]) -> None:
    formula = made(kind)
    assert negated(formula) != formula
    assert effort(formula) in (0, 1, 2)
    assert is_telling(at_states(formula)) in (True, False)


@pytest.mark.parametrize(
    "item", [made(kind) for kind in get_args(f.PathOperator | f.Does | Program)], ids=name_of
)
@pytest.mark.parametrize("name", PATH_READERS)
def test_every_path_operator_is_known(name: str, item: Part) -> None:
    PATH_READERS[name](item)


@pytest.mark.parametrize("kind", get_args(Program), ids=name_of)
def test_every_program_can_stay_or_not(kind: type[Node]) -> None:
    assert _can_stay(made(kind)) in (True, False)


@pytest.mark.parametrize("item", UNKNOWN, ids=name_of)
@pytest.mark.parametrize("name", READERS)
def test_an_unknown_operator_is_refused(name: str, item: Any) -> None:
    with pytest.raises(Refused):
        READERS[name](item)


@pytest.mark.parametrize("item", UNKNOWN_STATES, ids=name_of)
@pytest.mark.parametrize("name", TOP_READERS)
def test_an_unknown_operator_at_the_top_is_refused(name: str, item: Any) -> None:
    with pytest.raises(Refused):
        TOP_READERS[name](item)


@pytest.mark.parametrize("item", [*UNKNOWN_PATHS, *UNKNOWN_PROGRAMS], ids=name_of)
@pytest.mark.parametrize("name", PATH_READERS)
def test_an_unknown_operator_of_paths_is_refused(name: str, item: Any) -> None:
    with pytest.raises(Refused):
        PATH_READERS[name](item)


@pytest.mark.parametrize("inside", [f.EX, f.EF, f.EG, f.M, f.K], ids=name_of)
@pytest.mark.parametrize("item", UNKNOWN, ids=name_of)
@pytest.mark.parametrize("name", READERS)
def test_no_operator_hides_an_unknown_one(name: str, item: Any, inside: Any) -> None:
    hidden = inside(*("i" for field in inside._fields if field == "agent"), at_states(item))
    with pytest.raises(Refused):
        READERS[name](hidden)


@node
class Doing(FormulaNode):
    """Something that is said of a single step."""

    _speaks_of_paths: ClassVar[bool | None] = True
    is_step: ClassVar[bool] = True


def test_what_is_said_of_steps_is_no_state_formula_and_refused_by_who_does_not_know_it() -> None:
    split = skeleton(f.And(f.F(f.And(P, Doing())), f.X(Q)))
    assert list(split.states.values()) == [P, Q]
    assert {part for part in subformulas(split.body) if isinstance(part, Doing)}
    for read in (explicit_evaluator().states, symbolic_evaluator().states):
        with pytest.raises(Refused):
            read(f.E(f.F(Doing())))


def test_unknown_programs_can_neither_stay_nor_go() -> None:
    with pytest.raises(Refused):
        _can_stay(made(OfSteps))


@pytest.mark.parametrize("item", UNKNOWN, ids=name_of)
def test_rewritings_leave_an_unknown_operator_where_it_is(item: Any) -> None:
    path = on_paths(item)
    rewritten = [dynamic(path), simplified(path, finite=False), quantified(path, linear=True)]
    assert all(any(type(part) is type(item) for part in subformulas(each)) for each in rewritten)


# -- readers of proofs -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rumour(ProofNode):
    """A proof of no known kind."""

    proof: Proof
    run: Run


RUMOUR: Any = Rumour(START, bits("EF bit_received"), EVERY_KIND[0], Run((START,)))
VIEW = View(BIT_NAMES)


def judged(proof: Proof) -> None:
    """Whether the judge takes a proof for one; whether it is right is no matter."""
    found = evidence("witness", BIT_NAMES, proof)
    if not conforms(found, Evidence):
        raise TypeError("not made of the parts its types declare")
    replay(found, Specification(proof.formula), Verdict.TRUE, BITS.interpreted, Reading())


PROOF_READERS: dict[str, Reader] = {
    "below": below,
    "states": lambda proof: list(states(proof)),
    "runs": runs,
    "everything": lambda proof: list(everything(proof)),
    "story": lambda proof: list(evidence_lines(evidence("witness", BIT_NAMES, proof))),
    "graph": lambda proof: case_graph(evidence("witness", BIT_NAMES, proof).cases[0], VIEW),
    "data": lambda proof: evidence_data(evidence("witness", BIT_NAMES, proof)),
    "judge": judged,
}


@pytest.mark.parametrize("proof", EVERY_KIND, ids=name_of)
@pytest.mark.parametrize("name", PROOF_READERS)
def test_every_proof_is_known(name: str, proof: Proof) -> None:
    PROOF_READERS[name](proof)


@pytest.mark.parametrize("name", PROOF_READERS)
def test_an_unknown_proof_is_refused(name: str) -> None:
    with pytest.raises(Refused):
        PROOF_READERS[name](RUMOUR)


def test_an_unknown_proof_is_no_evidence() -> None:
    found = evidence("witness", BIT_NAMES, RUMOUR)
    spec = Specification(RUMOUR.formula)
    assert replay(found, spec, Verdict.TRUE, BITS.interpreted, Reading()).status == "failed"
    with pytest.raises(Refused):
        _rule(None, RUMOUR, True)  # type: ignore[arg-type]
