"""What a proof of a formula looks like, as far as the formula tells."""

from __future__ import annotations

from typing import assert_never

from knower.logic import formula as f
from knower.logic.formula import Formula
from knower.logic.kinds import is_propositional
from knower.logic.rewrite import negated

#: The negation that is left stands before a coalition: the others have an answer.
_SHOWN = f.Existential | f.Strategic | f.Not
_CITED = f.Universal | f.And | f.Or | f.Implies | f.PathOperator | f.Does


def exposed(formula: Formula) -> Formula:
    """The formula without a negation at its top, unless before a proposition or a coalition."""
    while isinstance(formula, f.Not) and not is_propositional(formula):
        inner = negated(formula.sub)
        if isinstance(inner, f.Not) and inner.sub is formula.sub:
            return formula
        formula = inner
    return formula


def effort(formula: Formula) -> int:
    """How much a formula takes to show: nothing, some, or too much."""
    if isinstance(formula, f.Propositional) or is_propositional(formula):
        return 0
    if isinstance(formula, _SHOWN):
        return 1
    if isinstance(formula, _CITED):
        return 2
    assert_never(formula)


def is_telling(formula: Formula) -> bool:
    """Whether a proof of a formula shows more than that something is claimed."""
    match exposed(formula):
        case f.And(left, right) | f.Or(left, right):
            return is_telling(left) or is_telling(right)
        case f.Implies(left, right):
            return is_telling(f.Not(left)) or is_telling(right)
        case inner:
            return effort(inner) < 2
