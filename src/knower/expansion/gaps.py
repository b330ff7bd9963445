"""Where evaluation from left to right comes to something without a value."""

from __future__ import annotations

from typing import Any, TypeAlias

from knower.constraints.forms import Fractional
from knower.logic.fold import fold
from knower.logic.node import Node
from knower.system.expressions import (
    ActionOf,
    Arithmetic,
    BitNot,
    Bits,
    Compare,
    Condition,
    Conj,
    Disj,
    Expression,
    IfElse,
    Literal,
    Minus,
    Negation,
    Truth,
    Undefined,
    Var,
    has_fractions,
    is_partial,
)  # fmt: skip

#: The conditions under which something is missing, and whether plain ISPL says the same by itself: a quotient
#: that stays as it is needs no care.
_Gaps: TypeAlias = "tuple[list[Condition], bool]"
#: What plain ISPL has, beside its operators on numbers.
_PLAIN = (Literal, Var, ActionOf, Minus, BitNot, Bits, Condition)


def gaps(root: Node) -> list[Condition]:
    """When something is missing in what plain ISPL cannot say by itself."""
    if not is_partial(root):
        return []
    found, plain = fold(root, _step)
    return [] if plain and isinstance(root, Expression) else found


def _step(item: Any, below: tuple[_Gaps, ...]) -> _Gaps:
    found, plain = [each for each, _ in below], all(each for _, each in below)
    match item:
        case Conj(left, _):
            return [*found[0], *(Conj(left, gap) for gap in found[1])], True
        case Disj(left, _):
            return [*found[0], *(Conj(Negation(left), gap) for gap in found[1])], True
        case IfElse(condition, _, _):
            first, then, otherwise = found
            then = [Conj(condition, gap) for gap in then]
            return [*first, *then, *(Conj(Negation(condition), gap) for gap in otherwise)], False
        case Compare():
            return ([] if plain else [*found[0], *found[1]]), True
        case Undefined():
            return [Truth(True)], False
        case Arithmetic(operator):
            return [*found[0], *found[1], *_of_division(item)], plain and operator in ("+", "-", "*", "/")
        case _:
            return [gap for each in found for gap in each], plain and isinstance(item, _PLAIN)


def _of_division(item: Arithmetic) -> list[Condition]:
    """Division by zero; and the remainder of a fraction, for which there is no condition but the question."""
    if item.operator not in ("/", "%"):
        return []
    made: list[Condition] = []
    if not isinstance(item.right, Literal) or item.right.value == 0:
        made.append(Compare("=", item.right, Literal(0)))
    if item.operator == "%":
        made += [Fractional(side) for side in (item.left, item.right) if has_fractions(side)]
    return made
