"""Meaning-preserving rewritings: implicit quantifiers, the table of sugar, negation normal form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from knower.logic import formula as f
from knower.logic.fold import fold_more, rewrite
from knower.logic.formula import FALSE, TRUE, Formula, Part, Program, is_formula
from knower.logic.node import Node, children_of

_STEP = f.Letter(TRUE)


def quantified(body: Formula, *, linear: bool, first: Callable[[Node], Node] = lambda item: item) -> Formula:
    """The state formula that is asked: `A` put before every path formula that stands alone.

    `LTL G p` means `A G p`, and `LTL K(i, F p)` means `A K(i, A F p)`: a linear language speaks
    of all paths even where its formula has no path operator. `first`: a rule applied on the way, which
    makes no path formula of another.
    """
    asked = rewrite(body, lambda item: _with_quantifiers(first(item)))
    return f.A(asked) if linear else _quantified(asked)


def _with_quantifiers(item: Node) -> Node:
    """A state operator on state formulas."""
    for child in children_of(item):
        if is_formula(child) and child.is_path:
            break
    else:
        return item
    if not is_formula(item) or item._speaks_of_paths is not False or isinstance(item, f.A | f.E):
        return item
    return item.with_children(tuple(_quantified(child) for child in item.children))


def _quantified(item: Node) -> Formula:
    assert is_formula(item)
    return f.A(item) if item.is_path else item


# -- the table of sugar --------------------------------------------------------------------------


def dynamic(path: Formula) -> Formula:
    """The formula with `X WX F G U W R` written as LDL modalities, under inner quantifiers too.

    Who does what is left to letters: `Agent.Action = a` is `<Agent.Action = a>tt`.
    """

    def rule(item: Node) -> Node:
        match item:
            case f.Does():
                return f.Diamond(f.Letter(item), TRUE)
            case f.X(sub):
                return f.Diamond(_STEP, sub)
            case f.WX(sub):
                return f.Box(_STEP, sub)
            case f.F(sub):
                return f.Diamond(f.Star(_STEP), sub)
            case f.G(sub):
                return f.Box(f.Star(_STEP), sub)
            case f.U(left, right):
                return f.Diamond(_while(left), right)
            case f.R(left, right):
                return f.Box(_while(f.Not(left)), right)
            case f.W(left, right):
                return f.Box(_while(f.Not(right)), f.Or(left, right))
            case _:
                return item

    return rewrite(path, rule, _outside_letters)


def _outside_letters(item: Node) -> Sequence[Node]:
    return () if isinstance(item, f.Letter) else children_of(item)


def _while(condition: Formula) -> Program:
    """`(c?;tt)*`; `c*` would do only for propositional `c` (docs/traps.md, 4)."""
    return f.Star(f.Seq(f.Test(condition), _STEP))


# -- negation normal form ------------------------------------------------------------------------

#: The operators that have a dual.
_Paired: TypeAlias = (
    f.EX | f.AX | f.EF | f.AF | f.EG | f.AG | f.EU | f.AU | f.ER | f.AR
    | f.Epistemic | f.Deontic | f.Quantifier | f.F | f.G | f.U | f.R
)  # fmt: skip
_DUAL: dict[type[_Paired], type[_Paired]] = {
    f.EX: f.AX, f.EF: f.AG, f.EG: f.AF, f.EU: f.AR, f.ER: f.AU,
    f.K: f.M, f.GK: f.MGK, f.GCK: f.MGCK, f.DK: f.MDK, f.O: f.P,
    f.A: f.E, f.F: f.G, f.U: f.R,
}  # fmt: skip
_DUAL |= {dual: operator for operator, dual in _DUAL.items()}


def _dual(item: _Paired, operands: list[Any]) -> Formula:
    """The dual operator on these operands."""
    dual: Callable[..., Formula] = _DUAL[type(item)]
    return dual(*item.labels, *operands)


def negated(formula: Formula) -> Formula:
    """The negation, moved inwards by one operator; before a proposition or a coalition it stays."""
    match formula:
        case f.Not(sub):
            return sub
        case f.Constant(value):
            return f.Constant(not value)
        case f.And(left, right):
            return f.Or(f.Not(left), f.Not(right))
        case f.Or(left, right):
            return f.And(f.Not(left), f.Not(right))
        case f.Implies(left, right):
            return f.And(left, f.Not(right))
        case f.AW() | f.EW() | f.W():
            return _refuted_weak(formula, [f.Not(formula.left), f.Not(formula.right)])
        case f.Atom() | f.Green() | f.Red() | f.Does() | f.CanX() | f.CanF() | f.CanG() | f.CanU():
            return f.Not(formula)
        case f.X() | f.WX() | f.Diamond() | f.Box():  # the dual depends on whether paths are finite
            return f.Not(formula)
        case _:
            return _dual(formula, [_refuted(child) for child in formula.children])


def _refuted(item: Node) -> Formula:
    assert is_formula(item)
    return f.Not(item)


def negation_normal_form(formula: Formula, *, finite: bool = False) -> Formula:
    """An equivalent formula whose negations stand before propositions and coalitions only.

    Universal operators are negated into existential ones, so that `!A(f U g)` becomes
    `E(!f R !g)`. `finite`: paths are finite traces, where the dual of `X` is `WX`.
    """

    return NormalForms(finite=finite).of(formula)


class NormalForms:
    """Negation normal forms of many formulas: what they share is rewritten once."""

    def __init__(self, *, finite: bool = False) -> None:
        self.finite = finite
        self._done: dict[int, tuple[Node, Node]] = {}  # by the id of nodes, which `_roots` keeps
        self._roots: list[Formula] = []

    def of(self, formula: Formula) -> Formula:
        return self._both(formula)[0]

    def of_negation(self, formula: Formula) -> Formula:
        """That of `Not(formula)`."""
        return self._both(formula)[1]

    def _both(self, formula: Formula) -> tuple[Formula, Formula]:
        if id(formula) not in self._done:
            self._roots.append(formula)
        positive, negative = fold_more(formula, self._step, children_of, self._done)
        assert is_formula(positive) and is_formula(negative)
        return positive, negative

    def _step(self, item: Part, below: tuple[tuple[Node, Node], ...]) -> tuple[Node, Node]:
        return _both_polarities(item, below, self.finite)


def _both_polarities(item: Part, below: tuple[tuple[Node, Node], ...], finite: bool) -> tuple[Node, Node]:
    """The normal forms of a node and of its negation, from those of its operands."""
    yes: list[Any] = [positive for positive, _ in below]
    no: list[Any] = [negative for _, negative in below]
    match item:
        case f.Constant(value):
            return item, FALSE if value else TRUE
        case f.Atom() | f.Green() | f.Red() | f.Does():
            return item, f.Not(item)
        case f.Not():
            return no[0], yes[0]
        case f.And():
            return f.And(*yes), f.Or(*no)
        case f.Or():
            return f.Or(*yes), f.And(*no)
        case f.Implies():
            return f.Or(no[0], yes[1]), f.And(yes[0], no[1])
        case f.X() | f.WX():
            return _next_polarities(item, yes[0], no[0], finite)
        case f.Diamond() | f.Box():
            dual = f.Box if isinstance(item, f.Diamond) else f.Diamond
            return item.with_children(tuple(yes)), dual(yes[0], no[1])
        case f.W() | f.AW() | f.EW():
            return item.with_children(tuple(yes)), _refuted_weak(item, no)
        case f.CanX() | f.CanF() | f.CanG() | f.CanU():
            positive = item.with_children(tuple(yes))
            return positive, f.Not(positive)
        case f.Letter() | f.Test() | f.Choice() | f.Seq() | f.Star():
            program = item.with_children(tuple(yes))
            return program, program
        case _:
            return item.with_children(tuple(yes)), _dual(item, no)


def _next_polarities(item: f.X | f.WX, yes: Any, no: Any, finite: bool) -> tuple[Node, Node]:
    if not finite:
        return f.X(yes), f.X(no)
    dual = f.WX if isinstance(item, f.X) else f.X
    return type(item)(yes), dual(no)


def _refuted_weak(item: f.W | f.AW | f.EW, no: list[Any]) -> Formula:
    """`!(f W g) = !g U (!f and !g)`."""
    until: type[f.U | f.EU | f.AU]
    match item:
        case f.W():
            until = f.U
        case f.AW():
            until = f.EU
        case f.EW():
            until = f.AU
    return until(no[1], f.And(no[0], no[1]))
