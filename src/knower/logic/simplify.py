"""Path formulas made smaller before anything is built for them: programs, modalities, constants.

Every rule is an equivalence on finite and infinite paths alike, but for `[tt]f = <tt>f`, which needs
a next position. Formulas are in negation normal form, with propositions for their state parts.
"""

from __future__ import annotations

from knower.logic import formula as f
from knower.logic.fold import rewrite
from knower.logic.formula import FALSE, TRUE, Formula, Part, Program

_SKIP, _NEVER, _STEP = f.Test(TRUE), f.Test(FALSE), f.Letter(TRUE)


def simplified(path: Formula, *, finite: bool) -> Formula:
    """An equivalent formula with fewer and smaller programs."""

    def rule(item: Part) -> Part:
        match item:
            case f.Box(f.Letter(f.Constant(True)), sub) if not finite:
                return f.Diamond(_STEP, sub)
            case f.Diamond() | f.Box():
                return _modality(item)
            case f.And() | f.Or():
                return _connective(item)
            case f.Letter() | f.Test() | f.Choice() | f.Seq() | f.Star():
                return _program(item)
            case _:
                return item

    return rewrite(path, rule)


def _connective(item: f.And | f.Or) -> Formula:
    neutral, absorbing = (TRUE, FALSE) if isinstance(item, f.And) else (FALSE, TRUE)
    left, right = item.left, item.right
    if absorbing in (left, right):
        return absorbing
    if left in (neutral, right):
        return right
    return left if right == neutral else item


def _modality(item: f.Diamond | f.Box) -> Formula:
    trivial = FALSE if isinstance(item, f.Diamond) else TRUE
    if item.program == _NEVER or item.sub == trivial:
        return trivial
    match item:
        case f.Diamond(f.Test(guard), sub) if not guard.is_path:
            return _connective(f.And(guard, sub))
        case f.Box(f.Test(f.Constant(True)), sub):
            return sub
        case f.Box(outer, f.Diamond(inner, f.Box(last, _)) as sub) if _are_any(outer, inner, last):
            return sub  # GFG is FG
        case f.Diamond(outer, f.Box(inner, f.Diamond(last, _)) as sub) if _are_any(outer, inner, last):
            return sub  # FGF is GF
        case _:
            return item


def _are_any(*programs: Program) -> bool:
    """Whether all are `tt*`."""
    return all(program == f.Star(_STEP) for program in programs)


def _program(item: Program) -> Program:
    match item:
        case f.Letter(f.Constant(False)):
            return _NEVER
        case f.Choice(left, right):
            return _choice(item, left, right)
        case f.Seq(left, right):
            return _sequence(item, left, right)
        case f.Star(program):
            return _star(item, program)
        case _:
            return item


def _choice(item: Program, left: Program, right: Program) -> Program:
    if left in (right, _NEVER):
        return right
    if right == _NEVER:
        return left
    match left, right:
        case f.Letter(first), f.Letter(second):
            return f.Letter(_connective(f.Or(first, second)))
        case f.Test(first), f.Test(second):
            return f.Test(_connective(f.Or(first, second)))
        case _:
            return item


def _sequence(item: Program, left: Program, right: Program) -> Program:
    if _NEVER in (left, right):
        return _NEVER
    if left == _SKIP or (left == right and isinstance(left, f.Star)):
        return right
    if right == _SKIP:
        return left
    match left, right:
        case f.Test(test), f.Letter(guard) if not test.is_path:
            return f.Letter(_connective(f.And(test, guard)))
        case _:
            return item


def _star(item: Program, program: Program) -> Program:
    match program:
        case f.Test():
            return _SKIP
        case f.Star():
            return program
        case f.Choice(f.Test(), inner) | f.Choice(inner, f.Test()):
            return _star(f.Star(inner), inner)
        case (
            f.Choice(f.Star(left), right) | f.Choice(left, f.Star(right)) | f.Seq(f.Star(left), f.Star(right))
        ):
            inner = _choice(f.Choice(left, right), left, right)
            return _star(f.Star(inner), inner)
        case _:
            return item
