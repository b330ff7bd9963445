"""What kinds of things a formula speaks of: states, or single steps."""

from __future__ import annotations

from typing import get_args

from knower.logic import formula as f
from knower.logic.formula import Formula, FormulaNode, Part
from knower.logic.node import Node, children_of

_PROPOSITIONAL = frozenset(get_args(f.Propositional | f.Boolean))
_LETTERS = _PROPOSITIONAL | {f.Does}


def is_propositional(formula: Formula) -> bool:
    """Whether the formula is a Boolean combination of propositions and constants."""
    return _is_made_of(formula, _PROPOSITIONAL)


def is_letter(formula: Formula) -> bool:
    """The same of what a letter may say: who does what in its step, too."""
    return _is_made_of(formula, _LETTERS)


def _is_made_of(formula: Formula, kinds: frozenset[type]) -> bool:
    todo: list[Node] = [formula]
    while todo:
        item = todo.pop()
        if type(item) not in kinds:
            return False
        todo += children_of(item)
    return True


def is_of_step(formula: Formula) -> bool:
    """Whether a formula in negation normal form says of one step who does what, or does not."""
    return formula.is_step or (isinstance(formula, f.Not) and formula.sub.is_step)


def says_who_does_what(part: Part) -> bool:
    """Whether something is said of a single step, outside of state formulas."""
    todo: list[Node] = [part]
    while todo:
        item = todo.pop()
        if isinstance(item, FormulaNode):
            if item.is_step:
                return True
            if not item.is_path:
                continue
        todo += children_of(item)
    return False
