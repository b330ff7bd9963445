"""The laws of nodes: equality, hashing, pickling, traversal, sharing; which formulas speak of paths."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import FrozenInstanceError
from itertools import cycle, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from knower.logic import formula as f
from knower.logic.fold import atoms, depth, fold, rewrite, shared, subformulas
from knower.logic.formula import Formula, Program
from knower.logic.kinds import is_propositional
from knower.logic.language import Language, Specification
from knower.logic.node import Node
from knower.system.expressions import Compare, Literal
from strategies import cases, raw_specifications


def formulas(depth: int = 4) -> SearchStrategy[Formula]:
    """Formulas of all operators."""
    plain = raw_specifications(Language.PLAIN, depth)
    return st.one_of(plain, raw_specifications(Language.LDLF, depth)).map(lambda spec: spec.body)


def copied(formula: Formula) -> Formula:
    """An equal formula that shares no node; what `repr` writes can be evaluated."""
    made = eval(repr(formula), dict(vars(f)))
    assert isinstance(made, Formula)
    return made


def renamed(formula: Formula, old: str, new: str) -> Formula:
    """The formula with a proposition of another name."""
    return rewrite(formula, lambda node: f.Atom(new) if node == f.Atom(old) else node)


def operators(root: type[Node]) -> set[type[Node]]:
    """The classes below `root` that have none below them."""
    below = {c for c in vars(f).values() if isinstance(c, type) and issubclass(c, root)}
    return {c for c in below if not any(c in other.__mro__[1:] for other in below)}


# -- equality ------------------------------------------------------------------------------------


@cases(300)
@given(formulas())
def test_a_formula_is_what_its_repr_says(formula: Formula) -> None:
    again = copied(formula)
    assert again == formula
    assert hash(again) == hash(formula)
    assert again.is_path == formula.is_path


@cases(300)
@given(formulas(2), formulas(2))
def test_formulas_are_equal_iff_their_reprs_are(left: Formula, right: Formula) -> None:
    for a, b in product(subformulas(left), subformulas(right)):
        assert (a == b) == (repr(a) == repr(b))
        assert (a != b) == (repr(a) != repr(b))


@cases(100)
@given(formulas(2))
def test_one_changed_name_makes_a_difference(formula: Formula) -> None:
    for name in atoms(formula):
        other = renamed(formula, name, "new")
        assert other != formula
        assert atoms(other) == (atoms(formula) - {name}) | {"new"}


def test_operators_are_told_apart() -> None:
    p, q = f.Atom("p"), f.Atom("q")
    twins = [
        f.And(p, q),
        f.And(q, p),
        f.Or(p, q),
        f.U(p, q),
        f.AU(p, q),
        f.K("p", q),
        f.GK("p", q),
        f.Atom("q"),
    ]
    assert len(set(twins)) == len(twins)
    assert f.Atom("p") != "p"
    assert f.Letter(p) != f.Test(p)
    assert f.TRUE != f.FALSE


@cases(100)
@given(formulas())
def test_formulas_survive_pickling(formula: Formula) -> None:
    assert pickle.loads(pickle.dumps(formula)) == formula
    spec = Specification(formula, Language.LDLF)
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_pickling_keeps_sharing() -> None:
    p = f.Atom("p")
    loaded = pickle.loads(pickle.dumps(f.And(p, p)))
    assert loaded.left is loaded.right


def test_formulas_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        f.Atom("p").name = "q"  # type: ignore[misc]


# -- children --------------------------------------------------------------------------------------


@cases(100)
@given(formulas())
def test_nodes_are_made_of_labels_and_children(formula: Formula) -> None:
    for node in subformulas(formula):
        assert node.with_children(node.children) == node
        values = [getattr(node, name) for name in node._fields]
        assert [v for v in values if isinstance(v, Node)] == list(node.children)
        assert [v for v in values if not isinstance(v, Node)] == list(node.labels)


@cases(100)
@given(formulas(), formulas(1))
def test_with_children_puts_others_in_their_place(formula: Formula, other: Formula) -> None:
    others = tuple(other if isinstance(child, Formula) else child for child in formula.children)
    made = formula.with_children(others)
    assert type(made) is type(formula)
    assert made.labels == formula.labels
    assert made.children == others


# -- traversal ---------------------------------------------------------------------------------------


@cases(100)
@given(formulas())
def test_fold_visits_each_node_once_and_children_first(formula: Formula) -> None:
    visits: Counter[int] = Counter()

    def step(node: Node, below: tuple[Node, ...]) -> Node:
        assert all(given is child for given, child in zip(below, node.children, strict=True))
        assert all(visits[id(child)] == 1 for child in node.children)
        visits[id(node)] += 1
        return node

    assert fold(formula, step) is formula
    assert visits == {id(node): 1 for node in subformulas(formula)}


def test_fold_is_linear_in_the_objects() -> None:
    """Sixty doublings have 2^60 paths and sixty-one objects."""
    formula: Formula = f.Atom("p")
    for _ in range(60):
        formula = f.And(formula, formula)
    assert depth(formula) == 61
    assert len(list(subformulas(formula))) == 61
    assert fold(formula, lambda _, below: 1 + sum(below)) == 2**61 - 1
    assert pickle.loads(pickle.dumps(formula)) == formula


@cases(100)
@given(formulas())
@example(f.And(f.TRUE, f.Not(f.TRUE)))  # one object in two places
def test_every_node_comes_once_after_an_operator_it_stands_under(formula: Formula) -> None:
    nodes = list(subformulas(formula))
    assert nodes[0] is formula
    assert len({id(node) for node in nodes}) == len(nodes)
    seen = {id(formula)}
    for node in nodes:
        assert id(node) in seen
        seen |= {id(child) for child in node.children}


@cases(100)
@given(formulas())
def test_shared_makes_equal_nodes_identical(formula: Formula) -> None:
    doubled = f.And(formula, copied(formula))
    made = shared(doubled)
    assert made == doubled
    assert made.left is made.right
    nodes = list(subformulas(made))
    assert len({repr(node) for node in nodes}) == len(nodes)


@cases(100)
@given(formulas())
def test_rewriting_shares_what_it_leaves_alone(formula: Formula) -> None:
    assert rewrite(formula, lambda node: node) is formula
    names = sorted(atoms(formula))
    if not names:
        return
    made = renamed(formula, names[0], "new")
    assert type(made) is type(formula)
    kept = {id(node) for node in subformulas(made)}
    untouched = [node for node in subformulas(formula) if names[0] not in atoms(node)]
    assert all(id(node) in kept for node in untouched)


@cases(100)
@given(formulas())
def test_depth_and_atoms(formula: Formula) -> None:
    assert depth(formula) == 1 + max((depth(child) for child in formula.children), default=0)
    below = frozenset(name for child in formula.children for name in atoms(child))
    assert atoms(formula) == (frozenset({formula.name}) if isinstance(formula, f.Atom) else below)


# -- which formulas speak of paths -------------------------------------------------------------------

STATE, PATH = f.Atom("p"), f.F(f.Atom("p"))
LEAVES: list[Formula] = [f.Atom("p"), f.TRUE, f.Green("i"), f.Red("i")]
BOOLEAN: set[type[Node]] = {f.Not, f.And, f.Or, f.Implies}
PATH_OPERATORS: set[type[Node]] = {f.X, f.WX, f.F, f.G, f.U, f.W, f.R, f.Diamond, f.Box}
#: Who does what is said of a step.
STATE_OPERATORS = operators(Formula) - PATH_OPERATORS - BOOLEAN - {type(leaf) for leaf in LEAVES} - {f.Does}


def applied(operator: type[Node], *operands: Formula) -> Formula:
    """The operator on operands, which are taken in turn."""
    fixed: dict[str, object] = {"program": f.Letter(STATE), "agent": "i", "group": "g"}
    turn = cycle(operands)
    made = operator(*[fixed[name] if name in fixed else next(turn) for name in operator._fields])
    assert isinstance(made, Formula)
    return made


def by_name(operator: object) -> str:
    return getattr(operator, "__name__", "")


def test_every_operator_is_of_one_kind() -> None:
    # CTL, its untils, of agents, of groups, of coalitions, A and E
    assert len(STATE_OPERATORS) == 6 + 6 + 4 + 6 + 4 + 2
    assert operators(Program) == {f.Letter, f.Test, f.Choice, f.Seq, f.Star}
    assert not any(leaf.is_path for leaf in LEAVES)


@pytest.mark.parametrize("operator", sorted(PATH_OPERATORS, key=by_name), ids=by_name)
def test_path_operators_speak_of_paths(operator: type[Node]) -> None:
    assert applied(operator, STATE).is_path
    assert applied(operator, PATH).is_path


@pytest.mark.parametrize("operator", sorted(STATE_OPERATORS, key=by_name), ids=by_name)
def test_state_operators_make_state_formulas(operator: type[Node]) -> None:
    assert not applied(operator, STATE).is_path
    assert not applied(operator, PATH).is_path


@pytest.mark.parametrize("operator", sorted(BOOLEAN, key=by_name), ids=by_name)
def test_connectives_speak_of_what_their_operands_do(operator: type[Node]) -> None:
    assert not applied(operator, STATE).is_path
    assert applied(operator, PATH).is_path
    assert applied(operator, PATH, STATE).is_path
    assert applied(operator, STATE, PATH).is_path == (operator is not f.Not)


@cases(100)
@given(formulas())
def test_propositional_formulas_are_made_of_connectives_and_leaves(formula: Formula) -> None:
    leaves = {type(leaf) for leaf in LEAVES}
    assert is_propositional(formula) == all(type(node) in leaves | BOOLEAN for node in subformulas(formula))
    assert not (is_propositional(formula) and formula.is_path)


def test_true_is_not_one() -> None:
    assert Literal(True) != Literal(1)
    assert shared(Compare("=", Literal(True), Literal(1))).left == Literal(True)
